//! A phase for each sequential system: it is alone in it.

use super::super::bits::{SystemBits, WORDS, add, has};
use super::super::{MAX_SYSTEMS, SystemSignature};
use super::Phases;

/// Levels that a phase can be split into, over all phases: two for each sequential system, and one.
const SLOTS: usize = 3 * MAX_SYSTEMS;

/// Splits each phase, so that every sequential system has one to itself; systems behind it, in the order
/// that `ancestors` says, come later, and all others as early as they can.
///
/// The sequential systems of a phase are numbered, each after those that come before it: the `i`-th one gets
/// the level 2*i* + 1, any other system twice the number of those up to the last one behind which it comes.
/// So no edge goes back: who comes before the `i`-th one comes behind lower ones only.
#[expect(clippy::large_stack_arrays, reason = "it runs in the compiler")]
pub(super) const fn split(
    phases: Phases,
    systems: &[SystemSignature],
    ancestors: &[SystemBits; MAX_SYSTEMS],
) -> Phases {
    let (order, count) = in_order(systems, ancestors);
    let mut levels = [0; MAX_SYSTEMS];
    // How many there are in each phase.
    let mut sequential = [0; MAX_SYSTEMS];
    let mut i = 0;
    while i < count {
        let system = order[i] as usize;
        let phase = phases.phase(system);
        levels[system] = 2 * sequential[phase] + 1;
        sequential[phase] += 1;
        let mut s = 0;
        while s < systems.len() {
            if !systems[s].sequential && phases.phase(s) == phase && has(&ancestors[s], system) {
                levels[s] = 2 * sequential[phase];
            }
            s += 1;
        }
        i += 1;
    }
    // All levels of all phases in a row.
    let mut firsts = [0; MAX_SYSTEMS];
    let mut slots = 0;
    let mut phase = 0;
    while phase < phases.count() {
        firsts[phase] = slots;
        slots += 2 * sequential[phase] + 1;
        phase += 1;
    }
    let mut used = [false; SLOTS];
    let mut s = 0;
    while s < systems.len() {
        used[firsts[phases.phase(s)] + levels[s]] = true;
        s += 1;
    }
    number(&phases, systems, &levels, &firsts, &used, slots)
}

/// Numbers the levels in use.
#[expect(clippy::large_stack_arrays, reason = "it runs in the compiler")]
const fn number(
    phases: &Phases,
    systems: &[SystemSignature],
    levels: &[usize; MAX_SYSTEMS],
    firsts: &[usize; MAX_SYSTEMS],
    used: &[bool; SLOTS],
    slots: usize,
) -> Phases {
    let mut split = Phases::ONE;
    split.count = 0;
    let mut numbers = [0; SLOTS];
    let (mut slot, mut phase) = (0, 0);
    let mut begins = false;
    while slot < slots {
        if phase < phases.count() && firsts[phase] == slot {
            // The first level in use of a phase that begins with a refresh begins with it.
            begins |= phases.begins_with_refresh(phase);
            phase += 1;
        }
        if used[slot] {
            if begins {
                add(&mut split.refreshes, split.count);
                begins = false;
            }
            numbers[slot] = split.count as u16;
            split.count += 1;
        }
        slot += 1;
    }
    let mut s = 0;
    while s < systems.len() {
        split.phases[s] = numbers[firsts[phases.phase(s)] + levels[s]];
        s += 1;
    }
    if split.count == 0 {
        split.count = 1;
    }
    split
}

/// The sequential systems, each after its ancestors among them, and otherwise in the order of declaration.
const fn in_order(
    systems: &[SystemSignature],
    ancestors: &[SystemBits; MAX_SYSTEMS],
) -> ([u16; MAX_SYSTEMS], usize) {
    let mut left = [0; WORDS];
    let mut s = 0;
    while s < systems.len() {
        if systems[s].sequential {
            add(&mut left, s);
        }
        s += 1;
    }
    let (mut order, mut count, mut before) = ([0; MAX_SYSTEMS], 0, usize::MAX);
    // There is no cycle: so each round takes one at least, until none is left.
    while before != count {
        before = count;
        let mut s = 0;
        while s < systems.len() {
            if has(&left, s) && is_disjoint(&left, &ancestors[s]) {
                left[s / 64] &= !(1 << (s % 64));
                order[count] = s as u16;
                count += 1;
            }
            s += 1;
        }
    }
    (order, count)
}

const fn is_disjoint(a: &SystemBits, b: &SystemBits) -> bool {
    let mut w = 0;
    while w < WORDS {
        if a[w] & b[w] != 0 {
            return false;
        }
        w += 1;
    }
    true
}
