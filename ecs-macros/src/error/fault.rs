//! The catalogue: every fault that a declaration can have, and its code.
//!
//! Each code has a page in `ecs-core/docs/errors`.

use std::fmt;

use crate::syntax::MacroKind;

/// What a name can stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Component,
    Resource,
    System,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Component => "component",
            Self::Resource => "resource",
            Self::System => "system",
        })
    }
}

/// A component or resource over which two systems conflict, and how each accesses it.
#[derive(Clone, Debug)]
pub(crate) struct Conflict {
    pub(crate) kind: Kind,
    pub(crate) name: String,
    pub(crate) first: &'static str,
    pub(crate) second: &'static str,
}

/// One fault of a declaration.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// The parser expected something else.
    Syntax(String),
    /// There is no `world Name` header.
    NoWorld,
    /// There is a second `world Name` header.
    SecondWorld,
    /// An item begins with a word that no item begins with.
    UnknownItem {
        word: String,
        similar: Option<String>,
    },
    /// A key that `place` doesn't have.
    UnknownKey {
        place: String,
        key: String,
        similar: Option<String>,
        known: String,
    },
    /// A key that `place` has already.
    SecondKey {
        place: String,
        key: String,
    },
    /// A `cfg` attribute.
    Conditional,
    /// A visibility on something other than the world.
    Visibility,
    /// There is no `set Name` header.
    NoSet,
    /// A header that this macro has no use for.
    StrangeHeader {
        found: String,
        called: MacroKind,
    },
    /// A set included twice.
    IncludedTwice {
        set: String,
    },
    /// An `order` names what is no system.
    UnknownInOrder {
        name: String,
        similar: Option<String>,
        other: Option<Kind>,
    },
    /// A system is to be in a stage that there is not.
    UnknownStage {
        name: String,
        system: String,
        similar: Option<String>,
        known: String,
    },
    /// A stage named twice.
    SecondStage {
        name: String,
    },
    /// A name declared twice.
    SecondName {
        kind: Kind,
        name: String,
    },
    /// A list names what isn't declared. `other` is what the name stands for instead.
    UnknownName {
        kind: Kind,
        name: String,
        system: String,
        list: &'static str,
        similar: Option<String>,
        other: Option<Kind>,
    },
    /// `queries` names a system that is no query.
    NotAQuery {
        name: String,
        system: String,
    },
    /// A component is to be stored in an unknown way.
    UnknownStorage {
        word: String,
        component: String,
        similar: Option<String>,
    },
    /// Several components in a storage that keeps one.
    SharedStorage {
        components: String,
    },
    /// A setting has an unknown value.
    UnknownSetting {
        setting: &'static str,
        word: String,
        similar: Option<String>,
        known: String,
    },
    /// A system is to be split in an unknown way.
    UnknownStrategy {
        word: String,
        similar: Option<String>,
    },
    /// A number that makes no sense.
    OutOfRange {
        what: &'static str,
        given: u128,
        least: u128,
        most: u128,
    },
    /// More components, resources or systems than there can be.
    TooMany {
        kind: Kind,
        most: usize,
    },
    /// A list names something twice.
    ListedTwice {
        name: String,
        system: String,
        list: &'static str,
    },
    /// Rows lie by archetype under a fixed limit.
    FixedByArchetype,
    /// A threshold that decides between two strategies, but never both ways.
    IdleThreshold {
        system: String,
        threshold: u128,
        least: u128,
        most: u128,
    },
    /// An exclusive system changes a component at once and at the refresh.
    MixedEffects {
        system: String,
        component: String,
        written: &'static str,
        staged: &'static str,
    },
    /// Two lists that exclude each other name the same thing.
    Contradiction {
        name: String,
        system: String,
        first: &'static str,
        second: &'static str,
        help: &'static str,
    },
    /// Several subtasks would write one resource.
    SharedResource {
        resource: String,
        system: String,
    },
    /// `exclusive` or `sequential` together with inner parallelism.
    ParallelExclusive {
        system: String,
        flag: &'static str,
    },
    ParallelConsumer {
        system: String,
    },
    /// A sequential system declares what it cannot have; why, with what to do about it.
    BesideSequential {
        system: String,
        key: &'static str,
        why: &'static str,
    },
    /// An end of a stream is sequential.
    SequentialStream {
        end: String,
        producer: String,
        consumer: String,
    },
    /// Nothing orders a sequential system, the first one, with one that sees what it does at once.
    AtOnce {
        first: String,
        second: String,
        effect: String,
        remote: bool,
    },
    /// A system ordered with itself.
    SelfDependency {
        system: String,
        list: &'static str,
    },
    /// Systems that wait for each other. The names are in order, without the first repeated.
    Cycle {
        systems: Vec<String>,
    },
    /// Two systems each of which is to run before the other, by the given entries.
    OrderContradiction {
        first: String,
        second: String,
        one: String,
        other: String,
    },
    /// An order that follows from others. The names are the path that implies it.
    ImpliedOrder {
        list: &'static str,
        listed: String,
        system: String,
        path: Vec<String>,
    },
    /// Two unordered systems access the same data.
    Conflict {
        first: String,
        second: String,
        over: Vec<Conflict>,
        /// Whether filters could tell them apart, and if not, why.
        filters: Result<String, String>,
        /// Whether one of them came with a set.
        remote: bool,
        /// The one of the two that sends the other one a stream.
        producer: Option<String>,
    },
    /// Two unordered systems stage changes whose order would show.
    Influence {
        first: String,
        second: String,
        /// What each does, as clauses.
        over: Vec<String>,
        /// One of them that defers functions.
        defers: Option<String>,
        /// Whether one of them came with a set.
        remote: bool,
        /// The one of the two that sends the other one a stream.
        producer: Option<String>,
    },
    /// Two unordered systems update the same component, but in different phases. `remote`: one of them
    /// came with a set.
    PartedUpdates {
        first: String,
        second: String,
        component: String,
        remote: bool,
    },
    /// A system runs before what an earlier one has staged for it has happened, or before it is subscribed
    /// to what that one has changed.
    Residual {
        world: String,
        earlier: String,
        later: String,
        effect: String,
        /// Whether the later one could run first.
        reversible: bool,
        /// Whether the earlier one is sequential.
        at_once: bool,
    },
    /// A system reads through a query what it writes, and nothing tells the entities apart.
    MeetsItself {
        system: String,
        component: String,
        query: String,
    },
    /// A refresh comes between an index and the system that uses it, for `seeing` to see what `staging`
    /// stages.
    RefreshBeforeUse {
        system: String,
        query: String,
        staging: String,
        seeing: String,
    },
    /// `unordered` without `streams`.
    IdleUnordered {
        system: String,
    },
    /// A stream of a system without any output.
    NoStream {
        system: String,
        producer: String,
    },
    /// A system takes several streams. `other` sends a later one.
    SeveralStreams {
        system: String,
        other: String,
    },
    /// Two systems take one stream.
    SharedStream {
        producer: String,
        first: String,
        second: String,
    },
    /// A system takes the stream of `first`, and sends to `last`.
    StreamsInARow {
        system: String,
        first: String,
        last: String,
    },
    /// One end of a stream runs before the other. The names are the path that says so.
    StreamInOrder {
        producer: String,
        consumer: String,
        path: Vec<String>,
    },
    /// Systems that wait for each other: each alone, or a producer with its consumer.
    StreamCycle {
        nodes: Vec<(String, Option<String>)>,
    },
    /// A refresh comes between the ends of a stream, for `seeing` to see what `staging` stages.
    RefreshInStream {
        producer: String,
        consumer: String,
        staging: String,
        seeing: String,
    },
}

