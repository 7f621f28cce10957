//! The description of a system.

use core::any::type_name;

use super::short_name::short_name;
use crate::signature::{Declaration, SystemName, SystemSignature, SystemVisitor};

/// A list of components or resources in a system's signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum List {
    /// Components read of own entities.
    Read,
    /// Components written of own entities.
    Write,
    /// Components read of own entities that have them.
    ReadOptional,
    /// Components written of own entities that have them.
    WriteOptional,
    /// Components read of any entity.
    ReadAny,
    /// Components that own entities have.
    With,
    /// Components that own entities do not have.
    Without,
    /// Resources read.
    ReadResources,
    /// Resources written.
    WriteResources,
    /// Components inserted at the refresh.
    Insert,
    /// Components removed at the refresh.
    Remove,
    /// Components read of own entities, and replaced by new values at the refresh.
    Update,
}

impl List {
    /// Every list.
    pub const ALL: [Self; 12] = [
        Self::Read,
        Self::Write,
        Self::ReadOptional,
        Self::WriteOptional,
        Self::ReadAny,
        Self::With,
        Self::Without,
        Self::ReadResources,
        Self::WriteResources,
        Self::Insert,
        Self::Remove,
        Self::Update,
    ];

    /// The key of the declaration.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::ReadOptional => "read_optional",
            Self::WriteOptional => "write_optional",
            Self::ReadAny => "read_any",
            Self::With => "with",
            Self::Without => "without",
            Self::ReadResources => "read_resources",
            Self::WriteResources => "write_resources",
            Self::Insert => "insert",
            Self::Remove => "remove",
            Self::Update => "update",
        }
    }
}

/// What a system spawns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spawns {
    /// Nothing.
    Nothing,
    /// Bundles whose components the tables do not list.
    Anything,
    /// Bundles of exactly these components.
    Bundles(Vec<Vec<&'static str>>),
}

/// A system, as declared.
#[expect(clippy::struct_excessive_bools, reason = "each is an independent fact")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemDescription {
    index: usize,
    name: &'static str,
    lists: [Vec<&'static str>; List::ALL.len()],
    single_subtask: bool,
    exclusive: bool,
    sequential: bool,
    slice_dependent: bool,
    influence: Vec<&'static str>,
    opt_in: bool,
    query: bool,
    indexed: bool,
    queries: Vec<&'static str>,
    unordered: bool,
    has_entities: bool,
    despawns: bool,
    defers: bool,
    spawns: Spawns,
    parallelism: String,
    output: Option<String>,
    level: usize,
    phase: usize,
}

impl SystemDescription {
    /// The system's position in the declaration.
    pub fn index(&self) -> usize {
        self.index
    }

    /// The system's name in the declaration.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// A list of the signature, by name, in the order of declaration.
    pub fn list(&self, list: List) -> &[&'static str] {
        &self.lists[list as usize]
    }

    /// The components that the system can change of an existing entity, in the order of
    /// declaration: those that it writes, inserts, removes and updates, and all if it despawns entities or defers
    /// functions. The components of entities that it spawns are not among them. Systems with different influence need
    /// no order for their changes (Core ECS, corollary 4.8).
    pub fn influence(&self) -> &[&'static str] {
        &self.influence
    }

    /// Whether the system always is one subtask.
    pub fn is_single_subtask(&self) -> bool {
        self.single_subtask
    }

    /// Whether the one subtask reaches all of the system's entities in any order.
    pub fn is_exclusive(&self) -> bool {
        self.exclusive
    }

    /// Whether the system runs alone, and changes the world at once.
    pub fn is_sequential(&self) -> bool {
        self.sequential
    }

    /// Whether the system may ask how its entities were split.
    pub fn is_slice_dependent(&self) -> bool {
        self.slice_dependent
    }

    /// Whether entities subscribe by hand.
    pub fn is_opt_in(&self) -> bool {
        self.opt_in
    }

    /// Whether the system is a query, whose members other systems read.
    pub fn is_query(&self) -> bool {
        self.query
    }

    /// Whether the system is a query that builds an index of its members. A query without an index is never executed.
    pub fn is_indexed(&self) -> bool {
        self.indexed
    }

    /// The queries whose members the system reads, by name, in the order of declaration.
    pub fn queries(&self) -> &[&'static str] {
        &self.queries
    }

    /// Whether the system receives a stream in any order.
    pub fn is_unordered(&self) -> bool {
        self.unordered
    }

