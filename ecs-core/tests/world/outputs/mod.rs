//! Outputs: they are in the order of rows however entities are split, are reset for each execution, and are
//! read by inputs.

mod of_std;
mod streams;

use std::cell::Cell;

use ecs_core::{Data, Entity, Output, System, Threads, World, world};

use crate::support::{caught, every_kind, fail};

#[derive(Clone, Copy, Debug, PartialEq)]
struct Key(u32);

/// Declares a world whose system `List` is split by the given strategy, and tests the order of its outputs.
macro_rules! listing {
    ($($name:ident: $strategy:ident $(($($argument:tt)*))?;)*) => {$(
        #[test]
        fn $name() {
            world! {
                world Lists { entity_limit: dynamic(16) }
                component Key: contiguous_buffer;
                resource Seen;
                system List {
                    parallelism: $strategy $(($($argument)*))?,
                    read: [Key],
                    output: Vec<(Entity, u32)>,
                }
                system Text { parallelism: $strategy $(($($argument)*))?, read: [Key], output: String }
                system Read { inputs: [List, Text], write_resources: [Seen] }
            }

            #[derive(Default)]
            struct Seen {
                list: Vec<(Entity, u32)>,
                text: String,
            }

            #[derive(Default)]
            struct List;

            impl System<Lists> for List {
                fn process(&self, data: &mut Data<'_, Lists, Self>) {
                    assert!(data.effects.output().is_empty(), "as good as new");
                    let Data { own, effects, .. } = data;
                    own.for_entities(|e| effects.output().push((e.entity, e.key.0)));
                }
            }

            #[derive(Default)]
            struct Text;

            impl System<Lists> for Text {
                fn process(&self, data: &mut Data<'_, Lists, Self>) {
                    let Data { own, effects, .. } = data;
                    own.for_entities(|e| effects.output().push(char::from(b'a' + e.key.0 as u8 % 26)));
                }
            }

            #[derive(Default)]
            struct Read;

            impl System<Lists> for Read {
                fn process(&self, data: &mut Data<'_, Lists, Self>) {
                    let list = data.effects.outputs_of::<List>().flatten().copied().collect();
                    let text = data.effects.outputs_of::<Text>().flatten().collect();
                    let _: &List = data.effects.system::<List>();
                    *data.resources.get_mut::<Seen>() = Seen { list, text };
                }
            }

            for threads in every_kind() {
                let mut world = World::<Lists>::on(threads);
                let entities: Vec<Entity> = world
                    .step(|step| (0..700).map(|i| step.spawn((Key(i),))).collect())
                    .unwrap();
                for round in 0..4 {
                    world.tick().unwrap();
                    let (mut list, mut text) = (Vec::new(), String::new());
                    for (entity, key) in world.iter::<(Entity, &Key)>() {
                        list.push((entity, key.0));
                        text.push(char::from(b'a' + key.0 as u8 % 26));
                    }
                    let seen = world.resource::<Seen>();
                    assert_eq!(seen.list, list);
                    assert_eq!(seen.text, text);
                    // There are gaps, also of whole blocks. Then there are fewer entities than subtasks.
                    world
                        .step(|step| {
                            for &entity in &entities {
                                let i = entity.index();
                                let despawns = match round {
                                    0 => i % 3 == 2,
                                    1 => (130..400).contains(&i),
                                    _ => i > 1,
                                };
                                if despawns {
                                    step.despawn(entity);
                                }
                            }
                        })
                        .unwrap();
                }
                assert_eq!(world.resource::<Seen>().list.len(), 2);
            }
        }
    )*};
}

listing! {
    none: none;
    over_the_cores: split_evenly(cores);
    every_odd: split_every(33);
    thresholds: fixed_threshold(300, split_every(100), none_below_threshold(600, split_evenly(cores)));
}

world! {
    world Kinds { entity_limit: dynamic(16) }
    component Key: contiguous_buffer;
    system Largest { read: [Key], output: Option<u32> }
    system Own { read: [Key], output: Longest }
}

/// A user-defined output.
#[derive(Debug, Default, PartialEq)]
struct Longest {
    entities: usize,
    resets: usize,
}

