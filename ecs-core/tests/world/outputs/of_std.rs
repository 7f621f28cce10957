//! Outputs of types from the standard library, read by the step and by deferred functions.

use std::collections::{HashMap, VecDeque};

use ecs_core::{Data, Entity, System, World, world};

use crate::support::three;

struct Key(u32);

/// What a deferred function has found.
#[derive(Debug, Default, PartialEq)]
struct Found {
    counted: Vec<(u32, u32)>,
    pair: (Vec<Entity>, u32),
    sum: f32,
    listed: Vec<u32>,
}

world! {
    world Library {}
    component Key: contiguous_buffer;
    resource Found;
    system Count { read: [Key], output: HashMap<u32, u32>, unordered }
    system Pair { read: [Key], output: (Vec<Entity>, u32) }
    system Axes { read: [Key], output: Box<[f32; 3]> }
    system List { read: [Key], parallelism: split_every(64), output: VecDeque<u32> }
    system Keep { dependencies: [Count, Pair, Axes, List], defer }
}

#[derive(Default)]
struct Count;

impl System<Library> for Count {
    fn process(&self, data: &mut Data<'_, Library, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| *effects.output().entry(e.key.0 % 3).or_default() += 1);
    }
}

#[derive(Default)]
struct Pair;

impl System<Library> for Pair {
    fn process(&self, data: &mut Data<'_, Library, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            effects.output().0.push(e.entity);
            effects.output().1 += e.key.0;
        });
    }
}

#[derive(Default)]
struct Axes;

impl System<Library> for Axes {
    fn process(&self, data: &mut Data<'_, Library, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| effects.output()[e.key.0 as usize % 3] += 1.0);
    }
}

#[derive(Default)]
struct List;

impl System<Library> for List {
    fn process(&self, data: &mut Data<'_, Library, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| effects.output().push_back(e.key.0));
    }
}

#[derive(Default)]
struct Keep;

impl System<Library> for Keep {
    fn process(&self, data: &mut Data<'_, Library, Self>) {
        data.effects.defer(|defer| {
            let mut found = Found::default();
            defer.output_parts_of::<Count>().for_each(|map| {
                found.counted.extend(map.iter().map(|(key, count)| (*key, *count)));
            });
            found.counted.sort_unstable();
            defer.output_parts_of::<Pair>().for_each(|pair| found.pair.clone_from(pair));
            defer.output_parts_of::<Axes>().for_each(|axes| found.sum += axes.iter().sum::<f32>());
            found.listed.extend(defer.outputs_of::<List>().flatten());
            *defer.resource_mut::<Found>() = found;
        });
    }
}

#[test]
fn deferred_functions_read_outputs_of_any_type() {
    let mut world = World::<Library>::on(three());
    let spawned = world.step(|step| (0..200).map(|n| step.spawn((Key(n),))).collect());
    let entities: Vec<Entity> = spawned.unwrap();
    // Twice: the outputs are reset in between.
    for _ in 0..2 {
        world.tick().unwrap();
        let found = world.resource::<Found>();
        assert_eq!(found.counted, [(0, 67), (1, 67), (2, 66)]);
        assert_eq!(found.pair, (entities.clone(), (0..200).sum()));
        assert!((found.sum - 200.0).abs() < f32::EPSILON);
        assert_eq!(found.listed, (0..200).collect::<Vec<_>>());
    }
    let mut maps = Vec::new();
    world.step(|step| step.output_parts_of::<Count>().for_each(|map| maps.push(map[&2]))).unwrap();
    assert_eq!(maps, [66]);
}
