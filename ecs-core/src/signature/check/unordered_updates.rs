//! *Unordered updates*: systems that update the same component, and that neither an order nor filters
//! separate.
//!
//! They may run at the same time, because staged changes have no effect until the refresh. The refresh then checks that
//! they update different entities, by [`UpdateConflicts`](crate::changes::UpdateConflicts). Without unordered updates
//! there is no such check.

use ecs_rules::{conflict, order};

use crate::scheduling::scheduler::Dag;
use crate::signature::SystemSignature;
use crate::types::{IndexSet, MAX_COMPONENTS};

/// The components that unordered systems update, and the order of the systems that update them.
#[derive(Debug)]
pub(crate) struct UnorderedUpdates {
    /// The components that unordered updates update.
    contested: IndexSet,
    /// For each system that updates one of them: the systems that run after it, ascending.
    later: Box<[Box<[usize]>]>,
}

impl UnorderedUpdates {
    /// The unordered updates in a table without cycles, if there are any.
    ///
    /// For each component it compares the systems that update it in pairs.
    pub(crate) fn of(systems: &[SystemSignature]) -> Option<Box<Self>> {
        let mut updated = vec![Vec::new(); MAX_COMPONENTS];
        for (system, signature) in systems.iter().enumerate() {
            for component in signature.declared.update {
                updated[*component].push(system);
            }
        }
        if updated.iter().all(|systems| systems.len() < 2) {
            return None;
        }
        let dependencies: Vec<Vec<usize>> =
            systems.iter().map(|system| order::declared(&system.declared).concat()).collect();
        let order = Dag::new(&dependencies).expect("`check` admits no cycle");
        let mut this = Box::new(Self {
            contested: IndexSet::EMPTY,
            later: systems.iter().map(|_| Box::default()).collect(),
        });
        for (component, updaters) in updated.iter().enumerate().filter(|(_, all)| all.len() > 1) {
            for &system in updaters {
                this.later[system] = order.reachable_from(&[system]).into();
            }
            let meet = |one, other| {
                !this.are_ordered(one, other)
                    && !conflict::disjoint(&systems[one].declared, &systems[other].declared)
            };
            let mut ones = updaters.iter().enumerate();
            if ones.any(|(i, &one)| updaters[i + 1..].iter().any(|&other| meet(one, other))) {
                this.contested = this.contested.with(component);
            }
        }
        (!this.contested.is_empty()).then_some(this)
    }

    /// Whether unordered updates update the component.
    pub(crate) fn contest(&self, component: usize) -> bool {
        self.contested.contains(component)
    }

    /// Whether a path of dependencies orders two systems that update the same contested component.
    pub(crate) fn are_ordered(&self, one: usize, other: usize) -> bool {
        let before = |first: usize, second: usize| self.later[first].binary_search(&second).is_ok();
        before(one, other) || before(other, one)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signature::check::residual::tests::BLANK;

    /// Whether components 0 and 1 are contested.
    fn contested(systems: &[SystemSignature]) -> [bool; 2] {
        let updates = UnorderedUpdates::of(systems);
        [0, 1].map(|component| updates.as_ref().is_some_and(|updates| updates.contest(component)))
    }

    #[test]
    fn conflicts_are_neither_ordered_nor_separated_by_filters() {
        let (one, both) = (BLANK.update(&[1]), BLANK.update(&[0, 1]));
        assert_eq!(contested(&[one]), [false, false]);
        assert_eq!(contested(&[one, BLANK.insert(&[1]).read(&[1])]), [false, false]);
        assert_eq!(contested(&[one, both]), [false, true]);
        assert_eq!(contested(&[both, BLANK, both]), [true, true]);
        assert_eq!(contested(&[one, both.after(&[0])]), [false, false]);
        assert_eq!(contested(&[one.inputs(&[1]), BLANK.after(&[2]), both]), [false, false]);
        let query = BLANK.query().after(&[0]);
        assert_eq!(contested(&[one, query, both.queries(&[1])]), [false, false]);
        assert_eq!(contested(&[one.with(&[7]), both.without(&[7])]), [false, false]);
        assert_eq!(contested(&[both.without(&[7]), one.read(&[7])]), [false, false]);
        assert_eq!(contested(&[both.without(&[7]), one.read_optional(&[7])]), [false, true]);
    }

    #[test]
    fn an_order_may_be_a_long_way() {
        let update = BLANK.update(&[0]);
        let systems = [update, BLANK.after(&[0]), update.inputs(&[1]), update];
        let updates = UnorderedUpdates::of(&systems).expect("3 is ordered with no other system");
        for (one, other, expected) in [(0, 2, true), (2, 0, true), (0, 3, false), (3, 2, false)] {
            assert_eq!(updates.are_ordered(one, other), expected, "{one}, {other}");
        }
    }
}
