//! *Deferred functions*: a queue of closures of any size in one buffer (thesis, 11.1.1 and 13.2).

use core::any::TypeId;
use core::marker::PhantomData;
use core::mem::MaybeUninit;

use crate::proxy::Defer;
use crate::scheduler::PanicSlot;
use crate::signature::Declaration;

/// Functions that a subtask has put off until the refresh, in the order of the calls.
///
/// Functions are moved into one buffer. Consecutive ones of one type are a *run*, behind a header
/// that knows how to run or drop them. So deferring allocates nothing in steady state, and running
/// costs one indirect call per run.
///
/// Invariant: from `next` to the end, `words` is a sequence of runs: a [`Header`], then
/// `header.count` records of `header.words` words, each with a live value of the type that
/// `header.take` was made for; but of the run at `next`, `taken` are taken.
pub(crate) struct DeferredQueue<D: Declaration> {
    words: Vec<MaybeUninit<Word>>,
    /// Where the last run starts, and the type of its functions; meaningless if there is none.
    last: usize,
    last_of: Option<TypeId>,
    next: usize,
    taken: usize,
    declaration: PhantomData<fn(D)>,
}

/// The unit of the buffer; its alignment is the largest that is stored without a box.
type Word = u128;

/// What precedes a run of functions: one word, since where types alternate every function has one.
///
/// The functions' type is not in here, as it is only asked for of the last run. (`take` does not tell:
/// two types of different sizes may share one, if it looks at neither.)
struct Header<D: Declaration> {
    take: Take<D>,
    /// Words of one function.
    words: u32,
    count: u32,
}

