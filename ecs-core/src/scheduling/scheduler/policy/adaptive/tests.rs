//! Decisions of adaptive parallelism, and a simulation on machines of several sorts.

use super::super::costs::Costs;
use super::super::{LARGE, PhaseGraph};
use super::*;
use crate::scheduling::scheduler::Dag;

const SHARED: Plan = Plan { alone: false, eager: false, measured: Measured::Nothing };

/// An execution that takes `alone` microseconds on one thread and `shared` when shared. Returns whether it
/// was shared.
fn execute(adaptive: &mut Adaptive, alone: u64, shared: u64) -> bool {
    let plan = adaptive.plan_for(SHARED, alone * 1_000);
    if plan.is_calibrating() {
        adaptive.add_time(Duration::from_micros(if plan.alone { alone } else { shared }));
    }
    !plan.alone
}

/// The same for a refresh.
fn refresh(adaptive: &mut Adaptive, alone: u64, shared: u64) -> bool {
    let entities = (alone * 1_000 / PIECE_NANOS) as usize;
    adaptive.begin_refresh();
    let is_shared = adaptive.shares(entities);
    adaptive.end_refresh(Duration::from_micros(if is_shared { shared } else { alone }));
    is_shared
}

/// A step with this work.
fn step_of<R>(adaptive: &mut Adaptive, work: impl FnOnce(&mut Adaptive) -> R) -> R {
    adaptive.begin();
    let result = work(adaptive);
    adaptive.end();
    result
}

/// A step with both.
fn step(adaptive: &mut Adaptive, alone: u64, shared: u64) -> [bool; 2] {
    step_of(adaptive, |this| [execute(this, alone, shared), refresh(this, alone, shared)])
}

#[test]
fn all_of_a_step_is_shared_or_nothing() {
    for (alone, shared) in [(100, 60), (100, 140), (100, 99)] {
        let mut adaptive = Adaptive::default();
        let steps: Vec<_> = (0..200).map(|_| step(&mut adaptive, alone, shared)).collect();
        assert!(steps.iter().all(|[one, other]| one == other));
        assert_eq!(steps[0], [true; 2], "nothing is known");
        assert!(steps.contains(&[false; 2]), "it was calibrating");
        assert_eq!(steps[40], [shared == 60; 2], "it is decided");
    }
}

#[test]
fn calibration_takes_less_than_a_fortieth_of_the_time() {
    for (alone, shared) in [(10, 30), (90, 30), (10, 800), (50, 1)] {
        let mut adaptive = Adaptive::default();
        let (mut time, mut best) = (0, 0);
        for _ in 0..1_000_000 {
            let is_shared = step_of(&mut adaptive, |this| execute(this, alone, shared));
            time += if is_shared { shared } else { alone };
            best += alone.min(shared);
        }
        assert!(time > best && time < best + best / 40, "{alone} {shared} {time} {best}");
    }
}

#[test]
fn one_calibration_that_is_disturbed_is_soon_corrected() {
    let mut adaptive = Adaptive::default();
    (0..500).for_each(|_| _ = step_of(&mut adaptive, |this| execute(this, 100, 50)));
    while adaptive.sizes[5].until > 0 {
        step_of(&mut adaptive, |this| execute(this, 100, 50));
    }
    (0..33).for_each(|_| _ = step_of(&mut adaptive, |this| execute(this, 100, 900)));
    let late = (0..500).filter(|_| step_of(&mut adaptive, |this| execute(this, 100, 50)));
    assert!(late.count() > 400);
}

#[test]
fn a_first_calibration_that_is_disturbed_is_soon_corrected() {
    let mut adaptive = Adaptive::default();
    (0..33).for_each(|_| _ = step_of(&mut adaptive, |this| execute(this, 100, 90_000)));
    assert!(!step_of(&mut adaptive, |this| execute(this, 100, 50)));
    let late = (0..500).filter(|_| step_of(&mut adaptive, |this| execute(this, 100, 50)));
    assert!(late.count() > 400);
}

#[test]
fn a_result_that_is_confirmed_is_seldom_calibrated_again() {
    let mut adaptive = Adaptive::default();
    let mut shared = |steps, alone, shared| {
        let steps = 0..steps;
        steps.filter(|_| step_of(&mut adaptive, |this| execute(this, alone, shared))).count()
    };
    shared(2_000, 100, 99);
    // 25 steps of each calibration are shared.
    assert!((100..=300).contains(&shared(10_000, 100, 99)));
    // A change is noticed at the next one.
    shared(PERIOD << CONFIRMED, 100, 50);
    assert!(shared(1_000, 100, 50) > 900);
}

