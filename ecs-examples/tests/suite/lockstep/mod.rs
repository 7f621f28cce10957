//! Lockstep: worlds with the same inputs never differ, on any threads, and reach the same states
//! again when they are rolled back and replayed.

mod game;

use std::sync::Arc;
use std::time::{Duration, Instant};

use ecs_core::settings::{AtomicCounter, Config, Disallow, Dynamic, Fixed, Sequential};
use ecs_core::{Snapshot, Threads, World};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

use game::{Input, Space, play};

/// The number of frames that a rollback goes back.
const FRAMES_BACK: usize = 60;

fn pool(threads: usize) -> Threads {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    Threads::Pool(Arc::new(pool.expect("threads to make a pool of")))
}

/// The inputs of one frame: of up to four players.
fn inputs(random: &mut Pcg64Mcg) -> Vec<Input> {
    let all = (1..=4).filter_map(|player| {
        let number = random.next_u64();
        (number >> 60 < 9).then_some(Input { player, number })
    });
    all.collect()
}

/// Plays `frames` frames, or until `time` is over; returns the number of frames and the highest number of ships.
fn lockstep(seed: u64, frames: usize, time: Duration) -> (usize, usize) {
    type Other = Config<Dynamic<8>, Disallow, Sequential>;
    type Roomy = Config<Fixed<200_000>, ecs_core::settings::Allow, AtomicCounter>;
    let mut one = World::<Space>::on(pool(4));
    let mut two = World::<Space, Roomy>::on(pool(2));
    let mut three = World::<Space, Other>::on(Threads::Inline);
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut ring: Vec<Snapshot<Space>> = (0..FRAMES_BACK).map(|_| one.snapshot()).collect();
    let mut played: Vec<Vec<Input>> = Vec::new();
    let mut hashes: Vec<u64> = Vec::new();
    let mut most = 0;
    let start = Instant::now();
    while played.len() < frames && start.elapsed() < time {
        let frame = played.len();
        one.snapshot_into(&mut ring[frame % FRAMES_BACK]);
        played.push(inputs(&mut random));
        let now = &played[frame];
        play(&mut one, now);
        play(&mut two, now);
        play(&mut three, now);
        let hash = one.state_hash();
        assert_eq!([two.state_hash(), three.state_hash()], [hash; 2], "seed {seed}, frame {frame}");
        hashes.push(hash);
        most = most.max(one.entity_count());
        if frame % 37 == 36 && frame >= FRAMES_BACK {
            // The world on four threads, and a new one, replay the last second; at times the new one replaces `two`.
            let from = frame + 1 - FRAMES_BACK;
            let snapshot = &ring[from % FRAMES_BACK];
            one.restore(snapshot).expect("a dynamic limit");
            let mut joined = World::<Space, Roomy>::on(pool(3));
            joined.restore(snapshot).expect("enough room");
            for (again, inputs) in played.iter().enumerate().skip(from) {
                play(&mut one, inputs);
                play(&mut joined, inputs);
                let found = [one.state_hash(), joined.state_hash()];
                assert_eq!(found, [hashes[again]; 2], "seed {seed}, frame {again} of {frame}");
            }
            if frame.is_multiple_of(5) {
                two = joined.clone();
            }
        }
    }
    (played.len(), most)
}

#[test]
fn worlds_in_lockstep_never_differ() {
    let (frames, most) = lockstep(1, 400, Duration::MAX);
    assert_eq!(frames, 400);
    assert!(most > 500, "{most} ships at most");
}

#[test]
#[ignore = "takes ten minutes: run it on demand, in release"]
fn worlds_in_lockstep_never_differ_for_ten_minutes() {
    let start = Instant::now();
    let whole = Duration::from_mins(10);
    for seed in 2.. {
        let Some(rest) = whole.checked_sub(start.elapsed()) else { break };
        lockstep(seed, 5_000, rest);
    }
}
