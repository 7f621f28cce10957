//! The description of a system.

use core::any::type_name;

use ecs_rules::{Flag, Kind, List, Moment};

use super::short_name::short_name;
use crate::signature::{Declaration, StateSignature, SystemName, SystemVisitor};

/// What a system spawns.
///
/// ```
/// use ecs_core::description::{Description, Spawns};
/// # use ecs_core::world;
/// # struct Life(u32);
/// world! {
///     world Ward;
///     component Life;
///     system Admit { spawn: [Life], run: |data| data.effects.spawn((Life(80),)) }
/// }
/// let ward = Description::of::<Ward>();
/// assert_eq!(ward.systems()[0].spawns(), &Spawns::Bundles(vec![vec!["Life"]]));
/// ```
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
///
/// ```
/// use ecs_core::description::{Description, Flag, List};
/// # use ecs_core::{Entity, world};
/// # struct Life(u32);
/// world! {
///     world Ward;
///     component Life;
///     system Age {
///         despawn,
///         parallelism: split_evenly(4),
///         each: |entity: Entity, life: &mut Life, effects| {
///             life.0 -= 1;
///             if life.0 == 0 {
///                 effects.despawn(entity);
///             }
///         },
///     }
/// }
/// let ward = Description::of::<Ward>();
/// let age = ward.system("Age").unwrap();
/// assert_eq!(age.list(List::Write), ["Life"]);
/// assert!(age.has(Flag::Despawn) && age.has_entities() && !age.is_single_subtask());
/// assert_eq!(age.parallelism(), "SplitEvenly<4>");
/// ```
#[expect(clippy::struct_excessive_bools, reason = "each is an independent fact")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemDescription {
    index: usize,
    name: &'static str,
    lists: [Vec<&'static str>; List::ALL.len()],
    flags: [bool; Flag::ALL.len()],
    single_subtask: bool,
    influence: Vec<&'static str>,
    query: bool,
    indexed: bool,
    has_entities: bool,
    spawns: Spawns,
    parallelism: String,
    output: Option<String>,
    timing: Vec<String>,
    level: usize,
    phase: usize,
}

