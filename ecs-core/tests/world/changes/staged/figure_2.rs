//! The example of *The Essence of Entity Component System* (figure 2) under all three rules.

use ecs_core::signature::Phases;
use ecs_core::{Data, System, Threads, World, world};

use crate::support::every_kind;

/// `Bullet` moves bullets and despawns those that are spent; `Collide` despawns those that hit; `Render`
/// counts the remaining ones. In the tower defence of the paper, a bullet that one system has despawned is
/// still visible to the next.
macro_rules! tower {
    ($($module:ident: $rule:ident;)*) => {$(
        mod $module {
            use super::*;

            #[derive(Clone, Copy, Debug, PartialEq)]
            pub(super) struct Shot { pub(super) at: i32, pub(super) left: u32 }
            #[derive(Clone, Copy, Debug, PartialEq)]
            pub(super) struct Health(pub(super) i32);
            #[derive(Debug, Default)]
            pub(super) struct Frame(pub(super) usize);

            world! {
                pub(super) world Tower { staged_changes: $rule }
                component Shot: contiguous_buffer;
                component Health: contiguous_buffer;
                resource Frame;

                system Bullet { write: [Shot], despawn }
                system Collide { read_any: [Health], read: [Shot], dependencies: [Bullet], despawn, output: Vec<i32> }
                system Render { read: [Shot], dependencies: [Collide], write_resources: [Frame] }
            }

            #[derive(Default)]
            pub(super) struct Bullet;
            impl System<Tower> for Bullet {
                fn process(&self, data: &mut Data<'_, Tower, Self>) {
                    let Data { own, effects, .. } = data;
                    own.for_entities(|e| {
                        e.shot.at += 1;
                        e.shot.left -= 1;
                        if e.shot.left == 0 {
                            effects.despawn(e.entity);
                        }
                    });
                }
            }

            #[derive(Default)]
            pub(super) struct Collide;
            impl System<Tower> for Collide {
                fn process(&self, data: &mut Data<'_, Tower, Self>) {
                    let Data { own, effects, .. } = data;
                    own.for_entities(|e| {
                        if e.shot.at >= 10 {
                            effects.output().push(e.shot.at);
                            effects.despawn(e.entity);
                        }
                    });
                }
            }

            #[derive(Default)]
            pub(super) struct Render;
            impl System<Tower> for Render {
                fn process(&self, data: &mut Data<'_, Tower, Self>) {
                    let seen = data.own.all_entity_count();
                    data.resources.get_mut::<Frame>().0 = seen;
                }
            }

            /// The hits, and the numbers of bullets drawn, of a frame with four bullets: one is spent as it
            /// hits, one is spent, one hits, and one flies.
            pub(super) fn frame(threads: Threads) -> (Vec<i32>, usize, usize) {
                let mut world = World::<Tower>::on(threads);
                world
                    .step(|step| {
                        for (at, left) in [(9, 1), (0, 1), (12, 5), (0, 5)] {
                            step.spawn((Shot { at, left },));
                        }
                    })
                    .unwrap();
                let hits = world
                    .step(|step| {
                        step.execute_systems();
                        let mut hits = Vec::new();
                        step.output_parts_of::<Collide>().for_each(|output| hits.extend(output));
                        hits
                    })
                    .unwrap();
                (hits, world.resource::<Frame>().0, world.entity_count())
            }
        }
    )*};
}

tower! {
    after_step: after_step;
    in_time: refresh_before_dependents;
}

#[test]
fn figure_2_after_the_step() {
    for threads in every_kind() {
        // The spent bullet hits once more, and the despawned bullets are drawn.
        assert_eq!(after_step::frame(threads), (vec![10, 13], 4, 1));
    }
    assert_eq!(Phases::of::<after_step::Tower>().count(), 1);
}

#[test]
fn figure_2_refreshed_in_time() {
    for threads in every_kind() {
        assert_eq!(in_time::frame(threads), (vec![13], 1, 1));
    }
    assert_eq!(Phases::of::<in_time::Tower>().count(), 3);
}

/// The third rule rejects figure 2 (page `ECS0035`); this is what it accepts.
mod denied {
    use super::{Data, Phases, System, World, world};

    struct Shot(u32);

    world! {
        world Tower { staged_changes: deny }
        component Shot: contiguous_buffer;
        system Render { read: [Shot], output: Vec<u32> }
        system Bullet { write: [Shot], dependencies: [Render], despawn, spawn: [(Shot,)] }
    }

    #[derive(Default)]
    struct Render;
    impl System<Tower> for Render {
        fn process(&self, data: &mut Data<'_, Tower, Self>) {
            let Data { own, effects, .. } = data;
            own.for_entities(|e| effects.output().push(e.shot.0));
        }
    }

    #[derive(Default)]
    struct Bullet;
    impl System<Tower> for Bullet {
        fn process(&self, data: &mut Data<'_, Tower, Self>) {
            let Data { own, effects, .. } = data;
            own.for_entities(|e| {
                effects.despawn(e.entity);
                effects.spawn((Shot(e.shot.0 + 1),));
            });
        }
    }

    #[test]
    fn what_looks_first_is_accepted() {
        assert_eq!(Phases::of::<Tower>().count(), 1);
        let mut world = World::<Tower>::new();
        world.step(|step| step.spawn((Shot(7),))).unwrap();
        for expected in [7, 8] {
            world.tick().unwrap();
            let mut seen: Vec<u32> = Vec::new();
            world
                .step(|step| step.output_parts_of::<Render>().for_each(|out| seen.extend(out)))
                .unwrap();
            assert_eq!(seen, [expected]);
        }
    }
}
