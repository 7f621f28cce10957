//! Single cases: links to oneself, of pending entities, of several kinds at once, and of other worlds.

use ecs_core::scheduler::AtomicCounter;
use ecs_core::settings::{Allow, Config, Fixed};
use ecs_core::{Entity, ManyToMany, Refused, StateHash, StepError, Threads, World, world};

use super::super::support::{every_kind, mix, three};

#[derive(Clone, Debug, PartialEq, StateHash)]
struct Road(u32);
#[derive(Clone, Debug, StateHash)]
struct Guards;
#[derive(Clone, Debug, StateHash)]
struct Founder(u32);
#[derive(Clone, Debug, StateHash)]
struct House(u32);

world! {
    world Town { rows: by_archetype }
    component Founder: contiguous_buffer;
    component House;
    relation Road: many_to_many, on_despawn: despawn;
    relation Guards: many_to_many, on_despawn: forbid;
    system Build {
        parallelism: split_every(64),
        read: [Founder],
        spawn: [House],
        link: [Guards, Road],
        despawn,
        run: |data| for (founder, &Founder(houses)) in data.own.query::<(Entity, &Founder)>() {
            let effects = &mut data.effects;
            let mut last = None;
            for number in 0..houses {
                let house = effects.spawn_pending((House(number),));
                // The second one counts, and one to itself is allowed.
                effects.insert_link(house, founder, Road(100));
                effects.insert_link(house, founder, Road(number));
                effects.insert_link(house, house, Guards);
                if let Some(last) = last {
                    effects.insert_link(house, last, Road(1000 + number));
                }
                last = Some(house);
            }
            if houses == 4 {
                effects.despawn(founder);
            }
        },
    }
}

#[test]
fn pending_entities_are_linked() {
    let mut hashes = Vec::new();
    for threads in every_kind() {
        let mut world = World::<Town>::on(threads);
        let founders = world.spawn_batch((0..300).map(|number| (Founder(number % 4),)));
        world.tick().unwrap();
        for (number, &founder) in founders.iter().enumerate() {
            let houses: Vec<(Entity, &Road)> = world.sources::<Road>(founder).collect();
            assert_eq!(houses.len(), number % 4);
            for (n, &(house, road)) in houses.iter().enumerate() {
                assert_eq!(*road, Road(n as u32));
                assert_eq!(world.get::<House>(house).map(|house| house.0), Some(n as u32));
                assert!(world.get_link::<Guards>(house, house).is_some());
                let before = n.checked_sub(1).map(|n| houses[n].0);
                let to = world.targets::<Road>(house).find(|(to, _)| *to != founder);
                assert_eq!(to.map(|(to, _)| to), before);
            }
        }
        hashes.push(world.state_hash());
        // What guards itself is no obstacle.
        assert!(world.despawn(founders[3]));
        assert!(!world.is_alive(founders[3]) && world.is_alive(founders[7]));
        assert_eq!(world.entity_count(), 300 + 450 - 4);
    }
    assert!(hashes.iter().all(|hash| *hash == hashes[0]));
}

#[test]
fn a_target_that_is_despawned_is_none_of_a_pending_entity() {
    for threads in every_kind() {
        let mut world = World::<Town>::on(threads);
        let founder = world.spawn((Founder(4),));
        let error = world.tick().unwrap_err();
        let houses: Vec<Entity> = world.iter::<(Entity, &House)>().map(|(one, _)| one).collect();
        let refused = |source: &Entity| Refused::DeadTarget { source: *source, target: founder };
        let expected: Vec<Refused> =
            houses.iter().flat_map(|house| [refused(house), refused(house)]).collect();
        assert_eq!(world.refused_links::<Road>(), expected);
        assert!(matches!(error, StepError::Refused { relation: "Road", count: 8, .. }), "{error}");
        assert_eq!(
            world.targets::<Road>(houses[3]).map(|(to, _)| to).collect::<Vec<_>>(),
            [houses[2]]
        );
    }
}

