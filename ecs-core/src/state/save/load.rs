//! Loads a save: everything is read and checked beside the world, which then takes it over.

use core::marker::PhantomData;
use core::mem::swap;
use std::collections::BTreeSet;

use super::bounds::assert_complete;
use super::error::{ChangedPart, LoadError, PartKind};
use super::format::{Load, SaveFormat};
use super::parts::{SaveContext, Shape};
use super::unknown::UnknownParts;
use super::write::{BY_HAND, readers_of};
use super::{
    BYTE_ORDER, COMPONENT, END, ENTITIES, FORMAT, MAGIC, OF_WORLD, RESOURCE, STATE, SYSTEM,
    Saveable,
};
use crate::entity::{EntityLimit, NotLoaded};
use crate::parallel::{DropEach, PanicSlot};
use crate::random::RandomState;
use crate::scheduling::settings::ByArchetype;
use crate::signature::tables::{removed, tracking};
use crate::signature::{Declaration, SystemSignature};
use crate::state::snapshot::{Snapshot, lines};
use crate::state::{Core, Instance, Resources, Subscription, Transitions};
use crate::storage::{PhaseCell, Storage, Unfilled};
use crate::types::bytes::{Decoder, EMPTY, Fault, Frames, NOTHING};
use crate::types::xxh3::xxh3_64;

/// A part of a save.
pub(super) struct Part<'a> {
    pub(super) kind: u8,
    pub(super) name: &'a str,
    pub(super) shape: Shape,
    pub(super) version: u32,
    pub(super) frames: Frames<'a>,
    is_used: bool,
}

impl Part<'_> {
    pub(super) fn damaged(&self, fault: Fault) -> LoadError {
        damaged(self.kind, self.name, fault)
    }

    #[cold]
    pub(super) fn not_kept(&self, reason: &str) -> LoadError {
        let (name, reason) = (self.name.into(), reason.into());
        LoadError::NotKept { kind: PartKind::of(self.kind), name, reason }
    }

    /// What is in its one frame.
    pub(super) fn frame(&self) -> Result<Decoder<'_>, Fault> {
        let mut frames = self.frames.clone();
        let frame = frames.expect()?;
        frames.end()?;
        Ok(frame)
    }
}

#[cold]
fn damaged(kind: u8, name: &str, Fault(fault): Fault) -> LoadError {
    LoadError::Damaged { kind: PartKind::of(kind), name: name.into(), fault }
}

/// The parts of a save whose checksum is right.
pub(super) fn parts_of(bytes: &[u8]) -> Result<Vec<Part<'_>>, LoadError> {
    let whole = |fault| damaged(OF_WORLD, "all parts", fault);
    let mut from = Decoder::new(bytes);
    if from.take(MAGIC.len()).ok() != Some(MAGIC) {
        return Err(LoadError::NotASave);
    }
    let found = from.u32().map_err(|_| LoadError::NotASave)?;
    if found != FORMAT {
        return Err(LoadError::Format { found });
    }
    let order = from.u8().map_err(|_| LoadError::NotASave)?;
    let Some((checked, hash)) = bytes.split_last_chunk() else { return Err(LoadError::Checksum) };
    if xxh3_64(checked) != u64::from_le_bytes(*hash) {
        return Err(LoadError::Checksum);
    }
    if order != BYTE_ORDER {
        return Err(LoadError::ByteOrder);
    }
    from.text().map_err(whole)?;
    let (mut parts, mut names) = (Vec::new(), BTreeSet::new());
    loop {
        let kind = from.u8().map_err(whole)?;
        if kind == END {
            break;
        }
        let part = part(kind, &mut from).map_err(whole)?;
        if !names.insert((kind, part.name, part.shape == BY_HAND)) {
            return Err(part.damaged(Fault::new("it is there twice")));
        }
        parts.push(part);
    }
    from.take(size_of::<u64>()).and_then(|_| from.end()).map_err(whole)?;
    Ok(parts)
}

fn part<'a>(kind: u8, from: &mut Decoder<'a>) -> Result<Part<'a>, Fault> {
    let name = from.text()?;
    let form = from.u8()?;
    let version = from.u32()?;
    let shape = Shape { form, size: from.u64()? };
    Ok(Part { kind, name, shape, version, frames: Frames::split(from)?, is_used: false })
}

