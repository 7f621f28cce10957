//! Components by name: they are read and changed as by their types, whatever stores them, and errors change nothing.

use std::convert::Infallible;
use std::fmt;
use std::num::ParseIntError;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use ecs_core::generated::{ComponentByName, ContiguousBuffer, ResourceSink, SystemVisitor};
use ecs_core::settings::{Allow, AtomicCounter, Config, Dynamic};
use ecs_core::signature::{ComponentSignature, ResourceSignature, SystemSignature};
use ecs_core::{ByNameError, Declaration, Entity, HasComponent, StateHash, World, set, world};

/// Components that are numbers.
macro_rules! numbers {
    ($($C:ident),*) => {$(
        /// A number.
        #[derive(Clone, Copy, Debug, PartialEq, StateHash)]
        pub struct $C(u64);

        impl fmt::Display for $C {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $C {
            type Err = ParseIntError;

            fn from_str(text: &str) -> Result<Self, ParseIntError> {
                text.parse().map(Self)
            }
        }
    )*};
}

numbers!(Column, Left, Right, Packed, Hashed, Heat, Wind);

#[derive(Clone, Debug, PartialEq, StateHash)]
struct Name(String);
#[derive(Clone, StateHash)]
struct Hidden(u64);
#[derive(Clone, StateHash)]
struct Tag;

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Name {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl FromStr for Tag {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        text.is_empty().then_some(Self).ok_or("a tag has no value")
    }
}

world! {
    world Plain;
    component Column: by_name;
    component (Left, Right): contiguous_buffer, by_name;
    component Hidden;
    component Packed: sparse_set, by_name;
    component Name, Hashed: by_name, hash_map;
    component Tag: empty, by_name,;
    system Sum {
        read: [Column],
        changed: [Column],
        added: [Column],
        output: Vec<(char, Entity)>,
        run: |data| {
            let output = data.effects.output();
            output.extend(data.own.changed::<Column, Entity>().map(|entity| ('c', entity)));
            output.extend(data.own.added::<Column, Entity>().map(|entity| ('a', entity)));
        },
    }
    system List {
        read: [Hashed],
        changed: [Hashed],
        output: Vec<(char, Entity)>,
        run: |data| {
            let changed = data.own.changed::<Hashed, Entity>();
            data.effects.output().extend(changed.map(|entity| ('h', entity)));
        },
    }
}

/// What is done with one component, by its name and by its type.
struct Case {
    name: &'static str,
    get: fn(&World<Plain>, Entity) -> Option<u64>,
    set: fn(&mut World<Plain>, Entity, u64) -> bool,
    insert: fn(&mut World<Plain>, Entity, u64),
    remove: fn(&mut World<Plain>, Entity) -> bool,
}

macro_rules! cases {
    ($($C:ident),*) => {&[$(
        Case {
            name: stringify!($C),
            get: |world, entity| world.get::<$C>(entity).map(|value| value.0),
            set: |world, entity, value| {
                world.get_mut::<$C>(entity).map(|place| *place = $C(value)).is_some()
            },
            insert: |world, entity, value| _ = world.insert(entity, $C(value)),
            remove: |world, entity| world.remove::<$C>(entity).is_some(),
        },
    )*]};
}

/// What the systems have found changed and added.
fn outputs(world: &World<Plain>) -> Vec<(char, Entity)> {
    let (one, other) = (world.outputs_of::<Sum>(), world.outputs_of::<List>());
    one.flatten().chain(other.flatten()).copied().collect()
}

const CASES: &[Case] = cases!(Column, Left, Right, Packed, Hashed);

#[test]
fn access_by_name_is_access_by_type() {
    let mut by_name = World::<Plain>::new();
    let mut by_type = World::<Plain>::new();
    let mut entities = Vec::new();
    let mut seed = 9_u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    for _ in 0..2_000 {
        let value = random(1_000) as u64;
        let case = &CASES[random(CASES.len())];
        let operation = random(10);
        if operation == 0 || entities.len() < 5 {
            entities.push(by_name.spawn((Column(value), Tag)));
            assert_eq!(by_type.spawn((Column(value), Tag)), entities[entities.len() - 1]);
            continue;
        }
        let entity = entities[random(entities.len())];
        let (name, text) = (case.name, value.to_string());
        let is_alive = by_type.is_alive(entity);
        match operation {
            1 => assert_eq!(by_name.despawn(entity), by_type.despawn(entity)),
            2..=4 => {
                let done = by_name.set_by_name(entity, name, &text).is_ok();
                assert_eq!(done, (case.set)(&mut by_type, entity, value));
            }
            5..=7 => {
                assert_eq!(by_name.insert_by_name(entity, name, &text).is_ok(), is_alive);
                (case.insert)(&mut by_type, entity, value);
            }
            8 => {
                let done = by_name.remove_by_name(entity, name).is_ok();
                assert_eq!(done, (case.remove)(&mut by_type, entity));
            }
            _ => {
                for world in [&mut by_name, &mut by_type] {
                    world.tick().unwrap();
                }
                assert_eq!(outputs(&by_name), outputs(&by_type));
            }
        }
        let text = (case.get)(&by_type, entity).map(|value| value.to_string());
        assert_eq!(by_name.get_by_name(entity, name).ok(), text);
        assert_eq!(by_name.state_hash(), by_type.state_hash());
        assert!(by_name.names_of(entity).eq(by_type.names_of(entity)));
    }
    assert!(by_type.entity_count() > 50 && by_type.iter::<&Hashed>().count() > 10);
}

#[test]
fn all_components_of_an_entity_have_names() {
    let mut world = World::<Plain>::new();
    let entity = world.spawn((Hidden(1), Column(2), Name("orc".into()), Tag, Right(3)));
    assert!(world.names_of(entity).eq(["Column", "Right", "Hidden", "Name", "Tag"]));
    assert!(
        World::<Plain>::names().eq(["Column", "Left", "Right", "Packed", "Name", "Hashed", "Tag"])
    );
    assert_eq!(world.get_by_name(entity, "Name"), Ok("orc".to_owned()));
    assert_eq!(world.get_by_name(entity, "Tag"), Ok(String::new()));
    world.despawn(entity);
    assert_eq!(world.names_of(entity).count(), 0);
}

#[test]
fn systems_see_what_was_set_inserted_and_removed() {
    let mut world = World::<Plain>::new();
    let all = world.spawn_batch((0..3).map(|n| (Column(n),)));
    let empty = world.spawn(());
    let tick = |world: &mut World<Plain>| {
        world.tick().unwrap();
        outputs(world)
    };
    assert_eq!(tick(&mut world).len(), 6);
    assert_eq!(tick(&mut world), []);
    world.set_by_name(all[1], "Column", "7").unwrap();
    world.insert_by_name(all[2], "Hashed", "8").unwrap();
    world.insert_by_name(empty, "Column", "9").unwrap();
    let (first, second) = (('c', all[1]), ('c', empty));
    assert_eq!(tick(&mut world), [first, second, ('a', empty), ('h', all[2])]);
    // What is refused leaves no mark.
    world.set_by_name(all[0], "Column", "seven").unwrap_err();
    world.insert_by_name(all[0], "Column", "").unwrap_err();
    world.remove_by_name(all[1], "Column").unwrap();
    world.set_by_name(all[2], "Column", "1").unwrap();
    assert_eq!(tick(&mut world), [('c', all[2])]);
}

#[test]
fn errors_say_what_is_wrong_and_change_nothing() {
    let mut world = World::<Plain>::new();
    let [entity, dead] = [(), ()].map(|()| world.spawn((Column(4), Hidden(5))));
    world.despawn(dead);
    let before = world.state_hash();
    let mut errors = Vec::new();
    for (entity, name, text) in [
        (entity, "Colum", "1"),
        (entity, "column", "1"),
        (entity, "Mass", "1"),
        (entity, "Hidden", "1"),
        (dead, "Column", "1"),
        (dead, "Colum", "1"),
        (entity, "Left", "1"),
        (entity, "Column", "-1"),
        (entity, "Left", "-1"),
    ] {
        let error = world.set_by_name(entity, name, text).unwrap_err();
        let inserted = world.step(|step| step.insert_by_name(entity, name, text)).unwrap();
        let expected = match (name, text) {
            ("Left", "1") => {
                assert_eq!(inserted, Ok(()));
                assert!(world.remove::<Left>(entity).is_some());
                None
            }
            ("Left", _) => Some(ByNameError::Invalid {
                component: "Left",
                text: text.into(),
                reason: "invalid digit found in string".into(),
            }),
            _ => Some(error.clone()),
        };
        assert_eq!(inserted.err(), expected);
        if text == "1" {
            assert_eq!(world.get_by_name(entity, name).unwrap_err(), error);
            assert_eq!(world.remove_by_name(entity, name).unwrap_err(), error);
        }
        assert_eq!(world.state_hash(), before);
        errors.push(error.to_string());
    }
    let (entity, dead) = (format!("{entity:?}"), format!("{dead:?}"));
    assert_eq!(
        errors,
        [
            "the world `Plain` has no component `Colum`; did you mean `Column`?",
            "the world `Plain` has no component `column`; did you mean `Column`?",
            "the world `Plain` has no component `Mass`",
            "the component `Hidden` is not accessible by name; write `component Hidden: by_name;` in the declaration of \
             `Plain`",
            &format!("the entity {dead} is not alive"),
            "the world `Plain` has no component `Colum`; did you mean `Column`?",
            &format!("the entity {entity} has no `Left`"),
            "the component `Column` cannot be `-1`: invalid digit found in string",
            &format!("the entity {entity} has no `Left`"),
        ]
    );
}

#[test]
fn in_a_step_changes_are_seen_at_once() {
    let mut world = World::<Plain>::new();
    let spawned = world.step(|step| {
        let entity = step.spawn((Tag,));
        step.insert_by_name(entity, "Packed", "3").unwrap();
        step.set_by_name(entity, "Packed", "4").unwrap();
        assert_eq!(step.get_by_name(entity, "Packed").unwrap(), "4");
        assert!(step.names_of(entity).eq(["Packed", "Tag"]));
        step.remove_by_name(entity, "Tag").unwrap();
        assert!(step.names_of(entity).eq(["Packed"]));
        entity
    });
    assert_eq!(world.get(spawned.unwrap()), Some(&Packed(4)));
}

mod sets {
    use super::{Heat, Wind, set};

    /// The names of a set's components are those of its declaration.
    pub(crate) type Rain = u8;

    set! {
        pub(crate) set Weather;
        component Heat: by_name;
        component Wind as Gust, Rain: hash_map, by_name;
    }
}

world! {
    world Valley;
    include sets::Weather;
    component Column;
}

#[test]
fn components_of_sets_have_names() {
    let mut world = World::<Valley>::new();
    let entity = world.spawn((Heat(1), Wind(2), 3_u8, Column(4)));
    let texts: Vec<_> = ["Heat", "Gust", "Rain", "Column"]
        .map(|name| world.get_by_name(entity, name).unwrap_or_default())
        .into();
    assert_eq!(texts, ["1", "2", "3", ""]);
    let error = world.get_by_name(entity, "Wind").unwrap_err();
    assert!(matches!(error, ByNameError::NoSuchComponent { .. }), "{error}");
}

/// How many values there are.
static VALUES: AtomicUsize = AtomicUsize::new(0);

/// A value that is counted. That of the text `panic` panics when it is dropped.
struct Counted(String);

impl FromStr for Counted {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        assert_ne!(text, "no value", "there is no value");
        VALUES.fetch_add(1, Relaxed);
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        assert_ne!(self.0, "no text", "there is no text");
        f.write_str(&self.0)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        VALUES.fetch_sub(1, Relaxed);
        assert_ne!(self.0, "panic", "dropped");
    }
}

