//! By this library (thesis, 3.5.1.1): the parts are components, and each verb is a system.
//!
//! A kind is a set of components. The systems of weapons and wings access different components, so they can run
//! at the same time.

use super::{Ai, Bow, Flight, Kind, Npc, Physics, Sprite, Sword};
use crate::part_one::Encoding;
use ecs_core::{Data, System, Threads, World, world};

world! {
    /// The role-playing game.
    pub world Rpg {}

    component Physics: contiguous_buffer;
    component Ai: contiguous_buffer;
    component Npc: contiguous_buffer;
    component Flight: contiguous_buffer;
    component Sword: contiguous_buffer;
    component Bow: contiguous_buffer;

    system Advance { write: [Physics] }
    system Think { dependencies: [Advance], write: [Physics, Ai] }
    system Fly { write: [Flight] }
    system Fence { write: [Sword] }
    system Shoot { write: [Bow] }
}

/// Moves.
#[derive(Debug, Default)]
pub struct Advance;

impl System<Rpg> for Advance {
    fn process(&self, data: &mut Data<'_, Rpg, Self>) {
        data.for_entities(|e| e.physics.advance());
    }
}

/// Lets each AI push its entity.
#[derive(Debug, Default)]
pub struct Think;

impl System<Rpg> for Think {
    fn process(&self, data: &mut Data<'_, Rpg, Self>) {
        data.for_entities(|e| e.physics.push(e.ai.think()));
    }
}

/// Flaps wings.
#[derive(Debug, Default)]
pub struct Fly;

impl System<Rpg> for Fly {
    fn process(&self, data: &mut Data<'_, Rpg, Self>) {
        data.for_entities(|e| e.flight.flap());
    }
}

/// Swings swords.
#[derive(Debug, Default)]
pub struct Fence;

impl System<Rpg> for Fence {
    fn process(&self, data: &mut Data<'_, Rpg, Self>) {
        data.for_entities(|e| e.sword.swing());
    }
}

/// Shoots with bows.
#[derive(Debug, Default)]
pub struct Shoot;

impl System<Rpg> for Shoot {
    fn process(&self, data: &mut Data<'_, Rpg, Self>) {
        data.for_entities(|e| e.bow.shoot());
    }
}

/// The game: a world, and its entities in the order of creation.
pub struct Game {
    world: World<Rpg>,
    entities: Vec<ecs_core::Entity>,
}

impl Encoding for Game {
    type Kind = Kind;
    type Seen = Sprite;

    fn new(kinds: &[Kind]) -> Self {
        let mut world = World::on(Threads::Inline);
        let entities = world.step(|step| {
            let spawn = |kind: &Kind| {
                let character = |look| (Physics::default(), Ai::default(), Npc::new(look));
                let (dragon, warrior) = (character('d'), character('w'));
                let (sword, bow) = (Sword::default(), Bow::default());
                match kind {
                    Kind::Skeleton => step.spawn(character('s')),
                    Kind::Dragon => step.spawn((dragon.0, dragon.1, dragon.2, Flight::default())),
                    Kind::Warrior => step.spawn(warrior),
                    Kind::SwordWarrior => step.spawn((warrior.0, warrior.1, warrior.2, sword)),
                    Kind::BowWarrior => step.spawn((warrior.0, warrior.1, warrior.2, bow)),
                    Kind::SwordBowWarrior => {
                        step.spawn((warrior.0, warrior.1, warrior.2, sword, bow))
                    }
                }
            };
            kinds.iter().map(spawn).collect()
        });
        let entities = entities.expect("the limit is dynamic");
        Self { world, entities }
    }

    fn update(&mut self) {
        self.world.tick().expect("nothing is spawned");
    }

    fn draw(&mut self) -> Vec<Sprite> {
        let draw = |entity: &ecs_core::Entity| {
            let mut sprite = Sprite::default();
            let world = &self.world;
            world.get::<Physics>(*entity).inspect(|physics| physics.draw(&mut sprite));
            world.get::<Npc>(*entity).inspect(|npc| npc.draw(&mut sprite));
            world.get::<Flight>(*entity).inspect(|flight| flight.draw(&mut sprite));
            world.get::<Sword>(*entity).inspect(|sword| sword.draw(&mut sprite));
            world.get::<Bow>(*entity).inspect(|bow| bow.draw(&mut sprite));
            sprite
        };
        self.entities.iter().map(draw).collect()
    }
}
