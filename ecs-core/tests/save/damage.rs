//! Bytes that are no save, or are damaged: an error or a world, and nothing else.

use ecs_core::scheduler::Sequential;
use ecs_core::settings::{Config, Disallow, Dynamic};
use ecs_core::{Entity, LoadError, Threads, World};
use proptest::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::whole::zoo;
use super::zoo::*;

type Plain = Config<Dynamic<0>, Disallow, Sequential>;

fn save() -> Vec<u8> {
    let mut bytes = Vec::new();
    zoo::<Plain>(Threads::Inline).save(&mut bytes).unwrap();
    bytes
}

/// Gives the bytes the right checksum, as a forger would.
fn forge(bytes: &mut [u8]) {
    if let Some((all, hash)) = bytes.split_last_chunk_mut() {
        *hash = xxh3_64(all).to_le_bytes();
    }
}

/// Loads into a world with entities, which must be as it was if there is an error, and else must go on.
fn load(bytes: &[u8]) -> Result<(), LoadError> {
    let mut world = World::<Zoo, Plain>::on(Threads::Inline);
    world.spawn((Name("before".into()), Health(3)));
    let before = world.state_hash();
    match world.load(bytes) {
        Ok(()) => {
            for _ in 0..3 {
                let _ = world.tick();
            }
            let mut again = Vec::new();
            world.save(&mut again).unwrap();
            World::<Zoo, Plain>::on(Threads::Inline).load(&again).unwrap();
            Ok(())
        }
        Err(error) => {
            assert_eq!(world.state_hash(), before, "after {error}");
            world.tick().unwrap();
            Err(error)
        }
    }
}

#[test]
fn every_prefix_is_an_error() {
    let save = save();
    assert!(save.len() > 10_000, "{}", save.len());
    load(&save).unwrap();
    let mut world = World::<Zoo, Plain>::on(Threads::Inline);
    for len in 0..save.len() {
        world.load(&save[..len]).unwrap_err();
    }
    for len in (0..save.len()).step_by(23) {
        let mut prefix = save[..len].to_vec();
        forge(&mut prefix);
        load(&prefix).unwrap_err();
    }
}

#[test]
fn every_changed_byte_is_an_error() {
    let save = save();
    let mut world = World::<Zoo, Plain>::on(Threads::Inline);
    let mut changed = save.clone();
    for at in 0..save.len() {
        changed[at] ^= 1 << (at % 8);
        world.load(&changed).unwrap_err();
        changed[at] = save[at];
    }
}

#[test]
fn every_forged_byte_is_an_error_or_a_world() {
    let save = save();
    let (mut errors, mut worlds) = (0, 0);
    // All of them, if there is time.
    let step = if std::env::var_os("PROPTEST_CASES").is_some() { 1 } else { 7 };
    for at in (0..save.len() - 8).step_by(step) {
        let mut forged = save.clone();
        forged[at] = forged[at].wrapping_add([1, 0x80, 0xff][at % 3]);
        forge(&mut forged);
        match load(&forged) {
            Ok(()) => worlds += 1,
            Err(_) => errors += 1,
        }
    }
    assert!(errors > 100 && worlds > 100, "{errors} errors, {worlds} worlds");
}

proptest! {
    #[test]
    fn any_bytes_are_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let mut bytes = bytes;
        load(&bytes).unwrap_err();
        let mut begun = save()[..13].to_vec();
        begun.append(&mut bytes);
        forge(&mut begun);
        load(&begun).unwrap_err();
    }

    /// Several words are overwritten, cut out or doubled.
    #[test]
    fn mixed_up_bytes_are_an_error_or_a_world(
        changes in proptest::collection::vec((any::<prop::sample::Index>(), 0..4_u8, any::<u64>()), 1..5)
    ) {
        let mut bytes = save();
        for (at, kind, word) in changes {
            let at = at.index(bytes.len() - 16);
            match kind {
                0 => bytes[at..at + 8].copy_from_slice(&word.to_le_bytes()),
                1 => bytes[at..at + 4].copy_from_slice(&[0xff; 4]),
                2 => drop(bytes.drain(at..at + (word % 16) as usize)),
                _ => {
                    let copy = bytes[at..at + (word % 16) as usize].to_vec();
                    bytes.splice(at..at, copy);
                }
            }
        }
        forge(&mut bytes);
        let _ = load(&bytes);
    }
}

