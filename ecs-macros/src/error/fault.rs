//! The catalogue: every fault that a declaration can have, and its code.
//!
//! Each code has a page in `ecs-core/docs/errors`.

use ecs_rules::Kind;

use crate::macro_kind::MacroKind;

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
        /// Whether it is a word of Rust.
        is_rust: bool,
    },
    /// A key that `place` does not have.
    UnknownKey {
        place: String,
        key: String,
        similar: Option<String>,
        known: String,
    },
    /// A key that `place` has twice.
    SecondKey {
        place: String,
        key: String,
    },
    /// A system has its code in its declaration, beside something that excludes it. `why` includes the help.
    BesideCode {
        system: String,
        key: &'static str,
        why: &'static str,
    },
    /// A `cfg` attribute.
    Conditional,
    /// A visibility on something other than the world.
    Visibility,
    /// There is no `set Name` header.
    NoSet,
    /// A header that does not belong in this macro.
    StrangeHeader {
        found: String,
        called: MacroKind,
    },
    /// A set included twice.
    IncludedTwice {
        set: String,
    },
    /// A name that a generated type would have is that of another type. `of` and `by` say which things have it.
    TakenName {
        name: String,
        of: String,
        by: String,
    },
    /// An `order` names something that is not a system.
    UnknownInOrder {
        name: String,
        similar: Option<String>,
        other: Option<Kind>,
    },
    /// A system names an undeclared stage.
    UnknownStage {
        name: String,
        system: String,
        similar: Option<String>,
        known: String,
    },
    /// A stage named twice, or a system with the name of a stage.
    SecondStage {
        name: String,
        is_system: bool,
    },
    /// A name declared twice.
    SecondName {
        kind: Kind,
        name: String,
        other: Option<String>,
    },
    /// A list names something undeclared. `other` is what the name stands for instead.
    UnknownName {
        kind: Kind,
        name: String,
        /// Another name for it, if its own is that of another type.
        alias: Option<String>,
        system: String,
        list: &'static str,
        similar: Option<String>,
        other: Option<Kind>,
    },
    /// `queries` names a system that is not a query.
    NotAQuery {
        name: String,
        system: String,
    },
    /// A component has an unknown storage strategy.
    UnknownStorage {
        word: String,
        component: String,
        similar: Option<String>,
    },
    /// Several components in a storage for one component.
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
    /// A system has an unknown inner-parallelism strategy.
    UnknownStrategy {
        word: String,
        similar: Option<String>,
    },
    /// A number out of range.
    OutOfRange {
        what: &'static str,
        given: u128,
        least: u128,
        most: u128,
    },
    /// More components, resources or systems than the limit.
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
    /// Rows are grouped by archetype under a fixed limit.
    FixedByArchetype,
    /// A threshold such that one of its two strategies is never used.
    IdleThreshold {
        system: String,
        threshold: u128,
        least: u128,
        most: u128,
    },
    /// An exclusive system changes a component both immediately and at the refresh.
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
    /// A sequential system declares something that it cannot have. `why` includes the help.
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
    /// The sequential system `first` is not ordered with a system that sees its immediate changes.
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
    /// A cycle of dependencies. The names are in order, and the first is not repeated at the end.
    Cycle {
        systems: Vec<String>,
        /// Which of them are stages.
        stages: Vec<String>,
        /// The keys and items that make the cycle, in order.
        by: Vec<String>,
    },
    /// Two systems with entries by which each runs before the other.
    OrderContradiction {
        first: String,
        second: String,
        one: String,
        other: String,
    },
    /// An order that follows from others. `path` has the names on the path that implies it.
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
        /// How filters could separate the entities of the two, or why they cannot.
        filters: Result<String, String>,
        /// Whether one of them is part of a set.
        remote: bool,
        /// The system of the two that sends the other one a stream.
        producer: Option<String>,
    },
    /// Two unordered systems stage changes whose order is observable.
    Influence {
        first: String,
        second: String,
        /// The changes of each system, as clauses of the message.
        over: Vec<String>,
        /// A system of the two that defers functions.
        defers: Option<String>,
        /// Whether one of them is part of a set.
        remote: bool,
        /// The system of the two that sends the other one a stream.
        producer: Option<String>,
    },
    /// Two unordered systems update the same component, but in different phases. `remote`: one of them
    /// is part of a set.
    PartedUpdates {
        first: String,
        second: String,
        component: String,
        remote: bool,
    },
    /// A system runs before the staged changes of an earlier one that it sees are applied, or before it is
    /// subscribed to the entities that the earlier one has changed.
    Residual {
        world: String,
        earlier: String,
        later: String,
        effect: String,
        /// Whether the later system could run first instead.
        reversible: bool,
        /// Whether the earlier system is sequential.
        at_once: bool,
    },
    /// A system writes components that it reads through a query, and filters do not separate the entities.
    MeetsItself {
        system: String,
        component: String,
        query: String,
    },
    /// A refresh comes between an index and the system that uses it, because `seeing` sees the changes that
    /// `staging` stages.
    RefreshBeforeUse {
        system: String,
        query: String,
        staging: String,
        seeing: String,
    },
    /// `unordered` without `streams` and without an output.
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
    /// One end of a stream runs before the other. `path` has the names on the path between them.
    StreamInOrder {
        producer: String,
        consumer: String,
        path: Vec<String>,
    },
    /// A cycle of dependencies. Each node is a single system, or a producer with its consumer.
    StreamCycle {
        nodes: Vec<(String, Option<String>)>,
    },
    /// A refresh comes between the ends of a stream, because `seeing` sees the changes that `staging` stages.
    RefreshInStream {
        producer: String,
        consumer: String,
        staging: String,
        seeing: String,
    },
}