#[test]
fn what_finds_no_room_has_no_links() {
    type Few = Config<Fixed<3>, Allow, AtomicCounter>;
    let mut world = World::<Town, Few>::on(Threads::Inline);
    let founder = world.spawn((Founder(3),)).expect("room");
    assert!(world.tick().is_err());
    assert_eq!(world.entity_count(), 3);
    assert!(world.refused_links::<Road>().is_empty());
    let houses: Vec<Entity> = world.sources::<Road>(founder).map(|(house, _)| house).collect();
    assert_eq!(houses.len(), 2);
    assert!(world.sources::<Road>(houses[1]).len() == 0);
}

#[test]
fn cycles_go_together_and_the_dead_are_named() {
    let mut world = World::<Town>::new();
    let all = [(); 4].map(|()| world.spawn(()));
    let [a, b, c, d] = all;
    world
        .step(|step| {
            for (source, target) in [(a, b), (b, c), (c, a), (d, d)] {
                step.insert_link(source, target, Road(1));
            }
        })
        .unwrap();
    assert_eq!(world.sources::<Road>(d).map(|(one, _)| one).collect::<Vec<_>>(), [d]);
    assert!(world.despawn(b));
    assert_eq!(world.iter::<Entity>().collect::<Vec<_>>(), [d]);
    let error = world.insert_link(a, d, Road(2)).unwrap_err();
    let refused = Refused::DeadSource { source: a, target: d };
    assert_eq!(error, StepError::Refused { relation: "Road", refused, count: 1 });
    assert_eq!(
        error.to_string(),
        format!("`Road`: {a:?} is not linked to {d:?}, as it is not alive")
    );
    let error = world.insert_link(d, c, Road(2)).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("`Road`: {d:?} is not linked to {c:?}, which is not alive")
    );
    // What is not there can be removed.
    world.remove_link::<Road>(a, d);
    world.remove_link::<Guards>(d, d);
    assert!(world.refused_links::<Road>().is_empty() && world.get_link::<Road>(d, d).is_some());
    assert!(world.targets::<Road>(a).next().is_none());
}

#[test]
fn a_guard_keeps_what_would_go_with_what_it_guards() {
    let mut world = World::<Town>::new();
    let [a, b, c, d] = [(); 4].map(|()| world.spawn(()));
    world
        .step(|step| {
            step.insert_link(b, a, Road(1));
            step.insert_link(b, c, Road(1));
            step.insert_link(d, b, Guards);
        })
        .unwrap();
    let error = world.step(|step| [a, c].map(|one| step.despawn(one))).unwrap_err();
    let refused = [a, c].map(|entity| Refused::DespawnTarget { entity, source: d });
    assert_eq!(world.refused_links::<Guards>(), refused);
    assert_eq!(error, StepError::Refused { relation: "Guards", refused: refused[0], count: 2 });
    assert!(error.to_string().ends_with("would lose a link (and 1 more)"), "{error}");
    assert!(world.step(|step| [a, d].map(|one| step.despawn(one))).is_ok());
    assert_eq!(world.iter::<Entity>().collect::<Vec<_>>(), [c]);
    assert_eq!(world.sources::<Road>(c).len(), 0);
}

/// What is linked from one end is linked from the other end, unless a row has no entity.
fn assert_linked(world: &World<Town>) {
    for entity in world.iter::<Entity>() {
        for (target, road) in world.targets::<Road>(entity) {
            let back = world.sources::<Road>(target).find(|(source, _)| *source == entity);
            assert_eq!(back.map(|(_, road)| road), world.is_alive(target).then_some(road));
            let _ = world.get_link::<Road>(entity, target);
        }
        for (source, _) in world.sources::<Road>(entity) {
            assert!(!world.is_alive(source) || world.get_link::<Road>(source, entity).is_some());
        }
    }
}

