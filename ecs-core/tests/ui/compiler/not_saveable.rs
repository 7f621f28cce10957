//! ECS0149: parts of a world without bytes, and a declaration that is a parameter.

use ecs_core::settings::Settings;
use ecs_core::{Data, Declaration, System, World, world};

struct Level(u32);
#[derive(Clone)]
struct Tag;
#[derive(Default)]
struct Total(u32);
struct Rang;
struct Likes(u8);

mod of_a_resource {
    use super::*;
    world! { pub world W; resource Total; }
}

mod of_an_event {
    use super::*;
    world! {
        pub world W;
        event Rang;
        system Ring { emit: [Rang], run: |data| data.effects.emit(Rang) }
    }
}

mod of_links {
    use super::*;
    world! { pub world W; relation Likes: many_to_many, on_despawn: detach; }
}

mod of_a_tag {
    use super::*;
    world! { pub world W; component Tag: empty; }
}

mod of_a_system {
    use super::*;
    #[derive(Default)]
    pub struct Count(u32);
    world! { pub world W; component Level; system Count { read: [Level] } }
    impl System<W> for Count {
        fn process(&self, _: &mut Data<'_, W, Self>) {}
    }
}

fn any<D: Declaration, S: Settings>(world: &World<D, S>) {
    let _ = world.save(Vec::new());
}

fn main() {
    let _ = World::<of_a_resource::W>::new().save(Vec::new());
    let _ = World::<of_an_event::W>::new().save(Vec::new());
    let _ = World::<of_links::W>::new().save(Vec::new());
    let _ = World::<of_a_tag::W>::new().load(&[]);
    let _ = World::<of_a_system::W>::new().save(Vec::new());
}
