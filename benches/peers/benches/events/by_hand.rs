//! Plain vectors: eight of them, which are filled on one thread or two.

use crate::{Contender, fold, number};

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
