//! What the state consists of.

use ecs_core::settings::{Allow, AtomicCounter, Config, Fixed};
use ecs_core::{Data, Entity, LimitReached, Snapshot, StateHash, System, Threads, World, world};

use crate::support::Ledger;

#[derive(Clone, StateHash)]
struct Weight(f32);

struct NotHashed;

impl Clone for NotHashed {
    fn clone(&self) -> Self {
        Self
    }
}

world! {
    world Scale;
    component Weight: contiguous_buffer;
    component NotHashed: empty;
    resource Total;
    resource Cache: transient = Cache(vec![1]);
    resource Unit;
    system Sum { read: [Weight], write_resources: [Total], output: Vec<f32> }
    system Count { state: Count(3) }
    system Guess { transient, inputs: [Sum], output: Option<f32> }
    system Watch { opt_in, read: [Weight], output: Vec<Entity> }
}

#[derive(Clone, Default, StateHash)]
struct Total(f32);

#[derive(Debug, PartialEq)]
struct Cache(Vec<u8>);

/// Zero-sized: it has nothing to clone or hash.
#[derive(Default)]
struct Unit;

#[derive(Default)]
struct Sum;

impl System<Scale> for Sum {
    fn process(&self, data: &mut Data<'_, Scale, Self>) {
        let mut sum = 0.0;
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            sum += e.weight.0;
            effects.output().push(e.weight.0);
        });
        data.resources.get_mut::<Total>().0 = sum;
    }
}

#[derive(Clone, StateHash)]
struct Count(u32);

