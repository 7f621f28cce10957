//! Spawn batches: the same result as one spawn per bundle, but all or none.

mod trouble;

use ecs_core::{Bundle, BundleSink, Data, Entity, StateHash, Step, System, Threads, World, world};
use proptest::prelude::*;

use crate::support::mix;

#[derive(Clone, Debug, PartialEq, StateHash)]
pub(crate) struct Name(String);
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
pub(crate) struct Number(u64);
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
#[repr(align(32))]
pub(crate) struct Small(u8);
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
pub(crate) struct Mark;
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
pub(crate) struct Rare(u64);
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
pub(crate) struct Packed(u64);
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
pub(crate) struct Tag;

world! {
    pub(crate) world Ward { entity_limit: dynamic(8) }
    component Number: contiguous_buffer;
    component (Name, Small): contiguous_buffer;
    component Mark: contiguous_buffer;
    component Rare: hash_map;
    component Packed: sparse_set;
    component Tag: empty;
    resource Order;

    system Numbers { read: [Number], without: [Mark], output: Vec<u64> }
    system Stage {
        read_resources: [Order],
        spawn: [(Number, Name), (Rare, Number)],
        defer,
        dependencies: [Numbers],
    }
    system SpawnNow {
        sequential,
        write: [Number],
        read_resources: [Order],
        spawn: [(Number, Name), (Rare, Number)],
        dependencies: [Stage],
    }
}

/// The bundles that systems create, and how.
#[derive(Clone, Copy, Default, StateHash)]
pub(crate) struct Order {
    first: u64,
    count: usize,
    #[state_hash(skip)]
    together: bool,
}

#[derive(Clone, Default, StateHash)]
pub(crate) struct Numbers;
#[derive(Clone, Default, StateHash)]
pub(crate) struct Stage;
#[derive(Clone, Default, StateHash)]
pub(crate) struct SpawnNow;

impl System<Ward> for Numbers {
    fn process(&self, data: &mut Data<'_, Ward, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| effects.output().push(e.number.0));
    }
}

impl System<Ward> for Stage {
    fn process(&self, data: &mut Data<'_, Ward, Self>) {
        let Order { first, count, together } = *data.resources.get::<Order>();
        let numbers = first..first + count as u64;
        if together {
            data.effects.spawn_batch(numbers.clone().map(named));
            data.effects.spawn_batch(numbers.clone().map(rare));
            data.effects.defer(move |defer| defer.spawn_batch(numbers.map(named)).for_each(drop));
        } else {
            numbers.clone().for_each(|n| data.effects.spawn(named(n)));
            numbers.clone().for_each(|n| data.effects.spawn(rare(n)));
            data.effects.defer(move |defer| {
                numbers.for_each(|n| _ = defer.spawn(named(n)));
            });
        }
    }
}

impl System<Ward> for SpawnNow {
    fn process(&self, data: &mut Data<'_, Ward, Self>) {
        let Order { first, count, together } = *data.resources.get::<Order>();
        let numbers = first..first + count as u64;
        let mut now = data.now();
        let spawned: Vec<Entity> = if together {
            let mut spawned: Vec<_> = now.spawn_batch(numbers.clone().map(named)).collect();
            spawned.extend(now.spawn_batch(numbers.map(rare)));
            spawned
        } else {
            let mut spawned: Vec<_> = numbers.clone().map(|n| now.spawn(named(n))).collect();
            spawned.extend(numbers.map(|n| now.spawn(rare(n))));
            spawned
        };
        // Spawned entities are visible at once.
        for &entity in spawned.iter().step_by(2) {
            now.get_mut::<&mut Number>(entity).expect("it was just spawned").0 += 1;
        }
    }
}

fn named(n: u64) -> (Number, Name) {
    (Number(n), Name(n.to_string()))
}

fn rare(n: u64) -> (Rare, Number) {
    (Rare(n), Number(n))
}

fn spread(n: u64) -> (Small, Name, Mark, Number) {
    (Small(n as u8), Name(n.to_string()), Mark, Number(n))
}

fn packed(n: u64) -> (Packed, Tag, Small) {
    (Packed(n), Tag, Small(n as u8))
}

fn twice(n: u64) -> Twice {
    Twice(n)
}

/// A bundle that puts a number twice.
struct Twice(u64);

impl Bundle<Ward> for Twice {
    fn put(self, sink: &mut BundleSink<'_, Ward>) {
        sink.put(Number(0));
        sink.put(Name(self.0.to_string()));
        sink.put(Number(self.0));
    }
}

/// A bundle with a name for odd numbers only.
struct ByHand(u64);

