//! *Signatures*: the constant tables of a declaration, and the traits that say what
//! a system body may do (thesis, chapter 7).
//!
//! A declaration is data. [`world!`](crate::world) writes it, but nothing here relies on that:
//! [`check`] validates the tables once more in `const` evaluation, every access asserts its own index
//! against the same tables, and the columns belong to this crate. A faulty or hostile
//! implementation of these traits fails to build or panics; it cannot cause undefined behaviour.

/// `for i in 0..end`, for `const` functions: `for_each!(i < end, { … })`.
///
/// `rustc` interprets constants, and a call takes it as long as dozens of steps of a loop. So checks that look at all of a
/// declaration use loops, macros and patterns: `matches!(list, [])` is `list.is_empty()` without a call.
macro_rules! for_each {
    ($i:ident < $end:expr, $body:block) => {{
        let mut next = 0;
        while next < $end {
            let $i = next;
            next += 1;
            $body
        }
    }};
}

pub(crate) mod access;
mod ancestors;
pub(crate) mod body;
pub(crate) mod bundle;
pub(crate) mod check;
pub(crate) mod codegen_unit;
pub(crate) mod condition;
pub(crate) mod declaration;
pub(crate) mod events;
mod influence;
pub(crate) mod initial;
mod merge;
mod message;
pub(crate) mod number;
mod overrides;
pub(crate) mod proxies;
mod queries;
mod residual;
pub(crate) mod resource;
mod spawns;
pub(crate) mod streams;
mod system;
mod tables;
pub(crate) mod terms;
pub(crate) mod tracking;
pub(crate) mod undeclared;
mod unordered_updates;

pub use crate::storage::signature::ComponentSignature;
pub use crate::types::component::{IndexSet, MAX_COMPONENTS, ThreadSafe, TypeInfo};
pub(crate) use body::System;
pub(crate) use bundle::{Bundle, BundleSink, facts_of, key_of, repeated, spawn_alone};
pub use check::check;
pub(crate) use check::check_limit;
pub(crate) use condition::{Condition, Evaluate, ResourceValues, any as any_condition};
pub use declaration::signature_of;
pub(crate) use declaration::{
    Both, Combines, Declaration, EverySystem, HasComponent, HasResource, One, SystemName,
    SystemVisitor,
};
pub(crate) use events::{Addressed, EventSignature, HasEvent, NO_ENTITY};
pub(crate) use merge::MergeOrder;
pub(crate) use message::Message;
pub(crate) use overrides::{
    assert_not_sequential, executed_from, executed_only, undeclared, validate_only,
    validate_opt_in, validate_override, validate_starts,
};
pub(crate) use proxies::{Data, Effects, Executor, Own, Resources, StateTypes, WorldState};
pub(crate) use residual::HasPhases;
pub use residual::Phases;
pub use resource::ResourceSignature;
pub(crate) use resource::ResourceSink;
pub(crate) use spawns::{SpawnOrder, spawn_order};
pub(crate) use streams::{any as any_stream, consumer_of, dependencies as stream_dependencies};
pub use system::{MAX_SYSTEMS, SystemSignature};
pub(crate) use system::{any_contributes, any_opt_in, any_random, any_sequential};
pub(crate) use tables::systems_of;
pub use tables::{StagedChanges, Tables};
pub(crate) use terms::{Item, QueryTerms};
pub(crate) use unordered_updates::UnorderedUpdates;
