//! The flags of the command line.

use std::error::Error;
use std::net::SocketAddr;
use std::time::Duration;

use crate::relay::Weather;

/// All flags, of all commands.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) players: usize,
    /// The number of this machine's player, from 0 on.
    pub(crate) player: usize,
    pub(crate) local_port: u16,
    /// The other players, in order.
    pub(crate) peers: Vec<SocketAddr>,
    /// How many frames are played; `None` for a game without an end.
    pub(crate) frames: Option<i32>,
    /// How many drones wander about.
    pub(crate) drones: usize,
    /// Frames per second; 0 for as many as possible.
    pub(crate) rate: u32,
    pub(crate) prediction: usize,
    pub(crate) input_delay: usize,
    pub(crate) compare_every: usize,
    pub(crate) weather: Weather,
    /// The first of the ports of the relay.
    pub(crate) port: u16,
    /// The player whose machine computes wrongly.
    pub(crate) fault: Option<usize>,
    /// A process that has ended its game stays until its input ends, so that the others can end theirs.
    pub(crate) until_input_ends: bool,
}

impl Options {
    /// Reads flags.
    pub(crate) fn parse(
        arguments: impl IntoIterator<Item = String>,
    ) -> Result<Self, Box<dyn Error>> {
        let mut options = Self {
            players: 2,
            player: 0,
            local_port: 0,
            peers: Vec::new(),
            frames: None,
            drones: 0,
            rate: 60,
            prediction: 12,
            input_delay: 2,
            compare_every: 16,
            weather: Weather { seed: 1, ..Weather::default() },
            port: 7100,
            fault: None,
            until_input_ends: false,
        };
        let mut arguments = arguments.into_iter();
        while let Some(flag) = arguments.next() {
            match flag.as_str() {
                "--lockstep" => options.prediction = 0,
                "--until-input-ends" => options.until_input_ends = true,
                _ => {
                    let value = arguments.next().ok_or_else(|| format!("{flag} needs a value"))?;
                    options
                        .set(&flag, &value)
                        .map_err(|error| format!("{flag} {value}: {error}"))?;
                }
            }
        }
        if !(1..=4).contains(&options.players) {
            return Err("there are one to four players".into());
        }
        Ok(options)
    }

    fn set(&mut self, flag: &str, value: &str) -> Result<(), Box<dyn Error>> {
        match flag {
            "--players" => self.players = value.parse()?,
            "--player" => self.player = value.parse()?,
            "--local-port" => self.local_port = value.parse()?,
            "--peer" => self.peers.push(value.parse()?),
            "--frames" => self.frames = Some(value.parse()?),
            "--drones" => self.drones = value.parse()?,
            "--rate" => self.rate = value.parse()?,
            "--prediction" => self.prediction = value.parse()?,
            "--input-delay" => self.input_delay = value.parse()?,
            "--compare-every" => self.compare_every = value.parse()?,
            "--port" => self.port = value.parse()?,
            "--fault" => self.fault = Some(value.parse()?),
            "--delay-ms" => self.weather.delay = Duration::from_millis(value.parse()?),
            "--loss" => self.weather.loss = value.parse()?,
            "--duplicate" => self.weather.duplicate = value.parse()?,
            "--reorder" => self.weather.reorder = value.parse()?,
            "--seed" => self.weather.seed = value.parse()?,
            _ => return Err("there is no such flag".into()),
        }
        Ok(())
    }

    /// The flags of a process that plays a player's part of a game with these flags, without a screen.
    pub(crate) fn of_player(&self, player: usize, peers: &[SocketAddr]) -> Vec<String> {
        let mut flags = vec!["headless".to_owned(), "--until-input-ends".to_owned()];
        let mut flag = |name: &str, value: &dyn ToString| {
            flags.extend([name.to_owned(), value.to_string()]);
        };
        flag("--players", &self.players);
        flag("--player", &player);
        flag("--frames", &self.frames.unwrap_or(600));
        flag("--drones", &self.drones);
        flag("--rate", &self.rate);
        flag("--prediction", &self.prediction);
        flag("--input-delay", &self.input_delay);
        flag("--compare-every", &self.compare_every);
        flag("--seed", &self.weather.seed);
        for peer in peers {
            flag("--peer", peer);
        }
        if let Some(fault) = self.fault {
            flag("--fault", &fault);
        }
        flags
    }
}
