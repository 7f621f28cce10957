//! Tables written by hand: sequential systems that defer functions, are split, run beside systems that see what they
//! do, or change too late which entities match a later one.

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

world! { Deferring Act Rest: AfterStep, None, [
    SystemSignature::new::<Self, Act>("Act").write(&[0]).sequential().defer(),
    SystemSignature::new::<Self, Rest>("Rest").after(&[0])
] }

world! { Split Part Whole: AfterStep, SplitEvenly<4>, [
    SystemSignature::new::<Self, Part>("Part").write(&[0]).sequential(),
    SystemSignature::new::<Self, Whole>("Whole").after(&[0])
] }

world! { Unordered Despawn Look: AfterStep, None, [
    SystemSignature::new::<Self, Despawn>("Despawn").read(&[0]).sequential().despawn(),
    SystemSignature::new::<Self, Look>("Look").read(&[0])
] }

world! { Changes Drop Lack: AfterStep, None, [
    SystemSignature::new::<Self, Drop>("Drop").sequential().remove(&[0]),
    SystemSignature::new::<Self, Lack>("Lack").without(&[0])
] }

world! { Written Push See: AfterStep, None, [
    SystemSignature::new::<Self, Push>("Push").sequential().write(&[0]).with(&[0]),
    SystemSignature::new::<Self, See>("See").read(&[0])
] }

world! { Late Give Take: Deny, None, [
    SystemSignature::new::<Self, Give>("Give").sequential().insert(&[0]),
    SystemSignature::new::<Self, Take>("Take").read(&[0]).after(&[0])
] }

world! { Between Put Lay: RefreshBeforeDependents, None, [
    SystemSignature::new::<Self, Put>("Put").sequential().insert(&[0]),
    SystemSignature::new::<Self, Lay>("Lay").insert(&[0])
] }

fn main() {
    let _ = World::<Deferring>::new();
    let _ = World::<Split>::new();
    let _ = World::<Unordered>::new();
    let _ = World::<Changes>::new();
    let _ = World::<Written>::new();
    let _ = World::<Late>::new();
    let _ = World::<Between>::new();
}
