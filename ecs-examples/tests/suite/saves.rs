//! The programs' worlds are saved in the middle of a run, and go on elsewhere with the same bits.

use std::sync::Arc;

use ecs_core::scheduler::Sequential;
use ecs_core::settings::{
    Allow, AtomicCounter, ByArchetype, Config, Disallow, Dynamic, Fixed, Settings,
};
use ecs_core::{Hashable, Saveable, Threads, World};
use ecs_examples::churn::LifeWorld;
use ecs_examples::particles::{DiscWorld, random_discs};
use ecs_examples::simulation::Simulation;
use ecs_examples::tower_defence::Design;
use ecs_examples::tower_defence::library::Game;
use ecs_examples::tower_defence::rules::Size;
use rayon::{ThreadPool, ThreadPoolBuilder};

type Growing = Config<Dynamic<64>, Allow, AtomicCounter>;
type Whole = Config<Fixed<60_000>, Disallow, Sequential>;
/// Where rows lie by archetype, entities have another order.
type Sorted = Config<ByArchetype<64>, Allow, AtomicCounter>;
type SortedWhole = Config<ByArchetype<9_000>, Disallow, Sequential>;

/// The steps after the save.
const STEPS: u32 = 200;

fn pool(threads: usize) -> Arc<ThreadPool> {
    Arc::new(ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started"))
}

/// The state hashes of a world of these settings that goes on from the save, and how it is saved at last.
fn go_on<D: Saveable + Hashable, S: Settings>(
    save: &[u8],
    threads: Threads,
) -> (Vec<u64>, Vec<u8>) {
    let mut world = World::<D, S>::on(threads);
    world.load(save).expect("it was saved");
    let mut hashes = vec![world.state_hash()];
    for _ in 0..STEPS {
        world.tick().expect("there is room");
        hashes.push(world.state_hash());
    }
    let mut last = Vec::new();
    world.save(&mut last).expect("it can be saved");
    (hashes, last)
}

/// Compares worlds that go on from the save with the hashes of the program that was saved.
fn compare<D: Saveable + Hashable, A: Settings, B: Settings>(save: &[u8], hashes: &[u64]) {
    assert_ne!(hashes[0], hashes[STEPS as usize], "something happens");
    let all = [
        go_on::<D, A>(save, Threads::Pool(pool(1))),
        go_on::<D, A>(save, Threads::Pool(pool(2))),
        go_on::<D, A>(save, Threads::Eager(pool(8))),
        go_on::<D, B>(save, Threads::Eager(pool(3))),
    ];
    for (found, last) in &all {
        let first = found.iter().zip(hashes).position(|(found, expected)| found != expected);
        assert_eq!(first, None, "the step after the save that differs");
        assert!(*last == all[0].1, "the last states have the same bytes");
    }
}

/// Saves the world, then calls `frame` and hashes it. Other worlds with the settings `A` and `B` go on, too.
fn save_and_go_on<P, D: Saveable + Hashable, S: Settings, A: Settings, B: Settings>(
    program: &mut P,
    world: fn(&P) -> &World<D, S>,
    frame: fn(&mut P),
) {
    let mut save = Vec::new();
    world(program).save(&mut save).expect("it can be saved");
    let mut hashes = vec![world(program).state_hash()];
    for _ in 0..STEPS {
        frame(program);
        hashes.push(world(program).state_hash());
    }
    compare::<D, A, B>(&save, &hashes);
}

/// The discs fade and die after 600 frames or so: some are dead when the world is saved.
#[test]
fn particles_go_on() {
    let mut discs =
        DiscWorld::<Growing>::new(&pool(2), random_discs(600, 1)).expect("there is room");
    let frame = |discs: &mut DiscWorld<_>| _ = discs.frame().expect("there is room");
    (0..60).for_each(|_| frame(&mut discs));
    save_and_go_on::<_, _, _, Growing, Whole>(&mut discs, DiscWorld::world, frame);
}

#[test]
fn churn_goes_on() {
    let mut lives = LifeWorld::<Growing>::new(&pool(2), 500, 1).expect("there is room");
    let frame = |lives: &mut LifeWorld<_>| _ = lives.frame().expect("there is room");
    (0..40).for_each(|_| frame(&mut lives));
    save_and_go_on::<_, _, _, Growing, Whole>(&mut lives, LifeWorld::world, frame);
}

/// Enemies, bullets on their way, and hits.
#[test]
fn tower_defence_goes_on() {
    let size = Size { enemies: 300, towers: 40 };
    let mut game = Game::new(size, Threads::Pool(pool(2)));
    (0..60).for_each(|_| game.frame());
    save_and_go_on::<_, _, _, Sorted, SortedWhole>(&mut game, Game::world, Game::frame);
}
