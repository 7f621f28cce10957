//! Prefabs as bytes and as text.

use ecs_core::{LoadError, Prefab, SaveFormat, Template, TextError, TextFormat, World, world};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

use super::model::{assert_copies, spawn, specs};
use super::{Aim, Day, Field, Health, Likes, Marked, Mind, Name, PartOf};

fn format() -> TextFormat<Field> {
    TextFormat::new()
        .component::<Health>()
        .component::<Name>()
        .component::<Aim>()
        .component::<Mind>()
        .component::<Marked>()
}

proptest! {
    /// What is loaded spawns the same entities.
    #[test]
    fn bytes_and_text_are_the_same_prefab(specs in specs(), likes in any::<bool>()) {
        let mut world = World::<Field>::new();
        world.resource_mut::<Day>().0 = 100;
        let all = spawn(&mut world, &specs);
        if !likes {
            // Links with values have no text.
            let links: Vec<_> = world.links::<Likes>().map(|(from, to, _)| (from, to)).collect();
            for (from, to) in links {
                world.remove_link::<Likes>(from, to);
            }
        }
        let prefab = world.prefab(all.iter().copied()).expect("they are alive");

        let mut bytes = Vec::new();
        prefab.save(&mut bytes).expect("all can be saved");
        let mut other = World::<Field>::new();
        let loaded = other.load_prefab(&bytes).expect("it was saved");
        let copies = other.spawn_prefab(&loaded);
        assert_copies(&world, &all, &other, &copies);
        prop_assert_eq!(other.resource::<Day>(), &Day(7), "a prefab has no resources");
        let mut again = Vec::new();
        loaded.save(&mut again).expect("all can be saved");
        prop_assert!(again == bytes, "the same prefab has the same bytes");

        match format().save_prefab(&prefab) {
            Ok(text) => {
                let loaded = format().load_prefab(&other, &text).expect("it was saved");
                let copies = other.spawn_prefab(&loaded);
                assert_copies(&world, &all, &other, &copies);
                prop_assert_eq!(format().save_prefab(&loaded).expect("all has text"), text);
            }
            Err(error) => {
                let is_of_links = matches!(&error, TextError::Part { name, .. } if name == "Likes");
                prop_assert!(likes && is_of_links, "{}", error);
            }
        }
    }

    /// Damaged bytes are errors, or a prefab.
    #[test]
    fn damaged_bytes_are_errors(at in any::<prop::sample::Index>(), bit in 0..8_u32) {
        let mut prefab = Prefab::<Field>::new();
        (0..3).for_each(|n| _ = prefab.push(Template::new((Health(n), Marked))));
        prefab.link::<PartOf>(1, 0).expect("they are there");
        let mut bytes = Vec::new();
        prefab.save(&mut bytes).expect("all can be saved");
        let world = World::<Field>::new();
        let at = at.index(bytes.len());
        prop_assert!(world.load_prefab(&bytes[..at]).is_err());
        bytes[at] ^= 1 << bit;
        let error = world.load_prefab(&bytes).expect_err("the checksum is another");
        let is_expected = matches!(
            error,
            LoadError::Checksum | LoadError::NotASave | LoadError::Format { .. }
        );
        prop_assert!(is_expected, "{}", error);
    }
}

#[test]
fn a_whole_save_is_a_prefab_too() {
    let mut world = World::<Field>::new();
    let mut all = [1, 2, 3, 4].map(|n| world.spawn((Health(n),))).to_vec();
    world.link::<PartOf>(all[3], all[1]).expect("they are alive");
    world.despawn(all.remove(0));
    let mut save = Vec::new();
    world.save(&mut save).expect("all can be saved");
    let mut other = World::<Field>::new();
    let prefab = SaveFormat::new().load_prefab(&other, &save).expect("it was saved");
    let copies = other.spawn_prefab(&prefab);
    assert_copies(&world, &all, &other, &copies);
}

#[test]
fn text_by_people() {
    let text = r#"(
        world: "Field",
        entities: [
            {"Health": (80), "Name": ("hull"), "Marked": ()},
            // A comment, and handles of other entities.
            {"Aim": (at: Some((2, 1)), others: [(0, 1)], strength: 3), "PartOf": 0},
            {"Mind": Follows((9, 1)), "PartOf": 1},
        ],
    )"#;
    let mut world = World::<Field>::new();
    let tank = format().load_prefab(&world, text).expect("it is right");
    let [hull, turret, gunner] = world.spawn_prefab(&tank)[..] else { panic!("there are three") };
    let aim = Aim { at: Some(gunner), others: vec![hull], strength: 3 };
    assert_eq!(world.get(turret), Some(&aim));
    assert_eq!(world.get(hull), Some(&Name("hull".into())));
    assert_eq!(world.parent::<PartOf>(gunner), Some(turret));
    let Some(Mind::Follows(nobody)) = world.get(gunner) else { panic!("it has one") };
    assert!(!world.is_alive(*nobody));
}

