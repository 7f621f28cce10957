//! Influence: which values mutations and schedules affect (4.2).

use std::collections::BTreeSet;

use crate::{Entity, Label, Mutation, Production, Write};

/// A subset of *E* × *I*.
pub type Influence = BTreeSet<(Entity, Label)>;

/// infl(*m*).
///
/// The influence of a ν on its fresh entity is discarded, as no concurrent invocation can know that entity.
/// The paper intersects over all entities. Here the intersection is over two entities that occur nowhere
/// else. The result is the same for functions that treat entities as opaque. For others it is closer to *c* ↓
/// ν(*f*), which calls *f* with fresh entities only.
pub fn of_mutation(mutation: &Mutation) -> Influence {
    influence(mutation, 0)
}

/// infl(*m*) below `depth` ν.
fn influence(mutation: &Mutation, depth: u64) -> Influence {
    match mutation {
        Mutation::Attach(label, entity, _) | Mutation::Detach(label, entity) => {
            Influence::from([(*entity, *label)])
        }
        Mutation::Then(first, second) => &influence(first, depth) | &influence(second, depth),
        Mutation::New(f) => {
            let probe = |n| influence(&f.call(Entity(u64::MAX - n)), depth + 1);
            &probe(2 * depth) & &probe(2 * depth + 1)
        }
        Mutation::Nil => Influence::new(),
    }
}

/// infl*c*(*z*), of a schedule's production at *c*.
pub fn of_production(production: &Production) -> Influence {
    let invocations = production.invocations();
    invocations.iter().flat_map(|invocation| of_mutation(&invocation.mutation)).collect()
}

/// The places that writes change, including those of fresh entities.
pub fn of_writes(writes: &[Write]) -> Influence {
    writes.iter().map(Write::place).collect()
}

#[cfg(test)]
mod tests {
    use super::{Influence, of_mutation};
    use crate::{Entity, Label, Mutation, Value};

    const A: Label = Label("A");
    const B: Label = Label("B");

    #[test]
    fn the_fresh_entity_of_a_nu_is_not_influenced() {
        let known = Entity(3);
        let mutation = Mutation::new(move |e| {
            let name = Mutation::Attach(B, known, Value::Entity(e));
            let nested = Mutation::new(move |inner| {
                Mutation::Attach(A, inner, Value::Unit).then(Mutation::Detach(A, e))
            });
            Mutation::Attach(A, e, Value::Int(1)).then(name).then(nested)
        });
        let mutation = mutation.then(Mutation::Nil).then(Mutation::Detach(A, known));
        assert_eq!(of_mutation(&mutation), Influence::from([(known, A), (known, B)]));
    }
}
