//! Panics of conditions.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use ecs_core::{Combine, Threads, World, world};

use super::Value;
use super::support::{Counted, Ledger, caught, every_kind, fail, three};

#[derive(Clone, Default)]
struct Failing(u8);

#[derive(Default)]
struct Ran(Vec<&'static str>);

world! {
    world Fragile;
    component Value;
    resource Failing, Ran;
    system First {
        run_if: |failing: &Failing| if failing.0 == 1 { fail("first") } else { true },
        spawn: [Value],
        run: |data| data.effects.spawn((Value(1),)),
    }
    system Second {
        run_if: |failing: &Failing| if failing.0 > 0 { fail("second") } else { true },
        dependencies: [First],
        write_resources: [Ran],
        run: |data| data.resources.get_mut::<Ran>().0.push("second"),
    }
    system Alone {
        sequential,
        dependencies: [Second],
        write_resources: [Ran],
        run: |data| data.resources.get_mut::<Ran>().0.push("alone"),
    }
    system Third {
        run_if: |failing: &Failing| if failing.0 == 9 { fail("third") } else { failing.0 != 4 },
        dependencies: [Alone],
        write_resources: [Ran],
        run: |data| data.resources.get_mut::<Ran>().0.push("third"),
    }
}

#[test]
fn a_panic_is_that_of_the_first_system_and_drops_what_is_staged() {
    for threads in every_kind() {
        let mut world = World::<Fragile>::on(threads);
        for (failing, payload) in [(1, "first"), (2, "second")] {
            world.resource_mut::<Failing>().0 = failing;
            assert_eq!(caught(|| world.tick()), payload);
            assert_eq!((world.entity_count(), world.resource::<Ran>().0.len()), (0, 0));
        }
        world.resource_mut::<Failing>().0 = 0;
        world.tick().unwrap();
        assert_eq!(world.entity_count(), 1);
        assert_eq!(world.resource::<Ran>().0, ["second", "alone", "third"]);
    }
}

#[test]
fn a_panic_in_a_later_phase_drops_what_earlier_ones_have_staged() {
    let mut world = World::<Fragile>::new();
    let outcome = caught(|| {
        world.step(|step| {
            step.execute_only::<(First,)>();
            step.resource_mut::<Failing>().0 = 9;
            step.execute_only::<(Alone, Third)>();
        })
    });
    assert_eq!((&*outcome, world.entity_count()), ("third", 0));
    assert_eq!(world.resource::<Ran>().0, ["alone"], "what ran before has run");
    world.resource_mut::<Failing>().0 = 0;
    world.tick().unwrap();
    assert_eq!(world.entity_count(), 1);
}

/// Counts the calls of conditions. The one with the number `at` panics.
#[derive(Default)]
struct Plan {
    calls: AtomicU32,
    at: u32,
    ledger: Ledger,
}

impl Plan {
    /// Every third call does not hold.
    fn ask(&self) -> bool {
        let call = self.calls.fetch_add(1, Relaxed) + 1;
        if call == self.at {
            fail("condition");
        }
        !call.is_multiple_of(3)
    }
}

struct Held(#[expect(dead_code, reason = "it counts its drop")] Counted);

#[derive(Default)]
struct Added(Vec<Counted>);

impl Combine for Added {
    fn combine(&mut self, other: Self) {
        self.0.extend(other.0);
    }
}

world! {
    world Counting;
    component Held;
    resource Plan;
    resource Added: combine;
    system Stage {
        run_if: |plan: &Plan| plan.ask(),
        spawn: [Held],
        output: Vec<Counted>,
        run: |_, effects, plan: &Plan| {
            effects.spawn((Held(plan.ledger.make()),));
            effects.output().push(plan.ledger.make());
        },
    }
    system Add {
        run_if: |plan: &Plan| plan.ask() || plan.at == u32::MAX,
        add: [Added],
        run: |_, effects, plan: &Plan| effects.add(Added(vec![plan.ledger.make()])),
    }
    system AddToo {
        add: [Added],
        run: |_, effects, plan: &Plan| effects.add(Added(vec![plan.ledger.make()])),
    }
    system Apart {
        sequential,
        run_if: |plan: &Plan| !plan.ask(),
        dependencies: [AddToo],
        inputs: [Stage],
        spawn: [Held],
        run: |data| {
            let held = data.resources.get::<Plan>().ledger.make();
            data.now().spawn((Held(held),));
        },
        read_resources: [Plan],
    }
    system After {
        run_if: |plan: &Plan| plan.ask() && plan.at < u32::MAX,
        dependencies: [Apart],
        spawn: [Held],
        run: |_, effects, plan: &Plan| effects.spawn((Held(plan.ledger.make()),)),
    }
}

/// A step with two executions. Returns what it panics with.
fn two_executions(world: &mut World<Counting>) -> String {
    caught(|| {
        world
            .step(|step| {
                step.execute_systems();
                step.execute_systems();
            })
            .unwrap();
    })
}

#[test]
fn a_panic_of_each_call_leaves_a_whole_world() {
    for threads in [Threads::Inline, three()] {
        let mut fired = 0;
        for at in 1.. {
            let mut world = World::<Counting>::on(threads.clone());
            let ledger = world.resource::<Plan>().ledger.clone();
            two_executions(&mut world);
            *world.resource_mut::<Plan>() = Plan { at, ledger: ledger.clone(), ..Plan::default() };
            let before = world.entity_count();
            let outcome = two_executions(&mut world);
            // What `Apart` has spawned stays.
            let since = world.entity_count() - before;
            assert!(
                outcome == "no panic" || outcome == "condition" && since <= 2,
                "{at}: {outcome}"
            );
            world.resource_mut::<Plan>().at = 0;
            assert_eq!(two_executions(&mut world), "no panic");
            assert_eq!(world.entity_count(), world.iter::<&Held>().count());
            let held = world.entity_count() + world.resource::<Added>().0.len();
            let output = world.outputs_of::<Stage>().flatten().count();
            // A skipped system may keep the memory of an output, which is reset before it is used again.
            assert!(ledger.living() >= held + output, "{at}");
            drop(world);
            assert_eq!(ledger.living(), 0, "{at}");
            if outcome == "no panic" {
                break;
            }
            fired += 1;
        }
        assert_eq!(fired, 8, "conditions of two executions");
    }
}