    /// Whether the system is subscribed to entities; if not, it runs once per execution.
    pub fn has_entities(&self) -> bool {
        self.has_entities
    }

    /// Whether the system despawns entities.
    pub fn despawns(&self) -> bool {
        self.despawns
    }

    /// Whether the system defers functions.
    pub fn defers(&self) -> bool {
        self.defers
    }

    /// What the system spawns.
    pub fn spawns(&self) -> &Spawns {
        &self.spawns
    }

    /// The type of the [`Strategy`](crate::inner_parallelism::Strategy) that splits the system,
    /// without module paths. The compiler's name of a type may change with its version.
    pub fn parallelism(&self) -> &str {
        &self.parallelism
    }

    /// The type of the output of each subtask, in the same form; `None` if it is `()`.
    pub fn output(&self) -> Option<&str> {
        self.output.as_deref()
    }

    /// The number of edges on the longest path to the system from one without dependencies. Systems of
    /// one level never wait for each other. The sender of a stream also waits for the dependencies of its receiver.
    pub fn level(&self) -> usize {
        self.level
    }

    /// The [phase](crate::signature::Phases) that the system runs in, from 0.
    pub fn phase(&self) -> usize {
        self.phase
    }
}

/// The types of a system, by name.
struct Types {
    parallelism: String,
    output: Option<String>,
}

struct NameTypes;

impl<D: Declaration> SystemVisitor<D> for NameTypes {
    type Output = Types;

    fn visit<N: SystemName<D>>(self) -> Types {
        let output = type_name::<N::Output>();
        Types {
            parallelism: short_name(type_name::<N::Parallelism>()),
            output: (output != "()").then(|| short_name(output)),
        }
    }
}

pub(super) fn describe<D: Declaration>(
    index: usize,
    level: usize,
    phase: usize,
) -> SystemDescription {
    let signature = &D::SYSTEMS[index];
    let lists = List::ALL.map(|list| {
        let components = match list {
            List::Read => signature.declared.read,
            List::Write => signature.declared.write,
            List::ReadOptional => signature.declared.read_optional,
            List::WriteOptional => signature.declared.write_optional,
            List::ReadAny => signature.declared.read_any,
            List::With => signature.declared.with,
            List::Without => signature.declared.without,
            List::Insert => signature.declared.insert,
            List::Remove => signature.declared.remove,
            List::Update => signature.declared.update,
            List::ReadResources => return resources::<D>(signature.declared.read_resources),
            List::WriteResources => return resources::<D>(signature.declared.write_resources),
        };
        self::components::<D>(components)
    });
    let Types { parallelism, output } = D::dispatch(index, NameTypes);
    SystemDescription {
        index,
        name: signature.name,
        lists,
        influence: influence::<D>(signature),
        single_subtask: signature.is_single_subtask(),
        exclusive: signature.declared.exclusive,
        sequential: signature.declared.sequential,
        slice_dependent: signature.declared.slice_dependent,
        opt_in: signature.declared.opt_in,
        query: signature.declared.query,
        indexed: signature.declared.indexed,
        queries: signature.declared.queries.iter().map(|&query| D::SYSTEMS[query].name).collect(),
        unordered: signature.declared.unordered,
        has_entities: signature.has_entities(),
        despawns: signature.declared.despawn,
        defers: signature.declared.defer,
        spawns: match (signature.declared.spawn, signature.declared.bundles) {
            (false, _) => Spawns::Nothing,
            (true, None) => Spawns::Anything,
            (true, Some(bundles)) => Spawns::Bundles(
                bundles.iter().map(|bundle| self::components::<D>(bundle)).collect(),
            ),
        },
        parallelism,
        output,
        level,
        phase,
    }
}

fn influence<D: Declaration>(signature: &SystemSignature) -> Vec<&'static str> {
    let (all, some) =
        (signature.declared.despawn || signature.declared.defer, signature.influence());
    let of = |&index: &usize| all || some.contains(index);
    (0..D::COMPONENTS.len()).filter(of).map(|index| D::COMPONENTS[index].name()).collect()
}

fn components<D: Declaration>(indices: &[usize]) -> Vec<&'static str> {
    indices.iter().map(|&index| D::COMPONENTS[index].name()).collect()
}

fn resources<D: Declaration>(indices: &[usize]) -> Vec<&'static str> {
    indices.iter().map(|&index| D::RESOURCES[index].name()).collect()
}
