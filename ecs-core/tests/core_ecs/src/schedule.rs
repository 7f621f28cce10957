//! Schedules: when systems look at the state, and when their mutations take effect (3.6).

use crate::{Entity, Invocation, Mutation, Production, State, System};

/// A schedule *z*.
#[derive(Clone, Debug)]
pub enum Schedule {
    /// conc(*s*): one look at the state, then all invocations, in any order.
    Conc(System),
    /// seq(*s*): one invocation after the other, each of which sees what those before it did.
    Seq(System),
    /// *z* ∥ *z′*: both look at the same state, and do not see each other.
    Par(Box<Schedule>, Box<Schedule>),
    /// *z* ⨟ *z′*: *z′* sees what *z* did.
    Then(Box<Schedule>, Box<Schedule>),
}

/// conc(*s*).
pub fn conc(system: &System) -> Schedule {
    Schedule::Conc(system.clone())
}

/// seq(*s*).
pub fn seq(system: &System) -> Schedule {
    Schedule::Seq(system.clone())
}

impl Schedule {
    /// *z* ∥ *z′*.
    #[must_use]
    pub fn par(self, other: Self) -> Self {
        Self::Par(Box::new(self), Box::new(other))
    }

    /// *z* ⨟ *z′*.
    #[must_use]
    pub fn then(self, other: Self) -> Self {
        Self::Then(Box::new(self), Box::new(other))
    }

    /// *c* ⇓ *z*, with its invocations and their order. Its [mutation](Production::mutation) is the term that
    /// the paper writes.
    ///
    /// Fresh entities are chosen here, once, and in the order of production. So an invocation that comes
    /// after a ⨟ and the ν before it use the same name for the same entity, in whatever order the mutations
    /// are applied: the “correlated choice of fresh entities” of definition 4.1.
    pub fn produce(&self, state: &State) -> Production {
        let mut next_fresh = state.next_fresh();
        self.produce_with(state, &mut next_fresh)
    }

    fn produce_with(&self, state: &State, next_fresh: &mut Entity) -> Production {
        match self {
            Self::Conc(system) => {
                let invoke =
                    |(entities, found)| Invocation::new(system, entities, found, next_fresh);
                Production::Conc(system.matches(state).into_iter().map(invoke).collect())
            }
            Self::Seq(system) => Production::Seq(roll(system, state, next_fresh)),
            Self::Par(left, right) => {
                let left = left.produce_with(state, next_fresh);
                Production::Par(Box::new(left), Box::new(right.produce_with(state, next_fresh)))
            }
            Self::Then(first, second) => {
                let first = first.produce_with(state, next_fresh);
                let second = second.produce_with(&first.apply(state), next_fresh);
                Production::Then(Box::new(first), Box::new(second))
            }
        }
    }

    /// *z*(*c*) = *c* ↓ (*c* ⇓ *z*): advances a state by the schedule.
    pub fn apply(&self, state: &State) -> State {
        self.produce(state).apply(state)
    }

    /// *c* ⇓ *z* as the mutation that the paper writes.
    pub fn mutation(&self, state: &State) -> Mutation {
        self.produce(state).mutation()
    }

    /// The systems of the schedule, from the left.
    pub fn systems(&self) -> Vec<&System> {
        match self {
            Self::Conc(system) | Self::Seq(system) => vec![system],
            Self::Par(a, b) | Self::Then(a, b) => [a.systems(), b.systems()].concat(),
        }
    }
}

/// roll*ₛ*(*c*, ⟦*qₛ*⟧*c*), with the invocations that it makes (3.5).
///
/// Each match is looked up again just before its invocation. One that no longer matches is dropped.
fn roll(system: &System, state: &State, next_fresh: &mut Entity) -> Vec<Invocation> {
    let mut state = state.clone();
    let mut invocations = Vec::new();
    for entities in system.matches(&state).into_keys() {
        let Some(found) = system.match_of(&state, &entities) else { continue };
        let invocation = Invocation::new(system, entities, found, next_fresh);
        state.write_all(&invocation.writes);
        invocations.push(invocation);
    }
    invocations
}
