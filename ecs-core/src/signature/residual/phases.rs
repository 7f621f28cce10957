//! Phases: which systems run between two refreshes of one execution.

use super::super::bits::{SystemBits, WORDS, add, has, intersect};
use super::super::check::{all_done, ancestors};
use super::super::{Declaration, MAX_SYSTEMS, StagedChanges, SystemName, SystemSignature};
use super::staging::Staging;

/// The phases of a declaration: an execution runs the systems of one phase after those of another,
/// and refreshes between.
///
/// There is one phase, unless the declaration says
/// [`RefreshBeforeDependents`](StagedChanges::RefreshBeforeDependents). Then a system is in the first
/// phase such that every system before it, however remotely, is in the same or an earlier one, and
/// those that stage something which can change what it sees are in an earlier one. So there are no
/// more refreshes than the longest path of such pairs.
///
/// ```
/// use ecs_core::signature::Phases;
/// # use ecs_core::{Data, System, world};
/// # struct Life(u32);
/// # struct Seed(u32);
/// # #[derive(Default)] struct Age;
/// # #[derive(Default)] struct Sow;
/// # #[derive(Default)] struct Draw;
/// # impl System<Garden> for Age { fn process(&self, _: &mut Data<'_, Garden, Self>) {} }
/// # impl System<Garden> for Sow { fn process(&self, _: &mut Data<'_, Garden, Self>) {} }
/// # impl System<Garden> for Draw { fn process(&self, _: &mut Data<'_, Garden, Self>) {} }
/// world! {
///     world Garden { staged_changes: refresh_before_dependents }
///     component Life: contiguous_buffer;
///     component Seed: contiguous_buffer;
///     system Age { write: [Life], spawn: [(Seed,)] }
///     system Sow { write: [Life], dependencies: [Age] } // nothing new for it
///     system Draw { read: [Seed], dependencies: [Sow] } // new seeds
/// }
/// const PHASES: Phases = Phases::of::<Garden>();
/// assert_eq!(PHASES.count(), 2);
/// assert_eq!(PHASES.phase_of::<Garden, Sow>(), 0);
/// assert_eq!(PHASES.phase_of::<Garden, Draw>(), 1);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Phases {
    phases: [u16; MAX_SYSTEMS],
    count: usize,
}

impl Phases {
    /// The phases of the declaration `D`. It is meant for `const` evaluation, where it takes time in
    /// the number of systems and of what they declare.
    ///
    /// # Panics
    /// If an index in the tables is out of range, or dependencies form a cycle
    /// ([`check`](super::super::check()) says so with more words).
    #[must_use]
    pub const fn of<D: Declaration>() -> Self {
        match D::STAGED_CHANGES {
            StagedChanges::RefreshBeforeDependents => {
                Self::between_refreshes(D::SYSTEMS, &ancestors(D::SYSTEMS))
            }
            StagedChanges::AfterStep | StagedChanges::Deny => Self::ONE,
        }
    }

    /// Every system in one phase.
    const ONE: Self = Self { phases: [0; MAX_SYSTEMS], count: 1 };

    /// How many phases there are: at least 1.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.count
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
        self.phases[index] as usize
    }

    /// All of a system's ancestors are in its own phase or earlier, so only those in the highest phase
    /// of an ancestor can push it on, by one. And that phase is reached by a direct dependency.
    #[expect(clippy::large_stack_arrays, reason = "it runs in the compiler")]
    pub(in crate::signature) const fn between_refreshes(
        systems: &[SystemSignature],
        ancestors: &[SystemBits; MAX_SYSTEMS],
    ) -> Self {
        let staging = Staging::of(systems);
        let mut this = Self::ONE;
        let mut members = [[0; WORDS]; MAX_SYSTEMS];
        let mut done = [0; WORDS];
        let mut finished = 0;
        // Rounds over the systems, as for the ancestors: those have shown that there is no cycle.
        while finished < systems.len() {
            let mut s = 0;
            while s < systems.len() {
                let system = &systems[s];
                if !has(&done, s)
                    && all_done(system.after, &done)
                    && all_done(system.inputs, &done)
                    && all_done(system.queries, &done)
                {
                    let phase = this.latest(system.inputs, this.latest(system.queries, 0));
                    let mut phase = this.latest(system.after, phase);
                    let mut among = members[phase as usize];
                    intersect(&mut among, &ancestors[s]);
                    if staging.source(systems, &among, s).is_some() {
                        phase += 1;
                    }
                    this.phases[s] = phase;
                    if this.count <= phase as usize {
                        this.count = phase as usize + 1;
                    }
                    add(&mut members[phase as usize], s);
                    add(&mut done, s);
                    finished += 1;
                }
                s += 1;
            }
        }
        this
    }

    /// The highest phase of the systems, but at least `phase`.
    const fn latest(&self, systems: &[usize], mut phase: u16) -> u16 {
        let mut i = 0;
        while i < systems.len() {
            if self.phases[systems[i]] > phase {
                phase = self.phases[systems[i]];
            }
            i += 1;
        }
        phase
    }
}
