//! By this library (thesis, 3.5.1.1): the parts are components, and each verb is a system.
//!
//! A kind is a set of components. The systems of weapons and wings access different components, so they can run
//! at the same time. Blows are messages to entities: the systems of weapons send them in parallel, and the system that reads
//! them writes the struck characters, which no weapon may.

use super::{Ai, Blow, Bow, Flight, Kind, Npc, Physics, Sprite, Sword};
use crate::part_one::Encoding;
use ecs_core::{Entity, Threads, World, world};

/// Whom a character strikes.
pub struct Foe(Option<Entity>);

world! {
    /// The role-playing game.
    pub world Rpg;

    component Physics, Ai, Npc, Flight, Sword, Bow, Foe;

    /// A strike.
    event Blow: addressed;

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
    system Fence {
        emit: [Blow],
        each: |sword: &mut Sword, foe: &Foe, effects| {
            if let Some((foe, blow)) = foe.0.zip(sword.swing()) {
                effects.send(foe, blow);
            }
        },
    }
    /// Shoots with bows.
    system Shoot {
        emit: [Blow],
        each: |bow: &mut Bow, foe: &Foe, effects| {
            if let Some((foe, blow)) = foe.0.zip(bow.shoot()) {
                effects.send(foe, blow);
            }
        },
    }
    /// Wounds those who are struck.
    system Suffer {
        on: [Blow],
        write: [Npc],
        run: |data| data.for_messages::<Blow>(|struck, blows, _| {
            blows.for_each(|blow| struck.npc.suffer(*blow));
        }),
    }
}

/// The game: a world, and its entities in the order of creation.
pub struct Game {
    world: World<Rpg>,
    entities: Vec<Entity>,
}

impl Encoding for Game {
    type Kind = Kind;
    type Seen = Sprite;

    fn new(kinds: &[Kind]) -> Self {
        let mut world = World::on(Threads::Inline);
        let entities = world.step(|step| {
            let mut before = None;
            let spawn = |kind: &Kind| {
                let character = |look| (Physics::default(), Ai::default(), Npc::new(look));
                let (dragon, warrior) = (character('d'), character('w'));
                let (sword, bow, foe) = (Sword::default(), Bow::default(), Foe(before));
                let spawned = match kind {
                    Kind::Skeleton => step.spawn(character('s')),
                    Kind::Dragon => step.spawn((dragon.0, dragon.1, dragon.2, Flight::default())),
                    Kind::Warrior => step.spawn(warrior),
                    Kind::SwordWarrior => step.spawn((warrior.0, warrior.1, warrior.2, sword, foe)),
                    Kind::BowWarrior => step.spawn((warrior.0, warrior.1, warrior.2, bow, foe)),
                    Kind::SwordBowWarrior => {
                        step.spawn((warrior.0, warrior.1, warrior.2, sword, bow, foe))
                    }
                };
                before = Some(spawned);
                spawned
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
        let draw = |entity: &Entity| {
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
