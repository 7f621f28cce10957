//! The programs together reach every kind of place, and each kind of place panics in some run.

use std::collections::BTreeSet;

use attacks::faults::{FaultCase, places};

use super::{
    deferred, events, joins, limits, making, many, merges, overrides, phases, rolls, snapshots,
    staged, steps, strategy, streams, updates,
};

/// All programs, each as a `FaultCase`.
fn cases() -> Vec<&'static FaultCase> {
    let pairs = [
        &deferred::DEFERS,
        &events::TELLS,
        &joins::JOINS,
        &limits::LIMITS,
        &making::MAKES,
        &many::SWARMS,
        &merges::MERGES,
        &overrides::OVERRIDES,
        &phases::PHASES,
        &rolls::ROLLS,
        &staged::STAGES,
        &steps::EDITS,
        &strategy::SHELVES,
        &streams::SHORT,
        &updates::UPDATES,
    ];
    let mut cases: Vec<&FaultCase> = pairs.into_iter().flatten().collect();
    cases.extend([&streams::LONG, &steps::CATCHES, &rolls::CATCHES, &staged::CATCHES]);
    cases.extend(&snapshots::SHOTS);
    cases
}

#[test]
fn every_kind_of_place_was_called_and_has_panicked() {
    let (mut seen, mut failed, mut runs) = (BTreeSet::new(), BTreeSet::new(), 0);
    for case in cases() {
        let report = case.report();
        seen.extend(&report.seen);
        failed.extend(&report.failed);
        runs += report.runs;
    }
    let listed: BTreeSet<&str> = places::ALL.iter().copied().collect();
    assert_eq!(seen, listed, "places that are seen, and those that are listed");
    assert_eq!(failed, listed, "places that have panicked");
    assert!(runs > 1_000, "{runs} runs");
}
