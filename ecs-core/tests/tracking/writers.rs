//! Each way to write, one by one, with a component that needs to be dropped: what it marks, and that reading and removing
//! mark nothing.

use ecs_core::events::Events;
use ecs_core::{Bundle, BundleSink, Data, Entity, Mut, World, world};

use super::support::{caught, fail};

#[derive(Clone, Copy, Debug, PartialEq)]
struct Id(u64);
#[derive(Clone, Debug, PartialEq)]
struct Name(String);

/// What systems do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Plan {
    #[default]
    Nothing,
    Insert,
    Remove,
    GetMut,
    Pair,
    Query,
    Roll,
    Read,
    Spawn,
    Fail,
}

world! {
    world Desk;
    component Id, Name;
    resource Plan;
    order Stage -> Renew -> Later -> Alone -> Reach -> Write -> Ask;
    system Stage {
        read: [Id],
        read_resources: [Plan],
        insert: [Name],
        remove: [Name],
        spawn: [(Id, Name)],
        run: stage,
    }
    system Renew { read: [Id], update: [Name], run: renew }
    system Later { read: [Id], read_resources: [Plan], defer, run: later }
    system Alone {
        sequential,
        read: [Id],
        write: [Name],
        read_resources: [Plan],
        insert: [Name],
        spawn: [(Id, Name)],
        run: alone,
    }
    system Reach { exclusive, write: [Name], read_resources: [Plan], run: reach }
    system Write { write: [Name], read_resources: [Plan], run: write }
    system Ask {
        read: [Id, Name],
        changed: [Name],
        added: [Name],
        read_resources: [Plan],
        output: Vec<(char, u64)>,
        run: ask,
    }
}

fn name(text: &str) -> Name {
    Name(text.to_owned())
}

fn stage(data: &mut Data<'_, Desk, Stage>) {
    let Data { own, effects, resources, .. } = data;
    for entry in own.iter() {
        match resources.get::<Plan>() {
            Plan::Insert => effects.insert(entry.entity, name("staged")),
            Plan::Remove => effects.remove::<Name>(entry.entity),
            Plan::Spawn => effects.spawn((Id(entry.id.0 + 10), name("spawned"))),
            _ => {}
        }
    }
}

fn renew(data: &mut Data<'_, Desk, Renew>) {
    let Data { own, effects, .. } = data;
    for entry in own.iter() {
        let renewed = Name(entry.name.0.clone() + "!");
        effects.update(entry.entity, renewed);
    }
}

fn later(data: &mut Data<'_, Desk, Later>) {
    let plan = *data.resources.get::<Plan>();
    let Data { own, effects, .. } = data;
    for entry in own.iter() {
        let entity = entry.entity;
        effects.defer(move |defer| match plan {
            Plan::GetMut => {
                if let Some(name) = defer.get_mut::<Name>(entity) {
                    name.0.push('?');
                }
            }
            Plan::Insert => drop(defer.insert(entity, name("later")).unwrap()),
            _ => drop(defer.get::<Name>(entity)),
        });
    }
}

fn alone(data: &mut Data<'_, Desk, Alone>) {
    let plan = *data.resources.get::<Plan>();
    let mut now = data.now();
    let all: Vec<Entity> = now.query::<Entity>().collect();
    match plan {
        Plan::Query => now.query::<Mut<'_, Name>>().for_each(|mut name| name.0.push('q')),
        Plan::Read => now.query::<Mut<'_, Name>>().for_each(|name| assert!(!name.0.is_empty())),
        Plan::GetMut => {
            for &entity in &all {
                now.get_mut::<Mut<'_, Name>>(entity).unwrap().0.push('g');
            }
        }
        Plan::Pair => {
            for pair in all.windows(2) {
                let (mut one, other) = now.pair_mut::<Mut<'_, Name>>(pair[0], pair[1]).unwrap();
                one.0.clone_from(&other.0);
            }
        }
        Plan::Roll => now.roll(|mut found| found.entry().name.0.push('r')),
        Plan::Insert => all.iter().for_each(|&entity| drop(now.insert(entity, name("now")))),
        Plan::Spawn => {
            for n in 0..100 {
                now.spawn((Id(100 + n), name("now")));
            }
            now.spawn_batch((0..100).map(|n| (Id(200 + n), name("batch"))));
        }
        _ => {}
    }
}

