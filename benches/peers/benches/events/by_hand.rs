//! Plain vectors: eight of them, which are filled on one thread or two; messages are then sorted by receiver.

use rayon::prelude::*;

use crate::{Contender, fold, number, receiver};

struct ByHand {
    entities: Vec<u32>,
    parts: [Vec<u32>; 8],
    threads: usize,
    step: u32,
    sum: u64,
}

pub(super) fn new(entities: u32, threads: usize) -> Box<dyn Contender> {
    let parts = [const { Vec::new() }; 8];
    Box::new(ByHand { entities: (0..entities).collect(), parts, threads, step: 0, sum: 0 })
}

impl Contender for ByHand {
    fn step(&mut self) {
        self.step += 1;
        let (step, share) = (self.step, self.entities.len().div_ceil(8));
        let fill = |(entities, part): (&[u32], &mut Vec<u32>)| {
            part.clear();
            for &entity in entities {
                part.push(number(entity, step));
            }
        };
        let (first, second) = self.parts.split_at_mut(4);
        let mut halves = self.entities.chunks(4 * share);
        let (one, other) = (halves.next().unwrap_or_default(), halves.next().unwrap_or_default());
        let fill_half = |entities: &[u32], parts: &mut [Vec<u32>]| {
            entities.chunks(share).zip(parts).for_each(fill);
        };
        if self.threads == 1 {
            fill_half(one, first);
            fill_half(other, second);
        } else {
            rayon::join(|| fill_half(one, first), || fill_half(other, second));
        }
        self.sum = self.parts.iter().flatten().fold(0, |sum, event| fold(sum, *event));
    }

    fn sum(&self) -> u64 {
        self.sum
    }
}

/// What some entities send: the receiver of each message, and the number.
type Sent = Vec<(u32, u32)>;

/// What each entity sends to, and what each receiver has received.
struct Receivers {
    next: Vec<u32>,
    totals: Vec<u64>,
    /// The messages of each eighth of the senders.
    parts: Vec<Sent>,
    /// For each eighth of the receivers: where the messages to each begin, and the messages.
    sorted: Vec<(Vec<u32>, Vec<u32>)>,
    threads: usize,
    step: u32,
}

pub(super) fn messages(entities: u32, threads: usize) -> Box<dyn Contender> {
    Box::new(Receivers {
        next: (0..entities).map(|entity| receiver(entity, entities / 10)).collect(),
        totals: vec![0; entities as usize / 10],
        parts: vec![Vec::new(); 8],
        sorted: vec![(Vec::new(), Vec::new()); 8],
        threads,
        step: 0,
    })
}

/// Sorts the messages to these receivers by a counting sort, and adds them up.
fn receive(
    first: usize,
    totals: &mut [u64],
    (starts, sorted): &mut (Vec<u32>, Vec<u32>),
    parts: &[Sent],
) {
    let offset = |to: u32| (to as usize).wrapping_sub(first);
    starts.clear();
    starts.resize(totals.len() + 2, 0);
    for (to, _) in parts.iter().flatten() {
        if let Some(count) = starts[2..].get_mut(offset(*to)) {
            *count += 1;
        }
    }
    let mut sum = 0;
    for start in &mut starts[2..] {
        sum += *start;
        *start = sum;
    }
    sorted.resize(sum as usize, 0);
    for (to, number) in parts.iter().flatten() {
        if let Some(start) = starts[1..=totals.len()].get_mut(offset(*to)) {
            sorted[*start as usize] = *number;
            *start += 1;
        }
    }
    for (total, ends) in totals.iter_mut().zip(starts.windows(2)) {
        let received = &sorted[ends[0] as usize..ends[1] as usize];
        *total = received.iter().fold(*total, |total, number| fold(total, *number));
    }
}

impl Contender for Receivers {
    fn step(&mut self) {
        self.step += 1;
        let Self { next, totals, parts, sorted, threads, step } = self;
        let share = next.len().div_ceil(8);
        let send = |(at, (next, part)): (usize, (&[u32], &mut Sent))| {
            part.clear();
            let entities = (at * share) as u32..;
            for (entity, to) in entities.zip(next) {
                part.push((*to, number(entity, *step)));
            }
        };
        if *threads == 1 {
            next.chunks(share).zip(parts.iter_mut()).enumerate().for_each(send);
        } else {
            next.par_chunks(share).zip(parts.par_iter_mut()).enumerate().for_each(send);
        }
        let share = totals.len().div_ceil(8);
        let receive = |(at, (totals, sorted)): (usize, (&mut [u64], &mut _))| {
            receive(at * share, totals, sorted, parts);
        };
        if *threads == 1 {
            totals.chunks_mut(share).zip(sorted.iter_mut()).enumerate().for_each(receive);
        } else {
            totals.par_chunks_mut(share).zip(sorted.par_iter_mut()).enumerate().for_each(receive);
        }
    }

    fn sum(&self) -> u64 {
        self.totals.iter().fold(0, |sum, total| fold(sum, *total as u32))
    }
}
