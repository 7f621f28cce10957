//! Storage strategies: where the values of a component lie.
//!
//! The strategy stands in the declaration and nowhere else. Code and results are the same with each.
//!
//! Run it: `cargo run -p ecs-core --example 14_storages`

use std::error::Error;

use ecs_core::{World, world};

struct Place(f32);
struct Speed(f32);
struct Weight(f32);
struct Wind(f32);
struct Tow(f32);
struct Frozen;

world! {
    world March;

    // By default a column of its own (structure of arrays): for what most entities have.
    component Weight;
    // Interleaved in one buffer (array of structures): for what is used together.
    component (Place, Speed): contiguous_buffer;
    // Packed, and found by an index: for what some entities have, or what comes and goes.
    component Wind: sparse_set;
    // In a hash map: for what hardly any entity has.
    component Tow: hash_map;
    // A tag has no value.
    component Frozen: empty;
    // `storage(Type)` takes a type of your own that implements `StorageStrategy`.

    system Walk {
        without: [Frozen],
        each: |place: &mut Place, speed: &Speed, weight: &Weight, wind: Option<&Wind>, tow: Option<&Tow>| {
            let wind = wind.map_or(0.0, |wind| wind.0);
            let tow = tow.map_or(0.0, |tow| tow.0);
            place.0 += (speed.0 + wind + tow) / weight.0;
        },
    }
}

/// One step of four entities.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::<March>::new();
    let [_, windy, towed, frozen] =
        [0.0, 100.0, 200.0, 300.0].map(|at| world.spawn((Place(at), Speed(1.0), Weight(2.0))));
    world.insert(windy, Wind(2.0))?;
    world.insert(towed, Tow(5.0))?;
    world.insert(frozen, Frozen)?;

    world.tick()?;
    let places: Vec<f32> = world.iter::<&Place>().map(|place| place.0).collect();
    println!("{places:?}");
    assert_eq!(places, [0.5, 101.5, 203.0, 300.0]);
    Ok(())
}
