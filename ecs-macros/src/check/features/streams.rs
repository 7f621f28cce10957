//! Streams: each has two ends, which must be able to run at the same time.
//!
//! `const` evaluation, which knows types, checks that the output is a `Stream<T>`.

use crate::check::order::cycles::{entry, known_edges};
use crate::check::order::phases::{parting, phase, refreshes, says, source};
use crate::error::{Error, Errors, Fault, Label};
use crate::model::{Graph, Model, Use};
use crate::syntax::{Flag, List};

/// A stream as its consumer declares it.
struct Stream<'m> {
    producer: usize,
    consumer: usize,
    used: &'m Use<'m>,
}

/// Every stream whose producer is known. A system that names itself does not count.
fn streams<'m>(model: &'m Model<'m>) -> Vec<Stream<'m>> {
    let mut streams: Vec<Stream<'m>> = Vec::new();
    for (consumer, system) in model.systems.iter().enumerate() {
        for used in system.uses.iter().filter(|used| used.list == List::Streams) {
            let Some(producer) = used.target.known() else { continue };
            let again = |s: &Stream<'_>| (s.producer, s.consumer) == (producer, consumer);
            if producer != consumer && !streams.iter().any(again) {
                streams.push(Stream { producer, consumer, used });
            }
        }
    }
    streams
}

fn name(model: &Model<'_>, system: usize) -> String {
    model.systems[system].name().to_string()
}

/// Reports systems that are `unordered`, but take no stream and have no output. (Whether an output has an order
/// depends on its type, which is not known here.)
pub(crate) fn idle_unordered(model: &Model<'_>, errors: &mut Errors) {
    for system in &model.systems {
        if let Some(unordered) = system.item.flag(Flag::Unordered)
            && !system.uses.iter().any(|used| used.list == List::Streams)
            && system.item.output.is_none()
        {
            errors.report(unordered, Fault::IdleUnordered { system: system.name().to_string() });
        }
    }
}

/// Reports producers without any output.
pub(crate) fn no_output(model: &Model<'_>, errors: &mut Errors) {
    for Stream { producer, consumer, used } in streams(model) {
        let item = model.systems[producer].item;
        if item.output.is_none() {
            let (system, producer) = (name(model, consumer), name(model, producer));
            errors.report(used.name().span(), Fault::NoStream { system, producer });
        }
    }
}

/// Reports systems that take several streams.
pub(crate) fn several(model: &Model<'_>, errors: &mut Errors) {
    let streams = streams(model);
    for (at, second) in streams.iter().enumerate() {
        let Some(first) = streams[..at].iter().find(|s| s.consumer == second.consumer) else {
            continue;
        };
        let (system, other) = (name(model, second.consumer), name(model, second.producer));
        let label = format!("`{system}` takes the stream of `{}` here", first.used.name());
        let fault = Fault::SeveralStreams { system, other };
        errors.report_with(second.used.name().span(), fault, (first.used.name().span(), label));
    }
}

/// Reports streams that several systems take.
pub(crate) fn shared(model: &Model<'_>, errors: &mut Errors) {
    let streams = streams(model);
    for (at, second) in streams.iter().enumerate() {
        let Some(first) = streams[..at].iter().find(|s| s.producer == second.producer) else {
            continue;
        };
        let [producer, one, other] =
            [first.producer, first.consumer, second.consumer].map(|system| name(model, system));
        let label = format!("`{one}` takes the stream of `{producer}` here");
        let fault = Fault::SharedStream { producer, first: one, second: other };
        errors.report_with(second.used.name().span(), fault, (first.used.name().span(), label));
    }
}

/// Reports systems that both send a stream and take one.
pub(crate) fn in_a_row(model: &Model<'_>, errors: &mut Errors) {
    let streams = streams(model);
    for sent in &streams {
        let Some(taken) = streams.iter().find(|taken| taken.consumer == sent.producer) else {
            continue;
        };
        let [first, system, last] =
            [taken.producer, sent.producer, sent.consumer].map(|system| name(model, system));
        let label = format!("`{system}` takes the stream of `{first}` here");
        let fault = Fault::StreamsInARow { system, first, last };
        errors.report_with(sent.used.name().span(), fault, (taken.used.name().span(), label));
    }
}

