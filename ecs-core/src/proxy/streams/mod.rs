//! Streams: the two ends in a subtask, and the consumer that runs beside its producer.

mod pump;

pub(crate) use pump::{ProducerFailed, Pump};

use crate::output::stream::{Sender, Streaming, taken};
use crate::signature::access::Receives;
use crate::signature::{Declaration, Effects, SystemName, undeclared};
use crate::types::IndexSet;

impl<'w, D: Declaration, N: SystemName<D>> Effects<'w, D, N> {
    /// The stream that this subtask sends to, of a system with `output: Stream<T>`.
    ///
    /// ```
    /// # use ecs_core::{Stream, World, world};
    /// # struct Life(u32);
    /// # #[derive(Default)] struct Weak(Vec<u32>);
    /// world! {
    ///     world Ward;
    ///     component Life;
    ///     resource Weak;
    ///     system Find {
    ///         read: [Life],
    ///         output: Stream<u32>,
    ///         parallelism: split_evenly(cores),
    ///         run: |data| {
    ///             let (own, effects) = (&mut data.own, &mut data.effects);
    ///             let mut stream = effects.stream();
    ///             own.for_entities(|e| {
    ///                 if e.life.0 < 10 {
    ///                     stream.send(e.life.0);
    ///                 }
    ///             });
    ///         },
    ///     }
    ///     system Note {
    ///         streams: [Find],
    ///         write_resources: [Weak],
    ///         // Called with some items at a time, while `Find` still runs.
    ///         run: |data| {
    ///             let items = data.effects.received::<Find>();
    ///             data.resources.get_mut::<Weak>().0.extend(items);
    ///         },
    ///     }
    /// }
    /// # let mut world = World::<Ward>::new();
    /// # world.spawn_batch((0..20).map(|n| (Life(n),)));
    /// # world.tick().unwrap();
    /// # assert_eq!(world.resource::<Weak>().0, (0..10).collect::<Vec<u32>>());
    /// ```
    ///
    /// # Panics
    /// Never: each subtask of a system that streams has an end of its stream.
    pub fn stream<O: Streaming>(&mut self) -> Sender<'_, O::Item>
    where
        // A parameter of the method: `rustc` says what a method's own bounds say, and nothing of others.
        N: SystemName<D, Output = O>,
    {
        let end = self.work.end.as_deref_mut();
        Sender::new(end.expect("a subtask of a system that streams has an end"), self.round)
    }

    /// The items that have come from the system `S`, by value: the batch of this call of the body.
    ///
    /// Over all calls in an execution these are the items that `S` has sent, in (subtask, call) order, or in
    /// any order if this system is `unordered`. A batch is the next 512 items of one subtask of `S`, or the
    /// remaining items when that subtask ends. So the boundaries of batches follow from how `S` is split, as
    /// the number of its subtasks does, and never from timing. Results should follow from the items one by one,
    /// so that they depend on neither. The body is called at least once, without items if there are none. A
    /// second call of this method in one call of the body yields nothing.
    pub fn received<S: SystemName<D>>(
        &mut self,
    ) -> impl Iterator<Item = <S::Output as Streaming>::Item> + use<'w, D, N, S>
    where
        N: Receives<S, D>,
        S::Output: Streaming,
    {
        const {
            if !IndexSet::of(D::SYSTEMS[N::INDEX].declared.streams).contains(S::INDEX) {
                undeclared::<D, N>("take the stream of", D::SYSTEMS[S::INDEX].name);
            }
        };
        taken(self.received.take())
    }
}
