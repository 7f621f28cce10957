//! A set that takes the stream of another library's system, and has a stream of its own, which the world
//! takes.

/// Every height that was ever reported, in the order of things and of steps.
#[derive(::core::fmt::Debug, ::core::default::Default)]
pub struct Diary(pub ::std::vec::Vec<f32>);

/// Writes down what is reported.
#[derive(::core::fmt::Debug, ::core::default::Default)]
pub struct Scribe;

/// Sends the number of each thing.
#[derive(::core::fmt::Debug, ::core::default::Default)]
pub struct Number;

::engine::set! {
    /// Who writes down heights.
    pub set Heights;

    include ::compose_motion::Motion;

    resource Diary;

    system Scribe { streams: [Report], write_resources: [Diary] }
    system Number { with: [Position], output: ::engine::Stream<u32> }
}

impl<D: HeightsWorld> ::engine::System<D> for Scribe {
    fn process(&self, data: &mut ::engine::Data<'_, D, Self>) {
        let heights = data.effects.received::<::compose_motion::Report>();
        ::core::iter::Extend::extend(&mut data.resources.get_mut::<Diary>().0, heights);
    }
}

impl<D: HeightsWorld> ::engine::System<D> for Number {
    fn process(&self, data: &mut ::engine::Data<'_, D, Self>) {
        let mut number = 0;
        let (own, effects) = (&mut data.own, &mut data.effects);
        let mut numbers = effects.stream();
        own.for_entities(|_| {
            number += 1;
            numbers.send(number);
        });
    }
}
