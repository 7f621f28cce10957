//! The game between four processes, over the relay. The processes are this test program, which starts itself.

#[path = "../examples/tanks/contest.rs"]
mod contest;
#[path = "../examples/tanks/game.rs"]
mod game;
#[path = "../examples/tanks/options.rs"]
mod options;
#[path = "../examples/tanks/peer.rs"]
mod peer;
#[path = "../examples/tanks/relay.rs"]
mod relay;

use std::error::Error;
use std::process::Command;
use std::time::Duration;

use options::Options;

/// By which a process knows its flags.
const FLAGS: &str = "TANKS_FLAGS";

/// No game takes so long, unless it hangs.
const LIMIT: Duration = Duration::from_secs(200);

/// One of the processes. By itself, it does nothing.
#[test]
fn process() -> Result<(), Box<dyn Error>> {
    let Ok(flags) = std::env::var(FLAGS) else { return Ok(()) };
    let options = Options::parse(flags.split(' ').skip(1).map(str::to_owned))?;
    peer::headless(&options)
}

/// Plays a game, and returns what the processes report.
fn play(flags: &str) -> Result<Vec<Vec<String>>, Box<dyn Error>> {
    let options = Options::parse(flags.split(' ').map(str::to_owned))?;
    let program = std::env::current_exe()?;
    contest::contest(&options, LIMIT, |flags| {
        let mut command = Command::new(&program);
        command.args(["process", "--exact", "--nocapture"]).env(FLAGS, flags.join(" "));
        command
    })
}

/// Whether all processes report one hash.
fn assert_equal(reports: &[Vec<String>]) {
    let hash = reports[0].last().expect("a report ends with a line");
    assert!(hash.starts_with("hash ") && hash.ends_with("at frame 208"), "{reports:#?}");
    assert!(reports.iter().all(|report| report.last() == Some(hash)), "{reports:#?}");
}

#[test]
fn four_processes_end_in_one_state() -> Result<(), Box<dyn Error>> {
    let reports = play(
        "--players 4 --frames 200 --rate 100 --drones 20 --delay-ms 40 --loss 10 --duplicate 5 --reorder 20",
    )?;
    assert_equal(&reports);
    Ok(())
}

#[test]
fn so_they_do_in_lockstep() -> Result<(), Box<dyn Error>> {
    let reports = play(
        "--players 4 --frames 200 --rate 100 --drones 500 --lockstep --input-delay 6 --delay-ms 20 --loss 10 --reorder 20",
    )?;
    assert_equal(&reports);
    Ok(())
}

#[test]
fn a_process_that_reads_a_clock_names_the_step_the_system_and_the_component()
-> Result<(), Box<dyn Error>> {
    let reports = play(
        "--players 4 --frames 200 --rate 100 --delay-ms 20 --loss 10 --fault 2 --compare-every 4",
    )?;
    for (player, report) in reports.iter().enumerate() {
        let text = report.join("\n");
        assert!(text.starts_with("desync with "), "{player}: {text}");
        assert!(text.contains("different: `Position`"), "{player}: {text}");
        let is_cause = text.contains("the cause is on this machine: the system `Shake` gives");
        assert_eq!(is_cause, player == 2, "{player}: {text}");
        // The others hear of it.
        let is_told = text.contains("the cause is at 127.0.0.1:")
            && text.contains("the system `Shake` gives different results");
        assert_eq!(is_told, player != 2, "{player}: {text}");
        assert!(text.contains(", in frame ") && text.contains(": `Position`"), "{player}: {text}");
    }
    Ok(())
}
