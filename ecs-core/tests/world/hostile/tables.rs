//! Incorrect tables, and code that relies on them: nothing unsound happens. What does not compile is in
//! `ui/compiler/hand_written*`.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use ecs_core::access::{Despawns, WritesResource};
use ecs_core::generated::{ResourceSink, SystemVisitor, no_such_system};
use ecs_core::inner_parallelism::{self, SplitEvenly, Strategy};
use ecs_core::settings::{Allow, AtomicCounter, Config, Dynamic};
use ecs_core::signature::{ComponentSignature, ResourceSignature, SystemSignature};
use ecs_core::{Data, Entity, Item, System, World};
use ecs_core::{Declaration, HasComponent, HasResource, SystemName};

use super::panic_of;

struct Position(i32);
struct Velocity(i32);
struct Score(u32);

type Usual = Config<Dynamic<8>, Allow, AtomicCounter>;

/// A declaration with the given tables. All declarations name their systems `A` and `B`.
macro_rules! tables {
    ($W:ident: [$($component:expr),*], [$($resource:expr),*], [$($system:expr),*]) => {
        struct $W;

        impl Declaration for $W {
            type Settings = Usual;
            const NAME: &'static str = stringify!($W);
            const COMPONENTS: &'static [ComponentSignature] = &[$($component),*];
            const RESOURCES: &'static [ResourceSignature] = &[$($resource),*];
            const SYSTEMS: &'static [SystemSignature] = &[$($system),*];

            fn dispatch<V: SystemVisitor<Self>>(index: usize, visitor: V) -> V::Output {
                match index {
                    0 => visitor.visit::<A>(),
                    1 => visitor.visit::<B>(),
                    _ => no_such_system(index),
                }
            }

            fn resources(sink: &mut ResourceSink<'_, Self>) {
                sink.put(Score(0));
            }
        }

        impl HasResource<Score> for $W {
            const INDEX: usize = 0;
        }
    };
}

/// The system `$N` of `$W`, which applies `$body` to each of its terms.
macro_rules! named {
    ($W:ty, $N:ident $index:literal, $parallelism:ty, $terms:ty, |$data:ident| $body:expr) => {
        impl SystemName<$W> for $N {
            const INDEX: usize = $index;
            type System = Self;
            type Output = ();
            type Parallelism = $parallelism;
            type Terms = $terms;
            type Entry<'a> = Item<'a, $terms, $W>;
            type CodegenUnit = ecs_core::generated::codegen_unit::U0;

            fn initial() -> Self {
                Self
            }

            fn entry<'a>(terms: Item<'a, $terms, $W>) -> Item<'a, $terms, $W> {
                terms
            }
        }

        impl System<$W> for $N {
            fn process(&self, $data: &mut Data<'_, $W, Self>) {
                $body
            }
        }
    };
}

const fn position(buffer: usize) -> ComponentSignature {
    ComponentSignature::new::<Position>("Position", buffer)
}

const fn velocity(buffer: usize) -> ComponentSignature {
    ComponentSignature::new::<Velocity>("Velocity", buffer)
}

const SCORE: ResourceSignature = ResourceSignature::new::<Score>("Score");

/// A world with `count` entities that have a position and a velocity.
fn filled<D>(count: i32) -> World<D>
where
    D: Declaration<Settings = Usual> + HasComponent<Position> + HasComponent<Velocity>,
{
    let mut world = World::<D>::new();
    world
        .step(|step| {
            for n in 0..count {
                step.spawn((Position(n), Velocity(1)));
            }
        })
        .unwrap();
    world
}

fn positions<D: HasComponent<Position>>(world: &World<D, D::Settings>) -> Vec<i32> {
    let mut found = Vec::new();
    for position in world.iter::<&Position>() {
        found.push(position.0);
    }
    found
}

/// Claims to make one subtask, and makes many.
struct SaysOne;

impl Strategy for SaysOne {
    const SINGLE_SUBTASK: bool = true;

    fn subtasks(_: usize, _: usize) -> usize {
        64
    }
}

