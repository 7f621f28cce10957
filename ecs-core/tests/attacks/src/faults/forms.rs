//! The parts of programs: iterators, systems, and macros that read worlds.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs_core::overrides::ForSubtasks;
use ecs_core::scheduler::Payload;
use ecs_core::{Data, StateHash};
use ecs_core::{Declaration, SystemName};

use super::{Fault, Role, Tracked, places};

/// The identity of an entity. It is not tracked and never panics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, StateHash)]
pub struct Tag(pub u64);

impl Tag {
    /// The number.
    #[must_use]
    pub fn get(&self) -> u64 {
        self.0
    }
}

/// An iterator whose calls and drop may panic.
#[derive(Debug)]
pub struct Counting<I> {
    iter: I,
    tracked: Tracked,
}

impl<I> Counting<I> {
    /// The same iterator.
    #[must_use]
    pub fn new(fault: &Fault, iter: I) -> Self {
        Self { iter, tracked: Tracked::new(fault, &Role::ITERATOR, 0) }
    }

    /// The same iterator as the result of [`into_iter`](IntoIterator::into_iter), which may also panic.
    #[must_use]
    pub const fn later(self) -> Later<I> {
        Later(self)
    }
}

impl<I: Iterator> Iterator for Counting<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        self.tracked.fault().point(places::NEXT);
        self.iter.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.tracked.fault().point(places::SIZE_HINT);
        self.iter.size_hint()
    }
}

/// Becomes a [`Counting`] iterator by [`into_iter`](IntoIterator::into_iter).
#[derive(Debug)]
pub struct Later<I>(Counting<I>);

impl<I: Iterator> IntoIterator for Later<I> {
    type Item = I::Item;
    type IntoIter = Counting<I>;

    fn into_iter(self) -> Counting<I> {
        self.0.tracked.fault().point(places::INTO_ITER);
        self.0
    }
}

/// Caught panics, which are kept until nothing can panic any more.
#[derive(Debug, Default)]
pub struct Caught(Vec<Payload>);

impl Caught {
    /// Calls `f`, and keeps its panic. Returns whether `f` has returned.
    pub fn run(&mut self, f: impl FnOnce()) -> bool {
        let result = catch_unwind(AssertUnwindSafe(f));
        let is_over = result.is_ok();
        self.0.extend(result.err());
        is_over
    }

    /// Drops the caught panics.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

/// The body of systems that do nothing.
#[derive(Clone, Copy, Debug)]
pub struct Idle;

impl<D: Declaration, N: SystemName<D>> ForSubtasks<D, N> for Idle {
    fn process(&self, _: &N::System, _: &mut Data<'_, D, N>) {}
}

/// Systems that do nothing, to observe the entities that they are subscribed to.
#[macro_export]
macro_rules! idle_systems {
    ($world:ident; $($system:ident),*) => {$(
        #[derive(Clone, Debug, Default, ecs_core::StateHash)]
        pub(crate) struct $system;

        impl ecs_core::System<$world> for $system {
            fn process(&self, _: &mut ecs_core::Data<'_, $world, Self>) {}
        }
    )*};
}

/// The values of all entities, in an order that depends only on the values.
#[macro_export]
macro_rules! rows {
    ($world:expr; $($component:ident),*) => {{
        let world = &$world;
        let mut rows: Vec<Vec<Option<u64>>> = Vec::new();
        world.for_each::<ecs_core::Entity>(|entity| {
            rows.push(vec![$(world.get::<$component>(entity).map(|one| one.get())),*]);
        });
        rows.sort_unstable();
        rows
    }};
}

/// Asserts that systems see the expected entities: those with the first components and without the second ones.
#[macro_export]
macro_rules! assert_subscribed {
    ($world:expr; $($system:ident: [$($with:ident),*] [$($without:ident),*];)*) => {$({
        let world = &mut $world;
        let mut expected = std::collections::BTreeSet::new();
        world.for_each::<ecs_core::Entity>(|entity| {
            if true $(&& world.get::<$with>(entity).is_some())*
                $(&& world.get::<$without>(entity).is_none())*
            {
                expected.insert(entity);
            }
        });
        let seen = std::sync::Mutex::new(std::collections::BTreeSet::new());
        let look = world.step(|step| {
            step.execute_systems_from::<($system,)>()
                .for_subtasks::<$system>(|_, data| {
                    data.for_all_entities(|entity| {
                        seen.lock().unwrap().insert(entity);
                    });
                })
                .remaining()
                .for_subtasks($crate::faults::Idle)
                .run();
        });
        look.expect("nothing is done");
        assert_eq!(seen.into_inner().unwrap(), expected, "{}", stringify!($system));
    })*};
}
