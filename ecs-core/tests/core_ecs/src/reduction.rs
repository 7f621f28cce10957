//! A small-step semantics: schedules one invocation at a time.
//!
//! The paper defines the meaning of a schedule as a whole, and the admissible orders of its invocations. Here
//! a [`Configuration`] is a state and the rest of a schedule. A step makes one invocation that may be next,
//! and applies its mutation at once. Later results can therefore depend on which step was taken, as in a
//! running program. The paper's own interpreter with threads works in the same way (section 6).
//!
//! [`Look`] selects the state that systems see. With [`Look::Before`], both sides of a ∥ see the state at its
//! beginning and their own mutations, as in section 3.6. With [`Look::Now`], all systems see the one current
//! state, as in section 6, and as in shared memory.
//!
//! A safe schedule ends in *z*(*c*) by any steps under [`Look::Before`]. Under [`Look::Now`] it does so too
//! if there are no [`races`](crate::corollary::races). One thing can still distinguish orders: *fresh names*
//! are chosen when a ν is evaluated, and seq visits entities in the order of their names. Where a seq follows
//! a ν that can be evaluated at different times, an implementation has to name entities by another rule than
//! first come, first served.

use crate::order::SplitMix;
use crate::{Entity, Found, Invocation, Schedule, State, System, Write, rename};

/// The state that systems see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// That of the calculus: without the effects of concurrent systems.
    Before,
    /// The current one.
    Now,
}

/// A state, and the rest of a schedule.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// The state that all mutations so far have made.
    pub state: State,
    residual: Residual,
    look: Look,
}

/// The rest of a schedule.
#[derive(Clone, Debug)]
enum Residual {
    /// Nothing.
    Done,
    /// conc(*s*) or seq(*s*) that has not looked at the state yet. Under [`Look::Now`] only.
    Waiting(Schedule),
    /// conc(*s*): these matches remain, in any order.
    Conc(System, Vec<(Vec<Entity>, Vec<Found>)>),
    /// seq(*s*): these entities remain, in this order. `view` is the state that the system sees.
    Seq { system: System, rest: Vec<Vec<Entity>>, view: State },
    /// Both sides of a ∥.
    Par(Box<Residual>, Box<Residual>),
    /// *z* is `first`; *z′* will see `view`, to which all mutations of *z* are applied.
    Then { first: Box<Residual>, second: Schedule, view: State },
}

impl Configuration {
    /// The whole schedule at a state.
    pub fn new(schedule: &Schedule, state: &State, look: Look) -> Self {
        Self { state: state.clone(), residual: Residual::start(schedule, state, look), look }
    }

    /// The number of different steps that may be next; 0 if nothing is left.
    pub fn choices(&self) -> usize {
        self.residual.choices()
    }

    /// Takes the step with this number, which is below [`choices`](Self::choices).
    #[must_use]
    pub fn step(&self, choice: usize) -> Self {
        let Self { mut state, residual, look } = self.clone();
        let (residual, _) = residual.step(choice, &mut state, look);
        Self { state, residual, look }
    }
}

impl Residual {
    fn start(schedule: &Schedule, view: &State, look: Look) -> Self {
        match schedule {
            Schedule::Conc(_) | Schedule::Seq(_) if look == Look::Now => {
                Self::Waiting(schedule.clone())
            }
            Schedule::Conc(system) | Schedule::Seq(system) => {
                Self::look(matches!(schedule, Schedule::Seq(_)), system, view)
            }
            Schedule::Par(left, right) => {
                let [left, right] = [left, right].map(|z| Self::start(z, view, look));
                Self::par(left, right)
            }
            Schedule::Then(first, second) => {
                let first = Self::start(first, view, look);
                Self::then(first, second.as_ref().clone(), view.clone(), look)
            }
        }
    }

    /// Finds the matches of a system.
    fn look(is_seq: bool, system: &System, view: &State) -> Self {
        let (system, matches) = (system.clone(), system.matches(view));
        match (matches.is_empty(), is_seq) {
            (true, _) => Self::Done,
            (false, false) => Self::Conc(system, matches.into_iter().collect()),
            (false, true) => {
                Self::Seq { system, rest: matches.into_keys().collect(), view: view.clone() }
            }
        }
    }

