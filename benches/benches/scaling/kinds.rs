//! A thousand components, and a hundred kinds of entities, of which each has ten: memory for what entities have.

use ecs_core::{Step, Threads};

use crate::components::thousand;
use crate::is_test;
use crate::memory::measured;

/// How many kinds there are.
const KINDS: usize = 100;
/// How many components a kind has: no two kinds have any in common.
const PARTS: usize = 10;

/// A world of the components with a storage strategy, and what fills it.
macro_rules! wide {
    ([$module:ident: $storage:ident] $($component:ident)*) => {
        mod $module {
            use super::*;

            use ecs_core::{Data, Declaration, Entity, System, World, world};

            $(
                #[expect(clippy::allow_attributes, reason = "one of them is read")]
                #[allow(dead_code, reason = "one of them is read")]
                struct $component(f32);
            )*

            world! {
                pub(super) world Wide;
                $(component $component: $storage;)*
                system Grow { write: [C000] }
            }

            #[derive(Default)]
            struct Grow;

            impl System<Wide> for Grow {
                fn process(&self, data: &mut Data<'_, Wide, Self>) {
                    data.for_entities(|e| e.c000.0 += 1.0);
                }
            }

            type Adds = fn(&mut Step<'_, Wide, <Wide as Declaration>::Settings>, Entity);

            const ADDS: &[Adds] = &[$(|step, entity| {
                step.add_component(entity, $component(1.0)).expect("it lives");
            }),*];

            /// So many entities, kind by kind or each of another kind than the one before; bytes for each.
            pub(super) fn bytes(entities: usize, kind_by_kind: bool) -> f64 {
                let (mut world, bytes) = measured(|| {
                    let mut world = World::<Wide>::on(Threads::Inline);
                    let filled = world.step(|step| {
                        for n in 0..entities {
                            let kind = if kind_by_kind { n * KINDS / entities } else { n % KINDS };
                            let entity = step.create_entity().expect("the limit is dynamic");
                            for add in &ADDS[kind * PARTS..][..PARTS] {
                                add(step, entity);
                            }
                        }
                    });
                    filled.expect("nothing is staged");
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

thousand!(wide [buffers: contiguous_buffer]);
thousand!(wide [maps: hash_map]);

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
    println!("| components | entities | order | bytes an entity |\n| --- | ---: | --- | ---: |");
    let row = |name, entities, order, bytes: f64| {
        println!("| `{name}` | {entities} | {order} | {bytes:.0} |");
    };
    row("contiguous_buffer", entities, "kind by kind", buffers::bytes(entities, true));
    row("contiguous_buffer", fewer, "mixed", buffers::bytes(fewer, false));
    row("hash_map", entities, "mixed", maps::bytes(entities, false));
    println!();
}