impl Output for Longest {
    fn reset(&mut self) {
        self.entities = 0;
        self.resets += 1;
    }
}

#[derive(Default)]
struct Largest;

impl System<Kinds> for Largest {
    fn process(&self, data: &mut Data<'_, Kinds, Self>) {
        let largest = data.own.query::<&Key>().into_iter().map(|key| key.0).max();
        *data.effects.output() = largest;
    }
}

#[derive(Default)]
struct Own;

impl System<Kinds> for Own {
    fn process(&self, data: &mut Data<'_, Kinds, Self>) {
        let count = data.own.query::<&Key>().into_iter().count();
        assert_eq!(data.effects.output().entities, 0);
        data.effects.output().entities += count;
    }
}

#[test]
fn outputs_that_are_no_sequences() {
    let mut world = World::<Kinds>::on(crate::support::three());
    let mut largest = || {
        world
            .step(|step| {
                step.execute_systems();
                let mut seen = Vec::new();
                step.output_parts_of::<Largest>().for_each(|output| seen.push(*output));
                let mut resets = Vec::new();
                step.output_parts_of::<Own>().for_each(|output| {
                    resets.push((output.entities, output.resets));
                });
                let key = step.entity_count() as u32;
                step.spawn((Key(key),));
                (seen, resets)
            })
            .unwrap()
    };
    for i in 0..5_usize {
        let expected = i.checked_sub(1).map(|last| last as u32);
        assert_eq!(largest(), (vec![expected], vec![(i, i + 1)]));
    }
}

world! {
    world Wholes { entity_limit: dynamic(16) }
    component Key: contiguous_buffer;
    resource Found;
    system Split { parallelism: split_every(64), read: [Key], output: Vec<u32> }
    system Single { read: [Key], output: Vec<u32> }
    system Number { parallelism: split_every(64), slice_dependent, read: [Key], output: u32 }
    system Last { read: [Key], output: Option<u32> }
    system AsOne { inputs: [Split, Single, Number, Last], write_resources: [Found] }
    system Pieces { inputs: [Split], dependencies: [AsOne], slice_dependent, write_resources: [Found] }
}

/// What the readers have found.
#[derive(Debug, Default, PartialEq)]
struct Found {
    split: Vec<u32>,
    single: Vec<usize>,
    numbers: Vec<u32>,
    last: Vec<u32>,
    pieces: Vec<usize>,
}

/// Systems whose outputs this makes from their keys.
macro_rules! keys {
    ($($name:ident: $make:expr;)*) => {$(
        #[derive(Default)]
        struct $name;

        impl System<Wholes> for $name {
            fn process(&self, data: &mut Data<'_, Wholes, Self>) {
                let keys: Vec<u32> = data.own.query::<&Key>().into_iter().map(|key| key.0).collect();
                *data.effects.output() = $make(keys);
            }
        }
    )*};
}

keys! {
    Split: |keys: Vec<u32>| keys;
    Single: |keys: Vec<u32>| keys;
    Number: |keys: Vec<u32>| keys.len() as u32;
    Last: |keys: Vec<u32>| keys.last().copied();
}

#[derive(Default)]
struct AsOne;

impl System<Wholes> for AsOne {
    fn process(&self, data: &mut Data<'_, Wholes, Self>) {
        let split = data.effects.outputs_of::<Split>().flatten().copied().collect();
        let last = data.effects.outputs_of::<Last>().flatten().copied().collect();
        // Parts are read of an output with one part, or of one declared to show how many there are.
        let (mut single, mut numbers) = (Vec::new(), Vec::new());
        data.effects.output_parts_of::<Single>().for_each(|keys| single.push(keys.len()));
        data.effects.output_parts_of::<Number>().for_each(|number| numbers.push(*number));
        *data.resources.get_mut::<Found>() = Found { split, single, numbers, last, pieces: vec![] };
    }
}

#[derive(Default)]
struct Pieces;

impl System<Wholes> for Pieces {
    fn process(&self, data: &mut Data<'_, Wholes, Self>) {
        let pieces = data.effects.output_parts_of::<Split>();
        assert_eq!(pieces.clone().count(), pieces.clone().flatten().count().div_ceil(64));
        data.resources.get_mut::<Found>().pieces = pieces.map(Vec::len).collect();
    }
}

