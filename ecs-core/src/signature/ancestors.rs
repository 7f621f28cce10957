//! Which systems must run before which, directly or indirectly, in `const` evaluation.

use super::bits::{SystemBits, WORDS, add, has};
use super::message::Message;
use super::{MAX_SYSTEMS, SystemSignature, streams};

/// For each system the systems that must run before it.
pub(super) const fn ancestors(systems: &[SystemSignature]) -> [SystemBits; MAX_SYSTEMS] {
    ordered(systems, &[streams::NONE; MAX_SYSTEMS])
}

/// As [`ancestors`], but for the nodes of the schedule, where a producer waits for what its consumer
/// depends on, and a consumer for its producer.
pub(super) const fn ancestors_with_streams(
    systems: &[SystemSignature],
) -> [SystemBits; MAX_SYSTEMS] {
    ordered(systems, &streams::consumers(systems))
}

/// The ancestors; producers inherit from the given consumers.
#[expect(clippy::large_stack_arrays, reason = "it runs in the compiler")]
const fn ordered(
    systems: &[SystemSignature],
    consumers: &[u16; MAX_SYSTEMS],
) -> [SystemBits; MAX_SYSTEMS] {
    let mut ancestors = [[0; WORDS]; MAX_SYSTEMS];
    let mut done = [0; WORDS];
    let mut finished = 0;
    let words = systems.len().div_ceil(64);
    // Repeated rounds over the systems: a system is done once all its dependencies are. Most worlds are declared in
    // dependency order and need one round.
    while finished < systems.len() {
        let before = finished;
        let mut s = 0;
        while s < systems.len() {
            let system = &systems[s];
            // The consumer, if there is one, else the system itself once more.
            let consumer = if consumers[s] == streams::NONE { s } else { consumers[s] as usize };
            let consumer = &systems[consumer];
            // The producer, if `s` is one of the given consumers.
            let producer: &[usize] = match system.streams {
                [p] if consumers[*p] as usize == s => system.streams,
                _ => &[],
            };
            if !has(&done, s)
                && all_done(system.after, &done)
                && all_done(system.inputs, &done)
                && all_done(system.queries, &done)
                && all_done(consumer.after, &done)
                && all_done(consumer.inputs, &done)
                && all_done(consumer.queries, &done)
                && all_done(producer, &done)
            {
                let own = inherit(&ancestors, [0; WORDS], system.after, words);
                let own = inherit(&ancestors, own, system.inputs, words);
                let own = inherit(&ancestors, own, system.queries, words);
                let own = inherit(&ancestors, own, consumer.after, words);
                let own = inherit(&ancestors, own, consumer.inputs, words);
                let own = inherit(&ancestors, own, consumer.queries, words);
                ancestors[s] = inherit(&ancestors, own, producer, words);
                add(&mut done, s);
                finished += 1;
            }
            s += 1;
        }
        if finished == before {
            let mut s = 0;
            while has(&done, s) {
                s += 1;
            }
            if consumers[s] != streams::NONE || !systems[s].streams.is_empty() {
                Message::new()
                    .text("[E0047] the system `")
                    .text(systems[s].name)
                    .text("` cannot run at the same time as the other end of its stream: what comes between waits for one of them and is waited for by the other")
                    .raise();
            }
            Message::new()
                .text("[E0031] the dependencies of the system `")
                .text(systems[s].name)
                .text("` form a cycle")
                .raise();
        }
    }
    ancestors
}

pub(super) const fn all_done(indices: &[usize], done: &SystemBits) -> bool {
    let mut i = 0;
    while i < indices.len() {
        if !has(done, indices[i]) {
            return false;
        }
        i += 1;
    }
    true
}

const fn inherit(
    ancestors: &[SystemBits; MAX_SYSTEMS],
    mut own: SystemBits,
    dependencies: &[usize],
    words: usize,
) -> SystemBits {
    let mut i = 0;
    while i < dependencies.len() {
        add(&mut own, dependencies[i]);
        let mut w = 0;
        while w < words {
            own[w] |= ancestors[dependencies[i]][w];
            w += 1;
        }
        i += 1;
    }
    own
}
