//! Places: naming entities within a step, and what a place of an earlier step refers to.

use ecs_core::{Data, Entity, Place, Stream, System, World, world};

use crate::support::every_kind;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Number(u32);

/// The operation of `Meddle` on the places.
#[derive(Clone, Copy, Debug, Default)]
enum Deed {
    #[default]
    Look,
    Swap,
    Despawn,
}

world! {
    world Placed { entity_limit: dynamic(16) }
    component Number: contiguous_buffer;
    resource Deed;

    system List { parallelism: split_every(64), read: [Number], output: Vec<(Place, Entity)> }
    system Meddle {
        exclusive,
        inputs: [List],
        read_resources: [Deed],
        write: [Number],
        despawn,
        output: Vec<Option<(Entity, u32)>>,
    }
    system Peek {
        inputs: [List],
        dependencies: [Meddle],
        read_any: [Number],
        output: Vec<Option<Number>>,
    }
}

#[derive(Default)]
struct List;

impl System<Placed> for List {
    fn process(&self, data: &mut Data<'_, Placed, Self>) {
        let Data { own, effects, .. } = data;
        let own = own.query::<(Place, Entity, &Number)>();
        own.for_each(|(place, entity, _)| effects.output().push((place, entity)));
    }
}

#[derive(Default)]
struct Meddle;

impl System<Placed> for Meddle {
    fn process(&self, data: &mut Data<'_, Placed, Self>) {
        let listed: Vec<Place> =
            data.effects.outputs_of::<List>().flatten().map(|&(place, _)| place).collect();
        match *data.resources.get::<Deed>() {
            Deed::Look => {
                for place in listed {
                    let found = data.own.get_mut::<(Entity, &Number)>(place);
                    let found = found.map(|(entity, number)| (entity, number.0));
                    data.effects.output().push(found);
                }
            }
            Deed::Swap => {
                let mut reach = data.own.any_mut::<&mut Number>();
                assert!(reach.pair_mut(listed[0], listed[0]).is_none(), "the same entity twice");
                for pair in listed.chunks_exact(2) {
                    let (a, b) = reach.pair_mut(pair[0], pair[1]).expect("both live");
                    std::mem::swap(a, b);
                }
            }
            Deed::Despawn => {
                for &place in listed.iter().step_by(2) {
                    data.effects.despawn(place);
                    data.effects.despawn(place);
                }
            }
        }
    }
}

#[derive(Default)]
struct Peek;

impl System<Placed> for Peek {
    fn process(&self, data: &mut Data<'_, Placed, Self>) {
        let numbers = data.effects.read_any::<Number>();
        let places = data.effects.outputs_of::<List>().flatten();
        let found: Vec<Option<Number>> =
            places.map(|&(place, _)| numbers.get(place).copied()).collect();
        data.effects.output().extend(found);
    }
}

const COUNT: u32 = 200;

fn placed(threads: ecs_core::Threads, deed: Deed) -> (World<Placed>, Vec<Entity>) {
    let mut world = World::<Placed>::on(threads);
    *world.resource_mut::<Deed>() = deed;
    let entities =
        world.step(|step| (0..COUNT).map(|n| step.spawn((Number(n),))).collect()).unwrap();
    (world, entities)
}

fn number(world: &World<Placed>, entity: Entity) -> Option<u32> {
    world.get::<Number>(entity).map(|number| number.0)
}

/// What `Meddle` and `Peek` have found.
fn found(world: &mut World<Placed>, from_list: bool) -> Vec<Option<(Entity, u32)>> {
    world
        .step(|step| {
            if from_list {
                step.execute_systems();
            } else {
                step.execute_systems_from::<(Meddle,)>();
            }
            let mut meddled: Vec<Option<(Entity, u32)>> = Vec::new();
            let mut peeked: Vec<Option<Number>> = Vec::new();
            step.output_parts_of::<Meddle>().for_each(|output| meddled.extend(output));
            step.output_parts_of::<Peek>().for_each(|output| peeked.extend(output));
            let numbers: Vec<_> =
                meddled.iter().map(|found| found.map(|(_, n)| Number(n))).collect();
            assert_eq!(peeked, numbers);
            meddled
        })
        .unwrap()
}

#[test]
fn a_place_leads_to_the_entity_that_it_was_listed_with() {
    for threads in every_kind() {
        let (mut world, entities) = placed(threads, Deed::Look);
        let expected: Vec<_> = (0..COUNT).zip(&entities).map(|(n, &e)| Some((e, n))).collect();
        assert_eq!(found(&mut world, true), expected);
    }
}

