//! Systems without work.

use super::{frame, two_threads};
use crate::rows::{Contender, Form, Summary, idiomatic, other, steady};
use ecs_core::settings::Settings;
use ecs_core::{Data, Declaration, System, SystemName, Threads, World, world};
use std::hint::black_box;

/// A system without entities, for every name.
#[derive(Default)]
pub(super) struct Nothing;

impl<D: Declaration, N: SystemName<D>> System<D, N> for Nothing {
    fn process(&self, _: &mut Data<'_, D, N>) {
        black_box(());
    }
}

/// Declares a world with systems of the given names: a chain if there is an arrow, unordered otherwise.
macro_rules! empty {
    ($world:ident: $($name:ident)*) => {
        world! {
            /// Unordered systems.
            pub(super) world $world;
            $(system $name: Nothing;)*
        }
    };
    ($world:ident -> $first:ident $($rest:ident)*) => {
        empty! { @ $world [system $first: Nothing;] $first $($rest)* }
    };
    (@ $world:ident [$($done:tt)*] $before:ident $name:ident $($rest:ident)*) => {
        empty! {
            @ $world [$($done)* system $name: Nothing { dependencies: [$before] }] $name $($rest)*
        }
    };
    (@ $world:ident [$($done:tt)*] $last:ident) => {
        world! {
            /// A chain of systems.
            pub(super) world $world;
            $($done)*
        }
    };
}

/// Passes the names of 10 or 50 systems to `empty!`, after the other arguments.
macro_rules! with_names {
    (10, $($before:tt)*) => { empty! { $($before)* S0 S1 S2 S3 S4 S5 S6 S7 S8 S9 } };
    (50, $($before:tt)*) => {
        empty! {
            $($before)*
            S0 S1 S2 S3 S4 S5 S6 S7 S8 S9 S10 S11 S12 S13 S14 S15 S16 S17 S18 S19 S20 S21 S22 S23 S24
            S25 S26 S27 S28 S29 S30 S31 S32 S33 S34 S35 S36 S37 S38 S39 S40 S41 S42 S43 S44 S45 S46
            S47 S48 S49
        }
    };
}

mod ten {
    use super::{Nothing, world};
    with_names!(10, Independent:);
}

mod ten_chained {
    use super::{Nothing, world};
    with_names!(10, Chained ->);
}

mod fifty {
    use super::{Nothing, world};
    with_names!(50, Independent:);
}

mod fifty_chained {
    use super::{Nothing, world};
    with_names!(50, Chained ->);
}

fn steadily<D: Declaration<Settings: Settings>>(threads: Threads) -> impl Contender {
    steady(World::<D>::on(threads), frame, |_| Summary::default())
}

fn forms<D: Declaration<Settings: Settings> + 'static>() -> Vec<Form> {
    vec![
        idiomatic("tick", || steadily::<D>(Threads::Global)),
        other("tick, 1 thread", || steadily::<D>(Threads::Inline)),
        other("tick, 2 threads", || steadily::<D>(two_threads())),
    ]
}

pub(super) fn independent(systems: usize) -> Vec<Form> {
    if systems == 10 { forms::<ten::Independent>() } else { forms::<fifty::Independent>() }
}

pub(super) fn chained(systems: usize) -> Vec<Form> {
    if systems == 10 { forms::<ten_chained::Chained>() } else { forms::<fifty_chained::Chained>() }
}
