//! What the names of states and variants in a system stand for.

use ecs_rules::{MOST_VARIANTS, Moment};
use syn::{Ident, Path};

use super::names::plain;
use crate::syntax::{self, State, StateUse, name_of};

/// What a path stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// The state.
    State(usize),
    /// A variant of a state.
    Variant(usize, usize),
    /// A variant of the first state, and one of the second.
    Ambiguous(usize, usize),
    /// The state has no such variant.
    NoVariant(usize),
    Nothing,
}

/// What a system says of states.
#[derive(Clone, Debug, Default)]
pub(crate) struct Timing {
    pub(crate) moment: Moment,
    /// States, and a mask of the variants of each.
    pub(crate) variants: Vec<(usize, u64)>,
    /// The states that it sets.
    pub(crate) set: Vec<usize>,
    pub(crate) every: u32,
}

/// Looks up what the path stands for: `Mode`, `Mode::Menu`, or `Menu`.
pub(crate) fn find(states: &[State], path: &Path) -> Named {
    let named = |name: &Ident| states.iter().position(|state| plain(&state.name) == plain(name));
    let variant_of = |state: usize, name: &Ident| {
        states[state].variants.iter().position(|variant| plain(&variant.name) == plain(name))
    };
    let last = name_of(path);
    let count = path.segments.len();
    if let Some(state) = count.checked_sub(2).and_then(|at| named(&path.segments[at].ident)) {
        return match variant_of(state, last) {
            Some(variant) => Named::Variant(state, variant),
            None => Named::NoVariant(state),
        };
    }
    if let Some(state) = named(last) {
        return Named::State(state);
    }
    let mut found = (0..states.len()).filter_map(|state| Some((state, variant_of(state, last)?)));
    match (found.next().filter(|_| count == 1), found.next()) {
        (Some((first, _)), Some((second, _))) => Named::Ambiguous(first, second),
        (Some((state, variant)), None) => Named::Variant(state, variant),
        (None, _) => Named::Nothing,
    }
}

/// Whether the key of a system names states, not variants.
pub(crate) fn names_states(used: &StateUse) -> bool {
    used.key == "set_state"
}

impl Timing {
    /// What the system says. What its names do not stand for is left out.
    pub(super) fn of(item: &syntax::System, states: &[State]) -> Self {
        let mut this = Self {
            moment: match item.timing.first() {
                Some(("on_enter", _)) => Moment::Enter,
                Some(("on_exit", _)) => Moment::Exit,
                _ => Moment::During,
            },
            every: item.every.map_or(0, |(every, _)| every),
            ..Self::default()
        };
        for used in &item.states {
            match find(states, &used.path) {
                Named::State(state) if names_states(used) && !this.set.contains(&state) => {
                    this.set.push(state);
                }
                Named::Variant(state, variant)
                    if !names_states(used) && variant < MOST_VARIANTS =>
                {
                    let bit = 1 << variant;
                    match this.variants.iter_mut().find(|(other, _)| *other == state) {
                        Some((_, mask)) => *mask |= bit,
                        None => this.variants.push((state, bit)),
                    }
                }
                _ => {}
            }
        }
        this
    }
}
