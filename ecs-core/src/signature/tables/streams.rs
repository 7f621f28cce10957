//! Streams in the tables: which system receives which stream, and the order that follows.

use ecs_rules::order;

use crate::signature::check::ancestors::{ancestors, ancestors_with_streams};
use crate::signature::check::message::Message;
use crate::signature::check::residual::Phases;
use crate::signature::{Declaration, MAX_SYSTEMS, SystemSignature, Tables};

/// No system.
pub(crate) const NONE: u16 = u16::MAX;

/// The system that receives each system's stream; [`NONE`] if none does.
pub(crate) const fn consumers(systems: &[SystemSignature]) -> [u16; MAX_SYSTEMS] {
    let mut consumers = [NONE; MAX_SYSTEMS];
    for_each!(s < systems.len(), {
        if !systems[s].declared.streams.is_empty() {
            consumers[systems[s].declared.streams[0]] = s as u16;
        }
    });
    consumers
}

/// The system that receives the stream of the system at `index`. O(systems).
pub(crate) fn consumer_of(systems: &[SystemSignature], index: usize) -> Option<usize> {
    systems.iter().position(|system| system.declared.streams == [index])
}

/// Whether there is any stream.
pub(crate) const fn any(systems: &[SystemSignature]) -> bool {
    for_each!(s < systems.len(), {
        if !systems[s].declared.streams.is_empty() {
            return true;
        }
    });
    false
}

/// The systems that must have run before the node of the system at `index`: its own dependencies; for a
/// producer also its consumer's, because both are executed in the producer's node; for a consumer only its producer.
pub(crate) fn dependencies(systems: &[SystemSignature], index: usize) -> Vec<usize> {
    let declared = |index: usize| order::declared(&systems[index].declared).concat();
    if let [producer] = systems[index].declared.streams {
        return vec![*producer];
    }
    let consumer = consumer_of(systems, index);
    let mut all = declared(index);
    all.extend(consumer.into_iter().flat_map(declared));
    all
}

/// Fails to evaluate if the system at `consumer` lists in `streams` a system whose output is not a stream. Part of
/// [`check`](crate::signature::check()); `world!` evaluates it at the token of the producer's output.
///
/// # Panics
/// In that case, with ECS0045.
pub const fn check_stream<D: Declaration>(consumer: usize) {
    check_output(D::SYSTEMS, consumer);
}

const fn fail(first: &str, name: &str, rest: &str, other: &str, end: &str) -> ! {
    Message::new().text(first).text(name).text(rest).text(other).text(end).raise();
}

/// Fails to evaluate if the streams of the declaration are inconsistent with it. The indices must be in range.
pub(crate) const fn check(tables: Tables<'_>) {
    let systems = tables.systems;
    for_each!(s < systems.len(), {
        if systems[s].declared.unordered
            && systems[s].declared.streams.is_empty()
            && systems[s].declared.output_is_ordered
        {
            fail(
                "[ECS0045] the system `",
                systems[s].name,
                "` is `unordered`, but takes no stream, and its output has an order\nhelp: remove `unordered`, or add `streams: [..]`",
                "",
                "",
            );
        }
    });
    if !any(systems) {
        return;
    }
    let consumers = consumers(systems);
    for_each!(s < systems.len(), {
        check_ends(systems, &consumers, s);
    });
    let declared = ancestors(systems);
    for_each!(s < systems.len(), {
        if !systems[s].declared.streams.is_empty() {
            let p = systems[s].declared.streams[0];
            if order::are_ordered(&declared, s, p) {
                fail(
                    "[ECS0047] the systems `",
                    systems[p].name,
                    "` and `",
                    systems[s].name,
                    "` are the ends of a stream, which run at the same time, but are ordered\nhelp: remove what orders them, or output a `Vec` and declare it in `inputs`",
                );
            }
        }
    });
    // Fails if no order lets the ends of every stream run together.
    let _ = ancestors_with_streams(systems);
    let phases = Phases::of_tables(tables);
    for_each!(s < systems.len(), {
        if !systems[s].declared.streams.is_empty() {
            let p = systems[s].declared.streams[0];
            if phases.phase(p) != phases.phase(s) {
                fail(
                    "[ECS0048] the systems `",
                    systems[p].name,
                    "` and `",
                    systems[s].name,
                    "` are the ends of a stream, but a refresh comes between them\nhelp: output a `Vec` and declare it in `inputs`, or let changes be seen `after_step`",
                );
            }
        }
    });
}

const fn check_output(systems: &[SystemSignature], consumer: usize) {
    let system = &systems[consumer];
    for_each!(i < system.declared.streams.len(), {
        let producer = &systems[system.declared.streams[i]];
        if !producer.declared.output_streams {
            fail(
                "[ECS0045] the system `",
                system.name,
                "` takes the stream of `",
                producer.name,
                "`, whose output is no stream\nhelp: declare its `output: Stream<Item>`",
            );
        }
    });
}

/// Fails to evaluate if the system at `s` receives an output that is not a stream, or a stream that another system
/// receives too.
const fn check_ends(systems: &[SystemSignature], consumers: &[u16; MAX_SYSTEMS], s: usize) {
    let system = &systems[s];
    if system.declared.streams.is_empty() {
        return;
    }
    let producer = &systems[system.declared.streams[0]];
    check_output(systems, s);
    if system.declared.streams.len() > 1 {
        fail(
            "[ECS0046] the system `",
            system.name,
            "` takes several streams\nhelp: take one, and the outputs of the others by `inputs`",
            "",
            "",
        );
    }
    if consumers[system.declared.streams[0]] as usize != s {
        fail(
            "[ECS0046] the stream of `",
            producer.name,
            "` is taken by `",
            system.name,
            "` and by another system\nhelp: let one take it, and output what the other needs",
        );
    }
    if consumers[s] != NONE || !producer.declared.streams.is_empty() {
        fail(
            "[ECS0046] a system both sends and takes: `",
            producer.name,
            "` sends to `",
            system.name,
            "`, and one of the two is in another stream\nhelp: let it output a `Vec`, and declare it in `inputs`",
        );
    }
}
