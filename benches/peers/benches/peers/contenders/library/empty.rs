//! Systems without work.

use super::{frame, two_threads};
use crate::data::nothing;
use crate::rows::{Contender, Form, Summary, idiomatic, other, steady};
use ecs_core::settings::Settings;
use ecs_core::{Data, Declaration, System, SystemName, Threads, World, world};

/// A system without entities, for every name.
#[derive(Default)]
pub(super) struct Nothing<const SYSTEM: usize>;

impl<D: Declaration, N: SystemName<D>, const SYSTEM: usize> System<D, N> for Nothing<SYSTEM> {
    fn process(&self, _: &mut Data<'_, D, N>) {
        nothing::<SYSTEM>();
    }
}

/// Declares a world with systems of the given names: a chain if there is an arrow, unordered otherwise.
macro_rules! empty {
    ($world:ident: $($name:ident = $number:literal)*) => {
        world! {
            /// Unordered systems.
            pub(super) world $world;
            $(system $name: Nothing<$number>;)*
        }
    };
    ($world:ident -> $first:ident = $number:literal $($rest:tt)*) => {
        empty! { @ $world [system $first: Nothing<$number>;] $first $($rest)* }
    };
    (@ $world:ident [$($done:tt)*] $before:ident $name:ident = $number:literal $($rest:tt)*) => {
        empty! {
            @ $world [$($done)* system $name: Nothing<$number> { dependencies: [$before] }] $name $($rest)*
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
    (10, $($before:tt)*) => { empty! { $($before)* S0 = 0 S1 = 1 S2 = 2 S3 = 3 S4 = 4 S5 = 5 S6 = 6 S7 = 7 S8 = 8 S9 = 9 } };
    (50, $($before:tt)*) => {
        empty! {
            $($before)*
            S0 = 0 S1 = 1 S2 = 2 S3 = 3 S4 = 4 S5 = 5 S6 = 6 S7 = 7 S8 = 8 S9 = 9 S10 = 10 S11 = 11 S12 = 12 S13 = 13 S14 = 14 S15 = 15 S16 = 16 S17 = 17 S18 = 18 S19 = 19 S20 = 20 S21 = 21 S22 = 22 S23 = 23 S24 = 24
            S25 = 25 S26 = 26 S27 = 27 S28 = 28 S29 = 29 S30 = 30 S31 = 31 S32 = 32 S33 = 33 S34 = 34 S35 = 35 S36 = 36 S37 = 37 S38 = 38 S39 = 39 S40 = 40 S41 = 41 S42 = 42 S43 = 43 S44 = 44 S45 = 45 S46 = 46
            S47 = 47 S48 = 48 S49 = 49
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