world! {
    world Trouble;
    component Counted: by_name;
}

#[test]
fn panics_leave_a_world_that_goes_on_and_drops_each_value_once() {
    let mut world = World::<Trouble>::new();
    let entity = world.spawn(());
    let mut write = |text: &str, insert: bool| {
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            if insert {
                world.insert_by_name(entity, "Counted", text)
            } else {
                world.set_by_name(entity, "Counted", text)
            }
        }));
        let now = catch_unwind(AssertUnwindSafe(|| world.get_by_name(entity, "Counted")));
        (outcome.is_ok(), now.map_or_else(|_| "panicked".to_owned(), Result::unwrap))
    };
    assert_eq!(write("one", true), (true, "one".to_owned()));
    for insert in [false, true] {
        assert_eq!(write("panic", insert), (true, "panic".to_owned()));
        assert_eq!(write("next", insert), (false, "next".to_owned()));
        assert_eq!(write("no value", insert), (false, "next".to_owned()));
        assert_eq!(write("no text", insert), (true, "panicked".to_owned()));
        assert_eq!(VALUES.load(Relaxed), 1);
    }
    world.set_by_name(entity, "Counted", "panic").unwrap();
    let removed = catch_unwind(AssertUnwindSafe(|| world.remove_by_name(entity, "Counted")));
    assert!(removed.is_err() && VALUES.load(Relaxed) == 0);
    assert_eq!(world.names_of(entity).count(), 0);
    world.tick().unwrap();
}

