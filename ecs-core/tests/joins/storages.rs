//! Indices over components of each storage: keys are collected from slices of a column, or one by one from others, and both
//! ways find what a scan over all members finds.

use ecs_core::joins::Coordinates;
use ecs_core::{World, world};

use crate::{every_kind, mix};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Team(u32);

/// A component with a place, and a system that lists, of each entity, which are near it and how many are of its team, for each
/// way in which it is stored.
macro_rules! storages {
    ($($module:ident: $storage:ident;)*) => {$(
        mod $module {
            use super::*;

            #[derive(Clone, Copy, Debug, PartialEq)]
            struct At([f32; 2]);
            /// It shares the buffer of `Team`, whose values are then not side by side.
            struct Size(f32);

            impl Coordinates for At {
                type Point = [f32; 2];

                fn coordinates(&self) -> [f32; 2] {
                    self.0
                }
            }

            world! {
                world Stored;
                component At: $storage;
                component (Team, Size): contiguous_buffer;
                query Cells { index: by_cell(At, 2.0), parallelism: split_every(64) }
                query Bounded {
                    index: by_cell(|at: &At| -> [f32; 2] { at.0 }, 2.0).within([0.0; 2], [20.0, 9.0]),
                    read: [Team],
                    parallelism: split_every(64),
                }
                query Teams { index: by_key(Team), with: [At], parallelism: split_every(64) }
                query Halves { index: by_key(|at: &At| -> bool { at.0[0] < 10.0 }), parallelism: split_every(64) }
                query All { read: [At, Team] }
                system Look {
                    queries: [Cells, Bounded, Teams, Halves, All],
                    read: [At, Team, Size],
                    output: Vec<[usize; 4]>,
                    run: |data| {
                        let (own, effects) = (&mut data.own, &mut data.effects);
                        let (cells, within) = (effects.near::<Cells, &At>(), effects.near::<Bounded, (&At, &Team)>());
                        let teams = effects.lookup::<Teams, &Team>();
                        let halves = effects.lookup::<Halves, &At>();
                        let all = effects.members::<All, (&At, &Team)>();
                        own.for_entities(|e| {
                            let is_near = |at: &At| at.0.iter().zip(e.at.0).all(|(a, b)| (a - b).abs() < 1.9);
                            let count = |f: &dyn Fn(&At, &Team) -> bool| {
                                let mut count = 0;
                                all.for_each(|(at, team)| count += usize::from(f(at, team)));
                                count
                            };
                            let is_left = e.at.0[0] < 10.0;
                            let expected = [
                                count(&|at, _| is_near(at)),
                                count(&|at, team| is_near(at) && team == e.team),
                                count(&|_, team| team == e.team),
                                count(&|at, _| (at.0[0] < 10.0) == is_left),
                            ];
                            let found = [
                                cells.at(e.at.0).filter(|at| is_near(at)).count(),
                                within.at(e.at.0).filter(|(at, team)| is_near(at) && *team == e.team).count(),
                                teams.at(*e.team).count(),
                                halves.at(is_left).count(),
                            ];
                            assert!(e.size.0 > 0.0);
                            assert_eq!(found, expected, "{:?} {:?}", e.at, e.team);
                            effects.output().push(found);
                        });
                    },
                }
            }

            #[test]
            fn an_index_finds_what_a_scan_finds() {
                let mut first = None;
                for threads in every_kind() {
                    let mut world = World::<Stored>::on(threads);
                    let part = |n: u32, most: f32| (mix(u64::from(n)) % 1000) as f32 / 1000.0 * most;
                    let all: Vec<_> = (0..300)
                        .map(|n| {
                            let at = At([part(n, 20.0), part(n + 1000, 9.0)]);
                            let (team, size) = (Team(n % 7), Size(1.0));
                            // Some have no place, so that there are gaps.
                            if n % 11 == 0 { world.spawn((team, size)) } else { world.spawn((at, team, size)) }
                        })
                        .collect();
                    for entity in all.iter().step_by(5) {
                        assert!(world.despawn(*entity));
                    }
                    let mut found = Vec::new();
                    world
                        .step(|step| {
                            step.execute_systems();
                            found.extend(step.outputs_of::<Look>().flatten().copied());
                        })
                        .expect("nothing is staged");
                    assert!(found.len() > 200);
                    assert_eq!(*first.get_or_insert_with(|| found.clone()), found);
                }
            }
        }
    )*};
}

storages! {
    in_a_column: contiguous_buffer;
    packed: sparse_set;
    hashed: hash_map;
}