/// Moves functions out of a run of so many, from the given number on; runs them if there is a proxy,
/// else drops them. The number counts up before each call.
type Take<D> = unsafe fn(*mut Word, usize, &mut usize, Option<&mut Defer<'_, D>>);

/// How many words a header takes.
const fn header_words<D: Declaration>() -> usize {
    assert!(align_of::<Header<D>>() <= align_of::<Word>());
    words_of::<Header<D>>()
}

impl<D: Declaration> DeferredQueue<D> {
    pub(crate) const fn new() -> Self {
        Self {
            words: Vec::new(),
            last: 0,
            last_of: None,
            next: 0,
            taken: 0,
            declaration: PhantomData,
        }
    }

    /// Whether no function waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.next == self.words.len()
    }

    /// Appends a function. Amortized O(size of the closure).
    #[inline]
    pub(crate) fn push<F>(&mut self, f: F)
    where
        F: FnOnce(&mut Defer<'_, D>) + Send + 'static,
    {
        if align_of::<F>() <= align_of::<Word>() {
            self.push_aligned(f);
        } else {
            let f = Box::new(f);
            self.push_aligned(move |defer: &mut Defer<'_, D>| f(defer));
        }
    }

    #[inline]
    fn push_aligned<F>(&mut self, f: F)
    where
        F: FnOnce(&mut Defer<'_, D>) + Send + 'static,
    {
        /// # Safety
        /// From `records` on must lie `count` records of `F`, with a live value in each from the
        /// `taken`-th on; these are moved out.
        unsafe fn take<D: Declaration, F: FnOnce(&mut Defer<'_, D>)>(
            records: *mut Word,
            count: usize,
            taken: &mut usize,
            mut defer: Option<&mut Defer<'_, D>>,
        ) {
            while *taken < count {
                let record = records.wrapping_add(*taken * words_of::<F>());
                // Before the call: should it panic, the function counts as taken.
                *taken += 1;
                // SAFETY: the caller vouches for the value; it counts as taken, so this is its
                // only use.
                let f = unsafe { record.cast::<F>().read() };
                if let Some(defer) = defer.as_deref_mut() {
                    f(defer);
                }
            }
        }

        const {
            assert!(words_of::<F>() <= u32::MAX as usize, "a deferred function larger than 64 GiB");
        }
        let words = words_of::<F>();
        self.words.reserve(header_words::<D>() + words);
        if !self.extend_run::<F>() {
            self.last = self.words.len();
            self.last_of = Some(TypeId::of::<F>());
            let header: Header<D> = Header { take: take::<D, F>, words: words as u32, count: 1 };
            let place = self.words.as_mut_ptr().wrapping_add(self.last);
            // SAFETY: the words of a header are reserved behind the end, and it needs no more than
            // their alignment.
            unsafe { place.cast::<Header<D>>().write(header) };
            // SAFETY: the capacity is there, and `MaybeUninit` words need no initialisation.
            unsafe { self.words.set_len(self.last + header_words::<D>()) };
        }
        let end = self.words.len();
        let record = self.words.as_mut_ptr().wrapping_add(end);
        // SAFETY: `words` words are reserved behind the end, large and aligned enough for an `F`,
        // which `push` has made sure of.
        unsafe { record.cast::<F>().write(f) };
        // SAFETY: the capacity is there, and `MaybeUninit` words need no initialisation.
        unsafe { self.words.set_len(end + words) };
    }

    /// Counts one more function to the last run, if that is one of an `F`.
    #[inline]
    fn extend_run<F: 'static>(&mut self) -> bool {
        if self.words.is_empty() || self.last_of != Some(TypeId::of::<F>()) {
            return false;
        }
        let header = self.words.as_mut_ptr().wrapping_add(self.last).cast::<Header<D>>();
        // SAFETY: the queue is not empty, so the last run's header is at `last`.
        let header = unsafe { &mut *header };
        let extends = header.count < u32::MAX;
        header.count += u32::from(extends);
        extends
    }

    /// Runs every function, in order, and empties the queue.
    ///
    /// # Panics
    /// With a function's own panic; those behind it stay.
    pub(crate) fn run(&mut self, defer: &mut Defer<'_, D>) {
        self.take_all(Some(defer));
    }

    /// Drops every function, in order; what panics as it is dropped goes into `panics`.
    pub(crate) fn discard(&mut self, panics: &PanicSlot, system: usize, subtask: usize) {
        // A panic takes one function with it, so this comes to an end.
        while panics.catch(system, Some(subtask), || self.take_all(None)).is_none() {}
    }

    /// Runs or drops what is left.
    fn take_all(&mut self, mut defer: Option<&mut Defer<'_, D>>) {
        while self.next < self.words.len() {
            let run = self.words.as_mut_ptr().wrapping_add(self.next);
            // SAFETY: a run starts at `next`, with its header.
            let Header { take, words, count, .. } = unsafe { run.cast::<Header<D>>().read() };
            let records = run.wrapping_add(header_words::<D>()).cast::<Word>();
            // SAFETY: behind the header are the records of the run, of the type that `take` was
            // made for; the first `taken` are taken, the others live.
            unsafe { take(records, count as usize, &mut self.taken, defer.as_deref_mut()) };
            self.next += header_words::<D>() + words as usize * count as usize;
            self.taken = 0;
        }
        self.words.clear();
        self.next = 0;
    }
}

/// How many words a value of `F` takes in the buffer.
const fn words_of<F>() -> usize {
    size_of::<F>().div_ceil(size_of::<Word>())
}

/// What is left is dropped. Nothing is, once a step is over.
impl<D: Declaration> Drop for DeferredQueue<D> {
    fn drop(&mut self) {
        if !self.is_empty() {
            self.discard(&PanicSlot::new(), 0, 0);
        }
    }
}

impl<D: Declaration> core::fmt::Debug for DeferredQueue<D> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let words = self.words.len() - self.next;
        f.debug_struct("DeferredQueue").field("words", &words).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::settings::{Config, Disallow, Dynamic, Sequential};
    use crate::signature::{
        ComponentSignature, ResourceSignature, ResourceSink, SystemSignature, SystemVisitor,
        no_such_system,
    };

    struct Nothing;

    impl Declaration for Nothing {
        type Settings = Config<Dynamic<0>, Disallow, Sequential>;
        const NAME: &'static str = "Nothing";
        const COMPONENTS: &'static [ComponentSignature] = &[];
        const RESOURCES: &'static [ResourceSignature] = &[];
        const SYSTEMS: &'static [SystemSignature] = &[];

        fn dispatch<V: SystemVisitor<Self>>(index: usize, _: V) -> V::Output {
            no_such_system(index)
        }

        fn resources(_: &mut ResourceSink<'_, Self>) {}
    }

    #[test]
    fn what_is_left_is_dropped_with_the_queue() {
        let (kept, capture) = (Arc::new(()), Arc::new(()));
        let mut queue = DeferredQueue::<Nothing>::new();
        for _ in 0..3 {
            let capture = capture.clone();
            queue.push(move |_| drop(capture));
        }
        let (one, other) = (kept.clone(), capture.clone());
        queue.push(move |_| drop((one, other)));
        assert_eq!((Arc::strong_count(&kept), Arc::strong_count(&capture)), (2, 5));
        drop(queue);
        assert_eq!((Arc::strong_count(&kept), Arc::strong_count(&capture)), (1, 1));
    }
}