impl Fault {
    /// Whether the declaration is sound all the same.
    pub(crate) fn is_warning(&self) -> bool {
        matches!(self, Self::ImpliedOrder { .. })
    }

    /// The code: 0-9 are about syntax, 10-19 about names and values, 20-29 about one system,
    /// 30-39 about systems among each other, 40-44 about sets, 45-49 about streams.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Syntax(_) => "E0001",
            Self::NoWorld => "E0002",
            Self::SecondWorld => "E0003",
            Self::UnknownItem { .. } => "E0004",
            Self::UnknownKey { .. } => "E0005",
            Self::SecondKey { .. } => "E0006",
            Self::Conditional => "E0007",
            Self::Visibility => "E0008",
            Self::SecondName { .. } | Self::SecondStage { .. } => "E0010",
            Self::UnknownName { kind: Kind::Component, .. } => "E0011",
            Self::UnknownName { kind: Kind::System, .. } | Self::NotAQuery { .. } => "E0012",
            Self::UnknownName { kind: Kind::Resource, .. } => "E0013",
            Self::UnknownStorage { .. } => "E0014",
            Self::SharedStorage { .. } => "E0019",
            Self::UnknownSetting { .. } => "E0015",
            Self::UnknownStrategy { .. } => "E0016",
            Self::OutOfRange { .. } => "E0017",
            Self::TooMany { .. } => "E0018",
            Self::ListedTwice { .. } => "E0020",
            Self::Contradiction { .. } => "E0021",
            Self::SharedResource { .. } => "E0022",
            Self::ParallelExclusive { .. } | Self::ParallelConsumer { .. } => "E0023",
            Self::IdleThreshold { .. } => "E0024",
            Self::FixedByArchetype => "E0029",
            Self::MixedEffects { .. } => "E0025",
            Self::UnknownStage { .. } => "E0028",
            Self::NoSet => "E0040",
            Self::StrangeHeader { .. } => "E0041",
            Self::IncludedTwice { .. } => "E0042",
            Self::UnknownInOrder { .. } => "E0043",
            Self::SelfDependency { .. } => "E0030",
            Self::Cycle { .. } => "E0031",
            Self::Conflict { .. } => "E0032",
            Self::OrderContradiction { .. } => "E0033",
            Self::ImpliedOrder { .. } => "E0034",
            Self::Residual { .. } => "E0035",
            Self::Influence { .. } | Self::PartedUpdates { .. } => "E0036",
            Self::BesideSequential { .. } | Self::SequentialStream { .. } => "E0027",
            Self::AtOnce { .. } => "E0037",
            Self::MeetsItself { .. } => "E0038",
            Self::RefreshBeforeUse { .. } => "E0039",
            Self::IdleUnordered { .. } | Self::NoStream { .. } => "E0045",
            Self::SeveralStreams { .. }
            | Self::SharedStream { .. }
            | Self::StreamsInARow { .. } => "E0046",
            Self::StreamInOrder { .. } | Self::StreamCycle { .. } => "E0047",
            Self::RefreshInStream { .. } => "E0048",
        }
    }
}
