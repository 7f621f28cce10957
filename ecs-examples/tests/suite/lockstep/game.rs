//! A small game: players spawn and dismiss ships, which move, meet, wear out and
//! leave trails.

use ecs_core::{Data, Entity, StateHash, Step, System, World, settings::Settings, world};

/// A position in a field of 1024 × 1024 units.
#[derive(Clone, Copy, Debug, StateHash)]
pub(crate) struct Position(pub(crate) [f32; 2]);

#[derive(Clone, Copy, Debug, StateHash)]
pub(crate) struct Velocity(pub(crate) [f32; 2]);

#[derive(Clone, Copy, Debug, StateHash)]
pub(crate) struct Hull(pub(crate) u32);

/// The player that a ship belongs to.
#[derive(Clone, Copy, Debug, StateHash)]
pub(crate) struct Owner(pub(crate) u8);

/// Marks a ship that does not move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Anchored;

/// The recent positions of a scout.
#[derive(Clone, Debug, Default, StateHash)]
pub(crate) struct Trail(Vec<[f32; 2]>);

/// The ship that a ship follows.
#[derive(Clone, Copy, Debug, StateHash)]
pub(crate) struct Leader(Entity);

world! {
    pub(crate) world Space { entity_limit: dynamic(1_000) }

    component Position, Velocity;
    component (Hull, Owner): contiguous_buffer;
    component Anchored: empty;
    component Trail: sparse_set;
    component Leader: hash_map;

    resource Dice;
    resource Score;

    system Follow {
        parallelism: split_every(64),
        read: [Leader],
        read_any: [Position],
        write: [Velocity],
        remove: [Leader],
        run: follow,
    }
    system Fly {
        parallelism: split_evenly(cores),
        dependencies: [Follow],
        without: [Anchored],
        each: |position: &mut Position, velocity: &Velocity| {
            for axis in 0..2 {
                let moved = position.0[axis] + velocity.0[axis];
                position.0[axis] = moved.rem_euclid(1024.0);
            }
        },
    }
    system Cells {
        transient,
        parallelism: split_evenly(cores),
        dependencies: [Fly],
        output: Vec<(u32, Entity)>,
        each: |ship: Entity, position: &Position, effects| {
            effects.output().push((cell(*position), ship));
        },
    }
    system Meet {
        exclusive,
        inputs: [Cells],
        read: [Owner],
        write: [Hull],
        write_resources: [Score],
        run: meet,
    }
    system Wear {
        parallelism: split_every(128),
        dependencies: [Meet],
        read: [Position, Owner],
        write: [Hull],
        despawn,
        spawn: [(Position, Velocity, Hull, Owner)],
        insert: [Anchored],
        read_resources: [Dice],
        run: wear,
    }
    system Draw {
        opt_in,
        dependencies: [Fly],
        each: |position: &Position, trail: &mut Trail| {
            if trail.0.len() == 16 {
                trail.0.clear();
            }
            trail.0.push(position.0);
        },
    }
    system Roll { dependencies: [Wear], write_resources: [Dice], state: Roll { rolls: 0 } }
}

#[derive(Clone, Debug, Default, StateHash)]
pub(crate) struct Dice(u64);

#[derive(Clone, Debug, Default, StateHash)]
pub(crate) struct Score([u64; 4]);

fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (value ^ (value >> 29)).wrapping_mul(0x94D0_49BB_1331_11EB)
}

fn follow(data: &mut Data<'_, Space, Follow>) {
    let Data { own, effects, .. } = data;
    let positions = effects.read_any::<Position>();
    own.query::<(Entity, &Leader, &mut Velocity)>().for_each(|(entity, leader, velocity)| {
        let places = [entity, leader.0].map(|one| positions.get(one));
        let [Some(here), Some(there)] = places else {
            return effects.remove::<Leader>(entity);
        };
        for axis in 0..2 {
            velocity.0[axis] = 0.9 * velocity.0[axis] + 0.01 * (there.0[axis] - here.0[axis]);
        }
    });
}

fn cell(position: Position) -> u32 {
    let [x, y] = position.0.map(|coordinate| coordinate as u32 / 8);
    y * 128 + x
}

