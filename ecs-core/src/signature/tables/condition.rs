//! Run conditions: `run_if` of a system, a function of resources.
//!
//! All conditions of a phase are evaluated at its start, one after the other, before any of its systems runs
//! (`state/conditions.rs`). So a condition needs no order with the systems that write what it reads, and conflicts with none.

use core::cell::Cell;
use core::fmt;
use core::marker::PhantomData;
use core::ptr::NonNull;

use ecs_rules::conflict;

use crate::rows::bits;
use crate::signature::check::ancestors::ancestors_with_streams;
use crate::signature::check::message::Message;
use crate::signature::check::residual::HasPhases;
use crate::signature::{
    Declaration, HasResource, Phases, SystemName, SystemSignature, SystemVisitor, Tables,
};
use crate::types::{Brand, Erased};

/// The resources of a world while a condition is evaluated.
#[derive(Debug)]
pub struct ResourceValues<'a>(&'a [Option<Erased>]);

impl<'a> ResourceValues<'a> {
    /// The values are borrowed exclusively, so nothing writes them meanwhile.
    pub(crate) fn new(values: &'a mut [Option<Erased>]) -> Self {
        Self(values)
    }

    /// The value at the index.
    ///
    /// # Panics
    /// If there is none, or not of this type.
    #[inline]
    fn get<R: 'static>(&self, index: usize) -> &R {
        let Some(value) = &self.0[index] else { unreachable!("every resource has a value") };
        // SAFETY: `new` has borrowed the values exclusively, and hands out shared references only.
        unsafe { value.get() }
    }
}

/// A function of shared references to resources of the declaration `D`, which returns whether a system runs. `A` is a tuple of
/// the resources.
///
/// Functions and closures implement it that take one to eight resources and capture nothing.
pub trait Test<D: Declaration, A>: Copy + Send + Sync + 'static {
    /// The indices of the resources.
    const READS: &'static [usize];

    /// Calls the function.
    #[doc(hidden)]
    fn test(&self, resources: &ResourceValues<'_>) -> bool;
}

/// A [`Test`] that is the condition of the system `N`, which messages name.
#[diagnostic::on_unimplemented(
    message = "[ECS0130] the condition of the system `{N}` is no function of resources of the world `{D}`",
    label = "not a function of resources",
    note = "write a closure or the path of a function that takes a shared reference to each resource, and returns a `bool`: `|mode: &Mode| …` or `fn(&Mode) -> bool`"
)]
pub trait TestOf<N, D: Declaration, A>: Test<D, A> {}

#[diagnostic::do_not_recommend]
impl<N, D: Declaration, A, T: Test<D, A>> TestOf<N, D, A> for T {}

macro_rules! test {
    ($($R:ident)+) => {
        impl<D, T, $($R: 'static),+> Test<D, ($($R,)+)> for T
        where
            D: Declaration $(+ HasResource<$R>)+,
            T: Fn($(&$R),+) -> bool + Copy + Send + Sync + 'static,
        {
            const READS: &'static [usize] = &[$(<D as HasResource<$R>>::INDEX),+];

            #[inline]
            fn test(&self, resources: &ResourceValues<'_>) -> bool {
                self($(resources.get::<$R>(<D as HasResource<$R>>::INDEX)),+)
            }
        }
    };
}

test! { A }
test! { A B }
test! { A B C }
test! { A B C E }
test! { A B C E F }
test! { A B C E F G }
test! { A B C E F G H }
test! { A B C E F G H I }

/// The condition of a system: what `run_if` says in a declaration.
///
/// It belongs to [`SystemName::CONDITION`](crate::SystemName::CONDITION).
pub struct Condition<D: Declaration> {
    reads: &'static [usize],
    evaluate: Evaluate,
    declaration: Brand<D>,
}

/// Evaluates a condition.
pub(crate) type Evaluate = fn(&ResourceValues<'_>) -> bool;

impl<D: Declaration> Condition<D> {
    /// The condition of the system `N` that this function is. It must capture nothing.
    ///
    /// # Panics
    /// In `const` evaluation, that is, as a compile error: with ECS0130 if it has a size, as a pointer to a function has.
    #[must_use]
    pub const fn of<N, A, T: TestOf<N, D, A>>(_test: T) -> Self {
        const {
            assert!(
                size_of::<T>() == 0,
                "[ECS0130] a condition is a function or a closure that captures nothing, and no pointer to a function"
            );
        };
        Self { reads: T::READS, evaluate: evaluate::<D, A, T>, declaration: PhantomData }
    }

    /// The resources that it reads, by index.
    pub(crate) const fn reads(&self) -> &'static [usize] {
        self.reads
    }

    /// Its function.
    pub(crate) const fn function(&self) -> Evaluate {
        self.evaluate
    }
}

impl<D: Declaration> Clone for Condition<D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: Declaration> Copy for Condition<D> {}

impl<D: Declaration> fmt::Debug for Condition<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Condition").field("reads", &self.reads).finish_non_exhaustive()
    }
}

/// Asks the systems of one word whether their conditions hold: of systems `64 * word` to `64 * word + 63`.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    resources: &'a ResourceValues<'a>,
    word: usize,
    /// A bit for each system that is asked.
    systems: u64,
    /// Those whose condition holds.
    hold: u64,
    /// The system whose condition has panicked.
    panicked: &'a Cell<usize>,
}

