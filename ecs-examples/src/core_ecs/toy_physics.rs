//! The toy physics of the paper (figures 2, 3 and 11; listing 2): objects move along a line; a moving one
//! that meets a stationary one is destroyed, and its velocity divided among the stationary one and a new one.
//!
//! The paper schedules conc(*inertia*) ⨟ seq(*collide*). Here that is `Inertia`, which may be split over threads, and
//! `Collide`, which is `sequential`, over the paper's query vector: its own entities are the moving objects, and the
//! members of `Stationary` are the others. Each pair sees the changes of earlier pairs, so an object that was hit
//! already moves, and is not hit again. conc(*collide*) would have the nondeterminism of figure 3 (b): two moving
//! objects that hit the same stationary one would both set its velocity. The paper's program for another library, where
//! changes are deferred, keeps a set of the objects that were already hit, and checks it for each pair of objects.

use ecs_core::{Data, Entity, Threads, World, world};

use super::{column, line, output};

/// The position of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pos(pub i64);

/// The distance that an object moves per frame, to the right if it is positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vel(pub i64);

world! {
    /// Objects on a line. Those without a velocity are stationary.
    pub world ToyPhysics { entity_limit: dynamic(16) }

    component Pos, Vel;

    /// Moves objects.
    system Inertia {
        parallelism: split_evenly(cores),
        each: |pos: &mut Pos, vel: &Vel| pos.0 += vel.0,
    }
    /// The objects that do not move.
    query Stationary { read: [Pos], without: [Vel] }
    /// Divides the velocities of moving objects that meet stationary ones.
    system Collide {
        sequential,
        dependencies: [Inertia],
        read: [Pos, Vel],
        queries: [Stationary],
        despawn,
        insert: [Vel],
        spawn: [(Pos, Vel)],
        run: collide,
    }
}

fn collide(data: &mut Data<'_, ToyPhysics, Collide>) {
    data.roll_pairs::<Stationary>(|mut pair| {
        let (place, velocity) = pair.get::<(&Pos, &Vel)>();
        let (place, velocity) = (place.0, velocity.0);
        if pair.member_entry().pos.0 != place {
            return;
        }
        let (moving, hit) = (pair.entity(), pair.member());
        let now = &mut pair.now();
        now.despawn(moving);
        now.insert(hit, Vel(velocity / 2));
        now.spawn((Pos(place), Vel(velocity / -2)));
    });
}

/// Objects on a line, with a dynamic entity limit.
pub struct Line(World<ToyPhysics>);

impl Line {
    /// Objects with these positions and, if they move, velocities.
    ///
    /// # Panics
    ///
    /// If there are more than 2³¹ − 1 objects, the maximum of a world.
    pub fn new(threads: Threads, objects: &[(i64, Option<i64>)]) -> Self {
        let mut world = World::on(threads);
        let _: Vec<Entity> = world
            .step(|step| {
                let spawn = |&(pos, vel): &(i64, Option<i64>)| match vel {
                    Some(vel) => step.spawn((Pos(pos), Vel(vel))),
                    None => step.spawn((Pos(pos),)),
                };
                objects.iter().map(spawn).collect()
            })
            .expect("the limit is dynamic");
        Self(world)
    }

    /// Advances by one frame.
    ///
    /// # Panics
    ///
    /// If there are more than 2³¹ − 1 objects, the maximum of a world.
    pub fn advance(&mut self) {
        self.0.tick().expect("the limit is dynamic");
    }

    /// The objects, in ascending order of entities: position and, if it moves, velocity.
    pub fn objects(&self) -> Vec<(Entity, i64, Option<i64>)> {
        let mut objects = Vec::new();
        self.0.iter::<(Entity, &Pos, Option<&Vel>)>().for_each(|(entity, pos, vel)| {
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

/// Listing 3: the three objects of figure 3 over two frames.
///
/// The paper's interpreter never reuses a name, and prints the next one. This library reuses the
/// indices of despawned entities, so it prints the lowest index that was never in use.
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
