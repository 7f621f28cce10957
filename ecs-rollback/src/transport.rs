//! How packets get from peer to peer.

use core::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, ToSocketAddrs, UdpSocket};
use std::rc::Rc;

use ggrs::{Message, NonBlockingSocket};
use serde::Serialize;

use crate::check::Report;
use crate::guard::is_hostile;

/// Sends and receives packets, unreliably: they may be lost, doubled, late and in any order, as those of UDP are.
///
/// [`Udp`] is one. Others are for WebRTC, for the networks of game platforms, and for tests.
///
/// ```
/// use std::sync::mpsc::{Receiver, Sender, channel};
/// use ecs_rollback::Transport;
///
/// /// Two peers of one process, of which the other one is number `.0`.
/// struct Wire(u8, Sender<Vec<u8>>, Receiver<Vec<u8>>);
///
/// impl Transport<u8> for Wire {
///     fn send(&mut self, packet: &[u8], _: &u8) {
///         let _ = self.1.send(packet.to_vec());
///     }
///     fn receive(&mut self, packet: &mut Vec<u8>) -> Option<u8> {
///         *packet = self.2.try_recv().ok()?;
///         Some(self.0)
///     }
/// }
///
/// let (there, here) = (channel(), channel());
/// let mut zero = Wire(1, there.0, here.1);
/// let mut one = Wire(0, here.0, there.1);
/// zero.send(b"hello", &1);
/// let mut packet = Vec::new();
/// assert_eq!((one.receive(&mut packet), &packet[..]), (Some(0), &b"hello"[..]));
/// assert_eq!(one.receive(&mut packet), None);
/// ```
pub trait Transport<A> {
    /// Sends a packet to a peer, without waiting. A packet that cannot be sent is lost.
    ///
    /// Packets are small: some hundred bytes, and 8 more for each part of the state that peers
    /// [compare](crate::Session::with_parts).
    fn send(&mut self, packet: &[u8], to: &A);

    /// Replaces the content of `packet` by the next packet that has arrived, and returns where it came from. `None` if there
    /// is none; it does not wait.
    fn receive(&mut self, packet: &mut Vec<u8>) -> Option<A>;
}

/// A [`Transport`] of UDP packets.
///
/// ```
/// use ecs_rollback::Udp;
///
/// // Any free port of this machine alone. `Udp::port(7000)` is one that others reach.
/// let udp = Udp::bind("127.0.0.1:0")?;
/// assert!(udp.address()?.port() > 0);
/// # Ok::<_, std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Udp {
    socket: UdpSocket,
    /// As long as the longest packet.
    buffer: Box<[u8]>,
}

impl Udp {
    /// Listens to a port on all networks of the machine.
    ///
    /// # Errors
    /// If the port is in use, or not allowed.
    pub fn port(port: u16) -> io::Result<Self> {
        Self::bind(("0.0.0.0", port))
    }

    /// Listens to an address.
    ///
    /// # Errors
    /// If the address is none of this machine's, or its port is in use or not allowed.
    pub fn bind(address: impl ToSocketAddrs) -> io::Result<Self> {
        let socket = UdpSocket::bind(address)?;
        socket.set_nonblocking(true)?;
        Ok(Self { socket, buffer: vec![0; usize::from(u16::MAX)].into_boxed_slice() })
    }

    /// The address that the socket listens to.
    ///
    /// # Errors
    /// If the system does not tell.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }
}

impl Transport<SocketAddr> for Udp {
    fn send(&mut self, packet: &[u8], to: &SocketAddr) {
        // A packet that does not leave is a lost one, which the protocol sends again.
        let _ = self.socket.send_to(packet, to);
    }

    fn receive(&mut self, packet: &mut Vec<u8>) -> Option<SocketAddr> {
        loop {
            match self.socket.recv_from(&mut self.buffer) {
                Ok((length, from)) => {
                    packet.clear();
                    packet.extend_from_slice(&self.buffer[..length]);
                    return Some(from);
                }
                // An earlier packet had no receiver.
                Err(error)
                    if matches!(
                        error.kind(),
                        ErrorKind::ConnectionReset
                            | ErrorKind::ConnectionRefused
                            | ErrorKind::Interrupted
                    ) => {}
                Err(_) => return None,
            }
        }
    }
}

/// The first byte of a packet tells what follows.
const OF_GGRS: u8 = 0;
const REPORT: u8 = 1;

/// The most reports that wait, so that a stranger cannot fill the memory.
const WAITING: usize = 256;

