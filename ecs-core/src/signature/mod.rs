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
pub(crate) mod body;
pub(crate) mod bundle;
pub(crate) mod check;
pub(crate) mod codegen_unit;
pub(crate) mod family;
mod merge;
pub(crate) mod number;
pub(crate) mod proxies;
mod spawns;
pub(crate) mod tables;
pub(crate) mod terms;
pub(crate) mod undeclared;

pub use crate::storage::signature::ComponentSignature;
pub use crate::types::component::{IndexSet, MAX_COMPONENTS, ThreadSafe, TypeInfo};
pub(crate) use body::System;
pub(crate) use bundle::{Bundle, BundleSink, facts_of, key_of, repeated, spawn_alone};
pub use check::check;
pub(crate) use check::check_limit;
pub(crate) use check::message::Message;
pub(crate) use check::overrides::{
    assert_not_sequential, executed_from, executed_only, undeclared, validate_only,
    validate_opt_in, validate_override, validate_starts,
};
pub use check::residual::Phases;
pub(crate) use check::residual::{
    Barrier, Effect, Full, HasPhases, Held, barriers, groups, late_effect,
};
pub(crate) use check::unordered_updates::UnorderedUpdates;
pub(crate) use merge::MergeOrder;
pub(crate) use proxies::{Data, Effects, Executor, Own, Resources, StateTypes, WorldState};
pub(crate) use spawns::{SpawnOrder, spawn_order};
pub(crate) use tables::by_name::{ByNameError, ComponentByName};
pub(crate) use tables::condition::{Asked, Condition, Evaluate, ResourceValues};
pub use tables::declaration::signature_of;
pub(crate) use tables::declaration::{
    Both, Combines, Declaration, EverySystem, HasComponent, HasResource, One, SystemName,
    SystemVisitor,
};
pub(crate) use tables::events::{Addressed, EventSignature, HasEvent, Mail, any_shares_events};
pub(crate) use tables::relations::{
    HasManyToMany, HasRelation, RelationSignature, any_after_parent,
};
pub use tables::resource::ResourceSignature;
pub(crate) use tables::resource::ResourceSink;
pub(crate) use tables::states::{StateOf, StateSignature, any_conditional, any_every};
pub(crate) use tables::streams::{
    any as any_stream, consumer_of, dependencies as stream_dependencies,
};
pub use tables::system::{MAX_SYSTEMS, SystemSignature};
pub(crate) use tables::system::{
    any_contributes, any_defers, any_opt_in, any_random, any_sequential, any_spawns,
};
pub(crate) use tables::systems_of;
pub use tables::{StagedChanges, Tables};
pub(crate) use terms::{Item, QueryTerms};
