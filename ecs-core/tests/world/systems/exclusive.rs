//! Access to entities other than own ones: exclusive systems, and `read_any`.

use ecs_core::{Data, Entity, System, Threads, World, world};
use proptest::prelude::*;

use crate::support::{every_kind, mix};

#[derive(Clone, Copy, Debug, PartialEq)]
struct Place(i32);

#[derive(Clone, Copy, Debug, PartialEq)]
struct Speed(i32);

#[derive(Clone, Copy, Debug, PartialEq)]
struct Target(Option<Entity>);

world! {
    world Reaching { entity_limit: dynamic(16) }
    component (Place, Speed): contiguous_buffer;
    component Target: contiguous_buffer;

    system Follow {
        parallelism: split_every(64),
        read: [Target],
        read_any: [Place],
        output: Vec<Option<Place>>,
    }
    system Swap { exclusive, dependencies: [Follow], write: [Place], read_optional: [Speed], output: Vec<bool> }
}

/// Reads the `Place` of each entity's target.
#[derive(Default)]
struct Follow;

impl System<Reaching> for Follow {
    fn process(&self, data: &mut Data<'_, Reaching, Self>) {
        let Data { own, effects, .. } = data;
        let places = effects.read_any::<Place>();
        own.for_entities(|e| {
            effects.output().push(e.target.0.and_then(|target| places.get(target).copied()));
        });
    }
}

/// Swaps the `Place`s of these pairs.
#[derive(Default)]
struct Swap(Vec<(Entity, Entity)>);

impl System<Reaching> for Swap {
    fn process(&self, data: &mut Data<'_, Reaching, Self>) {
        for &(a, b) in &self.0 {
            let swapped = match data.own.pair_mut::<(Entity, &mut Place, Option<&Speed>)>(a, b) {
                Some(((x, p, v), (y, q, _))) => {
                    assert_eq!((x, y), (a, b));
                    std::mem::swap(p, q);
                    q.0 += v.map_or(0, |speed| speed.0);
                    true
                }
                None => false,
            };
            data.effects.output().push(swapped);
            if let Some(place) = data.own.get_mut::<&mut Place>(a) {
                place.0 += 1;
            }
            // A query over its own entities works too.
            assert!(data.own.query::<&Place>().into_iter().count() > 0);
        }
    }
}

#[test]
fn pairs_and_single_entities() {
    for threads in every_kind() {
        let mut world = World::<Reaching>::on(threads);
        let (a, b, far, no_place, despawned) = world
            .step(|step| {
                let a = step.spawn((Place(100), Speed(7)));
                let b = step.spawn((Place(200),));
                let no_place = step.spawn((Speed(1),));
                let despawned = step.spawn((Place(1),));
                for _ in 0..5000 {
                    step.spawn(());
                }
                let far = step.spawn((Place(300),));
                (a, b, far, no_place, despawned)
            })
            .unwrap();
        let fresh = world.step(|step| {
            step.despawn(despawned);
        });
        fresh.unwrap();
        world.system_mut::<Swap>().0 = vec![
            (a, b),
            (a, a),
            (a, no_place),
            (despawned, a),
            (b, despawned),
            (far, a),
            (no_place, far),
        ];
        let swapped = world
            .step(|step| {
                let unsubscribed = step.spawn((Place(9),));
                step.system_mut::<Swap>().0.push((a, unsubscribed));
                step.execute_systems();
                let mut swapped: Vec<bool> = Vec::new();
                step.output_parts_of::<Swap>().for_each(|output| swapped.extend(output));
                swapped
            })
            .unwrap();
        assert_eq!(swapped, [true, false, false, false, false, true, false, false]);
        let place = |entity| world.get::<Place>(entity).map(|place| place.0);
        // a: 200, +1 after each of (a, _) = 203, to far; far's 300 to a, +1 once more.
        // b: 100 + 7, +1 after (b, despawned). far: 203, then +1.
        assert_eq!(
            [place(a), place(b), place(far), place(no_place), place(despawned)],
            [Some(301), Some(108), Some(204), None, None],
        );
    }
}

#[test]
fn any_entity_can_be_read() {
    for threads in every_kind() {
        let mut world = World::<Reaching>::on(threads);
        let (targets, expected) = world
            .step(|step| {
                let despawned = step.spawn((Place(1),));
                step.despawn(despawned);
                let mut targets = vec![despawned];
                targets.extend((0..300).map(|i| step.spawn((Place(i),))));
                targets.push(step.spawn((Speed(5),)));
                let mut expected = vec![None];
                expected.extend((0..300).map(|i| Some(Place(i))));
                expected.extend([None, None]);
                (targets, expected)
            })
            .unwrap();
        world
            .step(|step| {
                for &target in &targets {
                    step.spawn((Target(Some(target)),));
                }
                step.spawn((Target(None),));
            })
            .unwrap();
        let mut found: Vec<(Option<Entity>, Option<Place>)> = world
            .step(|step| {
                step.execute_systems();
                let mut places = Vec::new();
                step.output_parts_of::<Follow>().for_each(|output| places.extend(output));
                places
            })
            .unwrap()
            .into_iter()
            .zip(targets_in_order(&world))
            .map(|(place, target)| (target, place))
            .collect();
        let mut wanted: Vec<(Option<Entity>, Option<Place>)> =
            targets.into_iter().map(Some).chain([None]).zip(expected).collect();
        found.sort_by_key(|(target, _)| *target);
        wanted.sort_by_key(|(target, _)| *target);
        assert_eq!(found, wanted);
    }
}

