//! *Deferred functions*: a queue of closures of any size in one buffer (thesis, 11.1.1 and 13.2).

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use crate::proxy::Defer;
use crate::scheduler::PanicSlot;
use crate::signature::Declaration;

/// Functions that a subtask has put off until the refresh, in the order of the calls.
///
/// Each function is moved into the buffer behind a header that knows how to run or drop it. So
/// deferring allocates nothing in steady state, and running costs one indirect call.
///
/// Invariant: from `next` to the end, `words` is a sequence of records: a [`Header`], then
/// `header.words` words that hold a value which `header.take` was made for.
pub(crate) struct DeferredQueue<D> {
    words: Vec<MaybeUninit<Word>>,
    next: usize,
    declaration: PhantomData<fn(D)>,
}

/// The unit of the buffer; its alignment is the largest that is stored without a box.
type Word = u128;

/// A deferred function's entry in the queue.
struct Header<D: Declaration> {
    /// Moves the function out of the record; runs it if there is a proxy, else drops it.
    take: unsafe fn(*mut u8, Option<&mut Defer<'_, D>>),
    words: usize,
}

const _: () = assert!(size_of::<Header<crate::system::Nothing>>() <= size_of::<Word>());

impl<D: Declaration> DeferredQueue<D> {
    pub(crate) const fn new() -> Self {
        Self { words: Vec::new(), next: 0, declaration: PhantomData }
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
        /// A live `F` must lie at `record`; it is moved out.
        unsafe fn take<D: Declaration, F: FnOnce(&mut Defer<'_, D>)>(
            record: *mut u8,
            defer: Option<&mut Defer<'_, D>>,
        ) {
            // SAFETY: the caller vouches for the value, and does not use it again.
            let f = unsafe { record.cast::<F>().read() };
            if let Some(defer) = defer {
                f(defer);
            }
        }

        let words = size_of::<F>().div_ceil(size_of::<Word>());
        self.words.reserve(words + 1);
        let end = self.words.len();
        let record = self.words.as_mut_ptr().wrapping_add(end);
        let header: Header<D> = Header { take: take::<D, F>, words };
        // SAFETY: `words + 1` words are reserved behind `end`; a header fits into one and needs no
        // more than its alignment.
        unsafe { record.cast::<Header<D>>().write(header) };
        // SAFETY: the `words` words behind the header are reserved, too, and large and aligned
        // enough for an `F`, which `push` has made sure of.
        unsafe { record.wrapping_add(1).cast::<F>().write(f) };
        // SAFETY: the capacity is there, and `MaybeUninit` words need no initialisation.
        unsafe { self.words.set_len(end + 1 + words) };
    }

    /// Runs every function, in order, and empties the queue.
    ///
    /// # Panics
    /// With a function's own panic; those behind it stay.
    pub(crate) fn run(&mut self, defer: &mut Defer<'_, D>) {
        while self.take_next(Some(defer)) {}
    }

    /// Drops every function, in order; what panics as it is dropped goes into `panics`.
    pub(crate) fn discard(&mut self, panics: &PanicSlot, system: usize, subtask: usize) {
        // A panic takes one function with it, so this comes to an end.
        while panics.catch(system, Some(subtask), || while self.take_next(None) {}).is_none() {}
    }

    /// Runs or drops the first function; whether there was one.
    #[inline]
    fn take_next(&mut self, defer: Option<&mut Defer<'_, D>>) -> bool {
        if self.next == self.words.len() {
            self.words.clear();
            self.next = 0;
            return false;
        }
        let record = self.words.as_mut_ptr().wrapping_add(self.next);
        // SAFETY: a record starts at `next`, with its header.
        let header = unsafe { record.cast::<Header<D>>().read() };
        // Before the call: should it panic, the record counts as taken.
        self.next += 1 + header.words;
        // SAFETY: the record holds a live value of the type that `take` was made for; `next` has
        // moved on, so it is used once only.
        unsafe { (header.take)(record.wrapping_add(1).cast(), defer) };
        true
    }
}

impl<D> core::fmt::Debug for DeferredQueue<D> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("DeferredQueue").field("words", &(self.words.len() - self.next)).finish()
    }
}
