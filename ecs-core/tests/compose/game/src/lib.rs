//! A world of two libraries' sets, which do not know each other, in a crate that forbids what can be
//! forbidden and calls `ecs-core` by another name.

#![forbid(unsafe_code)]
#![no_implicit_prelude]
#![deny(warnings, missing_docs, unreachable_pub, clippy::pedantic)]

use ::compose_motion::Motion;

/// A third set, of this crate.
pub(crate) mod score {
    /// How often a thing was at the top.
    #[derive(::core::fmt::Debug, ::core::default::Default)]
    pub(crate) struct Score(pub(crate) u32);

    ::engine::set! {
        pub(crate) set Scores;
        resource Score;
    }
}

/// What ends the game.
#[derive(::core::fmt::Debug, ::core::default::Default)]
pub struct Judge;

::engine::world! {
    /// Things that fall, and look.
    pub world Game { entity_limit: fixed(1_000) }

    include Motion;
    include ::compose_sight::Sight;
    include score::Scores;

    // Neither library knows of the other: who sees what is moved is decided here.
    order Advance -> Look;

    system Judge { read: [Position], write_resources: [Score], dependencies: [Look] }
}

impl ::engine::System<Game> for Judge {
    fn process(&self, data: &mut ::engine::Data<'_, Game, Self>) {
        let mut above = 0;
        data.for_entities(|e| {
            above += <u32 as ::core::convert::From<bool>>::from(e.position.0 > 5.0);
        });
        data.resource_mut::<score::Score>().0 += above;
    }
}

/// The score of a world.
#[must_use]
pub fn score(world: &::engine::World<Game>) -> u32 {
    world.resource::<score::Score>().0
}
