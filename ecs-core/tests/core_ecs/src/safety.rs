//! Whether schedules are safe at a given state: by definition 4.3, and by theorem 4.7.

use std::fmt;

use crate::influence::{self, Influence};
use crate::{Entity, Invocation, Label, Mutation, Production, Schedule, State, Write, rename};

/// Two concurrent invocations that influence the same value, so that theorem 4.7 does not apply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// One invocation: its system, and the entities of its match.
    pub left: (String, Vec<Entity>),
    /// The other invocation.
    pub right: (String, Vec<Entity>),
    /// The value that both influence.
    pub place: (Entity, Label),
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ((left, left_match), (right, right_match)) = (&self.left, &self.right);
        let (entity, label) = self.place;
        write!(f, "`{left}` at {left_match:?} and `{right}` at {right_match:?} both influence ")?;
        write!(f, "{label} of {entity}")
    }
}

/// *m* ≃ *m′*: whether two mutations have the same effect on every state (definition 4.1).
pub fn are_equivalent(a: &Mutation, b: &Mutation) -> bool {
    let fresh = first_unmentioned([a, b]);
    let [a, b] = [a, b].map(|mutation| Effect::of(&mutation.ground(&mut fresh.clone()), fresh));
    a.same(&b, fresh)
}

/// Whether *m* • *m′* ≃ *m′* • *m* (definition 4.2).
pub fn commute(a: &Mutation, b: &Mutation) -> bool {
    let fresh = first_unmentioned([a, b]);
    let mut next_fresh = fresh;
    let (a, b) = (a.ground(&mut next_fresh), b.ground(&mut next_fresh));
    let forth = Effect::of(&[a.as_slice(), &b].concat(), fresh);
    forth.same(&Effect::of(&[b.as_slice(), &a].concat(), fresh), fresh)
}

/// A name above all names in these mutations.
fn first_unmentioned(mutations: [&Mutation; 2]) -> Entity {
    let probe = Entity(u64::MAX / 2);
    let writes = mutations.into_iter().flat_map(|mutation| mutation.ground(&mut probe.clone()));
    let above = |write: Write| {
        let value = match write {
            Write::Attach(_, _, crate::Value::Entity(entity)) => entity.0,
            _ => 0,
        };
        write.place().0.0.max(value) + 1
    };
    Entity(writes.map(above).fold(probe.0, u64::max))
}

/// The effect of a mutation on every state: the values that it attaches and those that it removes.
struct Effect {
    attached: State,
    detached: Influence,
}

impl Effect {
    fn of(writes: &[Write], fresh: Entity) -> Self {
        let mut attached = State::empty(Entity(0));
        attached.write_all(writes);
        // A fresh entity had no components, so detaching one has no effect.
        let is_gone = |&(entity, label): &(Entity, Label)| {
            entity < fresh && attached.get(label, entity).is_none()
        };
        let detached = influence::of_writes(writes).into_iter().filter(is_gone).collect();
        Self { attached, detached }
    }

    fn same(&self, other: &Self, fresh: Entity) -> bool {
        self.detached == other.detached && rename::same(&self.attached, &other.attached, fresh)
    }
}

/// Definition 4.3: whether the mutations of each concurrent pair of invocations commute.
pub fn is_safe_by_definition(production: &Production) -> bool {
    let invocations = production.invocations();
    let pairs = production.precedence().concurrent_pairs();
    pairs.into_iter().all(|(a, b)| commute(&invocations[a].mutation, &invocations[b].mutation))
}

/// Theorem 4.7: whether *z* is constructed safely at *c*.
///
/// This is stronger than definition 4.3: two invocations that attach the same value commute, but influence
/// the same place.
///
/// # Errors
///
/// A pair of concurrent invocations that influence the same value.
pub fn check(schedule: &Schedule, state: &State) -> Result<(), Conflict> {
    check_production(&schedule.produce(state))
}

/// The same for a production.
///
/// # Errors
///
/// As of [`check`].
pub fn check_production(production: &Production) -> Result<(), Conflict> {
    match production {
        Production::Conc(invocations) => {
            for (number, right) in invocations.iter().enumerate() {
                for left in &invocations[..number] {
                    disjoint(left, right)?;
                }
            }
            Ok(())
        }
        Production::Seq(_) => Ok(()),
        Production::Then(first, second) => {
            check_production(first)?;
            check_production(second)
        }
        Production::Par(left, right) => {
            check_production(left)?;
            check_production(right)?;
            let shared = &influence::of_production(left) & &influence::of_production(right);
            if shared.is_empty() {
                return Ok(());
            }
            // The search for the two conflicting invocations starts only now.
            for left in left.invocations() {
                right.invocations().iter().try_for_each(|right| disjoint(left, right))?;
            }
            unreachable!("what both influence, some invocation of each does")
        }
    }
}

/// Lemma 4.6: whether two invocations influence different values.
fn disjoint(left: &Invocation, right: &Invocation) -> Result<(), Conflict> {
    let [a, b] = [left, right].map(|invocation| influence::of_mutation(&invocation.mutation));
    let involved = |one: &Invocation| (one.system.name.clone(), one.entities.clone());
    match (&a & &b).first() {
        Some(&place) => Err(Conflict { left: involved(left), right: involved(right), place }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{are_equivalent, commute};
    use crate::{Entity, Label, Mutation, Value};

    const A: Label = Label("A");
    const E: Entity = Entity(1);

    fn attach(entity: Entity, number: i64) -> Mutation {
        Mutation::Attach(A, entity, Value::Int(number))
    }

    #[test]
    fn equivalence_is_about_every_state() {
        assert!(are_equivalent(&attach(E, 1).then(attach(E, 2)), &attach(E, 2)));
        // They agree on the empty state, but not on one where `E` has an `A`.
        assert!(!are_equivalent(&Mutation::Detach(A, E), &Mutation::Nil));
        // The effects on a fresh entity count as far as they remain in the end.
        let short_lived = Mutation::new(|e| attach(e, 1).then(Mutation::Detach(A, e)));
        assert!(are_equivalent(&short_lived, &Mutation::Nil));
        let new = |number| Mutation::new(move |e| attach(e, number));
        assert!(are_equivalent(&new(1).then(new(2)), &new(2).then(new(1))));
        assert!(!are_equivalent(&new(1), &new(2)));
    }

    #[test]
    fn mutations_commute_that_write_elsewhere_or_the_same() {
        assert!(commute(&attach(E, 1), &attach(Entity(2), 2)));
        assert!(commute(&attach(E, 1), &attach(E, 1)));
        assert!(!commute(&attach(E, 1), &attach(E, 2)));
        assert!(!commute(&attach(E, 1), &Mutation::Detach(A, E)));
        let new = |number| Mutation::new(move |e| attach(e, number));
        assert!(commute(&new(1), &new(2)));
        // Both store the name of their new entity in the same place. The results differ in which name
        // remains, and the two entities are distinguishable by their numbers.
        let named = |number| {
            new(number).then(Mutation::new(move |e| {
                Mutation::Attach(A, E, Value::Entity(e)).then(attach(e, number))
            }))
        };
        assert!(commute(&named(1), &named(1)));
        assert!(!commute(&named(1), &named(2)));
    }
}
