//! The order in which a refresh applies what systems have staged.

use ecs_rules::order;

use super::{MAX_SYSTEMS, SystemSignature};
use crate::types::IndexSet;

/// All systems, each after its dependencies, otherwise in the order of declaration. So if an
/// order says which of two changes is the later one, that one counts, regardless of the order of declaration.
pub(crate) struct MergeOrder {
    pub(super) systems: [u16; MAX_SYSTEMS],
    pub(super) len: usize,
}

impl MergeOrder {
    /// The order of a table without cycles. O(systems · rounds). There is one round if no system depends on
    /// one that is declared later.
    pub(crate) const fn of(systems: &[SystemSignature]) -> Self {
        let mut this = Self { systems: [0; MAX_SYSTEMS], len: 0 };
        let mut done = IndexSet::EMPTY;
        let mut before = usize::MAX;
        // A round without progress means a cycle; then `check` has refused the table.
        while before != this.len && this.len < systems.len() {
            before = this.len;
            for_each!(s < systems.len(), {
                let before = order::declared(&systems[s].declared);
                if !done.contains(s) && order::are_done(&before, &done) {
                    done.add(s);
                    this.systems[this.len] = s as u16;
                    this.len += 1;
                }
            });
        }
        this
    }

    /// The indices of the systems, in order.
    pub(crate) fn systems(&self) -> impl Iterator<Item = usize> + '_ {
        self.systems[..self.len].iter().map(|&system| usize::from(system))
    }
}
