//! Bytes that are loaded: those of a save with changes, or any. The checksum is always right, as a forger's would be.
//!
//! Each gives an error, and the world is as it was; or a world, which goes on, and is saved and loaded again. The first byte
//! says what is loaded: a world, unknown parts, a prefab, a delta, or text.

use std::cell::Cell;
use std::ptr::from_ref;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread::LocalKey;

use ecs_core::scheduler::Sequential;
use ecs_core::settings::{Allow, ByArchetype, Config, Disallow, Dynamic, Settings};
use ecs_core::{
    Entity, LoadError, MapEntities, Mut, Prefab, SaveFormat, StateHash, TextFormat, Threads, World,
    save, world,
};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

#[derive(
    Clone,
    Copy,
    Debug,
    StateHash,
    MapEntities,
    Serialize,
    Deserialize,
    bytemuck::NoUninit,
    bytemuck::CheckedBitPattern,
)]
#[repr(C)]
struct Aim {
    #[entities]
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

#[derive(Clone, Copy, Debug, Default, StateHash, Serialize, Deserialize)]
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

/// What is loaded, as it is without changes, and without a checksum.
struct Bases {
    plain: Vec<u8>,
    sorted: Vec<u8>,
    prefab: Vec<u8>,
    /// From one save to another.
    delta: [Vec<u8>; 2],
    text: String,
    prefab_text: String,
}

impl Bases {
    fn get() -> &'static Self {
        static BASES: OnceLock<Bases> = OnceLock::new();
        BASES.get_or_init(|| {
            let mut world = ark::<Plain>();
            let all: Vec<Entity> = world.iter::<Entity>().collect();
            let prefab = world.prefab(all).expect("they are alive");
            let mut of_prefab = Vec::new();
            prefab.save(&mut of_prefab).expect("memory takes it");
            let plain = save(&world);
            let (text, prefab_text) = (text().save(&world), prefab_text().save_prefab(&prefab));
            let base = with_checksum(plain.clone());
            world.tick().expect("nothing is refused");
            let delta = save::delta(&base, &with_checksum(save(&world)));
            Self {
                sorted: save(&ark::<Sorted>()),
                prefab: without_checksum(of_prefab),
                delta: [base, delta],
                text: text.expect("what is listed has text"),
                prefab_text: prefab_text.expect("all of it is listed"),
                plain,
            }
        })
    }
}

/// The save of a world, with lengths of values, without its checksum.
fn save<S: Settings>(world: &World<Ark, S>) -> Vec<u8> {
    let mut save = Vec::new();
    SaveFormat::new().with_lengths().save(world, &mut save).expect("memory takes it");
    without_checksum(save)
}

fn without_checksum(mut save: Vec<u8>) -> Vec<u8> {
    save.truncate(save.len() - 8);
    save
}

fn with_checksum(mut save: Vec<u8>) -> Vec<u8> {
    let hash = xxh3_64(&save);
    save.extend_from_slice(&hash.to_le_bytes());
    save
}

/// The format of worlds as text, with some parts as bytes.
fn text() -> TextFormat<Ark> {
    TextFormat::new().component::<Name>().component::<Level>().component::<Note>().resource::<Log>()
}

/// The format of prefabs as text.
fn prefab_text() -> TextFormat<Ark> {
    text().component::<Aim>().component::<Tag>()
}

/// Errors and loads so far, of each thing that is loaded.
static COUNTS: [[AtomicU64; 2]; 7] = [const { [const { AtomicU64::new(0) }; 2] }; 7];

/// For each thing that is loaded, how many times that gave an error, and how many times not.
#[must_use]
pub fn counts() -> Vec<[u64; 2]> {
    COUNTS.iter().map(|both| both.each_ref().map(|count| count.load(Relaxed))).collect()
}

/// Counts a load.
fn count(which: usize, is_loaded: bool) {
    COUNTS[which][usize::from(is_loaded)].fetch_add(1, Relaxed);
}

