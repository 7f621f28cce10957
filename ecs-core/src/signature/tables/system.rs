//! System signatures: what a system accesses, depends on and may do (thesis, 7.1.2).

use ecs_rules::{Moment, System as Declared, influence};

use crate::output::Output;
use crate::scheduling::inner_parallelism::Strategy;
use crate::signature::{Declaration, SystemName};
use crate::types::{IndexSet, TypeInfo};

/// The maximal number of systems of a declaration.
pub const MAX_SYSTEMS: usize = ecs_rules::MOST;

/// The declared properties of one system, by index. Built up like the thesis's signature options.
///
/// ```
/// # use ecs_core::{Declaration, world};
/// # struct Heat(u32);
/// world! {
///     world Room;
///     component Heat;
///     system Warm { each: |heat: &mut Heat| heat.0 += 1 }
/// }
/// let warm = &Room::SYSTEMS[0];
/// assert!(warm.has_entities() && warm.is_single_subtask());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SystemSignature {
    pub(crate) name: &'static str,
    pub(crate) info: TypeInfo,
    /// What the rules are about.
    pub(crate) declared: Declared<'static>,
}

/// Whether there is a sequential system.
pub(crate) const fn any_sequential(systems: &[SystemSignature]) -> bool {
    for_each!(s < systems.len(), {
        if systems[s].declared.sequential {
            return true;
        }
    });
    false
}

/// Whether a system adds to a resource, emits or reads events, or changes links.
pub(crate) const fn any_contributes(systems: &[SystemSignature]) -> bool {
    for_each!(s < systems.len(), {
        let Declared { add, emit, on, link, .. } = &systems[s].declared;
        if !matches!((add, emit, on, link), ([], [], [], [])) {
            return true;
        }
    });
    false
}

/// Whether a system defers functions.
pub(crate) const fn any_defers(systems: &[SystemSignature]) -> bool {
    for_each!(s < systems.len(), {
        if systems[s].declared.defer {
            return true;
        }
    });
    false
}

/// Whether a system draws random numbers.
pub(crate) const fn any_random(systems: &[SystemSignature]) -> bool {
    for_each!(s < systems.len(), {
        if systems[s].declared.random {
            return true;
        }
    });
    false
}

/// Whether a system spawns entities.
pub(crate) const fn any_spawns(systems: &[SystemSignature]) -> bool {
    for_each!(s < systems.len(), {
        if systems[s].declared.spawns() {
            return true;
        }
    });
    false
}

/// Whether there is an opt-in system.
pub(crate) const fn any_opt_in(systems: &[SystemSignature]) -> bool {
    for_each!(s < systems.len(), {
        if systems[s].declared.opt_in {
            return true;
        }
    });
    false
}

