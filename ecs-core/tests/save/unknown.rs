//! Parts that the declaration does not know, kept and written back.

use std::collections::BTreeMap;

use ecs_core::scheduler::Sequential;
use ecs_core::settings::{ByArchetype, Config, Disallow, Dynamic, Settings};
use ecs_core::{Entity, LoadError, PartKind, SaveFormat, Threads, UnknownParts, World, world};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::whole::zoo;
use super::zoo::*;

type Plain = Config<Dynamic<0>, Disallow, Sequential>;
type Sorted = Config<ByArchetype<4>, Disallow, Sequential>;

mod small {
    //! A program that knows little.

    use super::*;

    world! {
        pub(super) world Zoo { seed: 5 }
        component Position;
    }
}

fn keeping() -> SaveFormat<small::Zoo> {
    SaveFormat::new().keep_unknown().without("ChildOf").without("Likes")
}

fn save<S: Settings>(world: &World<Zoo, S>) -> Vec<u8> {
    let mut bytes = Vec::new();
    SaveFormat::new().with_lengths().save(world, &mut bytes).unwrap();
    bytes
}

/// Asserts that all values of an entity are the same in both worlds.
fn assert_same<S: Settings>(one: &World<Zoo, S>, other: &World<Zoo, S>, entity: Entity) {
    macro_rules! same {
        ($($component:ty)*) => {$(
            assert_eq!(one.get::<$component>(entity), other.get::<$component>(entity), "{entity:?}");
        )*};
    }
    same! { Position Target Name Health Speed Note Poison Frozen }
}

#[test]
fn a_program_that_knows_little_keeps_the_rest() {
    let mut before = zoo::<Plain>(Threads::Inline);
    let mut small = World::<small::Zoo, Plain>::on(Threads::Inline);
    let unknown = keeping().load_keeping(&mut small, &save(&before)).unwrap();
    let names: Vec<String> = unknown.iter().map(|(kind, name)| format!("{kind} {name}")).collect();
    assert_eq!(names.len(), 7 + 4 + 1 + 1 + 1, "{names:?}");
    for name in ["component Name", "resource Score", "resource Died", "system Count", "state Mode"]
    {
        assert!(names.iter().any(|one| one == name), "no {name} in {names:?}");
    }
    let mut again = Vec::new();
    keeping().save_keeping(&small, &unknown, &mut again).unwrap();
    let mut after = World::<Zoo, Plain>::on(Threads::Inline);
    after.load(&again).unwrap();

    let all: Vec<Entity> = before.iter::<Entity>().collect();
    assert!(all.len() > 100, "{}", all.len());
    for &entity in &all {
        assert_same(&before, &after, entity);
    }
    assert_eq!(before.resource::<Score>(), after.resource::<Score>());
    assert_eq!(before.system_mut::<Count>().runs, after.system_mut::<Count>().runs);
    // Links, marks, and removed values.
    let differences = before.differences(&after);
    let parts: Vec<String> = differences.iter().map(|one| one.part.to_string()).collect();
    let expected =
        ["component `Name`", "component `Poison`", "resource `ChildOf`", "resource `Likes`"];
    assert_eq!(parts, expected, "{differences}");
    assert!(differences.iter().all(|one| one.rows == 0), "{differences}");
    // Once more, the bytes are the same.
    let unknown = keeping().load_keeping(&mut small, &again).unwrap();
    let mut third = Vec::new();
    keeping().save_keeping(&small, &unknown, &mut third).unwrap();
    assert!(third == again);
}

mod full {
    //! The program that knows all.

    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
    #[repr(transparent)]
    pub(super) struct Plain(pub(super) u64);
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub(super) struct Text(pub(super) String);
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub(super) struct Same(pub(super) u8);
    #[derive(Clone, Debug, Default, PartialEq)]
    pub(super) struct Tag;
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub(super) struct Known(pub(super) u32);

    /// Of entities that are subscribed.
    pub(super) const HEARD: u32 = 1 << 31;

    world! {
        pub(super) world Play;
        component Known, Plain, Text, Same;
        component Tag: empty;
        system Listen { opt_in, each: |known: &mut Known| known.0 |= HEARD }
    }

    pub(super) mod little {
        use super::Known;
        ecs_core::world! { pub(in super::super) world Play; component Known; }
    }
}

/// What an entity has: `Plain`, `Text`, `Same` and `Tag`, and whether it is subscribed.
type Values = (Option<u64>, Option<String>, Option<u8>, bool, bool);

