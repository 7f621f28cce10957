//! Whether a step is for the calling thread alone, or for all: whichever was faster when both were tried.
//!
//! It is one decision for all executions and refreshes of a step. What one of them has touched lies in the caches of
//! the threads that did it, and threads that have just been awake wake up sooner: so to share some of them may gain
//! nothing where to share all of them gains half.

use std::time::Duration;

use super::Threads;
use super::costs::{Measured, Plan};
use super::trial::{Trials, Turn, Way};

/// It is tried what pays if there is work to share that takes so many nanoseconds alone, and up to four thousand times as much.
const LEAST: u64 = 2_000;

/// So many nanoseconds are reckoned for an entity that a refresh sees to.
const ENTITY: u64 = 16;

/// How steps of a world are done.
#[derive(Debug)]
pub(crate) struct Sharing {
    trials: Trials,
    turn: Turn,
    /// What there was to share in this step, in about as many nanoseconds as it takes alone; and how long it took.
    work: u64,
    time: Duration,
    /// Whether the nodes were measured since all was shared.
    known: bool,
    /// Whether something was measured in this step that takes time by itself.
    disturbed: bool,
    /// The work of the last step that had some to share. There is probably as much in the next one.
    before: u64,
}

impl Default for Sharing {
    fn default() -> Self {
        Self {
            trials: Trials::new(LEAST),
            turn: Turn { way: Way::Shared, tried: false },
            work: 0,
            time: Duration::ZERO,
            known: false,
            disturbed: false,
            before: 0,
        }
    }
}

impl Sharing {
    /// Begins a step. O(1).
    #[inline]
    pub(crate) fn begin(&mut self, threads: &Threads) {
        if self.before > 0 && !threads.is_eager() && threads.threads() > 1 {
            self.begin_anew();
        }
    }

    #[inline(never)]
    fn begin_anew(&mut self) {
        self.turn = self.trials.turn(self.before);
        (self.work, self.time, self.disturbed) = (0, Duration::ZERO, false);
    }

    /// How to do so much work. If it is suddenly far more than in the step before, it is taken that it pays.
    fn way(&self, work: u64) -> Way {
        if work / 4 > self.before { Way::Shared } else { self.turn.way }
    }

    /// How to do an execution that has to share so much, going by what its nodes have cost.
    pub(super) fn plan(&mut self, plan: Plan, work: u64) -> Plan {
        self.work = self.work.saturating_add(work);
        if plan.measured != Measured::Nothing {
            self.disturbed = true;
            return plan;
        }
        let alone = self.way(work) == Way::Alone;
        let measured = match self.turn.tried {
            true if alone && !self.known => Measured::Nodes,
            true => Measured::Tried,
            false => Measured::Nothing,
        };
        self.disturbed |= measured == Measured::Nodes;
        Plan { alone, measured, ..plan }
    }

    /// Whether refreshes are to be [timed](Self::add_refresh).
    pub(crate) fn is_tried(&self) -> bool {
        self.turn.tried
    }

    /// Up to how many entities a stage of a refresh is for the calling thread alone; 0 if nothing speaks for that.
    pub(crate) fn entities_alone(&self) -> usize {
        match self.turn.way {
            Way::Shared => 0,
            Way::Alone => usize::try_from(self.before / ENTITY * 4).unwrap_or(usize::MAX),
        }
    }

    /// An execution whose time was [asked for](Plan::is_tried) took so long, with all it took to wake other threads.
    pub(crate) fn add(&mut self, time: Duration) {
        self.time += time;
    }

    /// What takes place in this step says nothing of how long it takes.
    pub(crate) fn disturb(&mut self) {
        self.disturbed = true;
    }

    /// The stages of a refresh that had much to do saw to so many entities; it took so long if it was asked for.
    pub(crate) fn add_refresh(&mut self, entities: usize, time: Option<Duration>) {
        self.work = self.work.saturating_add(entities as u64 * ENTITY);
        self.time += time.unwrap_or_default();
    }

