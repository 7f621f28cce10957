//! The toggling tag through the library.

macro_rules! tagged {
    ($module:ident: $storage:ident) => {
        pub(crate) mod $module {
            use ecs_core::{Data, Place, System, Threads, World, world};

            use super::super::{Contender, start};

            struct Blinks;
            struct Tag;
            struct Position(f32);

            world! {
                world Lamps;
                component Blinks: empty;
                component Tag: $storage;
                component Position: contiguous_buffer;
                system Move { with: [Tag], write: [Position] }
                system On { with: [Blinks], without: [Tag], insert: [Tag] }
                system Off { with: [Blinks, Tag], remove: [Tag], dependencies: [On] }
            }

            #[derive(Default)]
            struct Move;
            #[derive(Default)]
            struct On;
            #[derive(Default)]
            struct Off;

            impl System<Lamps> for Move {
                fn process(&self, data: &mut Data<'_, Lamps, Self>) {
                    data.own.for_entities(|e| e.position.0 += 1.0);
                }
            }

            impl System<Lamps> for On {
                fn process(&self, data: &mut Data<'_, Lamps, Self>) {
                    let Data { own, effects, .. } = data;
                    own.query::<Place>().for_each(|place| effects.insert(place, Tag));
                }
            }

            impl System<Lamps> for Off {
                fn process(&self, data: &mut Data<'_, Lamps, Self>) {
                    let Data { own, effects, .. } = data;
                    own.query::<Place>().for_each(|place| effects.remove::<Tag>(place));
                }
            }

            pub(crate) struct Tagged(World<Lamps>);

            impl Tagged {
                pub(crate) fn new(entities: usize) -> Self {
                    let mut world = World::on(Threads::Inline);
                    let filled = world.step(|step| {
                        for n in 0..entities {
                            let entity = step.spawn((Position(0.0),));
                            let (blinks, tag) = start(n);
                            if blinks {
                                step.insert(entity, Blinks).expect("it lives");
                            }
                            if tag {
                                step.insert(entity, Tag).expect("it lives");
                            }
                        }
                    });
                    filled.expect("nothing is staged");
                    Self(world)
                }
            }

            impl Contender for Tagged {
                fn step(&mut self) {
                    self.0.tick().expect("nothing is spawned");
                }

                fn summary(&mut self) -> (usize, f64) {
                    let (mut tagged, mut sum) = (0, 0.0);
                    for _ in self.0.iter::<&Tag>() {
                        tagged += 1;
                    }
                    for position in self.0.iter::<&Position>() {
                        sum += f64::from(position.0);
                    }
                    (tagged, sum)
                }
            }
        }
    };
}

tagged!(empty: empty);
tagged!(sparse: sparse_set);