#[test]
fn what_is_clear_is_decided_after_two_steps_alone() {
    let mut adaptive = Adaptive::default();
    let mut alone = |steps, shared| {
        let steps = 0..steps;
        steps.filter(|_| !step_of(&mut adaptive, |this| execute(this, 100, shared))).count()
    };
    assert_eq!(alone(60, 60), 2);
    // Some twelve calibrations.
    let clear = alone(10_000, 60);
    assert!((10..40).contains(&clear), "{clear}");
    // Each takes all runs where the gain is smaller.
    let unclear = alone(10_000, 80);
    assert!((40..200).contains(&unclear), "{unclear}");
}

#[test]
fn times_of_zero_postpone_calibration_within_the_limits() {
    for (times, until) in [([0.0, 1.0], LONGEST), ([1.0, 0.0], LONGEST), ([0.0, 0.0], 2 * PERIOD)] {
        let mut calibration = Calibration::default();
        for _ in 0..2 {
            calibration.until = 0;
            let confirmed = calibration.confirmed;
            while calibration.until == 0 {
                let (shared, _) = calibration.choose();
                calibration.add(shared, times[usize::from(shared)]);
            }
            assert!(calibration.shared.is_some() && calibration.confirmed <= confirmed + 1);
        }
        assert_eq!(calibration.until, until, "{times:?}");
    }
}

/// The plan for two nodes, each of which takes as many nanoseconds.
fn plan_of(adaptive: &mut Adaptive, costs: &mut Costs, threads: usize) -> Plan {
    let dag = Dag::from_edges(2, []).unwrap();
    let graph = PhaseGraph { dag: &dag, order: &[0, 1], threads };
    adaptive.plan(PhaseExecution { costs, graph, included: None, entities: 10 })
}

#[test]
fn an_execution_is_shared_once_its_nodes_are_known_to_take_long() {
    let (mut adaptive, mut costs) = (Adaptive::default(), Costs::new(2, &|_| false));
    let dag = Dag::from_edges(2, []).unwrap();
    adaptive.begin();
    let plan = plan_of(&mut adaptive, &mut costs, 2);
    assert_eq!((plan.alone, plan.measured), (true, Measured::Whole));
    costs.run_whole(plan, || std::thread::sleep(Duration::from_nanos(4 * WORTH)));
    while costs.goes_on_alone(10) {}
    let plan = plan_of(&mut adaptive, &mut costs, 2);
    assert_eq!((plan.alone, plan.measured), (true, Measured::Nodes));
    assert!(adaptive.step.decision.is_none(), "there is nothing to share yet");
    (0..2).for_each(|node| costs.note(node, Duration::from_nanos(4 * WORTH)));
    costs.learn(plan, PhaseGraph { dag: &dag, order: &[0, 1], threads: 2 });
    assert!(!costs.goes_on_alone(10));
    let plan = plan_of(&mut adaptive, &mut costs, 2);
    assert_eq!((plan.alone, plan.measured), (false, Measured::Calibrating));
}

#[test]
fn little_is_never_shared_and_much_always() {
    let mut adaptive = Adaptive::default();
    assert_eq!(step_of(&mut adaptive, |this| this.choose(WORTH - 1)), (false, false));
    assert_eq!(step_of(&mut adaptive, |this| this.choose(WORTH)), (true, true));
    assert_eq!(step_of(&mut adaptive, |this| this.choose(LARGE - 1)), (true, true));
    assert_eq!(step_of(&mut adaptive, |this| this.choose(LARGE)), (true, false));
}

#[test]
fn what_is_disturbed_or_measured_node_by_node_tells_nothing() {
    let mut adaptive = Adaptive::default();
    for _ in 0..100 {
        step_of(&mut adaptive, |this| {
            assert!(execute(this, 100, 300));
            this.disturb();
        });
        step_of(&mut adaptive, |this| {
            let nodes = Plan { measured: Measured::Nodes, ..Plan::ALONE };
            assert!(this.plan_for(nodes, 100_000).alone);
            assert!(execute(this, 100, 300));
        });
    }
}

#[test]
fn what_is_suddenly_far_more_is_shared() {
    let mut adaptive = Adaptive::default();
    for _ in 0..60 {
        step(&mut adaptive, 100, 200);
    }
    assert_eq!(step(&mut adaptive, 100, 200), [false; 2]);
    step_of(&mut adaptive, |this| {
        assert!(!execute(this, 100, 200));
        assert!(refresh(this, 1_000, 2_000));
    });
}

