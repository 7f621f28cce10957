//! `frame`: a frame of a game in the library, in `bevy_ecs` and in `flecs_ecs`, and how its time is distributed.
//!
//! - `cargo bench --bench frame`: a table of the 50th, 95th and 99th percentile and the maximum for 10 000 and 100 000
//!   entities, on one thread and on two, with and without a pause between frames; and a picture of the distributions.
//!   Both are also written to `frame.md` and `frame.png` in the target directory.
//! - `FRAMES=200 ROUNDS=1 cargo bench --bench frame`: with fewer frames, and with one process for each contender.
//! - A word after `--` selects the rows whose names contain it: `-- "10 000 entities, 2 threads"`.
//!   `CONTENDERS=library,flecs` leaves out the others.
//!
//! Each contender measures each row in a process of its own, and the contenders take turns. They must come to the same state.

/// The components of the game, for all libraries.
macro_rules! components {
    ($($item:item)*) => {$(
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        #[derive(bevy_ecs::component::Component, flecs_ecs::macros::Component)]
        $item
    )*};
}

/// The resources of the game, for all libraries.
macro_rules! singletons {
    ($($item:item)*) => {$(
        #[derive(Clone, Copy, Debug, Default)]
        #[derive(bevy_ecs::resource::Resource, flecs_ecs::macros::Component)]
        $item
    )*};
}

mod bevy;
mod chart;
mod flecs;
#[expect(unreachable_pub, reason = "a part of the package `benches`, too, where it is public")]
#[expect(clippy::trivially_copy_pass_by_ref, reason = "rules take what queries hand out")]
#[path = "../../../src/frame/mod.rs"]
mod frame;
#[expect(unreachable_pub, reason = "a part of the package `benches`, too, where it is public")]
#[path = "../../../src/host.rs"]
mod host;
mod library;
mod measure;
mod report;
mod rows;

use measure::Game;
use rows::Row;

/// A form of a library: its name, how it makes a game, and the least number of threads for which it differs from others.
#[derive(Clone, Copy)]
struct Contender {
    name: &'static str,
    make: fn(u32, usize) -> Box<dyn Game>,
    threads: usize,
}

const CONTENDERS: [Contender; 4] = [
    Contender { name: "library", make: library::new, threads: 1 },
    Contender { name: "bevy", make: bevy::whole, threads: 1 },
    Contender { name: "bevy, par_iter", make: bevy::split, threads: 2 },
    Contender { name: "flecs", make: flecs::new, threads: 1 },
];

fn main() {
    if let Some(task) = measure::Task::of_this_process() {
        let contender = CONTENDERS.iter().find(|contender| contender.name == task.contender);
        task.carry_out(contender.expect("it is one of them").make);
        return;
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_test = arguments.iter().any(|argument| argument == "--test");
    let words: Vec<&String> = arguments.iter().filter(|word| !word.starts_with('-')).collect();
    let chosen = std::env::var("CONTENDERS").unwrap_or_default();
    let is_chosen =
        |name: &str| chosen.is_empty() || chosen.split(',').any(|part| name.starts_with(part));
    let rows: Vec<Row> = Row::all(is_test)
        .into_iter()
        .filter(|row| words.is_empty() || words.iter().any(|&word| row.name().contains(word)))
        .collect();
    let contenders: Vec<Contender> =
        CONTENDERS.into_iter().filter(|contender| is_chosen(contender.name)).collect();
    let number = |name: &str, usual: u32| {
        std::env::var(name).map_or(usual, |text| text.parse().expect("a number"))
    };
    let (frames, rounds) =
        if is_test { (8, 1) } else { (number("FRAMES", 1_000), number("ROUNDS", 3)) };
    let measured: Vec<_> = host::beside(|| {
        rows.into_iter().map(|row| measure::in_turns(row, &contenders, frames, rounds)).collect()
    });
    report::report(&measured, frames, rounds, is_test);
}
