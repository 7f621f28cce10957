//! What is said of handles of entities that are not alive.

use ecs_core::{Entity, Threads, World, world};

use crate::support::caught;

#[derive(Debug, PartialEq)]
struct Position(u32);
#[derive(Debug, PartialEq)]
struct Target(Entity);
#[derive(Debug, PartialEq)]
struct Name;
#[derive(Default)]
struct Sum(u32);

world! {
    world Chase;
    component Position, Target, Name;
    resource Sum;
    system Watch { opt_in, read: [Name], each: |e| assert_eq!(e.name, &Name) }
    system Look { read: [Target], read_any: [Position], write_resources: [Sum], run: look }
}

fn look(data: &mut ecs_core::Data<'_, Chase, Look>) {
    let mut sum = 0;
    data.own.for_entities(|e| {
        sum += data.effects.read_any::<Position>()[e.target.0].0;
    });
    data.resources.get_mut::<Sum>().0 = sum;
}

#[test]
fn errors_name_the_component_or_the_system() {
    let mut world = World::<Chase>::on(Threads::Inline);
    let stale = world.spawn(());
    world.despawn(stale);
    let error = world.insert(stale, Name).unwrap_err();
    assert_eq!(error.entity, stale);
    let text =
        "`Name` cannot be inserted into the entity 0v1, which is not alive; test `is_alive` first";
    assert_eq!((error.to_string(), format!("{error:?}")), (text.to_owned(), text.to_owned()));
    let panic = caught(|| world.insert(stale, Name).unwrap());
    assert_eq!(panic, format!("called `Result::unwrap()` on an `Err` value: {text}"));
    let error = world.step(|step| step.unsubscribe::<Watch>(stale)).unwrap().unwrap_err();
    assert!(error.to_string().starts_with("`Watch` cannot be unsubscribed from the entity 0v1"));
}

#[test]
fn an_index_by_a_handle_names_the_component() {
    let mut world = World::<Chase>::on(Threads::Inline);
    let target = world.spawn((Position(3),));
    world.spawn((Target(target),));
    world.tick().unwrap();
    assert_eq!(world.resource::<Sum>().0, 3);
    world.despawn(target);
    let panic = caught(|| world.tick());
    assert!(panic.starts_with("`Position` is read of an entity that is not alive"), "{panic}");
}
