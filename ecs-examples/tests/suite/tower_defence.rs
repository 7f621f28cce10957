//! The designs of the tower defence compute the same bits.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use ecs_core::Threads;
use ecs_examples::tower_defence::library::Game;
use ecs_examples::tower_defence::rules::{Score, Size, State};
use ecs_examples::tower_defence::{Design, VERSIONS};
use rayon::{ThreadPool, ThreadPoolBuilder};

fn pool(threads: usize) -> Arc<ThreadPool> {
    Arc::new(ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started"))
}

/// Compares all designs after each of these frames, and returns the last state. The library runs a second time on threads
/// that share also what is not worth it.
fn compare(size: Size, frames: u32, threads: usize) -> State {
    let pool = pool(threads);
    let eager: Box<dyn Design> = Box::new(Game::new(size, Threads::Eager(Arc::clone(&pool))));
    let games = VERSIONS.map(|version| (version.name, (version.start)(size, &pool)));
    let mut games: Vec<_> = games.into_iter().chain([("library, split", eager)]).collect();
    let mut last = State::default();
    for frame in 1..=frames {
        for (index, (name, game)) in games.iter_mut().enumerate() {
            game.frame();
            let state = game.state();
            if index == 0 {
                last = state;
            } else {
                assert!(state == last, "{name}: frame {frame}, {threads} threads, {size:?}");
            }
        }
    }
    last
}

#[test]
fn the_designs_agree() {
    for threads in [1, 2, 3, 8] {
        let state = compare(Size { enemies: 400, towers: 30 }, 240, threads);
        let [enemies, towers, bullets, particles] = state.counts();
        assert_eq!(towers, 30);
        assert!(enemies > 100 && bullets > 10 && particles > 10, "{:?}", state.counts());
        assert!(state.score().killed > 10 && state.score().hits > 100, "{:?}", state.score());
    }
}

#[test]
fn they_agree_for_few_and_for_many_entities() {
    for (enemies, towers) in [(0, 0), (0, 4), (1, 0), (1, 1), (7, 300)] {
        let state = compare(Size { enemies, towers }, 120, 2);
        assert_eq!(state.counts()[1], towers as usize);
    }
    // Loops are split over several tasks.
    for threads in [1, 2, 3, 8] {
        compare(Size { enemies: 6_000, towers: 200 }, 60, threads);
    }
}

#[test]
fn enemies_reach_the_end_of_the_path() {
    let state = compare(Size { enemies: 30, towers: 1 }, 3_000, 2);
    let Score { killed, escaped, hits } = state.score();
    assert!(escaped > 0, "{killed} killed, {escaped} escaped, {hits} hits");
}

/// What the subcommand prints.
fn printed(directory: &Path, flags: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_particles"))
        .args("tower-defence --enemies 300 --towers 20 --frames 40 --out .".split(' '))
        .args(flags.split(' '))
        .current_dir(directory)
        .output()
        .expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it prints text")
}

#[test]
fn the_command_has_a_row_for_each_run_and_draws_a_picture() {
    let directory = tempfile::tempdir().expect("there is room for it");
    for (threads, rows) in [(1, 5), (2, 7)] {
        let text = printed(directory.path(), &format!("--threads {threads}"));
        let table = text.lines().filter(|line| line.starts_with('│')).count();
        assert_eq!(table, 1 + rows, "{text}");
        assert!(text.contains(&format!("{rows} runs, 140 frames, one state")), "{text}");
        let picture = directory.path().join("tower-defence.png");
        let bytes = fs::read(&picture).expect("the picture is written");
        assert!(bytes.starts_with(b"\x89PNG"));
        fs::remove_file(picture).expect("it is a file");
    }
}