#[test]
fn links_of_another_time_or_world_are_whole() {
    let mut ends = Vec::new();
    for round in 0..60_u64 {
        let random = |n: u64| mix(round << 32 | n) as usize;
        let make = |count: usize, links: usize, offset: u64| {
            let mut world = World::<Town>::on(three());
            let all = world.spawn_batch((0..count).map(|_| (House(0),)));
            world
                .step(|step| {
                    for n in 0..links as u64 {
                        let pick = |k| all[random(offset + 2 * n + k) % count];
                        step.insert_link(pick(0), pick(1), Road(n as u32));
                        if n % 3 == 0 {
                            step.insert_link(pick(1), pick(0), Guards);
                        }
                    }
                })
                .expect("all are alive");
            (world, all)
        };
        let (mut world, all) = make(300, 150, 10_000);
        let (mut other, _) = make(9_000, 4_000, 20_000);
        let old = world.resource::<ManyToMany<Road>>().clone();
        for step in 0..4 {
            // Rows become free and are taken, and entities move to others.
            let spawned = random(1000 + step) % 30;
            let outcome = world.step(|world| {
                for n in 0..=random(2000 + step) % 40 {
                    world.despawn(all[random(3000 + 100 * step + n as u64) % all.len()]);
                }
                for _ in 0..spawned {
                    world.spawn((House(0), Founder(0)));
                }
            });
            assert!(matches!(outcome, Ok(()) | Err(StepError::Refused { .. })));
            match random(4000 + step) % 4 {
                0 => *world.resource_mut::<ManyToMany<Road>>() = old.clone(),
                1 => core::mem::swap(
                    world.resource_mut::<ManyToMany<Road>>(),
                    other.resource_mut::<ManyToMany<Road>>(),
                ),
                2 => core::mem::swap(
                    world.resource_mut::<ManyToMany<Guards>>(),
                    other.resource_mut::<ManyToMany<Guards>>(),
                ),
                _ => {}
            }
            for world in [&mut world, &mut other] {
                assert_linked(world);
                let Some(first) = world.iter::<Entity>().next() else { continue };
                let last = world.iter::<Entity>().last().expect("the first one");
                world.insert(last, Founder(0)).expect("it is alive");
                world.insert_link(first, last, Road(7)).expect("both are alive");
                world.despawn(first);
                world.tick().expect("nothing is refused");
                assert_linked(world);
            }
        }
        ends.push((world.entity_count(), other.entity_count()));
    }
    assert!(ends.iter().any(|ends| ends.0 > 0 && ends.1 > 0));
}

#[test]
fn links_follow_entities_to_other_rows_after_a_peak() {
    let mut world = World::<Town>::on(three());
    let all = world.spawn_batch((0..60_000).map(|number| (House(number),)));
    let (most, last) = all.split_at(all.len() - 10);
    world
        .step(|step| {
            for (number, &target) in last.iter().enumerate() {
                for &source in last {
                    step.insert_link(source, target, Road(number as u32));
                }
                step.insert_link(target, most[number], Guards);
                step.insert_link(most[number], target, Guards);
            }
        })
        .unwrap();
    let mut doomed = most.to_vec();
    doomed.retain(|one| world.sources::<Guards>(*one).len() == 0);
    // The memory of their rows is given back in the same refresh in which the last ones move.
    world.step(|step| doomed.iter().for_each(|one| step.despawn(*one))).unwrap();
    // They have other rows, in another order.
    let order: Vec<Entity> = world.iter::<Entity>().filter(|one| last.contains(one)).collect();
    assert_ne!(order, last);
    for &entity in last {
        assert!(world.sources::<Road>(entity).map(|(source, _)| source).eq(order.iter().copied()));
        let number = |one: &Entity| last.iter().position(|other| other == one).expect("of ten");
        let expected = order.iter().map(|target| (*target, number(target) as u32));
        assert!(world.targets::<Road>(entity).map(|(to, road)| (to, road.0)).eq(expected));
        assert_eq!(world.sources::<Guards>(entity).len(), 1);
    }
    assert_eq!(world.entity_count(), 20);
}
