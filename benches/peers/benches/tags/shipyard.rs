//! The toggling tag through `shipyard`: each component lies in a sparse set of its own, so that the tag changes while
//! others are iterated over.

use shipyard::{Component, EntitiesView, IntoIter as _, Remove as _, View, ViewMut, World};

use super::{Contender, start};

#[derive(Component)]
struct Blinks;

#[derive(Component)]
struct Tag;

#[derive(Component)]
struct Position(f32);

pub(crate) struct Tagged(World);

impl Tagged {
    pub(crate) fn new(entities: usize) -> Self {
        let mut world = World::new();
        for n in 0..entities {
            let entity = world.add_entity((Position(0.0),));
            let (blinks, tag) = start(n);
            if blinks {
                world.add_component(entity, (Blinks,));
            }
            if tag {
                world.add_component(entity, (Tag,));
            }
        }
        Self(world)
    }
}

impl Contender for Tagged {
    fn step(&mut self) {
        self.0.run(|mut positions: ViewMut<'_, Position>, tags: View<'_, Tag>| {
            for (position, _) in (&mut positions, &tags).iter() {
                position.0 += 1.0;
            }
        });
        self.0.run(
            |entities: EntitiesView<'_>, blinks: View<'_, Blinks>, mut tags: ViewMut<'_, Tag>| {
                for (entity, _) in (&blinks).iter().with_id() {
                    if tags.remove(entity).is_none() {
                        entities.add_component(entity, &mut tags, Tag);
                    }
                }
            },
        );
    }

    fn summary(&mut self) -> (usize, f64) {
        self.0.run(|positions: View<'_, Position>, tags: View<'_, Tag>| {
            (
                (&tags).iter().count(),
                (&positions).iter().map(|position| f64::from(position.0)).sum(),
            )
        })
    }
}