/// A declaration that gives `Wind` the index of `Heat`, and lists both, one twice.
struct Lying;

impl Declaration for Lying {
    type Settings = Config<Dynamic<8>, Allow, AtomicCounter>;
    const NAME: &'static str = "Lying";
    const COMPONENTS: &'static [ComponentSignature] = &[ComponentSignature::new::<Heat>("Heat", 0)];
    const RESOURCES: &'static [ResourceSignature] = &[];
    const SYSTEMS: &'static [SystemSignature] = &[];
    const BY_NAME: &'static [ComponentByName<Self>] = &[
        ComponentByName::of::<Wind>(),
        ComponentByName::of::<Heat>(),
        ComponentByName::of::<Wind>(),
    ];

    fn dispatch<V: SystemVisitor<Self>>(index: usize, _: V) -> V::Output {
        ecs_core::generated::no_such_system(index)
    }

    fn resources(_: &mut ResourceSink<'_, Self>) {}
}

impl HasComponent<Heat> for Lying {
    const INDEX: usize = 0;
    type Number = ();
    type Strategy = ContiguousBuffer;
}

impl HasComponent<Wind> for Lying {
    const INDEX: usize = 0;
    type Number = ();
    type Strategy = ContiguousBuffer;
}

#[test]
fn a_table_that_lies_makes_access_panic() {
    let mut world = World::<Lying>::new();
    let entity = world.spawn((Heat(1),));
    let mut panics = |f: &mut dyn FnMut(&mut World<Lying>)| {
        let panic = catch_unwind(AssertUnwindSafe(|| f(&mut world))).expect_err("it panics");
        let text = panic.downcast_ref::<&str>().copied().unwrap_or_default();
        assert_eq!(text, "the declaration gives a component another's index");
    };
    panics(&mut |world| drop(world.get_by_name(entity, "Heat")));
    panics(&mut |world| drop(world.set_by_name(entity, "Heat", "2")));
    panics(&mut |world| drop(world.insert_by_name(entity, "Heat", "2")));
    panics(&mut |world| drop(world.remove_by_name(entity, "Heat")));
    assert_eq!(world.get::<Heat>(entity), Some(&Heat(1)));
}
