//! Saves of older declarations.
//!
//! `saves` has a file of each generation. `UPDATE_SAVES=1` writes those that are missing. Files that are there never change:
//! they are what users have.

use std::path::PathBuf;

use ecs_core::{ChangedPart, LoadError, PartFormat, PartKind, SaveFormat, World, world};
use serde::{Deserialize, Serialize};

mod first {
    //! As it began.

    use super::*;

    #[derive(Serialize, Deserialize)]
    pub(super) struct Pos(pub(super) f32, pub(super) f32);
    #[derive(Serialize, Deserialize)]
    pub(super) struct Health(pub(super) u8);
    #[derive(Serialize, Deserialize)]
    pub(super) struct Smell(pub(super) String);
    #[derive(Default, Serialize, Deserialize)]
    pub(super) struct Score(pub(super) u32);

    world! {
        pub(super) world Game;
        component Pos, Health, Smell;
        resource Score;
    }
}

mod second {
    //! `Pos` is plain old data now, with another name, and `Health` has more bits.

    use super::*;

    #[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
    #[repr(C)]
    pub(super) struct Position {
        pub(super) x: f32,
        pub(super) y: f32,
    }
    #[derive(Serialize, Deserialize)]
    pub(super) struct Health(pub(super) u32);
    #[derive(Serialize, Deserialize)]
    pub(super) struct Smell(pub(super) String);
    #[derive(Default, Serialize, Deserialize)]
    pub(super) struct Score(pub(super) u32);

    world! {
        pub(super) world Game;
        component Health, Position, Smell;
        resource Score;
    }

    pub(super) fn format() -> SaveFormat<Game> {
        SaveFormat::new()
            .component::<Position>(|position| {
                position
                    .renamed_from("Pos")
                    .version(2)
                    .migrate(1, |first::Pos(x, y)| Position { x, y })
            })
            .component::<Health>(|health| {
                health.version(2).migrate(1, |first::Health(points)| Health(points.into()))
            })
    }
}

mod third {
    //! Positions have three numbers, nothing smells any more, the score has a name, and a system counts.

    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
    #[repr(C)]
    pub(super) struct Position(pub(super) [f32; 3]);
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    pub(super) struct Health(pub(super) u32);
    #[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
    pub(super) struct Best {
        pub(super) name: String,
        pub(super) points: u64,
    }
    #[derive(Serialize, Deserialize)]
    pub(super) struct Armor(pub(super) u8);

    world! {
        pub(super) world Game;
        component Armor, Position, Health;
        resource Best;
    }

    pub(super) fn format() -> SaveFormat<Game> {
        let at = |x, y| Position([x, y, 0.0]);
        SaveFormat::new()
            .component::<Position>(|position| {
                position
                    .renamed_from("Pos")
                    .version(3)
                    .migrate(1, move |first::Pos(x, y)| at(x, y))
                    .migrate_plain(2, move |second::Position { x, y }| at(x, y))
            })
            .component::<Health>(|health| {
                health.version(2).migrate(1, |first::Health(points)| Health(points.into()))
            })
            .resource::<Best>(|best| {
                let of = |first::Score(points)| Best { name: String::new(), points: points.into() };
                best.renamed_from("Score").version(2).migrate(1, of)
            })
            .without("Smell")
    }
}

fn path(generation: u32) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/save/saves");
    folder.join(format!("{generation}.save"))
}

/// The save of a generation, which that still writes.
fn save(generation: u32, written: &[u8]) -> Vec<u8> {
    let path = path(generation);
    if std::env::var_os("UPDATE_SAVES").is_some() && !path.exists() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, written).unwrap();
    }
    let save = std::fs::read(&path).unwrap();
    assert!(save == written, "generation {generation} writes other bytes than it did");
    save
}

