//! Tables written by hand that the macro would have refused, and what reaches further than its table.

use ecs_core::inner_parallelism::{None, SplitEvenly, Strategy};
use ecs_core::settings::{Allow, AtomicCounter, Config, Dynamic, Fixed};
use ecs_core::signature::{ComponentSignature, ResourceSignature, SystemSignature};
use ecs_core::{Declaration, HasComponent, SystemName};
use ecs_core::generated::{ResourceSink, SystemVisitor, no_such_system};
use ecs_core::{Data, Entity, Item, Output, System, World};

struct Position(f32);
struct Score(u32);
#[derive(Default)]
struct Sum(u32);

impl Output for Sum {}

macro_rules! world {
    ($W:ident $S:ident $T:ident: $terms:ty, $output:ty, $parallelism:ty, [$($system:expr),*]) => {
        struct $W;
        struct $S;
        struct $T;

        impl Declaration for $W {
            type Settings = Config<Dynamic<8>, Allow, AtomicCounter>;
            const NAME: &'static str = stringify!($W);
            const COMPONENTS: &'static [ComponentSignature] =
                &[ComponentSignature::new::<Position>("Position", 0)];
            const RESOURCES: &'static [ResourceSignature] =
                &[ResourceSignature::new::<Score>("Score")];
            const SYSTEMS: &'static [SystemSignature] = &[$($system),*];

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

        world! { @system $W $S 0 $terms, $output, $parallelism }
        world! { @system $W $T 1 Entity, (), None }
    };
    (@system $W:ident $S:ident $index:literal $terms:ty, $output:ty, $parallelism:ty) => {
        impl SystemName<$W> for $S {
            const INDEX: usize = $index;
            type System = Self;
            type Output = $output;
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

        impl System<$W> for $S {
            fn process(&self, data: &mut Data<'_, $W, Self>) {
                data.own.for_entities(|_| {});
            }
        }
    };
}

const fn s<D: Declaration, N: SystemName<D>>(name: &'static str) -> SystemSignature {
    SystemSignature::new::<D, N>(name)
}

world! { Itself A0 A1: Entity, (), None, [s::<Self, A0>("A").after(&[0]), s::<Self, A1>("B")] }
world! { Circle B0 B1: Entity, (), None,
[s::<Self, B0>("A").after(&[1]), s::<Self, B1>("B").inputs(&[0])] }
world! { Twice C0 C1: Entity, (), None, [s::<Self, C0>("A").read(&[0]).write(&[0]), s::<Self, C1>("B")] }
world! { Shared D0 D1: Entity, (), SplitEvenly<2>,
[s::<Self, D0>("A").write_resources(&[0]), s::<Self, D1>("B")] }
world! { Sums E0 E1: Entity, Sum, SplitEvenly<2>, [s::<Self, E0>("A"), s::<Self, E1>("B")] }
world! { Outside F0 F1: Entity, (), None, [s::<Self, F0>("A").after(&[2]), s::<Self, F1>("B")] }
world! { Nowhere G0 G1: Entity, (), None, [s::<Self, G0>("A").read_resources(&[1]), s::<Self, G1>("B")] }
world! { Far H0 H1: &'static mut Position, (), None, [s::<Self, H0>("A").read(&[0]), s::<Self, H1>("B")] }
world! { Same I0 I1: (&'static mut Position, &'static mut Position), (), None,
[s::<Self, I0>("A").write(&[0]), s::<Self, I1>("B")] }
world! { Good J0 J1: &'static mut Position, (), None, [s::<Self, J0>("A").write(&[0]), s::<Self, J1>("B")] }

fn main() {
    let _ = World::<Itself>::new();
    let _ = World::<Circle>::new();
    let _ = World::<Twice>::new();
    let _ = World::<Shared>::new();
    let _ = World::<Sums>::new();
    let _ = World::<Outside>::new();
    let _ = World::<Nowhere>::new();
    let _ = World::<Far>::new().tick();
    let _ = World::<Same>::new().tick();
    let _ = World::<Good, Config<Fixed<0>, Allow, AtomicCounter>>::new();
    let _ = World::<Good, Config<Dynamic<{ 1 << 31 }>, Allow, AtomicCounter>>::new();
    let _ = World::<Good>::new().tick();
    let _ = SplitEvenly::<0>::subtasks(1, 1);
}