impl System<Scale> for Count {
    fn process(&self, _: &mut Data<'_, Scale, Self>) {}
}

/// Not `Clone`.
#[derive(Default)]
struct Guess(u32);

impl System<Scale> for Guess {
    fn process(&self, data: &mut Data<'_, Scale, Self>) {
        *data.effects.output() =
            data.effects.outputs_of::<Sum>().flatten().copied().reduce(f32::max);
    }
}

#[derive(Default)]
struct Watch;

impl System<Scale> for Watch {
    fn process(&self, data: &mut Data<'_, Scale, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| effects.output().push(e.entity));
    }
}

fn scale() -> World<Scale> {
    let mut world = World::on(Threads::Inline);
    world
        .step(|step| {
            for n in 0..10 {
                let entity = step.spawn((Weight(n as f32),));
                if n % 3 == 0 {
                    step.subscribe::<Watch>(entity).unwrap();
                    step.insert(entity, NotHashed).unwrap();
                }
            }
        })
        .unwrap();
    world.tick().unwrap();
    world
}

/// The outputs of the latest execution.
fn outputs(world: &mut World<Scale>) -> (Vec<f32>, Vec<Option<f32>>, Vec<Entity>) {
    let mut found = (Vec::new(), Vec::new(), Vec::new());
    world
        .step(|step| {
            step.output_parts_of::<Sum>().for_each(|out| found.0.extend(out));
            step.output_parts_of::<Guess>().for_each(|out| found.1.push(*out));
            step.output_parts_of::<Watch>().for_each(|out| found.2.extend(out));
        })
        .unwrap();
    found
}

#[test]
fn each_part_shows_in_the_hash() {
    let world = scale();
    let hash = world.state_hash();
    assert_eq!(hash, scale().state_hash());
    let entity = {
        let mut first = None;
        for one in world.iter::<Entity>() {
            first = first.or(Some(one));
        }
        first.unwrap()
    };
    let changed = |change: &dyn Fn(&mut World<Scale>)| {
        let mut other = world.clone();
        assert_eq!(other.state_hash(), hash);
        change(&mut other);
        other.state_hash() != hash
    };
    assert!(changed(&|world| world.resource_mut::<Total>().0 = -1.0));
    assert!(changed(&|world| world.system_mut::<Count>().0 = 4));
    assert!(changed(&|world| {
        world.step(|step| step.get_mut::<Weight>(entity).unwrap().0 = 0.5).unwrap();
    }));
    assert!(changed(&|world| {
        world.step(|step| step.remove::<NotHashed>(entity)).unwrap();
    }));
    assert!(changed(&|world| {
        world.step(|step| step.unsubscribe::<Watch>(entity).unwrap()).unwrap();
    }));
    // An entity was spawned and despawned, so the next one gets another handle.
    assert!(changed(&|world| {
        let gone = world.step(|step| step.spawn(())).unwrap();
        world.step(|step| step.despawn(gone)).unwrap();
    }));
    // Transient state and outputs are not hashed.
    assert!(!changed(&|world| world.resource_mut::<Cache>().0.push(2)));
    assert!(!changed(&|world| world.system_mut::<Guess>().0 = 2));
    assert!(!changed(&|world| {
        world.step(|step| step.execute_systems_from::<(Watch,)>()).unwrap();
    }));
}

#[test]
fn what_is_transient_is_new_in_a_clone_and_stays_in_a_restored_world() {
    let mut world = scale();
    world.resource_mut::<Cache>().0.push(2);
    world.system_mut::<Guess>().0 = 5;
    let before = outputs(&mut world);
    assert_eq!((before.0.len(), &before.1, before.2.len()), (10, &vec![Some(9.0)], 4));

    let mut clone = world.clone();
    assert_eq!((clone.resource::<Cache>(), clone.system::<Guess>().0), (&Cache(vec![1]), 0));
    assert_eq!(clone.system::<Count>().0, 3);
    assert_eq!(outputs(&mut clone), (before.0.clone(), vec![], before.2.clone()));

    let snapshot = world.snapshot();
    world.system_mut::<Guess>().0 = 6;
    world.resource_mut::<Cache>().0.push(3);
    world.resource_mut::<Total>().0 = 0.0;
    world.system_mut::<Count>().0 = 8;
    let all = super::entities(&world);
    world.step(|step| all.iter().for_each(|&one| step.despawn(one))).unwrap();
    world.tick().unwrap();
    assert_eq!(outputs(&mut world), (vec![], vec![None], vec![]));
    world.restore(&snapshot).unwrap();
    assert_eq!((world.resource::<Cache>(), world.system::<Guess>().0), (&Cache(vec![1, 2, 3]), 6));
    assert_eq!((world.resource::<Total>().0, world.system::<Count>().0), (45.0, 3));
    assert_eq!(outputs(&mut world), (before.0, vec![None], before.2));
}

#[test]
fn a_snapshot_goes_into_worlds_with_other_settings_if_there_is_room() {
    let world = scale();
    let snapshot: Snapshot<Scale> = world.snapshot();
    assert_eq!(snapshot.entity_count(), 10);
    let mut roomy = World::<Scale, Config<Fixed<10>, Allow, AtomicCounter>>::new();
    roomy.restore(&snapshot).unwrap();
    assert_eq!(roomy.state_hash(), world.state_hash());
    assert!(roomy.step(|step| step.spawn(())).is_err());
    let mut small = World::<Scale, Config<Fixed<9>, Allow, AtomicCounter>>::new();
    let hash = small.state_hash();
    assert_eq!(small.restore(&snapshot), Err(LimitReached { limit: 9, lost: 1 }));
    assert_eq!(small.state_hash(), hash);
}

#[derive(Clone)]
struct Owned(#[expect(dead_code, reason = "it is there to be dropped")] crate::support::Counted);

world! {
    world Shop;
    component (Owned, Weight): contiguous_buffer;
    component Goods: hash_map;
    resource Till;
}

#[derive(Clone)]
struct Goods(#[expect(dead_code, reason = "it is there to be dropped")] crate::support::Counted);

#[derive(Clone, Default)]
struct Till(Option<crate::support::Counted>);

#[test]
fn every_value_is_dropped_once() {
    let ledger = Ledger::default();
    let mut world = World::<Shop>::on(Threads::Inline);
    world.resource_mut::<Till>().0 = Some(ledger.make());
    let open = |world: &mut World<Shop>, count: usize| {
        world
            .step(|step| {
                for _ in 0..count {
                    step.spawn((Owned(ledger.make()), Goods(ledger.make())));
                }
            })
            .unwrap();
    };
    let close = |world: &mut World<Shop>, every: usize| {
        let all = super::entities(world);
        world.step(|step| all.iter().step_by(every).for_each(|&one| step.despawn(one))).unwrap();
    };
    open(&mut world, 100);
    assert_eq!(ledger.living(), 201);
    let clone = world.clone();
    let mut snapshot = world.snapshot();
    assert_eq!(ledger.living(), 603);
    close(&mut world, 3);
    open(&mut world, 5);
    assert_eq!(ledger.living(), 402 + 143);
    drop(clone);
    world.snapshot_into(&mut snapshot);
    assert_eq!(ledger.living(), 2 * 143);
    close(&mut world, 1);
    open(&mut world, 2);
    world.restore(&snapshot).unwrap();
    assert_eq!(ledger.living(), 2 * 143);
    drop(world);
    assert_eq!(ledger.living(), 143);
    drop(snapshot);
    assert_eq!(ledger.living(), 0);
}
