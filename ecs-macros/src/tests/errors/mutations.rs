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
        ecs0001_syntax
        ecs0002_no_world
        ecs0003_second_world
        ecs0004_unknown_item
        ecs0005_unknown_key
        ecs0006_second_key
        ecs0007_cfg
        ecs0008_visibility
        ecs0009_beside_code;
    rights:
        ecs0113_undeclared
        ecs0115_unused_right;
    names:
        ecs0010_second_name
        ecs0010_taken_name
        ecs0011_unknown_component
        ecs0011_unknown_in_a_bundle
        ecs0012_unknown_system
        ecs0013_unknown_resource
        ecs0014_unknown_storage
        ecs0019_shared_storage
        ecs0015_unknown_setting
        ecs0016_unknown_strategy
        ecs0016_within_a_users_composer
        ecs0017_out_of_range
        ecs0029_fixed_by_archetype
        ecs0017_entity_limit
        ecs0017_seed
        ecs0018_too_many
        ecs0028_unknown_stage;
    bundles:
        ecs0010_bundle_name
        ecs0011_unknown_in_a_named_bundle
        ecs0018_large_bundle
        ecs0020_named_bundle_twice;
    templates:
        ecs0160_unknown_in_a_template
        ecs0144_no_parents_of_children
        ecs0168_unknown_template
        ecs0169_template_cycle;
    system:
        ecs0020_listed_twice
        ecs0020_bundle_listed_twice
        ecs0020_bundle_twice
        ecs0021_contradiction
        ecs0022_shared_resource
        ecs0023_parallel_exclusive
        ecs0023_parallel_consumer
        ecs0023_shared_events
        ecs0024_idle_threshold
        ecs0025_mixed_effects;
    order:
        ecs0030_self_dependency
        ecs0031_cycle
        ecs0032_conflict
        ecs0033_order_contradiction
        ecs0034_implied_order;
    queries:
        ecs0012_not_a_query
        ecs0011_unknown_member
        ecs0032_writes_indexed
        ecs0096_unknown_index
        ecs0097_between_users
        ecs0098_not_shown
        ecs0038_meets_itself
        ecs0039_refresh_before_use;
    sequential:
        ecs0027_beside_sequential
        ecs0037_seen_at_once;
    influence:
        ecs0036_influence
        ecs0036_parted_updates;
    residual:
        ecs0035_residual
        ecs0099_unknown_effect;
    commutative:
        ecs0100_not_commutative;
    events:
        ecs0122_not_an_event
        ecs0123_unused_event
        ecs0124_read_in_batches
        ecs0158_event_index;
    expires:
        ecs0009_beside_expire
        ecs0128_not_expiring
        ecs0129_never_expires;
    relations:
        ecs0144_no_parents
        ecs0161_not_a_relation
        ecs0162_beside_parents;
    tracking:
        ecs0150_reference
        ecs0151_not_accessed
        ecs0152_over_marks
        ecs0154_beside_each;
    conditions:
        ecs0130_condition;
    states:
        ecs0010_second_state
        ecs0132_unknown_state
        ecs0133_beside;
    sets:
        ecs0040_no_set
        ecs0041_strange_header
        ecs0042_included_twice
        ecs0043_unknown_in_order;
    streams:
        ecs0045_idle_unordered
        ecs0045_no_output
        ecs0046_several_streams
        ecs0046_shared_stream
        ecs0046_streams_in_a_row
        ecs0047_stream_in_order
        ecs0047_stream_cycle
        ecs0048_refresh_in_stream;
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
    let codes = include_str!("../../error/code.rs").split("=> \"").skip(1);
    let mut codes: Vec<&str> = codes.filter_map(|rest| rest.get(..7)).collect();
    codes.retain(|code| code.starts_with("ECS") && code[3..].bytes().all(|b| b.is_ascii_digit()));
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
