//! Model to faults. Every check sees the whole declaration and runs independently of the others.

mod access;
mod code;
mod conflicts;
mod effects;
mod implied;
mod influence;
mod names;
mod order;
mod queries;
mod residual;
mod sequential;
mod settings;
mod storage;
mod streams;

use crate::error::Errors;
use crate::model::Model;

/// A check: reports faults of one kind.
pub(crate) type Check = fn(&Model<'_>, &mut Errors);

/// All checks. Each is called as the test that fails without it; `tests::errors::mutations` shows that.
pub(crate) const CHECKS: &[(&str, Check)] = &[
    ("e0017_entity_limit", settings::entity_limit),
    ("e0029_fixed_by_archetype", settings::rows),
    ("e0017_out_of_range", settings::counts),
    ("e0024_idle_threshold", settings::thresholds),
    ("e0019_shared_storage", storage::together),
    ("e0010_second_name", names::declared_once),
    ("e0018_too_many", names::not_too_many),
    ("e0011_unknown_component", names::known_components),
    ("e0011_unknown_in_a_bundle", names::known_in_bundles),
    ("e0012_unknown_system", names::known_systems),
    ("e0012_not_a_query", queries::are_queries),
    ("e0013_unknown_resource", names::known_resources),
    ("e0043_unknown_in_order", names::known_in_orders),
    ("e0028_unknown_stage", names::known_stages),
    ("e0020_listed_twice", access::listed_once),
    ("e0020_bundle_twice", access::bundles),
    ("e0021_contradiction", access::contradictions),
    ("e0022_shared_resource", access::resources_of_one_subtask),
    ("e0009_beside_code", code::beside),
    ("e0023_parallel_exclusive", access::exclusive_is_one_subtask),
    ("e0023_parallel_consumer", access::consumer_is_one_subtask),
    ("e0025_mixed_effects", effects::check),
    ("e0027_beside_sequential", sequential::beside),
    ("e0030_self_dependency", order::not_before_itself),
    ("e0033_order_contradiction", order::contradictions),
    ("e0031_cycle", order::cycles),
    ("e0045_idle_unordered", streams::idle_unordered),
    ("e0045_no_output", streams::no_output),
    ("e0046_several_streams", streams::several),
    ("e0046_shared_stream", streams::shared),
    ("e0046_streams_in_a_row", streams::in_a_row),
    ("e0047_stream_in_order", streams::between_ordered),
    ("e0047_stream_cycle", streams::cycles),
    ("e0034_implied_order", implied::check),
    ("e0032_conflict", conflicts::check),
    ("e0038_meets_itself", queries::tell_apart),
    ("e0037_seen_at_once", sequential::unordered),
    ("e0036_influence", influence::check),
    ("e0036_parted_updates", influence::parted_updates),
    ("e0035_residual", residual::check),
    ("e0048_refresh_in_stream", streams::between_phases),
    ("e0039_refresh_before_use", queries::in_one_phase),
];

/// Reports every fault of the declaration.
pub(crate) fn check(model: &Model<'_>, errors: &mut Errors) {
    for (name, check) in CHECKS {
        if is_enabled(name) {
            check(model, errors);
        }
    }
}

#[cfg(not(test))]
fn is_enabled(_: &str) -> bool {
    true
}

#[cfg(test)]
fn is_enabled(name: &str) -> bool {
    !crate::disabled::is_disabled(name)
}