fn saves() -> [Vec<u8>; 3] {
    let mut one = World::<first::Game>::new();
    let [a, b, c] = [1.0, 2.0, 3.0].map(|x| one.spawn((first::Pos(x, -x), first::Health(7))));
    one.insert(b, first::Smell("sweet".into())).unwrap();
    one.despawn(a);
    one.remove::<first::Health>(c);
    one.resource_mut::<first::Score>().0 = 99;
    one.tick().unwrap();
    let mut two = World::<second::Game>::new();
    second::format()
        .load(&mut two, &{
            let mut bytes = Vec::new();
            one.save(&mut bytes).unwrap();
            bytes
        })
        .unwrap();
    let mut three = World::<third::Game>::new();
    let (mut first, mut second, mut third) = (Vec::new(), Vec::new(), Vec::new());
    one.save(&mut first).unwrap();
    second::format().save(&two, &mut second).unwrap();
    third::format().load(&mut three, &second).unwrap();
    third::format().save(&three, &mut third).unwrap();
    [save(1, &first), save(2, &second), save(3, &third)]
}

#[test]
fn each_generation_is_loaded_by_the_last_one() {
    use third::{Best, Game, Health, Position};
    for (generation, save) in (1..).zip(saves()) {
        let mut world = World::<Game>::new();
        third::format().load(&mut world, &save).unwrap();
        assert_eq!(world.entity_count(), 2, "generation {generation}");
        let mut seen = Vec::new();
        for (entity, position) in world.iter::<(ecs_core::Entity, &Position)>() {
            seen.push((*position, world.get::<Health>(entity).map(|health| health.0)));
        }
        seen.sort_by(|one, other| one.0.0[0].total_cmp(&other.0.0[0]));
        let expected = [(Position([2.0, -2.0, 0.0]), Some(7)), (Position([3.0, -3.0, 0.0]), None)];
        assert_eq!(seen, expected, "generation {generation}");
        assert_eq!(*world.resource::<Best>(), Best { name: String::new(), points: 99 });
        world.tick().unwrap();
    }
}

#[test]
fn what_is_missing_is_named() {
    let [first, second, _] = saves();
    let error = |format: SaveFormat<third::Game>, save: &[u8]| {
        let mut world = World::<third::Game>::new();
        let entity = world.spawn((third::Health(1),));
        let error = format.load(&mut world, save).unwrap_err();
        assert_eq!(world.get::<third::Health>(entity).unwrap().0, 1, "the world is as it was");
        error
    };
    // In the order in which a user meets them.
    let format = SaveFormat::new();
    let found = error(format, &second);
    let size = ChangedPart::Size { saved: 8, declared: 12 };
    assert!(
        matches!(&found, LoadError::Changed { kind: PartKind::Component, name, change }
            if name == "Position" && matches!(change, ChangedPart::Version { saved: 2, declared: 1 })),
        "{found}"
    );
    assert_eq!(
        found.to_string(),
        "the component `Position` has changed since it was saved: it has version 2 in the save and 1 \
         now, and `SaveFormat` has no migration from version 2"
    );
    let format = SaveFormat::new().component::<third::Position>(|position| position.version(2));
    let found = error(format, &second);
    assert!(matches!(&found, LoadError::Changed { change, .. } if *change == size), "{found}");
    let format = SaveFormat::new().component::<third::Position>(|position| {
        position.version(3).migrate(2, |second::Health(x)| third::Position([x as f32; 3]))
    });
    let found = error(format, &second);
    assert!(matches!(&found, LoadError::Changed { change: ChangedPart::Form, .. }), "{found}");
    let found = error(SaveFormat::new(), &first);
    assert!(
        matches!(&found, LoadError::Unknown { kind: PartKind::Component, name } if name == "Pos"),
        "{found}"
    );
    assert!(found.to_string().contains("`PartFormat::renamed_from`"), "{found}");
    // Of several sayings the last one counts.
    let found =
        error(third::format().component::<third::Health>(|health| health.version(5)), &first);
    assert!(
        matches!(&found, LoadError::Changed { name, change: ChangedPart::Version { saved: 1, declared: 5 }, .. }
            if name == "Health"),
        "{found}"
    );
}

#[test]
fn a_save_of_a_later_format_is_told_from_a_damaged_one() {
    let [first, ..] = saves();
    let mut world = World::<first::Game>::new();
    let mut later = first.clone();
    later[8] = 2;
    assert!(matches!(world.load(&later), Err(LoadError::Format { found: 2 })));
    let mut order = first.clone();
    order[12] = 3 - order[12];
    let (all, hash) = order.split_last_chunk_mut().unwrap();
    *hash = xxhash_rust::xxh3::xxh3_64(all).to_le_bytes();
    assert!(matches!(world.load(&order), Err(LoadError::ByteOrder)));
    assert!(matches!(world.load(b"PNG"), Err(LoadError::NotASave)));
    assert!(matches!(world.load(&[]), Err(LoadError::NotASave)));
    let mut damaged = first;
    damaged[60] ^= 4;
    assert!(matches!(world.load(&damaged), Err(LoadError::Checksum)));
}

