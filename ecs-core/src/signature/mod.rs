//! *Signatures*: the constant tables of a declaration, and the traits that say what
//! a system body may do (thesis, chapter 7).
//!
//! A declaration is data. [`world!`](crate::world) writes it, but nothing here relies on that:
//! [`check`] validates the tables once more in `const` evaluation, every access asserts its own index
//! against the same tables, and the columns belong to this crate. A faulty or hostile
//! implementation of these traits fails to build or panics; it cannot cause undefined behaviour.

/// `for i in 0..end`, for `const` functions: `for_each!(i < end, { … })`.
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

pub mod access;
mod ancestors;
pub(crate) mod body;
pub(crate) mod bundle;
mod check;
mod declaration;
mod influence;
mod merge;
mod message;
mod overrides;
pub(crate) mod proxies;
mod queries;
mod residual;
mod resource;
mod streams;
mod system;
mod tables;
pub(crate) mod terms;
mod unordered_updates;

pub use crate::storage::signature::ComponentSignature;
pub(crate) use body::System;
pub(crate) use bundle::{Bundle, BundleSink, key_of, repeated};
pub(crate) use check::check_limit;
pub use check::{check, check_component, check_count, check_output};
pub use declaration::{
    Both, ComponentAt, Declaration, EverySystem, HasComponent, HasResource, One, SystemName,
    SystemVisitor, no_such_system, signature_of,
};
pub(crate) use merge::MergeOrder;
pub(crate) use message::Message;
pub(crate) use overrides::{
    assert_not_sequential, undeclared, validate_opt_in, validate_override, validate_starts,
};
pub(crate) use proxies::{Data, Effects, Executor, Own, StateTypes, WorldState};
pub(crate) use residual::HasPhases;
pub use residual::Phases;
pub use resource::{ResourceSignature, ResourceSink};
pub use streams::check_stream;
pub(crate) use streams::{any as any_stream, consumer_of, dependencies as stream_dependencies};
pub(crate) use system::any_opt_in;
pub use system::{MAX_SYSTEMS, SystemSignature};
pub use tables::{StagedChanges, Tables};
pub(crate) use terms::{Item, QueryTerms};
pub(crate) use unordered_updates::UnorderedUpdates;

/// The macro behind [`world!`](crate::world). Its input is the path of this crate at the place of use, in
/// parentheses, and the declaration.
pub use ecs_macros::world as declare;

/// The macro behind [`set!`](crate::set!), with the same input.
pub use ecs_macros::set as declare_set;