/// What parts a save has.
pub(crate) struct Outline {
    /// Kinds, names, forms, sizes and versions.
    parts: BTreeSet<(u8, String, u8, u64, u32)>,
    /// That of its random numbers.
    pub(crate) seed: u64,
}

/// Reads what parts a save has.
pub(crate) fn outline(bytes: &[u8]) -> Result<Outline, LoadError> {
    let parts = parts_of(bytes)?;
    let mut seed = 0;
    if let Some(part) = parts.iter().find(|part| part.kind == OF_WORLD) {
        let number = part.frame().and_then(|mut frame| frame.u64());
        seed = number.map_err(|fault| part.damaged(fault))?;
    }
    // The part of the world has the name of the declaration.
    let named = parts.iter().filter(|part| part.kind != OF_WORLD);
    let parts = named.map(|part| {
        (part.kind, part.name.to_owned(), part.shape.form, part.shape.size, part.version)
    });
    Ok(Outline { parts: parts.collect(), seed })
}

impl Outline {
    /// A part that one save has and the other has not, or has in another form or version.
    pub(crate) fn first_difference(&self, other: &Self) -> Option<(PartKind, String)> {
        let mut only = self.parts.symmetric_difference(&other.parts);
        only.next().map(|(kind, name, ..)| (PartKind::of(*kind), name.clone()))
    }
}

/// What was loaded, for the world to take over.
struct Loaded<'b, D: Declaration> {
    storage: Storage,
    /// Values that are left in the save until the world takes over.
    unfilled: Vec<Unfilled<'b>>,
    resources: Resources,
    /// Those of the systems that the save may have a state of.
    instances: DropEach<Option<Instance<D>>>,
    by_hand: Vec<Vec<u64>>,
    random: RandomState,
    transitions: Transitions,
}

impl<D: Saveable> SaveFormat<D> {
    /// Makes `core` the world of the save.
    pub(crate) fn read<L: EntityLimit>(
        &self,
        core: &mut Core<D>,
        bytes: &[u8],
    ) -> Result<(), LoadError> {
        core.take_over(self.loaded::<L>(core, bytes, None)?);
        Ok(())
    }

    /// The same, and returns the parts that are kept.
    pub(crate) fn read_keeping<L: EntityLimit>(
        &self,
        core: &mut Core<D>,
        bytes: &[u8],
    ) -> Result<UnknownParts<D>, LoadError> {
        let mut unknown = UnknownParts::new();
        core.take_over(self.loaded::<L>(core, bytes, Some(&mut unknown))?);
        Ok(unknown)
    }

    /// The snapshot that was saved.
    pub(crate) fn read_snapshot(
        &self,
        core: &Core<D>,
        bytes: &[u8],
    ) -> Result<Snapshot<D>, LoadError> {
        let loaded = self.loaded::<ByArchetype<0>>(core, bytes, None)?;
        let Loaded { mut storage, unfilled, resources, instances, by_hand, random, transitions } =
            loaded;
        storage.fill(unfilled, None);
        storage.clean();
        Ok(Snapshot {
            storage,
            resources,
            instances,
            subscribed: by_hand,
            random,
            transitions,
            whole: true,
            declaration: PhantomData,
        })
    }

