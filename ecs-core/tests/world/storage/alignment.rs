//! Memory: alignment, many pages, and fields of one buffer that two systems use at once.

use ecs_core::settings::{Allow, AtomicCounter, Config, Fixed, Settings};
use ecs_core::{Data, Entity, PAGE_ROWS, System, Threads, World, world};

use crate::support::{every_kind, three};

#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
struct Wide(u8);

/// Zero-sized, with an alignment of 64 bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
struct Empty;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Byte(u8);

#[derive(Clone, Copy, Debug, PartialEq)]
struct Long(u64);

#[derive(Clone, Copy, Debug, PartialEq)]
struct Column(u32);

world! {
    world Memory { entity_limit: dynamic(10) }
    // Interleaved, with padding in between.
    component (Byte, Wide, Empty, Long): contiguous_buffer;
    component Column: contiguous_buffer;

    system AddBytes { write: [Byte], parallelism: split_evenly(3) }
    system AddWides { write: [Wide], read_optional: [Column], parallelism: split_evenly(2) }
    system AddLongs { write_optional: [Long], with: [Empty], parallelism: split_every(1_000) }
    system Defer { read: [Wide], parallelism: split_evenly(3), dependencies: [AddWides], defer }
}

fn assert_aligned<T>(value: &T) {
    assert_eq!(std::ptr::from_ref(value).addr() % align_of::<T>(), 0);
}

#[derive(Default)]
struct AddBytes;

impl System<Memory> for AddBytes {
    fn process(&self, data: &mut Data<'_, Memory, Self>) {
        data.own.for_entities(|e| e.byte.0 = e.byte.0.wrapping_add(1));
    }
}

#[derive(Default)]
struct AddWides;

impl System<Memory> for AddWides {
    fn process(&self, data: &mut Data<'_, Memory, Self>) {
        data.own.for_entities(|e| {
            assert_aligned(e.wide);
            e.wide.0 = e.wide.0.wrapping_add(e.column.map_or(1, |column| column.0 as u8));
        });
    }
}

#[derive(Default)]
struct AddLongs;

impl System<Memory> for AddLongs {
    fn process(&self, data: &mut Data<'_, Memory, Self>) {
        data.own.query::<Option<&mut Long>>().for_each(|long| {
            if let Some(long) = long {
                long.0 += 1;
            }
        });
    }
}

/// Defers functions of every alignment, mixed with others.
#[derive(Default)]
struct Defer {
    run: u64,
}

impl System<Memory> for Defer {
    fn process(&self, data: &mut Data<'_, Memory, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            let (wide, byte, number) = (*e.wide, e.wide.0, u128::from(e.wide.0));
            effects.defer(move |defer| {
                assert_aligned(&wide);
                defer.system_mut::<Self>().run += u64::from(wide.0);
            });
            effects.defer(move |defer| defer.system_mut::<Self>().run += u64::from(byte));
            effects.defer(move |defer| {
                assert_aligned(&number);
                defer.system_mut::<Self>().run += number as u64;
            });
            effects.defer(|defer| defer.system_mut::<Self>().run += 1);
        });
    }
}

/// More entities than fit into three pages.
const ENTITIES: usize = 3 * PAGE_ROWS + 777;

fn memory<S: Settings>(threads: Threads) -> (World<Memory, S>, Vec<Entity>) {
    let mut world = World::on(threads);
    let spawned = world.step(|step| {
        let spawn = |i: usize| {
            let entity = step.spawn((Byte(i as u8), Wide(i as u8), Long(i as u64)));
            if i.is_multiple_of(3) {
                step.insert(entity, Empty).unwrap();
            }
            if i.is_multiple_of(5) {
                step.insert(entity, Column(i as u32)).unwrap();
            }
            entity
        };
        (0..ENTITIES).map(spawn).collect()
    });
    (world, spawned.unwrap())
}

type Exact = Config<Fixed<ENTITIES>, Allow, AtomicCounter>;

#[test]
fn fields_of_one_buffer_at_once_over_many_pages() {
    fn check<S: Settings>(threads: Threads) {
        let (mut world, entities) = memory::<S>(threads);
        for _ in 0..3 {
            world
                .step(|step| {
                    step.execute_with(|systems| {
                        systems
                            .from::<(AddBytes, AddWides, AddLongs)>()
                            .for_subtasks::<Defer>(|_, _| {})
                    });
                })
                .unwrap();
        }
        for (i, &entity) in entities.iter().enumerate() {
            let parts = (
                world.get::<Byte>(entity).unwrap().0,
                world.get::<Wide>(entity).unwrap().0,
                world.get::<Long>(entity).unwrap().0,
            );
            let by = if i % 5 == 0 { i } else { 1 };
            let long = i + if i % 3 == 0 { 3 } else { 0 };
            assert_eq!(parts, ((i + 3) as u8, (i + 3 * by) as u8, long as u64), "of {i}");
            assert_aligned(world.get::<Wide>(entity).unwrap());
            assert_aligned(world.get::<Long>(entity).unwrap());
            if let Some(empty) = world.get::<Empty>(entity) {
                assert_aligned(empty);
            }
        }
    }
    for threads in every_kind() {
        check::<<Memory as ecs_core::Declaration>::Settings>(threads.clone());
        check::<Exact>(threads);
    }
}

#[test]
fn closures_of_every_alignment() {
    let (mut world, entities) = memory::<Exact>(three());
    world.step(|step| step.execute_systems_from::<(Defer,)>()).unwrap();
    let bytes: u64 = (0..entities.len()).map(|i| u64::from(i as u8)).sum();
    assert_eq!(world.system::<Defer>().run, 3 * bytes + entities.len() as u64);
}

#[test]
fn pages_come_and_go() {
    for threads in every_kind() {
        let (mut world, entities) = memory::<Exact>(threads);
        // All entities except the last of each page.
        let (kept, despawned): (Vec<Entity>, Vec<Entity>) = entities
            .iter()
            .partition(|entity| entity.index() as usize % PAGE_ROWS == PAGE_ROWS - 1);
        world.step(|step| despawned.iter().for_each(|&entity| step.despawn(entity))).unwrap();
        let mut seen: Vec<Entity> = Vec::new();
        for (entity, byte, column) in world.iter::<(Entity, &Byte, Option<&Column>)>() {
            assert_eq!(usize::from(byte.0), entity.index() as usize % 256);
            assert_eq!(column.is_some(), entity.index() % 5 == 0);
            seen.push(entity);
        }
        // The entities of the last rows have moved into the gaps.
        seen.sort_unstable();
        assert_eq!((kept.len(), seen), (3, kept));
        world.step(|step| step.execute_systems_from::<(AddBytes,)>()).unwrap();
        // All rows are used again, with none of the old components.
        world
            .step(|step| {
                for _ in 0..despawned.len() {
                    step.spawn(());
                }
                assert_eq!(step.remaining_capacity(), 0);
            })
            .unwrap();
        let mut bare = 0;
        for parts in world.iter::<(Option<&Byte>, Option<&Wide>, Option<&Empty>)>() {
            bare += usize::from(parts == (None, None, None));
        }
        assert_eq!(bare, despawned.len());
    }
}
