//! The part of a subtask's view other than its entities and resources: inputs, output, and staged effects.

pub(crate) mod accumulate;
pub(crate) mod add;
mod by_name;
pub(crate) mod defer;
mod families;
mod iter;
pub(crate) mod many;
mod many_to_many;
pub(crate) mod opt_in;
pub(crate) mod pending;
mod prefab;
pub(crate) mod relations;
pub(crate) mod states;
pub(crate) mod updates;

use crate::entity::{EffectTarget, Row as _};
use crate::proxy::ReadAny;
use crate::signature::access::{
    Defers, Despawns, Inputs, InsertedBy, ReadsAny, Removes, SliceDependent, SpawnedBy,
};
use crate::signature::{
    Declaration, Effects, HasComponent, Message, SystemName, SystemSignature,
    assert_not_sequential, spawn_order, undeclared,
};
use crate::state::{Defer, Outputs};
use crate::storage::Insertion;
use crate::types::IndexSet;

impl<'w, D: Declaration, N: SystemName<D>> Effects<'w, D, N> {
    /// The component `C` of any entity, to read.
    #[must_use]
    pub fn read_any<C: 'static>(&self) -> ReadAny<'w, D, C>
    where
        D: HasComponent<C>,
        N: ReadsAny<C, D>,
    {
        const { assert_not_sequential::<D, N>("any") };
        const { assert_reads_any::<D, N, C>() };
        ReadAny::new(&self.core.storage)
    }

    /// The outputs of the system `S` in its latest execution, as one, which is the same for every split
    /// (thesis, 11.1).
    #[doc(alias = "for_previous_outputs")]
    pub fn outputs_of<S: SystemName<D>>(&self) -> Outputs<'w, D, S>
    where
        N: Inputs<S, D>,
    {
        const { assert_input::<D, N, S>() };
        self.core.outputs::<S>()
    }

    /// Each output of the system `S` as a whole, in order: one for each subtask of its latest execution.
    ///
    /// It does not compile if the number of outputs would show how `S` was split, that is, if `S` may have
    /// several subtasks with outputs that concatenate, unless this system declares `slice_dependent`.
    /// [`outputs_of`](Self::outputs_of) gives them as one.
    #[doc(alias = "for_previous_outputs")]
    pub fn output_parts_of<S: SystemName<D>>(
        &self,
    ) -> impl Iterator<Item = &'w S::Output> + Clone + use<'w, D, N, S>
    where
        N: Inputs<S, D>,
    {
        const { assert_sees_each::<D, N, S>() };
        self.core.outputs::<S>().each()
    }

    /// The state of the system `S`, which has run before.
    #[must_use]
    pub fn system<S: SystemName<D>>(&self) -> &'w S::System
    where
        N: Inputs<S, D>,
    {
        const { assert_input::<D, N, S>() };
        self.core.system::<S>()
    }

    /// The output of this subtask. It is reset when the subtask starts.
    #[inline]
    pub fn output(&mut self) -> &mut N::Output {
        self.output
    }

