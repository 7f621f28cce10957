//! The production of a schedule at a state: its invocations of system functions, and their partial order
//! (4.1).

use crate::order::Precedence;
use crate::{Entity, Found, Mutation, State, System, Write};

/// An invocation (*fₛ*, *r*) of a system's function, and its mutation.
#[derive(Clone, Debug)]
pub struct Invocation {
    /// The system.
    pub system: System,
    /// The entities of the match *r*.
    pub entities: Vec<Entity>,
    /// The component results of the match *r*.
    pub found: Vec<Found>,
    /// *fₛ*(*r*).
    pub mutation: Mutation,
    /// The writes of the mutation, with fresh entities chosen.
    pub writes: Vec<Write>,
    /// The fresh entities of each ν, in order.
    pub fresh: Vec<Entity>,
}

impl Invocation {
    /// Calls the function. Its fresh entities are named from `next_fresh` on, which advances past them.
    pub fn new(
        system: &System,
        entities: Vec<Entity>,
        found: Vec<Found>,
        next_fresh: &mut Entity,
    ) -> Self {
        let mutation = system.call(&entities, &found);
        let first = *next_fresh;
        let writes = mutation.ground(next_fresh);
        let fresh = (first.0..next_fresh.0).map(Entity).collect();
        Self { system: system.clone(), entities, found, mutation, writes, fresh }
    }
}

/// A schedule's invocations at a state, structured like the schedule.
///
/// It represents the partial order ⟨**po***c*(*z*), ≼*z*⟩, and *c* ⇓ *z* as well.
#[derive(Clone, Debug)]
pub enum Production {
    /// Those of conc(*s*): no order.
    Conc(Vec<Invocation>),
    /// Those of seq(*s*): one after the other.
    Seq(Vec<Invocation>),
    /// Those of *z* ∥ *z′*: each in its own order.
    Par(Box<Production>, Box<Production>),
    /// Those of *z* ⨟ *z′*: all of the second after all of the first.
    Then(Box<Production>, Box<Production>),
}

impl Production {
    /// The elements of the partial order, in the order in which *c* ⇓ *z* composes them.
    pub fn invocations(&self) -> Vec<&Invocation> {
        match self {
            Self::Conc(invocations) | Self::Seq(invocations) => invocations.iter().collect(),
            Self::Par(a, b) | Self::Then(a, b) => [a.invocations(), b.invocations()].concat(),
        }
    }

    /// Which of the [`invocations`](Self::invocations) must come before which: ≼*z* without equality.
    pub fn precedence(&self) -> Precedence {
        match self {
            Self::Conc(invocations) => Precedence::none(invocations.len()),
            Self::Seq(invocations) => Precedence::total(invocations.len()),
            Self::Par(a, b) => a.precedence().beside(&b.precedence()),
            Self::Then(a, b) => a.precedence().before(&b.precedence()),
        }
    }

    /// *c* ⇓ *z* as one mutation, with fresh entities chosen.
    pub fn mutation(&self) -> Mutation {
        let writes = self.invocations().into_iter().flat_map(|invocation| &invocation.writes);
        Mutation::all(writes.copied().map(Mutation::from))
    }

    /// *c* ↓ (*c* ⇓ *z*).
    pub fn apply(&self, state: &State) -> State {
        let order: Vec<usize> = (0..self.invocations().len()).collect();
        self.apply_in(&order, state)
    }

    /// *c* ↓ *m*, where *m* is the composition of the invocations in this order.
    ///
    /// # Panics
    ///
    /// If `order` has a number that is not the number of an invocation.
    pub fn apply_in(&self, order: &[usize], state: &State) -> State {
        let (invocations, mut state) = (self.invocations(), state.clone());
        for &number in order {
            state.write_all(&invocations[number].writes);
            if let Some(last) = invocations[number].fresh.last() {
                state.reserve(Entity(last.0 + 1));
            }
        }
        state
    }
}