#[test]
fn two_places_give_two_entities() {
    for threads in every_kind() {
        let (mut world, entities) = placed(threads, Deed::Swap);
        world.tick().unwrap();
        let numbers: Vec<_> = entities.iter().map(|&e| number(&world, e).unwrap()).collect();
        assert_eq!(numbers, (0..COUNT).map(|n| n ^ 1).collect::<Vec<_>>());
    }
}

#[test]
fn what_is_despawned_by_place_is_despawned_once() {
    for threads in every_kind() {
        let (mut world, entities) = placed(threads, Deed::Despawn);
        world.tick().unwrap();
        assert_eq!(world.entity_count(), COUNT as usize / 2);
        for (n, &entity) in (0..COUNT).zip(&entities) {
            assert_eq!(number(&world, entity), (n % 2 == 1).then_some(n));
        }
        // The same list again. Many of its places are free by now; others refer to the entities that have
        // moved there. Each of these entities is despawned once, though several places name it.
        world.step(|step| step.execute_systems_from::<(Meddle,)>()).unwrap();
        assert_eq!(world.entity_count(), COUNT as usize / 4);
    }
}

#[test]
fn an_old_place_leads_to_the_entity_in_its_row_or_to_none() {
    for threads in every_kind() {
        let (mut world, entities) = placed(threads, Deed::Look);
        found(&mut world, true);
        world
            .step(|step| {
                for &entity in &entities[..150] {
                    step.despawn(entity);
                }
            })
            .unwrap();
        // The last 50 entities have moved into the first rows, the last one first.
        let moved = (0..50).map(|n| Some((entities[199 - n], 199 - n as u32)));
        let expected: Vec<_> = moved.chain(std::iter::repeat_n(None, 150)).collect();
        assert_eq!(found(&mut world, false), expected);
    }
}

#[test]
fn an_entity_spawned_in_the_row_of_an_old_place_is_alive() {
    for threads in every_kind() {
        let (mut world, entities) = placed(threads, Deed::Look);
        found(&mut world, true);
        world.step(|step| entities.iter().for_each(|&entity| step.despawn(entity))).unwrap();
        *world.resource_mut::<Deed>() = Deed::Despawn;
        let spawned = world.step(|step| {
            step.execute_systems_from::<(Meddle,)>();
            step.spawn((Number(7),))
        });
        assert_eq!(number(&world, spawned.unwrap()), Some(7));
        assert_eq!(world.entity_count(), 1);
    }
}

world! {
    world Remembered { entity_limit: dynamic(16) }
    component Number: contiguous_buffer;
    resource Old;

    system Send { read: [Number], output: Stream<u32> }
    /// Despawns the entity at the remembered place and spawns one. Without a remembered place, despawns an
    /// entity and remembers its place.
    system Consume: Replace { streams: [Send], write_resources: [Old], read: [Number], despawn, spawn: [(Number,)] }
    system Walk: Replace {
        dependencies: [Consume],
        write_resources: [Old],
        read: [Number],
        despawn,
        spawn: [(Number,)],
    }
}

/// The place of an entity that was despawned.
#[derive(Default)]
struct Old(Option<Place>);

#[derive(Default)]
struct Send;

impl System<Remembered> for Send {
    fn process(&self, _: &mut Data<'_, Remembered, Self>) {}
}

#[derive(Default)]
struct Replace;

macro_rules! replacing {
    ($($name:ident)*) => {$(
        impl System<Remembered, $name> for Replace {
            fn process(&self, data: &mut Data<'_, Remembered, $name>) {
                let first = data.own.query::<Place>().into_iter().next();
                let effects = &mut data.effects;
                let old = data.resources.get_mut::<Old>().0;
                match (old, first) {
                    (Some(place), _) => {
                        effects.despawn(place);
                        effects.spawn((Number(2),));
                    }
                    (None, Some(place)) => {
                        effects.despawn(place);
                        data.resources.get_mut::<Old>().0 = Some(place);
                    }
                    (None, None) => {}
                }
            }
        }
    )*};
}

replacing!(Consume Walk);

#[test]
fn an_old_place_does_no_harm_to_an_entity_spawned_in_its_row() {
    for threads in every_kind() {
        for consumes in [true, false] {
            let mut world = World::<Remembered>::on(threads.clone());
            world.step(|step| step.spawn((Number(1),))).unwrap();
            let counts = [(); 2].map(|()| {
                let executed = world.step(|step| {
                    if consumes {
                        // Only the consumer acts. `Walk` comes after it, so it is replaced by an empty body.
                        step.execute_with(|systems| {
                            systems.from::<(Send,)>().for_subtasks::<Walk>(|_, _| {})
                        });
                    } else {
                        step.execute_systems_from::<(Walk,)>();
                    }
                });
                executed.unwrap();
                world.entity_count()
            });
            assert_eq!(counts, [0, 1], "{consumes}");
        }
    }
}
