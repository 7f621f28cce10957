//! *Deferred functions*: a queue of closures of any size in one buffer (thesis, 11.1.1 and 13.2).

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use crate::parallel::{PanicSlot, drop_all};
use crate::signature::Declaration;
use crate::state::Defer;
use crate::types::{Brand, prefetch};

/// The functions that a subtask has deferred to the refresh, in the order of the calls.
///
/// Functions are moved into one buffer. One word precedes each: the address of the code that runs or drops it.
/// So deferring allocates nothing in steady state. The cost of a queue is memory traffic, because a long
/// one does not fit into a cache near the core. Hence words are small, there is only one of them per function,
/// and [`prefetch_page`] exists.
///
/// Invariant: from the word `next` to the word `end`, `blocks` holds consecutive records. A
/// record of an `F` that starts at the word `at` is a [`Take`] that was made for `F`, then, from
/// [`first_word`] on, a live `F` of [`words_of`] words.
pub(crate) struct DeferredQueue<D: Declaration> {
    /// Its length is its capacity.
    blocks: Vec<MaybeUninit<Block>>,
    next: usize,
    end: usize,
    declaration: Brand<D>,
}

/// The unit of the buffer.
type Word = u64;

/// The element type of the buffer. Its alignment is the largest that a function can have without a box.
type Block = u128;

const BLOCK_WORDS: usize = size_of::<Block>() / size_of::<Word>();

