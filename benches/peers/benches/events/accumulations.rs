//! A million values a step that are added up in 100 000 entities: accumulations, the messages and queues of `bevy_ecs`, and a loop.

use crate::{Row, number, receiver};

pub(super) const ROWS: [Row; 4] = [
    Row { name: "by hand", ordered: true, make: by_hand::new },
    Row { name: "library", ordered: true, make: library::new },
    Row { name: "bevy, messages", ordered: true, make: bevy::messages },
    Row { name: "bevy, queues of threads", ordered: false, make: bevy::queues },
];

/// How hard the entity hits. Sums of such numbers depend on their order.
fn strength(entity: u32, step: u32) -> f32 {
    (number(entity, step) >> 16) as f32 * 0.1
}

/// The number of the entity that is hit.
fn target(entity: u32, entities: u32) -> usize {
    receiver(entity, entities / 10) as usize
}

/// A number that tells the sums by their bits.
fn bits(sums: impl Iterator<Item = f32>) -> u64 {
    sums.fold(0, |bits, sum| crate::fold(bits, sum.to_bits()))
}

/// All sums, which for one order or another is nearly the same.
fn all(sums: impl Iterator<Item = f32>) -> f64 {
    sums.map(f64::from).sum()
}

mod by_hand {
    //! A vector of sums. On two threads each eighth of the hits is first parted by eighths of the sums.

    use rayon::prelude::*;

    use super::{all, bits, strength, target};
    use crate::Contender;

    struct ByHand {
        targets: Vec<u32>,
        sums: Vec<f32>,
        /// For each eighth of the hits, for each eighth of the sums: what is added to which.
        parts: Vec<[Vec<(u32, f32)>; 8]>,
        threads: usize,
        step: u32,
    }

    pub(super) fn new(entities: u32, threads: usize) -> Box<dyn Contender> {
        Box::new(ByHand {
            targets: (0..entities).map(|entity| target(entity, entities) as u32).collect(),
            sums: vec![0.0; entities as usize / 10],
            parts: vec![[const { Vec::new() }; 8]; 8],
            threads,
            step: 0,
        })
    }

    impl Contender for ByHand {
        fn step(&mut self) {
            self.step += 1;
            let Self { targets, sums, parts, threads, step } = self;
            if *threads == 1 {
                for (entity, target) in (0..).zip(targets) {
                    sums[*target as usize] += strength(entity, *step);
                }
                return;
            }
            let (share, sums_of_part) = (targets.len().div_ceil(8), sums.len().div_ceil(8));
            let hits = targets.par_chunks(share).zip(parts.par_iter_mut()).enumerate();
            hits.for_each(|(at, (targets, parts))| {
                parts.iter_mut().for_each(Vec::clear);
                for (entity, target) in ((at * share) as u32..).zip(targets) {
                    let hit = (*target, strength(entity, *step));
                    parts[*target as usize / sums_of_part].push(hit);
                }
            });
            sums.par_chunks_mut(sums_of_part).enumerate().for_each(|(at, sums)| {
                for (target, strength) in parts.iter().flat_map(|parts| &parts[at]) {
                    sums[*target as usize - at * sums_of_part] += strength;
                }
            });
        }

        fn sum(&self) -> u64 {
            bits(self.sums.iter().copied())
        }

        fn in_any_order(&self) -> f64 {
            all(self.sums.iter().copied())
        }
    }
}

mod library {
    //! The library: a system that accumulates from eight subtasks. The refresh adds up.

    use ecs_core::{Accumulate, Entity, Threads, World, world};

    use super::{all, bits, strength, target};
    use crate::Contender;

    struct Number(u32);
    struct Target(Entity);
    struct Damage(f32);
    #[derive(Default)]
    struct Step(u32);

    impl Accumulate for Damage {
        fn accumulate(&mut self, later: Self) {
            self.0 += later.0;
        }
    }

    world! {
        world Arena;
        component Number, Target, Damage;
        resource Step;
        system Hit {
            parallelism: split_evenly(8),
            accumulate: [Damage],
            each: |entity: &Number, target: &Target, effects, step: &Step| {
                effects.accumulate(target.0, Damage(strength(entity.0, step.0)));
            },
        }
    }

    struct Library(World<Arena>);

    pub(super) fn new(entities: u32, threads: usize) -> Box<dyn Contender> {
        let threads = if threads == 1 { Threads::Inline } else { Threads::Global };
        let mut world = World::on(threads);
        let targets: Vec<Entity> = world.spawn_batch((0..entities / 10).map(|_| (Damage(0.0),)));
        world.spawn_batch(
            (0..entities).map(|entity| (Number(entity), Target(targets[target(entity, entities)]))),
        );
        Box::new(Library(world))
    }

