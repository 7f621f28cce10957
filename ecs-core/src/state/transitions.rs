//! The states of a world: the variant that each is in, requests to change it, and the transitions that follow.
//!
//! Requests come from systems, when a refresh merges what they have staged, and from the program. The last one counts.
//! Transitions take place at two times: before the first execution of a step, and after the refresh that follows the last
//! one. So a state is the same for all that a step executes. `proxy/step/transitions.rs` runs the systems that are part of a
//! transition.

#[cfg(feature = "serde")]
mod bytes;

use core::fmt;

use crate::changes::StepError;
use crate::signature::StateSignature;
use crate::types::{StateHash, StateHasher};
use ecs_rules::Moment;

/// The states of a world, and the number of executions.
#[derive(Debug, Default)]
pub(crate) struct Transitions {
    signatures: &'static [StateSignature],
    states: Box<[StateValue]>,
    /// For each state a mask of the variants that were entered since [`begin`](Self::begin).
    entered: Box<[u64]>,
    /// The number of executions, if a system runs in each n-th one.
    executions: u64,
    /// The transition whose systems run now.
    now: Option<(Moment, usize, usize)>,
    /// Whether the current step has executed systems.
    pub(crate) executed: bool,
}

/// One state. The variants are numbers.
#[derive(Clone, Copy, Debug, Default)]
struct StateValue {
    current: u8,
    requested: Option<u8>,
    /// Whether the first variant has been entered.
    begun: bool,
}

/// When a system runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct When {
    pub(crate) moment: Moment,
    pub(crate) states: &'static [(usize, u64)],
    pub(crate) every: u32,
}

impl When {
    /// In each execution.
    pub(crate) const ALWAYS: Self = Self { moment: Moment::During, states: &[], every: 0 };
}

/// A change of the state at the index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Transition {
    pub(crate) state: usize,
    /// The variant that is left; `None` if the world is new.
    pub(crate) from: Option<usize>,
    pub(crate) to: usize,
}

impl Transitions {
    /// The states of a new world.
    pub(crate) fn of(signatures: &'static [StateSignature]) -> Self {
        Self {
            signatures,
            states: vec![StateValue::default(); signatures.len()].into(),
            entered: vec![0; signatures.len()].into(),
            ..Self::default()
        }
    }

    /// The variant that the state is in.
    #[inline]
    pub(crate) fn current(&self, state: usize) -> usize {
        self.states[state].current.into()
    }

    /// Requests the variant, in place of an earlier request.
    ///
    /// # Panics
    /// If the state has no such variant.
    pub(crate) fn request(&mut self, state: usize, variant: usize) {
        assert_variant(self.signatures, state, variant);
        self.states[state].requested = Some(variant as u8);
    }

    /// Counts an execution.
    pub(crate) fn count(&mut self) {
        self.executions = self.executions.wrapping_add(1);
    }

    /// Whether a system that runs then runs now. A state that does not exist has no variants.
    #[inline(never)]
    pub(crate) fn holds(&self, when: &When) -> bool {
        let among = |&(state, mask): &(usize, u64), variant| {
            state < self.states.len() && variant < 64 && mask >> variant & 1 != 0
        };
        let is_now = match self.now {
            None => {
                when.moment == Moment::During
                    && when.states.iter().all(|one| {
                        among(one, self.states.get(one.0).map_or(64, |state| state.current.into()))
                    })
            }
            Some((moment, state, variant)) => {
                let mut states = when.states.iter();
                when.moment == moment && states.any(|one| one.0 == state && among(one, variant))
            }
        };
        is_now
            && (when.every == 0
                || self.executions % u64::from(when.every) == 1 % u64::from(when.every))
    }

    /// Whether a transition is to take place. A request for the variant that the state is in is dropped.
    pub(crate) fn are_requested(&mut self) -> bool {
        let mut any = false;
        for state in &mut self.states {
            state.requested.take_if(|to| state.begun && *to == state.current);
            any |= !state.begun || state.requested.is_some();
        }
        any
    }

