//! Model to faults. Every check sees the whole declaration and runs independently of the others.

mod declaration;
mod features;
mod order;
mod systems;

use declaration::{bundles, code, names, settings, storage};
use features::{events, expires, queries, relations, states, streams, tracking};
use order::{conflicts, cycles, implied, influence, residual};
use systems::{access, commutative, conditions, effects, rights, sequential};

use crate::error::Errors;
use crate::model::Model;

/// A check: reports faults of one kind.
pub(crate) type Check = fn(&Model<'_>, &mut Errors);

/// All checks. Each is called as the test that fails without it; `tests::errors::mutations` shows that.
pub(crate) const CHECKS: &[(&str, Check)] = &[
    ("ecs0130_condition", conditions::parameters),
    ("ecs0010_second_state", states::declared_once),
    ("ecs0132_unknown_state", states::known),
    ("ecs0133_beside", states::beside),
    ("ecs0128_not_expiring", expires::are_expiring),
    ("ecs0129_never_expires", expires::are_counted_down),
    ("ecs0009_beside_expire", expires::beside),
    ("ecs0099_unknown_effect", residual::known_effects),
    ("ecs0100_not_commutative", commutative::check),
    ("ecs0122_not_an_event", events::are_events),
    ("ecs0123_unused_event", events::are_used),
    ("ecs0124_read_in_batches", events::not_in_batches),
    ("ecs0158_event_index", events::have_indices),
    ("ecs0161_not_a_relation", relations::are_relations),
    ("ecs0144_no_parents", relations::have_parents),
    ("ecs0162_beside_parents", relations::beside),
    ("ecs0150_reference", tracking::references),
    ("ecs0151_not_accessed", tracking::accessed),
    ("ecs0154_beside_each", tracking::beside_each),
    ("ecs0017_entity_limit", settings::entity_limit),
    ("ecs0017_seed", settings::seed),
    ("ecs0029_fixed_by_archetype", settings::rows),
    ("ecs0017_out_of_range", settings::counts),
    ("ecs0024_idle_threshold", settings::thresholds),
    ("ecs0019_shared_storage", storage::together),
    ("ecs0010_second_name", names::declared_once),
    ("ecs0010_taken_name", names::not_taken),
    ("ecs0018_too_many", names::not_too_many),
    ("ecs0011_unknown_component", names::known_components),
    ("ecs0011_unknown_in_a_bundle", names::known_in_bundles),
    ("ecs0012_unknown_system", names::known_systems),
    ("ecs0012_not_a_query", queries::are_queries),
    ("ecs0013_unknown_resource", names::known_resources),
    ("ecs0043_unknown_in_order", names::known_in_orders),
    ("ecs0028_unknown_stage", names::known_stages),
    ("ecs0020_listed_twice", access::listed_once),
    ("ecs0020_bundle_twice", bundles::listed),
    ("ecs0010_bundle_name", bundles::names),
    ("ecs0011_unknown_in_a_named_bundle", bundles::known),
    ("ecs0018_large_bundle", bundles::too_many),
    ("ecs0020_named_bundle_twice", bundles::twice),
    ("ecs0160_unknown_in_a_template", bundles::known_relations),
    ("ecs0144_no_parents_of_children", bundles::have_parents),
    ("ecs0168_unknown_template", bundles::known_templates),
    ("ecs0169_template_cycle", bundles::cycles),
    ("ecs0021_contradiction", access::contradictions),
    ("ecs0022_shared_resource", access::resources_of_one_subtask),
    ("ecs0009_beside_code", code::beside),
    ("ecs0023_parallel_exclusive", access::exclusive_is_one_subtask),
    ("ecs0023_parallel_consumer", access::consumer_is_one_subtask),
    ("ecs0023_shared_events", access::one_event_is_shared),
    ("ecs0025_mixed_effects", effects::check),
    ("ecs0027_beside_sequential", sequential::beside),
    ("ecs0030_self_dependency", cycles::not_before_itself),
    ("ecs0033_order_contradiction", cycles::contradictions),
    ("ecs0031_cycle", cycles::cycles),
    ("ecs0045_idle_unordered", streams::idle_unordered),
    ("ecs0045_no_output", streams::no_output),
    ("ecs0046_several_streams", streams::several),
    ("ecs0046_shared_stream", streams::shared),
    ("ecs0046_streams_in_a_row", streams::in_a_row),
    ("ecs0047_stream_in_order", streams::between_ordered),
    ("ecs0047_stream_cycle", streams::cycles),
    ("ecs0113_undeclared", rights::declared),
    ("ecs0034_implied_order", implied::check),
    ("ecs0115_unused_right", rights::used),
    ("ecs0032_conflict", conflicts::check),
    ("ecs0152_over_marks", tracking::marks),
    ("ecs0011_unknown_member", queries::known_members),
    ("ecs0098_not_shown", queries::are_shown),
    ("ecs0032_writes_indexed", queries::unordered_writers),
    ("ecs0097_between_users", queries::between_users),
    ("ecs0038_meets_itself", queries::tell_apart),
    ("ecs0037_seen_at_once", sequential::unordered),
    ("ecs0036_influence", influence::check),
    ("ecs0036_parted_updates", influence::parted_updates),
    ("ecs0035_residual", residual::check),
    ("ecs0048_refresh_in_stream", streams::between_phases),
    ("ecs0039_refresh_before_use", queries::in_one_phase),
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
