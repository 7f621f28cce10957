//! Incorrect declarations, as far as they are detected at run time only: they panic, or nothing unsound
//! happens. What does not compile is in `ui/compiler/hand_written*`.

mod impls;
mod tables;

use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs_core::generated::{ContiguousBuffer, External};
use ecs_core::generated::{ResourceSink, SystemVisitor, no_such_system};
use ecs_core::inner_parallelism::{self, Strategy};
use ecs_core::settings::{Allow, AtomicCounter, Config, Dynamic};
use ecs_core::signature::{ComponentSignature, ResourceSignature, SystemSignature};
use ecs_core::storage::HashMapStorage;
use ecs_core::{Data, Entity, Item, System, World};
use ecs_core::{Declaration, HasComponent, HasResource, SystemName};

struct Position(i32);
struct Velocity(i32);
struct Score(u32);

/// The message that a call panics with.
pub(crate) fn panic_of<R>(f: impl FnOnce() -> R) -> String {
    let Err(payload) = catch_unwind(AssertUnwindSafe(f)) else { panic!("it did not panic") };
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => {
            payload.downcast_ref::<&str>().map_or_else(String::new, |text| (*text).into())
        }
    }
}

/// A declaration with one column, `Position`. The case gives the rest.
macro_rules! declaration {
    ($W:ident, $settings:ty, $resources:expr, $systems:expr, |$index:ident, $visitor:ident| $visit:expr, |$sink:ident| $put:expr) => {
        struct $W;

        impl Declaration for $W {
            type Settings = $settings;
            const NAME: &'static str = stringify!($W);
            const COMPONENTS: &'static [ComponentSignature] =
                &[ComponentSignature::new::<Position>("Position", 0)];
            const RESOURCES: &'static [ResourceSignature] = $resources;
            const SYSTEMS: &'static [SystemSignature] = $systems;

            fn dispatch<V: SystemVisitor<Self>>($index: usize, $visitor: V) -> V::Output {
                $visit
            }

            fn resources($sink: &mut ResourceSink<'_, Self>) {
                $put
            }
        }

        impl HasComponent<Position> for $W {
            const INDEX: usize = 0;
            type Number = ();
            type Strategy = ContiguousBuffer;
        }
    };
}

/// A system that adds 1 to each position.
macro_rules! system {
    ($W:ident, $N:ident, $index:expr, $parallelism:ty) => {
        struct $N;

        impl SystemName<$W> for $N {
            const INDEX: usize = $index;
            type System = Self;
            type Output = ();
            type Parallelism = $parallelism;
            type Terms = (Entity, &'static mut Position);
            type Entry<'a> = &'a mut Position;
            type CodegenUnit = ecs_core::generated::codegen_unit::U0;

            fn initial() -> Self {
                Self
            }

            fn entry<'a>((_, position): Item<'a, Self::Terms, $W>) -> &'a mut Position {
                position
            }
        }

        impl System<$W> for $N {
            fn process(&self, data: &mut Data<'_, $W, Self>) {
                data.own.for_entities(|position| position.0 += 1);
            }
        }
    };
}

type Usual = Config<Dynamic<8>, Allow, AtomicCounter>;

#[test]
fn one_column_is_not_shown_as_two() {
    declaration!(W, Usual, &[], &[], |index, _visitor| no_such_system(index), |_sink| ());
    impl HasComponent<Velocity> for W {
        const INDEX: usize = 0;
        type Number = ();
        type Strategy = ContiguousBuffer;
    }
    let mut world = World::<W>::new();
    let panic = panic_of(|| world.step(|step| step.spawn((Velocity(1),))));
    assert_eq!(panic, "the declaration gives a component another's index");
    let entity = world.step(|step| step.spawn((Position(1),))).unwrap();
    assert_eq!(world.get::<Position>(entity).unwrap().0, 1);
    let panic = panic_of(|| world.get::<Velocity>(entity).map(|velocity| velocity.0));
    assert_eq!(panic, "the declaration gives a component another's index");
    let panic = panic_of(|| world.iter::<(&Position, &Velocity)>().for_each(|_| {}));
    assert_eq!(panic, "the declaration gives a component another's index");
}

