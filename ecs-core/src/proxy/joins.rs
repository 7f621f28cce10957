//! The systems that implement queries: one without an index does nothing, one with an index builds it.

use crate::output::Output;
use crate::proxy::query::joins::{HasIndex, Index, Record, Table, TableOf};
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
pub struct Indexed<I: Index> {
    index: I,
    table: TableOf<I>,
    /// The execution for which the table was built.
    made: Option<u64>,
}

impl<I: Index> Indexed<I> {
    /// A query whose index has the given value: `state: value` in a declaration.
    #[must_use]
    pub const fn of(index: I) -> Self {
        Self { index, table: TableOf::<I>::EMPTY, made: None }
    }
}

impl<I: Index + Default> Default for Indexed<I> {
    fn default() -> Self {
        Self::of(I::default())
    }
}

opaque_debug! { [I: Index] Indexed<I> }

impl<I: Index> HasIndex for Indexed<I> {
    type Index = I;

    #[expect(private_interfaces, reason = "sealed: only this crate can call it")]
    fn made(&self, _: Sealed) -> (&TableOf<I>, Option<u64>) {
        (&self.table, self.made)
    }
}

/// The keys of the members of one subtask, and their rows.
pub struct Keyed<I: Index>(Vec<Record<I::Key>>);

impl<I: Index> Default for Keyed<I> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

opaque_debug! { [I: Index] Keyed<I>: |this| len = this.0.len() }

impl<I: Index> Output for Keyed<I> {
    const CONCATENATES: bool = true;

    fn reset(&mut self) {
        self.0.clear();
    }
}

#[diagnostic::do_not_recommend]
impl<D, N, I> System<D, N> for Indexed<I>
where
    D: Declaration,
    I: Index,
    N: SystemName<D, System = Self, Output = Keyed<I>>,
    for<'a> N: SystemName<D, Entry<'a> = I::Entry<'a>>,
{
    fn process(&self, data: &mut Data<'_, D, N>) {
        collect(&self.index, data);
    }

    fn execute(&mut self, executor: &mut Executor<'_, D, N>) {
        let Self { index, table, made } = self;
        executor.for_subtasks(|data| collect(index, data));
        let records = executor.states.outputs().each().map(|Keyed(records)| records.as_slice());
        // A panic of a key's hash leaves the table in part.
        *made = None;
        table.make(executor.workers, &records);
        *made = Some(executor.core.executions);
    }
}

/// Outputs the key and the row of each member of a subtask.
fn collect<D, N, I>(index: &I, data: &mut Data<'_, D, N>)
where
    D: Declaration,
    I: Index,
    N: SystemName<D, Output = Keyed<I>>,
    for<'a> N: SystemName<D, Entry<'a> = I::Entry<'a>>,
{
    let (own, effects) = (&mut data.own, &mut data.effects);
    let Keyed(records) = effects.output();
    own.for_placed(|place, entry| records.push((index.key(entry), place.row())));
}
