//! A declaration written by hand that is generic over a type, like all of its parts: each part has an instance that is
//! a subtype of another one.
//!
//! A file of the generated crate.

use std::marker::PhantomData;
use std::sync::atomic::AtomicUsize;

use ecs_core::joins::{HasEventIndex, Index};
use ecs_core::scheduler::{Atomics, Dag, ExecuteError, ForkJoin, Outcome, Scheduler, StartNodes};
use ecs_core::settings::{Allow, Dynamic, Settings};
use ecs_core::signature::{ComponentSignature, ResourceSignature, SystemSignature};
use ecs_core::{Declaration, HasComponent, HasResource, SystemName};
use ecs_core::generated::{ResourceSink, SystemVisitor};
use ecs_core::generated::ContiguousBuffer;
use ecs_core::storage::{Metadata, StorageStrategy, Value};
use ecs_core::{Component, Data, Entity, Item, System};

/// A subtype of [`Sup`].
pub type Sub = for<'a> fn(&'a ());
/// A supertype of [`Sub`].
pub type Sup = fn(&'static ());

/// The bounds of all parameters.
pub trait Part: Send + Sync + 'static {}
impl<T: Send + Sync + 'static> Part for T {}

/// The declaration.
pub struct W<T>(PhantomData<T>);

impl<T: Part> Declaration for W<T> {
    type Settings = Set<()>;
    const NAME: &'static str = "W";
    const COMPONENTS: &'static [ComponentSignature] = &[];
    const RESOURCES: &'static [ResourceSignature] = &[];
    const SYSTEMS: &'static [SystemSignature] = &[];

    fn dispatch<V: SystemVisitor<Self>>(_: usize, visitor: V) -> V::Output {
        visitor.visit::<Name<()>>()
    }

    fn resources(_: &mut ResourceSink<'_, Self>) {}
}

impl<T: Part, C: ecs_core::Component> HasComponent<C> for W<T> {
    const INDEX: usize = 0;
    type Number = ();
    type Strategy = ContiguousBuffer;
}

impl<T: Part, R: Send + Sync + 'static> HasResource<R> for W<T> {
    const INDEX: usize = 0;
}

impl<T: Part, E: Send + Sync + 'static> HasEventIndex<E> for W<T> {
    type Form = ecs_core::generated::ByKey<E, ()>;

    fn form() -> Self::Form {
        ecs_core::generated::ByKey::of(|_| ())
    }
}

/// The name of a system.
pub struct Name<T>(PhantomData<T>);

/// The state of a system.
pub struct State<T>(PhantomData<T>);

impl<T: Part, U: Part> SystemName<W<T>> for Name<U> {
    const INDEX: usize = 0;
    type System = State<U>;
    type Output = ();
    type Parallelism = ecs_core::inner_parallelism::None;
    type Terms = Entity;
    type Entry<'a> = Entity;
    type CodegenUnit = ecs_core::generated::codegen_unit::U0;

    fn initial() -> State<U> {
        State(PhantomData)
    }

    fn entry<'a>(terms: Item<'a, Self::Terms, W<T>>) -> Self::Entry<'a> {
        terms
    }
}

impl<T: Part, U: Part> System<W<T>, Name<U>> for State<U> {
    fn process(&self, _: &mut Data<'_, W<T>, Name<U>>) {}
}

/// Settings.
pub struct Set<T>(PhantomData<T>);

impl<T: Part> Settings for Set<T> {
    type Limit = Dynamic<8>;
    type Inner = Allow;
    type Scheduler = Order<T>;
}

/// A scheduler.
pub struct Order<T>(PhantomData<T>);

impl<T: Part> Scheduler for Order<T> {
    fn new(_: &Dag) -> Self {
        Self(PhantomData)
    }

    fn execute<E: ForkJoin, F: Fn(usize) -> Outcome + Sync>(
        &mut self,
        _: StartNodes<'_>,
        _: &E,
        _: &F,
    ) -> Result<(), ExecuteError> {
        Ok(())
    }
}

/// A storage strategy.
pub struct Keep<T>(PhantomData<T>);

impl<T: Part, C: Component> StorageStrategy<C> for Keep<T> {
    type Metadata = ();

    fn new(_: usize) -> Self {
        Self(PhantomData)
    }

    fn insert(&mut self, _: usize, _: Value<C>, _: &mut Metadata<()>) {}

    fn get(&self, _: usize, _: &Metadata<()>) -> Option<&Value<C>> {
        None
    }

    fn remove(&mut self, _: usize, _: &mut Metadata<()>) -> Option<Value<C>> {
        None
    }
}

/// An index.
pub struct ByKey<T>(PhantomData<T>);

impl<T: Part> Index for ByKey<T> {
    type Entry<'a> = Entity;
    type Key = u8;

    fn key(&self, _: Entity) -> u8 {
        0
    }
}

/// Atomics.
pub struct Atoms<T>(PhantomData<T>);

impl<T: Part> Atomics for Atoms<T> {
    type Counter = AtomicUsize;
    type Slot = AtomicUsize;
}

/// A usual declaration, for the programs that must not compile.
pub mod nest {
    use ecs_core::{Data, Stream, System, world};

    /// A component in a buffer.
    pub struct Text(pub String);
    /// A component in external storage.
    pub struct Tag(pub String);
    /// A resource.
    #[derive(Default)]
    pub struct Log(pub Vec<String>);

    world! {
        pub world Nest {}
        component Text: contiguous_buffer;
        component Tag: sparse_set;
        resource Log;
        system Edit { write: [Text], output: Vec<String>, write_resources: [Log] }
        system Whole { exclusive, write: [Text, Tag], dependencies: [Edit] }
        system Act { sequential, write: [Text], read_any: [Tag], despawn, insert: [Tag], dependencies: [Whole] }
        system Send { read: [Text], output: Stream<String>, dependencies: [Act] }
        system Take { streams: [Send], dependencies: [Act] }
    }

    macro_rules! idle {
        ($($name:ident)*) => {$(
            #[derive(Default)]
            pub struct $name;
            impl System<Nest> for $name {
                fn process(&self, _: &mut Data<'_, Nest, Self>) {}
            }
        )*};
    }

    idle!(Edit Whole Act Send Take);
}
