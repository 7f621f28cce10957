//! Phases: the systems that run between two refreshes of one execution.

use ecs_rules::order;

use super::super::ancestors::{Ancestors, ancestors, ancestors_with_streams};
use super::alone;
use super::staging::Staging;
use crate::signature::tables::system::any_sequential;
use crate::signature::{
    Declaration, MAX_SYSTEMS, MergeOrder, StagedChanges, SystemName, SystemSignature, Tables,
};
use crate::types::IndexSet;

/// The phases of a declaration. An execution runs the systems of one phase after those of another.
///
/// There is one phase, unless a system has `sees: [..]`, or the declaration says
/// [`RefreshBeforeDependents`](StagedChanges::RefreshBeforeDependents). Then there is a refresh before each phase, and a
/// system is in the first phase that satisfies these conditions: its ancestors are in the same or earlier phases; the
/// systems in its `sees` are in earlier phases; and, under that rule, so are ancestors that stage something which can
/// change what it sees. So there are no more refreshes than the longest path of such pairs. A query with an
/// index is in the phase of the first system that uses it.
///
/// In addition, each `sequential` system has a phase to itself, whatever the declaration says. Its ancestors
/// are in earlier phases, its descendants in later ones, and all other systems are in the earliest phase possible.
/// That makes phases which do not [begin with a refresh](Self::begins_with_refresh).
///
/// A refresh that only changes components of existing entities does not wait for systems that name none of these and stage
/// nothing. They go on beside it and beside the next phase, with the same result.
/// [`Description::barriers`](crate::description::Description::barriers) has the refreshes with these systems, and with those that
/// each one holds up.
///
/// ```
/// use ecs_core::signature::Phases;
/// # use ecs_core::{Data, world};
/// # struct Life(u32);
/// # struct Seed(u32);
/// # fn age(_: &mut Data<'_, Garden, Age>) {}
/// # fn sow(_: &mut Data<'_, Garden, Sow>) {}
/// # fn draw(_: &mut Data<'_, Garden, Draw>) {}
/// world! {
///     world Garden { staged_changes: refresh_before_dependents }
///     component Life, Seed;
///     system Age { write: [Life], spawn: [Seed], run: age }
///     system Sow { write: [Life], dependencies: [Age], run: sow } // nothing new for it
///     system Draw { read: [Seed], dependencies: [Sow], run: draw } // new seeds
/// }
/// const PHASES: Phases = Phases::of::<Garden>();
/// assert_eq!(PHASES.count(), 2);
/// assert_eq!(PHASES.phase_of::<Garden, Sow>(), 0);
/// assert_eq!(PHASES.phase_of::<Garden, Draw>(), 1);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Phases {
    pub(super) by_system: [u16; MAX_SYSTEMS],
    pub(super) count: usize,
    /// Which phases begin with a refresh.
    pub(super) refreshes: IndexSet,
}

impl Phases {
    /// The phases of the declaration `D`. Intended for `const` evaluation. It takes time in
    /// the number of systems and of what they declare.
    ///
    /// # Panics
    /// If an index in the tables is out of range, or dependencies form a cycle
    /// ([`check`](super::super::check()) has more precise messages).
    #[must_use]
    pub const fn of<D: Declaration>() -> Self {
        Self::of_tables(Tables::of::<D>())
    }

    /// As [`of`](Self::of), for any tables.
    ///
    /// # Panics
    /// As [`of`](Self::of).
    #[must_use]
    pub const fn of_tables(tables: Tables<'_>) -> Self {
        let systems = tables.systems;
        let phases = if Self::may_refresh(tables) {
            Self::between_refreshes(systems, tables.staged_changes, &ancestors(systems))
        } else {
            Self::ONE
        };
        if any_sequential(systems) {
            alone::split(&phases, systems, &ancestors_with_streams(systems))
        } else {
            phases
        }
    }

    /// Every system in one phase.
    pub(super) const ONE: Self =
        Self { by_system: [0; MAX_SYSTEMS], count: 1, refreshes: IndexSet::EMPTY };

    /// Whether there may be a refresh between two systems of an execution.
    pub(in crate::signature) const fn may_refresh(tables: Tables<'_>) -> bool {
        if matches!(tables.staged_changes, StagedChanges::RefreshBeforeDependents) {
            return true;
        }
        for_each!(s < tables.systems.len(), {
            if !matches!(tables.systems[s].declared.sees, []) {
                return true;
            }
        });
        false
    }

