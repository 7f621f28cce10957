//! A declaration written by hand is validated by the same tables: two unordered systems both write a
//! component.

use ecs_core::inner_parallelism::None;
use ecs_core::settings::{Allow, AtomicCounter, Config, Dynamic};
use ecs_core::signature::{ComponentSignature, ResourceSignature, SystemSignature};
use ecs_core::{Declaration, HasComponent, SystemName};
use ecs_core::generated::{ResourceSink, SystemVisitor, no_such_system};
use ecs_core::{Data, Entity, Item, System, World};

struct Position(f32);
struct W;
struct Left;
struct Right;

impl Declaration for W {
    type Settings = Config<Dynamic<8>, Allow, AtomicCounter>;
    const NAME: &'static str = "W";
    const COMPONENTS: &'static [ComponentSignature] =
        &[ComponentSignature::new::<Position>("Position", 0)];
    const RESOURCES: &'static [ResourceSignature] = &[];
    const SYSTEMS: &'static [SystemSignature] = &[
        SystemSignature::new::<Self, Left>("Left").write(&[0]),
        SystemSignature::new::<Self, Right>("Right").write(&[0]),
    ];

    fn dispatch<V: SystemVisitor<Self>>(index: usize, visitor: V) -> V::Output {
        match index {
            0 => visitor.visit::<Left>(),
            1 => visitor.visit::<Right>(),
            _ => no_such_system(index),
        }
    }

    fn resources(_: &mut ResourceSink<'_, Self>) {}
}

impl HasComponent<Position> for W {
    const INDEX: usize = 0;
    type Number = ();
    type Strategy = ecs_core::generated::ContiguousBuffer;
}

macro_rules! systems {
    ($($name:ident $index:literal)*) => {$(
        impl SystemName<W> for $name {
            const INDEX: usize = $index;
            type System = Self;
            type Output = ();
            type Parallelism = None;
            type Terms = (Entity, &'static mut Position);
            type Entry<'a> = &'a mut Position;
            type CodegenUnit = ecs_core::generated::codegen_unit::U0;

            fn initial() -> Self {
                Self
            }

            fn entry<'a>((_, position): Item<'a, Self::Terms, W>) -> &'a mut Position {
                position
            }
        }

        impl System<W> for $name {
            fn process(&self, data: &mut Data<'_, W, Self>) {
                data.own.for_entities(|position| position.0 += 1.0);
            }
        }
    )*};
}

systems! { Left 0 Right 1 }

fn main() {
    let _ = World::<W>::new();
}
