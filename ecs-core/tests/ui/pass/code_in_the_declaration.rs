//! Systems whose code is in the declaration: closures and functions, in a world and in a set.

#![deny(warnings)]
#![allow(unused_parens)]

use ecs_core::{Data, World, set, world};

pub struct Level(u32);
pub struct Rate(u32);
pub struct Sunk;
#[derive(Default)]
pub struct Total(u32);

pub mod tide {
    use super::{Level, Rate};

    pub fn ebb(all: &mut ecs_core::Data<'_, super::Sea, super::Ebb>) {
        all.own.for_entities(|buoy| buoy.level.0 -= 1);
    }

    pub fn flow(buoy: super::FlowEntry<'_>) {
        let (Level(level), Rate(rate)) = (buoy.level, buoy.rate);
        *level += rate;
    }
}

// Not the parameter of the macro's function.
#[allow(dead_code, non_upper_case_globals)]
const data: u32 = 1;

/// Nor its function.
fn code() {}

/// Not the macro's type parameter.
pub struct D;
impl D {
    const ONE: u32 = 1;
}

#[derive(Default)]
pub struct Found(u32);

set! {
    pub set Log;
    component Sunk, D: empty;
    resource Found;
    system Find { with: [Sunk], remove: [Sunk], output: Vec<u32>, each: |buoy, effects| {
        effects.output().push(D::ONE);
        effects.remove::<Sunk>(buoy.entity);
    } }
    system Note { inputs: [Find], run: |effects, Found(found): &mut Found| {
        *found += effects.outputs_of::<Find>().flatten().sum::<u32>();
    } }
    system Look { dependencies: [Note], each: |_: &Sunk, place: ecs_core::Place, found: &Found, entity: ecs_core::Entity| {
        code();
        assert_eq!(place.row(), entity.index());
        assert!(found.0 > 0);
    } }
    system Clear { with: [Sunk], despawn, dependencies: [Find], run: |all| {
        all.own.for_entities(|buoy| all.effects.despawn(buoy.entity));
    } }
}

// The macro's own names cannot be seen by the code.
const ONE: u32 = 1;

world! {
    /// A sea.
    pub world Sea { entity_limit: dynamic(8) }
    component Level, Rate;
    resource Total;
    include Log;

    /// Rises by the rate.
    system Flow {
        write: [Level],
        read: [Rate],
        parallelism: split_evenly(cores),
        each: tide::flow,
    }
    system Ebb { write: [Level], dependencies: [Flow], run: tide::ebb }
    system Count {
        read: [Level],
        write_resources: [Total],
        dependencies: [Ebb],
        run: |all| {
            let mut sum = 0;
            all.own.for_entities(|buoy| sum += buoy.level.0 * ONE);
            all.resources.get_mut::<Total>().0 = sum;
        },
    }
    system Tally { read: [Level], write_resources: [Total], dependencies: [Count], each: |buoy, _, resources| {
        resources.get_mut::<Total>().0 += buoy.level.0 - buoy.level.0;
    } }
    system Low { read: [Level], insert: [Sunk], dependencies: [Ebb], each: (|buoy, effects| {
        if buoy.level.0 == 0 {
            effects.insert(buoy.entity, Sunk);
        }
    }) }
    order Clear -> Low;
}

/// Types in a group.
macro_rules! pond {
    ($name:ident: $component:ty, $path:path) => {
        world! {
            world $name;
            component Level, Rate;
            resource Total;
            system Fill { each: |level: &mut $component, rate: &$path, _: ecs_core::Entity| level.0 += rate.0 }
        }
    };
}
pond!(Pond: Level, Rate);

fn main() {
    let mut pond = World::<Pond>::new();
    let duck = pond.spawn((Level(1), Rate(2)));
    pond.tick().expect("there is room");
    assert_eq!(pond.get::<Level>(duck).expect("it is alive").0, 3);
    let mut sea = World::<Sea>::new();
    let low = sea.spawn((Level(0), Rate(1)));
    let buoys = sea.spawn_batch((1..4).map(|n| (Level(n), Rate(2))));
    assert_eq!(buoys.len(), 3);
    sea.tick().expect("there is room");
    assert_eq!(sea.resource::<Total>().0, 2 + 3 + 4);
    assert!(sea.get::<Sunk>(low).is_some());
    assert!(sea.insert(low, Rate(5)).is_ok_and(|old| old.is_some_and(|Rate(old)| old == 1)));
    sea.get_mut::<Level>(buoys[0]).expect("it is alive").0 = 10;
    sea.tick().expect("there is room");
    assert!(!sea.is_alive(low));
    assert_eq!(sea.resource::<Found>().0, 1);
    assert_eq!(sea.resource::<Total>().0, 4 + 11 + 4 + 5);
    assert!(sea.despawn(buoys[0]) && !sea.despawn(buoys[0]));
    assert!(sea.remove::<Level>(buoys[1]).is_some() && sea.remove::<Level>(buoys[1]).is_none());
    sea.tick().expect("there is room");
    assert_eq!(sea.resource::<Total>().0, 6);
    let _: Option<&mut Data<'_, Sea, Ebb>> = None;
}