    /// The number of phases: at least 1.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.count
    }

    /// Whether there is always a refresh before this phase if something was staged. Under
    /// [`RefreshBeforeDependents`](StagedChanges::RefreshBeforeDependents), there is also one before the first phase
    /// that an execution runs.
    ///
    /// # Panics
    /// If the phase is not below [`MAX_SYSTEMS`].
    #[must_use]
    pub const fn begins_with_refresh(&self, phase: usize) -> bool {
        self.refreshes.contains(phase)
    }

    /// Whether an execution refreshes at all, by this rule.
    pub(crate) const fn refreshes(&self, rule: StagedChanges) -> bool {
        matches!(rule, StagedChanges::RefreshBeforeDependents) || !self.refreshes.is_empty()
    }

    /// The phase of the system `N`, from 0.
    #[must_use]
    pub const fn phase_of<D: Declaration, N: SystemName<D>>(&self) -> usize {
        self.phase(N::INDEX)
    }

    /// The phase of the system at an index, from 0.
    ///
    /// # Panics
    /// If the index is not below [`MAX_SYSTEMS`].
    #[must_use]
    pub const fn phase(&self, index: usize) -> usize {
        self.by_system[index] as usize
    }

    /// The phases with refreshes between them. All ancestors of a system are in its own phase or earlier, so only those
    /// in the highest phase of an ancestor can move it on, by one phase. A direct dependency is in that phase. What a
    /// system says that it sees moves it on under any rule, and other effects under
    /// [`RefreshBeforeDependents`](StagedChanges::RefreshBeforeDependents) only.
    #[expect(clippy::large_stack_arrays, reason = "it runs in the compiler")]
    pub(in crate::signature) const fn between_refreshes(
        systems: &[SystemSignature],
        rule: StagedChanges,
        ancestors: &Ancestors,
    ) -> Self {
        let staging = match rule {
            StagedChanges::RefreshBeforeDependents => Some(Staging::of(systems)),
            StagedChanges::AfterStep | StagedChanges::Deny => None,
        };
        let mut this = Self::ONE;
        let mut members = [IndexSet::EMPTY; MAX_SYSTEMS];
        let order = MergeOrder::of(systems);
        for_each!(i < order.len, {
            let s = order.systems[i] as usize;
            let [after, inputs, queries, sees] = order::declared(&systems[s].declared);
            let phase = this.latest(inputs, this.latest(queries, 0));
            let mut phase = this.latest(sees, this.latest(after, phase));
            let mut among = members[phase as usize];
            let is_seen = !among.is_disjoint(&IndexSet::of(sees));
            among.intersect(&ancestors[s]);
            let is_late = match &staging {
                Some(staging) => staging.source(systems, &among, s).is_some(),
                None => false,
            };
            if is_seen || is_late {
                phase += 1;
                this.refreshes.add(phase as usize);
            }
            this.by_system[s] = phase;
            if this.count <= phase as usize {
                this.count = phase as usize + 1;
            }
            members[phase as usize].add(s);
        });
        this.move_indices(systems);
        this
    }

    /// Moves each query with an index on to the first phase of those that run after it. Nothing sees what it does but its
    /// users, and an index of an earlier phase would not serve them. It stays before systems that have it in `sees`.
    const fn move_indices(&mut self, systems: &[SystemSignature]) {
        let mut first = [u16::MAX; MAX_SYSTEMS];
        for_each!(s < systems.len(), {
            let [after, inputs, queries, sees] = order::declared(&systems[s].declared);
            let phase = self.by_system[s];
            // What sees something is not in the first phase.
            let limits = [
                (after, phase),
                (inputs, phase),
                (queries, phase),
                (sees, phase.saturating_sub(1)),
            ];
            for_each!(list < limits.len(), {
                let (before, phase) = limits[list];
                for_each!(i < before.len(), {
                    if phase < first[before[i]] {
                        first[before[i]] = phase;
                    }
                });
            });
        });
        for_each!(s < systems.len(), {
            let system = &systems[s];
            let indexed = system.declared.query && system.declared.indexed;
            let changes = system.declared.sequential || system.stages_work();
            if indexed && !changes && first[s] < u16::MAX {
                self.by_system[s] = first[s];
            }
        });
    }

    /// The highest phase of the systems, but at least `phase`.
    const fn latest(&self, systems: &[usize], mut phase: u16) -> u16 {
        for_each!(i < systems.len(), {
            if self.by_system[systems[i]] > phase {
                phase = self.by_system[systems[i]];
            }
        });
        phase
    }
}

/// The phases of a declaration, evaluated once.
pub(crate) trait HasPhases: Declaration {
    /// The phases.
    const PHASES: &'static Phases;
}

impl<D: Declaration> HasPhases for D {
    const PHASES: &'static Phases = &Phases::of::<D>();
}