    /// Marks the entity for despawning at the refresh. Repeated calls, and calls for entities that are not
    /// alive, have no effect. O(1).
    ///
    /// A system despawns an entity of its own by its [`Place`](crate::Place), which needs neither the handle nor a look-up:
    /// `each: |rocket: Place, fuel: &Fuel, effects| …`.
    #[inline]
    pub fn despawn(&mut self, entity: impl EffectTarget<'w>)
    where
        N: Despawns<D>,
    {
        const { assert_not_sequential::<D, N>("despawn") };
        const { assert_declares::<D, N>(D::SYSTEMS[N::INDEX].declared.despawn, "despawn") };
        match entity.aim() {
            Ok(entity) => {
                let handles = self.core.storage.entities.handles();
                entity.mark_despawned(&mut self.work.staged.to_despawn, handles);
            }
            Err(pending) => self.despawn_pending(pending),
        }
    }

    /// Creates an entity with the components of `bundle` at the refresh.
    ///
    /// If the world's limit is reached by then, the entity is lost, and the step reports it
    /// ([`StepError`](crate::StepError)). Amortized O(size of the bundle).
    #[inline]
    pub fn spawn<B: SpawnedBy<N, D>>(&mut self, bundle: B) {
        const { assert_not_sequential::<D, N>("spawn") };
        let order = const { spawn_order::<D, N, B>() };
        let batch = self.work.staged.batches.spawns::<D, B::Stored>(order);
        let number = batch.count();
        batch.push(bundle.stored());
        self.spawn_children_of::<B>(order, number, 1);
    }

    /// Creates an entity with the components of each bundle at the refresh: as [`spawn`](Self::spawn) for
    /// each, in order. If the iterator panics, so does the system, and everything staged is dropped.
    #[inline]
    pub fn spawn_batch<B: SpawnedBy<N, D>>(&mut self, bundles: impl IntoIterator<Item = B>) {
        const { assert_not_sequential::<D, N>("spawn_batch") };
        let order = const { spawn_order::<D, N, B>() };
        let batch = self.work.staged.batches.spawns::<D, B::Stored>(order);
        let number = batch.count();
        batch.extend(bundles.into_iter().map(B::stored));
        let len = batch.count() - number;
        self.spawn_children_of::<B>(order, number, len);
    }

    /// Inserts the component into the entity at the refresh, replacing the one that it has. If the entity is
    /// not alive, the component is dropped. Amortized O(size of the component); a [`Place`](crate::Place) needs
    /// no look-up in the table of handles.
    #[inline]
    pub fn insert<C: InsertedBy<N, D>>(&mut self, entity: impl EffectTarget<'w>, component: C) {
        const { assert_not_sequential::<D, N>("insert") };
        const { assert_changes::<D, N>(D::SYSTEMS[N::INDEX].declared.insert, C::INDEX, "insert") };
        let rank = const { change_rank::<D, N>(C::INDEX) };
        match entity.aim() {
            Ok(entity) => {
                if let Some(row) = entity.living_row(&self.core.storage.entities) {
                    component.stage(rank, row, &mut self.work.staged.batches);
                }
            }
            Err(pending) => {
                component.stage(rank, 0, &mut self.work.staged.pending.changes(pending));
            }
        }
    }

    /// Removes the component `C` from the entity at the refresh, if it has one by then. Amortized O(1); a
    /// [`Place`](crate::Place) needs no look-up in the table of handles.
    #[inline]
    pub fn remove<C: 'static>(&mut self, entity: impl EffectTarget<'w>)
    where
        D: HasComponent<C>,
        N: Removes<C, D>,
    {
        const { assert_not_sequential::<D, N>("remove") };
        const {
            let index = <D as HasComponent<C>>::INDEX;
            assert_changes::<D, N>(D::SYSTEMS[N::INDEX].declared.remove, index, "remove");
        };
        let rank = const { change_rank::<D, N>(<D as HasComponent<C>>::INDEX) };
        match entity.aim() {
            Ok(entity) => {
                if let Some(row) = entity.living_row(&self.core.storage.entities) {
                    self.work.staged.batches.changes::<D, C, Insertion>(rank).remove(row);
                }
            }
            Err(pending) => self.remove_pending::<C>(rank, pending),
        }
    }

