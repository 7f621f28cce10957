//! A thousand components, and a hundred kinds of entities, of which each has ten: memory for what entities have.

use ecs_core::{Step, Threads};

use crate::components::thousand;
use crate::is_test;
use crate::memory::measured;

/// How many kinds there are.
const KINDS: usize = 100;
/// How many components a kind has: no two kinds have any in common.
const PARTS: usize = 10;
/// In how many steps a world is filled.
const STEPS: usize = 20;

/// How entities come to be.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Birth {
    /// Each with a bundle of all that it has.
    Bundle,
    /// Empty, and then one component after the other.
    OneByOne,
}

/// A world of the components with a storage strategy and rows in some order, and what fills it.
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
                pub(super) world Wide { rows: $rows }
                $(component $all: $storage;)*
                system Grow { write: [C000] }
            }

            #[derive(Default)]
            struct Grow;

            impl System<Wide> for Grow {
                fn process(&self, data: &mut Data<'_, Wide, Self>) {
                    data.for_entities(|e| e.c000.0 += 1.0);
                }
            }

            type Spawn = fn(&mut Step<'_, Wide, <Wide as Declaration>::Settings>, Birth);

            bundles!($($all)*);

            /// So many entities, kind by kind or each of another kind than the one before; bytes for each.
            pub(super) fn bytes(entities: usize, kind_by_kind: bool, birth: Birth) -> f64 {
                let (mut world, bytes) = measured(|| {
                    let mut world = World::<Wide>::on(Threads::Inline);
                    // In some steps, as a world is filled as a rule.
                    for part in 0..STEPS {
                        let filled = world.step(|step| {
                            for n in part * entities / STEPS..(part + 1) * entities / STEPS {
                                let kind = if kind_by_kind { n * KINDS / entities } else { n % KINDS };
                                SPAWNS[kind](step, birth);
                            }
                        });
                        filled.expect("nothing is staged");
                    }
                    world
                });
                world.step(|step| step.execute_systems().run()).expect("nothing is staged");
                let mut grown = 0;
                world.for_each::<&C000>(|c| grown += usize::from(c.0 > 1.5));
                assert_eq!(grown, entities / KINDS);
                bytes as f64 / entities as f64
            }
        }
    };
}

/// What makes an entity of each kind: ten components at a time are one.
macro_rules! bundles {
    ($($a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident $i:ident $j:ident)*) => {
        const SPAWNS: [Spawn; KINDS] = [$(|step, birth| {
            if birth == Birth::Bundle {
                let all = ($a(1.0), $b(1.0), $c(1.0), $d(1.0), $e(1.0), $f(1.0), $g(1.0), $h(1.0), $i(1.0), $j(1.0));
                step.spawn(all).expect("the limit is dynamic");
            } else {
                let entity = step.create_entity().expect("the limit is dynamic");
                step.add_component(entity, $a(1.0)).expect("it lives");
                step.add_component(entity, $b(1.0)).expect("it lives");
                step.add_component(entity, $c(1.0)).expect("it lives");
                step.add_component(entity, $d(1.0)).expect("it lives");
                step.add_component(entity, $e(1.0)).expect("it lives");
                step.add_component(entity, $f(1.0)).expect("it lives");
                step.add_component(entity, $g(1.0)).expect("it lives");
                step.add_component(entity, $h(1.0)).expect("it lives");
                step.add_component(entity, $i(1.0)).expect("it lives");
                step.add_component(entity, $j(1.0)).expect("it lives");
            }
        }),*];
    };
}

thousand!(wide [buffers: contiguous_buffer, in_order]);
thousand!(wide [by_kind: contiguous_buffer, by_kind]);
thousand!(wide [maps: hash_map, in_order]);

pub(crate) fn table() {
    let entities = if is_test() { 10_000 } else { 1_000_000 };
    // What a dense table of all components would take is too much for a try.
    let fewer = entities / 10;
    println!(
        "1 000 components of 4 bytes, {KINDS} kinds of entities with {PARTS} of them each: {} bytes an entity, \
         where all components together have {}\n",
        4 * PARTS,
        4 * KINDS * PARTS
    );
    println!(
        "| components | rows | entities | come | with | bytes an entity |\n\
         | --- | --- | ---: | --- | --- | ---: |"
    );
    let row = |name, rows, entities, kind_by_kind, birth, bytes: fn(usize, bool, Birth) -> f64| {
        let order = if kind_by_kind { "kind by kind" } else { "mixed" };
        let with = if birth == Birth::Bundle { "a bundle" } else { "nothing at first" };
        let bytes = bytes(entities, kind_by_kind, birth);
        println!("| `{name}` | `{rows}` | {entities} | {order} | {with} | {bytes:.0} |");
    };
    let (buffer, map) = ("contiguous_buffer", "hash_map");
    row(buffer, "in_order", entities, true, Birth::Bundle, buffers::bytes);
    row(buffer, "in_order", fewer, false, Birth::Bundle, buffers::bytes);
    row(buffer, "by_kind", entities, true, Birth::Bundle, by_kind::bytes);
    row(buffer, "by_kind", entities, false, Birth::Bundle, by_kind::bytes);
    row(buffer, "by_kind", entities, false, Birth::OneByOne, by_kind::bytes);
    row(map, "in_order", entities, false, Birth::Bundle, maps::bytes);
    println!();
}
