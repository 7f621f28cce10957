//! The categories of mutations that matter to existing frameworks (table 2).

use std::collections::BTreeSet;

use crate::{Entity, Invocation, Schedule, State, System, Write, query};

/// The effect of a mutation on a value, and whether its system owns the component's store.
///
/// A system owns the stores of the labels that its query vector mentions. In existing frameworks, influence
/// on any other store must be deferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// Overwrites a value of an owned store.
    OwnedUpdate,
    /// Adds a value for an existing entity to an owned store.
    OwnedInsert,
    /// Adds a value for a new entity to an owned store.
    OwnedInitialize,
    /// Removes a value from an owned store.
    OwnedDelete,
    /// Overwrites a value of another store.
    DeferredUpdate,
    /// Adds a value for an existing entity to another store.
    DeferredInsert,
    /// Adds a value for a new entity to another store.
    DeferredInitialize,
    /// Removes a value from another store.
    DeferredDelete,
}

impl Category {
    /// All categories, in the order of the table.
    pub const ALL: [Self; 8] = [
        Self::OwnedUpdate,
        Self::OwnedInsert,
        Self::OwnedInitialize,
        Self::OwnedDelete,
        Self::DeferredUpdate,
        Self::DeferredInsert,
        Self::DeferredInitialize,
        Self::DeferredDelete,
    ];

    /// Whether the store is owned.
    pub fn is_owned(self) -> bool {
        matches!(
            self,
            Self::OwnedUpdate | Self::OwnedInsert | Self::OwnedInitialize | Self::OwnedDelete
        )
    }

    /// Whether it changes which components an entity has: all but updates.
    pub fn is_structural(self) -> bool {
        !matches!(self, Self::OwnedUpdate | Self::DeferredUpdate)
    }
}

/// The categories of an invocation's writes, applied one after the other to this state. A write that detaches
/// a missing component has no category.
pub fn classify(invocation: &Invocation, state: &State) -> Vec<(Write, Option<Category>)> {
    let owned = query::labels(&invocation.system.queries);
    let (mut state, mut classified) = (state.clone(), Vec::new());
    for write in &invocation.writes {
        let (entity, label) = write.place();
        let change = Change::of(write, &state, &invocation.fresh);
        let category = change.map(|change| change.category(owned.contains(&label)));
        debug_assert!(change.is_some() || state.get(label, entity).is_none());
        classified.push((*write, category));
        state.write(write);
    }
    classified
}

/// The categories of all writes that a system makes at a state, if it runs alone.
pub fn of_system(system: &System, state: &State) -> BTreeSet<Category> {
    let production = Schedule::Conc(system.clone()).produce(state);
    let invocations = production.invocations();
    let writes = invocations.into_iter().flat_map(|invocation| classify(invocation, state));
    writes.filter_map(|(_, category)| category).collect()
}

/// A category without ownership.
#[derive(Clone, Copy)]
enum Change {
    Update,
    Insert,
    Initialize,
    Delete,
}

impl Change {
    fn of(write: &Write, state: &State, fresh: &[Entity]) -> Option<Self> {
        let (entity, label) = write.place();
        let is_there = state.get(label, entity).is_some();
        match write {
            Write::Attach(..) if is_there => Some(Self::Update),
            Write::Attach(..) if fresh.contains(&entity) => Some(Self::Initialize),
            Write::Attach(..) => Some(Self::Insert),
            Write::Detach(..) => is_there.then_some(Self::Delete),
        }
    }

    fn category(self, is_owned: bool) -> Category {
        match (self, is_owned) {
            (Self::Update, true) => Category::OwnedUpdate,
            (Self::Insert, true) => Category::OwnedInsert,
            (Self::Initialize, true) => Category::OwnedInitialize,
            (Self::Delete, true) => Category::OwnedDelete,
            (Self::Update, false) => Category::DeferredUpdate,
            (Self::Insert, false) => Category::DeferredInsert,
            (Self::Initialize, false) => Category::DeferredInitialize,
            (Self::Delete, false) => Category::DeferredDelete,
        }
    }
}
