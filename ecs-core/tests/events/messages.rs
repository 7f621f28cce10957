//! Messages: each entity receives what was sent to it, in one order, on any threads and for any split.

use ecs_core::{Addressed, Entity, StateHash, Threads, World, world};
use proptest::prelude::*;

use super::support::{self, cases, every_kind, mix};

/// A fold of all messages, which depends on their order.
#[derive(Clone, Debug, PartialEq, StateHash)]
struct Log(u64);

/// Entities to send to.
#[derive(Clone, StateHash)]
struct Targets(Vec<Entity>);

/// Entities with it receive notes.
#[derive(Clone, StateHash)]
struct Reads;

#[derive(Clone, Debug, StateHash)]
struct Note(u64);

#[derive(Clone, Copy, Debug, StateHash)]
struct Reply(u64);

#[derive(Clone, Debug, Default, PartialEq, StateHash)]
struct Seen(u64);

fn fold(log: &mut u64, note: u64) {
    *log = mix(*log ^ note);
}

world! {
    world Post {}
    component Log: contiguous_buffer;
    component Targets: hash_map;
    component Reads: empty;
    resource Seen;
    event Note: addressed;
    event Reply: addressed, delayed;

    system First {
        emit: [Note],
        parallelism: split_every(64),
        each: |entity: Entity, targets: &Targets, effects| {
            for (n, target) in targets.0.iter().enumerate() {
                effects.send(*target, Note(u64::from(entity.index()) << 32 | n as u64));
            }
        },
    }
    system Second {
        emit: [Note],
        each: |entity: Entity, targets: &Targets, effects| {
            if let Some(last) = targets.0.last() {
                effects.send(*last, Note(!u64::from(entity.index())));
            }
        },
    }
    system Receive {
        on: [Note],
        emit: [Reply],
        write: [Log],
        with: [Reads],
        parallelism: split_evenly(3),
        run: |data| data.for_messages::<Note>(|one, notes, effects| {
            let count = notes.len();
            notes.for_each(|note| fold(&mut one.log.0, note.0));
            if count > 1 {
                effects.send(one.entity, Reply(count as u64));
            }
        }),
    }
    system Replies {
        on: [Reply],
        write: [Log],
        dependencies: [Receive],
        parallelism: split_every(64),
        run: |data| data.for_messages::<Reply>(|one, replies, _| {
            replies.for_each(|reply| fold(&mut one.log.0, reply.0));
        }),
    }
    // The events themselves, with their receivers.
    system Watch {
        on: [Note],
        run: |effects, seen: &mut Seen| {
            for note in effects.events::<Addressed<Note>>() {
                fold(&mut seen.0, u64::from(note.to.index()) ^ note.message.0);
            }
        },
    }
}

#[derive(Clone)]
struct Model {
    alive: bool,
    reads: bool,
    log: u64,
    replies: Vec<u64>,
    targets: Option<Vec<usize>>,
}

/// One step of the model. `order` has those that are alive, in the order of their rows.
fn step(all: &mut [Model], order: &[usize], entities: &[Entity], seen: &mut u64) {
    let mut notes: Vec<(usize, u64)> = Vec::new();
    for &sender in order {
        for (n, target) in all[sender].targets.iter().flatten().enumerate() {
            notes.push((*target, u64::from(entities[sender].index()) << 32 | n as u64));
        }
    }
    for &sender in order {
        if let Some(last) = all[sender].targets.iter().flatten().last() {
            notes.push((*last, !u64::from(entities[sender].index())));
        }
    }
    for (to, note) in &notes {
        fold(seen, u64::from(entities[*to].index()) ^ note);
    }
    for (at, one) in all.iter_mut().enumerate().filter(|(_, one)| one.alive) {
        let own: Vec<u64> =
            notes.iter().filter(|(to, _)| *to == at).map(|(_, note)| *note).collect();
        let replies = std::mem::take(&mut one.replies);
        if one.reads {
            for note in &own {
                fold(&mut one.log, *note);
            }
            if own.len() > 1 {
                one.replies.push(own.len() as u64);
            }
        }
        for reply in &replies {
            fold(&mut one.log, *reply);
        }
    }
}

/// What the world comes to, checked against the model.
fn run(threads: Threads, seed: u64, count: usize, steps: u64) -> u64 {
    let mut world = World::<Post>::on(threads);
    let random = |n: u64| mix(seed ^ mix(n));
    let entities: Vec<Entity> =
        (0..count as u64)
            .map(|n| {
                if random(n) % 3 == 0 {
                    world.spawn((Log(n), Reads))
                } else {
                    world.spawn((Log(n),))
                }
            })
            .collect();
    let mut model: Vec<Model> = (0..count as u64)
        .map(|n| Model {
            alive: true,
            reads: random(n) % 3 == 0,
            log: n,
            replies: Vec::new(),
            targets: None,
        })
        .collect();
    let mut seen = 0;
    for now in 0..steps {
        for (at, one) in model.iter_mut().enumerate() {
            let random = random(now << 40 | at as u64);
            if random % 17 == 0 && one.alive {
                one.alive = false;
                world.despawn(entities[at]);
            } else if random % 4 == 0 && one.alive {
                let targets: Vec<usize> =
                    (0..random >> 8 & 7).map(|n| mix(random ^ n) as usize % count).collect();
                world
                    .insert(entities[at], Targets(targets.iter().map(|at| entities[*at]).collect()))
                    .unwrap();
                one.targets = Some(targets);
            }
        }
        let at = |entity| entities.iter().position(|one| *one == entity).expect("it was spawned");
        let order: Vec<usize> = world.iter::<Entity>().map(at).collect();
        world.tick().unwrap();
        step(&mut model, &order, &entities, &mut seen);
        for (entity, one) in entities.iter().zip(&model) {
            let log = world.get::<Log>(*entity).map(|log| log.0);
            assert_eq!(log, one.alive.then_some(one.log), "{entity:?} in step {now}");
        }
        assert_eq!(world.resource::<Seen>().0, seen);
    }
    world.state_hash()
}

proptest! {
    #![proptest_config(cases(8))]
    #[test]
    fn messages_agree_with_the_model_on_any_threads(
        seed in any::<u64>(),
        count in prop_oneof![1_usize..70, 60_usize..400],
        steps in 1_u64..6,
    ) {
        let mut hash = None;
        for threads in every_kind() {
            let found = run(threads, seed, count, steps);
            prop_assert_eq!(*hash.get_or_insert(found), found);
        }
    }
}

#[test]
fn the_program_sends_before_a_step_and_within() {
    let mut world = World::<Post>::on(support::three());
    let reader = world.spawn((Log(0), Reads));
    let mut log = 0;
    world.send(reader, Note(1));
    world
        .step(|step| {
            step.send(reader, Note(2));
            step.execute_systems();
            step.send(reader, Note(3));
            step.execute_only::<(Receive,)>();
        })
        .unwrap();
    for note in [1, 2, 3] {
        fold(&mut log, note);
    }
    assert_eq!(world.get::<Log>(reader).unwrap().0, log);
    // Two messages at once were replied to; the reply comes in the next step.
    world.tick().unwrap();
    fold(&mut log, 2);
    assert_eq!(world.get::<Log>(reader).unwrap().0, log);
}
