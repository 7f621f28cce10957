//! Whole worlds.

use ecs_core::scheduler::{AtomicCounter, Sequential, Shuffled};
use ecs_core::settings::{Allow, ByArchetype, Config, Disallow, Dynamic, Fixed, Settings};
use ecs_core::{Defer, Entity, Threads, World};

use super::zoo::*;

fn fill(step: &mut Defer<'_, Zoo>) -> Vec<Entity> {
    let at = |n: u16| Position { x: f32::from(n), y: 0.0 };
    let many: Vec<Entity> = (0..400)
        .map(|n| step.spawn((at(n), Speed(f32::from(n) / 8.0), Health(u32::from(n) + 1))))
        .collect();
    for (n, &entity) in many.iter().enumerate() {
        if n % 3 == 0 {
            step.insert(entity, Name(format!("number {n}"))).unwrap();
            step.subscribe::<Chosen>(entity).unwrap();
        }
        if n % 5 == 0 {
            step.insert(entity, Note(vec![n as u16; n % 7])).unwrap();
            step.insert(entity, Poison(n as u8)).unwrap();
        }
        if n % 11 == 0 {
            step.insert(entity, Frozen).unwrap();
            let target = Target { of: many[n / 2], is_hot: n % 2 == 0, pad: [0; 3] };
            step.insert(entity, target).unwrap();
        }
        if n > 0 && n % 4 == 0 {
            step.link::<ChildOf>(entity, many[n / 2]);
            step.insert_link(entity, many[n - 1], Likes(format!("{n}")));
        }
    }
    many
}

/// A world in the middle of everything.
pub(crate) fn zoo<S: Settings>(threads: Threads) -> World<Zoo, S> {
    let mut world = World::<Zoo, S>::on(threads);
    let many = world.step(|step| fill(step)).unwrap();
    world.resource_mut::<Score>().best = Some(many[17]);
    world.resource_mut::<Scratch>().0.push(1);
    world.system_mut::<Count>().runs = 9;
    world.set_state(Mode::Wild);
    for n in 0..7 {
        world.tick().unwrap();
        world.despawn(many[n * 13]);
        world.emit(Died(many[n]));
        world.send(many[n], Hit(3));
    }
    world.remove_many::<(Poison,)>(many[50]);
    if let Some(name) = world.get_mut::<Name>(many[54]) {
        name.0.push('?');
    }
    world
}

type Plain = Config<Dynamic<0>, Disallow, Sequential>;
type Usual = Config<Fixed<5000>, Allow, AtomicCounter>;
type Mixed = Config<Dynamic<9>, Allow, Shuffled>;
type Sorted = Config<ByArchetype<4>, Allow, AtomicCounter>;

fn bytes<S: Settings>(world: &World<Zoo, S>) -> Vec<u8> {
    let mut bytes = Vec::new();
    world.save(&mut bytes).unwrap();
    bytes
}

/// Asserts that two saves are the same.
fn assert_same(one: &[u8], other: &[u8]) {
    let differ = one.iter().zip(other).position(|(a, b)| a != b);
    let text = |save: &[u8]| {
        let at = differ.unwrap_or(save.len());
        String::from_utf8_lossy(&save[at.saturating_sub(200)..save.len().min(at + 20)]).into_owned()
    };
    assert!(
        one == other,
        "saves of {} and {} bytes differ at {differ:?}: {:?} and {:?}",
        one.len(),
        other.len(),
        text(one),
        text(other)
    );
}

/// Loads into a new world with other settings, and goes on in both.
fn goes_on<S: Settings, T: Settings>(threads: Threads, other: Threads) {
    let mut world = zoo::<S>(threads);
    let save = bytes(&world);
    let mut loaded = World::<Zoo, T>::on(other);
    // Some past that is forgotten.
    loaded.spawn_batch((0..300).map(|n| (Health(n), Name("old".into()))));
    loaded.tick().unwrap();
    loaded.load(&save).unwrap();
    assert_eq!(loaded.state_hash(), world.state_hash());
    assert_same(&bytes(&loaded), &save);
    for step in 0..200 {
        world.tick().unwrap();
        loaded.tick().unwrap();
        assert_eq!(loaded.state_hash(), world.state_hash(), "step {step}");
        assert!(loaded.iter::<Entity>().eq(world.iter::<Entity>()), "step {step}");
        let new = || [(Position { x: 0.0, y: 0.0 }, Name(step.to_string()))];
        let _ = loaded.spawn_batch(new());
        let _ = world.spawn_batch(new());
    }
}

#[test]
fn what_is_loaded_goes_on_with_the_same_bits() {
    let pool =
        |n| Threads::Eager(rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap().into());
    goes_on::<Plain, Plain>(Threads::Inline, Threads::Inline);
    goes_on::<Plain, Usual>(Threads::Inline, pool(2));
    goes_on::<Usual, Mixed>(pool(3), Threads::Inline);
    goes_on::<Mixed, Plain>(Threads::Inline, pool(1));
}

#[test]
fn rows_by_archetype_stay_so() {
    goes_on::<Sorted, Sorted>(Threads::Inline, Threads::Inline);
}

#[test]
fn a_snapshot_is_saved_as_its_world_is() {
    let world = zoo::<Plain>(Threads::Inline);
    let snapshot = world.snapshot();
    let mut save = Vec::new();
    snapshot.save(&mut save).unwrap();
    let mut other = World::<Zoo>::new();
    let loaded = other.load_snapshot(&save).unwrap();
    other.restore(&loaded).unwrap();
    assert_eq!(other.state_hash(), world.state_hash());
}

#[test]
fn what_is_transient_stays_in_the_world() {
    let save = bytes(&zoo::<Plain>(Threads::Inline));
    let mut other = World::<Zoo>::new();
    other.resource_mut::<Scratch>().0.push(77);
    other.load(&save).unwrap();
    assert_eq!(other.resource::<Scratch>().0, [77]);
    assert_eq!(other.system::<Count>().runs, 9);
    assert_eq!(other.state::<Mode>(), Mode::Wild);
}

#[test]
fn a_file_is_written_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("zoo.save");
    let world = zoo::<Plain>(Threads::Inline);
    world.save_file(&path).unwrap();
    assert_same(&std::fs::read(&path).unwrap(), &bytes(&world));
    let mut other = World::<Zoo>::new();
    other.load_file(&path).unwrap();
    assert_eq!(other.state_hash(), world.state_hash());
    // Nothing else is left there.
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    assert!(matches!(
        world.save_file(folder.path().join("missing").join("zoo.save")),
        Err(ecs_core::SaveError::Write(_))
    ));
    assert!(matches!(
        other.load_file(folder.path().join("missing")),
        Err(ecs_core::LoadError::Read(_))
    ));
}

#[test]
fn a_full_writer_is_an_error() {
    struct Full(usize);
    impl std::io::Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            let count = bytes.len().min(self.0);
            self.0 -= count;
            Ok(count)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let world = zoo::<Plain>(Threads::Inline);
    assert!(matches!(world.save(Full(100)), Err(ecs_core::SaveError::Write(_))));
}

#[test]
fn a_limit_without_room_is_an_error() {
    let save = bytes(&zoo::<Plain>(Threads::Inline));
    let mut small = World::<Zoo, Config<Fixed<100>, Disallow, Sequential>>::new();
    let entity = small.spawn((Health(1),)).unwrap();
    let error = small.load(&save).unwrap_err();
    assert!(matches!(error, ecs_core::LoadError::LimitReached(_)), "{error}");
    assert!(small.is_alive(entity), "the world is as it was");
}
