//! The programs that run in the frames.

use ecs_core::Declaration;
use ecs_core::settings::Settings;
use ecs_core::{Data, Place, Threads, World, world};

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
    world Moving;
    component Pos, Vel;
    system Move { parallelism: split_evenly(cores), each: |pos: &mut Pos, vel: &Vel| moved(pos, *vel) }
}

world! {
    /// All entities get a component, and lose it.
    world Toggling { staged_changes: refresh_before_dependents }
    component Pos, Mark;
    system Add {
        parallelism: split_evenly(cores),
        with: [Pos],
        insert: [Mark],
        run: |Data { own, effects, .. }| own.query::<Place>().for_each(|place| effects.insert(place, Mark(1.0))),
    }
    system Remove {
        parallelism: split_evenly(cores),
        dependencies: [Add],
        with: [Mark],
        remove: [Mark],
        run: |Data { own, effects, .. }| own.query::<Place>().for_each(|place| effects.remove::<Mark>(place)),
    }
}

world! {
    /// One entity in a hundred is despawned and replaced by another; all move.
    world Living { staged_changes: refresh_before_dependents }
    component Pos, Vel, Age;
    system Renew {
        parallelism: split_evenly(cores),
        read: [Vel],
        write: [Age],
        despawn,
        spawn: [(Pos, Vel, Age)],
        run: renew,
    }
    system Go {
        parallelism: split_evenly(cores),
        dependencies: [Renew],
        each: |pos: &mut Pos, vel: &Vel| moved(pos, *vel),
    }
}

fn renew(data: &mut Data<'_, Living, Renew>) {
    let Data { own, effects, .. } = data;
    own.query::<(Place, &mut Age, &Vel)>().for_each(|(place, age, vel)| {
        age.0 += 1;
        if age.0 == 100 {
            effects.despawn(place);
            effects.spawn((Pos([0.0; 3]), *vel, Age(0)));
        }
    });
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
    let spawned = world.step(|step| {
        step.spawn_batch((0..entities).map(bundle));
    });
    spawned.expect("nothing is staged");
    Program::of(world)
}

fn toggling(entities: u32, threads: Threads) -> Program {
    let mut world = World::<Toggling>::on(threads);
    let bundles = (0..entities).map(|n| (bundle(n).0,));
    let spawned = world.step(|step| {
        step.spawn_batch(bundles);
    });
    spawned.expect("nothing is staged");
    Program::of(world)
}

fn living(entities: u32, threads: Threads) -> Program {
    let mut world = World::<Living>::on(threads);
    let bundles = (0..entities).map(|n| {
        let (pos, vel) = bundle(n);
        (pos, vel, Age(n % 100))
    });
    let spawned = world.step(|step| {
        step.spawn_batch(bundles);
    });
    spawned.expect("nothing is staged");
    Program::of(world)
}
