//! Messages: events that are for one entity, sent by systems and read by the entities of others.

use core::iter::FusedIterator;
use core::slice;

use crate::entity::{EffectTarget, Entity, Row as _};
use crate::output::{EventPlace, EventQueue};
use crate::proxy::events::{assert_reads_event, rank};
use crate::signature::access::{EmittedBy, ReceivedBy, SentBy};
use crate::signature::{
    Addressed, Data, Declaration, Effects, HasEvent, Mail, SystemName, assert_not_sequential,
};
use crate::state::Defer;
use crate::types::{ThreadSafe, prefetch};

impl<'w, D: Declaration, N: SystemName<D>> Effects<'w, D, N> {
    /// Sends the message to the entity: the systems that declare `on: [M]` find it beside the entity's components
    /// ([`Data::for_messages`]), if the entity is alive and theirs by then. It is an [emitted](Self::emit) event with a
    /// receiver.
    ///
    /// Several messages to one entity are all received, in the order of phase, system, subtask and call. So, unlike staged
    /// insertions, of which the last one counts, they add up. Amortized O(1); allocates nothing in steady state.
    ///
    /// A message to a [`PendingEntity`](crate::PendingEntity) is read in the next step, when the entity is there.
    #[inline]
    pub fn send<M: SentBy<N, D>>(&mut self, to: impl EffectTarget<'w>, message: M) {
        let rank = const { rank::<D, N>(<M::Event as EmittedBy<N, D>>::INDEX) };
        match to.aim() {
            Ok(to) => {
                if let Some(to) = to.handle(&self.core.storage.entities) {
                    message.to(to).emit_to(rank, &mut self.work.added);
                }
            }
            Err(pending) => self.send_to_pending(pending, message),
        }
    }
}

impl<'w, D: Declaration, N: SystemName<D>> Data<'w, D, N> {
    /// Calls `f` for each entity of this subtask that has messages of the type `M` which this system has not read: with the
    /// entity's components, the messages to it in the order in which they were sent, and the effects. The entities are in
    /// ascending order of rows.
    ///
    /// ```
    /// # use ecs_core::{Entity, World, world};
    /// # struct Health(i32);
    /// # struct Aim(Entity);
    /// struct Hit { damage: i32 }
    ///
    /// world! {
    ///     world Arena;
    ///     component Health, Aim;
    ///     event Hit: addressed;
    ///     system Shoot {
    ///         parallelism: split_evenly(cores),
    ///         emit: [Hit],
    ///         each: |aim: &Aim, effects| effects.send(aim.0, Hit { damage: 20 }),
    ///     }
    ///     system Hurt {
    ///         parallelism: split_evenly(cores),
    ///         on: [Hit],
    ///         write: [Health],
    ///         despawn,
    ///         run: |data| data.for_messages::<Hit>(|one, hits, effects| {
    ///             one.health.0 -= hits.map(|hit| hit.damage).sum::<i32>();
    ///             if one.health.0 <= 0 {
    ///                 effects.despawn(one.entity);
    ///             }
    ///         }),
    ///     }
    /// }
    ///
    /// let mut world = World::<Arena>::new();
    /// let [first, second] = [100, 30].map(|health| world.spawn((Health(health),)));
    /// world.spawn_batch([first, second, first, second].map(|at| (Aim(at),)));
    /// world.tick()?;
    /// assert_eq!(world.get::<Health>(first).unwrap().0, 100 - 20 - 20);
    /// assert!(!world.is_alive(second));
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    ///
    /// Messages to entities that are not alive, or not of this system, are not seen; they count as read like the others.
    /// Before the subtasks run, the messages are sorted by receiver on all threads: copies of them, if `M` is `Copy` and
    /// takes up to 32 bytes, and else the places where they lie. Copies are faster, as they lie side by side. O(entities), and
    /// O(messages + rows) for the sort.
    ///
    /// # Panics
    /// If `own` and `effects` are not of one world: if they were exchanged with those of another one.
    pub fn for_messages<M: ReceivedBy<N, D>>(
        &mut self,
        mut f: impl FnMut(N::Entry<'_>, Messages<'_, M>, &mut Effects<'w, D, N>),
    ) {
        const { assert_not_sequential::<D, N>("for_messages") };
        const { assert_reads_event::<D, N>(M::INDEX) };
        let Self { own, effects, .. } = self;
        let core = effects.core;
        assert!(
            core::ptr::eq(own.storage, &raw const core.storage),
            "`for_messages` was called for the entities of another world: exchange them back"
        );
        let Some(mail) = core.contributions.index_of(N::INDEX, M::INDEX) else { return };
        // SAFETY: `Contributions::deliver` alone writes the mail, before the subtasks of the system run. This is a subtask
        // of it, which lasts for `'w`.
        let mail = unsafe { mail.get::<Mail<M>>() };
        if mail.is_empty() {
            return;
        }
        let queue = M::messages(&core.resources);
        own.for_placed(|place, entry| {
            let messages = Messages::of(mail, place.row() as usize, queue);
            if messages.len() > 0 {
                f(entry, messages, effects);
            }
        });
    }
}

/// The messages of the type `M` to one entity, in the order in which they were sent.
///
/// ```
/// use ecs_core::Messages;
///
/// struct Hit { damage: u32 }
///
/// /// The worst of them.
/// fn worst(hits: Messages<'_, Hit>) -> u32 {
///     hits.map(|hit| hit.damage).max().unwrap_or(0)
/// }
/// # let _ = worst;
/// ```
#[derive(Debug)]
pub struct Messages<'a, M> {
    found: Found<'a, M>,
}

