//! A game between processes over the relay, and what they report.

use std::error::Error;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::options::Options;
use crate::peer::MARK;
use crate::relay::Relay;

/// Ends a process that is still there.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        // It ends by itself when its input ends; this is for one that hangs.
        drop(self.0.stdin.take());
        for _ in 0..100 {
            if !matches!(self.0.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Plays a game between processes, which `command` makes from flags. Returns what each reports, line by line.
///
/// # Errors
/// If one does not report in time.
pub(crate) fn contest(
    options: &Options,
    timeout: Duration,
    command: impl Fn(&[String]) -> Command,
) -> Result<Vec<Vec<String>>, Box<dyn Error>> {
    let players = options.players;
    let relay = Relay::bind(players, None, options.weather)?;
    let mut processes = Vec::new();
    let mut reports = Vec::new();
    for player in 0..players {
        let others = (0..players).filter(|&other| other != player);
        let peers: Result<Vec<_>, _> = others.map(|other| relay.address(player, other)).collect();
        let mut command = command(&options.of_player(player, &peers?));
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let output = child.stdout.take().ok_or("the process has no output")?;
        processes.push(Process(child));
        let (sender, receiver) = channel();
        reports.push(receiver);
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if let Some(at) = line.find(MARK) {
                    let _ = sender.send(line[at + MARK.len()..].to_owned());
                }
            }
        });
    }
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    let passing = thread::spawn(move || relay.run(&stopped));
    let deadline = Instant::now() + timeout;
    let collected = reports.iter().map(|lines| collect(lines, deadline)).collect();
    drop(processes);
    stop.store(true, Ordering::Relaxed);
    passing.join().map_err(|_| "the relay has panicked")?;
    collected
}

/// The lines of a process, up to its end.
fn collect(lines: &Receiver<String>, deadline: Instant) -> Result<Vec<String>, Box<dyn Error>> {
    let mut report: Vec<String> = Vec::new();
    while !report.last().is_some_and(|line| line.starts_with("hash ") || line == "end") {
        let left = deadline.saturating_duration_since(Instant::now());
        let line = lines.recv_timeout(left);
        report.push(line.map_err(|error| format!("no report ({error}), but {report:?}"))?);
    }
    Ok(report)
}
