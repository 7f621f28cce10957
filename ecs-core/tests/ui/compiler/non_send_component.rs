//! A component that threads cannot share, in a world that uses it everywhere.

use std::rc::Rc;

use ecs_core::{World, world};

#[derive(Clone)]
pub struct Name(Rc<str>);
#[derive(Clone)]
pub struct Age(u32);

world! {
    pub world Town;
    component Name, Age;
    system Grow { write: [Age], read: [Name], each: |citizen| citizen.age.0 += u32::from(citizen.name.0.is_empty()) }
    system Leave { write: [Name], despawn, spawn: [(Name, Age)], run: |data| data.effects.spawn((Name("new".into()), Age(0))), dependencies: [Grow] }
}

fn main() {
    let mut world = World::<Town>::new();
    let citizen = world.spawn((Name("a".into()), Age(0)));
    world.tick().unwrap();
    assert!(world.get::<Name>(citizen).is_some());
    let _ = world.clone();
}
