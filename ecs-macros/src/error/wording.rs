//! The message of every fault: what is wrong, in the user's terms, and how to fix it.

use std::fmt;

use super::fault::{Conflict, Fault};
use super::parts::{
    did_you_mean, without_refresh, write_cycle, write_idle, write_influence, write_meets_itself,
    write_order, write_parted, write_stream_cycle,
};
use super::queries;
use super::rights::{write_undeclared, write_unused};
use super::{events, expires, relations};
use ecs_rules::Kind;

use crate::macro_kind::MacroKind;

/// The message: what is wrong, and after `help:` the line to add or to change.
impl fmt::Display for Fault {
    #[expect(clippy::too_many_lines, reason = "one arm per fault: the wording is in one place")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(message) => {
                f.write_str(message)?;
                let token = message.strip_prefix("expected `").and_then(|m| m.strip_suffix('`'));
                match token {
                    Some(token) if token.len() == 1 => {
                        write!(f, "\nhelp: write `{token}` before this")
                    }
                    _ => Ok(()),
                }
            }
            Self::NoWorld => f.write_str(
                "the declaration has no world\n\
                 help: begin it with `world Name;` or `world Name { … }`",
            ),
            Self::SecondWorld => f.write_str(
                "the declaration has a second world\n\
                 help: write one `world!` for each world",
            ),
            Self::UnknownItem { word, is_rust: true, .. } => write!(
                f,
                "no item begins with `{word}`\n\
                 help: Rust's items stand outside of the declaration: move it out"
            ),
            Self::UnknownItem { word, similar, is_rust: false } => {
                write!(f, "no item begins with `{word}`\nhelp: ")?;
                did_you_mean(f, similar.as_ref(), |f| {
                    f.write_str(
                        "the items are `world`, `component`, `bundle`, `resource`, `event`, `state`, `system`, `query`, \
                         `order`, `stages` and `include`",
                    )
                })
            }
            Self::UnknownKey { place, key, similar, known } => {
                write!(f, "{place} has no key `{key}`\nhelp: ")?;
                did_you_mean(f, similar.as_ref(), |f| f.write_str(known))
            }
            Self::SecondKey { place, key } => {
                write!(f, "{place} has `{key}` twice\nhelp: join the two into one `{key}`")
            }
            Self::BesideCode { system, key, why } => {
                write!(f, "the system `{system}` has its code in `{key}`, {why}")
            }
            Self::Conditional => f.write_str(
                "`cfg` cannot decide about a part of a declaration, because indices and the \
                 order of systems depend on all parts\n\
                 help: put `#[cfg(…)]` on the whole `world!`, or on types that it names",
            ),
            Self::Visibility => f.write_str(
                "only the world has a visibility\n\
                 help: remove it; what is generated here is as visible as the world",
            ),
            Self::NoSet => f.write_str(
                "the declaration has no set\n\
                 help: begin it with `set Name;` or `pub set Name;`",
            ),
            Self::StrangeHeader { found, called } => f.write_str(match (found.as_str(), called) {
                ("world", _) => {
                    "a set has no world\n\
                     help: remove it; a `world!` declares the world and includes the set"
                }
                (_, MacroKind::World) => {
                    "a world is no set\n\
                     help: write `include` and the path of the set, or `set!` instead of `world!`"
                }
                (_, MacroKind::Set) => {
                    "the declaration has a second set\n\
                     help: write one `set!` for each set"
                }
            }),
            Self::IncludedTwice { set } => write!(
                f,
                "the set `{set}` is included twice\n\
                 help: remove one of the two"
            ),
            Self::UnknownInOrder { name, similar, other } => {
                write!(f, "an `order` names an unknown system `{name}`\nhelp: ")?;
                did_you_mean(f, similar.as_ref(), |f| match other {
                    Some(other) => write!(f, "`{name}` is a {other}"),
                    None => write!(f, "declare it: `system {name} {{ … }}`"),
                })
            }
            Self::UnknownStage { name, system, similar, known } => {
                write!(f, "the system `{system}` is in an unknown stage `{name}`\nhelp: ")?;
                did_you_mean(f, similar.as_ref(), |f| match &known[..] {
                    "" => write!(f, "declare the stages in their order: `stages {name} -> …;`"),
                    known => write!(f, "the stages are {known}"),
                })
            }
            Self::SecondStage { name, is_system: false } => write!(
                f,
                "`stages` names `{name}` twice\nhelp: remove one of the two: a stage runs once"
            ),
            Self::TakenName { name, of, by } => write!(
                f,
                "`{name}` is the name of {of}, and of {by}\nhelp: give one of the two another name"
            ),
            Self::SecondStage { name, is_system: true } => write!(
                f,
                "`{name}` is the name of a stage and of a system\n\
                 help: give one of the two another name: a stage is itself a system, which runs at its end"
            ),
            Self::SecondName { kind, name, other: Some(other) } => write!(
                f,
                "two {kind}s have the name `{name}`, the last part of their paths\n\
                 help: give one of the two another name: `{other}`"
            ),
            Self::SecondName { kind, name, other: None } => {
                write!(f, "the {kind} `{name}` is declared twice\nhelp: ")?;
                match kind {
                    Kind::System => write!(
                        f,
                        "give one of the two another name: `system Other: {name} {{ … }}`"
                    ),
                    Kind::Component => f.write_str(
                        "remove one of the two: a component is in one buffer. Two components of \
                         one type need two types",
                    ),
                    Kind::Resource => f.write_str("remove one of the two"),
                }
            }
            Self::NotAQuery { name, system } => write!(
                f,
                "the system `{system}` names `{name}` in `queries`, which is a system, not a query\n\
                 help: declare what is read of its members: `query {name}Members {{ read: [..] }}`"
            ),
            Self::MeetsItself { system, component, query } => {
                write_meets_itself(f, system, component, query)
            }
            Self::RefreshBeforeUse { .. }
            | Self::UnknownIndex { .. }
            | Self::UntypedIndex { .. }
            | Self::WritesIndexed { .. }
            | Self::BetweenUsers { .. }
            | Self::NotShown { .. } => queries::write(f, self),
            Self::UnknownName { kind, name, alias, system, list, similar, other } => {
                let what = if *list == "queries" { &"query" as &dyn fmt::Display } else { kind };
                write!(f, "the system `{system}` names an unknown {what} `{name}` in `{list}`")?;
                f.write_str("\nhelp: ")?;
                did_you_mean(f, similar.as_ref(), |f| match (other, kind) {
                    (None, Kind::Component | Kind::Resource) if alias.is_some() => write!(
                        f,
                        "declare it under another name: `{kind} {name} as {};`",
                        alias.as_deref().unwrap_or_default()
                    ),
                    (Some(Kind::Component), _) if *list == "add" => {
                        write!(f, "`{name}` is a component: write `insert: [{name}]`")
                    }
                    (Some(other), _) => write!(f, "`{name}` is a {other}"),
                    (None, Kind::Component) => {
                        write!(f, "declare it: `component {name};`")
                    }
                    (None, Kind::Resource) => write!(f, "declare it: `resource {name};`"),
                    (None, Kind::System) if *list == "queries" => {
                        write!(f, "declare it: `query {name} {{ read: [..] }}`")
                    }
                    (None, Kind::System) => write!(f, "declare it: `system {name} {{ … }}`"),
                })
            }
            Self::Unnamed { part, system, names } => {
                write!(f, "the system `{system}` spawns a bundle with `{part}`, which is not a component\nhelp: write ")?;
                match &names[..] {
                    [] => f.write_str("the names of components, as in `(Position, Velocity)`"),
                    names => write!(f, "`{}`", names.join(", ")),
                }
            }
            Self::OfBundle { noun, bundle, fault } => fault.write(f, noun, bundle),
            Self::UnknownStorage { word, component, similar } => {
                write!(
                    f,
                    "the component `{component}` has an unknown storage strategy `{word}`\nhelp: "
                )?;
                did_you_mean(f, similar.as_ref(), |f| {
                    f.write_str(
                        "write `contiguous_buffer`, `sparse_set`, `hash_map`, `empty`, or \
                         `storage(Type)` with a strategy of yours",
                    )
                })
            }
            Self::SharedStorage { components } => write!(
                f,
                "each of `{components}` needs a storage strategy of its own, and this one is for one \
                 component\n\
                 help: write `_` in the component's place, as in `storage(Slab<_>)`, or declare each apart"
            ),
            Self::UnknownSetting { setting, word, similar, known } => {
                write!(f, "`{setting}` cannot be `{word}`\nhelp: ")?;
                did_you_mean(f, similar.as_ref(), |f| write!(f, "it can be {known}"))
            }
            Self::UnknownStrategy { word, similar } => {
                write!(f, "there is no inner-parallelism strategy `{word}`\nhelp: ")?;
                did_you_mean(f, similar.as_ref(), |f| {
                    f.write_str(
                        "use `none`, `split_evenly(n)`, `split_evenly(cores)`, `split_every(n)`, \
                         `none_below_threshold(n, s)`, `fixed_threshold(n, s, t)` or the path of a \
                         type that implements `Strategy`",
                    )
                })
            }
            Self::OutOfRange { what, given, least, most } => {
                write!(f, "{what} must be at least {least}")?;
                if *most < u128::MAX {
                    write!(f, " and at most {most}")?;
                }
                write!(f, "\nhelp: write `{}`", if *given > *most { most } else { least })
            }
            Self::TooMany { kind, most } => {
                write!(
                    f,
                    "a world has at most {most} {kind}s, and this is one more\n\
                     help: split the declaration into several worlds"
                )
            }
            Self::ListedTwice { name, system, list } => write!(
                f,
                "the system `{system}` names `{name}` twice in `{list}`\n\
                 help: remove one of the two"
            ),
            Self::Contradiction { name, system, first, second, help } => write!(
                f,
                "the system `{system}` names `{name}` in `{first}` and in `{second}`\nhelp: {help}"
            ),
            Self::SharedResource { resource, system } => write!(
                f,
                "the system `{system}` writes the resource `{resource}` from several subtasks\n\
                 help: declare `parallelism: none` for `{system}`, or put the result into its \
                 `output` and let a system with `inputs: [{system}]` write the resource"
            ),
            Self::ParallelExclusive { system, flag } => write!(
                f,
                "the system `{system}` is {flag}, so it reaches any entity, and its subtasks could \
                 meet at one (Core ECS, corollary 4.9: what runs concurrently with itself influences \
                 one entity at a time, its own)\n\
                 help: one subtask: remove `parallelism`\n\
                 help: or own entities only: remove `{flag}`"
            ),
            Self::ParallelConsumer { system } => write!(
                f,
                "the system `{system}` takes a stream, so it is one subtask, and `parallelism` splits \
                 nothing\n\
                 help: remove `parallelism`"
            ),
            Self::SharedEvents { system, event, key, also } => write!(
                f,
                "the system `{system}` has no entities, so its subtasks share the events `{event}`, and it also reads \
                 `{also}`\n\
                 help: move `{key}: [{also}]` to a system of its own\n\
                 help: or one subtask: remove `parallelism`"
            ),
            Self::SelfDependency { system, list } => write!(
                f,
                "the system `{system}` names itself in `{list}`\n\
                 help: remove it; a system can reach its own state and output anyway"
            ),
            Self::FixedByArchetype => f.write_str(
                "rows cannot lie `by_archetype` under a fixed limit, which sets memory aside for every \
                 component of every entity\n\
                 help: write `entity_limit: dynamic(n)`, or remove `rows`",
            ),
            Self::IdleThreshold { system, threshold, least, most } => {
                write_idle(f, system, *threshold, *least, *most)
            }
            Self::MixedEffects { system, component, written, staged } => write!(
                f,
                "the exclusive system `{system}` changes `{component}` both at once (`{written}`) \
                 and at the refresh (`{staged}`), so what it writes after staging is lost\n\
                 help: do one of the two in another system: put the entities into the `output` of \
                 `{system}`, and let a system with `inputs: [{system}]` have \
                 `{staged}: [{component}]`"
            ),
            Self::OrderContradiction { first, second, one, other } => write!(
                f,
                "`{one}` and `{other}` contradict each other: `{first}` and `{second}` would each \
                 run before the other\n\
                 help: remove one of the two"
            ),
            Self::ImpliedOrder { list: "order", listed, system, path } => write!(
                f,
                "`order {listed} -> {system}` changes nothing: it follows from {}\n\
                 help: remove it from this `order`, or write `#[allow(redundant_order)]` before it",
                path.join(" -> ")
            ),
            Self::ImpliedOrder { list, listed, system, path } => {
                write!(
                    f,
                    "`{list}: [{listed}]` of `system {system}` changes nothing: it follows from {}\n\
                     help: remove `{listed}` from this `{list}`, or write `#[allow(redundant_order)]` before \
                     `system {system}`",
                    path.join(" -> ")
                )
            }
            Self::Undeclared { system, component, assigned, read } => {
                write_undeclared(f, system, component, *assigned, *read)
            }
            Self::UnusedRight { system, key, right } => {
                write_unused(f, system, key, right.as_deref())
            }
            Self::Cycle { systems, stages, by, events } => {
                write_cycle(f, systems, stages, by)?;
                events.iter().try_for_each(|event| events::write_delayed(f, event))
            }
            Self::Conflict { first, second, over, filters, remote, producer } => {
                write!(f, "the systems `{first}` and `{second}` ")?;
                f.write_str(match producer {
                    Some(_) => "run at the same time, as the ends of a stream",
                    None => "are not ordered",
                })?;
                for (i, conflict) in over.iter().enumerate() {
                    let and = if i == 0 { ", but" } else { ", and" };
                    let Conflict { kind, name, first: by_first, second: by_second } = conflict;
                    if by_first == by_second {
                        write!(f, "{and} both {} ", by_first.trim_end_matches('s'))?;
                    } else {
                        write!(f, "{and} `{first}` {by_first} and `{second}` {by_second} ")?;
                    }
                    write!(f, "the {kind} `{name}`")?;
                }
                write_order(f, [first, second], *remote, producer.as_ref())?;
                match filters {
                    Ok(how) => write!(f, "\nhelp: {how}"),
                    Err(why) => write!(f, "\nnote: {why}"),
                }
            }
            Self::Influence { first, second, over, defers, remote, producer } => write_influence(
                f,
                [first, second],
                over,
                *remote,
                producer.as_ref(),
                defers.as_ref(),
            ),
            Self::PartedUpdates { first, second, component, remote } => {
                write_parted(f, [first, second], component, *remote)
            }
            Self::NotCommutative { resource, system, transient } => write!(
                f,
                "the system `{system}` adds to the resource `{resource}`, which is not commutative\n\
                 help: say how values are added: write `resource {resource}: {}sum;`, or `min`, `max`, `all`, \
                 `any` or `combine`\n\
                 help: or write it from one subtask: `write_resources: [{resource}]`",
                if *transient { "transient, " } else { "" }
            ),
            Self::NotAnEvent { name, system, key, is_event } => {
                events::write_not_an_event(f, [name, system], key, *is_event)
            }
            Self::ReadInBatches { system, list, name } => {
                events::write_in_batches(f, system, list, name)
            }
            Self::EventIndex { event, of } => events::write_index(f, event, of.as_deref()),
            Self::NotExpiring { component, system } => {
                expires::write_not_expiring(f, component, system)
            }
            Self::NeverExpires { component, set } => {
                expires::write_never_expires(f, component, set.as_deref())
            }
            Self::UnusedEvent { event } => events::write_unused(f, event),
            Self::OfState(fault) => fault.fmt(f),
            Self::NotARelation { name, system, key, is_relation } => {
                relations::write_not_a_relation(f, [name, system], key, *is_relation)
            }
            Self::NoParents { system, relation } => relations::write_no_parents(f, system, relation),
            Self::BesideParents { system, key, why } => {
                write!(f, "the system `{system}` declares {key} beside `after_parent`\nhelp: {why}")
            }
            Self::OfTracking(fault) => fault.fmt(f),
            Self::Condition { system, why } => {
                write!(f, "the condition of the system `{system}` {why}")
            }
            Self::Residual(fault) => fault.fmt(f),
            Self::UnknownEffect(fault) => fault.fmt(f),
            Self::BesideSequential { system, key, why } => {
                write!(f, "the system `{system}` declares `{key}` beside `sequential`, {why}")
            }
            Self::SequentialStream { end, producer, consumer } => write!(
                f,
                "the systems `{producer}` and `{consumer}` are the ends of a stream, but `{end}` is \
                 sequential, so it runs alone\n\
                 help: let `{producer}` output a `Vec`, and declare `inputs: [{producer}]` in place \
                 of `streams: [{producer}]`"
            ),
            Self::AtOnce { first, second, effect, remote } => {
                write!(
                    f,
                    "the systems `{first}` and `{second}` are not ordered, but `{first}` is \
                     sequential: {effect} happens at once, and `{second}` would see it or not"
                )?;
                write_order(f, [first, second], *remote, None)
            }
            Self::IdleUnordered { system } => write!(
                f,
                "the system `{system}` is `unordered`, but takes no stream and has no output\n\
                 help: remove `unordered`, or add `streams: [..]`"
            ),
            Self::NoStream { system, producer } => write!(
                f,
                "the system `{system}` takes the stream of `{producer}`, which has no output\n\
                 help: add `output: Stream<Item>` to `system {producer}`"
            ),
            Self::SeveralStreams { system, other } => write!(
                f,
                "the system `{system}` takes several streams\n\
                 help: take one, let `{other}` output a `Vec`, and declare `inputs: [{other}]`"
            ),
            Self::SharedStream { producer, first, second } => write!(
                f,
                "the stream of `{producer}` is taken by `{first}` and by `{second}`\n\
                 help: let `{producer}` output a `Vec`, and declare `inputs: [{producer}]` in both; \
                 or let `{first}` take the stream and output what `{second}` needs"
            ),
            Self::StreamsInARow { system, first, last } => write!(
                f,
                "the system `{system}` takes the stream of `{first}`, and sends one to `{last}`\n\
                 help: let `{system}` output a `Vec`, and declare `inputs: [{system}]` in place of \
                 `streams: [{system}]`"
            ),
            Self::StreamInOrder { producer, consumer, path } => write!(
                f,
                "the systems `{producer}` and `{consumer}` are the ends of a stream, which run at \
                 the same time, but are ordered: {}\n\
                 help: remove what orders them, or let `{producer}` output a `Vec`, and declare \
                 `inputs: [{producer}]` in place of `streams: [{producer}]`",
                path.join(" -> ")
            ),
            Self::StreamCycle { nodes } => write_stream_cycle(f, nodes),
            Self::RefreshInStream { producer, consumer, staging, seeing, said } => write!(
                f,
                "the systems `{producer}` and `{consumer}` are the ends of a stream, but a refresh \
                 comes between them: before it `{staging}` stages what `{seeing}` sees after it\n\
                 help: let `{producer}` output a `Vec`, and declare `inputs: [{producer}]` in place \
                 of `streams: [{producer}]`\n\
                 help: or let changes be seen after the step: {}",
                without_refresh(*said, seeing)
            ),
        }
    }
}