#[test]
fn who_claims_one_subtask_has_one() {
    struct A;
    struct B;
    struct Other;
    impl Declaration for Other {
        type Settings = Usual;
        const NAME: &'static str = "Other";
        const COMPONENTS: &'static [ComponentSignature] = &[position(0)];
        const RESOURCES: &'static [ResourceSignature] = &[];
        const SYSTEMS: &'static [SystemSignature] = &[];

        fn dispatch<V: SystemVisitor<Self>>(index: usize, _: V) -> V::Output {
            no_such_system(index)
        }

        fn resources(_: &mut ResourceSink<'_, Self>) {}
    }
    // `A` makes the false claim by its strategy, `B` by its signature in another declaration.
    tables!(W: [position(0), velocity(1)], [SCORE], [
        SystemSignature::new::<Self, A>("A").read(&[0]).write_resources(&[0]),
        SystemSignature::new::<Other, B>("B").read(&[0]).write_resources(&[0]).after(&[0])
    ]);
    impl HasComponent<Position> for W {
        const INDEX: usize = 0;
        type Number = ();
        type Strategy = ecs_core::generated::ContiguousBuffer;
    }
    impl HasComponent<Velocity> for W {
        const INDEX: usize = 1;
        type Number = ((), ());
        type Strategy = ecs_core::generated::ContiguousBuffer;
    }
    impl WritesResource<Score, W> for A {}
    impl WritesResource<Score, W> for B {}
    named!(W, A 0, SaysOne, Entity, |data| data.resources.get_mut::<Score>().0 += 1);
    named!(W, B 1, SplitEvenly<64>, Entity, |data| data.resources.get_mut::<Score>().0 += 100);
    named!(Other, B 0, inner_parallelism::None, Entity, |_data| ());
    let mut world = filled::<W>(10_000);
    world.tick().unwrap();
    assert_eq!(world.resource::<Score>().0, 101);
}

#[test]
fn what_is_listed_again_counts_once() {
    struct A;
    struct B;
    tables!(W: [position(0), velocity(1)], [SCORE], [
        SystemSignature::new::<Self, A>("A").read(&[1, 1]).write(&[0, 0]).with(&[0, 0, 1]),
        SystemSignature::new::<Self, B>("B").write(&[0, 0]).after(&[0, 0]).inputs(&[0, 0])
    ]);
    impl HasComponent<Position> for W {
        const INDEX: usize = 0;
        type Number = ();
        type Strategy = ecs_core::generated::ContiguousBuffer;
    }
    impl HasComponent<Velocity> for W {
        const INDEX: usize = 1;
        type Number = ((), ());
        type Strategy = ecs_core::generated::ContiguousBuffer;
    }
    named!(W, A 0, SplitEvenly<4>, (&'static mut Position, &'static Velocity), |data| data
        .own.for_entities(|(position, velocity)| position.0 += velocity.0));
    named!(W, B 1, SplitEvenly<4>, &'static mut Position, |data| data
        .own.for_entities(|position| position.0 *= 2));
    let mut world = filled::<W>(1000);
    world.tick().unwrap();
    assert_eq!(positions(&world), (0..1000).map(|n| (n + 1) * 2).collect::<Vec<_>>());
}

#[test]
fn buffers_in_any_order_and_one_type_in_two_of_them() {
    struct A;
    struct B;
    tables!(W: [position(2), velocity(3), position(3), ComponentSignature::new::<u8>("u8", 2)],
    [SCORE], [
        SystemSignature::new::<Self, A>("A").read(&[1]).write(&[2]).without(&[0]),
        SystemSignature::new::<Self, B>("B").with(&[0]).without(&[0]).write(&[2])
    ]);
    impl HasComponent<Position> for W {
        const INDEX: usize = 2;
        type Number = (((), ()),);
        type Strategy = ecs_core::generated::ContiguousBuffer;
    }
    impl HasComponent<Velocity> for W {
        const INDEX: usize = 1;
        type Number = ((), ());
        type Strategy = ecs_core::generated::ContiguousBuffer;
    }
    impl HasComponent<u8> for W {
        const INDEX: usize = 3;
        type Number = (((), ()), ());
        type Strategy = ecs_core::generated::ContiguousBuffer;
    }
    named!(W, A 0, SplitEvenly<4>, (&'static mut Position, &'static Velocity), |data| data
        .own.for_entities(|(position, velocity)| position.0 += velocity.0));
    // The system contradicts itself: it excludes a component that it requires.
    named!(W, B 1, SplitEvenly<4>, &'static mut Position, |data| data
        .own.for_entities(|position| position.0 = -1));
    let mut world = filled::<W>(1000);
    let marked = world.step(|step| step.spawn((7_u8, Position(5)))).unwrap();
    world.tick().unwrap();
    assert_eq!(positions(&world), (1..=1000).chain([5]).collect::<Vec<_>>());
    assert_eq!(world.get::<u8>(marked), Some(&7));
}

#[test]
fn a_dispatch_that_changes_its_mind() {
    static LIES: AtomicBool = AtomicBool::new(false);
    struct A;
    struct B;
    struct W;
    impl Declaration for W {
        type Settings = Usual;
        const NAME: &'static str = "W";
        const COMPONENTS: &'static [ComponentSignature] = &[position(0), velocity(1)];
        const RESOURCES: &'static [ResourceSignature] = &[];
        const SYSTEMS: &'static [SystemSignature] = &[
            SystemSignature::new::<Self, A>("A").write(&[0]).despawn(),
            SystemSignature::new::<Self, B>("B").write(&[1]).despawn(),
        ];

        fn dispatch<V: SystemVisitor<Self>>(index: usize, visitor: V) -> V::Output {
            if (index == 0) == LIES.load(Relaxed) {
                visitor.visit::<B>()
            } else {
                visitor.visit::<A>()
            }
        }

        fn resources(_: &mut ResourceSink<'_, Self>) {}
    }
    impl HasComponent<Position> for W {
        const INDEX: usize = 0;
        type Number = ();
        type Strategy = ecs_core::generated::ContiguousBuffer;
    }
    impl HasComponent<Velocity> for W {
        const INDEX: usize = 1;
        type Number = ((), ());
        type Strategy = ecs_core::generated::ContiguousBuffer;
    }
    impl Despawns<W> for A {}
    named!(W, A 0, SplitEvenly<4>, (Entity, &'static mut Position), |data| {
        let Data { own, effects, .. } = data;
        own.for_entities(|(entity, position)| {
            position.0 += 1;
            effects.despawn(entity);
        });
    });
    named!(W, B 1, SplitEvenly<4>, &'static mut Velocity, |data| data
        .own.for_entities(|velocity| velocity.0 += 1));
    let mut world = filled::<W>(500);
    LIES.store(true, Relaxed);
    let panic = panic_of(World::<W>::new);
    assert!(panic.contains("which is another system's"), "{panic}");
    // How the systems are executed was determined when the world was made. The refresh applies staged changes
    // of systems in any order.
    assert!(world.tick().is_ok());
    assert_eq!(world.entity_count(), 0);
}
