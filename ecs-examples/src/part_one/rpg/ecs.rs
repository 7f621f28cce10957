//! By this library (thesis, 3.5.1.1): the parts are components, and each verb is a system.
//!
//! A kind is a set of components. The systems of weapons and wings access different components, so they can run
//! at the same time.

use super::{Ai, Bow, Flight, Kind, Npc, Physics, Sprite, Sword};
use crate::part_one::Encoding;
use ecs_core::{Threads, World, world};

world! {
    /// The role-playing game.
    pub world Rpg;

    component Physics, Ai, Npc, Flight, Sword, Bow;

    /// Moves.
    system Advance { each: |physics: &mut Physics| physics.advance() }
    /// Lets each AI push its entity.
    system Think {
        dependencies: [Advance],
        each: |physics: &mut Physics, ai: &mut Ai| physics.push(ai.think()),
    }
    /// Flaps wings.
    system Fly { each: |flight: &mut Flight| flight.flap() }
    /// Swings swords.
    system Fence { each: |sword: &mut Sword| sword.swing() }
    /// Shoots with bows.
    system Shoot { each: |bow: &mut Bow| bow.shoot() }
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
