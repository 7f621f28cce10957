//! A component that replaces another one changes no presence, in any storage: so no storage makes a refresh in the middle of a
//! step do more than another one, or close gaps earlier.

use ecs_core::{Entity, StateHash, World, world};

#[derive(Clone, Debug, PartialEq, StateHash)]
struct Name(String);

#[derive(Clone, Copy, StateHash)]
struct Seen;

/// The program, with this storage of the names.
macro_rules! program {
    ($module:ident, $storage:ident) => {
        mod $module {
            use super::*;

            world! {
                world Named { staged_changes: refresh_before_dependents }
                component Name: $storage;
                component Seen: empty;
                system Look {
                    with: [Name],
                    without: [Seen],
                    output: Vec<Entity>,
                    each: |entity: Entity, effects| effects.output().push(entity),
                }
            }

            /// The order in which a system visits the entities after a name is replaced in its step; the state after it.
            pub(super) fn run() -> (Vec<Entity>, u64) {
                let mut world = World::<Named>::new();
                let all = world
                    .step(|step| {
                        let name = |n: u32| (Name(n.to_string()),);
                        let all: Vec<_> = (0..20).map(|n| step.spawn(name(n))).collect();
                        all[..5].iter().for_each(|entity| step.despawn(*entity));
                        all
                    })
                    .unwrap();
                // As many entities were spawned in the step, gaps remain.
                let order = world
                    .step(|step| {
                        let old = step.insert(all[9], Name("new".to_owned())).unwrap();
                        assert_eq!(old, Some(Name("9".to_owned())));
                        step.execute_systems();
                        step.outputs_of::<Look>().flatten().copied().collect()
                    })
                    .unwrap();
                (order, world.state_hash())
            }
        }
    };
}

program! { columns, contiguous_buffer }
program! { maps, hash_map }
program! { sets, sparse_set }

#[test]
fn a_replaced_value_changes_nothing_else() {
    let expected = columns::run();
    assert!(expected.0.is_sorted(), "no entity has moved: {:?}", expected.0);
    assert_eq!(maps::run(), expected);
    assert_eq!(sets::run(), expected);
}
