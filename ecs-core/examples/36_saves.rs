//! A world is saved to a file, and a later version of the program goes on from there.
//!
//! `World::save` and `World::load` need the feature `serde` of `ecs-core`. Values of a type that is plain old data are written by `bytemuck`, all others by
//! `serde`.
//!
//! Run it: `cargo run -p ecs-core --example 36_saves`

use std::error::Error;
use std::fs;

use ecs_core::{LoadError, SaveFormat, World, world};
use serde::{Deserialize, Serialize};

/// The program of last year.
mod last_year {
    use super::{Deserialize, Serialize, world};

    #[derive(Serialize, Deserialize)]
    pub(super) struct Gold(pub(super) u8);

    world! {
        pub(super) world Town;
        component Gold;
        system Earn { each: |gold: &mut Gold| gold.0 += 1 }
    }
}

/// Gold was a byte, which was not enough.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Coins(u64);

/// Copied to and from a file as it lies in memory.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct House([f32; 2]);

world! {
    world Town;
    component Coins, House;
    system Earn { each: |coins: &mut Coins| coins.0 += 1 }
}

/// What has changed since last year.
fn format() -> SaveFormat<Town> {
    SaveFormat::new().component::<Coins>(|coins| {
        let from_gold = |last_year::Gold(gold)| Coins(gold.into());
        coins.renamed_from("Gold").version(2).migrate(1, from_gold)
    })
}

/// Someone with 250 pieces of gold earns more than 255.
pub fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::temp_dir().join(format!("town-{}.save", std::process::id()));
    let mut before = World::<last_year::Town>::new();
    let ada = before.spawn((last_year::Gold(250),));
    before.save_file(&file)?;

    let mut now = World::<Town>::new();
    let error = now.load_file(&file).unwrap_err();
    println!("without a migration: {error}");
    assert!(matches!(error, LoadError::Unknown { .. }));

    format().load_file(&mut now, &file)?;
    for _ in 0..10 {
        now.tick()?;
    }
    println!("Ada has {:?}", now.get::<Coins>(ada));
    assert_eq!(now.get::<Coins>(ada), Some(&Coins(260)));
    // Entities of today have houses, too.
    now.insert(ada, House([3.0, 4.0]))?;
    format().save_file(&now, &file)?;
    fs::remove_file(&file)?;
    Ok(())
}
