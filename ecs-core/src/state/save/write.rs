//! Writes a save.

use std::io::Write;

use super::bounds::assert_complete;
use super::error::{PartKind, SaveError};
use super::format::SaveFormat;
use super::parts::{SaveContext, Shape};
use super::unknown::UnknownParts;
use super::{
    BYTE_ORDER, COMPONENT, END, ENTITIES, FORMAT, MAGIC, OF_WORLD, RESOURCE, STATE, SYSTEM,
    Saveable,
};
use crate::random::RandomState;
use crate::signature::{Declaration, RelationSignature, SystemSignature, systems_of};
use crate::state::snapshot::{Snapshot, lines};
use crate::state::{Core, Resources, Subscription, Transitions};
use crate::storage::Storage;
use crate::types::bytes::{Encoder, Fault};
use crate::types::{Erased, StateHasher};

/// What is saved, in a world or in a snapshot.
pub(crate) struct Saved<'a> {
    pub(crate) storage: &'a Storage,
    pub(crate) resources: &'a Resources,
    pub(crate) systems: &'static [SystemSignature],
    /// The state of a system that is not transient.
    pub(crate) state: &'a dyn Fn(usize) -> Option<&'a Erased>,
    /// The blocks of rows that are subscribed by hand to a system.
    pub(crate) by_hand: &'a dyn Fn(usize) -> Vec<u64>,
    pub(crate) random: RandomState,
    pub(crate) transitions: &'a Transitions,
    /// What of it is written.
    pub(crate) scope: Scope,
}

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    All,
    /// Entities, components and relations.
    Prefab,
}

impl<D: Declaration> Core<D> {
    /// Calls `f` with what is saved of the world.
    pub(crate) fn saved<R>(&self, f: impl FnOnce(&Saved<'_>) -> R) -> R {
        f(&Saved {
            storage: &self.storage,
            resources: &self.resources,
            systems: self.systems,
            state: &|system| Some(self.instance(system).system()),
            by_hand: &|system| Subscription::by_hand(&self.subscriptions[system]).collect(),
            random: self.random,
            transitions: &self.transitions,
            scope: Scope::All,
        })
    }
}

impl<D: Declaration> Snapshot<D> {
    /// Calls `f` with what is saved of the snapshot.
    ///
    /// # Panics
    /// If the snapshot is incomplete.
    pub(crate) fn saved<R>(&self, f: impl FnOnce(&Saved<'_>) -> R) -> R {
        self.assert_whole();
        f(&Saved {
            storage: &self.storage,
            resources: &self.resources,
            systems: systems_of::<D>(),
            state: &|system| Some(self.instances[system].as_ref()?.system()),
            by_hand: &|system| self.subscribed[system].clone(),
            random: self.random,
            transitions: &self.transitions,
            scope: Scope::All,
        })
    }
}

impl<D: Saveable> SaveFormat<D> {
    pub(crate) fn write(
        &self,
        saved: &Saved<'_>,
        unknown: &UnknownParts<D>,
        to: &mut dyn Write,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), SaveError> {
        assert_complete::<D>();
        let mut to = Encoder::new(to, progress);
        to.set_lengths(self.has_lengths());
        self.parts(saved, &mut to)?;
        unknown.write(saved.storage, &mut to);
        to.u8(END);
        to.finish().map_err(SaveError::Write)
    }

