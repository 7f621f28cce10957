//! Values that are made with handles of living entities alone: also where a refresh spawns nothing.

use ecs_core::{Entity, StateHash, World, world};

use super::support::every_kind;

#[derive(Clone, Debug, PartialEq, StateHash)]
struct Speaks(u64);
#[derive(Clone, Debug, StateHash)]
struct Child;
#[derive(Clone, Debug, PartialEq, StateHash)]
struct Heard(u64);
/// In which steps other systems insert something.
#[derive(Clone, Debug, StateHash)]
struct Step(u64);
#[derive(Clone, Debug, PartialEq, StateHash)]
struct Said(Entity, u64);
#[derive(Clone, Debug, StateHash)]
struct Told(Entity);

macro_rules! rooms {
    ($($room:ident $parts:literal)*) => { $(
        mod $room {
            use super::*;

            world! {
                pub(super) world Room;
                component Speaks, Heard: contiguous_buffer;
                component Child: empty;
                resource Step = Step(0);
                event Said;
                event Told: addressed;

                /// Spawns in every fifth step.
                system Say {
                    parallelism: split_evenly($parts),
                    spawn: [Child],
                    emit: [Said, Told],
                    each: |entity: Entity, speaks: &Speaks, effects, step: &Step| {
                        if step.0 % 5 == 4 {
                            effects.spawn((Child,));
                        }
                        let word = speaks.0 * 100 + step.0;
                        effects.emit_with(entity, move |entity| Said(entity, word));
                        effects.send_with(entity, entity, Told);
                    },
                }
                /// Changes something in every second step.
                system Change {
                    with: [Speaks],
                    dependencies: [Say],
                    insert: [Heard],
                    each: |entity: Entity, effects, step: &Step| {
                        if step.0 % 2 == 1 {
                            effects.insert(entity, Heard(step.0));
                        }
                    },
                }
                system Hear {
                    on: [Told],
                    read: [Speaks],
                    output: Vec<(u64, usize)>,
                    run: |data| data.for_messages::<Told>(|one, told, effects| {
                        effects.output().push((one.speaks.0, told.filter(|told| told.0 == one.entity).count()));
                    }),
                }
            }

            /// What was said and told in each step.
            pub(super) fn steps() -> Vec<(Vec<u64>, Vec<(u64, usize)>)> {
                let mut all = None;
                for threads in every_kind() {
                    let mut world = World::<Room>::on(threads);
                    world.spawn_batch((0..200).map(|number| (Speaks(number),)));
                    let mut found = Vec::new();
                    for step in 0..12 {
                        world.resource_mut::<Step>().0 = step;
                        world.tick().expect("nothing is refused");
                        let said = world.events::<Said>().map(|said| said.1).collect::<Vec<_>>();
                        found.push((said, world.outputs_of::<Hear>().flatten().copied().collect()));
                        if step == 6 {
                            // There and back again.
                            let snapshot = world.snapshot();
                            let hash = world.state_hash();
                            world.tick().expect("nothing is refused");
                            world.restore(&snapshot).expect("of this world");
                            assert_eq!(world.state_hash(), hash);
                        }
                    }
                    assert_eq!(*all.get_or_insert_with(|| found.clone()), found);
                }
                all.expect("there are kinds of threads")
            }
        }
    )* };
}

rooms! { whole 1 parted 7 }

#[test]
fn what_is_made_with_living_entities_comes_in_the_next_step() {
    let steps = whole::steps();
    assert_eq!(steps, parted::steps());
    assert_eq!(steps[0], (Vec::new(), Vec::new()));
    for (step, (said, told)) in steps.iter().enumerate().skip(1) {
        let before = step as u64 - 1;
        assert!(said.iter().copied().eq((0..200).map(|number| number * 100 + before)), "{step}");
        assert!(told.iter().copied().eq((0..200).map(|number| (number, 1))), "{step}");
    }
}