    impl Contender for Library {
        fn step(&mut self) {
            self.0.resource_mut::<Step>().0 += 1;
            self.0.tick().expect("no entity is despawned");
        }

        fn sum(&self) -> u64 {
            bits(self.0.iter::<&Damage>().map(|damage| damage.0))
        }

        fn in_any_order(&self) -> f64 {
            all(self.0.iter::<&Damage>().map(|damage| damage.0))
        }
    }
}

mod bevy {
    //! `bevy_ecs`: messages by one writer, or a queue for each thread. One system applies them, by a look-up of each.

    #![expect(clippy::needless_pass_by_value, reason = "systems take their parameters so")]

    use bevy_ecs::message::MessageRegistry;
    use bevy_ecs::prelude::*;
    use bevy_ecs::schedule::{ScheduleConfigs, SingleThreadedExecutor};
    use bevy_ecs::system::ScheduleSystem;
    use bevy_tasks::{ComputeTaskPool, TaskPoolBuilder};
    use bevy_utils::Parallel;

    use super::{all, bits, strength, target};
    use crate::Contender;

    #[derive(Component)]
    struct Number(u32);
    #[derive(Component)]
    struct Target(Entity);
    #[derive(Component)]
    struct Damage(f32);
    #[derive(Message)]
    struct Hit(Entity, f32);
    #[derive(Resource)]
    struct Step(u32);
    #[derive(Resource, Default)]
    struct Queues(Parallel<Vec<Hit>>);

    fn write(
        entities: Query<'_, '_, (&Number, &Target)>,
        step: Res<'_, Step>,
        mut hits: MessageWriter<'_, Hit>,
    ) {
        for (entity, target) in &entities {
            hits.write(Hit(target.0, strength(entity.0, step.0)));
        }
    }

    fn read(mut hits: MessageReader<'_, '_, Hit>, mut damages: Query<'_, '_, &mut Damage>) {
        for hit in hits.read() {
            if let Ok(mut damage) = damages.get_mut(hit.0) {
                damage.0 += hit.1;
            }
        }
    }

    fn queue(
        entities: Query<'_, '_, (&Number, &Target)>,
        step: Res<'_, Step>,
        queues: Res<'_, Queues>,
    ) {
        entities.par_iter().for_each_init(
            || queues.0.borrow_local_mut(),
            |queue, (entity, target)| queue.push(Hit(target.0, strength(entity.0, step.0))),
        );
    }

    fn apply(mut queues: ResMut<'_, Queues>, mut damages: Query<'_, '_, &mut Damage>) {
        for queue in queues.0.iter_mut() {
            for hit in queue.drain(..) {
                if let Ok(mut damage) = damages.get_mut(hit.0) {
                    damage.0 += hit.1;
                }
            }
        }
    }

    struct Bevy {
        world: World,
        schedule: Schedule,
        targets: Vec<Entity>,
    }

    fn new(
        entities: u32,
        threads: usize,
        systems: ScheduleConfigs<ScheduleSystem>,
    ) -> Box<dyn Contender> {
        ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(2).build());
        let mut world = World::new();
        MessageRegistry::register_message::<Hit>(&mut world);
        world.insert_resource(Step(0));
        world.init_resource::<Queues>();
        let targets: Vec<Entity> =
            world.spawn_batch((0..entities / 10).map(|_| Damage(0.0))).collect();
        let hitting =
            (0..entities).map(|entity| (Number(entity), Target(targets[target(entity, entities)])));
        world.spawn_batch(hitting.collect::<Vec<_>>());
        let mut schedule = Schedule::default();
        if threads == 1 {
            schedule.set_executor(SingleThreadedExecutor::new());
        }
        schedule.add_systems(systems);
        Box::new(Bevy { world, schedule, targets })
    }

    pub(super) fn messages(entities: u32, threads: usize) -> Box<dyn Contender> {
        new(entities, threads, (write, read).chain())
    }

    pub(super) fn queues(entities: u32, threads: usize) -> Box<dyn Contender> {
        new(entities, threads, (queue, apply).chain())
    }

    impl Bevy {
        fn sums(&self) -> impl Iterator<Item = f32> {
            let damage = |target: &Entity| self.world.get::<Damage>(*target).expect("it has one").0;
            self.targets.iter().map(damage)
        }
    }

    impl Contender for Bevy {
        fn step(&mut self) {
            self.world.resource_mut::<Messages<Hit>>().update();
            self.world.resource_mut::<Step>().0 += 1;
            self.schedule.run(&mut self.world);
        }

        fn sum(&self) -> u64 {
            bits(self.sums())
        }

        fn in_any_order(&self) -> f64 {
            all(self.sums())
        }
    }
}
