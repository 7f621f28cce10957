//! The compiler's passes: of a cold dev build, and of one after a change of a body.

use std::fs;

use crate::at;
use crate::cargo::Cargo;
use crate::package::{Edit, Package};

/// The passes of the compiler that are shown, and what they are. All are disjoint.
const PASSES: [(&str, &str); 19] = [
    ("setup_dep_graph", "reading the graph of the last build"),
    ("incr_comp_load_dep_graph", "reading the graph of the last build"),
    ("macro_expand_crate", "expansion of macros"),
    ("late_resolve_crate", "names"),
    ("resolve_postprocess", "names"),
    ("early_lint_checks", "lints"),
    ("hir_crate", "the tree of all items"),
    ("coherence_checking", "coherence"),
    ("wf_checking", "headers of items"),
    ("type_check_crate", "types"),
    ("MIR_borrow_checking", "borrows"),
    ("MIR_effect_checking", "effects"),
    ("misc_checking_3", "lints"),
    ("monomorphization_collector_graph_walk", "collection of instances"),
    ("partition_and_assert_distinct_symbols", "partition of instances"),
    ("codegen_to_LLVM_IR", "code for LLVM"),
    ("serialize_dep_graph", "writing the graph"),
    ("copy_all_cgu_workproducts_to_incr_comp_cache_dir", "copies of object files"),
    ("link", "link"),
];

/// Prints the times of both builds' passes, in seconds of the clock. LLVM works beside the passes that follow it.
pub(crate) fn print(cargo: &Cargo<'_>, package: Package) -> Result<(), String> {
    cargo.forget("build")?;
    let cold = log(cargo, "0")?;
    let write =
        |edit| fs::write(cargo.source(), package.program(edit)).map_err(at(&cargo.source()));
    log(cargo, "1")?;
    write(Some(Edit::Body))?;
    let edited = log(cargo, "1");
    write(None)?;
    let logs = [cold, edited?];
    let totals = logs.each_ref().map(|log| time(log, "total"));
    let [Some(cold), Some(edited)] = totals else {
        return Err("the compiler has printed no times: nothing was measured".to_owned());
    };
    println!("| pass of a dev build | cold, s | share | after {}, s | share |", Edit::Body.name());
    println!("| :--- | ---: | ---: | ---: | ---: |");
    for (pass, name) in PASSES {
        let [of_cold, of_edited] = logs.each_ref().map(|log| time(log, pass).unwrap_or(0.0));
        if of_cold.max(of_edited) >= 0.005 {
            let shares = [100.0 * of_cold / cold, 100.0 * of_edited / edited];
            println!(
                "| {name} (`{pass}`) | {of_cold:.2} | {:.0} % | {of_edited:.2} | {:.0} % |",
                shares[0], shares[1]
            );
        }
    }
    println!("| all | {cold:.2} | 100 % | {edited:.2} | 100 % |");
    Ok(())
}

/// Builds, and returns the times that the compiler prints.
fn log(cargo: &Cargo<'_>, incremental: &str) -> Result<String, String> {
    let set = [("RUSTC_BOOTSTRAP", "1"), ("CARGO_INCREMENTAL", incremental)];
    cargo.messages(&["rustc", "--", "-Ztime-passes", "-Ztime-passes-format=json"], &set)
}

/// The time of a pass, in seconds.
fn time(log: &str, pass: &str) -> Option<f64> {
    let name = format!("\"pass\":\"{pass}\"");
    let line = log.lines().rfind(|line| line.contains(&name))?;
    let (_, rest) = line.split_once("\"time\":")?;
    rest.split([',', '}']).next()?.parse().ok()
}