/// Reports streams between systems one of which runs before the other.
pub(crate) fn between_ordered(model: &Model<'_>, errors: &mut Errors) {
    let order = Graph::new(model.systems.len(), known_edges(model));
    for Stream { producer, consumer, used } in streams(model) {
        let ways = [(producer, consumer), (consumer, producer)];
        // Cycles are reported elsewhere.
        let (earlier, later) = match ways.map(|(from, to)| order.reaches(from, to)) {
            [true, false] => ways[0],
            [false, true] => ways[1],
            _ => continue,
        };
        let mut path = order.path(earlier, later);
        path.push(later);
        let fault = Fault::StreamInOrder {
            producer: name(model, producer),
            consumer: name(model, consumer),
            path: path.iter().map(|system| name(model, *system)).collect(),
        };
        let labels = path.windows(2).filter_map(|pair| waits(model, pair[0], pair[1])).collect();
        errors.push(Error { span: used.name().span(), fault, labels });
    }
}

/// The label at the entry by which `later` runs after `earlier`, if there is one.
fn waits(model: &Model<'_>, earlier: usize, later: usize) -> Option<Label> {
    let text = format!("`{}` waits for `{}` here", name(model, later), name(model, earlier));
    entry(model, earlier, later).map(|entry| Label { span: entry.span(), text })
}

/// Reports cycles that include both ends of streams: each end waits for the dependencies of the other one.
/// Cycles without streams are reported elsewhere.
pub(crate) fn cycles(model: &Model<'_>, errors: &mut Errors) {
    // Checks that need the whole declaration are skipped if it has a fault.
    let streams = streams(model);
    if streams.is_empty() || !errors.is_empty() {
        return;
    }
    // Both ends are one node, with the producer's index.
    let node = |system: usize| {
        streams.iter().find(|s| s.consumer == system).map_or(system, |stream| stream.producer)
    };
    let edges = known_edges(model);
    let nodes = edges.iter().map(|(earlier, later)| (node(*earlier), node(*later)));
    for cycle in Graph::new(model.systems.len(), nodes).cycles() {
        let following = cycle.iter().cycle().skip(1);
        let mut places: Vec<Label> = cycle
            .iter()
            .zip(following)
            .filter_map(|(one, next)| {
                let (earlier, later) =
                    edges.iter().find(|(a, b)| (node(*a), node(*b)) == (*one, *next))?;
                waits(model, *earlier, *later)
            })
            .collect();
        let nodes = cycle.iter().map(|producer| {
            let consumer = streams.iter().find(|stream| stream.producer == *producer);
            let consumer = consumer.map(|stream| name(model, stream.consumer));
            (name(model, *producer), consumer)
        });
        let fault = Fault::StreamCycle { nodes: nodes.collect() };
        // The last one closes the cycle.
        let Some(Label { span, .. }) = places.pop() else { continue };
        errors.push(Error { span, fault, labels: places });
    }
}

/// Reports streams with a refresh between their ends.
pub(crate) fn between_phases(model: &Model<'_>, errors: &mut Errors) {
    if !refreshes(model) || !errors.is_empty() {
        return;
    }
    let mut phases = vec![None; model.systems.len()];
    for Stream { producer, consumer, used } in streams(model) {
        let ends = [producer, consumer];
        let [first, second] = ends.map(|end| phase(model, end, &mut phases));
        if first == second {
            continue;
        }
        let late = if first > second { producer } else { consumer };
        let Some((staging, seeing)) = source(model, late, &mut phases) else { continue };
        let [producer, consumer, staging_name, seeing_name] =
            [producer, consumer, staging, seeing].map(|system| name(model, system));
        let label = parting(model, staging, seeing).map(|staged| Label {
            span: staged.span,
            text: format!("`{staging_name}` stages {} here", staged.text),
        });
        let fault = Fault::RefreshInStream {
            producer,
            consumer,
            staging: staging_name,
            seeing: seeing_name,
            said: says(model, staging, seeing),
        };
        errors.push(Error { span: used.name().span(), fault, labels: label.into_iter().collect() });
    }
}
