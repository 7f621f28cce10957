//! Each program prints the same in each library.

use std::process::Command;

fn output(program: &str, library: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_programs"))
        .args([program, library])
        .output()
        .expect("the program starts");
    assert!(output.status.success(), "{program} in {library} fails");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn programs_print_the_same_in_each_library() {
    for program in ["rockets", "tower_defence", "inventory", "boids", "counter"] {
        let ours = output(program, "ours");
        assert!(!ours.is_empty(), "{program} prints nothing");
        for library in ["bevy", "hecs"] {
            assert_eq!(ours, output(program, library), "{program} in {library}");
        }
    }
}

#[test]
fn no_program_is_longer_than_in_bevy() {
    let table = Command::new(env!("CARGO_BIN_EXE_programs"))
        .output()
        .expect("the program starts");
    assert!(
        table.status.success(),
        "{}",
        String::from_utf8_lossy(&table.stderr)
    );
}
