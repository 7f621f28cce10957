//! ECS0070: a table that points nowhere.

use ecs_core::settings::{Allow, AtomicCounter, Config, Dynamic};
use ecs_core::signature::{ComponentSignature, ResourceSignature, SystemSignature};
use ecs_core::Declaration;
use ecs_core::generated::{ResourceSink, SystemVisitor, no_such_system};
use ecs_core::World;

struct Position(f32);
struct W;

impl Declaration for W {
    type Settings = Config<Dynamic<8>, Allow, AtomicCounter>;
    const NAME: &'static str = "W";
    const COMPONENTS: &'static [ComponentSignature] = &[ComponentSignature::new::<Position>("Position", 1)];
    const RESOURCES: &'static [ResourceSignature] = &[];
    const SYSTEMS: &'static [SystemSignature] = &[];

    fn dispatch<V: SystemVisitor<Self>>(index: usize, _: V) -> V::Output {
        no_such_system(index)
    }

    fn resources(_: &mut ResourceSink<'_, Self>) {}
}

fn main() {
    let _ = World::<W>::new();
}
