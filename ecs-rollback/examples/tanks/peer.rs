//! A machine of the game: its session, and the loop that advances it.
//!
//! The clock is read here, and nowhere in the systems.

use std::error::Error;
use std::io::Read;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use ecs_core::World;
use ecs_core::random::Random;
use ecs_core::settings::Settings;
use ecs_core::time::{FixedTimestep, Rate};
use ecs_rollback::{Builder, Cause, Event, Progress, Replay, Session, Udp};

use crate::game::{self, Fault, Keys, Tanks};
use crate::options::Options;

/// What each line of a report begins with.
pub(crate) const MARK: &str = "tanks: ";

/// How long a process goes on after its end, for the sake of the others.
const LINGER: Duration = Duration::from_secs(3);

/// The session of the machine of one player.
pub(crate) fn session<S: Settings>(
    options: &Options,
    mut world: World<Tanks, S>,
) -> Result<Session<Tanks, Keys, SocketAddr, S>, Box<dyn Error>> {
    if options.peers.len() + 1 != options.players {
        return Err(format!("--peer is needed {} times", options.players - 1).into());
    }
    world.resource_mut::<Fault>().0 = options.fault == Some(options.player);
    let mut builder = Builder::new()
        .prediction(options.prediction)
        .input_delay(options.input_delay)
        .compare_every(options.compare_every)
        .rate(if options.rate == 0 { 60 } else { options.rate as usize })
        .disconnect_after(Duration::from_secs(30))
        .notify_after(Duration::from_secs(3));
    let mut peers = options.peers.iter();
    for player in 0..options.players {
        let remote = if player == options.player { None } else { peers.next() };
        builder = match remote {
            Some(&peer) => builder.remote(peer),
            None => builder.local(),
        };
    }
    let udp = Udp::port(options.local_port)?;
    Ok(builder.start(world, udp)?)
}

/// What a player who is a program holds in a frame: other keys every ten frames.
pub(crate) fn robot(seed: u64, player: usize, frame: i32) -> Keys {
    let mut random = Random::new(seed, player as u64).substream(frame as u32 / 10);
    Keys(random.range(0..32))
}

/// How a game without a screen has ended.
#[derive(Debug)]
enum End {
    /// All had the same states up to the last frame.
    Hash(u64),
    /// Two had different ones.
    Desync(String),
}

/// Plays without a screen: as many frames as the flags say, then the report.
pub(crate) fn headless(options: &Options) -> Result<(), Box<dyn Error>> {
    let world = game::new(options.players, options.drones);
    let mut session = session(options, world)?;
    let frames = options.frames.unwrap_or(600);
    // The last frame is one that is compared.
    let interval = options.compare_every as i32;
    let last = (frames + interval - 1) / interval * interval;
    let input_ended = Arc::new(AtomicBool::new(false));
    if options.until_input_ends {
        let ended = Arc::clone(&input_ended);
        thread::spawn(move || {
            let _ = std::io::stdin().read_to_end(&mut Vec::new());
            ended.store(true, Ordering::Relaxed);
        });
    }
    let mut clock = Clock::new(options.rate)?;
    let mut ended_at: Option<Instant> = None;
    let mut trouble = Trouble::default();
    loop {
        for _ in 0..clock.due() {
            let keys = robot(options.weather.seed, options.player, session.frame());
            if session.advance([keys])? != Progress::Advanced {
                break;
            }
        }
        let end = end(&mut session, last, &mut trouble);
        if let Some(end) = end.filter(|_| ended_at.is_none()) {
            report(&session, last, &end);
            ended_at = Some(Instant::now());
        }
        let is_over = match ended_at {
            Some(_) if options.until_input_ends => input_ended.load(Ordering::Relaxed),
            Some(at) => at.elapsed() > LINGER,
            // The other process is gone.
            None => input_ended.load(Ordering::Relaxed),
        };
        if is_over {
            return Ok(());
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// A desync, as it becomes known.
#[derive(Default)]
struct Trouble {
    lines: Vec<String>,
    since: Option<Instant>,
    /// Whether the step is known.
    is_located: bool,
}

/// How the game has ended, if it has.
fn end<S: Settings>(
    session: &mut Session<Tanks, Keys, SocketAddr, S>,
    last: i32,
    trouble: &mut Trouble,
) -> Option<End> {
    for event in session.events() {
        match event {
            Event::DesyncDetected(desync) => {
                trouble.is_located |= matches!(desync.replay, Replay::Differs(_));
                trouble.lines.push(desync.to_string());
            }
            Event::DesyncLocated { peer, cause, divergence } => {
                trouble.is_located = true;
                trouble.lines.push(match cause {
                    Cause::Peer => format!("the cause is at {peer}: {divergence}"),
                    _ => format!("a difference to {peer}: {divergence}"),
                });
            }
            Event::Disconnected { peer } => trouble.lines.push(format!("{peer} is gone")),
            _ => {}
        }
    }
    if !trouble.lines.is_empty() {
        let since = *trouble.since.get_or_insert_with(Instant::now);
        let is_known = trouble.is_located || since.elapsed() > LINGER;
        return is_known.then(|| End::Desync(trouble.lines.join("\n")));
    }
    let agreed = session.agreed_frame().is_some_and(|agreed| agreed >= last);
    session.final_hash(last).filter(|_| agreed).map(End::Hash)
}

fn report<S: Settings>(session: &Session<Tanks, Keys, SocketAddr, S>, last: i32, end: &End) {
    let score = session.world().resource::<game::Score>().0;
    let steps = session.steps();
    match end {
        End::Hash(hash) => {
            println!("{MARK}score {score:?}, {} frames, {steps} steps", session.frame());
            println!("{MARK}hash {hash:016x} at frame {last}");
        }
        End::Desync(text) => {
            text.lines().for_each(|line| println!("{MARK}{line}"));
            println!("{MARK}end");
        }
    }
}

/// Tells how many frames are due.
pub(crate) struct Clock {
    time: Option<FixedTimestep>,
    last: Instant,
}

impl Clock {
    /// So many frames per second, or one whenever it is asked.
    pub(crate) fn new(rate: u32) -> Result<Self, Box<dyn Error>> {
        let time = match rate {
            0 => None,
            _ => Some(FixedTimestep::new(Rate::per_second(rate)?, 4)?),
        };
        Ok(Self { time, last: Instant::now() })
    }

    /// How many frames are due since the last call.
    pub(crate) fn due(&mut self) -> usize {
        let now = Instant::now();
        let elapsed = now - core::mem::replace(&mut self.last, now);
        self.time.as_mut().map_or(1, |time| time.advance(elapsed).len())
    }
}