    /// Ends a step. O(1).
    #[inline]
    pub(crate) fn end(&mut self) {
        if self.work > 0 || self.turn.tried {
            self.end_anew();
        }
    }

    #[inline(never)]
    fn end_anew(&mut self) {
        let Turn { way, tried } = self.turn;
        if self.disturbed {
            self.known = true;
        } else if tried
            && self.work > 0
            && self.work / 4 <= self.before
            && self.before / 4 <= self.work
        {
            self.known &= way == Way::Alone;
            self.trials.note(way, self.before, self.time);
        }
        if self.work > 0 {
            self.before = self.work;
        }
        (self.work, self.turn.tried) = (0, false);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    const SHARED: Plan = Plan { alone: false, eager: false, measured: Measured::Nothing };

    fn pool() -> Threads {
        Threads::Pool(Arc::new(rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap()))
    }

    /// A step with an execution and a refresh, each of which takes so many microseconds alone, and so many shared.
    /// Whether they were shared.
    fn step(sharing: &mut Sharing, threads: &Threads, alone: u64, shared: u64) -> [bool; 2] {
        sharing.begin(threads);
        let plan = sharing.plan(SHARED, alone * 1_000);
        let entities = (alone * 1_000 / ENTITY) as usize;
        let ways = [!plan.alone, sharing.entities_alone() < entities];
        let micros = |is_shared| Duration::from_micros(if is_shared { shared } else { alone });
        if plan.is_tried() {
            sharing.add(micros(ways[0]));
        }
        let time = sharing.is_tried().then(|| micros(ways[1]));
        sharing.add_refresh(entities, time);
        sharing.end();
        ways
    }

    #[test]
    fn all_of_a_step_is_shared_or_nothing() {
        let threads = &pool();
        for (alone, shared) in [(100, 60), (100, 140)] {
            let mut sharing = Sharing::default();
            let steps: Vec<_> =
                (0..100).map(|_| step(&mut sharing, threads, alone, shared)).collect();
            assert!(steps.iter().all(|[one, other]| one == other));
            assert_eq!(steps[0], [true; 2], "nothing is known");
            assert!(steps.contains(&[false; 2]), "it was tried");
            assert_eq!(steps[99], [shared < alone; 2]);
        }
    }

    #[test]
    fn nodes_are_measured_when_they_are_alone_for_the_first_time() {
        let (threads, mut sharing) = (&pool(), Sharing::default());
        let mut measured = || {
            sharing.begin(threads);
            let plan = sharing.plan(SHARED, 100_000);
            sharing.add(Duration::from_micros(100));
            sharing.end();
            (plan.alone, plan.measured)
        };
        let plans: Vec<_> = (0..100).map(|_| measured()).collect();
        let first = plans.iter().position(|&(alone, _)| alone).expect("it was tried");
        assert_eq!(plans[first], (true, Measured::Nodes));
        assert_eq!(plans[first + 1], (true, Measured::Tried));
        assert_eq!(plans.iter().filter(|&&(_, measured)| measured == Measured::Nodes).count(), 1);
    }

    #[test]
    fn what_is_suddenly_far_more_is_shared() {
        let (threads, mut sharing) = (&pool(), Sharing::default());
        for _ in 0..100 {
            step(&mut sharing, threads, 100, 200);
        }
        assert_eq!(step(&mut sharing, threads, 100, 200), [false; 2]);
        assert_eq!(step(&mut sharing, threads, 1_000, 2_000), [true; 2]);
    }

    #[test]
    fn where_there_is_nothing_to_share_nothing_is_tried() {
        let (threads, mut sharing) = (&pool(), Sharing::default());
        for _ in 0..100 {
            sharing.begin(threads);
            assert!(!sharing.is_tried());
            sharing.end();
        }
        for _ in 0..100 {
            step(&mut sharing, &Threads::Inline, 100, 200);
        }
        assert_eq!(step(&mut sharing, &Threads::Inline, 100, 200), [true; 2], "it is one thread");
    }
}
