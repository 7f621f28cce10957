//! Mutations: descriptions of an update of the state (3.4).

use std::fmt;
use std::sync::Arc;

use crate::{Entity, Label, Value};

/// A mutation *m*.
#[derive(Clone, Debug)]
pub enum Mutation {
    /// attach*ᵢ*(*e*, *k*): adds or overwrites a component.
    Attach(Label, Entity, Value),
    /// detach*ᵢ*(*e*): removes a component, if it is present.
    Detach(Label, Entity),
    /// *m* • *m′*: first *m*, then *m′*, which overwrites what *m* has written.
    Then(Box<Mutation>, Box<Mutation>),
    /// ν(*f*): the mutation that *f* yields for a fresh entity.
    New(OfFresh),
    /// nil: nothing.
    Nil,
}

/// The function *f* of a ν(*f*).
///
/// Entities are opaque, so *f* must treat all fresh ones alike: its result may not depend on the number that
/// it is called with.
#[derive(Clone)]
pub struct OfFresh(Arc<dyn Fn(Entity) -> Mutation + Send + Sync>);

impl OfFresh {
    /// *f*(*e*).
    pub fn call(&self, entity: Entity) -> Mutation {
        (self.0)(entity)
    }
}

impl fmt::Debug for OfFresh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "λe. {:?}", self.call(Entity(u64::MAX)))
    }
}

/// A mutation of one value. A mutation is a sequence of these once fresh entities are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Write {
    /// attach*ᵢ*(*e*, *k*).
    Attach(Label, Entity, Value),
    /// detach*ᵢ*(*e*).
    Detach(Label, Entity),
}

impl Write {
    /// The value that it attaches or detaches.
    pub fn place(&self) -> (Entity, Label) {
        match *self {
            Self::Attach(label, entity, _) | Self::Detach(label, entity) => (entity, label),
        }
    }
}

impl Mutation {
    /// *m* • *m′*.
    #[must_use]
    pub fn then(self, other: Self) -> Self {
        Self::Then(Box::new(self), Box::new(other))
    }

    /// ν(*f*).
    pub fn new(f: impl Fn(Entity) -> Self + Send + Sync + 'static) -> Self {
        Self::New(OfFresh(Arc::new(f)))
    }

    /// *m₁* • *m₂* • …; nil if there are none.
    pub fn all(mutations: impl IntoIterator<Item = Self>) -> Self {
        mutations.into_iter().reduce(Self::then).unwrap_or(Self::Nil)
    }

    /// The writes in order, with fresh entities from `next_fresh` on, which advances past them.
    pub fn ground(&self, next_fresh: &mut Entity) -> Vec<Write> {
        match self {
            Self::Attach(label, entity, value) => vec![Write::Attach(*label, *entity, *value)],
            Self::Detach(label, entity) => vec![Write::Detach(*label, *entity)],
            Self::Then(first, second) => {
                let first = first.ground(next_fresh);
                [first, second.ground(next_fresh)].concat()
            }
            Self::New(f) => {
                let fresh = *next_fresh;
                next_fresh.0 += 1;
                f.call(fresh).ground(next_fresh)
            }
            Self::Nil => Vec::new(),
        }
    }
}

impl From<Write> for Mutation {
    fn from(write: Write) -> Self {
        match write {
            Write::Attach(label, entity, value) => Self::Attach(label, entity, value),
            Write::Detach(label, entity) => Self::Detach(label, entity),
        }
    }
}