fn meet(data: &mut Data<'_, Space, Meet>) {
    let mut cells: Vec<_> = data.effects.outputs_of::<Cells>().flatten().copied().collect();
    cells.sort_by_key(|&(cell, _)| cell);
    let mut hits = [0; 4];
    let mut ships = data.own.any_mut::<(&mut Hull, &Owner)>();
    for pair in cells.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        let Some((one, other)) = ships.pair_mut(pair[0].1, pair[1].1) else { continue };
        if one.1.0 != other.1.0 {
            one.0.0 = one.0.0.saturating_sub(other.1.0.into());
            other.0.0 = other.0.0.saturating_sub(one.1.0.into());
            hits[usize::from(one.1.0 % 4)] += 1;
        }
    }
    let score = &mut data.resources.get_mut::<Score>().0;
    score.iter_mut().zip(hits).for_each(|(score, hits)| *score += hits);
}

fn wear(data: &mut Data<'_, Space, Wear>) {
    let dice = data.resources.get::<Dice>().0;
    let Data { own, effects, .. } = data;
    own.for_entities(|e| {
        let roll = mix(dice ^ u64::from(e.entity.index()) << 20);
        e.hull.0 = e.hull.0.saturating_sub(1);
        match (e.hull.0, roll % 97) {
            (0, 0..48) => {
                effects.despawn(e.entity);
                let speed = [(roll >> 8) as u8, (roll >> 16) as u8].map(|v| f32::from(v) / 99.0);
                effects.spawn((
                    *e.position,
                    Velocity(speed),
                    Hull(60 + roll as u32 % 64),
                    *e.owner,
                ));
            }
            (0, _) => effects.despawn(e.entity),
            (_, 90) => effects.insert(e.entity, Anchored),
            _ => {}
        }
    });
}

#[derive(Clone, StateHash)]
pub(crate) struct Roll {
    rolls: u64,
}

impl System<Space> for Roll {
    fn process(&self, data: &mut Data<'_, Space, Self>) {
        let dice = data.resources.get_mut::<Dice>();
        dice.0 = mix(dice.0 ^ self.rolls);
    }

    fn execute(&mut self, executor: &mut ecs_core::Executor<'_, Space, Self>) {
        self.rolls += 1;
        let this = &*self;
        executor.for_subtasks(|data| this.process(data));
    }
}

/// The input of one player in one frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input {
    pub(crate) player: u8,
    pub(crate) number: u64,
}

impl Input {
    fn apply<S: Settings>(self, step: &mut Step<'_, Space, S>, ships: &[Entity]) {
        let Self { player, number } = self;
        let one =
            |part: u64| ships.get((mix(number ^ part) as usize) % ships.len().max(1)).copied();
        match (number % 11, one(1)) {
            (0..=3, _) | (_, None) => {
                for n in 0..number % 40 {
                    let value = mix(number ^ n);
                    let place = [value as u16, (value >> 16) as u16].map(|v| f32::from(v) / 64.0);
                    let speed =
                        [(value >> 32) as u8, (value >> 40) as u8].map(|v| f32::from(v) / 128.0);
                    let hull = Hull(30 + value as u32 % 200);
                    let ship = (Position(place), Velocity(speed), hull, Owner(player));
                    step.spawn(ship);
                }
            }
            (4, Some(ship)) => step.despawn(ship),
            (5 | 6, Some(ship)) => {
                let _ = step.insert(ship, Leader(one(2).unwrap_or(ship)));
            }
            (7, Some(ship)) => {
                let _ = step.insert(ship, Trail::default());
                let _ = step.subscribe::<Draw>(ship);
            }
            (8, Some(ship)) => drop(step.remove::<Anchored>(ship)),
            (9, Some(ship)) => drop(step.remove::<Trail>(ship)),
            (_, Some(ship)) => {
                let _ = step.insert(ship, Anchored);
            }
        }
    }
}

/// Plays a frame with the players' inputs.
pub(crate) fn play<S: Settings>(world: &mut World<Space, S>, inputs: &[Input]) {
    let mut ships = Vec::new();
    for ship in world.iter::<Entity>() {
        ships.push(ship);
    }
    let played = world.step(|step| {
        for input in inputs {
            input.apply(step, &ships);
        }
        step.execute_systems();
    });
    played.expect("a dynamic limit");
}