    fn parts(&self, saved: &Saved<'_>, to: &mut Encoder<'_>) -> Result<(), SaveError> {
        let &Saved { storage, resources, systems, random, transitions, scope, .. } = saved;
        let context = SaveContext { entities: &storage.entities, systems, system: &|_| None };
        begin(to, D::NAME);

        part(to, OF_WORLD, D::NAME, Shape::NONE, 1);
        to.begin_frame();
        for number in [random.seed, random.executions, transitions.executions()] {
            to.u64(number);
        }
        to.end_frame();
        end_part(to);

        part(to, ENTITIES, "entities", Shape::NONE, 1);
        storage.entities.save(to);
        end_part(to);

        for save in lines(D::COMPONENT_SAVES) {
            let name = D::COMPONENTS[save.index].name();
            part(to, COMPONENT, name, save.shape, self.version(COMPONENT, save.index));
            let readers = readers_of(systems, save.index);
            (save.save)(storage, readers, to).map_err(|fault| no_value(COMPONENT, name, fault))?;
            end_part(to);
        }
        let is_relation = |resource| RelationSignature::find(D::RELATIONS, resource).is_some();
        let saves = lines(D::RESOURCE_SAVES).flatten();
        for save in saves.filter(|one| scope == Scope::All || is_relation(one.index)) {
            let name = D::RESOURCES[save.index].name();
            part(to, RESOURCE, name, save.shape, self.version(RESOURCE, save.index));
            in_frame(to, |to| (save.save)(resources, &context, to))
                .map_err(|fault| no_value(RESOURCE, name, fault))?;
            end_part(to);
        }
        if scope == Scope::Prefab {
            return Ok(());
        }
        for save in lines(D::SYSTEM_SAVES) {
            let Some(state) = (saved.state)(save.index) else { continue };
            let name = systems[save.index].name();
            part(to, SYSTEM, name, save.shape, self.version(SYSTEM, save.index));
            in_frame(to, |to| (save.save)(state, &context, to))
                .map_err(|fault| no_value(SYSTEM, name, fault))?;
            end_part(to);
        }
        for (index, system) in systems.iter().enumerate().filter(|(_, one)| one.declared.opt_in) {
            part(to, SYSTEM, system.name(), BY_HAND, 1);
            to.begin_frame();
            let mut words = (saved.by_hand)(index);
            // How many blocks there are depends on the past.
            words.truncate(words.iter().rposition(|word| *word != 0).map_or(0, |last| last + 1));
            to.len(words.len());
            for word in words {
                to.u64(word);
            }
            to.end_frame();
            end_part(to);
        }
        for (index, state) in D::STATES.iter().enumerate() {
            part(to, STATE, state.name, Shape::NONE, 1);
            to.begin_frame();
            transitions.save(index, to);
            to.end_frame();
            end_part(to);
        }
        Ok(())
    }
}

/// The shape of subscriptions by hand.
pub(super) const BY_HAND: Shape = Shape { form: u8::MAX, size: 0 };

/// Stands for the systems that ask what has changed of the component, and what was removed.
pub(super) fn readers_of(systems: &[SystemSignature], component: usize) -> u64 {
    let mut hash = StateHasher::new();
    for system in systems {
        let declared = &system.declared;
        for (list, number) in
            [declared.changed, declared.added, declared.removed].into_iter().zip(1..)
        {
            if list.contains(&component) {
                hash.write(system.name().as_bytes());
                hash.write(&[0, number]);
            }
        }
    }
    hash.finish()
}

/// The beginning of a save of this world.
pub(super) fn begin(to: &mut Encoder<'_>, world: &str) {
    to.put(MAGIC);
    to.u32(FORMAT);
    to.u8(BYTE_ORDER);
    to.text(world);
}

pub(super) fn part(to: &mut Encoder<'_>, kind: u8, name: &str, shape: Shape, version: u32) {
    to.u8(kind);
    to.text(name);
    to.u8(shape.form);
    to.u32(version);
    to.u64(shape.size);
}

pub(super) fn end_part(to: &mut Encoder<'_>) {
    to.begin_frame();
    to.end_frame();
}

/// One frame, which begins with a byte so that it is not empty.
fn in_frame(
    to: &mut Encoder<'_>,
    f: impl FnOnce(&mut Encoder<'_>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    to.begin_frame();
    to.u8(0);
    f(to)?;
    to.end_frame();
    Ok(())
}

#[cold]
fn no_value(kind: u8, name: &str, Fault(fault): Fault) -> SaveError {
    SaveError::Value { kind: PartKind::of(kind), name: name.into(), fault }
}