#[test]
fn what_is_wrong_in_a_text_is_named() {
    let world = World::<Field>::new();
    let load = |entities: &str| {
        let text = format!(r#"(world: "Field", entities: [{entities}])"#);
        format().load_prefab(&world, &text).expect_err("something is wrong").to_string()
    };
    for (entities, part) in [
        (r#"{"Health": ("ten")}"#, "Health"),
        (r#"{"Helth": (10)}"#, "`Helth` cannot be text: it is neither a component"),
        (r#"{"Day": (10)}"#, "`Day` cannot be text: it is neither"),
        (r#"{"Likes": 0}"#, "`Likes` cannot be text: it is neither"),
        (r#"{"PartOf": 1}"#, "there is no entity 1"),
        (r#"{"PartOf": 0}"#, "its own ancestor"),
        (r#"{"PartOf": 1}, {"PartOf": 0}"#, "its own ancestor"),
        (r#"{"PartOf": -1}"#, "PartOf"),
        (r#"{"Health": (1)"#, "none of a world"),
    ] {
        let error = load(entities);
        assert!(error.contains(part), "{entities}: {error}");
    }
    let unlisted = TextFormat::<Field>::new();
    let mut prefab = Prefab::new();
    prefab.push(Template::new((Health(1),)));
    let error = unlisted.save_prefab(&prefab).expect_err("it is not listed").to_string();
    assert!(error.contains("`Health` cannot be text"), "{error}");
}

mod sorted {
    use super::{Deserialize, Health, Name, Serialize, world};

    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    pub(super) struct Wide(pub(super) u64);

    world! {
        pub(super) world Sorted { rows: by_archetype }
        component Health, Name, Wide;
    }
}

/// Where archetypes have rows of their own, the numbers of a prefab stay.
#[test]
fn rows_by_archetype() {
    use sorted::{Sorted, Wide};
    let mut prefab = Prefab::<Sorted>::new();
    for n in 0..40_u32 {
        let mut template = Template::default();
        if n % 2 == 0 {
            template.insert(Health(n));
        }
        if n % 3 == 0 {
            template.insert(Name(n.to_string()));
        }
        if n % 5 == 0 {
            template.insert(Wide(n.into()));
        }
        prefab.push(template);
    }
    let mut bytes = Vec::new();
    prefab.save(&mut bytes).expect("all can be saved");
    let format = TextFormat::new().component::<Health>().component::<Name>().component::<Wide>();
    let text = format.save_prefab(&prefab).expect("all has text");
    let mut world = World::<Sorted>::new();
    let of_bytes = world.load_prefab(&bytes).expect("it was saved");
    let of_text = format.load_prefab(&world, &text).expect("it was saved");
    for prefab in [prefab, of_bytes, of_text] {
        let entities = world.spawn_prefabs(&prefab, 2);
        let again = world.prefab(entities[40..].iter().copied()).expect("they are alive");
        let third = world.spawn_prefab(&again);
        for all in [&entities[..40], &entities[40..], &third] {
            for (n, &entity) in (0..).zip(all) {
                assert_eq!(world.get(entity), (n % 2 == 0).then_some(&Health(n)));
                assert_eq!(world.get(entity), (n % 3 == 0).then(|| Name(n.to_string())).as_ref());
                assert_eq!(world.get(entity), (n % 5 == 0).then_some(&Wide(n.into())));
            }
        }
    }
}

/// Children of templates are entities of the prefab.
#[test]
fn children_of_templates() {
    let mut world = World::<Field>::new();
    let wheel = || Template::new((Health(1),)).with_children::<PartOf>([Template::new((Marked,))]);
    let mut prefab = Prefab::<Field>::new();
    prefab.push(Template::new((Health(9),)).with_children::<PartOf>([wheel(), wheel()]));
    assert_eq!(prefab.push(Template::new((Health(5),))), 5);

    let mut bytes = Vec::new();
    prefab.save(&mut bytes).expect("all can be saved");
    let text = format().save_prefab(&prefab).expect("all has text");
    let of_bytes = world.load_prefab(&bytes).expect("it was saved");
    let of_text = format().load_prefab(&world, &text).expect("it was saved");
    for prefab in [prefab, of_bytes, of_text] {
        assert_eq!(prefab.len(), 6);
        let all = world.spawn_prefabs(&prefab, 2);
        for all in all.chunks(6) {
            assert_eq!(world.get(all[5]), Some(&Health(5)));
            let wheels: Vec<_> = world.children::<PartOf>(all[0]).collect();
            assert_eq!(wheels, all[1..3]);
            for (&wheel, &below) in wheels.iter().zip(&all[3..5]) {
                assert!(
                    world.children::<PartOf>(wheel).eq([below]) && world.contains::<Marked>(below)
                );
            }
        }
    }
}

/// Children that a template gets later have no numbers, but are spawned and saved.
#[test]
fn children_without_numbers() {
    let mut world = World::<Field>::new();
    let mut prefab = Prefab::<Field>::new();
    prefab.push(Template::new((Health(9),)));
    prefab.push(Template::new((Health(5),)));
    prefab.entities_mut()[0] =
        Template::new((Health(8),)).with_children::<PartOf>([Template::new((Marked,))]);
    let spawned = world.spawn_prefabs(&prefab, 3);
    assert_eq!((spawned.len(), world.entity_count()), (6, 3 * (2 + 1)));
    let health: Vec<_> = spawned.iter().map(|&one| world.get(one)).collect();
    assert_eq!(health, [Some(&Health(8)), Some(&Health(5))].repeat(3));
    let mut bytes = Vec::new();
    prefab.save(&mut bytes).expect("all can be saved");
    let loaded = world.load_prefab(&bytes).expect("it was saved");
    let all = world.spawn_prefab(&loaded);
    assert_eq!(all.len(), 3);
    assert_eq!(world.parent::<PartOf>(all[2]), Some(all[0]));
}
