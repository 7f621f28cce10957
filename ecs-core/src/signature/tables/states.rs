//! The states of a declaration: enums whose variants decide which systems run.

use core::fmt;

use ecs_rules::{MOST_VARIANTS, Moment};

use crate::signature::check::message::Message;
use crate::signature::{Declaration, SystemSignature, Tables};
use crate::types::{Brand, ThreadSafe};

/// Names a state and its variants.
#[derive(Clone, Copy, Debug)]
pub struct StateSignature {
    pub(crate) name: &'static str,
    pub(crate) variants: &'static [&'static str],
}

impl StateSignature {
    /// A state with these variants, in the order of [`States::VARIANTS`]. The first one is that of a new world.
    #[must_use]
    pub const fn new(name: &'static str, variants: &'static [&'static str]) -> Self {
        Self { name, variants }
    }
}

/// An enum that is a state of a world: `state Mode { Menu, Playing }` in a declaration writes it and implements this. An enum
/// of yours [derives](macro@crate::States) it ([ECS0138](crate::errors::ecs0138) is about types that cannot).
///
/// ```
/// use ecs_core::{States, World, world};
///
/// world! {
///     world Game;
///     state Mode { Menu, Playing, Paused }
/// }
///
/// assert_eq!(Mode::VARIANTS, [Mode::Menu, Mode::Playing, Mode::Paused]);
/// assert_eq!(World::<Game>::new().state::<Mode>(), Mode::Menu);
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0135] `{Self}` is not a state",
    label = "not a state",
    note = "`state Name {{ First, Second }}` in a declaration writes an enum that is one; `#[derive(States)]` makes one of an enum of yours"
)]
pub trait States: Copy + fmt::Debug + Eq + ThreadSafe {
    /// All variants. The first one is that of a new world.
    const VARIANTS: &'static [Self];

    /// The position of this one among them.
    #[must_use]
    fn position(self) -> usize {
        Self::VARIANTS.iter().position(|variant| *variant == self).unwrap_or(usize::MAX)
    }
}

/// The declaration has the state `M`.
///
/// ```
/// use ecs_core::settings::Settings;
/// use ecs_core::{HasState, World, world};
///
/// world! {
///     world Game;
///     state Mode { Menu, Playing }
/// }
///
/// fn start<D: HasState<Mode>, S: Settings>(world: &mut World<D, S>) {
///     world.set_state(Mode::Playing);
/// }
///
/// let mut world = World::<Game>::new();
/// start(&mut world);
/// world.tick()?;
/// assert_eq!(world.state::<Mode>(), Mode::Playing);
/// # Ok::<_, ecs_core::StepError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0135] `{M}` is not a state of the world `{Self}`",
    label = "unknown state",
    note = "add `state {M} {{ … }}` with its variants to the declaration of `{Self}`"
)]
pub trait HasState<M: States>: Declaration {
    /// The state's position in `Declaration::STATES`.
    const INDEX: usize;
}

/// A state of the declaration `D`: [`HasState`], the other way round. Methods ask for it, so that messages name the state.
///
/// ```
/// use ecs_core::{Declaration, StateOf, World, world};
///
/// world! {
///     world Game;
///     state Mode { Menu, Playing }
/// }
///
/// fn is_first<D: Declaration, M: StateOf<D>>(world: &World<D>) -> bool {
///     world.state::<M>() == M::VARIANTS[0]
/// }
///
/// assert!(is_first::<Game, Mode>(&World::new()));
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0135] `{Self}` is not a state of the world `{D}`",
    label = "unknown state",
    note = "add `state {Self} {{ … }}` with its variants to the declaration of `{D}`"
)]
pub trait StateOf<D: Declaration>: States {
    /// The state's position in `Declaration::STATES`.
    #[doc(hidden)]
    const INDEX: usize;
}

#[diagnostic::do_not_recommend]
impl<M: States, D: HasState<M>> StateOf<D> for M {
    const INDEX: usize = <D as HasState<M>>::INDEX;
}