fn targets_in_order(world: &World<Reaching>) -> Vec<Option<Entity>> {
    let mut targets = Vec::new();
    for target in world.iter::<&Target>() {
        targets.push(target.0);
    }
    targets
}

world! {
    world Looked { entity_limit: dynamic(16) }
    component (Place, Speed): contiguous_buffer;
    component Target: hash_map;
    resource Wanted;
    system Look { read_any: [Place], read_resources: [Wanted], output: Vec<(Entity, Place)> }
    system Change {
        exclusive,
        write: [Place, Target],
        read_optional: [Speed],
        read_resources: [Wanted],
        output: Vec<(Entity, Place)>,
        dependencies: [Look],
    }
}

/// The entities to look up.
#[derive(Default)]
struct Wanted(Vec<Entity>);

#[derive(Default)]
struct Look {
    together: bool,
}

#[derive(Default)]
struct Change {
    together: bool,
}

impl System<Looked> for Look {
    fn process(&self, data: &mut Data<'_, Looked, Self>) {
        let (places, wanted) = (data.effects.read_any::<Place>(), data.resources.get::<Wanted>());
        let mut seen = Vec::new();
        if self.together {
            places
                .for_each_of(wanted.0.iter().copied(), |entity, place| seen.push((entity, *place)));
        } else {
            let found = |&entity: &Entity| Some((entity, *places.get(entity)?));
            seen.extend(wanted.0.iter().filter_map(found));
        }
        data.effects.output().extend(seen);
    }
}

impl System<Looked> for Change {
    fn process(&self, data: &mut Data<'_, Looked, Self>) {
        let wanted = data.resources.get::<Wanted>();
        let mut seen = Vec::new();
        let mut reach = data.own.any_mut::<(&mut Place, Option<&Speed>, &mut Target, Entity)>();
        let mut change =
            |entity, place: &mut Place, speed: Option<&Speed>, target: &mut Target, same| {
                assert_eq!(entity, same);
                seen.push((entity, *place));
                place.0 = place.0 * 3 + speed.map_or(1, |speed| speed.0);
                target.0 = Some(entity);
            };
        if self.together {
            reach.for_each_of(wanted.0.iter().copied(), |entity, (place, speed, target, same)| {
                change(entity, place, speed, target, same);
            });
        } else {
            for &entity in &wanted.0 {
                if let Some((place, speed, target, same)) = reach.get_mut(entity) {
                    change(entity, place, speed, target, same);
                }
            }
        }
        data.effects.output().extend(seen);
    }
}

proptest! {
    #![proptest_config(crate::support::cases(64))]

    /// Compares look-ups of live, despawned, foreign and repeated entities.
    #[test]
    fn look_ups_of_many_are_as_one_by_one(
        count in prop_oneof![0..40_usize, Just(5_000_usize)],
        seed in any::<u64>(),
        asked in 0..120_usize,
    ) {
        let run = |together: bool| {
            let mut world = World::<Looked>::on(Threads::Inline);
            let all = world.step(|step| {
                let one = |n: usize| {
                    let entity = step.spawn(());
                    let kind = mix(seed ^ n as u64);
                    if kind & 3 != 0 {
                        step.insert(entity, Place(n as i32)).unwrap();
                    }
                    if kind & 4 != 0 {
                        step.insert(entity, Speed(2)).unwrap();
                    }
                    if kind >> 3 & 3 != 0 {
                        step.insert(entity, Target(None)).unwrap();
                    }
                    entity
                };
                (0..count + 20).map(one).collect::<Vec<_>>()
            });
            let all = all.unwrap();
            world.step(|step| {
                // Handles beyond `count` are like handles of a larger world: they refer to no entity
                // afterwards.
                let despawned = |(n, _): &(usize, &Entity)| *n >= count || mix(seed ^ *n as u64).is_multiple_of(9);
                all.iter().enumerate().filter(despawned).for_each(|(_, &e)| step.despawn(e));
            }).unwrap();
            let wanted: Vec<Entity> = (0..asked as u64)
                .map(|n| all[(mix(seed ^ (n << 20)) >> (seed % 3 * 28)) as usize % all.len()])
                .collect();
            let mut by_world = Vec::new();
            if together {
                let see = |entity, place: &Place| by_world.push((entity, *place));
                world.for_each_of(wanted.iter().copied(), see);
            } else {
                let found = |&entity: &Entity| Some((entity, *world.get::<Place>(entity)?));
                by_world.extend(wanted.iter().filter_map(found));
            }
            world.resource_mut::<Wanted>().0 = wanted;
            world.system_mut::<Look>().together = together;
            world.system_mut::<Change>().together = together;
            let seen = world.step(|step| {
                step.execute_systems();
                let looked: Vec<_> = step.outputs_of::<Look>().flatten().copied().collect();
                let changed: Vec<_> = step.outputs_of::<Change>().flatten().copied().collect();
                (looked, changed)
            });
            let mut after = Vec::new();
            for (entity, place, target) in world.iter::<(Entity, &Place, Option<&Target>)>() {
                after.push((entity, *place, target.copied()));
            }
            (by_world, seen.unwrap(), after)
        };
        prop_assert_eq!(run(true), run(false));
    }
}