mod tracked {
    //! A component that a system asks about, which older saves have not.

    use super::*;
    use ecs_core::Mut;

    #[derive(Serialize, Deserialize)]
    pub(super) struct Health(pub(super) u8);
    #[derive(Serialize, Deserialize)]
    pub(super) struct Light(pub(super) u32);
    #[derive(Default, Serialize, Deserialize)]
    pub(super) struct Seen(pub(super) u32);

    world! {
        pub(super) world Game;
        component Health, Light;
        resource Seen;
        system Shine { each: |mut light: Mut<Light>| light.0 += 1 }
        system See {
            dependencies: [Shine],
            read: [Light],
            changed: [Light],
            write_resources: [Seen],
            run: |data| {
                let seen = data.own.changed::<Light, &Light>().map(|light| light.0).sum::<u32>();
                data.resources.get_mut::<Seen>().0 += seen;
            },
        }
    }
}

#[test]
fn a_new_component_is_tracked_from_then_on() {
    let mut before = World::<first::Game>::new();
    let many: Vec<_> = (0..5000).map(|n| before.spawn((first::Health(n as u8),))).collect();
    let mut save = Vec::new();
    before.save(&mut save).unwrap();
    let mut now = World::<tracked::Game>::new();
    let format = ["Pos", "Smell", "Score"].into_iter().fold(SaveFormat::new(), SaveFormat::without);
    format.load(&mut now, &save).unwrap();
    now.tick().unwrap();
    for entity in [many[4], many[4999]] {
        now.insert(entity, tracked::Light(7)).unwrap();
    }
    now.tick().unwrap();
    now.tick().unwrap();
    assert_eq!(now.resource::<tracked::Seen>().0, 2 * (8 + 9));
    assert_eq!(now.get::<tracked::Health>(many[300]).unwrap().0, 300_usize as u8);
}

mod renamed {
    //! A system with another name: it is subscribed by hand, reads events, and has a state.

    use super::*;
    use ecs_core::{Data, System};

    #[derive(Serialize, Deserialize)]
    pub(super) struct Rang(pub(super) u32);
    #[derive(Serialize, Deserialize)]
    pub(super) struct Level(pub(super) u32);

    macro_rules! with {
        ($module:ident $system:ident) => {
            pub(super) mod $module {
                use super::*;

                #[derive(Default, Serialize, Deserialize)]
                pub(in super::super) struct $system(pub(in super::super) u32);

                world! {
                    pub(in super::super) world Game;
                    component Level;
                    event Rang: keep(3);
                    system $system { opt_in, on: [Rang], write: [Level] }
                    system Ring { emit: [Rang], run: |data| data.effects.emit(Rang(1)) }
                }

                impl System<Game> for $system {
                    fn process(&self, data: &mut Data<'_, Game, Self>) {
                        let rung: u32 = data.effects.events::<Rang>().map(|rang| rang.0).sum();
                        data.own.for_entities(|one| one.level.0 += rung + self.0);
                    }
                }
            }
        };
    }

    with!(old Rise);
    with!(new Grow);
}

#[test]
fn a_renamed_system_goes_on() {
    let mut before = World::<renamed::old::Game>::new();
    let [one, other] = [5, 6].map(|level| before.spawn((renamed::Level(level),)));
    before.step(|step| step.subscribe::<renamed::old::Rise>(one)).unwrap().unwrap();
    before.system_mut::<renamed::old::Rise>().0 = 100;
    before.tick().unwrap();
    let mut save = Vec::new();
    before.save(&mut save).unwrap();
    let mut now = World::<renamed::new::Game>::new();
    let error = now.load(&save).unwrap_err();
    assert!(matches!(&error, LoadError::Unknown { name, .. } if name == "Rise"), "{error}");
    let format = SaveFormat::new().system::<renamed::new::Grow>(|grow| grow.renamed_from("Rise"));
    format.load(&mut now, &save).unwrap();
    before.tick().unwrap();
    now.tick().unwrap();
    let level =
        |world: &World<renamed::new::Game>, entity| world.get::<renamed::Level>(entity).unwrap().0;
    assert_eq!([one, other].map(|entity| level(&now, entity)), [207, 6], "each event is read once");
    assert_eq!(before.get::<renamed::Level>(one).unwrap().0, 207);
}

