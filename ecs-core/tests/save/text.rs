//! Worlds as text.

use ecs_core::scheduler::Sequential;
use ecs_core::settings::{ByArchetype, Config, Disallow, Dynamic, Settings};
use ecs_core::{PartKind, TextError, TextFormat, Threads, World, world};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

use super::whole::zoo;
use super::zoo::*;

type Plain = Config<Dynamic<0>, Disallow, Sequential>;
type Sorted = Config<ByArchetype<4>, Disallow, Sequential>;

fn format() -> TextFormat<Zoo> {
    TextFormat::new()
        .component::<Name>()
        .component::<Speed>()
        .component::<Note>()
        .component::<Poison>()
        .resource::<Score>()
}

fn save<S: Settings>(world: &World<Zoo, S>) -> Vec<u8> {
    let mut bytes = Vec::new();
    world.save(&mut bytes).unwrap();
    bytes
}

fn check<S: Settings>(format: &TextFormat<Zoo>) {
    let mut before = zoo::<S>(Threads::Inline);
    let text = format.save(&before).unwrap();
    let mut after = World::<Zoo, S>::on(Threads::Inline);
    format.load(&mut after, &text).unwrap();
    assert!(save(&before) == save(&after));
    assert_eq!(format.save(&after).unwrap(), text);
    for _ in 0..20 {
        before.tick().unwrap();
        after.tick().unwrap();
        assert_eq!(before.state_hash(), after.state_hash());
    }
}

#[test]
fn a_world_from_text_goes_on_with_the_same_bits() {
    check::<Plain>(&format());
    check::<Sorted>(&format());
    check::<Plain>(&TextFormat::new());
}

mod small {
    //! All of it is text.

    use super::*;

    #[derive(
        Clone, Copy, Debug, PartialEq, Serialize, Deserialize, bytemuck::Pod, bytemuck::Zeroable,
    )]
    #[repr(C)]
    pub(super) struct Place {
        pub(super) x: f32,
        pub(super) y: f32,
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub(super) enum Shape {
        Round,
        Of(Vec<u8>, Option<char>),
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub(super) struct Deep(pub(super) Option<Box<Deep>>);
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    pub(super) struct Title(pub(super) String);

    world! {
        pub(super) world Room;
        component Place, Shape, Deep;
        resource Title;
    }

    pub(super) fn format() -> TextFormat<Room> {
        TextFormat::new()
            .component::<Place>()
            .component::<Shape>()
            .component::<Deep>()
            .resource::<Title>()
    }
}

use small::{Deep, Place, Room, Shape, Title};

fn room() -> World<Room, Plain> {
    let mut world = World::<Room, Plain>::on(Threads::Inline);
    let one = world.spawn((Place { x: 0.1, y: -0.0 }, Shape::Round));
    world.spawn((
        Place { x: f32::INFINITY, y: f32::MIN_POSITIVE },
        Shape::Of(vec![1, 2], Some('"')),
    ));
    world.spawn((Deep(Some(Box::new(Deep(None)))),));
    world.despawn(one);
    world.spawn((Shape::Of(vec![], None),));
    world.resource_mut::<Title>().0 = "a \"room\"\nof mine".into();
    world.tick().unwrap();
    world
}

#[test]
fn values_are_readable() {
    let before = room();
    let text = small::format().save(&before).unwrap();
    for part in [
        "world: \"Room\"",
        "1: (x:inf,y:",
        "2: Of([],None)",
        "1: Of([1,2],Some('\"'))",
        "0: (Some((None)))",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let mut after = World::<Room, Plain>::on(Threads::Inline);
    small::format().load(&mut after, &text).unwrap();
    let values = |world: &World<Room, Plain>| {
        let all = world.iter::<(ecs_core::Entity, Option<&Place>, Option<&Shape>, Option<&Deep>)>();
        all.map(|all| format!("{all:?}")).collect::<Vec<_>>()
    };
    assert_eq!(values(&before), values(&after));
    assert_eq!(before.resource::<Title>(), after.resource::<Title>());
    // What people change.
    let changed = text.replace("Of([],None)", "Round").replace("1: (x:inf", "1: (x: 2.5");
    assert_ne!(changed, text);
    small::format().load(&mut after, &changed).unwrap();
    assert!(after.iter::<&Shape>().any(|shape| *shape == Shape::Round));
    assert_eq!(after.iter::<&Place>().next().map(|place| place.x), Some(2.5));
}

/// Loads into a world with an entity, which must be as it was after an error, and else must be text again.
fn load(text: &str) -> Result<(), TextError> {
    let mut world = World::<Room, Plain>::on(Threads::Inline);
    world.spawn((Place { x: 7.0, y: 7.0 },));
    let loaded = small::format().load(&mut world, text);
    if loaded.is_ok() {
        world.tick().unwrap();
        let again = small::format().save(&world).unwrap();
        small::format().load(&mut world, &again).unwrap();
    } else {
        assert_eq!(world.iter::<&Place>().next(), Some(&Place { x: 7.0, y: 7.0 }));
        assert_eq!(world.entity_count(), 1);
    }
    loaded
}

#[test]
fn what_is_wrong_is_named() {
    let text = small::format().save(&room()).unwrap();
    load(&text).unwrap();
    let of_part = |text: &str| match load(text).unwrap_err() {
        TextError::Part { kind, name, fault } => (kind, name, fault),
        other => panic!("{other}"),
    };
    let (kind, name, fault) = of_part(&text.replace("Of([],None)", "Square"));
    assert_eq!((kind, &*name), (PartKind::Component, "Shape"));
    assert!(fault.contains("Square"), "{fault}");
    let mut world = World::<Room, Plain>::on(Threads::Inline);
    let error = TextFormat::new().load(&mut world, &text).unwrap_err();
    assert!(error.to_string().contains("its type is not listed"), "{error}");
    let error = load(&text.replace("2: Of([],None)", "77: Round")).unwrap_err();
    assert!(matches!(error, TextError::Load(_)), "{error}");
    let error = load(&text.replace("kind: \"resource\"", "kind: \"sauce\"")).unwrap_err();
    assert!(error.to_string().contains("no kind of parts `sauce`"), "{error}");
    let deep = format!("{}None{}", "(Some(".repeat(100_000), "))".repeat(100_000));
    load(&text.replace("(Some((None)))", &deep)).unwrap_err();
}

#[test]
fn every_prefix_and_every_changed_character_is_an_error_or_a_world() {
    let text = small::format().save(&room()).unwrap();
    assert!(text.is_ascii());
    for at in 0..text.trim_end().len() {
        load(&text[..at]).unwrap_err();
        for other in [")", "9", "\"", "", "é"] {
            let _ = load(&format!("{}{other}{}", &text[..at], &text[at + 1..]));
        }
    }
}

proptest! {
    #[test]
    fn any_text_is_an_error(text in "\\PC{0,200}") {
        load(&text).unwrap_err();
    }
}