    /// Begins a chain of transitions: each enters a variant that the chain has not entered before.
    pub(crate) fn begin(&mut self) {
        self.entered.fill(0);
    }

    /// The next transition of the chain: that of the first state for which there is a request.
    ///
    /// # Errors
    /// If it would enter a variant again. The request is dropped.
    pub(crate) fn next(&mut self) -> Option<Result<Transition, StepError>> {
        for (index, state) in self.states.iter_mut().enumerate() {
            let (from, requested) = (state.current, state.requested.take());
            let is_new = !core::mem::replace(&mut state.begun, true);
            let to = match requested {
                Some(to) if is_new || to != from => to,
                _ if is_new => from,
                _ => continue,
            };
            let (entered, bit) = (&mut self.entered[index], 1 << to);
            if *entered & bit != 0 {
                let StateSignature { name, variants } = self.signatures[index];
                let [from, to] = [from, to].map(|variant| variants[usize::from(variant)]);
                return Some(Err(StepError::TransitionCycle { state: name, from, to }));
            }
            *entered |= bit;
            let from = (!is_new).then_some(from.into());
            return Some(Ok(Transition { state: index, from, to: to.into() }));
        }
        None
    }

    /// Until the [end](Self::end), the systems run that belong to this. Where a variant is entered, the state is in it.
    pub(crate) fn start(&mut self, moment: Moment, state: usize, variant: usize) {
        if moment == Moment::Enter {
            self.states[state].current = variant as u8;
        }
        self.now = Some((moment, state, variant));
    }

    /// From now on, the systems run that belong to no transition.
    pub(crate) fn end(&mut self) {
        self.now = None;
    }

    /// Makes the state the same as that of `from`, of the same declaration.
    pub(crate) fn copy(&mut self, from: &Self) {
        self.states.copy_from_slice(&from.states);
        self.executions = from.executions;
    }

    /// A copy of the state.
    pub(crate) fn duplicate(&self) -> Self {
        let mut this = Self::of(self.signatures);
        this.copy(self);
        this
    }
}

/// # Panics
/// If the state has no such variant.
pub(crate) fn assert_variant(signatures: &[StateSignature], state: usize, variant: usize) {
    let StateSignature { name, variants } = signatures[state];
    assert!(
        variant < variants.len(),
        "a value of the state `{name}` is none of its {} variants",
        variants.len()
    );
}

impl fmt::Display for Transitions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (signature, state)) in self.signatures.iter().zip(&self.states).enumerate() {
            let StateSignature { name, variants } = signature;
            let variant = |variant: u8| variants.get(usize::from(variant)).copied().unwrap_or("?");
            let separator = if at == 0 { "" } else { ", " };
            write!(f, "{separator}{name}::{}", variant(state.current))?;
            if !state.begun {
                f.write_str(" (not begun)")?;
            }
            if let Some(to) = state.requested {
                write!(f, " (to {})", variant(to))?;
            }
        }
        if self.executions > 0 {
            let separator = if self.signatures.is_empty() { "" } else { ", " };
            write!(f, "{separator}execution {}", self.executions)?;
        }
        Ok(())
    }
}

