//! A set of this crate, with one of everything: generated code must pass here, too.

use ::compose_motion::space;

/// How often a thing was high up, in all steps.
#[derive(::core::fmt::Debug, ::core::default::Default)]
pub struct Score(pub u32);

/// Something to win.
#[derive(::core::fmt::Debug)]
pub struct Medal;

/// A mark that goes, at a time that only this module sees.
#[derive(::core::fmt::Debug)]
pub struct Chalk {
    left: u8,
}

/// Counts those that are high up.
#[derive(::core::fmt::Debug)]
pub struct Counter {
    /// What counts as high.
    pub above: f32,
}

/// Notes what was counted.
#[derive(::core::fmt::Debug, ::core::default::Default)]
pub struct Note;

::engine::set! {
    /// Points for height.
    pub set Scores;

    include space::Space;

    component (Medal, self::Option): contiguous_buffer;
    /// What is given.
    #[derive(::core::fmt::Debug)]
    template Gift { Medal, Option(3), Chalk::of(1) }
    component Chalk: hash_map, expires(left);
    resource Score;
    resource Vec = Vec({
        let sink = 2;
        sink - 1
    });

    /// Counts.
    system Count: Counter {
        read: [Position],
        read_optional: [Option],
        with: [],
        without: [Medal],
        output: u32,
        state: Counter { above: 5.0 },
        insert: [Medal],
        remove: [Option],
        spawn: [(Medal, Option), Medal],
        despawn,
        exclusive,
    }
    /// Marks go.
    #[derive(::core::fmt::Debug)]
    system Wipe { expire: Chalk }
    system Note { inputs: [Count], write_resources: [Score], read_resources: [Vec] }
}

/// A component that is called like the standard library's type.
#[derive(::core::fmt::Debug)]
pub struct Option(pub u8);

/// How many points each counts.
#[derive(::core::fmt::Debug)]
pub struct Vec(pub u32);

impl Chalk {
    /// A mark for some steps.
    #[must_use]
    pub fn of(left: u8) -> Self {
        Self { left }
    }
}

impl<D: ScoresWorld> ::engine::System<D, Count> for Counter {
    fn process(&self, data: &mut ::engine::Data<'_, D, Count>) {
        let mut high = 0;
        data.own.for_entities(|e| {
            let _ = e.option;
            if e.position.0 > self.above {
                high += 1;
            }
        });
        *data.effects.output() += high;
    }
}

impl<D: ScoresWorld> ::engine::System<D> for Note {
    fn process(&self, data: &mut ::engine::Data<'_, D, Self>) {
        let mut points = 0;
        for high in data.effects.output_parts_of::<Count>() {
            points += *high;
        }
        let each = data.resources.get::<Vec>().0;
        data.resources.get_mut::<Score>().0 += points * each;
    }
}
