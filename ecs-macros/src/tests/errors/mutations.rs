//! Each check, and each code, is missed: with it disabled, a case that is named like it fails.
//!
//! The cases are the tests of the modules beside this one. A check is missed by the test of its own name, a
//! code by a test whose name begins with it.

use std::panic::catch_unwind;

use crate::check::CHECKS;
use crate::disabled::DISABLED;

/// The tests of these modules, by name.
macro_rules! cases {
    ($($module:ident: $($case:ident)*;)*) => {
        const CASES: &[(&str, fn())] =
            &[$($((stringify!($case), super::$module::$case as fn()),)*)*];
    };
}

cases! {
    syntax:
        e0001_syntax
        e0002_no_world
        e0003_second_world
        e0004_unknown_item
        e0005_unknown_key
        e0006_second_key
        e0007_cfg
        e0008_visibility
        e0009_beside_code;
    names:
        e0010_second_name
        e0011_unknown_component
        e0011_unknown_in_a_bundle
        e0012_unknown_system
        e0013_unknown_resource
        e0014_unknown_storage
        e0019_shared_storage
        e0015_unknown_setting
        e0016_unknown_strategy
        e0016_within_a_users_composer
        e0017_out_of_range
        e0029_fixed_by_archetype
        e0017_entity_limit
        e0018_too_many
        e0028_unknown_stage;
    system:
        e0020_listed_twice
        e0020_bundle_listed_twice
        e0020_bundle_twice
        e0021_contradiction
        e0022_shared_resource
        e0023_parallel_exclusive
        e0023_parallel_consumer
        e0024_idle_threshold
        e0025_mixed_effects;
    order:
        e0030_self_dependency
        e0031_cycle
        e0032_conflict
        e0033_order_contradiction
        e0034_implied_order;
    queries:
        e0012_not_a_query
        e0038_meets_itself
        e0039_refresh_before_use;
    sequential:
        e0027_beside_sequential
        e0037_seen_at_once;
    influence:
        e0036_influence
        e0036_parted_updates;
    residual:
        e0035_residual;
    sets:
        e0040_no_set
        e0041_strange_header
        e0042_included_twice
        e0043_unknown_in_order;
    streams:
        e0045_idle_unordered
        e0045_no_output
        e0046_several_streams
        e0046_shared_stream
        e0046_streams_in_a_row
        e0047_stream_in_order
        e0047_stream_cycle
        e0048_refresh_in_stream;
}

/// Whether the case fails while the check or the code with this name is disabled.
fn fails_without(disabled: &'static str, case: fn()) -> bool {
    DISABLED.set(disabled);
    let outcome = catch_unwind(case);
    DISABLED.set("");
    outcome.is_err()
}

/// The codes of this crate.
fn codes() -> Vec<&'static str> {
    let codes = include_str!("../../error/fault.rs").split("=> \"").skip(1);
    let mut codes: Vec<&str> = codes.filter_map(|rest| rest.get(..5)).collect();
    codes.retain(|code| code.starts_with('E') && code[1..].bytes().all(|b| b.is_ascii_digit()));
    codes.sort_unstable();
    codes.dedup();
    codes
}

#[test]
fn every_case_passes_while_nothing_is_disabled() {
    for (name, case) in CASES {
        assert!(!fails_without("", *case), "{name}");
    }
}

#[test]
fn each_check_is_missed_by_the_test_of_its_name() {
    assert!(CHECKS.len() >= 40, "only {} checks", CHECKS.len());
    for &(check, _) in CHECKS {
        let case = CASES.iter().find(|(name, _)| *name == check);
        let (_, case) = case.unwrap_or_else(|| panic!("no case is named {check}"));
        assert!(fails_without(check, *case), "the case {check} passes without the check");
    }
}

#[test]
fn each_code_is_missed_by_a_test_whose_name_begins_with_it() {
    let codes = codes();
    assert!(codes.len() >= 40, "only {codes:?}");
    for code in codes {
        let begin = format!("{}_", code.to_lowercase());
        let mut cases = CASES.iter().filter(|(name, _)| name.starts_with(&begin));
        let is_missed = cases.any(|(_, case)| fails_without(code, *case));
        assert!(is_missed, "no case whose name begins with {begin} fails without {code}");
    }
}
