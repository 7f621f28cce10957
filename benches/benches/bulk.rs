//! Ten million entities on one thread: spawned by one batch, copied to a snapshot, and despawned by handle, in the order of their
//! rows and in another one; and the resident bytes after the spawns and after the despawns. Each process measures one form and one order. *By
//! hand* are vectors with handles of the same kind: an outdated one is recognised.

use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

use benches::{host, save};
use ecs_core::{Entity, Threads, World, world};

/// The environment variable that holds the task of a process: a form, the number of entities, and the order of despawns.
const TASK: &str = "BULK_TASK";

/// What is measured, in the order in which a process prints it.
const PARTS: [&str; 5] =
    ["`spawn_batch`", "resident then", "`snapshot`", "`despawn` of all", "resident then"];

/// The orders of despawns.
const ORDERS: [&str; 2] = ["in order", "shuffled"];

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
    let Ok(task) = std::env::var(TASK) else { return host::beside(tables) };
    let [form, entities, order] = task.split(';').collect::<Vec<_>>()[..] else {
        panic!("{task}: no form, number and order")
    };
    let entities = entities.parse().expect("a number");
    let is_shuffled = order == ORDERS[1];
    let figures = if form == "library" {
        library(entities, is_shuffled)
    } else {
        by_hand(entities, is_shuffled)
    };
    println!("{}", figures.map(|figure| format!("{figure:.3}")).join(" "));
}

fn tables() {
    let is_test = std::env::args().any(|argument| argument == "--test");
    let (entities, processes) = if is_test { (10_000, 1) } else { (10_000_000, 5) };
    println!(
        "{entities} entities. Nanoseconds, or resident bytes, an entity; the least of {processes} processes.\n"
    );
    println!("| despawned | | library | by hand | library / by hand |");
    println!("| :--- | :--- | ---: | ---: | ---: |");
    for order in ORDERS {
        // As long as there is no number, the least is none.
        let mut least = [[f64::NAN; PARTS.len()]; 2];
        for _ in 0..processes {
            for (form, least) in ["library", "by hand"].into_iter().zip(&mut least) {
                let figures = in_a_process(&format!("{form};{entities};{order}"));
                for (least, figure) in least.iter_mut().zip(figures) {
                    *least = least.min(figure);
                }
            }
        }
        let [library, by_hand] = least;
        for ((part, library), by_hand) in PARTS.into_iter().zip(library).zip(by_hand) {
            let ratio = library / by_hand;
            println!("| {order} | {part} | {library:.1} | {by_hand:.1} | {ratio:.2} |");
        }
    }
}

/// The figures of a task, of a process of its own.
fn in_a_process(task: &str) -> [f64; PARTS.len()] {
    let program = std::env::current_exe().expect("this program is a file");
    let output = Command::new(program).env(TASK, task).output().expect("it can be started");
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

/// The resident bytes of this process. No number where the system does not say.
fn resident() -> f64 {
    save::memory().map_or(f64::NAN, |[now, _]| now)
}

/// Puts handles into another order, always the same.
fn shuffle<T>(handles: &mut [T]) {
    let mut state = 1_u64;
    for end in (1..handles.len()).rev() {
        // Knuth's linear congruential generator; its upper half is random enough here.
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        handles.swap(end, (state >> 33) as usize % (end + 1));
    }
}

fn library(entities: usize, is_shuffled: bool) -> [f64; PARTS.len()] {
    let bytes = |before| (resident() - before) / entities as f64;
    let before = resident();
    let mut world = World::<Bulk>::on(Threads::Inline);
    let spawn = || {
        let bundles = (0..entities).map(|n| (position(n),));
        world.step(|step| step.spawn_batch(bundles).len()).expect("nothing is staged")
    };
    let (spawned, count) = timed(entities, spawn);
    assert_eq!(count, entities);
    let full = bytes(before);
    let (copied, snapshot) = timed(entities, || world.snapshot());
    drop(snapshot);
    let mut handles: Vec<Entity> = world.iter::<Entity>().collect();
    let last = handles.last().and_then(|&last| world.get::<Position>(last));
    assert_eq!(last.map(|position| position.0), Some(position(entities - 1).0));
    if is_shuffled {
        shuffle(&mut handles);
    }
    let despawn = || world.step(|step| handles.iter().for_each(|&entity| step.despawn(entity)));
    let (despawned, result) = timed(entities, despawn);
    result.expect("nothing is staged");
    assert_eq!(world.entity_count(), 0);
    drop(handles);
    [spawned, full, copied, despawned, bytes(before)]
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
            spare: Vec::with_capacity(rows),
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

    /// Slots and spare indices are kept for new entities.
    fn give_back_memory(&mut self) {
        self.handles.shrink_to_fit();
        self.positions.shrink_to_fit();
    }
}

fn by_hand(entities: usize, is_shuffled: bool) -> [f64; PARTS.len()] {
    let bytes = |before| (resident() - before) / entities as f64;
    let before = resident();
    let spawn = || {
        let mut table = Table::with_capacity(entities);
        (0..entities).for_each(|n| table.spawn(position(n)));
        table
    };
    let (spawned, mut table) = timed(entities, spawn);
    let full = bytes(before);
    let (copied, snapshot) = timed(entities, || table.clone());
    drop(snapshot);
    let mut handles = table.handles.clone();
    let last = table.positions.last().map(|position| position.0);
    assert_eq!(last, Some(position(entities - 1).0));
    if is_shuffled {
        shuffle(&mut handles);
    }
    let despawn = || {
        for &handle in &handles {
            table.despawn(handle);
        }
        table.give_back_memory();
    };
    let (despawned, ()) = timed(entities, despawn);
    assert!(table.positions.is_empty(), "no row is left");
    drop(handles);
    [spawned, full, copied, despawned, bytes(before)]
}
