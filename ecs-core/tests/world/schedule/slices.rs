//! What `slice_dependent` systems see of their slices, and how entities are cut into slices.

use std::collections::BTreeMap;
use std::sync::Mutex;

use ecs_core::inner_parallelism::{Cut as Place, Strategy};
use ecs_core::{BLOCK_ROWS, Data, Entity, System, World, world};

use crate::support::{caught, every_kind, fail};

#[derive(Clone, Copy, Debug, PartialEq)]
struct Number(u32);

world! {
    world Sliced { entity_limit: dynamic(16) }
    component Number: contiguous_buffer;
    system Look { parallelism: split_evenly(4), read: [Number], slice_dependent, output: u32 }
    system Count { parallelism: split_every(100), read: [Number], output: Vec<usize> }
}

world! {
    world Cuts { entity_limit: dynamic(16) }
    component Number: contiguous_buffer;
    system Cut { parallelism: Chosen, read: [Number], output: Vec<Vec<Entity>> }
}

/// A strategy whose cuts are chosen at run time.
#[derive(Debug)]
enum Chosen {}

impl Strategy for Chosen {
    const CUT: Option<fn(Place) -> usize> = Some(|place| {
        let cut = *CUT.lock().unwrap();
        cut(place)
    });

    fn subtasks(_: usize, _: usize) -> usize {
        5
    }
}

static CUT: Mutex<fn(Place) -> usize> = Mutex::new(Place::evenly);

#[derive(Default)]
struct Cut;

impl System<Cuts> for Cut {
    fn process(&self, data: &mut Data<'_, Cuts, Self>) {
        let own = data.own.query::<Entity>().into_iter().collect();
        data.effects.output().push(own);
    }
}

/// The own entities of each subtask.
#[derive(Default)]
struct Look(Mutex<BTreeMap<usize, Vec<Entity>>>);

impl System<Sliced> for Look {
    fn process(&self, data: &mut Data<'_, Sliced, Self>) {
        let own: Vec<Entity> = data.own.query::<Entity>().into_iter().collect();
        let (mut others, mut all) = (Vec::new(), Vec::new());
        data.own.for_other_entities(|entity| others.push(entity));
        data.own.for_all_entities(|entity| all.push(entity));
        assert_eq!(data.own.entity_count(), own.len());
        assert_eq!(data.own.other_entity_count(), others.len());
        assert_eq!(data.own.all_entity_count(), all.len());
        let expected: Vec<Entity> = all.iter().copied().filter(|e| !own.contains(e)).collect();
        assert_eq!(others, expected, "the others, in the order of all");
        *data.effects.output() = data.effects.subtask() as u32;
        let subtask = data.effects.subtask();
        assert!(self.0.lock().unwrap().insert(subtask, own).is_none());
    }
}

#[derive(Default)]
struct Count;

impl System<Sliced> for Count {
    fn process(&self, data: &mut Data<'_, Sliced, Self>) {
        let count = data.own.query::<&Number>().into_iter().count();
        data.effects.output().push(count);
    }
}

/// Executes the systems. Returns each subtask's entities, and the counts of `Count`.
fn look(world: &mut World<Sliced>) -> (Vec<Vec<Entity>>, Vec<usize>) {
    world.system_mut::<Look>().0.get_mut().unwrap().clear();
    let (subtasks, counts) = world
        .step(|step| {
            step.execute_systems();
            let (mut subtasks, mut counts) = (Vec::new(), Vec::new());
            step.output_parts_of::<Look>().for_each(|output| subtasks.push(*output));
            step.output_parts_of::<Count>().for_each(|output| counts.extend(output));
            (subtasks, counts)
        })
        .unwrap();
    let slices: Vec<_> = world.system::<Look>().0.lock().unwrap().values().cloned().collect();
    assert_eq!(subtasks, (0..slices.len() as u32).collect::<Vec<_>>());
    (slices, counts)
}

fn sizes(slices: &[Vec<Entity>]) -> Vec<usize> {
    slices.iter().map(Vec::len).collect()
}

#[test]
fn slices_follow_one_another_and_are_cut_between_blocks() {
    for threads in every_kind() {
        let mut world = World::<Sliced>::on(threads);
        assert_eq!(look(&mut world), (vec![vec![]], vec![0]), "one subtask without entities");
        let mut entities: Vec<Entity> = Vec::new();
        // (number of entities, sizes of the four slices, sizes of the slices of about 100)
        let cases: [(u32, &[usize], &[usize]); 5] = [
            (1, &[1], &[1]),
            (64, &[64], &[64]),
            (65, &[64, 1], &[65]),
            (256, &[64, 64, 64, 64], &[128, 64, 64]),
            (1000, &[256, 256, 256, 232], &[128, 128, 64, 128, 64, 128, 64, 128, 128, 40]),
        ];
        for (count, four, of_hundred) in cases {
            world
                .step(|step| {
                    while (entities.len() as u32) < count {
                        entities.push(step.spawn((Number(entities.len() as u32),)));
                    }
                })
                .unwrap();
            let (slices, counts) = look(&mut world);
            assert_eq!(slices.concat(), entities);
            assert_eq!(sizes(&slices), four);
            assert_eq!(counts, of_hundred);
            for slice in &slices {
                assert_eq!(slice[0].index() as usize % BLOCK_ROWS, 0);
            }
        }
    }
}

#[test]
fn a_strategy_cuts_where_it_likes_and_each_entity_is_in_one_slice() {
    type Places = fn(Place) -> usize;
    // How many entities each subtask of five has. A number that goes back, or over the end, is as good as none.
    let cases: [(Places, [usize; 5]); 5] = [
        (Place::evenly, [256, 192, 192, 192, 168]),
        (|cut| cut.entities - (cut.entities >> cut.subtask), [512, 256, 128, 64, 40]),
        (|_| 0, [0, 0, 0, 0, 1000]),
        (|_| usize::MAX, [1000, 0, 0, 0, 0]),
        (|cut| [0, 500, 100, 700, 300][cut.subtask], [512, 0, 192, 0, 296]),
    ];
    for threads in every_kind() {
        let mut world = World::<Cuts>::on(threads);
        let entities = world.spawn_batch((0..1000).map(|number| (Number(number),)));
        for (cut, expected) in cases {
            *CUT.lock().unwrap() = cut;
            let slices = world.step(|step| {
                step.execute_only::<(Cut,)>();
                step.output_parts_of::<Cut>().flatten().cloned().collect::<Vec<_>>()
            });
            let slices = slices.unwrap();
            assert_eq!(slices.concat(), entities, "each entity once, in order");
            assert_eq!(sizes(&slices), expected);
        }
        *CUT.lock().unwrap() = |_| fail("no cut");
        let panic = caught(|| world.step(|step| step.execute_only::<(Cut,)>()));
        assert_eq!(panic, "no cut");
        *CUT.lock().unwrap() = Place::evenly;
        world.step(|step| step.execute_only::<(Cut,)>()).expect("the world goes on");
    }
}