impl<'a> Asked<'a> {
    pub(crate) fn new(
        resources: &'a ResourceValues<'a>,
        (word, systems): (usize, u64),
        panicked: &'a Cell<usize>,
    ) -> Self {
        Self { resources, word, systems, hold: 0, panicked }
    }

    /// Which word it is.
    #[must_use]
    pub const fn word(self) -> usize {
        self.word
    }

    /// Those of the systems so far that are asked and whose condition holds.
    #[must_use]
    pub const fn hold(self) -> u64 {
        self.hold
    }

    /// Asks the system `N`, if it is one of those.
    #[must_use]
    #[inline(always)]
    pub fn of<D: Declaration, N: SystemName<D>>(mut self) -> Self {
        let function = const {
            match &N::CONDITION {
                Some(condition) => Some(condition.function()),
                None => None,
            }
        };
        let (word, bit) = const { (N::INDEX / 64, 1 << (N::INDEX % 64)) };
        if self.word != word || self.systems & bit == 0 {
            return self;
        }
        // A note before the call would be a write between any two conditions, so that they share no read.
        let note = OnPanic { panicked: self.panicked, system: const { N::INDEX } };
        let holds = function.is_none_or(|function| function(self.resources));
        core::mem::forget(note);
        self.hold |= if holds { bit } else { 0 };
        self
    }

    /// Asks all systems of the word.
    pub(crate) fn by_index<D: Declaration>(mut self) -> u64 {
        for bit in bits(self.systems) {
            self = D::dispatch(64 * self.word + bit, self);
        }
        self.hold
    }
}

impl<D: Declaration> SystemVisitor<D> for Asked<'_> {
    type Output = Self;

    fn visit<N: SystemName<D>>(self) -> Self {
        self.of::<D, N>()
    }
}

/// Notes on unwinding which system's condition has panicked.
struct OnPanic<'a> {
    panicked: &'a Cell<usize>,
    system: usize,
}

impl Drop for OnPanic<'_> {
    #[cold]
    fn drop(&mut self) {
        self.panicked.set(self.system);
    }
}

/// Calls a function that [`Condition::of`] has been given.
#[inline]
fn evaluate<D: Declaration, A, T: Test<D, A>>(resources: &ResourceValues<'_>) -> bool {
    // SAFETY: `Condition::of` has been given a `T`, and has asserted that it has no size. A `T` is `Copy`, so this is a
    // copy of that value: a read of no bytes, for which a dangling pointer is valid. It is `Send`, so the copy may be on any
    // thread, and without lifetimes.
    let test = unsafe { NonNull::<T>::dangling().read() };
    test.test(resources)
}

/// Whether a system has a condition.
pub(crate) const fn any(systems: &[SystemSignature]) -> bool {
    for_each!(s < systems.len(), {
        if !systems[s].declared.run_if.is_empty() {
            return true;
        }
    });
    false
}

/// Fails to evaluate if the condition of the system at `index` reads what an earlier system of the same phase writes. Part of
/// [`check`](crate::signature::check()); `world!` evaluates it at the condition's own token.
///
/// # Panics
/// Then, with ECS0131.
pub const fn check_condition<D: Declaration>(index: usize) {
    condition(Tables::of::<D>(), D::PHASES, index);
}

/// The same for all systems.
pub(crate) const fn check(tables: Tables<'_>) {
    if !any(tables.systems) {
        return;
    }
    let phases = Phases::of_tables(tables);
    for_each!(s < tables.systems.len(), {
        condition(tables, &phases, s);
    });
}

const fn condition(tables: Tables<'_>, phases: &Phases, index: usize) {
    let conditional = &tables.systems[index].declared;
    if conditional.run_if.is_empty() {
        return;
    }
    let mut ancestors = None;
    for_each!(s < tables.systems.len(), {
        let writer = &tables.systems[s].declared;
        if let Some(resource) = conflict::over_condition(writer, conditional)
            && phases.phase(s) == phases.phase(index)
        {
            // There are rarely any.
            if ancestors.is_none() {
                ancestors = Some(ancestors_with_streams(tables.systems));
            }
            if let Some(ancestors) = &ancestors
                && ancestors[index].contains(s)
            {
                stale(tables, index, s, resource);
            }
        }
    });
}

const fn stale(tables: Tables<'_>, conditional: usize, writer: usize, resource: usize) -> ! {
    let (conditional, writer) = (tables.systems[conditional].name, tables.systems[writer].name);
    let resource = tables.resources[resource].name();
    Message::new()
        .text("[ECS0131] the condition of the system `")
        .text(conditional)
        .text("` reads the resource `")
        .text(resource)
        .text("`, which `")
        .text(writer)
        .text("` writes before it in the same phase, and would not see that: conditions are evaluated when the phase begins\nhelp: declare `sequential` in `system ")
        .text(writer)
        .text("`, so that `")
        .text(conditional)
        .text("` is in a later phase\nhelp: or ask in the code of `")
        .text(conditional)
        .text("`: `read_resources: [")
        .text(resource)
        .text("]` in place of `run_if`")
        .raise();
}
