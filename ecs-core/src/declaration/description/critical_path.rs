//! The critical path: a lower bound for the duration of an execution, on any number of threads.

use super::{Description, EdgeKind};

/// The most costly chain of systems in which each waits for the one before it.
///
/// An execution takes at least its [`length`](Self::length), and on one thread the
/// [`work`](Self::work). So running systems in parallel makes it at most `work / length` times as fast, on any number
/// of threads. Splitting a system of the path over subtasks shortens the path.
///
/// ```
/// # use ecs_core::{description::Description, world};
/// world! {
///     world Day;
///     system Wake { run: |_| {} }
///     system Rain { run: |_| {} }
///     system Work { dependencies: [Wake], run: |_| {} }
/// }
/// // Each system costs 1, or what a measurement says.
/// let path = Description::of::<Day>().critical_path();
/// assert_eq!(path.systems(), [0, 2]);
/// assert_eq!((path.length(), path.work()), (2, 3));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CriticalPath {
    systems: Vec<usize>,
    length: u64,
    work: u64,
}

impl CriticalPath {
    getters! {
        /// The systems of the path, in order, as positions in [`Description::systems`].
        systems: &[usize] = &systems;
        /// The total cost of these systems.
        length: u64 = length;
        /// The total cost of all systems.
        work: u64 = work;
    }
}

impl Description {
    /// The critical path if each system costs 1: a longest chain. Time as for
    /// [`critical_path_by`](Self::critical_path_by).
    #[must_use]
    pub fn critical_path(&self) -> CriticalPath {
        self.critical_path_by(|_| 1)
    }

    /// The critical path for given costs, such as measured nanoseconds, by a system's position in
    /// [`systems`](Self::systems). Sums of costs saturate at `u64::MAX`.
    /// O(phases × (systems + edges)), plus sorting.
    ///
    /// If there are several [phases](Self::phase_count), each phase waits for the whole of the previous one, so the
    /// path consists of the critical paths of all phases, one after the other. The two ends of a stream run at the same
    /// time, after the dependencies of both: together they cost as much as the more costly one. Of chains with the same
    /// cost, the path is the one whose last system is declared first, then the one before that, and so on.
    ///
    /// ```
    /// use ecs_core::description::Description;
    /// # use ecs_core::{Data, world};
    /// # fn parse(_: &mut Data<'_, Player, Parse>) {}
    /// # fn decode(_: &mut Data<'_, Player, Decode>) {}
    /// # fn mix(_: &mut Data<'_, Player, Mix>) {}
    /// world! {
    ///     world Player;
    ///     system Parse { run: parse }
    ///     system Decode { run: decode }
    ///     system Mix { dependencies: [Parse, Decode], run: mix }
    /// }
    /// let nanoseconds = [20, 300, 50];
    /// let path = Description::of::<Player>().critical_path_by(|system| nanoseconds[system]);
    /// assert_eq!(path.systems(), [1, 2]);
    /// assert_eq!((path.length(), path.work()), (350, 370));
    /// ```
    #[must_use]
    pub fn critical_path_by(&self, cost: impl Fn(usize) -> u64) -> CriticalPath {
        let costs: Vec<u64> = (0..self.systems.len()).map(cost).collect();
        let mut path = CriticalPath { systems: Vec::new(), length: 0, work: 0 };
        path.work = costs.iter().fold(0, |sum: u64, &cost| sum.saturating_add(cost));
        for phase in 0..self.phase_count {
            let (chain, length) = self.longest_chain(phase, &costs);
            path.systems.extend(chain);
            path.length = path.length.saturating_add(length);
        }
        path
    }

    /// The most costly chain within a phase, and its cost.
    fn longest_chain(&self, phase: usize, costs: &[u64]) -> (Vec<usize>, u64) {
        let mut costs = costs.to_vec();
        let mut producers = vec![None; costs.len()];
        for stream in self.edges.iter().filter(|edge| edge.kind() == EdgeKind::Stream) {
            producers[stream.to()] = Some(stream.from());
            costs[stream.from()] = costs[stream.from()].max(costs[stream.to()]);
            costs[stream.to()] = 0;
        }
        // By level, so that a system comes after all its dependencies.
        let mut members: Vec<usize> =
            (0..costs.len()).filter(|&s| self.systems[s].phase() == phase).collect();
        members.sort_by_key(|&s| self.systems[s].level());
        let mut waits_for = vec![Vec::new(); costs.len()];
        for edge in &self.edges {
            if self.systems[edge.from()].phase() == phase {
                waits_for[edge.to()].push(edge.from());
                if let Some(producer) = producers[edge.to()].filter(|&p| p != edge.from()) {
                    waits_for[producer].push(edge.from());
                }
            }
        }
        let mut until = vec![0_u64; costs.len()];
        let mut previous = vec![None; costs.len()];
        let costliest = |among: &[usize], until: &[u64]| {
            // Nearly in ascending order; `max_by_key` alone would take the last of equal ones.
            among.iter().copied().rev().max_by_key(|&s| until[s])
        };
        for &system in &members {
            previous[system] = costliest(&waits_for[system], &until);
            let before = previous[system].map_or(0, |previous| until[previous]);
            until[system] = costs[system].saturating_add(before);
        }
        members.sort_unstable();
        let last = costliest(&members, &until);
        let mut chain: Vec<usize> =
            core::iter::successors(last, |&system| previous[system]).collect();
        chain.reverse();
        (chain, last.map_or(0, |last| until[last]))
    }
}