fn reach(data: &mut Data<'_, Desk, Reach>) {
    let plan = *data.resources.get::<Plan>();
    let mut all = Vec::new();
    data.own.for_all_entities(|entity| all.push(entity));
    match plan {
        Plan::GetMut => {
            for entity in all {
                data.own.get_mut::<Mut<'_, Name>>(entity).unwrap().0.push('g');
            }
        }
        Plan::Pair => {
            for pair in all.windows(2) {
                let pair = data.own.pair_mut::<Mut<'_, Name>>(pair[0], pair[1]);
                let (one, mut other) = pair.unwrap();
                other.0.clone_from(&one.0);
            }
        }
        _ => {}
    }
}

fn write(data: &mut Data<'_, Desk, Write>) {
    match data.resources.get::<Plan>() {
        Plan::Query => {
            for mut name in data.own.query::<Mut<'_, Name>>() {
                name.0.push('q');
            }
        }
        Plan::Read => data.own.for_entities(|e| assert!(!e.name.0.is_empty())),
        Plan::Roll => data.own.for_runs::<Mut<'_, Name>>(|mut names| names[0].0.push('k')),
        Plan::Fail => data.own.for_runs::<Mut<'_, Name>>(|names| assert!(!names.is_empty())),
        _ => {}
    }
}

fn ask(data: &mut Data<'_, Desk, Ask>) {
    let seen = data.effects.output();
    seen.extend(data.own.changed::<Name, &Id>().map(|id| ('~', id.0)));
    seen.extend(data.own.added::<Name, &Id>().map(|id| ('+', id.0)));
    if *data.resources.get::<Plan>() == Plan::Fail {
        fail("asked");
    }
}

/// Two entities with names, 1 and 2, and one without, 3. Nothing is new.
fn desk() -> (World<Desk>, [Entity; 3]) {
    let mut world = World::new();
    let with = [1, 2].map(|id| world.spawn((Id(id), name("first"))));
    let without = world.spawn((Id(3),));
    assert_eq!(seen(&mut world), [('~', 1), ('~', 2), ('+', 1), ('+', 2)]);
    assert_eq!(seen(&mut world), []);
    (world, [with[0], with[1], without])
}

/// What `Ask` sees now.
fn seen(world: &mut World<Desk>) -> Vec<(char, u64)> {
    *world.resource_mut::<Plan>() = Plan::Nothing;
    world.step(|step| step.execute_only::<(Ask,)>()).unwrap();
    world.outputs_of::<Ask>().flatten().copied().collect()
}

const ALL: &[(char, u64)] = &[('~', 1), ('~', 2)];
const ALL_AND_A_NEW_ONE: &[(char, u64)] = &[('~', 1), ('~', 2), ('~', 3), ('+', 3)];

#[test]
fn from_outside() {
    type Act = fn(&mut World<Desk>, [Entity; 3]);
    let acts: &[(Act, &[(char, u64)])] = &[
        (|world, of| world.get_mut::<Name>(of[1]).unwrap().0.push('x'), &[('~', 2)]),
        (|world, of| assert!(world.get_mut::<Name>(of[2]).is_none()), &[]),
        (|world, of| assert!(world.get::<Name>(of[0]).is_some()), &[]),
        (|world, of| drop(world.insert(of[0], name("again"))), &[('~', 1)]),
        (|world, of| drop(world.insert(of[2], name("new"))), &[('~', 3), ('+', 3)]),
        (|world, of| drop(world.remove::<Name>(of[0])), &[]),
        (|world, of| assert!(world.despawn(of[0])), &[]),
        (
            |world, of| {
                world.remove::<Name>(of[0]);
                world.insert(of[0], name("back")).unwrap();
            },
            &[('~', 1), ('+', 1)],
        ),
        (|world, _| world.iter_mut::<Mut<'_, Name>>().for_each(|mut n| n.0.push('i')), ALL),
        (|world, _| world.iter_mut::<Mut<'_, Name>>().for_each(drop), &[]),
        (
            |world, _| {
                for mut it in world.iter_mut::<Mut<'_, Name>>() {
                    assert!(!it.set_if_changed(name("first")));
                }
            },
            &[],
        ),
        (
            |world, _| {
                for mut it in world.iter_mut::<Mut<'_, Name>>() {
                    assert!(it.set_if_changed(name("second")) && it.0 == "second");
                }
            },
            ALL,
        ),
        (
            |world, of| {
                let pairs = of.map(|entity| (entity, name("batch")));
                world.step(|step| step.insert_batch(pairs)).unwrap();
            },
            ALL_AND_A_NEW_ONE,
        ),
        (
            |world, of| {
                world.step(|step| step.get_mut::<Name>(of[0]).unwrap().0.push('s')).unwrap();
            },
            &[('~', 1)],
        ),
        (
            |world, of| {
                let write = |event: &mut ecs_core::events::Event<'_, Desk, Ask>| {
                    event.get_mut::<Name>().unwrap().0.push('e');
                };
                let events = Events::new().on_subscribe::<Ask>(write);
                world.step_with(events, |step| drop(step.insert(of[2], name("e")))).unwrap();
            },
            &[('~', 3), ('+', 3)],
        ),
        (|world, of| assert_ne!(world.spawn(Late(4)), of[0]), &[('~', 4), ('+', 4)]),
        (
            |world, of| {
                // The row is freed and taken again, by an entity with and by one without a name.
                world.despawn(of[0]);
                world.despawn(of[1]);
                world.spawn((Id(5),));
                world.spawn((Id(6), name("six")));
            },
            &[('~', 6), ('+', 6)],
        ),
    ];
    for (n, (act, expected)) in acts.iter().enumerate() {
        let (mut world, entities) = desk();
        act(&mut world, entities);
        assert_eq!(seen(&mut world), *expected, "case {n}");
        assert_eq!(seen(&mut world), [], "case {n}");
    }
}

