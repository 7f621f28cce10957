//! The states that a schedule may end in, found by trying its linearizations (definition 4.4).

use std::ops::ControlFlow;

use crate::{Production, Schedule, State, rename};

/// The extent of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// All linearizations are tried if there are at most this many.
    pub all_up_to: u128,
    /// The number of random linearizations that are tried otherwise, beside the one in which *c* ⇓ *z* is
    /// composed.
    pub samples: u64,
    /// The seed of the random linearizations.
    pub seed: u64,
}

impl Default for Effort {
    /// All linearizations of up to 5 040 (seven concurrent invocations), else 200 random ones.
    fn default() -> Self {
        Self { all_up_to: 5_040, samples: 200, seed: 0 }
    }
}

/// The states that linearizations of a schedule end in.
#[derive(Clone, Debug)]
pub struct Outcomes {
    /// The different states, up to the names of fresh entities, each with an order that leads to it. The
    /// first one is *z*(*c*).
    pub states: Vec<(State, Vec<usize>)>,
    /// Whether all linearizations were tried.
    pub is_exhaustive: bool,
}

/// The states that linearizations of **po***c*(*z*) end in.
pub fn outcomes(schedule: &Schedule, state: &State, effort: Effort) -> Outcomes {
    outcomes_of(&schedule.produce(state), state, effort)
}

/// The same for a production at this state.
pub fn outcomes_of(production: &Production, state: &State, effort: Effort) -> Outcomes {
    let precedence = production.precedence();
    let is_exhaustive = precedence.count() <= effort.all_up_to;
    let mut states: Vec<(State, Vec<usize>)> = Vec::new();
    let mut visit = |order: &[usize]| {
        let end = production.apply_in(order, state);
        if !states.iter().any(|(known, _)| rename::same(known, &end, state.next_fresh())) {
            states.push((end, order.to_vec()));
        }
    };
    visit(&(0..precedence.len()).collect::<Vec<_>>());
    if is_exhaustive {
        let end: ControlFlow<()> = precedence.for_each(|order| {
            visit(order);
            ControlFlow::Continue(())
        });
        debug_assert!(end.is_continue());
    } else {
        let seeds = (0..effort.samples).map(|sample| effort.seed.wrapping_add(sample));
        seeds.for_each(|seed| visit(&precedence.linearization(seed)));
    }
    Outcomes { states, is_exhaustive }
}

/// Definition 4.4, by brute force: whether all linearizations of **po***c*(*z*) are equivalent.
///
/// They are compared by their results at *c*. All of them write to the same values, so two that agree there
/// agree on every state.
///
/// Beyond the limits of the [default effort](Effort::default), `true` means that no two of the tried
/// linearizations differ.
pub fn is_deterministic(schedule: &Schedule, state: &State) -> bool {
    outcomes(schedule, state, Effort::default()).states.len() == 1
}
