//! A phase for each sequential system, in which it is alone.

use super::super::ancestors::Ancestors;
use super::Phases;
use crate::signature::{MAX_SYSTEMS, SystemSignature};
use crate::types::IndexSet;

/// The maximal number of levels of all phases: two for each sequential system, and one for each phase.
const SLOTS: usize = 3 * MAX_SYSTEMS;

/// Splits each phase so that every sequential system has one to itself. Its descendants, by
/// `ancestors`, come later, and all other systems as early as possible.
///
/// The sequential systems of a phase are numbered from 0, each after its ancestors. The `i`-th one gets
/// the level 2*i* + 1. Any other system gets twice the number of sequential systems up to its last sequential ancestor.
/// So no edge leads to a lower level: ancestors of the `i`-th one have only lower ones as ancestors.
pub(super) const fn split(
    phases: &Phases,
    systems: &[SystemSignature],
    ancestors: &Ancestors,
) -> Phases {
    let (order, count) = in_order(systems, ancestors);
    let mut levels = [0; MAX_SYSTEMS];
    // The number of sequential systems in each phase.
    let mut sequential = [0; MAX_SYSTEMS];
    for_each!(i < count, {
        let system = order[i] as usize;
        let phase = phases.phase(system);
        levels[system] = 2 * sequential[phase] + 1;
        sequential[phase] += 1;
        for_each!(s < systems.len(), {
            if !systems[s].declared.sequential
                && phases.phase(s) == phase
                && ancestors[s].contains(system)
            {
                levels[s] = 2 * sequential[phase];
            }
        });
    });
    // The levels of all phases in sequence.
    let mut firsts = [0; MAX_SYSTEMS];
    let mut slots = 0;
    for_each!(phase < phases.count(), {
        firsts[phase] = slots;
        slots += 2 * sequential[phase] + 1;
    });
    let mut used = [false; SLOTS];
    for_each!(s < systems.len(), {
        used[firsts[phases.phase(s)] + levels[s]] = true;
    });
    // Numbers the levels in use.
    let mut split = Phases::ONE;
    split.count = 0;
    let mut numbers = [0; SLOTS];
    let mut phase = 0;
    let mut begins = false;
    for_each!(slot < slots, {
        if phase < phases.count() && firsts[phase] == slot {
            // The first level in use of a phase that begins with a refresh begins with it.
            begins |= phases.begins_with_refresh(phase);
            phase += 1;
        }
        if used[slot] {
            if begins {
                split.refreshes.add(split.count);
                begins = false;
            }
            numbers[slot] = split.count as u16;
            split.count += 1;
        }
    });
    for_each!(s < systems.len(), {
        split.by_system[s] = numbers[firsts[phases.phase(s)] + levels[s]];
    });
    if split.count == 0 {
        split.count = 1;
    }
    split
}

/// The sequential systems, each after its ancestors among them, and otherwise in the order of declaration.
const fn in_order(
    systems: &[SystemSignature],
    ancestors: &Ancestors,
) -> ([u16; MAX_SYSTEMS], usize) {
    let mut left = IndexSet::EMPTY;
    for_each!(s < systems.len(), {
        if systems[s].declared.sequential {
            left.add(s);
        }
    });
    let (mut order, mut count, mut before) = ([0; MAX_SYSTEMS], 0, usize::MAX);
    // There is no cycle, so each round takes at least one system, until all are taken.
    while before != count {
        before = count;
        for_each!(s < systems.len(), {
            if left.contains(s) && left.is_disjoint(&ancestors[s]) {
                left.subtract(&IndexSet::EMPTY.with(s));
                order[count] = s as u16;
                count += 1;
            }
        });
    }
    (order, count)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{BLANK, for_declarations};
    use super::*;
    use crate::signature::StagedChanges;
    use crate::signature::check::ancestors::ancestors;

    fn phases(phases: &Phases, systems: &[SystemSignature]) -> Vec<usize> {
        (0..systems.len()).map(|index| phases.phase(index)).collect()
    }

    #[test]
    fn others_run_as_early_as_they_can() {
        // 0 → S1 → 2 → S3; 4 is unordered with all of these; 5 comes after 4 and S1.
        let systems = [
            BLANK,
            BLANK.sequential().after(&[0]),
            BLANK.after(&[1]),
            BLANK.sequential().after(&[2]),
            BLANK,
            BLANK.after(&[4, 1]),
        ];
        let split = split(&Phases::ONE, &systems, &ancestors(&systems));
        assert_eq!(phases(&split, &systems), [0, 1, 2, 3, 0, 2]);
        assert_eq!(split.count(), 4);
        assert!((0..4).all(|phase| !split.begins_with_refresh(phase)));
    }

    #[test]
    fn who_comes_before_is_split_off_before_whatever_is_declared_first() {
        let systems = [
            BLANK.sequential().after(&[2]),
            BLANK.sequential(),
            BLANK.sequential().after(&[3]),
            BLANK,
        ];
        let split = split(&Phases::ONE, &systems, &ancestors(&systems));
        assert_eq!(phases(&split, &systems), [3, 1, 2, 0]);
    }

    #[test]
    fn each_is_alone_and_refreshes_stay_where_they_were() {
        for_declarations(300, |systems| {
            let ancestors = ancestors(systems);
            let rules = [StagedChanges::AfterStep, StagedChanges::RefreshBeforeDependents];
            for whole in rules.map(|rule| Phases::between_refreshes(systems, rule, &ancestors)) {
                let split = split(&whole, systems, &ancestors);
                let all = phases(&split, systems);
                assert_eq!(split.count(), all.iter().max().unwrap() + 1);
                for (s, system) in systems.iter().enumerate() {
                    let company = all.iter().filter(|&&phase| phase == all[s]).count();
                    assert!(!system.declared.sequential || company == 1);
                    for before in (0..systems.len()).filter(|&before| ancestors[s].contains(before))
                    {
                        assert!(all[before] <= all[s]);
                    }
                    for other in 0..systems.len() {
                        // There is a refresh between two systems if and only if there was one before the split.
                        let (low, high) = (all[s].min(all[other]), all[s].max(all[other]));
                        let between = (low + 1..=high).any(|p| split.begins_with_refresh(p));
                        assert_eq!(between, whole.phase(s) != whole.phase(other));
                    }
                    // The other systems are in the earliest phase possible.
                    let phase = (0..systems.len()).filter(|&o| whole.phase(o) == whole.phase(s));
                    let (alone, others): (Vec<_>, Vec<_>) =
                        phase.partition(|&other| systems[other].declared.sequential);
                    let before = alone.iter().filter(|&&other| ancestors[s].contains(other));
                    let last = before.map(|&other| all[other]).max();
                    let first = others.iter().map(|&other| all[other]).min();
                    if let (false, Some(last)) = (system.declared.sequential, last) {
                        assert_eq!(all[s], last + 1);
                    } else if !system.declared.sequential {
                        assert_eq!(Some(all[s]), first);
                    }
                }
            }
        });
    }
}