    /// What was loaded. Unknown parts are put into `kept`, if they are to be kept.
    fn loaded<'b, L: EntityLimit>(
        &self,
        core: &Core<D>,
        bytes: &'b [u8],
        mut kept: Option<&mut UnknownParts<D>>,
    ) -> Result<Loaded<'b, D>, LoadError> {
        assert_complete::<D>();
        let mut parts = parts_of(bytes)?;
        let loaded = self.loaded_parts::<L>(core, &mut parts)?;
        let is_unknown = |part: &&Part<'_>| !part.is_used && !self.leaves_out(part.name);
        for part in parts.iter().filter(is_unknown) {
            match &mut kept {
                Some(kept) if self.keeps(part.name) => kept.add(part, &loaded.storage.entities)?,
                _ => {
                    let kind = PartKind::of(part.kind);
                    return Err(LoadError::Unknown { kind, name: part.name.into() });
                }
            }
        }
        Ok(loaded)
    }

    fn loaded_parts<'b, L: EntityLimit>(
        &self,
        core: &Core<D>,
        parts: &mut [Part<'b>],
    ) -> Result<Loaded<'b, D>, LoadError> {
        let systems = core.systems;
        let mut storage = Storage::new::<L>(D::COMPONENTS);
        tracking::track(&mut storage, systems);
        removed::keep(&mut storage, systems);
        let mut random = core.random;
        let mut transitions = Transitions::of(D::STATES);
        let mut by_hand = vec![Vec::new(); systems.len()];

        for kind in [OF_WORLD, ENTITIES] {
            let Some(part) = parts.iter_mut().find(|part| part.kind == kind) else {
                return Err(damaged(kind, D::NAME, Fault::new("it is missing")));
            };
            part.is_used = true;
            if kind == ENTITIES {
                storage.load_entities(&mut part.frames).map_err(|error| match error {
                    NotLoaded::Limit(error) => LoadError::LimitReached(error),
                    NotLoaded::Fault(fault) => part.damaged(fault),
                })?;
                continue;
            }
            let numbers = part.frame().and_then(|mut frame| {
                Ok([frame.u64()?, frame.u64()?, frame.u64()?])
                    .and_then(|all| frame.end().map(|()| all))
            });
            let [seed, executions, of_states] = numbers.map_err(|fault| part.damaged(fault))?;
            random = RandomState { seed, executions };
            transitions.set_executions(of_states);
        }

        let mut unfilled = Vec::new();
        for save in lines(D::COMPONENT_SAVES) {
            let of = (COMPONENT, save.index);
            let Some((part, load)) =
                self.find(parts, of, D::COMPONENTS[save.index].name(), save.shape)?
            else {
                continue;
            };
            let readers = readers_of(systems, save.index);
            let frames = &mut part.frames.clone();
            let left = match load {
                Some(Load::Component(load, _)) => load(&mut storage, readers, frames),
                _ => (save.load)(&mut storage, readers, frames),
            };
            unfilled.extend(left.map_err(|fault| part.damaged(fault))?);
        }

        let system = |name: &str| self.system_named(systems, name);
        let context = SaveContext { entities: &storage.entities, systems, system: &system };
        let mut resources = Resources::new::<D>();
        for save in lines(D::RESOURCE_SAVES).flatten() {
            let of = (RESOURCE, save.index);
            let Some((part, load)) =
                self.find(parts, of, D::RESOURCES[save.index].name(), save.shape)?
            else {
                continue;
            };
            let result = in_frame(part, |from| match load {
                Some(Load::Resource(load)) => load(&mut resources, &context, from),
                _ => (save.load)(&mut resources, &context, from),
            });
            result.map_err(|fault| part.damaged(fault))?;
        }
        let mut instances = DropEach::of(systems.len(), |_| None);
        for save in lines(D::SYSTEM_SAVES) {
            let mut instance = core.code[save.index].make_instance();
            let of = (SYSTEM, save.index);
            if let Some((part, load)) =
                self.find(parts, of, systems[save.index].name(), save.shape)?
            {
                let state = instance.parts().0;
                let result = in_frame(part, |from| match load {
                    Some(Load::System(load)) => load(state, &context, from),
                    _ => (save.load)(state, &context, from),
                });
                result.map_err(|fault| part.damaged(fault))?;
            }
            instances[save.index] = Some(instance);
        }
        for part in &mut *parts {
            let index = match part.kind {
                SYSTEM if part.shape == BY_HAND => {
                    system(part.name).filter(|&index| systems[index].declared.opt_in)
                }
                STATE => D::STATES.iter().position(|state| state.name == part.name),
                _ => None,
            };
            let Some(index) = index else { continue };
            part.is_used = true;
            let result = part.frame().and_then(|mut frame| {
                if part.kind == STATE {
                    transitions.load(index, &mut frame)?;
                } else {
                    for _ in 0..frame.len()? {
                        by_hand[index].push(frame.u64()?);
                    }
                }
                frame.end()
            });
            result.map_err(|fault| part.damaged(fault))?;
        }
        Ok(Loaded { storage, unfilled, resources, instances, by_hand, random, transitions })
    }

    /// The system of this name, or of this older name.
    fn system_named(&self, systems: &[SystemSignature], name: &str) -> Option<usize> {
        let now = systems.iter().position(|system| system.name() == name);
        now.or_else(|| (0..systems.len()).find(|&index| self.was(SYSTEM, index, name)))
    }

    /// The part of this kind and name, or of an older name, and how it is loaded if it is not as declared now.
    #[expect(
        clippy::type_complexity,
        reason = "both are borrowed, the one from the save and the other from the format"
    )]
    fn find<'f, 'p, 'a>(
        &'f self,
        parts: &'p mut [Part<'a>],
        of: (u8, usize),
        name: &str,
        shape: Shape,
    ) -> Result<Option<(&'p Part<'a>, Option<&'f Load<D>>)>, LoadError> {
        let said = self.of(of.0, of.1);
        let names = || said.iter().flat_map(|said| &said.names);
        let is_it = |part: &Part<'_>, name: &str| {
            part.kind == of.0 && part.shape != BY_HAND && part.name == name
        };
        let now = parts.iter().position(|part| is_it(part, name));
        let found = now
            .or_else(|| names().find_map(|name| parts.iter().position(|part| is_it(part, name))));
        let Some(found) = found else { return Ok(None) };
        let part = &mut parts[found];
        part.is_used = true;
        let declared = self.version(of.0, of.1);
        // As declared now, or by a migration.
        let (expected, load) = if part.version == declared {
            (shape, None)
        } else {
            let mut migrations = said.iter().flat_map(|said| &said.migrations);
            let Some(migration) = migrations.find(|one| one.version == part.version) else {
                let change = ChangedPart::Version { saved: part.version, declared };
                return Err(LoadError::Changed {
                    kind: PartKind::of(of.0),
                    name: name.into(),
                    change,
                });
            };
            (migration.shape, Some(&migration.load))
        };
        let Some(change) = difference(part.shape, expected) else { return Ok(Some((part, load))) };
        Err(LoadError::Changed { kind: PartKind::of(of.0), name: name.into(), change })
    }
}

