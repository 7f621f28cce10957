//! A residual conflict in a table written by hand, and a bundle that a table does not name.

use ecs_core::settings::{Allow, AtomicCounter, Config, Dynamic};
use ecs_core::signature::{ComponentSignature, ResourceSignature, StagedChanges, SystemSignature};
use ecs_core::{Declaration, HasComponent, SystemName};
use ecs_core::generated::{ResourceSink, SystemVisitor, no_such_system};
use ecs_core::{Data, Entity, Item, System, World, world};

struct Position(f32);
struct Old;

world! {
    world Colony;
    component Position: contiguous_buffer;
    component Old: contiguous_buffer;
    system Breed { spawn: [(Old,)] }
}

#[derive(Default)]
struct Breed;

impl System<Colony> for Breed {
    fn process(&self, data: &mut Data<'_, Colony, Self>) {
        data.effects.spawn((Position(0.0),));
    }
}

struct ByHand;
struct First;
struct Second;

impl Declaration for ByHand {
    type Settings = Config<Dynamic<8>, Allow, AtomicCounter>;
    const NAME: &'static str = "ByHand";
    const COMPONENTS: &'static [ComponentSignature] =
        &[ComponentSignature::new::<Position>("Position", 0)];
    const RESOURCES: &'static [ResourceSignature] = &[];
    const SYSTEMS: &'static [SystemSignature] = &[
        SystemSignature::new::<Self, First>("First").insert(&[0]),
        SystemSignature::new::<Self, Second>("Second").without(&[0]).after(&[0]),
    ];
    const STAGED_CHANGES: StagedChanges = StagedChanges::Deny;

    fn dispatch<V: SystemVisitor<Self>>(index: usize, visitor: V) -> V::Output {
        match index {
            0 => visitor.visit::<First>(),
            1 => visitor.visit::<Second>(),
            _ => no_such_system(index),
        }
    }

    fn resources(_: &mut ResourceSink<'_, Self>) {}
}

impl HasComponent<Position> for ByHand {
    const INDEX: usize = 0;
    type Number = ();
    type Strategy = ecs_core::generated::ContiguousBuffer;
}

macro_rules! name {
    ($N:ident $index:literal) => {
        impl SystemName<ByHand> for $N {
            const INDEX: usize = $index;
            type System = Self;
            type Output = ();
            type Parallelism = ecs_core::inner_parallelism::None;
            type Terms = (Entity,);
            type Entry<'a> = Item<'a, (Entity,), ByHand>;
            type CodegenUnit = ecs_core::generated::codegen_unit::U0;

            fn initial() -> Self {
                Self
            }

            fn entry<'a>(terms: Item<'a, (Entity,), ByHand>) -> Item<'a, (Entity,), ByHand> {
                terms
            }
        }

        impl System<ByHand> for $N {
            fn process(&self, _: &mut Data<'_, ByHand, Self>) {}
        }
    };
}

name! { First 0 }
name! { Second 1 }

fn main() {
    let _ = World::<ByHand>::new();
    let _ = World::<Colony>::new().tick();
}