/// Loads something that is changed as the bytes say, or the bytes themselves. The first byte says what.
///
/// # Panics
/// If the library breaks a promise.
pub fn run(bytes: &[u8]) {
    let Some((&what, bytes)) = bytes.split_first() else { return };
    let bases = Bases::get();
    let of = |base: &[u8]| {
        let is_save = bytes.starts_with(b"ecsworld");
        with_checksum(if is_save { bytes.to_vec() } else { changed(base, bytes) })
    };
    match what % 32 {
        0..19 => count(0, load(&PLAIN, |world| read(world, &of(&bases.plain)))),
        // Its tables have some thousand rows.
        19 => count(1, load(&SORTED, |world| read(world, &of(&bases.sorted)))),
        20..24 => count(2, load_keeping(&of(&bases.plain))),
        24..28 => count(3, load_prefab(&of(&bases.prefab))),
        28 | 29 => {
            let [base, delta] = &bases.delta;
            let save = save::apply_delta(base, &changed(delta, bytes));
            count(4, save.is_ok_and(|save| load(&PLAIN, |world| read(world, &save))));
        }
        30 => {
            let bytes = changed(bases.text.as_bytes(), bytes);
            let text = String::from_utf8_lossy(&bytes);
            count(5, load(&PLAIN, |world| read_text(world, &text)));
        }
        _ => {
            let bytes = changed(bases.prefab_text.as_bytes(), bytes);
            let text = String::from_utf8_lossy(&bytes);
            let prefab = READER.with(|world| prefab_text().load_prefab(world, &text));
            count(6, prefab.is_ok_and(|prefab| spawn(&prefab)));
        }
    }
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
fn load_keeping(bytes: &[u8]) -> bool {
    let format = || SaveFormat::new().keep_unknown().without("ChildOf").without("Likes");
    let mut raft = World::<raft::Raft, Plain>::on(Threads::Inline);
    let Ok(unknown) = format().load_keeping(&mut raft, bytes) else {
        assert_eq!(raft.entity_count(), 0, "the world is as it was");
        return false;
    };
    let first = raft.iter::<Entity>().next();
    let _ = first.map(|first| raft.despawn(first));
    let mut saves = [Vec::new(), Vec::new()];
    format().save_keeping(&raft, &unknown, &mut saves[0]).expect("memory takes it");
    let kept = format().load_keeping(&mut raft, &saves[0]).expect("a save of the library");
    format().save_keeping(&raft, &kept, &mut saves[1]).expect("memory takes it");
    assert_eq!(saves[0], saves[1], "what is kept stays as it is");
    true
}

/// A world that is not the loaded one, and its state hash.
fn before<S: Settings>() -> (World<Ark, S>, u64) {
    let mut world = World::<Ark, S>::on(Threads::Inline);
    let _ = world.step(|step| step.spawn((Name("before".into()), Level(2))));
    let hash = world.state_hash();
    (world, hash)
}

/// A place for the world of [`before`], for the next load: most loads give an error, and leave it as it was.
type Unchanged<S> = Cell<Option<(World<Ark, S>, u64)>>;

thread_local! {
    static PLAIN: Unchanged<Plain> = const { Cell::new(None) };
    static SORTED: Unchanged<Sorted> = const { Cell::new(None) };
    /// Reads prefabs, and stays as it is.
    static READER: World<Ark, Plain> = World::on(Threads::Inline);
}

/// Loads a world by `read`, which returns whether there is one. Then goes on with it.
fn load<S: Settings>(
    unchanged: &'static LocalKey<Unchanged<S>>,
    read: impl FnOnce(&mut World<Ark, S>) -> bool,
) -> bool {
    let (mut world, hash) = unchanged.take().unwrap_or_else(before);
    let is_loaded = read(&mut world);
    if is_loaded {
        go_on(&mut world);
    } else {
        assert_eq!(world.state_hash(), hash, "the world is as it was");
        unchanged.set(Some((world, hash)));
    }
    is_loaded
}

/// Loads a save, whose checksum is right.
fn read<S: Settings>(world: &mut World<Ark, S>, bytes: &[u8]) -> bool {
    let loaded = world.load(bytes);
    assert!(!matches!(loaded, Err(LoadError::Checksum)), "the checksum is right");
    loaded.is_ok()
}

/// Loads text. If there is a world, it is written and loaded again.
fn read_text(world: &mut World<Ark, Plain>, bytes: &str) -> bool {
    if text().load(world, bytes).is_err() {
        return false;
    }
    let again = text().save(world).expect("it came from text");
    let mut other = World::<Ark, Plain>::on(Threads::Inline);
    text().load(&mut other, &again).expect("a text of the library");
    assert_eq!(world.state_hash(), other.state_hash(), "both are the same");
    true
}

/// Loads a prefab. If there is one, spawns it, and it is saved and loaded again.
fn load_prefab(bytes: &[u8]) -> bool {
    let read = |bytes: &[u8]| READER.with(|world| world.load_prefab(bytes));
    let Ok(prefab) = read(bytes) else { return false };
    let mut saves = [Vec::new(), Vec::new()];
    prefab.save(&mut saves[0]).expect("memory takes it");
    let again = read(&saves[0]).expect("a prefab of the library");
    again.save(&mut saves[1]).expect("memory takes it");
    assert_eq!(saves[0], saves[1], "both are the same");
    spawn(&prefab)
}

/// Spawns the prefab twice, and goes on with the world.
fn spawn(prefab: &Prefab<Ark>) -> bool {
    let (mut world, _) = before::<Plain>();
    world.spawn_prefabs(prefab, 2);
    assert_eq!(world.entity_count(), 1 + 2 * prefab.len());
    go_on(&mut world);
    true
}

/// Saves and loads the world, and both go on in the same way.
fn go_on<S: Settings>(world: &mut World<Ark, S>) {
    let mut again = Vec::new();
    world.save(&mut again).expect("memory takes it");
    let mut other = World::<Ark, S>::on(Threads::Inline);
    other.load(&again).expect("a save of the library");
    for _ in 0..3 {
        assert_eq!(world.state_hash(), other.state_hash(), "both are the same");
        look_up(world);
        let [one, two] = [world.tick(), other.tick()];
        assert_eq!(one.is_ok(), two.is_ok());
        let ends = [&mut *world, &mut other].map(|world| {
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

/// Asserts that look-ups by handle find what an iteration does.
fn look_up<S: Settings>(world: &World<Ark, S>) {
    macro_rules! look_up {
        ($($component:ident)*) => {$(
            for (entity, one) in world.iter::<(Entity, Option<&$component>)>() {
                assert_eq!(world.get::<$component>(entity).map(from_ref), one.map(from_ref));
            }
        )*};
    }
    look_up! { Aim Name Level Note Tag }
}