/// The variants of an enum for the check of a list of them. An enum that is no state has none here, as that is an error already.
#[doc(hidden)]
#[derive(Debug)]
pub struct VariantsOf<M>(Brand<M>);

impl<M: States> VariantsOf<M> {
    /// All variants. `rustc` finds this constant before that of [`NoState`].
    pub const ALL: &'static [M] = M::VARIANTS;
}

/// Has the variants of an enum that is no state.
#[doc(hidden)]
pub trait NoState<M: 'static> {
    /// None.
    const ALL: &'static [M] = &[];
}

impl<M: 'static> NoState<M> for VariantsOf<M> {}

/// Fails to evaluate if a declaration does not list the variants of an enum that it takes for a state, or in another order.
///
/// # Panics
/// Then, with ECS0139.
pub const fn check_variants(state: &str, are_all: bool) {
    if !are_all {
        Message::new()
            .text("[ECS0139] the state `")
            .text(state)
            .text("` lists other variants than its enum has, or in another order\nhelp: list all variants of the enum, in its order; the first one is that of a new world")
            .raise();
    }
}

/// Whether a system runs in some executions only: it has a condition, depends on a state, or runs in each n-th execution.
pub(crate) const fn is_conditional(system: &SystemSignature) -> bool {
    let declared = &system.declared;
    !declared.run_if.is_empty()
        || !declared.states.is_empty()
        || declared.every > 0
        || !matches!(declared.moment, Moment::During)
}

/// Whether there is such a system.
pub(crate) const fn any_conditional(systems: &[SystemSignature]) -> bool {
    for_each!(s < systems.len(), {
        if is_conditional(&systems[s]) {
            return true;
        }
    });
    false
}

/// Whether a system runs in each n-th execution.
pub(crate) const fn any_every(systems: &[SystemSignature]) -> bool {
    for_each!(s < systems.len(), {
        if systems[s].declared.every > 0 {
            return true;
        }
    });
    false
}

/// Fails to evaluate if a system that runs when a variant is entered or left is an end of a stream. The other end would run
/// with it.
///
/// # Panics
/// Then, with ECS0136.
pub(crate) const fn check_streams(tables: Tables<'_>) {
    for_each!(s < tables.systems.len(), {
        let streams = tables.systems[s].declared.streams;
        for_each!(i < streams.len(), {
            let ends = [&tables.systems[s], &tables.systems[streams[i]]];
            for_each!(end < ends.len(), {
                if !matches!(ends[end].declared.moment, Moment::During) {
                    Message::new()
                        .text("[ECS0136] the system `")
                        .text(ends[end].name)
                        .text("` runs when a state changes, and is an end of a stream, whose other end would run with it\nhelp: let the stream be an output that is a `Vec`, or declare `in` in place of `on_enter` or `on_exit`")
                        .raise();
                }
            });
        });
    });
}

/// Fails to evaluate if a state has no variants or too many, or if a system names states or variants that do not exist.
///
/// # Panics
/// Then, with ECS0136.
pub(crate) const fn check<D: Declaration>() {
    for_each!(state < D::STATES.len(), {
        let count = D::STATES[state].variants.len();
        assert!(
            0 < count && count <= MOST_VARIANTS,
            "[ECS0136] a state has at least one variant, and at most 64"
        );
    });
    for_each!(s < D::SYSTEMS.len(), {
        let declared = &D::SYSTEMS[s].declared;
        for_each!(i < declared.states.len(), {
            let (state, mask) = declared.states[i];
            assert!(state < D::STATES.len(), "[ECS0136] the index of a state is out of range");
            let all = u64::MAX >> (MOST_VARIANTS - D::STATES[state].variants.len());
            assert!(
                mask != 0 && mask & !all == 0,
                "[ECS0136] a system names variants that its state does not have"
            );
        });
        for_each!(i < declared.set_states.len(), {
            assert!(
                declared.set_states[i] < D::STATES.len(),
                "[ECS0136] the index of a state is out of range"
            );
        });
    });
}
