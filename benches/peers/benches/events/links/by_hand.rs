//! A vector of pairs for each entity, of targets and values; and for both ends another one, of sources and values.

use rayon::prelude::*;

use super::{LINKS, Work, digest, relinked, target, value};
use crate::Contender;

/// The entity at the other end, and the value.
type Links = Vec<(u32, u32)>;

struct ByHand {
    targets: Vec<Links>,
    /// Empty if there is one end.
    sources: Vec<Links>,
    sums: Vec<u64>,
    work: Work,
    threads: usize,
    step: u32,
}

pub(super) fn new(links: u32, threads: usize, work: Work, both_ends: bool) -> Box<dyn Contender> {
    let entities = links / LINKS;
    let of = |source| {
        (0..LINKS).map(move |link| (target(source, link, 0, entities), value(source, link, 0)))
    };
    let targets: Vec<Links> = (0..entities).map(|source| of(source).collect()).collect();
    let mut sources = vec![Links::new(); if both_ends { entities as usize } else { 0 }];
    if both_ends {
        for (source, links) in (0..).zip(&targets) {
            for (target, value) in links {
                sources[*target as usize].push((source, *value));
            }
        }
    }
    Box::new(ByHand { targets, sources, sums: vec![0; entities as usize], work, threads, step: 0 })
}

/// Adds up the values of the lists.
fn add_up(lists: &[Links], sums: &mut [u64], threads: usize) {
    let add = |(links, sum): (&Links, &mut u64)| {
        *sum = links.iter().map(|(_, value)| u64::from(*value)).sum();
    };
    if threads == 1 {
        lists.iter().zip(sums).for_each(add);
    } else {
        lists.par_iter().zip(sums).with_min_len(lists.len() / 8).for_each(add);
    }
}

/// Adds the values to the sums of the targets.
fn scatter(targets: &[Links], sums: &mut [u64]) {
    sums.fill(0);
    for (target, value) in targets.iter().flatten() {
        sums[*target as usize] += u64::from(*value);
    }
}

impl ByHand {
    fn relink(&mut self) {
        let Self { targets, sources, threads, step, .. } = self;
        let entities = targets.len() as u32;
        let change = |source: u32, links: &mut Links| {
            let (link, time) = relinked(source, *step)?;
            let new = (target(source, link, time, entities), value(source, link, *step));
            Some((std::mem::replace(&mut links[link as usize], new).0, new))
        };
        if sources.is_empty() && *threads > 1 {
            let all = targets.par_iter_mut().with_min_len(entities as usize / 8).enumerate();
            all.for_each(|(source, links)| {
                change(source as u32, links);
            });
            return;
        }
        for (source, links) in (0..).zip(targets) {
            if let Some((old, (new, value))) = change(source, links)
                && !sources.is_empty()
            {
                let old = &mut sources[old as usize];
                let at = old.iter().position(|(other, _)| *other == source).expect("a link");
                old.swap_remove(at);
                sources[new as usize].push((source, value));
            }
        }
    }
}

impl Contender for ByHand {
    fn step(&mut self) {
        self.step += 1;
        match self.work {
            Work::AtSources => add_up(&self.targets, &mut self.sums, self.threads),
            Work::AtTargets if self.sources.is_empty() => scatter(&self.targets, &mut self.sums),
            Work::AtTargets => add_up(&self.sources, &mut self.sums, self.threads),
            Work::Relink => self.relink(),
        }
    }

    fn sum(&self) -> u64 {
        let mut sums = self.sums.clone();
        if self.work == Work::Relink {
            if self.sources.is_empty() {
                scatter(&self.targets, &mut sums);
            } else {
                add_up(&self.sources, &mut sums, 1);
            }
        }
        digest(self.targets.iter().flatten().map(|(_, value)| *value), sums.into_iter())
    }
}
