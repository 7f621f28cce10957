//! Tree to model: names become indices, and orders between systems become a graph.
//!
//! Resolving cannot fail. Unresolved names are marked as such, and the checks report them.

mod bundle;
mod events;
mod fields;
mod graph;
mod indices;
mod names;
mod rules;
mod states;
mod system;

use std::collections::HashSet;

use quote::format_ident;
use syn::{Attribute, Ident, Member, Path, Type};

pub(crate) use bundle::{Bundle, descent, template};
pub(crate) use fields::{Field, idents};
pub(crate) use graph::Graph;
pub(crate) use indices::users;
pub(crate) use names::{Target, plain};
#[cfg(test)]
pub(crate) use rules::with_lists;
pub(crate) use states::{Named, find as named_state, names_states};
pub(crate) use system::{By, System, Use, edges};

use self::names::Names;
use self::states::Timing;
use crate::syntax::{List, Named as Name, Order, Resource, Storage, Tree, name_of};
use ecs_rules::Kind;

/// The resolved declaration. It borrows the tree that it is made from.
pub(crate) struct Model<'t> {
    pub(crate) tree: &'t Tree,
    pub(crate) components: Vec<Component<'t>>,
    pub(crate) bundles: Vec<Bundle<'t>>,
    pub(crate) resources: Vec<&'t Resource>,
    pub(crate) systems: Vec<System<'t>>,
    /// The order of the systems, by index.
    pub(crate) order: Graph,
    /// For each system those that name it in `before`.
    before: Vec<Vec<usize>>,
    names: Names,
}

/// A component and where it is stored.
pub(crate) struct Component<'t> {
    pub(crate) named: &'t Name,
    pub(crate) attributes: &'t [Attribute],
    pub(crate) place: Location<'t>,
    /// Whether a system asks about its changes.
    pub(crate) tracked: bool,
    /// Whether it is accessible by name.
    pub(crate) by_name: bool,
    /// The field that counts down, if it expires.
    pub(crate) expires: Option<&'t Member>,
    /// Whether a part of its item could not be read.
    pub(crate) incomplete: bool,
}

/// Where the values of a component are stored.
#[derive(Clone, Copy)]
pub(crate) enum Location<'t> {
    /// In a buffer. Buffers are numbered from 0 in order of first use.
    Buffer(usize),
    /// In such a buffer, without size.
    Empty(usize),
    /// In external storage, by this strategy.
    External(&'t Storage),
}

impl Component<'_> {
    /// The name of the component.
    pub(crate) fn name(&self) -> &Ident {
        self.named.name()
    }
}

impl<'t> Model<'t> {
    /// Every system, for the rules.
    pub(crate) fn rules(&self) -> Vec<ecs_rules::System<'_>> {
        self.systems.iter().map(System::rules).collect()
    }

    /// Whether the system is the end of a stage.
    pub(crate) fn is_stage(&self, system: usize) -> bool {
        let name = self.systems[system].name();
        self.tree.stages.iter().any(|stage| name_of(&stage.path) == name)
    }

    /// The name at an index.
    pub(crate) fn name(&self, kind: Kind, index: usize) -> &Ident {
        match kind {
            Kind::Component => self.components[index].name(),
            Kind::Resource => self.resources[index].name.name(),
            Kind::System => self.systems[index].name(),
        }
    }

    /// The systems that run before this one by `dependencies` or `before`, so without its inputs.
    pub(crate) fn after(&self, system: usize) -> Vec<usize> {
        let mut after = self.systems[system].listed(List::Dependencies);
        for earlier in &self.before[system] {
            if !after.contains(earlier) {
                after.push(*earlier);
            }
        }
        after
    }

    /// The bundle that the declaration calls by this name.
    pub(crate) fn bundle(&self, name: &Ident) -> Option<&Bundle<'t>> {
        self.bundles.iter().find(|bundle| bundle.name() == name)
    }

    /// The components of a bundle: a tuple of components, a single component, or a named bundle. `None` if the
    /// bundle is another type, or if an element is not a component.
    pub(crate) fn components_of(&self, bundle: &Type) -> Option<Vec<usize>> {
        let component = |part: &Type| match part {
            Type::Path(path) => self.find(Kind::Component, &path.path).known(),
            _ => None,
        };
        match bundle {
            Type::Tuple(tuple) => tuple.elems.iter().map(component).collect(),
            Type::Path(path) if let Some(named) = self.bundle(name_of(&path.path)) => {
                Some(named.components.iter().map(|(index, _)| *index).collect())
            }
            other => component(other).map(|index| vec![index]),
        }
    }

    /// Whether the system spawns the bundle by what the table says of its components, not by its type. (References are
    /// reported.)
    pub(crate) fn is_checked_by_components(&self, bundle: &Type) -> bool {
        match bundle {
            Type::Tuple(_) | Type::Reference(_) => true,
            Type::Path(path) => {
                let name = name_of(&path.path);
                self.bundle(name).is_some()
                    || !matches!(
                        self.find(Kind::Component, &path.path),
                        Target::Unknown | Target::Presumed(_)
                    )
            }
            _ => false,
        }
    }

    /// Looks a name up.
    pub(crate) fn find(&self, kind: Kind, path: &Path) -> Target {
        self.names.find(kind, path)
    }

    /// What the name stands for, if it stands for something other than `kind`.
    pub(crate) fn other_kind(&self, kind: Kind, name: &Ident) -> Option<Kind> {
        self.names.other_kind(kind, &plain(name))
    }
}