fn check<S: Settings, T: Settings>(before: &[Values], changes: &[(u16, u8)]) {
    let mut full = World::<full::Play, S>::on(Threads::Inline);
    let mut expected = BTreeMap::new();
    for (n, values) in before.iter().enumerate() {
        let known = full::Known(n as u32);
        let entity = full.step(|step| step.spawn((known,))).unwrap();
        if let Some(plain) = values.0 {
            full.insert(entity, full::Plain(plain)).unwrap();
        }
        if let Some(text) = &values.1 {
            full.insert(entity, full::Text(text.clone())).unwrap();
        }
        if let Some(same) = values.2 {
            full.insert(entity, full::Same(same)).unwrap();
        }
        if values.3 {
            full.insert(entity, full::Tag).unwrap();
        }
        if values.4 {
            let subscribed = full.step(|step| step.subscribe::<full::Listen>(entity)).unwrap();
            subscribed.unwrap();
        }
        expected.insert(entity, values.clone());
    }
    let mut bytes = Vec::new();
    SaveFormat::new().with_lengths().save(&full, &mut bytes).unwrap();

    let format = SaveFormat::<full::little::Play>::new().keep_unknown();
    let mut little = World::<full::little::Play, T>::on(Threads::Inline);
    let unknown = format.load_keeping(&mut little, &bytes).unwrap();
    for &(which, change) in changes {
        let all: Vec<Entity> = little.iter::<Entity>().collect();
        match (change % 4, all.get(usize::from(which) % all.len().max(1))) {
            (0, _) => {
                let known = full::Known(u32::from(which));
                let new = little.step(|step| step.spawn((known,))).unwrap();
                expected.insert(new, (None, None, None, false, false));
            }
            (1 | 2, Some(&entity)) => {
                little.despawn(entity);
                expected.remove(&entity);
            }
            _ => little.tick().unwrap(),
        }
    }
    let mut bytes = Vec::new();
    format.save_keeping(&little, &unknown, &mut bytes).unwrap();

    let mut after = World::<full::Play, S>::on(Threads::Inline);
    after.load(&bytes).unwrap();
    assert_eq!(after.entity_count(), expected.len());
    let mut heard = Vec::new();
    for (&entity, (plain, text, same, tag, subscribed)) in &expected {
        assert_eq!(after.get::<full::Plain>(entity).map(|plain| plain.0), *plain);
        assert_eq!(after.get::<full::Text>(entity).map(|text| &text.0), text.as_ref());
        assert_eq!(after.get::<full::Same>(entity).map(|same| same.0), *same);
        assert_eq!(after.get::<full::Tag>(entity).is_some(), *tag);
        assert!(after.get::<full::Known>(entity).unwrap().0 < full::HEARD);
        heard.extend(subscribed.then_some(entity));
    }
    after.tick().unwrap();
    let has_heard = |entity: &Entity| after.get::<full::Known>(*entity).unwrap().0 >= full::HEARD;
    assert!(expected.keys().copied().filter(has_heard).eq(heard));
}

proptest! {
    /// Entities die, are born, and rows move meanwhile.
    #[test]
    fn values_follow_their_entities(
        before in proptest::collection::vec(
            (any::<Option<u64>>(), proptest::option::of("[a-z]{0,200}"), any::<Option<u8>>(), any::<bool>(), any::<bool>()),
            0..150,
        ),
        changes in proptest::collection::vec(any::<(u16, u8)>(), 0..80),
    ) {
        check::<Plain, Plain>(&before, &changes);
        check::<Sorted, Plain>(&before, &changes);
        check::<Plain, Sorted>(&before, &changes);
    }
}

/// Several pages.
#[test]
fn many_values_follow_their_entities() {
    let values = |n: u64| {
        let each = |by: u64| n.is_multiple_of(by);
        let text = each(3).then(|| n.to_string());
        (each(2).then_some(n), text, each(5).then_some(7), each(7), each(1000))
    };
    let before: Vec<Values> = (0..10_000).map(values).collect();
    let changes: Vec<(u16, u8)> = (0..500).map(|n| (n * 131, (n % 7) as u8)).collect();
    check::<Plain, Plain>(&before, &changes);
}