#[test]
fn readers_get_one_sequence_or_whole_outputs() {
    for threads in every_kind() {
        let mut world = World::<Wholes>::on(threads);
        let spawned = world.step(|step| {
            (0..130).for_each(|key| {
                step.spawn((Key(key),));
            });
        });
        spawned.unwrap();
        world.tick().unwrap();
        let expected = Found {
            split: (0..130).collect(),
            single: vec![130],
            numbers: vec![64, 64, 2],
            last: vec![129],
            pieces: vec![64, 64, 2],
        };
        assert_eq!(*world.resource::<Found>(), expected);
        let seen = world
            .step(|step| {
                let mut pieces = Vec::new();
                step.output_parts_of::<Split>().for_each(|keys| pieces.push(keys.len()));
                (step.outputs_of::<Split>().flatten().count(), pieces)
            })
            .unwrap();
        assert_eq!(seen, (130, vec![64, 64, 2]));
    }
}

world! {
    world Faulty { entity_limit: dynamic(16) }
    component Key: contiguous_buffer;
    system Make { parallelism: split_every(64), read: [Key], slice_dependent, despawn, output: Fault }
}

thread_local! {
    /// Whether making an output panics on this thread.
    static BROKEN: Cell<bool> = const { Cell::new(false) };
}

/// An output that cannot be made while `BROKEN` is set.
struct Fault(u32);

impl Default for Fault {
    fn default() -> Self {
        if BROKEN.get() {
            fail("no output");
        }
        Self(0)
    }
}

impl Output for Fault {}

#[derive(Default)]
struct Make;

impl System<Faulty> for Make {
    fn process(&self, data: &mut Data<'_, Faulty, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            effects.output().0 += 1;
            if e.key.0 % 2 == 0 {
                effects.despawn(e.entity);
            }
        });
    }
}

#[test]
fn an_output_that_cannot_be_made_is_a_panic_like_any_other() {
    // Both before there is any output, and when outputs exist already.
    for ran_before in [false, true] {
        let mut world = World::<Faulty>::on(Threads::Inline);
        let spawn = |world: &mut World<Faulty>| {
            let spawned = world.step(|step| {
                (0..300).for_each(|i| {
                    step.spawn((Key(i),));
                });
            });
            spawned.unwrap();
        };
        spawn(&mut world);
        if ran_before {
            world.tick().unwrap();
            assert_eq!(world.entity_count(), 150);
            spawn(&mut world);
        }
        let count = world.entity_count();
        BROKEN.set(true);
        assert_eq!(caught(|| world.tick()), "no output");
        BROKEN.set(false);
        assert_eq!(world.entity_count(), count);
        let made = world.step(|step| {
            step.execute_systems();
            let mut made = 0;
            step.output_parts_of::<Make>().for_each(|output| made += output.0 as usize);
            made
        });
        assert_eq!(made, Ok(count));
        assert_eq!(world.entity_count(), count - 150);
    }
}

#[test]
fn outputs_of_subtasks_are_on_cache_lines_of_their_own() {
    world! {
        world Counting;
        component Key;
        system Count { read: [Key], parallelism: split_every(64), output: u64, slice_dependent, run: |_| {} }
    }

    let mut world = World::<Counting>::on(Threads::Inline);
    world.spawn_batch((0..512).map(|n| (Key(n),)));
    let mut places = Vec::new();
    let seen = std::sync::Mutex::new(&mut places);
    world
        .step(|step| {
            step.execute_with(|systems| {
                systems.detailed::<Count>(|_, executor| {
                    executor.for_subtasks(|_| {});
                    let outputs = executor.outputs_mut();
                    **seen.lock().unwrap() =
                        outputs.map(|output| (&raw const *output).addr()).collect();
                })
            });
        })
        .unwrap();
    places.sort_unstable();
    assert_eq!(places.len(), 8);
    assert!(places.windows(2).all(|pair| pair[1] - pair[0] >= 64), "{places:?}");
}