mod tags {
    //! A tag that gets a value, and so do a resource and the state of a system.

    use super::*;
    use ecs_core::{Data, System};

    #[derive(Default)]
    pub(super) struct Poisoned;
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    pub(super) struct Poison(pub(super) u32);

    pub(super) mod old {
        use super::*;
        #[derive(Default)]
        pub(in super::super) struct Rules;
        #[derive(Default)]
        pub(in super::super) struct Count;
        world! {
            pub(in super::super) world Game;
            component Poisoned;
            resource Rules;
            system Count {}
        }
        impl System<Game> for Count {
            fn process(&self, _: &mut Data<'_, Game, Self>) {}
        }
    }
    pub(super) mod new {
        use super::*;
        #[derive(Default, Serialize, Deserialize)]
        pub(in super::super) struct Rules(pub(in super::super) u32);
        #[derive(Default, Serialize, Deserialize)]
        pub(in super::super) struct Count(pub(in super::super) u32);
        world! {
            pub(in super::super) world Game;
            component Poison;
            resource Rules;
            system Count {}
        }
        impl System<Game> for Count {
            fn process(&self, _: &mut Data<'_, Game, Self>) {}
        }
    }
}

#[test]
fn a_tag_gets_a_value_and_loses_it_again() {
    use tags::{Poison, Poisoned, new, old};
    let mut world = World::<old::Game>::new();
    let many: Vec<_> = (0..200).map(|_| world.spawn(())).collect();
    let is_poisoned = |n: usize| n.is_multiple_of(3);
    for (_, entity) in many.iter().enumerate().filter(|(n, _)| is_poisoned(*n)) {
        world.insert(*entity, Poisoned).unwrap();
    }
    let mut save = Vec::new();
    world.save(&mut save).unwrap();

    let mut later = World::<new::Game>::new();
    let to_value = |poison: PartFormat<Poison>| {
        poison.renamed_from("Poisoned").version(2).migrate_empty(1, || Poison(9))
    };
    let format = SaveFormat::new()
        .component::<Poison>(to_value)
        .resource::<new::Rules>(|rules| rules.version(2).migrate_empty(1, || new::Rules(5)))
        .system::<new::Count>(|count| count.version(2).migrate_empty(1, || new::Count(6)));
    format.load(&mut later, &save).unwrap();
    assert_eq!((later.resource::<new::Rules>().0, later.system::<new::Count>().0), (5, 6));
    for (n, &entity) in many.iter().enumerate() {
        assert_eq!(later.get::<Poison>(entity), is_poisoned(n).then_some(&Poison(9)));
    }
    save.clear();
    format.save(&later, &mut save).unwrap();

    let to_tag = |poisoned: PartFormat<Poisoned>| {
        poisoned.renamed_from("Poison").migrate(2, |Poison(_)| Poisoned)
    };
    SaveFormat::new()
        .component::<Poisoned>(to_tag)
        .resource::<old::Rules>(|rules| rules.migrate(2, |_: new::Rules| old::Rules))
        .system::<old::Count>(|count| count.migrate(2, |_: new::Count| old::Count))
        .load(&mut world, &save)
        .unwrap();
    for (n, &entity) in many.iter().enumerate() {
        assert_eq!(world.get::<Poisoned>(entity).is_some(), is_poisoned(n));
    }
    // What was written by `serde` is not read as nothing.
    let by_serde = |poison: PartFormat<Poison>| poison.version(3).migrate_empty(2, || Poison(9));
    let found = SaveFormat::new().component::<Poison>(by_serde).load(&mut later, &save);
    assert!(
        matches!(found, Err(LoadError::Changed { change: ChangedPart::Form, .. })),
        "{found:?}"
    );
}