#[test]
fn a_storage_strategy_that_is_not_the_one_of_the_table() {
    struct W;

    impl Declaration for W {
        type Settings = Usual;
        const NAME: &'static str = "W";
        const COMPONENTS: &'static [ComponentSignature] = &[
            ComponentSignature::new::<Position>("Position", 0),
            ComponentSignature::external::<Self, Velocity>("Velocity"),
        ];
        const RESOURCES: &'static [ResourceSignature] = &[];
        const SYSTEMS: &'static [SystemSignature] = &[];

        fn dispatch<V: SystemVisitor<Self>>(index: usize, _: V) -> V::Output {
            no_such_system(index)
        }

        fn resources(_: &mut ResourceSink<'_, Self>) {}
    }

    impl HasComponent<Position> for W {
        const INDEX: usize = 0;
        type Number = ();
        type Strategy = External<HashMapStorage<Position>>;
    }

    // A buffer as the strategy of this component would not compile.
    impl HasComponent<Velocity> for W {
        const INDEX: usize = 1;
        type Number = ((), ());
        type Strategy = External<HashMapStorage<Velocity>>;
    }

    let lies = "the declaration gives a component another's storage strategy";
    let mut world = World::<W>::new();
    assert_eq!(panic_of(|| world.step(|step| step.spawn((Position(1),)))), lies);
    let entity = world.step(|step| step.spawn((Velocity(1),))).unwrap();
    assert_eq!(world.get::<Velocity>(entity).map(|velocity| velocity.0), Some(1));
    assert_eq!(panic_of(|| world.iter::<(&Position,)>().for_each(|_| {})), lies);
}

#[test]
fn two_names_with_one_index_never_have_a_proxy() {
    declaration!(
        W,
        Usual,
        &[],
        &[SystemSignature::new::<Self, First>("First").write(&[0])],
        |index, visitor| if index == 0 { visitor.visit::<First>() } else { no_such_system(index) },
        |_sink| ()
    );
    system!(W, First, 0, inner_parallelism::None);
    system!(W, Second, 0, inner_parallelism::None);
    let mut world = World::<W>::new();
    let entity = world.step(|step| step.spawn((Position(1),))).unwrap();
    let panic = panic_of(|| {
        world.step(|step| {
            step.execute_with(|systems| {
                systems.for_subtasks::<Second>(|_, data| data.own.for_entities(|_| {}))
            });
        })
    });
    assert!(panic.contains("by the index 0, which is another system's"), "{panic}");
    let panic = panic_of(|| world.system::<Second>());
    assert!(panic.contains("by the index 0, which is another system's"), "{panic}");
    world.tick().unwrap();
    assert_eq!(world.get::<Position>(entity).unwrap().0, 2);
}

#[test]
fn a_dispatch_to_another_system_panics() {
    declaration!(
        W,
        Usual,
        &[],
        &[
            SystemSignature::new::<Self, First>("First").write(&[0]),
            SystemSignature::new::<Self, Second>("Second").write(&[0]).after(&[0]),
        ],
        |_index, visitor| visitor.visit::<First>(),
        |_sink| ()
    );
    system!(W, First, 0, inner_parallelism::None);
    system!(W, Second, 1, inner_parallelism::None);
    let panic = panic_of(World::<W>::new);
    assert!(panic.contains("by the index 1, which is another system's"), "{panic}");
}

#[test]
fn resources_that_are_left_out_or_of_another_type() {
    const TABLE: &[ResourceSignature] = &[ResourceSignature::new::<Score>("Score")];
    declaration!(W, Usual, TABLE, &[], |index, _visitor| no_such_system(index), |_sink| ());
    assert_eq!(panic_of(World::<W>::new), "the resource `Score` got no initial value");

    declaration!(Other, Usual, TABLE, &[], |index, _visitor| no_such_system(index), |sink| sink
        .put::<u64>(7));
    impl HasResource<u64> for Other {
        const INDEX: usize = 0;
    }
    impl HasResource<Score> for Other {
        const INDEX: usize = 0;
    }
    let world = World::<Other>::new();
    assert_eq!(*world.resource::<u64>(), 7);
    let panic = panic_of(|| world.resource::<Score>().0);
    assert_eq!(panic, "the declaration gives an index to two types");
}

#[test]
fn a_strategy_of_nonsense_does_no_harm() {
    struct Nonsense;
    impl Strategy for Nonsense {
        fn subtasks(entities: usize, _: usize) -> usize {
            if entities.is_multiple_of(2) { usize::MAX } else { 0 }
        }
    }
    declaration!(
        W,
        Usual,
        &[],
        &[SystemSignature::new::<Self, Only>("Only").write(&[0])],
        |_index, visitor| visitor.visit::<Only>(),
        |_sink| ()
    );
    system!(W, Only, 0, Nonsense);
    let mut world = World::<W>::new();
    for count in [1, 2, 3, 1000, 1001] {
        world
            .step(|step| {
                while step.entity_count() < count {
                    step.spawn((Position(0),));
                }
            })
            .unwrap();
        world.tick().unwrap();
    }
    let mut sum = 0;
    world.iter::<&Position>().for_each(|position| sum += position.0);
    assert_eq!(sum, 1 + 2 + 3 + 1000 + 1001);
}
