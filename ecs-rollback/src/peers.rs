//! Comparison with the peers' states.

use std::collections::{HashMap, HashSet, VecDeque};

use ecs_core::settings::Settings;
use ggrs::Frame;

use crate::builder::Address;
use crate::check::{Check, Checks, Report, differing};
use crate::event::{Desync, Event};
use crate::inputs::Input;
use crate::investigation::{Heard, Replay};
use crate::replica::{Playable, Replica};
use crate::transport::Link;

/// How many checks a report has, so that most arrive although packets are lost.
const REPEATED: usize = 3;

/// For how many calls a peer is told what is found about a desync, and in which of them.
const TOLD: u32 = 1_200;
const TOLD_EACH: u32 = 8;

/// What is known of a peer's states.
#[derive(Default)]
struct Peer {
    /// Its checks of frames that are not final here.
    waiting: Checks,
    same_program: bool,
    /// The latest frame at whose start its state was the same.
    agreed: Option<Frame>,
    /// What it has found about a desync.
    heard: Heard,
    /// Since its state is seen to differ.
    desync: Option<Exchange>,
    has_left: bool,
}

/// Machines that tell each other what they find.
#[derive(Default)]
struct Exchange {
    /// For how many calls the peer has been told what is found here.
    told: u32,
    is_located: bool,
}

pub(crate) struct Peers<A> {
    link: Link<A>,
    known: HashMap<A, Peer>,
    /// Those that reports are sent to.
    audience: HashSet<A>,
    layout: Option<u64>,
    /// The frame of the latest check that was sent.
    sent: Frame,
    replays: bool,
}

impl<A: Address> Peers<A> {
    /// `peers` are compared with, and they and the spectators are told.
    pub(crate) fn new(link: Link<A>, peers: Vec<A>, spectators: &[A], replays: bool) -> Self {
        let audience = peers.iter().chain(spectators).cloned().collect();
        let known = peers.into_iter().map(|address| (address, Peer::default())).collect();
        Self { link, known, audience, layout: None, sent: -1, replays }
    }

    /// Does not tell the peers.
    pub(crate) fn silent(mut self) -> Self {
        self.audience.clear();
        self
    }

    /// The latest compared frame at whose start all peers that are left had the same state.
    pub(crate) fn agreed(&self) -> Option<Frame> {
        let present = self.known.values().filter(|peer| !peer.has_left);
        present.map(|peer| peer.agreed).min().flatten()
    }

    /// Whether a peer has had another state.
    pub(crate) fn is_desynced(&self) -> bool {
        self.known.values().any(|peer| peer.desync.is_some())
    }

    pub(crate) fn leave(&mut self, peer: &A) {
        if let Some(peer) = self.known.get_mut(peer) {
            peer.has_left = true;
        }
        self.audience.remove(peer);
    }

    /// Sends the checks that have become final, and compares those of the others.
    pub(crate) fn compare<D: Playable<I>, S: Settings, I: Input>(
        &mut self,
        replica: &mut Replica<D, S, I>,
        last_final: Frame,
        events: &mut VecDeque<Event<A>>,
    ) {
        let layout = *self.layout.get_or_insert_with(|| replica.layout());
        let newest = replica.checks.latest(last_final, 1).next().map(|check| check.frame);
        if let Some(frame) = newest.filter(|&frame| frame > self.sent) {
            self.sent = frame;
            let checks = replica.checks.latest(last_final, REPEATED).cloned().collect();
            self.link
                .report(&Report { layout, checks, findings: Vec::new() }, self.audience.iter());
        }
        while let Some((from, report)) = self.link.next_report() {
            if let Some(peer) = self.known.get_mut(&from) {
                peer.same_program = report.layout == layout;
                for check in report.checks {
                    if peer.agreed.is_none_or(|agreed| check.frame > agreed) {
                        peer.waiting.enter(check);
                    }
                }
                report.findings.into_iter().for_each(|finding| peer.heard.enter(finding));
            }
        }
        replica.keep(self.agreed().unwrap_or(0));
        for (address, peer) in &mut self.known {
            for theirs in peer.waiting.take_until(last_final) {
                if peer.desync.is_some() {
                    break;
                }
                let Some(ours) = replica.checks.get(theirs.frame) else { continue };
                if ours.hashes.hash == theirs.hashes.hash {
                    peer.agreed = peer.agreed.max(Some(theirs.frame));
                } else {
                    peer.desync = Some(Exchange::default());
                    let ours = ours.clone();
                    let desync =
                        peer.desync(address.clone(), replica, &ours, &theirs, self.replays);
                    events.push_back(Event::DesyncDetected(Box::new(desync)));
                }
            }
            if peer.same_program && self.replays {
                let tells = !self.audience.is_empty();
                peer.exchange(address, replica, tells.then_some((&self.link, layout)), events);
            }
        }
    }
}

impl Peer {
    /// Tells the peer what is found here, and looks at what it has found.
    fn exchange<A: Address, D: Playable<I>, S: Settings, I: Input>(
        &mut self,
        address: &A,
        replica: &mut Replica<D, S, I>,
        tells: Option<(&Link<A>, u64)>,
        events: &mut VecDeque<Event<A>>,
    ) {
        let Some(exchange) = &mut self.desync else { return };
        if self.heard.take_news()
            && !exchange.is_located
            && let Some((cause, divergence)) = replica.locate(self.agreed, &self.heard)
        {
            exchange.is_located = true;
            let peer = address.clone();
            events.push_back(Event::DesyncLocated { peer, cause, divergence });
        }
        if let Some((link, layout)) = tells.filter(|_| exchange.told < TOLD) {
            if exchange.told.is_multiple_of(TOLD_EACH) {
                let findings = replica.findings(self.agreed);
                let report = Report { layout, checks: Vec::new(), findings };
                link.report(&report, [address].into_iter());
            }
            exchange.told += 1;
        }
    }

    fn desync<A, D: Playable<I>, S: Settings, I: Input>(
        &self,
        peer: A,
        replica: &mut Replica<D, S, I>,
        ours: &Check,
        theirs: &Check,
        replays: bool,
    ) -> Desync<A> {
        let is_comparable =
            self.same_program && ours.hashes.parts.len() == theirs.hashes.parts.len();
        let parts = if is_comparable
            && differing(&ours.hashes.parts, &theirs.hashes.parts).next().is_some()
        {
            replica.differing(&ours.hashes.parts, &theirs.hashes.parts)
        } else {
            Vec::new()
        };
        let replay = if replays && self.same_program {
            replica.replay(self.agreed, ours.frame)
        } else {
            Replay::Impossible
        };
        Desync {
            peer,
            frame: ours.frame,
            agreed: self.agreed,
            local: ours.hashes.hash,
            remote: theirs.hashes.hash,
            parts,
            same_program: self.same_program,
            replay,
        }
    }
}
