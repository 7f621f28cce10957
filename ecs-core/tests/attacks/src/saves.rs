//! Bytes that are loaded: those of a save with changes, or any. The checksum is always right, as a forger's would be.
//!
//! Each gives an error, and the world is as it was; or a world, which goes on, and is saved and loaded again.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use ecs_core::scheduler::Sequential;
use ecs_core::settings::{Allow, ByArchetype, Config, Disallow, Dynamic, Settings};
use ecs_core::{Entity, LoadError, Mut, SaveFormat, StateHash, Threads, World, world};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

#[derive(Clone, Copy, Debug, StateHash, bytemuck::NoUninit, bytemuck::CheckedBitPattern)]
#[repr(C)]
struct Aim {
    of: Entity,
    is_hot: bool,
    pad: [u8; 3],
}

#[derive(Clone, Debug, StateHash, Serialize, Deserialize)]
struct Name(String);

#[derive(Clone, Copy, Debug, StateHash, Serialize, Deserialize)]
struct Level(u16);

#[derive(Clone, Debug, StateHash, Serialize, Deserialize)]
struct Note(Option<Box<u32>>);

#[derive(Clone, Copy, Debug, Default, StateHash)]
struct Tag;

#[derive(Clone, Debug, Default, StateHash, Serialize, Deserialize)]
struct Log(Vec<Entity>);

#[derive(Clone, Debug, StateHash, Serialize, Deserialize)]
struct Died(String);

#[derive(Clone, Debug, StateHash, Serialize, Deserialize)]
struct Hit(u8);

struct ChildOf;

#[derive(Clone, Debug, StateHash, Serialize, Deserialize)]
struct Likes(String);

world! {
    world Ark { seed: 3 }
    component Aim, Name;
    component (Level, Note): contiguous_buffer;
    component Tag: empty;
    resource Log;
    event Died: keep(2);
    event Hit: addressed, delayed;
    relation ChildOf: one_to_many, on_despawn: despawn;
    relation Likes: many_to_many, on_despawn: detach;
    state Mode { Calm, Wild }

    system Rise { opt_in, each: |level: &mut Level| level.0 = level.0.wrapping_add(1) }
    system Rename { in: Wild, each: |mut name: Mut<Name>, aim: &Aim| if aim.is_hot { name.0.push('!') } }
    system Keep {
        on: [Died, Hit],
        read: [Name],
        changed: [Name],
        removed: [Note],
        write_resources: [Log],
        dependencies: [Rename],
        run: |data| {
            let died = data.effects.events::<Died>().map(|died| died.0.len()).sum::<usize>();
            let removed = data.own.removed::<Note>().map(|(entity, _)| entity);
            let log = data.resources.get_mut::<Log>();
            log.0.extend(removed);
            log.0.extend(data.own.changed::<Name, Entity>().take(died));
            log.0.truncate(20);
        },
    }
}

type Plain = Config<Dynamic<0>, Disallow, Sequential>;
type Sorted = Config<ByArchetype<0>, Allow, Sequential>;

/// A world with a bit of everything.
fn ark<S: Settings>() -> World<Ark, S> {
    let mut world = World::<Ark, S>::on(Threads::Inline);
    let filled = world.step(|step| {
        let first = step.spawn((Name("Noah".into()), Level(600)));
        let all = [1, 2, 3].map(|n| {
            let aim = Aim { of: first, is_hot: n == 2, pad: [0; 3] };
            let animal = step.spawn((aim, Name(format!("animal {n}")), Note(Some(Box::new(n)))));
            step.link::<ChildOf>(animal, first);
            animal
        });
        step.insert(first, Tag).expect("it is alive");
        step.subscribe::<Rise>(first).expect("it is alive");
        step.insert_link(all[0], all[1], Likes("much".into()));
        step.spawn((Level(1),));
        all
    });
    let all = filled.expect("links are right");
    world.set_state(Mode::Wild);
    world.tick().expect("nothing is refused");
    world.emit(Died("raven".into()));
    world.send(all[1], Hit(3));
    world.remove_many::<(Note,)>(all[2]);
    world.despawn(all[0]);
    world
}

/// The save of a world, with lengths of values, without its checksum.
fn save<S: Settings>(world: &World<Ark, S>) -> Vec<u8> {
    let mut save = Vec::new();
    SaveFormat::new().with_lengths().save(world, &mut save).expect("memory takes it");
    save.truncate(save.len() - 8);
    save
}

/// Errors and worlds so far.
static COUNTS: [AtomicU64; 2] = [AtomicU64::new(0), AtomicU64::new(0)];

