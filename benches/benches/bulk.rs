//! Ten million entities at once: spawned, copied to a snapshot, despawned, and what memory they take. Beside them the same by hand, with
//! the same promises: handles that outlive no entity, values side by side, and memory that is given back. Each form and part has
//! processes of its own.

use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

use benches::{host, save};
use ecs_core::{Entity, Threads, World, world};

/// The environment variable that holds the task of a process: a form, and the number of entities.
const TASK: &str = "BULK_TASK";

/// What is measured, in the order in which a process prints it.
const PARTS: [&str; 4] = ["`spawn_batch`", "`snapshot`", "`despawn` of each", "resident bytes"];

#[derive(Clone, Copy)]
struct Position([f32; 3]);

world! {
    world Bulk;
    component Position;
}

fn position(n: usize) -> Position {
    Position([n as f32, 1.0, 2.0])
}

fn main() {
    if let Ok(task) = std::env::var(TASK) {
        let (form, entities) = task.split_once(';').expect("a form and a number");
        let entities = entities.parse().expect("a number");
        let figures = if form == "library" { library(entities) } else { by_hand(entities) };
        return println!("{}", figures.map(|figure| format!("{figure:.3}")).join(" "));
    }
    host::beside(tables);
}

fn tables() {
    let is_test = std::env::args().any(|argument| argument == "--test");
    let (sizes, processes) =
        if is_test { (&[10_000][..], 1) } else { (&[10_000_000, 50_000_000][..], 5) };
    println!("Nanoseconds, or bytes, an entity; the least of {processes} processes.\n");
    println!("| entities | | library | by hand | library / by hand |");
    println!("| ---: | :--- | ---: | ---: | ---: |");
    for &entities in sizes {
        let mut least = [[f64::MAX; PARTS.len()]; 2];
        for _ in 0..processes {
            for (form, least) in ["library", "by hand"].into_iter().zip(&mut least) {
                for (least, figure) in least.iter_mut().zip(in_a_process(form, entities)) {
                    *least = least.min(figure);
                }
            }
        }
        let [library, by_hand] = least;
        for ((part, library), by_hand) in PARTS.into_iter().zip(library).zip(by_hand) {
            println!(
                "| {entities} | {part} | {library:.1} | {by_hand:.1} | {:.2} |",
                library / by_hand
            );
        }
    }
}

/// The figures of a form, of a process of their own.
fn in_a_process(form: &str, entities: usize) -> [f64; PARTS.len()] {
    let program = std::env::current_exe().expect("this program is a file");
    let task = format!("{form};{entities}");
    let output = Command::new(program).env(TASK, &task).output().expect("it can be started");
    assert!(output.status.success(), "{task}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("numbers are text");
    let mut figures = text.split_whitespace().map(|figure| figure.parse().expect("a number"));
    core::array::from_fn(|_| figures.next().expect("a figure for each part"))
}

/// The time that `f` takes, in nanoseconds an entity, and its result.
fn timed<R>(entities: usize, f: impl FnOnce() -> R) -> (f64, R) {
    let start = Instant::now();
    let result = black_box(f());
    (start.elapsed().as_nanos() as f64 / entities as f64, result)
}

/// The result of `make`, and the bytes for each entity that have become resident.
fn measured<R>(entities: usize, make: impl FnOnce() -> R) -> (R, f64) {
    // No number where the system does not say.
    let resident = || save::memory().map_or(f64::NAN, |[now, _]| now);
    let before = resident();
    let made = make();
    (made, (resident() - before) / entities as f64)
}

fn library(entities: usize) -> [f64; PARTS.len()] {
    let mut world = World::<Bulk>::on(Threads::Inline);
    let spawn = || {
        let bundles = (0..entities).map(|n| (position(n),));
        world.step(|step| step.spawn_batch(bundles).len()).expect("nothing is staged")
    };
    let ((spawned, count), bytes) = measured(entities, || timed(entities, spawn));
    assert_eq!(count, entities);
    let (copied, snapshot) = timed(entities, || world.snapshot());
    drop(snapshot);
    let handles: Vec<Entity> = world.iter::<Entity>().collect();
    let last = handles.last().and_then(|&last| world.get::<Position>(last));
    assert_eq!(last.map(|position| position.0), Some(position(entities - 1).0));
    let despawn = || world.step(|step| handles.iter().for_each(|&entity| step.despawn(entity)));
    let (despawned, result) = timed(entities, despawn);
    result.expect("nothing is staged");
    assert_eq!(world.entity_count(), 0);
    [spawned, copied, despawned, bytes]
}

#[derive(Clone, Copy)]
struct Handle {
    index: u32,
    generation: u32,
}

#[derive(Clone, Copy)]
struct Slot {
    row: u32,
    generation: u32,
}

/// Rows of positions with handles.
#[derive(Clone)]
struct Table {
    positions: Vec<Position>,
    handles: Vec<Handle>,
    slots: Vec<Slot>,
    spare: Vec<u32>,
}

impl Table {
    fn with_capacity(rows: usize) -> Self {
        Self {
            positions: Vec::with_capacity(rows),
            handles: Vec::with_capacity(rows),
            slots: Vec::with_capacity(rows),
            spare: Vec::new(),
        }
    }

    fn spawn(&mut self, position: Position) {
        let row = self.handles.len() as u32;
        let handle = if let Some(index) = self.spare.pop() {
            let slot = &mut self.slots[index as usize];
            slot.row = row;
            Handle { index, generation: slot.generation }
        } else {
            let index = self.slots.len() as u32;
            self.slots.push(Slot { row, generation: 1 });
            Handle { index, generation: 1 }
        };
        self.handles.push(handle);
        self.positions.push(position);
    }

    /// Moves the last row to that of the entity.
    fn despawn(&mut self, handle: Handle) {
        let Some(slot) = self.slots.get_mut(handle.index as usize) else { return };
        if slot.generation != handle.generation {
            return;
        }
        slot.generation += 1;
        let row = slot.row as usize;
        self.spare.push(handle.index);
        self.handles.swap_remove(row);
        self.positions.swap_remove(row);
        if let Some(moved) = self.handles.get(row) {
            self.slots[moved.index as usize].row = row as u32;
        }
    }

    fn give_back_memory(&mut self) {
        self.handles.shrink_to_fit();
        self.positions.shrink_to_fit();
    }
}

fn by_hand(entities: usize) -> [f64; PARTS.len()] {
    let spawn = || {
        let mut table = Table::with_capacity(entities);
        (0..entities).for_each(|n| table.spawn(position(n)));
        table
    };
    let ((spawned, mut table), bytes) = measured(entities, || timed(entities, spawn));
    let (copied, snapshot) = timed(entities, || table.clone());
    drop(snapshot);
    let handles = table.handles.clone();
    let despawn = || {
        for &handle in &handles {
            table.despawn(handle);
        }
        table.give_back_memory();
    };
    let (despawned, ()) = timed(entities, despawn);
    assert!(table.positions.is_empty(), "no row is left");
    [spawned, copied, despawned, bytes]
}
