//! Hot paths, one by one, for `.ci/instructions`, which counts their instructions under Callgrind.
//!
//! Without an argument the names of the cases are printed. With one of them, that case is prepared, warmed up and
//! executed `EXECUTIONS` times, and that number is printed. Callgrind is told to count within `counted`
//! only, so preparation does not matter. All happens on one thread: counts would vary with more.

#![forbid(unsafe_code)]

mod access;
mod churn;
mod empty;
mod events;
mod flow;
mod frame;
mod iterate;
mod program;
mod single;
mod skip;
mod spawns;
mod state;
mod toggles;
mod tracked;
mod trees;

use std::process::ExitCode;

/// The number of executions of a case while its instructions are counted.
const EXECUTIONS: u32 = 10;

/// The cases and their names.
const CASES: [(&str, fn()); 76] = [
    ("empty/10_independent", empty::ten_independent),
    ("empty/10_chained", empty::ten_chained),
    ("empty/10_on_two_threads", empty::ten_on_two_threads),
    ("empty/50_independent", empty::fifty_independent),
    ("empty/50_chained", empty::fifty_chained),
    ("skip/0_of_10", skip::none_of_ten),
    ("skip/190_of_200", skip::by_one_condition),
    ("skip/190_of_200_each_by_its_own", skip::each_by_its_own),
    ("skip/190_of_200_by_state", skip::by_state),
    ("iterate/for_entities_10_000", iterate::for_entities),
    ("iterate/for_entities_flat_10_000", iterate::flat),
    ("iterate/each_flat_10_000", iterate::each),
    ("iterate/run_flat_10_000", iterate::run),
    ("iterate/typed_flat_10_000", iterate::typed),
    ("iterate/typed_with_resource_flat_10_000", iterate::scaled),
    ("iterate/run_with_resource_flat_10_000", iterate::scaled_run),
    ("iterate/iter_flat_10_000", iterate::iter_flat),
    ("iterate/iter_each_flat_10_000", iterate::iter_each_flat),
    ("iterate/for_entities_flat_4_000", iterate::flat_page),
    ("iterate/iter_flat_4_000", iterate::iter_flat_page),
    ("iterate/query_10_000", iterate::query),
    ("iterate/kernel_10_000", iterate::kernel),
    ("iterate/gaps_10_000", iterate::gaps),
    ("iterate/fragmented_26_x_20", iterate::fragmented),
    ("structural/insert_10_000", spawns::insert),
    ("structural/insert_together_10_000", spawns::insert_together),
    ("structural/add_remove_10_000", toggles::add_remove),
    ("structural/add_remove_at_once_10_000", toggles::add_remove_at_once),
    ("structural/add_remove_together_10_000", toggles::add_remove_together),
    ("structural/churn_1_of_100_000", churn::churn),
    ("structural/despawn_all_10_000", spawns::despawn_all),
    ("access/get_100_000", access::get),
    ("access/get_together_100_000", access::get_together),
    ("access/get_mut_100_000", access::get_mut),
    ("access/any_100_000", access::any),
    ("single/spawn_outside", single::spawn_outside),
    ("single/spawn_in_step", single::spawn_in_step),
    ("single/spawn_in_system", single::spawn_in_system),
    ("single/despawn_outside", single::despawn_outside),
    ("single/despawn_outside_of_a_million", single::despawn_outside_of_a_million),
    ("single/despawn_in_step", single::despawn_in_step),
    ("single/despawn_in_system", single::despawn_in_system),
    ("single/insert_outside", single::insert_outside),
    ("single/insert_in_step", single::insert_in_step),
    ("single/insert_in_system", single::insert_in_system),
    ("single/remove_outside", single::remove_outside),
    ("single/remove_in_step", single::remove_in_step),
    ("single/remove_in_system", single::remove_in_system),
    ("single/get_outside", single::get_outside),
    ("single/get_in_step", single::get_in_step),
    ("single/get_in_system", single::get_in_system),
    ("single/get_mut_outside", single::get_mut_outside),
    ("single/get_mut_in_step", single::get_mut_in_step),
    ("single/get_mut_in_system", single::get_mut_in_system),
    ("flow/idle_refresh", flow::idle_refresh),
    ("flow/outputs_10_000_of_4", flow::outputs),
    ("flow/deferred_10_000", flow::deferred),
    ("flow/add_10_000_of_4", flow::add),
    ("flow/output_and_sum_10_000_of_4", flow::output_and_sum),
    ("events/10_000_of_4", events::events),
    ("events/messages_10_000_to_2_500", events::messages),
    ("program/particles_2_000", program::particles),
    ("program/join_2_000", program::join),
    ("frame/10_000", frame::game),
    ("state/snapshot_10_000", state::snapshot),
    ("state/snapshot_again_10_000", state::snapshot_again),
    ("state/restore_10_000", state::restore),
    ("state/hash_10_000", state::hash),
    ("trees/wide_10_000", trees::wide),
    ("trees/deep_10_000", trees::deep),
    ("tracked/write_0_of_1_000_000", tracked::write_none),
    ("tracked/write_10_000_of_1_000_000", tracked::write_some),
    ("tracked/write_1_000_000", tracked::write_all),
    ("tracked/ask_0_of_1_000_000", tracked::ask_none),
    ("tracked/ask_10_000_of_1_000_000", tracked::ask_some),
    ("tracked/ask_1_000_000", tracked::ask_all),
];

fn main() -> ExitCode {
    let Some(wanted) = std::env::args().nth(1) else {
        for (name, _) in CASES {
            println!("{name}");
        }
        return ExitCode::SUCCESS;
    };
    let Some((_, case)) = CASES.iter().find(|(name, _)| *name == wanted) else {
        eprintln!("there is no case `{wanted}`; without an argument, all are listed");
        return ExitCode::FAILURE;
    };
    case();
    println!("{EXECUTIONS}");
    ExitCode::SUCCESS
}

/// Callgrind finds this function by its name.
#[inline(never)]
fn counted(times: u32, execute: &mut dyn FnMut()) {
    for _ in 0..times {
        execute();
    }
}

/// Counts the steady state of `execute`, which can be repeated.
fn steadily(mut execute: impl FnMut()) {
    // Twice: the first execution allocates, and the second may be the first that knows how much to keep.
    execute();
    execute();
    counted(EXECUTIONS, &mut execute);
}

/// Counts `execute`, which needs a new value each time.
fn anew<T>(mut make: impl FnMut() -> T, mut execute: impl FnMut(&mut T)) {
    for _ in 0..EXECUTIONS {
        let mut it = make();
        counted(1, &mut || execute(&mut it));
    }
}

/// The numbers below `count` in pseudorandom order, always the same.
fn shuffled(count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    let mut state = 1_u64;
    for end in (1..count).rev() {
        // Knuth's linear congruential generator; its upper half is random enough here.
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        order.swap(end, (state >> 33) as usize % (end + 1));
    }
    order
}