/// Two streams of packets over one transport: those of `ggrs`, and the reports.
struct Wire<A> {
    transport: Box<dyn Transport<A>>,
    packet: Vec<u8>,
    reports: VecDeque<(A, Report)>,
}

/// A handle to the transport: `ggrs` has one, and the session another.
pub(crate) struct Link<A>(Rc<RefCell<Wire<A>>>);

impl<A> Clone for Link<A> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<A> Link<A> {
    pub(crate) fn new(transport: impl Transport<A> + 'static) -> Self {
        let transport = Box::new(transport);
        Self(Rc::new(RefCell::new(Wire {
            transport,
            packet: Vec::new(),
            reports: VecDeque::new(),
        })))
    }

    /// Sends a report to the peers.
    pub(crate) fn report<'a>(&self, report: &Report, to: impl Iterator<Item = &'a A>)
    where
        A: 'a,
    {
        let wire = &mut *self.0.borrow_mut();
        if wire.write(REPORT, report) {
            to.for_each(|to| wire.transport.send(&wire.packet, to));
        }
    }

    /// The next report that has arrived.
    pub(crate) fn next_report(&self) -> Option<(A, Report)> {
        self.0.borrow_mut().reports.pop_front()
    }
}

impl<A> Wire<A> {
    /// Encodes a packet; `false` if that is impossible.
    fn write(&mut self, first: u8, content: &impl Serialize) -> bool {
        self.packet.clear();
        self.packet.push(first);
        match postcard::to_extend(content, core::mem::take(&mut self.packet)) {
            Ok(packet) => {
                self.packet = packet;
                true
            }
            Err(_) => false,
        }
    }
}

impl<A: Clone + PartialEq + Eq + core::hash::Hash> NonBlockingSocket<A> for Link<A> {
    fn send_to(&mut self, message: &Message, to: &A) {
        let wire = &mut *self.0.borrow_mut();
        if wire.write(OF_GGRS, message) {
            wire.transport.send(&wire.packet, to);
        }
    }

    fn receive_all_messages(&mut self) -> Vec<(A, Message)> {
        let wire = &mut *self.0.borrow_mut();
        let mut messages = Vec::new();
        while let Some(from) = wire.transport.receive(&mut wire.packet) {
            // What cannot be read is not for us.
            match wire.packet.split_first() {
                Some((&OF_GGRS, message)) if !is_hostile(message) => {
                    let message = postcard::from_bytes(message);
                    messages.extend(message.ok().map(|message| (from, message)));
                }
                Some((&REPORT, report)) if wire.reports.len() < WAITING => {
                    let report = postcard::from_bytes(report);
                    wire.reports.extend(report.ok().map(|report| (from, report)));
                }
                _ => {}
            }
        }
        messages
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Check, Hashes};

    /// A transport that gives what it is given.
    #[derive(Default)]
    struct Mirror(VecDeque<Vec<u8>>);

    impl Transport<u8> for Mirror {
        fn send(&mut self, packet: &[u8], _: &u8) {
            self.0.push_back(packet.to_vec());
        }

        fn receive(&mut self, packet: &mut Vec<u8>) -> Option<u8> {
            *packet = self.0.pop_front()?;
            Some(7)
        }
    }

    #[test]
    fn reports_arrive_beside_messages_and_rubbish() {
        let mut mirror = Mirror::default();
        for rubbish in [&[][..], &[9, 9, 9], &[0], &[1, 255, 255, 255, 255, 255, 255, 255]] {
            mirror.send(rubbish, &7);
        }
        let mut link = Link::new(mirror);
        let check = |frame| Check { frame, hashes: Hashes { hash: 3, parts: vec![u64::MAX; 300] } };
        let report = Report { layout: 5, checks: vec![check(16), check(32)], findings: Vec::new() };
        link.report(&report, [7_u8].iter());
        assert!(link.receive_all_messages().is_empty());
        assert_eq!(link.next_report(), Some((7, report)));
        assert_eq!(link.next_report(), None);
    }

    #[test]
    fn reports_of_strangers_do_not_pile_up() {
        let mut link = Link::new(Mirror::default());
        let report = Report { layout: 0, checks: Vec::new(), findings: Vec::new() };
        for _ in 0..2 * WAITING {
            link.report(&report, [1_u8].iter());
        }
        link.receive_all_messages();
        assert_eq!(core::iter::from_fn(|| link.next_report()).count(), WAITING);
    }
}
