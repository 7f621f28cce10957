//! The toy physics of the paper (figures 2, 3 and 11; listing 2): objects move along a line; a moving one
//! that meets a stationary one is destroyed, and its velocity divided among the stationary one and a new one.
//!
//! The paper schedules conc(*inertia*) ⨟ seq(*collide*). Here that is `Inertia`, which may be split over
//! threads, and `Collide`, which is one subtask and depends on it. conc(*collide*) would be the
//! nondeterminism of figure 3 (b): two moving objects that hit the same stationary one would both set its
//! velocity. This library would not have it: what systems stage is applied in a stated order, so even then
//! the result would be the same each time. But it would be two collisions.
//!
//! A collision changes who has which components, and that shows after the step. So `Collide` has to know
//! itself who is used up. The paper's program for another library keeps a set for that, and asks it for
//! each pair of objects; here the stationary ones wait in line where they are, and each is taken once.

use std::collections::{BTreeMap, VecDeque};

use ecs_core::{Data, Entity, System, Threads, World, world};

use super::{column, line, output};

/// Where an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pos(pub i64);

/// How far an object moves per frame, to the right if it is positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vel(pub i64);

world! {
    /// Objects on a line. Those without a velocity are stationary.
    pub world ToyPhysics { entity_limit: dynamic(16) }

    component Pos: contiguous_buffer;
    component Vel: contiguous_buffer;

    system Inertia { parallelism: split_evenly(cores), read: [Vel], write: [Pos] }
    system Collide {
        dependencies: [Inertia],
        read: [Pos],
        read_optional: [Vel],
        kill,
        insert: [Vel],
        spawn: [(Pos, Vel)],
    }
}

/// Moves objects on.
#[derive(Debug, Default)]
pub struct Inertia;

impl System<ToyPhysics> for Inertia {
    fn process(&self, data: &mut Data<'_, ToyPhysics, Self>) {
        data.for_entities(|e| e.pos.0 += e.vel.0);
    }
}

/// Divides the velocities of moving objects that have met stationary ones.
///
/// Takes O(*n* log *n*) for *n* objects, where pairs would be O(*n*²).
#[derive(Debug, Default)]
pub struct Collide;

impl System<ToyPhysics> for Collide {
    fn process(&self, data: &mut Data<'_, ToyPhysics, Self>) {
        let (own, effects) = data.split();
        let (mut moving, mut stationary) = (Vec::new(), BTreeMap::<_, VecDeque<_>>::new());
        own.for_entities(|e| match e.vel {
            Some(vel) => moving.push((e.entity, e.pos.0, vel.0)),
            None => stationary.entry(e.pos.0).or_default().push_back(e.entity),
        });
        for (entity, place, velocity) in moving {
            let Some(hit) = stationary.get_mut(&place).and_then(VecDeque::pop_front) else {
                continue;
            };
            effects.kill(entity);
            effects.insert(hit, Vel(velocity / 2));
            effects.spawn((Pos(place), Vel(velocity / -2)));
        }
    }
}

/// Objects on a line, which never get out of room.
pub struct Line(World<ToyPhysics>);

impl Line {
    /// Objects with these positions and, if they move, velocities.
    ///
    /// # Panics
    ///
    /// If there are more objects than a world can hold: 2³¹ − 1.
    pub fn new(threads: Threads, objects: &[(i64, Option<i64>)]) -> Self {
        let mut world = World::on(threads);
        let spawned: Result<Vec<Entity>, _> = world
            .step(|step| {
                let spawn = |&(pos, vel): &(i64, Option<i64>)| match vel {
                    Some(vel) => step.spawn((Pos(pos), Vel(vel))),
                    None => step.spawn((Pos(pos),)),
                };
                objects.iter().map(spawn).collect()
            })
            .expect("nothing is staged");
        spawned.expect("the limit is dynamic");
        Self(world)
    }

    /// Lets one frame pass.
    ///
    /// # Panics
    ///
    /// If there are more objects than a world can hold: 2³¹ − 1.
    pub fn advance(&mut self) {
        self.0.step(|step| step.execute_systems().run()).expect("the limit is dynamic");
    }

    /// The objects, in ascending order of entities: position and, if it moves, velocity.
    pub fn objects(&self) -> Vec<(Entity, i64, Option<i64>)> {
        let mut objects = Vec::new();
        self.0.for_each::<(Entity, &Pos, Option<&Vel>)>(|(entity, pos, vel)| {
            objects.push((entity, pos.0, vel.map(|vel| vel.0)));
        });
        objects.sort_unstable();
        objects
    }
}

/// A number as Haskell shows it within a value: `1`, `(-2)`.
fn shown(number: i64) -> String {
    if number < 0 { format!("({number})") } else { number.to_string() }
}

/// Listing 3: the three objects of figure 3, and what becomes of them in two frames.
///
/// The paper's interpreter never gives a name twice, and prints the next one; this library reuses the
/// indices of the dead, so what is printed is the lowest index that has not been in use yet.
pub fn listing_3(threads: Threads) -> String {
    let mut objects = Line::new(threads, &[(1, Some(6)), (7, None), (9, Some(-2))]);
    let mut next_fresh = 0;
    let mut state = |line_of_objects: &Line| {
        let objects = line_of_objects.objects();
        let last = objects.iter().map(|(entity, ..)| entity.index() + 1).max();
        next_fresh = next_fresh.max(last.unwrap_or(0));
        let pos = objects.iter().map(|&(e, pos, _)| (e, format!("Pos {}", shown(pos))));
        let vel =
            objects.iter().filter_map(|&(e, _, vel)| Some((e, format!("Vel {}", shown(vel?)))));
        line(&[column("Pos", pos.collect()), column("Vel", vel.collect())], next_fresh)
    };
    let mut states = vec![state(&objects)];
    for _ in 0..2 {
        objects.advance();
        states.push(state(&objects));
    }
    output(&states)
}