impl Bundle<Ward> for ByHand {
    fn put(self, sink: &mut BundleSink<'_, Ward>) {
        sink.put(Number(self.0));
        if self.0 % 2 == 1 {
            sink.put(Name(self.0.to_string()));
        }
    }
}

/// An iterator with a given size hint.
pub(crate) struct Hinted<I> {
    pub(crate) iter: I,
    pub(crate) hint: (usize, Option<usize>),
}

impl<I: Iterator> Iterator for Hinted<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        let next = self.iter.next();
        let (least, most) = &mut self.hint;
        *least = least.saturating_sub(1);
        *most = most.map(|most| most - usize::from(next.is_some()));
        next
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.hint
    }
}

/// Creates entities, in a batch or one by one. Returns their handles.
fn create<B: Bundle<Ward>>(
    step: &mut Step<'_, Ward, impl ecs_core::settings::Settings>,
    together: bool,
    hint: usize,
    count: usize,
    bundle: impl Fn(u64) -> B,
) -> Vec<Entity> {
    let bundles = (0..count as u64).map(|n| bundle(mix(n)));
    if !together {
        return bundles.map(|bundle| step.spawn(bundle)).collect();
    }
    let hint = [
        (count, Some(count)),
        (0, None),
        (count / 3, None),
        (count / 2, Some(count + 7)),
        (0, Some(count)),
    ][hint];
    let spawned = step.spawn_batch(Hinted { iter: bundles, hint });
    assert_eq!(spawned.len(), count);
    assert_eq!(spawned.clone().count(), count);
    spawned.collect()
}

/// The actions of a step.
#[derive(Clone, Copy, Debug)]
struct Deed {
    /// A mask: an entity is despawned if the bit that its hashed index selects is set.
    despawns: u64,
    /// Which bundle, with which hint.
    kind: (usize, usize),
    count: usize,
    /// Whether systems run too.
    systems: bool,
}

fn deed() -> impl Strategy<Value = Deed> {
    let count = prop_oneof![4 => 0..200_usize, 2 => 0..9_usize, 1 => 4_000..9_000_usize];
    (any::<u64>(), (0..7_usize, 0..5_usize), count, any::<bool>())
        .prop_map(|(despawns, kind, count, systems)| Deed { despawns, kind, count, systems })
}

/// Performs the actions. Returns the handles of the spawned entities.
fn perform(world: &mut World<Ward>, together: bool, deed: Deed) -> Vec<Entity> {
    let Deed { despawns, kind: (kind, hint), count, systems } = deed;
    *world.resource_mut::<Order>() = Order { first: despawns >> 9, count: count % 150, together };
    let mut all = Vec::new();
    for entity in world.iter::<Entity>() {
        all.push(entity);
    }
    let done = world.step(|step| {
        for entity in all {
            if despawns >> (mix(entity.index().into()) % 64) & 1 == 1 {
                step.despawn(entity);
            }
        }
        let spawned = match kind {
            0 => create(step, together, hint, count, named),
            1 => create(step, together, hint, count, rare),
            2 => create(step, together, hint, count, spread),
            3 => create(step, together, hint, count, packed),
            4 => create(step, together, hint, count, twice),
            5 => create(step, together, hint, count, ByHand),
            _ => create(step, together, hint, count, |_| ()),
        };
        if systems {
            step.execute_systems();
        }
        spawned
    });
    done.unwrap()
}

proptest! {
    #![proptest_config(crate::support::cases(48))]

    /// Compares handles, rows, components, subscriptions, and everything that determines future entities.
    #[test]
    fn together_is_as_one_by_one(deeds in proptest::collection::vec(deed(), 1..6)) {
        let mut one_by_one = World::<Ward>::on(Threads::Inline);
        let mut together = World::<Ward>::on(Threads::Inline);
        for deed in deeds {
            let expected = perform(&mut one_by_one, false, deed);
            prop_assert_eq!(perform(&mut together, true, deed), expected);
            prop_assert_eq!(one_by_one.state_hash(), together.state_hash());
            prop_assert_eq!(numbers(&mut one_by_one), numbers(&mut together));
        }
    }
}

/// The numbers of the entities that `Numbers` is subscribed to.
fn numbers(world: &mut World<Ward>) -> Vec<u64> {
    world
        .step(|step| {
            step.execute_with(|systems| {
                systems.for_subtasks::<Stage>(|_, _| {}).for_subtasks::<SpawnNow>(|_, _| {})
            });
            step.outputs_of::<Numbers>().flatten().copied().collect()
        })
        .unwrap()
}
