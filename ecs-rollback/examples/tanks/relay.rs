//! A bad network: a relay that delays, drops, doubles and reorders packets, as a seed says.

use std::collections::BTreeMap;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use ecs_core::random::Random;

/// What becomes of packets.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Weather {
    /// How long each takes.
    pub(crate) delay: Duration,
    /// How many of a hundred are lost.
    pub(crate) loss: u32,
    /// How many of a hundred arrive twice.
    pub(crate) duplicate: u32,
    /// How many of a hundred take up to twice as long, so that later ones overtake them.
    pub(crate) reorder: u32,
    pub(crate) seed: u64,
}

/// The way from one player to another one.
struct Lane {
    /// Where the sender sends to. The other lane of the two players sends from here.
    socket: UdpSocket,
    /// Where the sender is, as its first packet shows.
    sender: Option<SocketAddr>,
    dice: Random,
}

/// A relay between players, each of which sees an address of the relay in the place of each other player.
pub(crate) struct Relay {
    players: usize,
    weather: Weather,
    /// That from player `i` to player `j` is the one with the number `i × players + j`.
    lanes: Vec<Lane>,
}

impl Relay {
    /// Listens for `players` players. The addresses are free ports of this machine, or begin with a port.
    pub(crate) fn bind(players: usize, port: Option<u16>, weather: Weather) -> io::Result<Self> {
        let lanes = (0..players * players).map(|number| {
            let port = port.map_or(0, |port| port + number as u16);
            let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, port))?;
            socket.set_nonblocking(true)?;
            Ok(Lane { socket, sender: None, dice: Random::new(weather.seed, number as u64) })
        });
        Ok(Self { players, weather, lanes: lanes.collect::<io::Result<_>>()? })
    }

    /// The address that a player has for another one.
    pub(crate) fn address(&self, from: usize, to: usize) -> io::Result<SocketAddr> {
        self.lanes[from * self.players + to].socket.local_addr()
    }

    /// Passes packets on until it is told to stop.
    pub(crate) fn run(mut self, stop: &AtomicBool) {
        // By the time when they are due, and the order of their arrival.
        let mut late = BTreeMap::new();
        let mut buffer = vec![0; usize::from(u16::MAX)];
        let mut count = 0;
        while !stop.load(Ordering::Relaxed) {
            for number in 0..self.lanes.len() {
                // Errors are those of earlier packets without a receiver, or that there is none.
                while let Ok((length, sender)) = self.lanes[number].socket.recv_from(&mut buffer) {
                    self.lanes[number].sender = Some(sender);
                    for time in self.times(number) {
                        count += 1;
                        let packet = buffer[..length].to_vec();
                        late.insert((Instant::now() + time, count), (number, packet));
                    }
                }
            }
            while let Some(first) = late.first_entry()
                && first.key().0 <= Instant::now()
            {
                let (number, packet) = first.remove();
                self.pass_on(number, &packet);
            }
            thread::sleep(Duration::from_micros(500));
        }
    }

    /// How long the copies of a packet take.
    fn times(&mut self, number: usize) -> Vec<Duration> {
        let Weather { delay, loss, duplicate, reorder, .. } = self.weather;
        let dice = &mut self.lanes[number].dice;
        let mut percent = |chance: u32| dice.range(0..100) < chance;
        if percent(loss) {
            return Vec::new();
        }
        let copies = 1 + usize::from(percent(duplicate));
        (0..copies)
            .map(|_| {
                let is_late = dice.range(0..100) < reorder;
                let more = delay.mul_f32(dice.f32()) + Duration::from_millis(5);
                delay + if is_late { more } else { Duration::ZERO }
            })
            .collect()
    }

    /// Sends a packet to the player at the end of a lane, from the address that it knows the sender by.
    fn pass_on(&self, number: usize, packet: &[u8]) {
        let back = &self.lanes[number % self.players * self.players + number / self.players];
        if let Some(receiver) = back.sender {
            let _ = back.socket.send_to(packet, receiver);
        }
    }
}
