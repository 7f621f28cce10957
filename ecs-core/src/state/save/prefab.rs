//! Prefabs as bytes, which are saves that have entities, components and relations, and nothing else; and prefabs as text.
//!
//! ```text
//! prefab ─▶ a storage and relations that have only its entities ─▶ save
//! save ─▶ the loader ─▶ snapshot ─▶ its entities, by index ─▶ prefab
//! prefab ─▶ that storage ─▶ the values of each entity by `serde` ─▶ text
//! text ─▶ save ─▶ prefab
//! ```

use std::io::Write;

use super::Saveable;
use super::error::{LoadError, PartKind, SaveError};
use super::format::SaveFormat;
use super::unknown::UnknownParts;
use super::write::{Saved, Scope};
use crate::entity::Entity;
use crate::parallel::PanicSlot;
use crate::random::RandomState;
use crate::scheduling::settings::ByArchetype;
use crate::signature::systems_of;
use crate::signature::tables::{removed, tracking};
use crate::state::prefab::Prefab;
use crate::state::snapshot::{Cloneable, Snapshot};
use crate::state::{Core, Resources, Transitions};
use crate::storage::Storage;

impl<D: Saveable + Cloneable> SaveFormat<D> {
    /// Writes the prefab.
    pub(crate) fn write_prefab(
        &self,
        prefab: &Prefab<D>,
        to: &mut dyn Write,
    ) -> Result<(), SaveError> {
        saved_prefab(&prefab.flat(), |saved| {
            self.write(saved, &UnknownParts::new(), to, &mut |_| {})
        })?
    }

    /// The prefab of a save: all of its entities, in the order of their indices.
    pub(crate) fn read_prefab(&self, core: &Core<D>, bytes: &[u8]) -> Result<Prefab<D>, LoadError> {
        let Snapshot { storage, resources, .. } = &self.read_snapshot(core, bytes)?;
        let alive = storage.entities.rows().iter().enumerate();
        let alive = alive.filter(|(row, _)| storage.entities.alive().contains(*row));
        let mut entities: Vec<Entity> = alive.map(|(_, &entity)| entity).collect();
        entities.sort_unstable();
        Ok(Prefab::of(storage, resources, &entities)
            .unwrap_or_else(|error| unreachable!("they are alive, each of them once: {error}")))
    }
}

/// Calls `f` with the parts of a save of the prefab: row *n* of the storage is entity *n*. No template of it has children.
pub(super) fn saved_prefab<D: Saveable + Cloneable, R>(
    prefab: &Prefab<D>,
    f: impl FnOnce(&Saved<'_>) -> R,
) -> Result<R, SaveError> {
    let systems = systems_of::<D>();
    let mut storage = Storage::new::<ByArchetype<0>>(D::COMPONENTS);
    tracking::track(&mut storage, systems);
    removed::keep(&mut storage, systems);
    let mut resources = Resources::new::<D>();
    if let Err(full) = prefab.spawn(&mut storage, &mut resources, 1) {
        return Err(SaveError::Value {
            kind: PartKind::Entities,
            name: D::NAME.into(),
            fault: full.to_string(),
        });
    }
    let panics = PanicSlot::new();
    for relation in D::RELATIONS {
        let links = (relation.relation_mut)(resources.value_mut(relation.resource));
        links.apply(&storage.entities, &panics);
    }
    if let Some(failure) = panics.take() {
        failure.resume();
    }
    Ok(f(&Saved {
        storage: &storage,
        resources: &resources,
        systems,
        state: &|_| None,
        by_hand: &|_| Vec::new(),
        random: RandomState { seed: 0, executions: 0 },
        transitions: &Transitions::of(D::STATES),
        scope: Scope::Prefab,
    }))
}
