//! A thousand components, and a hundred archetypes of ten components each: the memory of an entity.

use ecs_core::{Step, Threads};

use crate::components::thousand;
use crate::is_test;
use crate::memory::measured;

/// The number of archetypes.
const ARCHETYPES: usize = 100;
/// The number of components of an archetype: no two archetypes have one in common.
const PARTS: usize = 10;
/// The number of steps that fill a world.
const STEPS: usize = 20;

/// The way in which entities are spawned.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Spawning {
    /// With a bundle of all components.
    Bundle,
    /// Empty; the components are then inserted one by one.
    OneByOne,
}

/// A world of the components with a storage strategy and an order of rows, and the function that fills it.
macro_rules! wide {
    ([$module:ident: $storage:ident, $rows:ident] $($all:ident)*) => {
        mod $module {
            use super::*;

            use ecs_core::{Data, Declaration, System, World, world};

            $(
                #[expect(clippy::allow_attributes, reason = "one of them is read")]
                #[allow(dead_code, reason = "one of them is read")]
                struct $all(f32);
            )*

            world! {
                world Wide { rows: $rows }
                $(component $all: $storage;)*
                system Grow { write: [C000] }
            }

            #[derive(Default)]
            struct Grow;

            impl System<Wide> for Grow {
                fn process(&self, data: &mut Data<'_, Wide, Self>) {
                    data.own.for_entities(|e| e.c000.0 += 1.0);
                }
            }

            type Spawn = fn(&mut Step<'_, Wide, <Wide as Declaration>::Settings>, Spawning);

            bundles!($($all)*);

            /// Bytes per entity of a world in which equal archetypes are contiguous, or in which they alternate.
            pub(super) fn bytes(entities: usize, archetype_by_archetype: bool, spawning: Spawning) -> f64 {
                let (mut world, bytes) = measured(|| {
                    let mut world = World::<Wide>::on(Threads::Inline);
                    // In several steps, as programs usually fill a world.
                    for part in 0..STEPS {
                        let filled = world.step(|step| {
                            for n in part * entities / STEPS..(part + 1) * entities / STEPS {
                                let archetype = if archetype_by_archetype { n * ARCHETYPES / entities } else { n % ARCHETYPES };
                                SPAWNS[archetype](step, spawning);
                            }
                        });
                        filled.expect("nothing is staged");
                    }
                    world
                });
                world.tick().expect("nothing is staged");
                let mut grown = 0;
                for c in world.iter::<&C000>() { grown += usize::from(c.0 > 1.5); }
                assert_eq!(grown, entities / ARCHETYPES);
                bytes as f64 / entities as f64
            }
        }
    };
}

/// The functions that spawn an entity of each archetype: each ten components are one.
macro_rules! bundles {
    ($($a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident $i:ident $j:ident)*) => {
        const SPAWNS: [Spawn; ARCHETYPES] = [$(|step, spawning| {
            if spawning == Spawning::Bundle {
                let all = ($a(1.0), $b(1.0), $c(1.0), $d(1.0), $e(1.0), $f(1.0), $g(1.0), $h(1.0), $i(1.0), $j(1.0));
                step.spawn(all);
            } else {
                let entity = step.spawn(());
                step.insert(entity, $a(1.0)).expect("it lives");
                step.insert(entity, $b(1.0)).expect("it lives");
                step.insert(entity, $c(1.0)).expect("it lives");
                step.insert(entity, $d(1.0)).expect("it lives");
                step.insert(entity, $e(1.0)).expect("it lives");
                step.insert(entity, $f(1.0)).expect("it lives");
                step.insert(entity, $g(1.0)).expect("it lives");
                step.insert(entity, $h(1.0)).expect("it lives");
                step.insert(entity, $i(1.0)).expect("it lives");
                step.insert(entity, $j(1.0)).expect("it lives");
            }
        }),*];
    };
}

thousand!(wide [buffers: contiguous_buffer, in_order]);
thousand!(wide [by_archetype: contiguous_buffer, by_archetype]);
thousand!(wide [maps: hash_map, in_order]);

pub(crate) fn table() {
    let entities = if is_test() { 10_000 } else { 1_000_000 };
    // For all entities, a dense table of all components would need too much memory.
    let fewer = entities / 10;
    println!(
        "1 000 components of 4 bytes, {ARCHETYPES} archetypes of entities with {PARTS} of them each: {} bytes an entity, \
         where all components together have {}\n",
        4 * PARTS,
        4 * ARCHETYPES * PARTS
    );
    println!(
        "| components | rows | entities | come | with | bytes an entity |\n\
         | --- | --- | ---: | --- | --- | ---: |"
    );
    let row = |name,
               rows,
               entities,
               archetype_by_archetype,
               spawning,
               bytes: fn(usize, bool, Spawning) -> f64| {
        let order = if archetype_by_archetype { "archetype by archetype" } else { "mixed" };
        let with = if spawning == Spawning::Bundle { "a bundle" } else { "nothing at first" };
        let bytes = bytes(entities, archetype_by_archetype, spawning);
        println!("| `{name}` | `{rows}` | {entities} | {order} | {with} | {bytes:.0} |");
    };
    let (buffer, map) = ("contiguous_buffer", "hash_map");
    row(buffer, "in_order", entities, true, Spawning::Bundle, buffers::bytes);
    row(buffer, "in_order", fewer, false, Spawning::Bundle, buffers::bytes);
    row(buffer, "by_archetype", entities, true, Spawning::Bundle, by_archetype::bytes);
    row(buffer, "by_archetype", entities, false, Spawning::Bundle, by_archetype::bytes);
    row(buffer, "by_archetype", entities, false, Spawning::OneByOne, by_archetype::bytes);
    row(map, "in_order", entities, false, Spawning::Bundle, maps::bytes);
    println!();
}
