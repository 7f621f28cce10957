//! Tanks: a game for two to four, over a network that may be bad, with rollback.
//!
//! ```text
//! cargo run --release -p ecs-rollback --example tanks -- COMMAND FLAGS
//!
//! play                     two at one keyboard: arrows and space; W, A, S, D and F. Q ends the game
//! peer                     one player of a game over a network, in the terminal
//! headless --frames 600    the same without a screen, with keys by a seed; ends with a hash of the state
//! relay                    a bad network between players
//! contest --frames 600     `headless` processes over a relay of their own, and a comparison of their hashes
//! ```
//!
//! | flag | of | |
//! | --- | --- | --- |
//! | `--players 2` | all | how many, up to four |
//! | `--player 0` | peer, headless | which of them this is |
//! | `--local-port 7000`, `--peer ADDRESS` | peer, headless | where packets arrive, and where the others are, in order of players |
//! | `--lockstep`, `--prediction 12`, `--input-delay 2`, `--rate 60`, `--compare-every 16`, `--drones 0` | all but relay | how it is played |
//! | `--delay-ms 0`, `--loss 0`, `--duplicate 0`, `--reorder 0`, `--seed 1` | relay, contest | what becomes of packets, in percent |
//! | `--port 7100` | relay | the first of its ports. Player `i` reaches player `j` at this one plus `i × players + j` |
//! | `--fault 1` | headless, contest | the machine of this player reads a clock |

mod contest;
mod game;
mod options;
mod peer;
mod relay;
mod screen;

use std::error::Error;
use std::net::SocketAddr;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use ecs_rollback::{Builder, Event, Progress, Udp};

use options::Options;
use screen::Screen;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next().unwrap_or_else(|| "play".to_owned());
    let options = Options::parse(arguments)?;
    match command.as_str() {
        "play" => play(&options),
        "peer" | "host" => over_a_network(&options),
        "headless" => peer::headless(&options),
        "relay" => relay(&options),
        "contest" => contest(&options),
        _ => Err("the commands are play, peer, headless, relay and contest".into()),
    }
}

/// Two at one keyboard, and programs for the others.
fn play(options: &Options) -> Result<(), Box<dyn Error>> {
    let mut builder = Builder::new();
    for _ in 0..options.players {
        builder = builder.local();
    }
    let world = game::new(options.players, options.drones);
    let mut session = builder.start(world, Udp::bind("127.0.0.1:0")?)?;
    let mut screen = Screen::open()?;
    let mut clock = peer::Clock::new(options.rate)?;
    while screen.read_keys()? {
        for _ in 0..clock.due() {
            let frame = session.frame();
            let keys: Vec<_> = (0..options.players)
                .map(|player| match player {
                    0 | 1 => screen.keys(player),
                    _ => peer::robot(options.weather.seed, player, frame),
                })
                .collect();
            let _ = session.advance(keys)?;
        }
        screen::draw(session.world(), &format!("frame {}", session.frame()))?;
        thread::sleep(Duration::from_millis(8));
    }
    Ok(())
}

/// One player of several machines.
fn over_a_network(options: &Options) -> Result<(), Box<dyn Error>> {
    let world = game::new(options.players, options.drones);
    let mut session = peer::session(options, world)?;
    let mut screen = Screen::open()?;
    let mut clock = peer::Clock::new(options.rate)?;
    let mut status = format!("waiting for {}", list(&options.peers));
    while screen.read_keys()? {
        for _ in 0..clock.due() {
            if session.advance([screen.keys(0)])? == Progress::Synchronizing {
                break;
            }
        }
        for event in session.events() {
            status = match event {
                Event::DesyncDetected(desync) => return Err(desync.to_string().into()),
                Event::Disconnected { peer } => format!("{peer} has left"),
                Event::Interrupted { peer, .. } => format!("{peer} is silent"),
                Event::Synchronizing { peer, count, total } => {
                    format!("{peer}: {count} of {total}")
                }
                _ => String::new(),
            };
        }
        let (frame, again) = (session.frame(), session.steps());
        screen::draw(session.world(), &format!("frame {frame}, {again} steps  {status}"))?;
        thread::sleep(Duration::from_millis(8));
    }
    Ok(())
}

/// Passes packets on, for ever.
fn relay(options: &Options) -> Result<(), Box<dyn Error>> {
    let relay = relay::Relay::bind(options.players, Some(options.port), options.weather)?;
    for from in 0..options.players {
        let addresses: Result<Vec<_>, _> = (0..options.players)
            .filter(|&to| to != from)
            .map(|to| relay.address(from, to))
            .collect();
        println!("player {from} has the peers {}", list(&addresses?));
    }
    relay.run(&AtomicBool::new(false));
    Ok(())
}

/// Processes of this program over a relay.
fn contest(options: &Options) -> Result<(), Box<dyn Error>> {
    let program = std::env::current_exe()?;
    let frames = options.frames.unwrap_or(600) as u64;
    // As slow as one frame in a fifth of a second.
    let timeout = Duration::from_secs(60 + frames / 5);
    let reports = contest::contest(options, timeout, |flags| {
        let mut command = Command::new(&program);
        command.args(flags);
        command
    })?;
    for (player, report) in reports.iter().enumerate() {
        for line in report {
            println!("player {player}: {line}");
        }
    }
    let last = |report: &Vec<String>| report.last().cloned();
    let same = reports.iter().all(|report| last(report) == last(&reports[0]));
    let is_hash = last(&reports[0]).is_some_and(|line| line.starts_with("hash "));
    let is_cause =
        |report: &Vec<String>| report.iter().any(|line| line.contains("the system `Shake`"));
    match options.fault {
        None if !(same && is_hash) => Err("the states differ".into()),
        Some(player) if !is_cause(&reports[player]) => Err("the fault was not found".into()),
        _ => Ok(()),
    }
}

/// Addresses, for messages.
fn list(peers: &[SocketAddr]) -> String {
    peers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
