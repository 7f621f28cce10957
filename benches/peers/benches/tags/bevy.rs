//! The toggling tag through `bevy_ecs`, in a table or in a sparse set. It is toggled by entity, and inserted as one
//! batch; commands would cost more.

use bevy_ecs::prelude::*;

use super::{Contender, start};

#[derive(Component)]
struct Blinks;

#[derive(Component)]
struct Position(f32);

/// A tag in table storage: it decides in which table an entity lies.
#[derive(Component, Clone, Default)]
pub(crate) struct Row;

/// A tag in sparse-set storage.
#[derive(Component, Clone, Default)]
#[component(storage = "SparseSet")]
pub(crate) struct Apart;

pub(crate) struct Tagged<T: Component + Clone + Default> {
    world: World,
    moved: QueryState<&'static mut Position, With<T>>,
    on: QueryState<Entity, (With<Blinks>, Without<T>)>,
    off: QueryState<Entity, (With<Blinks>, With<T>)>,
    entities: Vec<Entity>,
    dark: Vec<Entity>,
}

impl<T: Component + Clone + Default> Tagged<T> {
    pub(crate) fn new(entities: usize) -> Self {
        let mut world = World::new();
        for n in 0..entities {
            let mut entity = world.spawn(Position(0.0));
            let (blinks, tag) = start(n);
            if blinks {
                entity.insert(Blinks);
            }
            if tag {
                entity.insert(T::default());
            }
        }
        let (moved, on, off) =
            (world.query_filtered(), world.query_filtered(), world.query_filtered());
        Self { world, moved, on, off, entities: Vec::new(), dark: Vec::new() }
    }
}

impl<T: Component + Clone + Default> Contender for Tagged<T> {
    fn step(&mut self) {
        let Self { world, moved, on, off, entities, dark } = self;
        moved.iter_mut(world).for_each(|mut position| position.0 += 1.0);
        dark.clear();
        dark.extend(on.iter(world));
        entities.clear();
        entities.extend(off.iter(world));
        world.insert_batch(dark.iter().map(|&entity| (entity, T::default())));
        for &entity in &*entities {
            world.entity_mut(entity).remove::<T>();
        }
        world.clear_trackers();
    }

    fn summary(&mut self) -> (usize, f64) {
        let world = &mut self.world;
        let tagged = world.query_filtered::<(), With<T>>().iter(world).count();
        let sum =
            world.query::<&Position>().iter(world).map(|position| f64::from(position.0)).sum();
        (tagged, sum)
    }
}