#[test]
fn a_step_that_has_panicked_decides_nothing_for_the_next_one() {
    let mut adaptive = Adaptive::default();
    adaptive.begin();
    adaptive.plan_for(SHARED, WORTH);
    adaptive.begin();
    assert!(adaptive.step.decision.is_none() && adaptive.step.work == 0);
}

#[test]
fn a_refresh_is_shared_as_a_whole_if_several_stages_of_the_last_one_were_large() {
    let mut adaptive = Adaptive::default();
    for (stages, is_whole) in [(2, false), (1, true), (0, false), (0, false)] {
        step_of(&mut adaptive, |this| {
            // Of edits between steps.
            (0..3).for_each(|_| assert!(this.shares(MIN_PIECES)));
        });
        step_of(&mut adaptive, |this| {
            assert_eq!(this.begin_refresh(), is_whole);
            (0..stages).for_each(|_| assert!(this.shares(MIN_PIECES)));
            assert!(!this.shares(MIN_PIECES - 1));
            this.end_refresh(Duration::from_micros(1));
        });
    }
}

#[test]
fn a_refresh_that_was_large_once_decides_nothing_later() {
    let mut adaptive = Adaptive::default();
    step_of(&mut adaptive, |this| refresh(this, 20_000, 60_000));
    let shared = (0..2_000).filter(|_| step(&mut adaptive, 100, 300)[0]).count();
    assert!(shared < 200, "{shared} of 2000");
}

/// Two threads of a machine.
#[derive(Clone, Copy, Debug)]
struct Machine {
    /// Microseconds to wake the other thread: if it was used in the last step, and if it sleeps.
    waking: [f64; 2],
    /// The part of the time alone that two threads need, and by which a change of mode prolongs a step.
    halves: f64,
    caches: f64,
    /// The part of steps that are interrupted.
    noise: f64,
}

/// Random numbers in 0..1, by a linear congruential generator.
fn random(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 11) as f64 / (1_u64 << 53) as f64
}

/// Simulates steps that take these microseconds alone, in turns. Returns the time of the adaptive world and of
/// a world on one thread, and of one that shares all.
fn simulate(machine: Machine, sizes: &[f64], seed: &mut u64) -> [f64; 3] {
    let mut adaptive = Adaptive::default();
    let (mut awake, mut totals) = (false, [0.0; 3]);
    for i in 0..20_000 {
        for &size in sizes {
            let mut noise = || {
                let varies = 0.95 + 0.1 * random(seed);
                if random(seed) < machine.noise { 3.0 * varies } else { varies }
            };
            let mut time_of = |shared: bool, awake: bool| {
                let waking = machine.waking[usize::from(!awake)];
                let time = if shared { size * machine.halves + waking } else { size };
                (time + if shared == awake { 0.0 } else { size * machine.caches }) * noise()
            };
            let plan = step_of(&mut adaptive, |this| {
                let plan = this.plan_for(SHARED, (size * 1e3) as u64);
                let time = time_of(!plan.alone, awake);
                totals[0] += if i < 1_000 { 0.0 } else { time };
                if plan.is_calibrating() {
                    this.add_time(Duration::from_nanos((time * 1e3) as u64));
                }
                plan
            });
            awake = !plan.alone;
            if i >= 1_000 {
                totals[1] += time_of(false, false);
                totals[2] += time_of(true, true);
            }
        }
    }
    totals
}

#[test]
fn two_threads_are_never_slower_than_one_and_gain_where_there_is_a_gain() {
    let machine = |waking, halves, caches, noise| Machine { waking, halves, caches, noise };
    let machines = [
        machine([1.0, 10.0], 0.55, 0.1, 0.0),
        machine([1.0, 10.0], 0.55, 0.3, 0.1),
        machine([60.0, 90.0], 0.55, 0.2, 0.0),
        machine([60.0, 90.0], 0.55, 0.2, 0.1),
        machine([1.0, 5.0], 0.95, 0.1, 0.1),
        machine([2.0, 30.0], 1.2, 0.1, 0.05),
    ];
    let seed = &mut 1;
    for machine in machines {
        for sizes in [&[4.0][..], &[15.0], &[100.0], &[1_500.0], &[4.0, 700.0], &[30.0, 31.0]] {
            let [adaptive, alone, shared] = simulate(machine, sizes, seed);
            assert!(adaptive < 1.1 * alone, "{machine:?} {sizes:?} {adaptive} {alone}");
            let is_single = sizes.len() == 1;
            assert!(!is_single || adaptive < 1.1 * shared, "{machine:?} {sizes:?} {shared}");
        }
    }
}
