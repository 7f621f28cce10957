//! Through Bevy's dynamic world, which works by reflection.

use core::any::TypeId;

use bevy_asset::{AssetPath, LoadFromPath, UntypedHandle};
use bevy_ecs::entity::EntityHashMap;
use bevy_ecs::prelude::{AppTypeRegistry, Component, ReflectComponent, World};
use bevy_reflect::Reflect;
use bevy_world_serialization::DynamicWorld;
use bevy_world_serialization::serde::{DynamicWorldSerializer, WorldDeserializer};
use serde::de::DeserializeSeed;

use super::{ENTITIES, Row, row};

#[derive(Clone, Copy, Component, Reflect)]
#[reflect(Component)]
struct Position([f32; 3]);
#[derive(Clone, Copy, Component, Reflect)]
#[reflect(Component)]
struct Velocity([f32; 3]);
#[derive(Clone, Copy, Component, Reflect)]
#[reflect(Component)]
struct Health([u32; 3]);

fn empty() -> World {
    let mut world = World::new();
    let registry = AppTypeRegistry::default();
    {
        let mut types = registry.write();
        types.register::<Position>();
        types.register::<Velocity>();
        types.register::<Health>();
    }
    world.insert_resource(registry);
    world
}

fn full() -> World {
    let mut world = empty();
    world
        .spawn_batch((0..ENTITIES).map(|n| {
            let value = n as f32;
            (Position([value; 3]), Velocity([value / 2.0; 3]), Health([n as u32; 3]))
        }))
        .for_each(drop);
    world
}

/// No component has a handle of an asset.
struct NoAssets;

impl LoadFromPath for NoAssets {
    fn load_from_path_erased(&mut self, _: TypeId, path: AssetPath<'static>) -> UntypedHandle {
        unreachable!("the save names the asset {path}")
    }
}

fn load<'de, S>(from: S)
where
    S: serde::Deserializer<'de, Error: core::fmt::Debug>,
{
    let mut world = empty();
    let registry = world.resource::<AppTypeRegistry>().clone();
    let types = registry.read();
    let scene = WorldDeserializer { type_registry: &types, load_from_path: &mut NoAssets }
        .deserialize(from)
        .expect("a save");
    scene
        .write_to_world_with(&mut world, &mut EntityHashMap::default(), &types)
        .expect("all types are known");
}

pub(crate) fn text() -> Row {
    let world = full();
    let registry = world.resource::<AppTypeRegistry>().clone();
    row(
        3,
        || {
            let scene = DynamicWorld::from_world(&world);
            scene.serialize(&registry.read()).expect("memory takes it")
        },
        String::len,
        |text| load(&mut ron::Deserializer::from_str(text).expect("a text")),
    )
}

pub(crate) fn bytes() -> Row {
    let world = full();
    let registry = world.resource::<AppTypeRegistry>().clone();
    row(
        3,
        || {
            let scene = DynamicWorld::from_world(&world);
            postcard::to_stdvec(&DynamicWorldSerializer::new(&scene, &registry.read()))
                .expect("memory takes it")
        },
        Vec::len,
        |bytes| load(&mut postcard::Deserializer::from_bytes(bytes)),
    )
}
