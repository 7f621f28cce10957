//! Saves and loads: of plain old data, beside copies with a checksum into memory that is there, and by `serde`, beside `postcard` of the
//! same values in vectors. Each of these has the handles of the entities, too. Each form has processes of its own, with the defaults of the
//! allocator, and with settings of glibc by which freed memory stays in the heap. Then the memory that a save takes beside the world, and
//! deltas between saves.

use std::hint::black_box;
use std::process::Command;
use std::time::{Duration, Instant};

use benches::beside::{best_of, report};
use benches::host;
use benches::save::{ByHand, Position, Vectors, forget_peak, memory, plain, serial};
use ecs_core::World;
use ecs_core::save::{self, Saveable};

/// The environment variable that holds the task of a process: a form, and the number of entities.
const TASK: &str = "SAVE_TASK";

/// Keeps freed memory in the heap, where the C library is glibc.
const KEPT: &str = "glibc.malloc.mmap_threshold=1073741824:glibc.malloc.trim_threshold=1073741824";

/// Forms that are compared with each other: the library, and what is beside it.
const PAIRS: [[&str; 2]; 2] = [["plain", "by hand"], ["serde", "postcard"]];

fn main() {
    if let Ok(task) = std::env::var(TASK) {
        return carry_out(&task);
    }
    host::beside(tables);
}

fn tables() {
    let is_test = std::env::args().any(|argument| argument == "--test");
    let sizes = if is_test { &[10_000][..] } else { &[10_000, 100_000, 1_000_000, 10_000_000] };
    deltas();
    memory_of_a_save(sizes[sizes.len() - 1]);
    for &entities in sizes {
        for (settings, title) in [("", "defaults"), (KEPT, "heap kept")] {
            for pair in PAIRS {
                let processes = if entities > 1_000_000 { 3 } else { 12 };
                let mut best = [[Duration::MAX; 2]; 2];
                for _ in 0..if is_test { 1 } else { processes } {
                    for (form, best) in pair.iter().zip(&mut best) {
                        let times = in_a_process(form, entities, settings);
                        *best = core::array::from_fn(|i| best[i].min(times[i]));
                    }
                }
                for (i, what) in ["save", "load"].into_iter().enumerate() {
                    let [library, other] = best.map(|times| times[i]);
                    report(
                        &format!("{what}/{entities}, {title}"),
                        (pair[0], library),
                        (pair[1], other),
                    );
                }
            }
        }
    }
}

/// The times of a save and a load, of a process of their own.
fn in_a_process(form: &str, entities: usize, settings: &str) -> [Duration; 2] {
    let program = std::env::current_exe().expect("this program is a file");
    let task = format!("{form};{entities}");
    let mut command = Command::new(program);
    let output = command.env(TASK, &task).env("GLIBC_TUNABLES", settings).output();
    let output = output.expect("it can be started");
    assert!(output.status.success(), "{task}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("numbers are text");
    let mut times = text.lines().map(|line| line.parse().expect("a number"));
    core::array::from_fn(|_| Duration::from_nanos(times.next().expect("there are two times")))
}

/// Measures a form, and prints the times of a save and a load in nanoseconds.
fn carry_out(task: &str) {
    let (form, entities) = task.split_once(';').expect("a form and a number");
    let entities = entities.parse().expect("a number");
    let times = match form {
        "plain" => of_world(entities, plain(entities)),
        "serde" => of_world(entities, serial(entities)),
        "by hand" => {
            let (mut values, mut copy) = (ByHand::new(entities), Vec::new());
            let save = best(entities, || {
                copy.clear();
                black_box(&values).save(&mut copy);
            });
            [save, best(entities, || values.load(black_box(&copy)))]
        }
        "postcard" => {
            let values = Vectors::new(entities);
            let bytes = values.save();
            let save = best(entities, || drop(black_box(black_box(&values).save())));
            [save, best(entities, || drop(black_box(Vectors::load(black_box(&bytes)))))]
        }
        _ => panic!("{form} is no form"),
    };
    for time in times {
        println!("{}", time.as_nanos());
    }
}

/// The times of a save and a load of a world.
fn of_world<D: Saveable>(entities: usize, mut world: World<D>) -> [Duration; 2] {
    let mut bytes = Vec::new();
    let save = best(entities, || {
        bytes.clear();
        black_box(&world).save(&mut bytes).expect("memory takes it");
    });
    [save, best(entities, || world.load(black_box(&bytes)).expect("a save"))]
}

/// The least time of ten rounds, or three of many entities; a round is as many calls as concern a million entities, or one.
fn best(entities: usize, mut f: impl FnMut()) -> Duration {
    let times = (1_000_000 / entities).max(1);
    let rounds = if entities > 1_000_000 { 3 } else { 10 };
    let mut round = || {
        let start = Instant::now();
        (0..times).for_each(|_| f());
        start.elapsed() / u32::try_from(times).expect("at most a million")
    };
    (0..rounds).map(|_| round()).min().expect("there are rounds")
}

/// Prints the most memory that this program has during a save of a world of this many entities, beside that which it has for the world.
fn memory_of_a_save(entities: usize) {
    let world = plain(entities);
    forget_peak();
    let Some([before, _]) = memory() else { return };
    world.save(std::io::sink()).expect("a sink takes it");
    let Some([_, peak]) = memory() else { return };
    println!(
        "memory/{entities}: world {:.0} MB, during a save {:.0} MB, ratio {:.3}",
        before / 1e6,
        peak / 1e6,
        peak / before
    );
}

/// Deltas between two saves of 100 000 entities, where some have another position.
fn deltas() {
    let mut world = plain(100_000);
    let mut base = Vec::new();
    world.save(&mut base).expect("memory takes it");
    for (changed, count) in
        [("nothing", 0), ("1 % of one component", 1_000), ("one component", 100_000)]
    {
        let distance = 100_000 / count.max(1);
        for position in world.iter_mut::<&mut Position>().step_by(distance).take(count) {
            position.0 = position.0.map(|x| x * 1.5 + 1.0);
        }
        let mut save = Vec::new();
        world.save(&mut save).expect("memory takes it");
        let delta = save::delta(&base, &save);
        let (made, applied) = best_of(
            10,
            || drop(black_box(save::delta(black_box(&base), black_box(&save)))),
            || drop(black_box(save::apply_delta(black_box(&base), black_box(&delta)))),
        );
        assert!(save::apply_delta(&base, &delta).as_ref() == Ok(&save));
        let title = format!("delta/{changed}: {} of {} bytes", delta.len(), save.len());
        report(&title, ("made", made), ("applied", applied));
        base = save;
    }
}
