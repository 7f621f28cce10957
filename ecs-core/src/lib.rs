//! A compile-time Entity-Component-System.

mod bundle;
pub mod component;
mod deferred;
mod entity;
mod erased;
pub mod inner_parallelism;
pub mod proxy;
mod query;
mod refresh;
mod resource;
pub mod scheduler;
pub mod settings;
pub mod signature;
mod sparse_set;
mod storage;
mod system;
mod world;

pub use bundle::{Bundle, BundleSink};
pub use component::Component;
pub use entity::{Entity, LimitReached};
pub use proxy::{Data, Defer, Executor, Step};
pub use query::{Item, Iter, QueryFor, QueryTerms};
pub use scheduler::Threads;
pub use signature::{Declaration, access};
pub use storage::{BLOCK_ROWS, PAGE_ROWS};
pub use system::{Output, Outputs, System};
pub use world::{StepError, World};

/// Declares a world.
#[macro_export]
macro_rules! world {
    ($($declaration:tt)*) => {
        $crate::__private::world! { ($crate) $($declaration)* }
    };
}

#[doc(hidden)]
pub mod __private {
    pub use ecs_macros::world;
}