#[test]
fn what_is_not_chosen_or_cannot_be_kept_is_named() {
    let bytes = save(&zoo::<Plain>(Threads::Inline));
    let mut small = World::<small::Zoo, Plain>::on(Threads::Inline);
    small.spawn((Position { x: 1.0, y: 2.0 },));
    let mut load =
        |format: SaveFormat<small::Zoo>| format.load_keeping(&mut small, &bytes).unwrap_err();
    let error = load(SaveFormat::new().keep("Target"));
    assert!(matches!(&error, LoadError::Unknown { name, .. } if name == "Name"), "{error}");
    let error = load(SaveFormat::new().keep_unknown());
    assert!(
        matches!(&error, LoadError::NotKept { kind: PartKind::Resource, name, .. } if name == "ChildOf"),
        "{error}"
    );
    assert_eq!(
        error.to_string(),
        "the resource `ChildOf` of the save cannot be kept: its links are between rows"
    );
    // A plain load would lose what is to be kept.
    let error = keeping().load(&mut small, &bytes).unwrap_err();
    assert!(matches!(&error, LoadError::Unknown { .. }), "{error}");
    assert_eq!(small.entity_count(), 1);
    // Nothing is unknown.
    let mut world = World::<Zoo, Plain>::on(Threads::Inline);
    let unknown = SaveFormat::new().keep_unknown().load_keeping(&mut world, &bytes).unwrap();
    assert!(unknown.is_empty() && unknown.iter().next().is_none());
}

mod before_lengths {
    //! The first generation of the fixtures knows this component only.

    ecs_core::world! { pub(super) world Game; }
}

#[test]
fn values_without_lengths_are_not_kept() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/save/saves/1.save");
    let bytes = std::fs::read(file).unwrap();
    let mut world = World::<before_lengths::Game, Plain>::on(Threads::Inline);
    let format = SaveFormat::new().keep_unknown();
    let error = format.load_keeping(&mut world, &bytes).unwrap_err();
    assert!(matches!(&error, LoadError::NotKept { name, .. } if name == "Pos"), "{error}");
}

/// Loads into a program that knows little, which must be as it was after an error, and which saves all that was kept again.
fn load_damaged(bytes: &[u8]) -> bool {
    let mut small = World::<small::Zoo, Plain>::on(Threads::Inline);
    small.spawn((Position { x: 1.0, y: 2.0 },));
    let Ok(unknown) = keeping().load_keeping(&mut small, bytes) else {
        assert_eq!(small.entity_count(), 1);
        return false;
    };
    let some: Vec<Entity> = small.iter::<Entity>().step_by(3).collect();
    for entity in some {
        small.despawn(entity);
    }
    let _ = small.tick();
    let again = |world: &World<small::Zoo, Plain>, unknown: &UnknownParts<small::Zoo>| {
        let mut again = Vec::new();
        keeping().save_keeping(world, unknown, &mut again).unwrap();
        again
    };
    let saved = again(&small, &unknown);
    let kept = keeping().load_keeping(&mut small, &saved).expect("a save of the library");
    assert!(kept.iter().eq(unknown.iter()));
    assert!(again(&small, &kept) == saved);
    // Values may be none of their types.
    let _ = World::<Zoo, Plain>::on(Threads::Inline).load(&saved);
    true
}

#[test]
fn every_prefix_and_every_forged_byte_is_an_error_or_a_world() {
    let save = save(&zoo::<Plain>(Threads::Inline));
    assert!(load_damaged(&save));
    let forged = |mut bytes: Vec<u8>| {
        let hash = xxh3_64(&bytes);
        bytes.extend_from_slice(&hash.to_le_bytes());
        load_damaged(&bytes)
    };
    let len = save.len() - 8;
    let step = if std::env::var_os("PROPTEST_CASES").is_some() { 1 } else { 19 };
    for at in (0..len).step_by(step) {
        assert!(!load_damaged(&save[..at]));
        assert!(!forged(save[..at].to_vec()), "a prefix of {at} bytes");
    }
    let mut worlds = 0;
    for at in (0..len).step_by(step) {
        let mut bytes = save[..len].to_vec();
        bytes[at] = bytes[at].wrapping_add([1, 0x80, 0xff][at % 3]);
        worlds += usize::from(forged(bytes));
    }
    assert!((50..len).contains(&worlds), "{worlds}");
}

proptest! {
    #[test]
    fn mixed_up_bytes_are_an_error_or_a_world(
        changes in proptest::collection::vec((any::<prop::sample::Index>(), 0..4_u8, any::<u64>()), 1..5)
    ) {
        let mut bytes = save(&zoo::<Plain>(Threads::Inline));
        bytes.truncate(bytes.len() - 8);
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
        let hash = xxh3_64(&bytes);
        bytes.extend_from_slice(&hash.to_le_bytes());
        load_damaged(&bytes);
    }
}
