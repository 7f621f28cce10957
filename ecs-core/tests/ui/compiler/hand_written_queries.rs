//! Tables written by hand: a query that is none, a system that reads what it writes, queries that name
//! themselves or no system.

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

world! { NoQuery Move Look: AfterStep, None, [
    SystemSignature::new::<Self, Move>("Move").read(&[0]),
    SystemSignature::new::<Self, Look>("Look").queries(&[0])
] }

world! { Itself All Push: AfterStep, None, [
    SystemSignature::new::<Self, All>("All").read(&[0]).query(),
    SystemSignature::new::<Self, Push>("Push").write(&[0]).queries(&[0])
] }

world! { Circle Snake Tail: AfterStep, None, [
    SystemSignature::new::<Self, Snake>("Snake").read(&[0]).query().queries(&[0]),
    SystemSignature::new::<Self, Tail>("Tail")
] }

world! { OutOfRange Far Away: AfterStep, None, [
    SystemSignature::new::<Self, Far>("Far").queries(&[7]),
    SystemSignature::new::<Self, Away>("Away")
] }

fn main() {
    let _ = World::<NoQuery>::new();
    let _ = World::<Itself>::new();
    let _ = World::<Circle>::new();
    let _ = World::<OutOfRange>::new();
}
