//! Plain vectors, and a bit for each value that has changed.

use crate::{Contender, is_due};

struct ByHand {
    numbers: Vec<u32>,
    values: Vec<u64>,
    changed: Vec<u64>,
    sum: u64,
}

pub(super) fn new(entities: u32) -> Box<dyn Contender> {
    Box::new(ByHand {
        numbers: (0..entities).collect(),
        values: (0..entities).map(u64::from).collect(),
        changed: vec![0; (entities as usize).div_ceil(64)],
        sum: 0,
    })
}

impl Contender for ByHand {
    fn step(&mut self, share: u32) {
        let blocks = self.numbers.chunks(64).zip(self.values.chunks_mut(64));
        for ((numbers, values), changed) in blocks.zip(&mut self.changed) {
            let mut rows = 0;
            for (bit, (number, value)) in numbers.iter().zip(values).enumerate() {
                if is_due(*number, share) {
                    *value += 1;
                    rows |= 1 << bit;
                }
            }
            *changed |= rows;
        }
        self.sum = 0;
        for (values, changed) in self.values.chunks(64).zip(&mut self.changed) {
            let mut rows = std::mem::take(changed);
            if rows == u64::MAX {
                self.sum += values.iter().sum::<u64>();
                continue;
            }
            while rows != 0 {
                self.sum += values[rows.trailing_zeros() as usize];
                rows &= rows - 1;
            }
        }
    }

    fn sum(&self) -> u64 {
        self.sum
    }
}
