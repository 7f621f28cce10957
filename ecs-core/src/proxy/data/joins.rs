//! The systems that implement queries: one without an index does nothing, one with an index builds it.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::output::Output;
use crate::parallel::{ForkJoin, Workers};
use crate::proxy::query::joins::{Form, HasIndex, KeysOf, Records, Table, TableOf};
use crate::signature::{Data, Declaration, Executor, System, SystemName};
use crate::state::opaque_debug;
use crate::types::Sealed;

/// A query without an index: a system that is subscribed to its members and never executed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unindexed;

#[diagnostic::do_not_recommend]
impl<D: Declaration, N: SystemName<D, System = Self>> System<D, N> for Unindexed {
    fn process(&self, _: &mut Data<'_, D, N>) {}
}

/// A query with the index `I`: a system that builds the index of its members.
pub struct Indexed<I: Form> {
    index: I,
    table: TableOf<I::Key>,
    /// The execution for which the table was built.
    made: Option<u64>,
}

impl<I: Form> Indexed<I> {
    /// A query that has this index.
    #[must_use]
    pub const fn of(index: I) -> Self {
        Self { index, table: TableOf::<I::Key>::EMPTY, made: None }
    }
}

impl<I: Form + Default> Default for Indexed<I> {
    fn default() -> Self {
        Self::of(I::default())
    }
}

opaque_debug! { [I: Form] Indexed<I> }

impl<I: Form> HasIndex for Indexed<I> {
    type Key = I::Key;
    type Index = I;

    #[expect(private_interfaces, reason = "sealed: only this crate can call it")]
    fn made(&self, _: Sealed) -> (&I, &TableOf<I::Key>, Option<u64>) {
        (&self.index, &self.table, self.made)
    }
}

/// The keys of the members of one subtask, and their rows.
pub struct Keyed<I: Form>(Records<I::Key>);

impl<I: Form> Default for Keyed<I> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

opaque_debug! { [I: Form] Keyed<I>: |this| len = this.0.len() }

impl<I: Form> Output for Keyed<I> {
    const CONCATENATES: bool = true;

    fn reset(&mut self) {
        self.0.clear();
    }
}

#[diagnostic::do_not_recommend]
impl<D, N, I> System<D, N> for Indexed<I>
where
    D: Declaration,
    I: KeysOf<D, N>,
    N: SystemName<D, System = Self, Output = Keyed<I>>,
{
    fn process(&self, data: &mut Data<'_, D, N>) {
        collect(&self.index, data);
    }

    fn execute(&mut self, executor: &mut Executor<'_, D, N>) {
        let Self { index, table, made } = self;
        let share = Share::of(&executor.any.core.indexed, executor.entity_count());
        // An override may have run the subtasks in this execution before, or written outputs.
        let earlier = executor.outputs().each().count();
        executor.for_subtasks(|data| collect(index, data));
        let records = executor.outputs().each().skip(earlier);
        let records = records.map(|Keyed(records)| records.as_slice());
        // A panic of a key's hash leaves the table in part.
        *made = None;
        let (core, workers) = (executor.any.core, executor.any.workers);
        let alone = Workers::alone(workers.threads());
        let workers = if share.is_of_one(workers.concurrency()) { &alone } else { workers };
        // SAFETY: the records are those that the subtasks above have collected: outputs are empty when a subtask begins, and only
        // `collect` has reached these.
        unsafe { index.make(table, core, workers, &records) };
        *made = Some(core.executions());
    }
}

/// The members of a query whose index is being made.
struct Share<'c> {
    members: usize,
    /// The members of all queries whose indices are being made now.
    all: &'c AtomicUsize,
}

impl<'c> Share<'c> {
    fn of(all: &'c AtomicUsize, members: usize) -> Self {
        // Relaxed: the number only decides how a table is made, not what is in it.
        all.fetch_add(members, Relaxed);
        Self { members, all }
    }

    /// Whether these are at most a quarter more members than each thread has of all. Then one thread makes the table: all threads
    /// together take more work for it, and the others have tables to make.
    fn is_of_one(&self, threads: usize) -> bool {
        let all = self.all.load(Relaxed);
        self.members.saturating_mul(threads) <= all.saturating_add(all / 4)
    }
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        self.all.fetch_sub(self.members, Relaxed);
    }
}

/// Outputs the key and the row of each member of a subtask.
fn collect<D, N, I>(index: &I, data: &mut Data<'_, D, N>)
where
    D: Declaration,
    I: KeysOf<D, N>,
    N: SystemName<D, Output = Keyed<I>>,
{
    let (own, effects) = (&mut data.own, &mut data.effects);
    let Keyed(records) = effects.output();
    index.collect(own, records, Sealed(()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_made_by_one_thread_if_the_others_have_as_much_to_make() {
        let all = AtomicUsize::new(0);
        let large = Share::of(&all, 60);
        assert!(large.is_of_one(1) && !large.is_of_one(2), "it is the only one");
        {
            let small = Share::of(&all, 40);
            assert!(small.is_of_one(2) && large.is_of_one(2));
            assert!(
                !small.is_of_one(4) && !large.is_of_one(4),
                "two of four threads would do nothing"
            );
        }
        let tiny = Share::of(&all, 1);
        assert!(tiny.is_of_one(2) && !large.is_of_one(2));
        drop((large, tiny));
        assert_eq!(all.into_inner(), 0);
    }
}
