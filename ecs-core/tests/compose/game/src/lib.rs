//! A world of two libraries' sets, which do not know each other, and of one of its own, in a crate that
//! forbids what can be forbidden and calls `ecs-core` by another name.

#![forbid(unsafe_code)]
#![no_implicit_prelude]
#![deny(
    warnings,
    missing_docs,
    unreachable_pub,
    missing_debug_implementations,
    unused,
    rust_2018_idioms,
    clippy::pedantic
)]

pub mod heights;
pub mod score;

use ::compose_motion::Motion;

/// Finds the lowest position after the other systems have run.
#[derive(::core::fmt::Debug, ::core::default::Default)]
pub struct Measure;

/// The lowest place where anything is.
#[derive(::core::fmt::Debug, ::core::default::Default)]
pub struct Lowest(pub f32);

/// The sum of the numbers of all things, in all steps.
#[derive(::core::fmt::Debug, ::core::default::Default)]
pub struct Tally(pub u32);

/// Adds numbers up.
#[derive(::core::fmt::Debug, ::core::default::Default)]
pub struct Tell;

::engine::world! {
    /// Things that fall, and look.
    pub world Game { entity_limit: fixed(1_000) }

    include Motion;
    include ::compose_sight::Sight;
    include score::Scores;
    include heights::Heights;

    // The libraries do not know each other: the world decides which system sees what is moved, and when.
    order Advance -> Look -> Count;

    resource Lowest;
    resource Tally;
    system Tell { streams: [Number], unordered, write_resources: [Tally] }
    system Measure { read: [Position], write_resources: [Lowest], inputs: [Look], dependencies: [Note] }
}

impl ::engine::System<Game> for Measure {
    fn process(&self, data: &mut ::engine::Data<'_, Game, Self>) {
        let mut lowest = f32::INFINITY;
        data.own.for_entities(|e| lowest = lowest.min(e.position.0));
        let _ = data.effects.system::<::compose_sight::Look>();
        data.resources.get_mut::<Lowest>().0 = lowest;
    }
}

impl ::engine::System<Game> for Tell {
    fn process(&self, data: &mut ::engine::Data<'_, Game, Self>) {
        let numbers = data.effects.received::<heights::Number>();
        let sum: u32 = ::core::iter::Iterator::sum(numbers);
        data.resources.get_mut::<Tally>().0 += sum;
    }
}