/// What [`Mail`] has of messages.
#[derive(Debug)]
enum Found<'a, M> {
    Copies(slice::Iter<'a, M>),
    Places(slice::Iter<'a, EventPlace>, &'a EventQueue<Addressed<M>>),
}

impl<'a, M> Messages<'a, M> {
    /// The messages to the entity in a row.
    #[inline]
    fn of(mail: &'a Mail<M>, row: usize, queue: &'a EventQueue<Addressed<M>>) -> Self {
        let found = match mail {
            Mail::Copies(mail) => Found::Copies(mail.of(row)[0].iter()),
            Mail::Places(mail) => {
                let [places, later] = mail.of(row);
                // Messages of one entity lie anywhere in the queue.
                for &place in later {
                    queue.at(place).inspect(|&message| prefetch(message));
                }
                Found::Places(places.iter(), queue)
            }
        };
        Self { found }
    }
}

impl<M> Clone for Messages<'_, M> {
    fn clone(&self) -> Self {
        let found = match &self.found {
            Found::Copies(copies) => Found::Copies(copies.clone()),
            Found::Places(places, queue) => Found::Places(places.clone(), queue),
        };
        Self { found }
    }
}

/// The message at a place, which a queue has.
#[inline]
fn at<M>(queue: &EventQueue<Addressed<M>>, place: EventPlace) -> Option<&M> {
    Some(&queue.at(place)?.message)
}

impl<'a, M> Iterator for Messages<'a, M> {
    type Item = &'a M;

    #[inline]
    fn next(&mut self) -> Option<&'a M> {
        match &mut self.found {
            Found::Copies(copies) => copies.next(),
            Found::Places(places, queue) => at(queue, *places.next()?),
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.found {
            Found::Copies(copies) => copies.size_hint(),
            Found::Places(places, _) => places.size_hint(),
        }
    }

    #[inline]
    fn fold<B, F: FnMut(B, &'a M) -> B>(self, init: B, f: F) -> B {
        match self.found {
            Found::Copies(copies) => copies.fold(init, f),
            Found::Places(places, queue) => {
                places.filter_map(|place| at(queue, *place)).fold(init, f)
            }
        }
    }
}

impl<M> ExactSizeIterator for Messages<'_, M> {}

impl<M> FusedIterator for Messages<'_, M> {}

impl<D: Declaration> Defer<'_, D> {
    /// Sends the message to the entity: as [`emit`](Self::emit), with a receiver. Amortized O(1).
    pub fn send<M: ThreadSafe>(&mut self, to: Entity, message: M)
    where
        D: HasEvent<Addressed<M>>,
    {
        self.emit(Addressed { to, message });
    }
}