/// Resolves every name of the tree.
pub(crate) fn resolve(tree: &Tree) -> Model<'_> {
    let mut names = Names::default();
    let mut components: Vec<Component<'_>> = Vec::new();
    let mut buffer = 0;
    for group in &tree.buffers {
        let first = components.len();
        for named in &group.components {
            if names.components.add(named) {
                let place = match &group.storage {
                    // Only a buffer stores several components. The checks report any other storage.
                    _ if group.components.len() > 1 => Location::Buffer(buffer),
                    Storage::ContiguousBuffer => Location::Buffer(buffer),
                    Storage::Empty => Location::Empty(buffer),
                    external => Location::External(external),
                };
                components.push(Component {
                    named,
                    attributes: &group.attributes,
                    place,
                    tracked: false,
                    by_name: group.by_name,
                    expires: group.expires.as_ref(),
                    incomplete: group.incomplete,
                });
            }
        }
        let added = components.get(first).map(|component| component.place);
        buffer += usize::from(matches!(added, Some(Location::Buffer(_) | Location::Empty(_))));
    }
    let mut bundles: Vec<Bundle<'_>> = Vec::new();
    for item in &tree.bundles {
        if bundles.iter().all(|bundle| bundle.name() != item.name.name()) {
            bundles.push(Bundle::resolve(item, &names));
        }
    }
    let mut resources: Vec<&Resource> = Vec::new();
    for resource in &tree.resources {
        if names.resources.add(&resource.name) {
            resources.push(resource);
        }
    }
    bundle::resolve_children(&mut bundles, &resources, &names);
    let mut declared = Vec::new();
    for item in &tree.systems {
        if names.systems.add_name(&item.name) {
            declared.push(item);
        }
    }
    let mut systems: Vec<System<'_>> =
        declared.into_iter().map(|item| System::resolve(item, &names)).collect();
    for system in &mut systems {
        system.timing = Timing::of(system.item, &tree.states);
    }
    for system in &mut systems {
        let listed = |list| {
            let uses = system.uses.iter().filter(|used| used.list == list);
            uses.filter_map(|used| Some((used.target.index()?, name_of(used.path).span())))
                .collect()
        };
        system.fields = fields::of(listed, |component| components[component].name());
    }
    for item in &tree.orders {
        order(&mut systems, item, &names);
    }
    events::parameters(&mut systems, &resources);
    events::order(&mut systems, &resources);
    for system in &mut systems {
        stage(system, tree, &names);
        system.indices = rules::indices(&system.uses);
    }
    for list in [List::Changed, List::Added] {
        for index in systems.iter().flat_map(|system| system.listed(list)) {
            components[index].tracked = true;
        }
    }
    let types: HashSet<String> = types(tree).iter().map(|(name, _)| name.to_string()).collect();
    let all: HashSet<String> = systems.iter().map(|system| system.name().to_string()).collect();
    for system in &mut systems {
        // A name that is taken is reported. The code has another one, so that nothing follows from it.
        system.is_taken = system.item.is_named_here() && types.contains(&system.name().to_string());
        let is_taken = |name: &str| types.contains(name) || all.contains(name);
        while is_taken(&system.entry.to_string()) {
            system.entry = format_ident!("{}_", system.entry);
        }
    }
    let order = indices::place(&mut systems);
    let mut before = vec![Vec::new(); systems.len()];
    for (this, system) in systems.iter().enumerate() {
        system.listed(List::Before).into_iter().for_each(|later| before[later].push(this));
    }
    Model { tree, components, bundles, resources, systems, order, before, names }
}

/// The types of the declaration's own scope that it names, other than systems, and what each is.
pub(crate) fn types(tree: &Tree) -> Vec<(&Ident, &'static str)> {
    let mut named: Vec<(&Name, &str)> = Vec::new();
    for buffer in &tree.buffers {
        named.extend(buffer.components.iter().map(|component| (component, "a component")));
    }
    named.extend(tree.resources.iter().map(|resource| (&resource.name, "a resource")));
    named.retain(|(named, _)| named.place.is_none());
    let plain = named.into_iter().filter_map(|(named, what)| Some((named.path.get_ident()?, what)));
    let mut types: Vec<_> = plain.collect();
    types.extend(tree.states.iter().map(|state| (&state.name, "a state")));
    types.extend(tree.world.as_ref().map(|world| (&world.name, "the world")));
    types
}

/// Records an order with the later system, or if that is unknown, with the earlier one.
fn order<'t>(systems: &mut [System<'t>], order: &'t Order, names: &Names) {
    let Order { earlier, later, allowed } = order;
    let [before, after] = [earlier, later].map(|path| names.find(Kind::System, path));
    let (holder, list, path, mut target) = match (before, after) {
        (_, Target::Known(_) | Target::Presumed(_)) => (after, List::Dependencies, earlier, before),
        (_, Target::Unknown) => (before, List::Before, later, after),
    };
    let Some(system) = holder.index() else { return };
    if let (Target::Presumed(_), Target::Known(index)) = (holder, target) {
        target = Target::Presumed(index);
    }
    systems[system].uses.push(Use {
        list,
        path,
        target,
        by: By::Order,
        allowed,
        effect: None,
        event: None,
    });
}

/// Records that a system runs after the previous stage, and before the end of its own stage.
fn stage<'t>(system: &mut System<'t>, tree: &'t Tree, names: &Names) {
    let Some(path) = &system.item.stage else { return };
    let Some(stage) = tree.stages.iter().find(|stage| name_of(&stage.path) == name_of(path)) else {
        return;
    };
    let previous = stage.previous.as_ref().map(|previous| (List::Dependencies, previous));
    for (list, path) in previous.into_iter().chain([(List::Before, path)]) {
        let target = names.find(Kind::System, path);
        system.uses.push(Use {
            list,
            path,
            target,
            by: By::Stage,
            allowed: &[],
            effect: None,
            event: None,
        });
    }
}
