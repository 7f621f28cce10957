//! Five programs, each in three libraries. With the name of a program and of a library, it runs that one; without, it
//! prints how long they are: `cargo run -p programs`.
//!
//! A line counts unless it is blank or a comment. Of a line, the characters count from the first that is not white
//! space, and a run of white space counts as one. Ends of lines do not count. All programs have rustfmt's default style;
//! the inside of `world!`, which rustfmt leaves alone, has lines of at most 100 columns.

#![expect(clippy::needless_range_loop, reason = "coordinates of several vectors")]

mod boids {
    pub mod bevy;
    pub mod hecs;
    pub mod ours;
}
mod counter {
    pub mod bevy;
    pub mod hecs;
    pub mod ours;
}
mod inventory {
    pub mod bevy;
    pub mod hecs;
    pub mod ours;
}
mod rockets {
    pub mod bevy;
    pub mod hecs;
    pub mod ours;
}
mod tower_defence {
    pub mod bevy;
    pub mod hecs;
    pub mod ours;
}

/// A program in one library.
struct Version {
    main: fn(),
    text: &'static str,
}

/// A program, by its name, in `ecs_core`, `bevy_ecs` and `hecs`.
type Program = (&'static str, [Version; 3]);

/// The libraries, in the order of the versions.
const LIBRARIES: [&str; 3] = ["ours", "bevy", "hecs"];

macro_rules! programs {
    ($($name:ident),+) => {
        [$((
            stringify!($name),
            [
                Version { main: $name::ours::main, text: include_str!(concat!(stringify!($name), "/ours.rs")) },
                Version { main: $name::bevy::main, text: include_str!(concat!(stringify!($name), "/bevy.rs")) },
                Version { main: $name::hecs::main, text: include_str!(concat!(stringify!($name), "/hecs.rs")) },
            ],
        )),+]
    };
}

const PROGRAMS: [Program; 5] = programs![rockets, tower_defence, inventory, boids, counter];

/// The lines and the characters that count.
fn lengths(text: &str) -> [usize; 2] {
    let mut lengths = [0; 2];
    for line in text.lines().map(str::trim) {
        if !line.is_empty() && !line.starts_with("//") {
            let words = line.split_whitespace();
            lengths[0] += 1;
            lengths[1] += words.map(|word| word.chars().count() + 1).sum::<usize>() - 1;
        }
    }
    lengths
}

/// Prints the table. Fails if a program in `ecs_core` is longer than permitted.
fn table() {
    println!(
        "| program | lines: ours | bevy | hecs | ours / bevy | characters: ours | bevy | hecs | ours / bevy |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    let mut too_long = Vec::new();
    for (name, versions) in &PROGRAMS {
        let [ours, bevy, hecs] = versions.each_ref().map(|version| lengths(version.text));
        print!("| {name} ");
        for (i, limit) in [(0, 1.0), (1, 1.15)] {
            let ratio = ours[i] as f64 / bevy[i] as f64;
            print!("| {} | {} | {} | {ratio:.2} ", ours[i], bevy[i], hecs[i]);
            if ratio > limit {
                too_long.push(*name);
            }
        }
        println!("|");
    }
    assert!(
        too_long.is_empty(),
        "more than 1.0 × bevy's lines or 1.15 × its characters: {too_long:?}"
    );
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [program, library] = &arguments[..] else {
        return table();
    };
    let (_, versions) = PROGRAMS
        .iter()
        .find(|(name, _)| name == program)
        .expect("no such program");
    let library = LIBRARIES
        .iter()
        .position(|name| name == library)
        .expect("no such library");
    (versions[library].main)();
}
