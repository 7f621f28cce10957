//! Stages: all systems of one run before all of the next.

use std::sync::Mutex;

use ecs_core::{Data, System, World, world};
use ecs_core::{Declaration, SystemName};

use crate::support::every_kind;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Place(i64);

world! {
    world Show;
    stages Input -> Simulate -> Draw;
    component Place: contiguous_buffer;

    // Both write what the other stages read. Only the stages order them.
    system Paint: Note { stage: Draw, read: [Place] }
    system Push: Note { stage: Input, write: [Place], parallelism: split_every(64) }
    system Pull: Note { stage: Simulate, write: [Place], parallelism: split_every(64) }
    system Land: Note { stage: Simulate, write: [Place], dependencies: [Pull] }
    system Print: Note { stage: Draw, read: [Place], dependencies: [Land] }
    // In no stage, but after one.
    system Listen: Note { dependencies: [Input], before: [Draw] }
    system Idle: Note;
}

#[derive(Default)]
struct Note;

impl<N: SystemName<Show, System = Self>> System<Show, N> for Note {
    fn process(&self, _: &mut Data<'_, Show, N>) {}
}

/// The systems in the order in which they have run, without the ends of stages.
fn order(world: &mut World<Show>) -> Vec<&'static str> {
    struct Log<'a>(&'a Mutex<Vec<&'static str>>);
    impl<N: SystemName<Show>> ecs_core::overrides::ForInstance<Show, N> for Log<'_> {
        fn execute(&self, instance: &mut ecs_core::overrides::SystemInstance<'_, '_, Show, N>) {
            self.0.lock().unwrap().push(instance.signature().name());
        }
    }
    let log = Mutex::new(Vec::new());
    world
        .step(|step| step.execute_with(|systems| systems.remaining().detailed(Log(&log))))
        .unwrap();
    log.into_inner().unwrap()
}

#[test]
fn each_stage_runs_after_the_one_before() {
    for threads in every_kind() {
        let mut world = World::<Show>::on(threads);
        let order = order(&mut world);
        assert_eq!(order.len(), Show::SYSTEMS.len(), "the ends of stages are systems, too");
        let at = |name: &str| order.iter().position(|ran| *ran == name).unwrap();
        let stages = [&["Push"][..], &["Pull", "Land"], &["Paint", "Print"]];
        let ends = ["Input", "Simulate", "Draw"];
        for (stage, end) in stages.iter().zip(ends) {
            for system in *stage {
                assert!(at(system) < at(end), "{system} before the end of {end}");
            }
        }
        for (end, next) in ends.iter().zip(&stages[1..]) {
            for system in *next {
                assert!(at(end) < at(system), "{system} after the end of {end}");
            }
        }
        assert!(at("Input") < at("Listen") && at("Listen") < at("Draw"));
    }
}

#[test]
fn an_execution_starts_from_the_end_of_a_stage() {
    let mut world = World::<Show>::new();
    let mut ran = Vec::new();
    world
        .step(|step| {
            let seen = Mutex::new(Vec::new());
            step.execute_with(|systems| {
                systems
                    .from::<(Simulate,)>()
                    .for_subtasks::<Paint>(|_, _| seen.lock().unwrap().push("Paint"))
                    .for_subtasks::<Print>(|_, _| seen.lock().unwrap().push("Print"))
            });
            ran = seen.into_inner().unwrap();
        })
        .unwrap();
    ran.sort_unstable();
    assert_eq!(ran, ["Paint", "Print"]);
}

mod composed {
    mod steps {
        use ecs_core::{Data, System, set};

        pub(super) struct Sum(pub(super) i64);

        set! {
            pub(super) set Steps;
            stages Early -> Late;
            component Sum: contiguous_buffer;
            system Double { stage: Late, write: [Sum] }
            system Add { stage: Early, write: [Sum] }
        }

        #[derive(Default)]
        pub(super) struct Add;

        #[derive(Default)]
        pub(super) struct Double;

        impl<D: StepsWorld> System<D> for Add {
            fn process(&self, data: &mut Data<'_, D, Self>) {
                data.own.for_entities(|e| e.sum.0 += 1);
            }
        }

        impl<D: StepsWorld> System<D> for Double {
            fn process(&self, data: &mut Data<'_, D, Self>) {
                data.own.for_entities(|e| e.sum.0 *= 2);
            }
        }
    }

    use ecs_core::{Data, System, World, world};
    use steps::Sum;

    world! {
        world Whole;
        include steps::Steps;
        system Triple { write: [Sum], stage: Late, dependencies: [Double] }
    }

    #[derive(Default)]
    struct Triple;

    impl System<Whole> for Triple {
        fn process(&self, data: &mut Data<'_, Whole, Self>) {
            data.own.for_entities(|e| e.sum.0 *= 3);
        }
    }

    #[test]
    fn stages_come_with_a_set() {
        let mut world = World::<Whole>::new();
        let entity = world.step(|step| step.spawn((Sum(4),))).unwrap();
        world.tick().unwrap();
        assert_eq!(world.get::<Sum>(entity).unwrap().0, (4 + 1) * 2 * 3);
    }
}
