//! The eight categories, and the result that all contenders must agree upon.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Arc, LazyLock};

/// The threads of the contenders that use rayon: the calling thread, which therefore need not be put to sleep and
/// woken up, and another one.
pub(crate) static POOL: LazyLock<Arc<ThreadPool>> = LazyLock::new(|| {
    let pool = ThreadPoolBuilder::new().num_threads(2).use_current_thread().build();
    Arc::new(pool.expect("a thread can be started"))
});

/// A position.
#[derive(Clone, Copy, Debug, bevy_ecs::component::Component)]
pub(crate) struct Pos(pub f32, pub f32);

/// A change of position.
#[derive(Clone, Copy, Debug, bevy_ecs::component::Component)]
pub(crate) struct Vel(pub f32, pub f32);

impl Pos {
    /// The value for the `i`-th created entity; small whole numbers, so that sums are exact.
    pub(crate) fn first(i: usize) -> Self {
        Self((i % 1024) as f32, (i % 7) as f32)
    }

    /// A position made from a velocity.
    pub(crate) fn of(vel: Vel) -> Self {
        Self(vel.1, vel.0)
    }

    /// The work of an update.
    pub(crate) fn update(&mut self) {
        self.0 += 1.0;
        self.1 -= 1.0;
    }
}

impl Vel {
    /// The value for the `i`-th created entity.
    pub(crate) fn first(i: usize) -> Self {
        Self((i % 5) as f32, (i % 512) as f32)
    }

    /// A velocity made from a position.
    pub(crate) fn of(pos: Pos) -> Self {
        Self(pos.1, pos.0)
    }
}

/// A category of mutations (Core ECS, table 2): its own component is `Pos`, the other is `Vel`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Row {
    /// Entities with `Pos` change it.
    OwnedUpdate,
    /// Entities without `Pos` get one.
    OwnedInsert,
    /// Entities with `Pos` each spawn one with `Pos`.
    OwnedInitialize,
    /// Entities with `Pos` lose it.
    OwnedDelete,
    /// Entities with `Pos` get another `Vel`.
    DeferredUpdate,
    /// Entities with `Pos` get a `Vel`.
    DeferredInsert,
    /// Entities with `Pos` each spawn one with `Vel`.
    DeferredInitialize,
    /// Entities with `Pos` lose their `Vel`.
    DeferredDelete,
}

impl Row {
    pub(crate) const ALL: [Self; 8] = [
        Self::OwnedUpdate,
        Self::OwnedInsert,
        Self::OwnedInitialize,
        Self::OwnedDelete,
        Self::DeferredUpdate,
        Self::DeferredInsert,
        Self::DeferredInitialize,
        Self::DeferredDelete,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::OwnedUpdate => "owned update",
            Self::OwnedInsert => "owned insert",
            Self::OwnedInitialize => "owned initialize",
            Self::OwnedDelete => "owned delete",
            Self::DeferredUpdate => "deferred update",
            Self::DeferredInsert => "deferred insert",
            Self::DeferredInitialize => "deferred initialize",
            Self::DeferredDelete => "deferred delete",
        }
    }

    /// Whether only values change, so that there are no structural mutations to undo.
    pub(crate) fn is_update(self) -> bool {
        matches!(self, Self::OwnedUpdate | Self::DeferredUpdate)
    }

    /// Whether entities have a `Pos` before the row, and whether they have a `Vel`.
    pub(crate) fn before(self) -> (bool, bool) {
        (
            self != Self::OwnedInsert,
            !matches!(self, Self::DeferredInsert | Self::DeferredInitialize),
        )
    }
}

/// A summary of a world: the number of entities with each component, and the sum of its fields. Each field has a
/// weight of its own, so that errors in two of them do not cancel out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Summary {
    pub(crate) entities: usize,
    pub(crate) pos: (usize, f64),
    pub(crate) vel: (usize, f64),
}

impl Summary {
    pub(crate) fn add_pos(&mut self, pos: Pos) {
        self.pos.0 += 1;
        self.pos.1 += f64::from(pos.0) + f64::from(pos.1) * 3.0;
    }

    pub(crate) fn add_vel(&mut self, vel: Vel) {
        self.vel.0 += 1;
        self.vel.1 += f64::from(vel.0) + f64::from(vel.1) * 3.0;
    }
}

/// A world in which a row can be run any number of times.
pub(crate) trait Contender {
    /// Performs all mutations; this is timed.
    fn run(&mut self);

    /// Undoes the structural mutations.
    fn reset(&mut self);

    /// The summary of the world.
    fn summary(&mut self) -> Summary;
}