/// How many loads have given an error, and how many a world.
#[must_use]
pub fn counts() -> [u64; 2] {
    COUNTS.each_ref().map(|count| count.load(Relaxed))
}

/// Loads the bytes, or a save that is changed as the bytes say.
///
/// # Panics
/// If the library breaks a promise.
pub fn run(bytes: &[u8]) {
    static SAVES: OnceLock<[Vec<u8>; 2]> = OnceLock::new();
    let saves = SAVES.get_or_init(|| [save(&ark::<Plain>()), save(&ark::<Sorted>())]);
    let sorted = bytes.len() % 2 == 1;
    let mut bytes = if bytes.starts_with(b"ecsworld") {
        bytes.to_vec()
    } else {
        changed(&saves[usize::from(sorted)], bytes)
    };
    let hash = xxh3_64(&bytes);
    bytes.extend_from_slice(&hash.to_le_bytes());
    if sorted { load::<Sorted>(&bytes) } else { load::<Plain>(&bytes) }
}

/// The save with changes: for each four bytes one, as place, kind and value.
fn changed(save: &[u8], changes: &[u8]) -> Vec<u8> {
    let mut save = save.to_vec();
    for &[low, high, kind, value] in changes.as_chunks().0.iter().take(4) {
        let at = usize::from(u16::from_le_bytes([low, high])) % save.len();
        let end = (at + 8).min(save.len());
        match kind % 8 {
            0 => save[at] = value,
            1 => save[at] ^= 1 << (value % 8),
            2 => save[at..end].fill(value),
            3 => save[at] = save[at].wrapping_add(1),
            4 => save[at] = save[at].wrapping_sub(1),
            5 => drop(save.drain(at..(at + usize::from(value % 16)).min(save.len()))),
            6 => {
                let copy = save[at..(at + usize::from(value % 32)).min(save.len())].to_vec();
                save.splice(at..at, copy);
            }
            _ => save.truncate(at.max(1)),
        }
        if save.is_empty() {
            break;
        }
    }
    save
}

mod raft {
    //! A program that knows little.

    ecs_core::world! { pub(super) world Raft { seed: 3 } component Aim; }

    use super::Aim;
}

/// Loads into a program that knows little, and writes what it has kept, of fewer entities.
fn load_keeping<S: Settings>(bytes: &[u8]) {
    let format = || SaveFormat::new().keep_unknown().without("ChildOf").without("Likes");
    let mut raft = World::<raft::Raft, S>::on(Threads::Inline);
    let Ok(unknown) = format().load_keeping(&mut raft, bytes) else {
        assert_eq!(raft.entity_count(), 0, "the world is as it was");
        return;
    };
    let first = raft.iter::<Entity>().next();
    let _ = first.map(|first| raft.despawn(first));
    let mut saves = [Vec::new(), Vec::new()];
    format().save_keeping(&raft, &unknown, &mut saves[0]).expect("memory takes it");
    let kept = format().load_keeping(&mut raft, &saves[0]).expect("a save of the library");
    format().save_keeping(&raft, &kept, &mut saves[1]).expect("memory takes it");
    assert_eq!(saves[0], saves[1], "what is kept stays as it is");
}

fn load<S: Settings>(bytes: &[u8]) {
    load_keeping::<S>(bytes);
    let mut world = World::<Ark, S>::on(Threads::Inline);
    let _ = world.step(|step| step.spawn((Name("before".into()), Level(2))));
    let before = world.state_hash();
    let loaded = world.load(bytes);
    COUNTS[usize::from(loaded.is_ok())].fetch_add(1, Relaxed);
    match loaded {
        Err(LoadError::Checksum) => panic!("the checksum is right"),
        Err(_) => assert_eq!(world.state_hash(), before, "the world is as it was"),
        Ok(()) => {
            let again = {
                let mut save = Vec::new();
                world.save(&mut save).expect("memory takes it");
                save
            };
            let mut other = World::<Ark, S>::on(Threads::Inline);
            other.load(&again).expect("a save of the library");
            for _ in 0..3 {
                assert_eq!(world.state_hash(), other.state_hash(), "both are the same");
                let [one, two] = [world.tick(), other.tick()];
                assert_eq!(one.is_ok(), two.is_ok());
                let ends = [&mut world, &mut other].map(|world| {
                    world.step(|step| {
                        let first = step.iter::<Entity>().next();
                        let new = step.spawn((Name("new".into()),));
                        if let Some(first) = first {
                            step.relink::<ChildOf>(first, new);
                            step.insert_link(new, first, Likes("well".into()));
                            step.despawn(first);
                        }
                        new
                    })
                });
                assert_eq!(ends[0].as_ref().ok(), ends[1].as_ref().ok());
            }
        }
    }
}
