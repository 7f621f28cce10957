//! The catalogue: every fault that a declaration can have.

use ecs_rules::Kind;

use super::bundle::BundleFault;
use super::effects::{Residual, UnknownEffect};
use super::states::StateFault;
use super::tracking::TrackingFault;
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
    /// A named bundle, or a template, is faulty.
    OfBundle {
        /// `bundle` or `template`.
        noun: &'static str,
        bundle: String,
        fault: BundleFault,
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
    /// A bundle in `spawn` has a part that is not a name. `names` are those that it is made of.
    Unnamed {
        part: String,
        system: String,
        names: Vec<String>,
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
    /// Several subtasks would share events, and read something else, too.
    SharedEvents {
        system: String,
        event: String,
        key: String,
        also: String,
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
        /// The events by which systems wait for others.
        events: Vec<String>,
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
    /// The code in a declaration uses a component that its system does not declare, or only reads.
    Undeclared {
        system: String,
        component: String,
        assigned: bool,
        read: bool,
    },
    /// The code in a declaration does not use a right: that of a flag, or that to something in a list.
    UnusedRight {
        system: String,
        key: &'static str,
        right: Option<String>,
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
    /// `add` names a resource without an operation.
    NotCommutative {
        resource: String,
        system: String,
        transient: bool,
    },
    /// An event in a key for resources, or a resource in a key for events.
    NotAnEvent {
        name: String,
        system: String,
        key: &'static str,
        is_event: bool,
    },
    /// A system that receives a stream reads events or changes.
    ReadInBatches {
        system: String,
        list: &'static str,
        name: String,
    },
    /// The index of an event is made from another type, which `of` is; or it is that of an addressed event.
    EventIndex {
        event: String,
        of: Option<String>,
    },
    /// An event that no system emits or reads.
    UnusedEvent {
        event: String,
    },
    /// About a state.
    OfState(StateFault),
    /// A relation in a key for resources or events, or one of those in a key for relations.
    NotARelation {
        name: String,
        system: String,
        key: &'static str,
        is_relation: bool,
    },
    /// A system would go along a relation that gives entities no parents.
    NoParents {
        system: String,
        relation: String,
    },
    /// A system that goes to parents before their children declares something that it cannot have.
    BesideParents {
        system: String,
        key: &'static str,
        why: &'static str,
    },
    /// About a tracked component.
    OfTracking(TrackingFault),
    /// The condition of a system is none. `why` includes the help.
    Condition {
        system: String,
        why: &'static str,
    },
    /// A system counts a component down that does not expire.
    NotExpiring {
        component: String,
        system: String,
    },
    /// A component expires, and no system counts it down. `set`: the one that declares it, if that is not this declaration.
    NeverExpires {
        component: String,
        set: Option<String>,
    },
    /// `sees` names something that is no effect of the system.
    UnknownEffect(UnknownEffect),
    /// Systems run before the refresh that applies an effect which they see.
    Residual(Residual),
    /// A system writes components that it reads through a query, and filters do not separate the entities.
    MeetsItself {
        system: String,
        component: String,
        query: String,
    },
    /// A refresh comes between an index, which `user` uses too, and the system that uses it, because `seeing` sees the
    /// changes that `staging` stages.
    RefreshBeforeUse {
        user: String,
        system: String,
        query: String,
        staging: String,
        seeing: String,
        /// Whether `seeing` says so itself, in `sees`.
        said: bool,
    },
    /// A query has an index of a form that there is not.
    UnknownIndex {
        word: String,
        query: String,
        similar: Option<String>,
    },
    /// The closure of an index does not say what it takes and returns.
    UntypedIndex {
        /// As in "query `Near`".
        owner: String,
        by_cell: bool,
    },
    /// A system writes what an index is made from, and is not ordered with the users of the query.
    WritesIndexed {
        writer: String,
        component: String,
        query: String,
        users: Vec<String>,
        remote: bool,
    },
    /// A system writes what an index is made from, after one user of the query and before another one.
    BetweenUsers {
        writer: String,
        component: String,
        query: String,
        earlier: Option<String>,
        later: String,
    },
    /// A system reads through a query what that does not show.
    NotShown {
        system: String,
        query: String,
        component: String,
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
        /// Whether `seeing` says so itself, in `sees`.
        said: bool,
    },
}
