//! Panics of conditions, and declarations by hand that lie about them.

use ecs_core::{World, world};

use super::Value;
use super::support::{caught, every_kind, fail};

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