/// Handles can be made of any bytes. None but those of living entities lead to a row, whatever a free index keeps in its slot.
#[test]
fn a_forged_handle_is_that_of_no_entity() {
    let mut world = World::<Zoo, Plain>::on(Threads::Inline);
    // In the end there are indices of free rows, and spare ones.
    let many: Vec<_> = (0..300).map(|n| world.spawn((Health(n),))).collect();
    let forged = |index: u32, generation: u32| {
        let bytes = [generation.to_ne_bytes(), index.to_ne_bytes()].concat();
        bytemuck::checked::pod_read_unaligned::<Entity>(&bytes)
    };
    for round in 0..4_usize {
        for (n, &entity) in many.iter().enumerate() {
            if n % 4 == round {
                world.despawn(entity);
            }
        }
        world.tick().unwrap();
        let alive: Vec<Entity> = world.iter::<Entity>().collect();
        for index in 0..302 {
            for low in [0, 1, 2, 3, 7] {
                for high in [0, 1 << 31, 1 << 30] {
                    let Some(generation) = std::num::NonZeroU32::new(low | high) else { continue };
                    let entity = forged(index, generation.get());
                    let lives = alive.contains(&entity);
                    assert_eq!(world.is_alive(entity), lives, "{entity:?}");
                    assert_eq!(world.get::<Health>(entity).is_some(), lives);
                    if !lives {
                        assert!(world.insert(entity, Poison(1)).is_err());
                    }
                }
            }
        }
    }
    assert!(
        bytemuck::checked::try_pod_read_unaligned::<Entity>(&[0, 0, 0, 0, 1, 1, 1, 1]).is_err()
    );
}

mod bombs {
    //! Values whose destructors panic, in all places.

    use std::cell::Cell;

    use ecs_core::{Data, System, world};
    use serde::{Deserialize, Serialize};

    thread_local! {
        pub(super) static ARMED: Cell<bool> = const { Cell::new(false) };
    }

    #[derive(Default, Serialize, Deserialize)]
    pub(super) struct Fuse;

    impl Drop for Fuse {
        fn drop(&mut self) {
            assert!(!ARMED.get(), "a bomb");
        }
    }

    #[derive(Default, Serialize, Deserialize)]
    pub(super) struct Body(pub(super) u8, pub(super) Fuse);
    #[derive(Default, Serialize, Deserialize)]
    pub(super) struct Store(pub(super) u8, pub(super) Fuse);
    #[derive(Serialize, Deserialize)]
    pub(super) struct Bang(pub(super) u8, pub(super) Fuse);
    #[derive(Serialize, Deserialize)]
    pub(super) struct Tied(pub(super) u8, pub(super) Fuse);
    #[derive(Serialize, Deserialize)]
    pub(super) struct Extra(pub(super) u8);

    macro_rules! with {
        ($module:ident [$($extra:tt)*]) => {
            pub(super) mod $module {
                use super::*;

                #[derive(Default, Serialize, Deserialize)]
                pub(in super::super) struct Keep(u8, Fuse);
                #[derive(Default, Serialize, Deserialize)]
                pub(in super::super) struct Hold(u8, Fuse);

                world! {
                    pub(in super::super) world Arsenal;
                    component Body $($extra)*;
                    resource Store;
                    event Bang: keep(5);
                    relation Tied: many_to_many, on_despawn: detach;
                    system Keep { on: [Bang] }
                    system Hold { read: [Body] }
                }

                impl System<Arsenal> for Keep {
                    fn process(&self, _: &mut Data<'_, Arsenal, Self>) {}
                }

                impl System<Arsenal> for Hold {
                    fn process(&self, _: &mut Data<'_, Arsenal, Self>) {}
                }
            }
        };
    }

    with!(old [, Extra]);
    with!(new []);
}

/// All has been loaded when an unknown part is found, and all destructors panic: one panic comes out, and the program goes on.
#[test]
fn destructors_of_what_is_loaded_in_vain_may_panic() {
    use bombs::{ARMED, Bang, Body, Extra, Fuse, Tied};
    let mut before = World::<bombs::old::Arsenal>::on(Threads::Inline);
    let many: Vec<_> = (0..5).map(|n| before.spawn((Body(n, Fuse),))).collect();
    before.insert(many[0], Extra(1)).unwrap();
    for n in 1..5 {
        before.insert_link(many[n], many[0], Tied(1, Fuse)).unwrap();
        before.emit(Bang(2, Fuse));
    }
    before.tick().unwrap();
    (0..3).for_each(|n| before.emit(Bang(n, Fuse)));
    let mut save = Vec::new();
    before.save(&mut save).unwrap();
    let mut now = World::<bombs::new::Arsenal>::on(Threads::Inline);
    let error = now.load(&save).unwrap_err();
    assert!(matches!(&error, LoadError::Unknown { name, .. } if name == "Extra"), "{error}");
    ARMED.set(true);
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| drop(now.load(&save))));
    ARMED.set(false);
    assert!(outcome.is_err());
    assert_eq!((now.entity_count(), now.events::<Bang>().len()), (0, 0), "the world is as it was");
    now.tick().unwrap();
}
