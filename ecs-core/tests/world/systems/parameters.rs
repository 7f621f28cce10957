//! Typed parameters of code in the declaration: they declare what the system accesses, and get it.

use ecs_core::{Entity, World, world};

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Position(i32);
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Velocity(i32);
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fuel(i32);
#[derive(Clone)]
pub(crate) struct Wind(i32);
#[derive(Clone, Default)]
pub(crate) struct Landed(Vec<Entity>);
#[derive(Clone, Default)]
pub(crate) struct Burnt(i32);

/// Not the parameter of that name, whose pattern it would be, were it visible there.
#[expect(non_upper_case_globals, reason = "it must not be seen")]
const __entry: i32 = 7;

mod by_parameters {
    use super::{Burnt, Entity, Fuel, Landed, Position, Velocity, Wind, world};

    world! {
        pub(crate) world Sky;
        component Position, Velocity, Fuel;
        resource Wind = Wind(2);
        resource Landed, Burnt;
        order Fly -> Burn -> Land;
        system Fly {
            parallelism: split_every(64),
            each: |Position(x): &mut Position, velocity: &Velocity, wind: &Wind| {
                *x += velocity.0 + wind.0;
            },
        }
        system Burn {
            with: [Velocity],
            each: |fuel: Option<&mut Fuel>, burnt: &mut Burnt| {
                let Some(fuel) = fuel else { return };
                fuel.0 -= 1;
                burnt.0 += 1;
            },
        }
        system Land {
            despawn,
            output: Vec<Entity>,
            // The resources and the effects at the same time, in both orders.
            each: |entity: Entity, mut x: &Position, landed: &mut Landed, burnt: &mut Burnt, effects| {
                let limit = Position(50);
                if x.0 < 0 {
                    x = &limit;
                }
                if x.0 >= 50 {
                    effects.despawn(entity);
                    landed.0.push(entity);
                    effects.output().push(entity);
                    burnt.0 += 100;
                }
            },
        }
        system Turn {
            inputs: [Land],
            write: [Velocity],
            run: |own, effects, burnt: &mut Burnt, wind: &Wind| {
                burnt.0 += 1_000 * effects.outputs_of::<Land>().flatten().count() as i32;
                own.for_entities(|e| e.velocity.0 += wind.0 - 2);
                burnt.0 += 1_000_000;
            },
        }
    }
}

mod by_lists {
    use super::{Burnt, Entity, Fuel, Landed, Position, Velocity, Wind, world};

    world! {
        pub(crate) world Sky;
        component Position, Velocity, Fuel;
        resource Wind = Wind(2);
        resource Landed;
        resource Burnt;
        order Fly -> Burn -> Land;
        system Fly {
            parallelism: split_every(64),
            read: [Velocity],
            write: [Position],
            read_resources: [Wind],
            each: |e, _, resources| e.position.0 += e.velocity.0 + resources.get::<Wind>().0,
        }
        system Burn {
            with: [Velocity],
            write_optional: [Fuel],
            write_resources: [Burnt],
            each: |e, _, resources| {
                let Some(fuel) = e.fuel else { return };
                fuel.0 -= 1;
                resources.get_mut::<Burnt>().0 += 1;
            },
        }
        system Land {
            read: [Position],
            write_resources: [Landed, Burnt],
            despawn,
            output: Vec<Entity>,
            each: |e, effects, resources| {
                if e.position.0 < 0 || e.position.0 >= 50 {
                    effects.despawn(e.entity);
                    resources.get_mut::<Landed>().0.push(e.entity);
                    effects.output().push(e.entity);
                    resources.get_mut::<Burnt>().0 += 100;
                }
            },
        }
        system Turn {
            inputs: [Land],
            write: [Velocity],
            write_resources: [Burnt],
            read_resources: [Wind],
            run: |data| {
                let landed = data.effects.outputs_of::<Land>().flatten().count() as i32;
                data.resources.get_mut::<Burnt>().0 += 1_000 * landed + 1_000_000;
                let wind = data.resources.get::<Wind>().0;
                data.own.for_entities(|e| e.velocity.0 += wind - 2);
            },
        }
    }
}

/// What is left, what has landed, and what has been burnt.
type Outcome = (Vec<(i32, Option<i32>)>, Vec<Entity>, i32);

macro_rules! run {
    ($world:ty) => {{
        let mut world = World::<$world>::new();
        for n in 0..300 {
            let velocity = Velocity(n % 7 - 4);
            if n % 3 == 0 {
                world.spawn((Position(n), velocity, Fuel(9)));
            } else {
                world.spawn((Position(n % 60), velocity));
            }
        }
        for _ in 0..9 {
            world.tick().expect("no system fails");
        }
        let mut left = Vec::new();
        world.iter::<(&Position, Option<&Fuel>)>().for_each(|(position, fuel)| {
            left.push((position.0, fuel.map(|fuel| fuel.0)));
        });
        (left, world.resource::<Landed>().0.clone(), world.resource::<Burnt>().0)
    }};
}

#[test]
fn parameters_are_the_lists() {
    let (by_parameters, by_lists): (Outcome, Outcome) =
        (run!(by_parameters::Sky), run!(by_lists::Sky));
    assert_eq!(by_parameters, by_lists);
    let (left, landed, burnt) = by_parameters;
    assert!(left.len() > 20 && landed.len() > 50, "{} {}", left.len(), landed.len());
    assert_eq!(burnt / 1_000_000, 9);
}

#[test]
fn parameters_declare() {
    use ecs_core::description::Description;
    let [parameters, lists] =
        [Description::of::<by_parameters::Sky>(), Description::of::<by_lists::Sky>()];
    assert_eq!(format!("{parameters:?}"), format!("{lists:?}"));
}
