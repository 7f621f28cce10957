//! Runs the particle simulation, the churn benchmark and the tower defence in small, and prints a hash of each state.
//!
//! Every build prints the same lines: with and without optimisation, for any instruction set, and for WebAssembly.
//! `.ci/same-bits` compares them.

use std::error::Error;
use std::sync::Arc;

use ecs_core::settings::{Allow, AtomicCounter, Config, Dynamic};
use ecs_examples::churn::{self, LifeWorld};
use ecs_examples::particles::{self, DiscWorld, random_discs};
use ecs_examples::simulation::Simulation;
use ecs_examples::tower_defence::VERSIONS;
use ecs_examples::tower_defence::rules::Size;
use rayon::{ThreadPool, ThreadPoolBuilder};

type Settings = Config<Dynamic<1_000>, Allow, AtomicCounter>;

fn main() -> Result<(), Box<dyn Error>> {
    // WebAssembly has one thread.
    let pool = Arc::new(ThreadPoolBuilder::new().num_threads(1).use_current_thread().build()?);
    particles(&pool)?;
    churn(&pool)?;
    tower_defence(&pool);
    Ok(())
}

/// Discs that collide, fade and die. The hash of a save is that of all its bytes.
fn particles(pool: &Arc<ThreadPool>) -> Result<(), Box<dyn Error>> {
    let mut game = DiscWorld::<Settings>::new(pool, random_discs(3_000, 1))?;
    for _ in 0..140 {
        game.frame()?;
    }
    let mut save = Vec::new();
    game.world().save(&mut save)?;
    print("particles", game.alive(), particles::state_hash(&game, |index| index));
    print("particles, whole world", game.alive(), game.world().state_hash());
    print("particles, saved", game.alive(), xxhash_rust::xxh3::xxh3_64(&save));
    Ok(())
}

/// Entities that despawn and leave others.
fn churn(pool: &Arc<ThreadPool>) -> Result<(), Box<dyn Error>> {
    let mut world = LifeWorld::<Settings>::new(pool, 1_000, 1)?;
    for _ in 0..200 {
        world.frame()?;
    }
    print("churn", world.alive(), churn::state_hash(&world));
    Ok(())
}

/// All designs of the game.
fn tower_defence(pool: &Arc<ThreadPool>) {
    for version in VERSIONS {
        let mut game = (version.start)(Size { enemies: 1_000, towers: 100 }, pool);
        for _ in 0..200 {
            game.frame();
        }
        let state = game.state();
        let entities = state.counts().into_iter().sum();
        print(&format!("tower defence, {}", version.name), entities, state.checksum());
    }
}

fn print(world: &str, entities: usize, hash: u64) {
    println!("{world}, {entities} entities: {hash:016x}");
}