impl SystemDescription {
    getters! {
        /// The system's position in the declaration.
        index: usize = index;
        /// The system's name in the declaration.
        name: &'static str = name;
        /// The components that the system can change of an existing entity, in the order of
        /// declaration: those that it writes, inserts, removes and updates, and all if it despawns entities or defers
        /// functions. The components of entities that it spawns are not among them. Systems with different influence need
        /// no order for their changes (Core ECS, corollary 4.8).
        influence: &[&'static str] = &influence;
        /// Whether the system always is one subtask.
        is_single_subtask: bool = single_subtask;
        /// Whether the system is a query, whose members other systems read.
        is_query: bool = query;
        /// Whether the system is a query that builds an index of its members. A query without an index is never executed.
        is_indexed: bool = indexed;
        /// Whether the system is subscribed to entities; if not, it runs once per execution.
        has_entities: bool = has_entities;
        /// What the system spawns.
        spawns: &Spawns = &spawns;
        /// The type of the [`Strategy`](crate::inner_parallelism::Strategy) that splits the system,
        /// without module paths. The compiler's name of a type may change with its version.
        parallelism: &str = &parallelism;
        /// In which executions the system runs, if not in all: `in Mode::Playing`, `every 4`; and the states that it sets.
        timing: &[String] = &timing;
        /// The number of edges on the longest path to the system from one without dependencies. Systems of
        /// one level never wait for each other. The sender of a stream also waits for the dependencies of its receiver.
        level: usize = level;
        /// The [phase](crate::signature::Phases) that the system runs in, from 0.
        phase: usize = phase;
    }

    /// What a list of the signature names, in the order of declaration.
    pub fn list(&self, list: List) -> &[&'static str] {
        &self.lists[list as usize]
    }

    /// Whether the signature has the flag.
    pub fn has(&self, flag: Flag) -> bool {
        self.flags[flag as usize]
    }

    /// The type of the output of each subtask, in the form of [`parallelism`](Self::parallelism); `None` if it is `()`.
    pub fn output(&self) -> Option<&str> {
        self.output.as_deref()
    }

    /// What the system accesses and does: `read Life`, `write Color`, `despawn`.
    pub(super) fn facts(&self) -> Vec<String> {
        let mut facts = Vec::new();
        if self.is_query() {
            facts.push(if self.is_indexed() { "query with an index" } else { "query" }.to_owned());
        }
        let shown = |list: &&List| list.kind() != Kind::System || **list == List::Queries;
        for list in List::ALL.iter().filter(shown) {
            if !self.list(*list).is_empty() {
                facts.push(format!("{} {}", list.key(), self.list(*list).join(", ")));
            }
        }
        match self.spawns() {
            Spawns::Nothing => {}
            Spawns::Anything => facts.push("spawn".to_owned()),
            Spawns::Bundles(bundles) => {
                let bundles = bundles.iter().map(|bundle| format!("({})", bundle.join(", ")));
                facts.push(format!("spawn {}", bundles.collect::<Vec<_>>().join(", ")));
            }
        }
        let flags = Flag::ALL.iter().filter(|flag| self.has(**flag));
        facts.extend(flags.map(|flag| flag.key().to_owned()));
        facts.extend(self.timing.iter().cloned());
        if let Some(output) = self.output() {
            facts.push(format!("output {output}"));
        }
        facts
    }
}

/// What a system says of states, and of the number of the execution.
fn timing<D: Declaration>(index: usize) -> Vec<String> {
    let declared = &D::SYSTEMS[index].declared;
    let mut timing = Vec::new();
    let variants = declared.states.iter().flat_map(|&(state, mask)| {
        let StateSignature { name, variants } = D::STATES[state];
        let named = variants.iter().enumerate().filter(move |(at, _)| mask >> at & 1 != 0);
        named.map(move |(_, variant)| format!("{name}::{variant}"))
    });
    let variants: Vec<String> = variants.collect();
    if !variants.is_empty() {
        let key = match declared.moment {
            Moment::During => "in",
            Moment::Enter => "on_enter",
            Moment::Exit => "on_exit",
        };
        timing.push(format!("{key} {}", variants.join(", ")));
    }
    if declared.every > 0 {
        timing.push(format!("every {}", declared.every));
    }
    if !declared.set_states.is_empty() {
        let names = declared.set_states.iter().map(|&state| D::STATES[state].name);
        timing.push(format!("set_state {}", names.collect::<Vec<_>>().join(", ")));
    }
    timing
}

/// Gives names to the parallelism and the output of a system.
struct NameTypes;

impl<D: Declaration> SystemVisitor<D> for NameTypes {
    type Output = (String, Option<String>);

    fn visit<N: SystemName<D>>(self) -> Self::Output {
        let (parallelism, output) = (type_name::<N::Parallelism>(), type_name::<N::Output>());
        (short_name(parallelism), (output != "()").then(|| short_name(output)))
    }
}

pub(super) fn describe<D: Declaration>(
    index: usize,
    level: usize,
    phase: usize,
) -> SystemDescription {
    let signature = &D::SYSTEMS[index];
    let declared = &signature.declared;
    let lists = core::array::from_fn(|list| {
        let list = List::ALL[list];
        let name = |&index: &usize| match list.kind() {
            Kind::Component => D::COMPONENTS[index].name(),
            Kind::Resource => D::RESOURCES[index].name(),
            Kind::System => D::SYSTEMS[index].name,
        };
        declared.list(list).iter().map(name).collect()
    });
    let components = |indices: &[usize]| -> Vec<&'static str> {
        indices.iter().map(|&index| D::COMPONENTS[index].name()).collect()
    };
    let (all, some) = (declared.despawn || declared.defer, signature.influence());
    let influence = (0..D::COMPONENTS.len()).filter(|&index| all || some.contains(index));
    let (parallelism, output) = D::dispatch(index, NameTypes);
    SystemDescription {
        index,
        name: signature.name,
        lists,
        flags: core::array::from_fn(|flag| declared.flag(Flag::ALL[flag])),
        influence: components(&influence.collect::<Vec<_>>()),
        single_subtask: signature.is_single_subtask(),
        query: declared.query,
        indexed: declared.indexed,
        has_entities: signature.has_entities(),
        spawns: if !declared.spawns() {
            Spawns::Nothing
        } else if declared.spawns_anything() {
            Spawns::Anything
        } else {
            let known = declared.bundles.iter().flatten();
            Spawns::Bundles(known.map(|bundle| components(bundle)).collect())
        },
        parallelism,
        output,
        timing: timing::<D>(index),
        level,
        phase,
    }
}