    fn par(left: Self, right: Self) -> Self {
        match (left, right) {
            (Self::Done, rest) | (rest, Self::Done) => rest,
            (left, right) => Self::Par(Box::new(left), Box::new(right)),
        }
    }

    fn then(first: Self, second: Schedule, view: State, look: Look) -> Self {
        match first {
            Self::Done => Self::start(&second, &view, look),
            first => Self::Then { first: Box::new(first), second, view },
        }
    }

    fn choices(&self) -> usize {
        match self {
            Self::Done => 0,
            Self::Waiting(_) | Self::Seq { .. } => 1,
            Self::Conc(_, matches) => matches.len(),
            Self::Par(left, right) => left.choices() + right.choices(),
            Self::Then { first, .. } => first.choices(),
        }
    }

    /// Takes a step. Returns its writes, which the enclosing terms apply to their views.
    fn step(self, choice: usize, state: &mut State, look: Look) -> (Self, Vec<Write>) {
        match self {
            Self::Done => panic!("nothing is left to do"),
            Self::Waiting(Schedule::Conc(system)) => {
                (Self::look(false, &system, state), Vec::new())
            }
            Self::Waiting(Schedule::Seq(system)) => (Self::look(true, &system, state), Vec::new()),
            Self::Waiting(schedule) => unreachable!("{schedule:?} looks at nothing itself"),
            Self::Conc(system, mut matches) => {
                let (entities, found) = matches.remove(choice);
                let writes = invoke(&system, entities, found, state);
                let rest =
                    if matches.is_empty() { Self::Done } else { Self::Conc(system, matches) };
                (rest, writes)
            }
            Self::Seq { system, mut rest, mut view } => {
                let entities = rest.remove(0);
                let seen = if look == Look::Now { &*state } else { &view };
                let writes = match system.match_of(seen, &entities) {
                    Some(found) => invoke(&system, entities, found, state),
                    None => Vec::new(),
                };
                view.write_all(&writes);
                let rest =
                    if rest.is_empty() { Self::Done } else { Self::Seq { system, rest, view } };
                (rest, writes)
            }
            Self::Par(left, right) => {
                let choices = left.choices();
                if choice < choices {
                    let (left, writes) = left.step(choice, state, look);
                    (Self::par(left, *right), writes)
                } else {
                    let (right, writes) = right.step(choice - choices, state, look);
                    (Self::par(*left, right), writes)
                }
            }
            Self::Then { first, second, mut view } => {
                let (first, writes) = first.step(choice, state, look);
                view.write_all(&writes);
                (Self::then(first, second, view, look), writes)
            }
        }
    }
}

/// Invokes a system's function, and applies the mutation that it yields.
fn invoke(
    system: &System,
    entities: Vec<Entity>,
    found: Vec<Found>,
    state: &mut State,
) -> Vec<Write> {
    let mut next_fresh = state.next_fresh();
    let invocation = Invocation::new(system, entities, found, &mut next_fresh);
    state.write_all(&invocation.writes);
    state.reserve(next_fresh);
    invocation.writes
}

/// The states that a schedule can end in, up to the names of fresh entities; `None` if the search takes more
/// than `limit` steps.
pub fn outcomes(
    schedule: &Schedule,
    state: &State,
    look: Look,
    mut limit: u64,
) -> Option<Vec<State>> {
    let mut open = vec![Configuration::new(schedule, state, look)];
    let mut ends: Vec<State> = Vec::new();
    while let Some(configuration) = open.pop() {
        limit = limit.checked_sub(1)?;
        open.extend((0..configuration.choices()).map(|choice| configuration.step(choice)));
        let end = &configuration.state;
        if configuration.choices() == 0
            && !ends.iter().any(|known| rename::same(known, end, state.next_fresh()))
        {
            ends.push(configuration.state);
        }
    }
    Some(ends)
}

/// A state that a schedule can end in. The seed selects the steps.
pub fn outcome(schedule: &Schedule, state: &State, look: Look, seed: u64) -> State {
    let (mut configuration, mut random) =
        (Configuration::new(schedule, state, look), SplitMix(seed));
    while configuration.choices() > 0 {
        configuration = configuration.step(random.below(configuration.choices()));
    }
    configuration.state
}