/// In what the shape of a part differs from that which is expected.
fn difference(saved: Shape, expected: Shape) -> Option<ChangedPart> {
    // Both are without bytes: the one of components, the other of resources and systems.
    let has_no_bytes = |shape: Shape| [EMPTY, NOTHING].contains(&shape.form);
    if saved.form != expected.form && !(has_no_bytes(saved) && has_no_bytes(expected)) {
        return Some(ChangedPart::Form);
    }
    let (saved, declared) = (saved.size, expected.size);
    (saved != declared).then_some(ChangedPart::Size { saved, declared })
}

/// Reads what is in the frame of the part, behind its first byte, and nothing else.
fn in_frame(
    part: &Part<'_>,
    f: impl FnOnce(&mut Decoder<'_>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let mut frame = part.frame()?;
    frame.u8()?;
    f(&mut frame)?;
    frame.end()
}

impl<D: Saveable> Core<D> {
    /// Takes over what was loaded.
    ///
    /// # Panics
    /// If the system refuses memory for values; nothing has changed then. With the first panic of a destructor of an old value, after all else is done.
    fn take_over(&mut self, loaded: Loaded<'_, D>) {
        let Loaded {
            mut storage,
            unfilled,
            mut resources,
            mut instances,
            by_hand,
            random,
            transitions,
        } = loaded;
        self.match_edited();
        storage.fill(unfilled, Some(&mut self.storage));
        swap(&mut *self.storage, &mut storage);
        // Those that are not saved stay.
        let saves = lines(D::RESOURCE_SAVES);
        for (index, _) in saves.enumerate().filter(|(_, save)| save.is_none()) {
            swap(self.resources.value_mut(index), resources.value_mut(index));
        }
        swap(&mut self.resources, &mut resources);
        self.conditions.forget();
        for index in 0..self.systems.len() {
            if !self.systems[index].declared.transient {
                self.instance_mut(index).states.forget_outputs();
            }
        }
        for (index, instance) in instances.iter_mut().enumerate() {
            if let Some(instance) = instance {
                swap(self.instance_mut(index).parts().0, instance.parts().0);
            }
        }
        let new = Subscription::of_all(self.systems, self.components.len());
        for (subscription, new) in self.subscriptions.iter_mut().zip(new) {
            let watched = subscription.watched;
            *subscription = new;
            subscription.watched = watched;
        }
        self.subscribe(by_hand.iter().map(|words| words.iter().copied()));
        self.random = random;
        self.transitions = transitions;
        let panics = PanicSlot::new();
        panics.catch(0, None, || drop(PhaseCell::new(storage)));
        panics.catch(0, None, || drop(resources));
        panics.catch(0, None, || drop(instances));
        if let Some(failure) = panics.take() {
            failure.resume();
        }
    }
}
