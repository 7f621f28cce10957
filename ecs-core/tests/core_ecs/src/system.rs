//! Systems: a query vector, and a function from its matches to mutations (3.5).

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use crate::query::{self, Matches};
use crate::{Entity, Found, Label, Mutation, Query, State, Term, Value};

/// A system *s* = (*q⃗*, *f*).
#[derive(Clone)]
pub struct System {
    /// Its name in reports.
    pub name: String,
    /// The query vector *qₛ*.
    pub queries: Vec<Query>,
    body: Body,
}

/// The function *fₛ*.
#[derive(Clone)]
enum Body {
    Term(Term),
    Function { touches: BTreeSet<Label>, function: Function },
}

type Function = Arc<dyn Fn(&Match<'_>) -> Mutation + Send + Sync>;

/// The argument of a system's function: an entity match *e⃗* ↦ *w⃗*.
#[derive(Clone, Copy, Debug)]
pub struct Match<'a> {
    /// The query vector that found it.
    pub queries: &'a [Query],
    /// *e⃗*, an entity for each query.
    pub entities: &'a [Entity],
    /// *w⃗*, a component result for each query.
    pub found: &'a [Found],
}

/// A match that borrows nothing, for functions under a ν.
#[derive(Clone, Debug)]
pub struct OwnedMatch {
    queries: Vec<Query>,
    entities: Vec<Entity>,
    found: Vec<Found>,
}

impl Match<'_> {
    /// The value under a label that the query with this number has found.
    pub fn value(&self, query: usize, label: Label) -> Option<Value> {
        self.queries.get(query)?.value(self.found.get(query)?, label)
    }

    /// The number under a label that the query with this number has found; 0 if there is none.
    pub fn int(&self, query: usize, label: Label) -> i64 {
        self.value(query, label).map_or(0, Value::as_int)
    }

    /// A copy that borrows nothing.
    pub fn detached(&self) -> OwnedMatch {
        OwnedMatch {
            queries: self.queries.to_vec(),
            entities: self.entities.to_vec(),
            found: self.found.to_vec(),
        }
    }
}

impl OwnedMatch {
    /// The match as a borrow.
    pub fn as_match(&self) -> Match<'_> {
        Match { queries: &self.queries, entities: &self.entities, found: &self.found }
    }
}

impl System {
    /// A system whose function is a term.
    pub fn new(name: &str, queries: Vec<Query>, body: Term) -> Self {
        Self { name: name.to_owned(), queries, body: Body::Term(body) }
    }

    /// A system whose function is a closure. The closure attaches and detaches components of `touches` only
    /// (as the constraint `Has` says in listing 2).
    ///
    /// The corollaries examine systems without running them. Of a closure they know `touches`, and assume
    /// that it may capture entities.
    pub fn function(
        name: &str,
        queries: Vec<Query>,
        touches: impl IntoIterator<Item = Label>,
        function: impl Fn(&Match<'_>) -> Mutation + Send + Sync + 'static,
    ) -> Self {
        let (touches, function) = (touches.into_iter().collect(), Arc::new(function));
        Self { name: name.to_owned(), queries, body: Body::Function { touches, function } }
    }

    /// ⟦*qₛ*⟧*c*.
    pub fn matches(&self, state: &State) -> Matches {
        query::evaluate(&self.queries, state)
    }

    /// ⟦*qₛ*⟧*c*(*e⃗*), if these entities are a match.
    pub fn match_of(&self, state: &State, entities: &[Entity]) -> Option<Vec<Found>> {
        query::evaluate_at(&self.queries, state, entities)
    }

    /// *fₛ*(*e⃗*, *w⃗*).
    ///
    /// # Panics
    ///
    /// If a closure touches a label that is not declared.
    pub fn call(&self, entities: &[Entity], found: &[Found]) -> Mutation {
        let at = Match { queries: &self.queries, entities, found };
        match &self.body {
            Body::Term(term) => term.eval(&at, &[]),
            Body::Function { touches, function } => {
                let mutation = function(&at);
                for write in mutation.ground(&mut Entity(u64::MAX / 2)) {
                    let (_, label) = write.place();
                    assert!(touches.contains(&label), "{} touches {label} undeclared", self.name);
                }
                mutation
            }
        }
    }

    /// The labels that it may attach or detach, of any entity.
    pub fn touches(&self) -> BTreeSet<Label> {
        match &self.body {
            Body::Term(term) => term.touches(),
            Body::Function { touches, .. } => touches.clone(),
        }
    }

    /// The labels that it may influence: those that it touches of entities that it has not created.
    pub fn influences(&self) -> BTreeSet<Label> {
        match &self.body {
            Body::Term(term) => term.influences(),
            Body::Function { touches, .. } => touches.clone(),
        }
    }

    /// Whether it may mutate entities that come neither from its queries nor from components.
    pub fn knows_entities(&self) -> bool {
        match &self.body {
            Body::Term(term) => term.knows_entities(),
            Body::Function { .. } => true,
        }
    }
}

impl fmt::Debug for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("System");
        shown.field("name", &self.name).field("queries", &self.queries);
        match &self.body {
            Body::Term(term) => shown.field("body", term),
            Body::Function { touches, .. } => shown.field("touches", touches),
        };
        shown.finish()
    }
}
