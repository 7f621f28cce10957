//! The shares of the compiler's passes.

use crate::cargo::Cargo;

/// The passes of the compiler that are shown, and what they are. All are disjoint.
const PASSES: [(&str, &str); 9] = [
    ("macro_expand_crate", "expansion of macros"),
    ("late_resolve_crate", "names"),
    ("coherence_checking", "coherence"),
    ("type_check_crate", "types"),
    ("MIR_borrow_checking", "borrows"),
    ("MIR_effect_checking", "effects"),
    ("monomorphization_collector_graph_walk", "collection of instances"),
    ("codegen_to_LLVM_IR", "code for LLVM"),
    ("link", "link"),
];

/// Prints the times of a dev build's passes, in seconds of the clock. LLVM works beside the passes that follow it.
pub(crate) fn print(cargo: &Cargo<'_>) -> Result<(), String> {
    cargo.forget("build")?;
    let set = [("RUSTC_BOOTSTRAP", "1"), ("CARGO_INCREMENTAL", "0")];
    let log =
        cargo.messages(&["rustc", "--", "-Ztime-passes", "-Ztime-passes-format=json"], &set)?;
    let time = |pass: &str| -> Option<f64> {
        let name = format!("\"pass\":\"{pass}\"");
        let line = log.lines().rfind(|line| line.contains(&name))?;
        let (_, rest) = line.split_once("\"time\":")?;
        rest.split([',', '}']).next()?.parse().ok()
    };
    let total = time("total").ok_or("the compiler has printed no times: nothing was measured")?;
    println!("| pass of a dev build | time, s | share |\n| :--- | ---: | ---: |");
    for (pass, name) in PASSES {
        if let Some(time) = time(pass) {
            println!("| {name} (`{pass}`) | {time:.2} | {:.0} % |", 100.0 * time / total);
        }
    }
    println!("| all | {total:.2} | 100 % |");
    Ok(())
}
