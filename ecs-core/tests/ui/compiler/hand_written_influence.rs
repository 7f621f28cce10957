//! Tables written by hand: two unordered systems that change one component, one that defers functions beside
//! a writer where refreshes come between, several subtasks of an exclusive system, and updates beside
//! insertions.

use ecs_core::inner_parallelism::{None, SplitEvenly};
use ecs_core::settings::{Allow, AtomicCounter, Config, Dynamic};
use ecs_core::signature::{ComponentSignature, ResourceSignature, StagedChanges, SystemSignature};
use ecs_core::{Declaration, HasComponent, SystemName};
use ecs_core::generated::{ResourceSink, SystemVisitor, no_such_system};
use ecs_core::{Data, Entity, Item, System, World};

struct Position(f32);

macro_rules! world {
    ($W:ident $S:ident $T:ident: $rule:ident, $parallelism:ty, [$($system:expr),*]) => {
        struct $W;
        struct $S;
        struct $T;

        impl Declaration for $W {
            type Settings = Config<Dynamic<8>, Allow, AtomicCounter>;
            const NAME: &'static str = stringify!($W);
            const COMPONENTS: &'static [ComponentSignature] =
                &[ComponentSignature::new::<Position>("Position", 0)];
            const RESOURCES: &'static [ResourceSignature] = &[];
            const SYSTEMS: &'static [SystemSignature] = &[$($system),*];
            const STAGED_CHANGES: StagedChanges = StagedChanges::$rule;

            fn dispatch<V: SystemVisitor<Self>>(index: usize, visitor: V) -> V::Output {
                match index {
                    0 => visitor.visit::<$S>(),
                    1 => visitor.visit::<$T>(),
                    _ => no_such_system(index),
                }
            }

            fn resources(_: &mut ResourceSink<'_, Self>) {}
        }

        impl HasComponent<Position> for $W {
            const INDEX: usize = 0;
            type Number = ();
            type Strategy = ecs_core::generated::ContiguousBuffer;
        }

        world! { @system $W $S 0 $parallelism }
        world! { @system $W $T 1 None }
    };
    (@system $W:ident $S:ident $index:literal $parallelism:ty) => {
        impl SystemName<$W> for $S {
            const INDEX: usize = $index;
            type System = Self;
            type Output = ();
            type Parallelism = $parallelism;
            type Terms = (Entity,);
            type Entry<'a> = Item<'a, (Entity,), $W>;
            type CodegenUnit = ecs_core::generated::codegen_unit::U0;

            fn initial() -> Self {
                Self
            }

            fn entry<'a>(terms: Item<'a, (Entity,), $W>) -> Item<'a, (Entity,), $W> {
                terms
            }
        }

        impl System<$W> for $S {
            fn process(&self, _: &mut Data<'_, $W, Self>) {}
        }
    };
}

world! { Insertions Land Leave: AfterStep, None, [
    SystemSignature::new::<Self, Land>("Land").remove(&[0]),
    SystemSignature::new::<Self, Leave>("Leave").insert(&[0])
] }

world! { Functions Move Script: RefreshBeforeDependents, None, [
    SystemSignature::new::<Self, Move>("Move").write(&[0]),
    SystemSignature::new::<Self, Script>("Script").defer()
] }

world! { Parallel Collide Look: AfterStep, SplitEvenly<4>, [
    SystemSignature::new::<Self, Collide>("Collide").write(&[0]).exclusive(),
    SystemSignature::new::<Self, Look>("Look").read(&[0]).after(&[0])
] }

world! { Updates Rise Fall: AfterStep, None, [
    SystemSignature::new::<Self, Rise>("Rise").update(&[0]).insert(&[0]),
    SystemSignature::new::<Self, Fall>("Fall").update(&[0])
] }

world! { Both Fill Drain: AfterStep, None, [
    SystemSignature::new::<Self, Fill>("Fill").insert(&[0]),
    SystemSignature::new::<Self, Drain>("Drain").update(&[0])
] }

fn main() {
    let _ = World::<Insertions>::new();
    let _ = World::<Functions>::new();
    let _ = World::<Parallel>::new();
    let _ = World::<Updates>::new();
    let _ = World::<Both>::new();
}