/// Moves the function out of the record that starts at the word `at` of the buffer; runs it if there
/// is a proxy, else drops it. Returns the end of the record, and stores it in `next` before the
/// call, so that a function that panics counts as taken. (The loop uses the returned value, because it
/// would have to wait for the stored one.)
///
/// It is only called, never compared: two types may share one address, and one type may have several.
type Take<D> = unsafe fn(*mut Word, usize, &mut usize, Option<&mut Defer<'_, D>>) -> usize;

impl<D: Declaration> DeferredQueue<D> {
    pub(crate) const fn new() -> Self {
        Self { blocks: Vec::new(), next: 0, end: 0, declaration: PhantomData }
    }

    /// Whether the queue has no functions.
    pub(crate) fn is_empty(&self) -> bool {
        self.next == self.end
    }

    /// Appends a function. Amortized O(size of the closure).
    #[inline]
    pub(crate) fn push<F>(&mut self, f: F)
    where
        F: FnOnce(&mut Defer<'_, D>) + Send + 'static,
    {
        if align_of::<F>() <= align_of::<Block>() {
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
        /// At the word `at` of `words`, which is aligned as a block, must start a record of an `F`;
        /// the function is moved out.
        unsafe fn take<D: Declaration, F: FnOnce(&mut Defer<'_, D>)>(
            words: *mut Word,
            at: usize,
            next: &mut usize,
            defer: Option<&mut Defer<'_, D>>,
        ) -> usize {
            prefetch_page(words.wrapping_add(at));
            let first = first_word::<F>(at);
            let end = first + words_of::<F>();
            *next = end;
            // SAFETY: the caller guarantees a live `F` there. Nothing reads what lies before `next`
            // again, so this is its only use.
            let f = unsafe { words.wrapping_add(first).cast::<F>().read() };
            if let Some(defer) = defer {
                f(defer);
            }
            end
        }

        const {
            assert!(size_of::<Take<D>>() <= size_of::<Word>());
            assert!(align_of::<Take<D>>() <= align_of::<Word>());
        }
        let at = self.end;
        let first = first_word::<F>(at);
        let end = first + words_of::<F>();
        if end > self.blocks.len() * BLOCK_WORDS {
            self.grow(end);
        }
        let words = self.blocks.as_mut_ptr().cast::<Word>();
        prefetch_page(words.wrapping_add(at));
        // SAFETY: the buffer is at least `end` words long. A word is large and aligned enough for a
        // pointer. Nothing live lies behind the former end.
        unsafe { words.wrapping_add(at).cast::<Take<D>>().write(take::<D, F>) };
        // SAFETY: up to `end` there is room for an `F`. The buffer is aligned as a block, which is
        // enough for an `F`, as `push` has ensured, and `first` is a multiple of its alignment.
        unsafe { words.wrapping_add(first).cast::<F>().write(f) };
        self.end = end;
    }

    /// Makes the buffer at least `words` words long.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, words: usize) {
        self.blocks.reserve(words.div_ceil(BLOCK_WORDS) - self.blocks.len());
        // SAFETY: the new length is the capacity, and `MaybeUninit` blocks need no initialisation.
        unsafe { self.blocks.set_len(self.blocks.capacity()) };
    }

    /// Runs every function, in order, and empties the queue.
    ///
    /// # Panics
    /// With a function's own panic; the functions after it stay in the queue.
    pub(crate) fn run(&mut self, defer: &mut Defer<'_, D>) {
        self.take_all(Some(defer));
    }

    /// Drops every function, in order; the panic of a drop goes into `panics`.
    pub(crate) fn discard(&mut self, panics: &PanicSlot, system: usize, subtask: usize) {
        // A panic removes one function from the queue, so the loop ends.
        while panics.catch(system, Some(subtask), || self.take_all(None)).is_none() {}
    }

    /// Runs or drops the functions in the queue.
    fn take_all(&mut self, mut defer: Option<&mut Defer<'_, D>>) {
        let words = self.blocks.as_mut_ptr().cast::<Word>();
        let mut at = self.next;
        while at < self.end {
            // SAFETY: `at` is `next`, where a record starts; a record starts with its `Take`.
            let take = unsafe { words.wrapping_add(at).cast::<Take<D>>().read() };
            // SAFETY: the `Take` was made for the type of its record.
            at = unsafe { take(words, at, &mut self.next, defer.as_deref_mut()) };
        }
        self.next = 0;
        self.end = 0;
    }
}

/// The word at which the function of a record starts, if the record starts at the word `at`: after the [`Take`], at
/// the next multiple of the function's alignment.
const fn first_word<F>(at: usize) -> usize {
    (at + 1).next_multiple_of(align_of::<F>().div_ceil(size_of::<Word>()))
}

/// The number of words that a value of `F` takes in the buffer.
const fn words_of<F>() -> usize {
    size_of::<F>().div_ceil(size_of::<Word>())
}

/// Prefetches the memory that the queue reaches next. The processor prefetches by itself, but only up to
/// the end of a page.
#[inline]
fn prefetch_page(place: *mut Word) {
    /// A page, which is about 100 functions. Half of it is too short, twice of it gains nothing.
    const PREFETCH_DISTANCE: usize = 4096 / size_of::<Word>();
    prefetch(place.wrapping_add(PREFETCH_DISTANCE));
}

/// Drops the remaining functions. After a step there are none.
impl<D: Declaration> Drop for DeferredQueue<D> {
    fn drop(&mut self) {
        if !self.is_empty() {
            drop_all(|panics| self.discard(panics, 0, 0));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::scheduling::settings::{Config, Disallow, Dynamic, Sequential};
    use crate::signature::tables::declaration::no_such_system;
    use crate::signature::{
        ComponentSignature, ResourceSignature, ResourceSink, SystemSignature, SystemVisitor,
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

    /// Logs its number when it is dropped; then panics, if `panics` says so.
    struct Dropped<T> {
        log: Arc<Mutex<Vec<usize>>>,
        number: usize,
        panics: bool,
        beside: T,
    }

    impl<T> Drop for Dropped<T> {
        fn drop(&mut self) {
            assert!((&raw const self.beside).addr().is_multiple_of(align_of::<T>()));
            self.log.lock().unwrap().push(self.number);
            assert!(!self.panics, "as it is dropped");
        }
    }

    #[test]
    fn functions_of_all_sizes_and_alignments_are_dropped_in_order() {
        const FUNCTIONS: usize = 1_000;
        #[derive(Clone, Copy)]
        #[repr(align(32))]
        struct Wide;

        let log = Arc::new(Mutex::new(Vec::new()));
        let mut queue = DeferredQueue::<Nothing>::new();
        for _ in 0..2 {
            for number in 0..FUNCTIONS {
                fn push<T: Send + 'static>(
                    queue: &mut DeferredQueue<Nothing>,
                    (log, number): (&Arc<Mutex<Vec<usize>>>, usize),
                    beside: T,
                ) {
                    let panics = number % 100 == 0;
                    let dropped = Dropped { log: log.clone(), number, panics, beside };
                    queue.push(move |_| drop(dropped));
                    queue.push(|_| ());
                }
                let to = (&log, number);
                match number * number % 7 {
                    0 => push(&mut queue, to, ()),
                    1 => push(&mut queue, to, 1_u128),
                    2 => push(&mut queue, to, Wide),
                    _ => push(&mut queue, to, [1_u8; 13]),
                }
            }
            assert!(!queue.is_empty());
            let panics = PanicSlot::new();
            queue.discard(&panics, 0, 0);
            assert!(queue.is_empty() && !panics.is_empty());
            assert!(log.lock().unwrap().drain(..).eq(0..FUNCTIONS));
        }
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