/// Generates a `const` setter for each list and each flag.
macro_rules! setters {
    (
        lists { $($(#[$list_doc:meta])* $List:ident $list:ident $list_key:literal $kind:ident;)* }
        flags { $($(#[$flag_doc:meta])* $Flag:ident $flag:ident $flag_key:literal;)* }
    ) => {
        impl SystemSignature {
            $(
                $(#[$list_doc])*
                #[must_use]
                pub const fn $list(mut self, indices: &'static [usize]) -> Self {
                    self.declared.$list = indices;
                    self
                }
            )*
            $(
                $(#[$flag_doc])*
                #[must_use]
                pub const fn $flag(mut self) -> Self {
                    self.declared.$flag = true;
                    self
                }
            )*
        }
    };
}

ecs_rules::keys!(setters);

setters! {
    lists {}
    flags {
        /// The system is a query: it may be listed in [`queries`](Self::queries), and is not executed, unless it is
        /// [`indexed`](Self::indexed).
        Query query "query";
        /// The system is the end of a stage: it does nothing, so no effect comes too late for it.
        Stage stage "stage";
        /// The query has an index, which is built when the query is executed.
        Indexed indexed "indexed";
    }
}

/// Generates one method per property that follows from what is declared.
macro_rules! derived {
    ($($(#[$doc:meta])* $name:ident: $type:ty;)*) => {$(
        $(#[$doc])*
        #[must_use]
        pub const fn $name(&self) -> $type {
            self.declared.$name()
        }
    )*};
}

impl SystemSignature {
    /// The signature of the system `N` with nothing declared yet but its condition.
    #[must_use]
    pub const fn new<D: Declaration, N: SystemName<D>>(name: &'static str) -> Self {
        Self {
            name,
            info: TypeInfo::of::<N>(),
            declared: Declared {
                single_subtask: <N::Parallelism as Strategy>::SINGLE_SUBTASK,
                output_concatenates: <N::Output as Output>::CONCATENATES,
                output_is_ordered: <N::Output as Output>::ORDERED,
                output_streams: <N::Output as Output>::STREAM_END.0.is_some(),
                run_if: match &N::CONDITION {
                    Some(condition) => condition.reads(),
                    None => &[],
                },
                ..Declared::BLANK
            },
        }
    }

    /// The system spawns entities with these bundles only: the components of each, or `None` for a type that puts
    /// components of its choice.
    #[must_use]
    pub const fn spawn(mut self, bundles: &'static [Option<&'static [usize]>]) -> Self {
        self.declared.bundles = bundles;
        self
    }

    /// The query has an index that is made from these components alone.
    #[must_use]
    pub const fn indexed_by(mut self, components: &'static [usize]) -> Self {
        self.declared.indexed = true;
        self.declared.index = Some(components);
        self
    }

    /// Pairs of a query and a component that the system reads of its members. Through a query without such a pair, it
    /// reads all that the query shows.
    #[must_use]
    pub const fn through(mut self, pairs: &'static [(usize, usize)]) -> Self {
        self.declared.through = pairs;
        self
    }

    /// Those of the emitted events that are delayed until the next step.
    #[must_use]
    pub const fn delayed(mut self, events: &'static [usize]) -> Self {
        self.declared.delayed = events;
        self
    }

    /// The system runs only in these variants of states, as masks: for each state in one of them.
    #[must_use]
    pub const fn in_states(mut self, states: &'static [(usize, u64)]) -> Self {
        self.declared.states = states;
        self
    }

    /// The system runs when one of these variants of states is entered, and at no other time.
    #[must_use]
    pub const fn on_enter(mut self, states: &'static [(usize, u64)]) -> Self {
        (self.declared.moment, self.declared.states) = (Moment::Enter, states);
        self
    }

    /// The system runs when one of these variants of states is left, and at no other time.
    #[must_use]
    pub const fn on_exit(mut self, states: &'static [(usize, u64)]) -> Self {
        (self.declared.moment, self.declared.states) = (Moment::Exit, states);
        self
    }

    /// The states that the system sets.
    #[must_use]
    pub const fn set_state(mut self, states: &'static [usize]) -> Self {
        self.declared.set_states = states;
        self
    }

    /// The system runs in the first of each `n` executions.
    #[must_use]
    pub const fn every(mut self, n: u32) -> Self {
        self.declared.every = n;
        self
    }

    /// The system's name in the declaration.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    derived! {
        /// Whether the system is never executed: it is a query without an index. What it reads, its
        /// users read.
        is_idle: bool;
        /// Whether the signature forces one subtask (`parallelism: none`, `exclusive`, `sequential` or
        /// `streams`).
        is_single_subtask: bool;
        /// Whether the system is subscribed to entities. A system that names no component has none: it runs
        /// once per execution, or once for each part of its events.
        has_entities: bool;
        /// Whether the subtasks of the system share the events that it reads, as it has no entities.
        shares_events: bool;
        /// Components that the users of the query read of its members.
        shown: IndexSet;
        /// Components that an entity needs for the system to subscribe to it (14.2).
        required: IndexSet;
        /// Components that keep the system from subscribing.
        excluded: IndexSet;
        /// Components accessed of entities that have them.
        optional: IndexSet;
        /// Components of own entities that the system may read.
        readable: IndexSet;
        /// Components of own entities that the system reads when it is executed. Of a query, these are those that its
        /// index is made from.
        touched: IndexSet;
        /// Components that the system may write at once.
        writable: IndexSet;
    }

    /// The components that the system can change of an existing entity: those that it writes, inserts, removes and
    /// updates. The entities that it spawns are left out, because no other system has their handles (Core ECS, 4.2:
    /// infl). A system that despawns or [defers](Self::defer) functions can change all components, which this set does
    /// not show.
    #[must_use]
    pub const fn influence(&self) -> IndexSet {
        influence::of(&self.declared)
    }

    /// Whether changes of the system happen at the refresh.
    pub(crate) const fn stages(&self) -> bool {
        self.declared.stages()
    }

    /// Whether the system may leave work for the refresh.
    pub(crate) const fn stages_work(&self) -> bool {
        let declared = &self.declared;
        let changes = declared.insert.len()
            + declared.remove.len()
            + declared.update.len()
            + declared.accumulate.len();
        let stages = declared.despawn || declared.spawns() || declared.defer || changes > 0;
        self.stages() && stages || !declared.set_states.is_empty()
    }
}