/// A bundle of components of its choice.
struct Late(u64);

impl Bundle<Desk> for Late {
    fn put(self, sink: &mut BundleSink<'_, Desk>) {
        sink.put(name("late"));
        sink.put(Id(self.0));
    }
}

#[test]
fn by_systems() {
    type Run = fn(&mut World<Desk>);
    macro_rules! runs {
        ($($system:ident $plan:ident: $expected:expr;)*) => {
            [$((
                (|world| world.step(|step| step.execute_only::<($system,)>()).unwrap()) as Run,
                Plan::$plan,
                { let expected: &[(char, u64)] = $expected; expected },
                stringify!($system),
            ),)*]
        };
    }
    for (run, plan, expected, system) in runs! {
        Stage Insert: ALL_AND_A_NEW_ONE;
        Stage Remove: &[];
        Stage Spawn: &[('~', 11), ('~', 12), ('~', 13), ('+', 11), ('+', 12), ('+', 13)];
        Renew Nothing: ALL;
        Later GetMut: ALL;
        Later Insert: ALL_AND_A_NEW_ONE;
        Later Nothing: &[];
        Alone Query: ALL;
        Alone Read: &[];
        Alone GetMut: ALL;
        Alone Pair: &[('~', 1)];
        Alone Roll: ALL;
        Alone Insert: ALL;
        Reach GetMut: ALL;
        Reach Pair: &[('~', 2)];
        Write Query: ALL;
        Write Read: &[];
        Write Roll: ALL;
        Write Fail: &[];
    } {
        let (mut world, _) = desk();
        *world.resource_mut::<Plan>() = plan;
        run(&mut world);
        assert_eq!(seen(&mut world), expected, "{system} {plan:?}");
        assert_eq!(seen(&mut world), [], "{system} {plan:?}");
    }
}

#[test]
fn spawns_at_once_are_new() {
    let (mut world, _) = desk();
    *world.resource_mut::<Plan>() = Plan::Spawn;
    world.step(|step| step.execute_only::<(Alone,)>()).unwrap();
    let ids = (100..300).map(|id| ('~', id)).chain((100..300).map(|id| ('+', id)));
    assert!(seen(&mut world).into_iter().eq(ids));
}

#[test]
fn a_reader_that_panics_sees_the_same_again() {
    let (mut world, entities) = desk();
    world.insert(entities[2], name("new")).unwrap();
    *world.resource_mut::<Plan>() = Plan::Fail;
    let run = |world: &mut World<Desk>| world.step(|step| step.execute_only::<(Ask,)>());
    assert_eq!(caught(|| run(&mut world).unwrap()), "asked");
    assert_eq!(seen(&mut world), [('~', 3), ('+', 3)]);
}

#[test]
fn a_clone_and_a_restored_world_see_what_the_original_would() {
    let (mut world, entities) = desk();
    let before = world.snapshot();
    world.get_mut::<Name>(entities[0]).unwrap().0.push('!');
    let after = world.snapshot();
    let mut clone = world.clone();
    assert_eq!(seen(&mut world), [('~', 1)]);
    assert_eq!(seen(&mut clone), [('~', 1)]);
    world.restore(&after).unwrap();
    assert_eq!(seen(&mut world), [('~', 1)]);
    world.get_mut::<Name>(entities[1]).unwrap().0.push('!');
    world.restore(&before).unwrap();
    assert_eq!(seen(&mut world), []);
    // From the world before many entities came.
    world.spawn_batch((0..10_000).map(|n| (Id(n), name("many"))));
    world.restore(&after).unwrap();
    assert_eq!(seen(&mut world), [('~', 1)]);
}
