//! The programs that run in the frames.

use ecs_core::Declaration;
use ecs_core::settings::Settings;
use ecs_core::{Data, Place, System, Threads, World, world};

#[derive(Clone, Copy)]
struct Pos([f32; 3]);
#[derive(Clone, Copy)]
struct Vel([f32; 3]);
#[derive(Clone, Copy)]
struct Age(u32);
struct Mark(#[expect(dead_code, reason = "never read")] f32);

fn moved(pos: &mut Pos, vel: Vel) {
    pos.0.iter_mut().zip(vel.0).for_each(|(pos, vel)| *pos += vel);
}

fn bundle(n: u32) -> (Pos, Vel) {
    (Pos([n as f32; 3]), Vel([1.0, 0.5, 0.25]))
}

world! {
    /// All entities move.
    world Moving {}
    component Pos: contiguous_buffer;
    component Vel: contiguous_buffer;
    system Move { read: [Vel], write: [Pos], parallelism: split_evenly(cores) }
}

#[derive(Default)]
struct Move;

impl System<Moving> for Move {
    fn process(&self, data: &mut Data<'_, Moving, Self>) {
        data.for_entities(|e| moved(e.pos, *e.vel));
    }
}

world! {
    /// All entities get a component, and lose it.
    world Toggling { staged_changes: refresh_before_dependents }
    component Pos: contiguous_buffer;
    component Mark: contiguous_buffer;
    system Add { parallelism: split_evenly(cores), with: [Pos], insert: [Mark] }
    system Remove { parallelism: split_evenly(cores), with: [Mark], remove: [Mark], dependencies: [Add] }
}

#[derive(Default)]
struct Add;
#[derive(Default)]
struct Remove;

impl System<Toggling> for Add {
    fn process(&self, data: &mut Data<'_, Toggling, Self>) {
        let (own, effects) = data.split();
        own.query::<Place>().for_each(|place| effects.insert(place, Mark(1.0)));
    }
}

impl System<Toggling> for Remove {
    fn process(&self, data: &mut Data<'_, Toggling, Self>) {
        let (own, effects) = data.split();
        own.query::<Place>().for_each(|place| effects.remove::<Mark>(place));
    }
}

world! {
    /// One entity in a hundred is despawned and replaced by another; all move.
    world Living { staged_changes: refresh_before_dependents }
    component Pos: contiguous_buffer;
    component Vel: contiguous_buffer;
    component Age: contiguous_buffer;
    system Renew {
        parallelism: split_evenly(cores),
        read: [Vel],
        write: [Age],
        despawn,
        spawn: [(Pos, Vel, Age)],
    }
    system Go { parallelism: split_evenly(cores), read: [Vel], write: [Pos], dependencies: [Renew] }
}

#[derive(Default)]
struct Renew;
#[derive(Default)]
struct Go;

impl System<Living> for Renew {
    fn process(&self, data: &mut Data<'_, Living, Self>) {
        let (own, effects) = data.split();
        own.query::<(Place, &mut Age, &Vel)>().for_each(|(place, age, vel)| {
            age.0 += 1;
            if age.0 == 100 {
                effects.despawn(place);
                effects.spawn((Pos([0.0; 3]), *vel, Age(0)));
            }
        });
    }
}

impl System<Living> for Go {
    fn process(&self, data: &mut Data<'_, Living, Self>) {
        data.for_entities(|e| moved(e.pos, *e.vel));
    }
}

/// A world and its work in a frame.
pub(super) struct Program(Box<dyn FnMut()>);

impl Program {
    pub(super) fn frame(&mut self) {
        (self.0)();
    }

    fn of<D: Declaration<Settings = S>, S: Settings>(mut world: World<D, S>) -> Self
    where
        World<D, S>: 'static,
    {
        Self(Box::new(move || {
            world.tick().expect("there is room");
        }))
    }
}

/// Makes a program with the given number of entities.
pub(super) type Make = fn(u32, Threads) -> Program;

/// All programs.
pub(super) const PROGRAMS: [(&str, Make); 3] =
    [("move", moving), ("add, remove", toggling), ("churn", living)];

fn moving(entities: u32, threads: Threads) -> Program {
    let mut world = World::<Moving>::on(threads);
    let spawned = world.step(|step| step.spawn_batch((0..entities).map(bundle)).map(drop));
    spawned.expect("nothing is staged").expect("the limit is dynamic");
    Program::of(world)
}

fn toggling(entities: u32, threads: Threads) -> Program {
    let mut world = World::<Toggling>::on(threads);
    let bundles = (0..entities).map(|n| (bundle(n).0,));
    let spawned = world.step(|step| step.spawn_batch(bundles).map(drop));
    spawned.expect("nothing is staged").expect("the limit is dynamic");
    Program::of(world)
}

fn living(entities: u32, threads: Threads) -> Program {
    let mut world = World::<Living>::on(threads);
    let bundles = (0..entities).map(|n| {
        let (pos, vel) = bundle(n);
        (pos, vel, Age(n % 100))
    });
    let spawned = world.step(|step| step.spawn_batch(bundles).map(drop));
    spawned.expect("nothing is staged").expect("the limit is dynamic");
    Program::of(world)
}