    /// Runs `f` at the refresh: a *deferred function* (thesis, 8.2.3.1), for any critical
    /// operation. Amortized O(size of the closure); allocates nothing in steady state.
    ///
    /// # Panics
    /// A panic of `f` reaches the caller of `World::step` after the refresh. The functions after it are
    /// dropped.
    #[inline]
    pub fn defer<F>(&mut self, f: F)
    where
        F: FnOnce(&mut Defer<'_, D>) + Send + 'static,
        N: Defers<D>,
    {
        const { assert_declares::<D, N>(D::SYSTEMS[N::INDEX].declared.defer, "defer") };
        self.work.staged.deferred.push(f);
    }

    /// The number of this subtask, from 0.
    #[must_use]
    pub fn subtask(&self) -> usize
    where
        N: SliceDependent<D>,
    {
        const { assert_slice_dependent::<D, N>() };
        self.subtask
    }
}

pub(crate) const fn assert_reads_any<D: HasComponent<C>, N: SystemName<D>, C>() {
    let index = <D as HasComponent<C>>::INDEX;
    if !IndexSet::of(D::SYSTEMS[N::INDEX].declared.read_any).contains(index) {
        undeclared::<D, N>("read, of any entity,", D::COMPONENTS[index].name());
    }
}

pub(crate) const fn assert_input<D: Declaration, N: SystemName<D>, S: SystemName<D>>() {
    assert!(S::INDEX < D::SYSTEMS.len(), "[ECS0070] the index of a system is out of range");
    if !IndexSet::of(D::SYSTEMS[N::INDEX].declared.inputs).contains(S::INDEX) {
        undeclared::<D, N>("look at the outputs or the state of", D::SYSTEMS[S::INDEX].name);
    }
}

/// Whole outputs show how `S` was split if it may be split. Outputs that do not concatenate are exempt: such an output
/// is the only one, or `S` has declared that it depends on its slices.
pub(crate) const fn assert_sees_each<D: Declaration, N: SystemName<D>, S: SystemName<D>>() {
    assert_input::<D, N, S>();
    let (reader, source) = (&D::SYSTEMS[N::INDEX], &D::SYSTEMS[S::INDEX]);
    if shows_slices(source) && !reader.declared.slice_dependent {
        Message::new()
            .text("[ECS0054] the system `")
            .text(reader.name)
            .text("` would see how the system `")
            .text(source.name)
            .text("` was split\nhelp: take its outputs as one, as `outputs_of::<")
            .text(source.name)
            .text(">().flatten()` does, or declare `slice_dependent`")
            .raise();
    }
}

/// The same for a deferred function, which has no signature to declare anything in.
pub(crate) const fn assert_whole<D: Declaration, S: SystemName<D>>() {
    assert!(S::INDEX < D::SYSTEMS.len(), "[ECS0070] the index of a system is out of range");
    let source = &D::SYSTEMS[S::INDEX];
    if shows_slices(source) {
        Message::new()
            .text("[ECS0054] a deferred function would see how the system `")
            .text(source.name)
            .text("` was split\nhelp: take its outputs as one, as `outputs_of::<")
            .text(source.name)
            .text(">().flatten()` does")
            .raise();
    }
}

/// Whether the outputs of a system, each as a whole, show how it was split.
const fn shows_slices(source: &SystemSignature) -> bool {
    source.declared.output_concatenates && !source.is_single_subtask()
}

pub(crate) const fn assert_slice_dependent<D: Declaration, N: SystemName<D>>() {
    assert_declares::<D, N>(D::SYSTEMS[N::INDEX].declared.slice_dependent, "slice_dependent");
}

/// Fails to compile without the flag: the refresh handles only systems with the flag, so other staged work
/// would never be applied.
pub(crate) const fn assert_declares<D: Declaration, N: SystemName<D>>(declared: bool, flag: &str) {
    if !declared {
        undeclared::<D, N>("do what needs", flag);
    }
}

pub(crate) const fn assert_changes<D: Declaration, N: SystemName<D>>(
    listed: &[usize],
    index: usize,
    deed: &str,
) {
    assert!(index < D::COMPONENTS.len(), "[ECS0070] the index of a component is out of range");
    if !IndexSet::of(listed).contains(index) {
        undeclared::<D, N>(deed, D::COMPONENTS[index].name());
    }
}

/// The component's number among those that the system inserts or removes.
pub(crate) const fn change_rank<D: Declaration, N: SystemName<D>>(index: usize) -> usize {
    let declared = &D::SYSTEMS[N::INDEX].declared;
    IndexSet::of(declared.insert).union(IndexSet::of(declared.remove)).rank(index)
}