impl Fault {
    /// The code: 0-9 are about syntax, 10-19 about names and values, 20-29 about one system,
    /// 30-39 about relations between systems, 40-44 about sets, 45-49 about streams.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Syntax(_) => "ECS0001",
            Self::NoWorld => "ECS0002",
            Self::SecondWorld => "ECS0003",
            Self::UnknownItem { .. } => "ECS0004",
            Self::UnknownKey { .. } => "ECS0005",
            Self::SecondKey { .. } => "ECS0006",
            Self::Conditional => "ECS0007",
            Self::Visibility => "ECS0008",
            Self::BesideCode { .. } => "ECS0009",
            Self::SecondName { .. } | Self::SecondStage { .. } | Self::TakenName { .. } => {
                "ECS0010"
            }
            Self::UnknownName { kind: Kind::Component, .. } => "ECS0011",
            Self::UnknownName { kind: Kind::System, .. } | Self::NotAQuery { .. } => "ECS0012",
            Self::UnknownName { kind: Kind::Resource, .. } => "ECS0013",
            Self::UnknownStorage { .. } => "ECS0014",
            Self::SharedStorage { .. } => "ECS0019",
            Self::UnknownSetting { .. } => "ECS0015",
            Self::UnknownStrategy { .. } => "ECS0016",
            Self::OutOfRange { .. } => "ECS0017",
            Self::TooMany { .. } => "ECS0018",
            Self::ListedTwice { .. } => "ECS0020",
            Self::Contradiction { .. } => "ECS0021",
            Self::SharedResource { .. } => "ECS0022",
            Self::ParallelExclusive { .. } | Self::ParallelConsumer { .. } => "ECS0023",
            Self::IdleThreshold { .. } => "ECS0024",
            Self::FixedByArchetype => "ECS0029",
            Self::MixedEffects { .. } => "ECS0025",
            Self::UnknownStage { .. } => "ECS0028",
            Self::NoSet => "ECS0040",
            Self::StrangeHeader { .. } => "ECS0041",
            Self::IncludedTwice { .. } => "ECS0042",
            Self::UnknownInOrder { .. } => "ECS0043",
            Self::SelfDependency { .. } => "ECS0030",
            Self::Cycle { .. } => "ECS0031",
            Self::Conflict { .. } => "ECS0032",
            Self::OrderContradiction { .. } => "ECS0033",
            Self::ImpliedOrder { .. } => "ECS0034",
            Self::Residual { .. } => "ECS0035",
            Self::Influence { .. } | Self::PartedUpdates { .. } => "ECS0036",
            Self::BesideSequential { .. } | Self::SequentialStream { .. } => "ECS0027",
            Self::AtOnce { .. } => "ECS0037",
            Self::MeetsItself { .. } => "ECS0038",
            Self::RefreshBeforeUse { .. } => "ECS0039",
            Self::IdleUnordered { .. } | Self::NoStream { .. } => "ECS0045",
            Self::SeveralStreams { .. }
            | Self::SharedStream { .. }
            | Self::StreamsInARow { .. } => "ECS0046",
            Self::StreamInOrder { .. } | Self::StreamCycle { .. } => "ECS0047",
            Self::RefreshInStream { .. } => "ECS0048",
        }
    }
}
