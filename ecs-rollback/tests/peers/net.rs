//! A network within a test: packets take rounds instead of time, and are lost, doubled and late as a seed says.

use std::cell::RefCell;
use std::collections::{HashSet, VecDeque};
use std::rc::Rc;

use ecs_core::random::Random;
use ecs_rollback::Transport;

/// A packet on its way.
struct Packet {
    due: u64,
    from: u8,
    to: u8,
    bytes: Vec<u8>,
}

struct State {
    now: u64,
    late: VecDeque<Packet>,
    dice: Random,
    delay: u64,
    /// Of a hundred packets, how many are lost; as many are doubled, and as many are late.
    trouble: u32,
    /// Of a hundred packets, how many arrive beside a copy of which a byte is another one.
    forged: u32,
    /// Peers whose packets go nowhere.
    unplugged: HashSet<u8>,
    /// From whom no packets arrive at whom.
    cut: HashSet<(u8, u8)>,
}

/// The network.
#[derive(Clone)]
pub(crate) struct Net(Rc<RefCell<State>>);

impl Net {
    pub(crate) fn new(seed: u64, delay: u64, trouble: u32) -> Self {
        Self(Rc::new(RefCell::new(State {
            now: 0,
            late: VecDeque::new(),
            dice: Random::new(seed, 0),
            delay,
            trouble,
            forged: 0,
            unplugged: HashSet::new(),
            cut: HashSet::new(),
        })))
    }

    /// What a peer sends and receives by.
    pub(crate) fn plug(&self, id: u8) -> Plug {
        Plug { net: self.clone(), id }
    }

    /// A round passes.
    pub(crate) fn pass(&self) {
        self.0.borrow_mut().now += 1;
    }

    pub(crate) fn forge(&self, percent: u32) {
        self.0.borrow_mut().forged = percent;
    }

    pub(crate) fn cut(&self, from: u8, to: u8) {
        self.0.borrow_mut().cut.insert((from, to));
    }

    pub(crate) fn unplug(&self, id: u8) {
        self.0.borrow_mut().unplugged.insert(id);
    }
}

pub(crate) struct Plug {
    net: Net,
    id: u8,
}

impl Transport<u8> for Plug {
    fn send(&mut self, packet: &[u8], to: &u8) {
        let State { now, late, dice, delay, trouble, forged, unplugged, cut } =
            &mut *self.net.0.borrow_mut();
        let mut happens = || dice.range(0..100) < *trouble;
        if unplugged.contains(&self.id) || cut.contains(&(self.id, *to)) || happens() {
            return;
        }
        if dice.range(0..100) < *forged && !packet.is_empty() {
            let mut bytes = packet.to_vec();
            let at = dice.range(0..bytes.len());
            bytes[at] = dice.range(0..=u8::MAX);
            late.push_back(Packet { due: *now, from: self.id, to: *to, bytes });
        }
        let mut happens = || dice.range(0..100) < *trouble;
        for _ in 0..=u8::from(happens()) {
            let more = if happens() { *delay + 1 } else { 0 };
            let due = *now + *delay + more;
            late.push_back(Packet { due, from: self.id, to: *to, bytes: packet.to_vec() });
        }
    }

    fn receive(&mut self, packet: &mut Vec<u8>) -> Option<u8> {
        let State { now, late, unplugged, .. } = &mut *self.net.0.borrow_mut();
        let is_due = |it: &Packet| it.to == self.id && it.due <= *now;
        let at = late.iter().position(is_due)?;
        let Packet { from, bytes, .. } = late.remove(at)?;
        *packet = bytes;
        Some(from).filter(|_| !unplugged.contains(&self.id))
    }
}