impl StateHash for Transitions {
    fn state_hash(&self, hasher: &mut StateHasher) {
        for StateValue { current, requested, begun } in &self.states {
            (*current, requested.map_or(u8::MAX, |to| to), *begun).state_hash(hasher);
        }
        self.executions.state_hash(hasher);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIGNATURES: &[StateSignature] =
        &[StateSignature::new("Mode", &["A", "B", "C"]), StateSignature::new("Day", &["D", "N"])];

    fn transition(state: usize, from: Option<usize>, to: usize) -> Transition {
        Transition { state, from, to }
    }

    /// A world whose first variants have been entered.
    fn begun() -> Transitions {
        let mut this = Transitions::of(SIGNATURES);
        assert!(this.are_requested());
        this.begin();
        assert_eq!(this.next(), Some(Ok(transition(0, None, 0))));
        assert_eq!(this.next(), Some(Ok(transition(1, None, 0))));
        assert_eq!(this.next(), None);
        assert!(!this.are_requested());
        this
    }

    #[test]
    fn the_last_request_counts() {
        let mut this = begun();
        this.request(0, 1);
        this.request(0, 2);
        this.begin();
        assert_eq!(this.next(), Some(Ok(transition(0, Some(0), 2))));
        assert_eq!(this.current(0), 0, "until it is entered");
        this.start(Moment::Exit, 0, 0);
        assert_eq!(this.current(0), 0);
        this.start(Moment::Enter, 0, 2);
        assert_eq!(this.current(0), 2);
        this.end();
        assert_eq!(this.next(), None);
    }

    #[test]
    fn a_request_for_the_current_variant_is_none() {
        let mut this = begun();
        this.request(0, 1);
        this.request(0, 0);
        this.begin();
        assert_eq!(this.next(), None);
    }

    #[test]
    fn a_new_world_enters_what_is_requested() {
        let mut this = Transitions::of(SIGNATURES);
        this.request(1, 1);
        this.begin();
        assert_eq!(this.next(), Some(Ok(transition(0, None, 0))));
        assert_eq!(this.next(), Some(Ok(transition(1, None, 1))));
        assert_eq!(this.next(), None);
    }

    #[test]
    fn a_chain_enters_a_variant_once() {
        let mut this = begun();
        this.begin();
        for to in [1, 0] {
            this.request(0, to);
            assert_eq!(this.next(), Some(Ok(transition(0, Some(1 - to), to))));
            this.start(Moment::Enter, 0, to);
        }
        this.request(0, 1);
        let cycle = StepError::TransitionCycle { state: "Mode", from: "A", to: "B" };
        assert_eq!(this.next(), Some(Err(cycle)));
        assert_eq!((this.next(), this.current(0)), (None, 0));
        this.request(0, 1);
        this.begin();
        assert_eq!(this.next(), Some(Ok(transition(0, Some(0), 1))), "another chain");
    }

    #[test]
    fn a_system_runs_in_its_variants_and_at_their_ends() {
        let mut this = begun();
        let when = |moment, states| When { moment, states, every: 0 };
        let in_a = when(Moment::During, &[(0, 1)]);
        let in_b_by_day = when(Moment::During, &[(0, 2), (1, 1)]);
        let enter = when(Moment::Enter, &[(0, 6), (1, 2)]);
        let of = |this: &Transitions| {
            [When::ALWAYS, in_a, in_b_by_day, enter].map(|when| this.holds(&when))
        };
        assert_eq!(of(&this), [true, true, false, false]);
        this.start(Moment::Enter, 0, 1);
        assert_eq!(of(&this), [false, false, false, true]);
        this.end();
        assert_eq!(of(&this), [true, false, true, false]);
        this.start(Moment::Exit, 0, 1);
        assert_eq!(of(&this), [false; 4]);
        this.start(Moment::Enter, 1, 1);
        assert_eq!(of(&this), [false, false, false, true]);
        this.end();
        assert_eq!(of(&this), [true, false, false, false]);
        assert!(!this.holds(&when(Moment::During, &[(7, u64::MAX)])), "there is no such state");
    }

    #[test]
    fn the_first_of_each_n_executions_counts() {
        let mut this = begun();
        let mut runs = [String::new(), String::new(), String::new()];
        for _ in 0..7 {
            this.count();
            for (every, runs) in [1, 2, 3].into_iter().zip(&mut runs) {
                runs.push(if this.holds(&When { every, ..When::ALWAYS }) { 'x' } else { '.' });
            }
        }
        assert_eq!(runs, ["xxxxxxx", "x.x.x.x", "x..x..x"]);
    }

    #[test]
    #[should_panic(expected = "a value of the state `Day` is none of its 2 variants")]
    fn what_is_no_variant_is_not_entered() {
        begun().request(1, 2);
    }
}
