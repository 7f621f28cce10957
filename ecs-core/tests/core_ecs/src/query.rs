//! Queries, query vectors, and their results (3.2, 3.3, figure 6).

use std::collections::{BTreeMap, BTreeSet};

use crate::{Entity, Kind, Label, Schema, State, Value};

/// A query *q*: the components that an entity must have, and those that the query returns.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Query {
    /// incl*ᵢ*: the entity has the component; returns it.
    Incl(Label),
    /// excl*ᵢ*: the entity does not have the component.
    Excl(Label),
    /// anyway*ᵢ*: any live entity; returns the component if there is one.
    Anyway(Label),
    /// *q* ∧ *q′*: both.
    And(Box<Query>, Box<Query>),
}

/// A component result, a term of the type ⦇*q*⦈ (figure 6).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Found {
    /// The value: of incl*ᵢ*; of anyway*ᵢ* if there is one.
    Value(Value),
    /// ∗, the unit: of excl*ᵢ*; of anyway*ᵢ* if there is no value.
    Unit,
    /// The results of a conjunction.
    Pair(Box<Found>, Box<Found>),
}

/// Entity matches: a partial mapping *Eⁿ* ⇸ ⦇*q⃗*⦈, in the lexicographic order of entities (section 6).
pub type Matches = BTreeMap<Vec<Entity>, Vec<Found>>;

impl Query {
    /// *q* ∧ *q′*.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self::And(Box::new(self), Box::new(other))
    }

    /// The conjunction of these, from the left; `None` if there are none.
    pub fn all(queries: impl IntoIterator<Item = Self>) -> Option<Self> {
        queries.into_iter().reduce(Self::and)
    }

    /// ⟦*q*⟧*c*: the matching entities and the result of each.
    pub fn matches(&self, state: &State) -> BTreeMap<Entity, Found> {
        let found = |entity: Entity| Some((entity, self.look(state, entity)?));
        state.live().into_iter().filter_map(found).collect()
    }

    /// ⟦*q*⟧*c*(*e*): the result of an entity, if it matches.
    pub fn match_of(&self, state: &State, entity: Entity) -> Option<Found> {
        if state.is_live(entity) { self.look(state, entity) } else { None }
    }

    /// The same for a live entity.
    fn look(&self, state: &State, entity: Entity) -> Option<Found> {
        match self {
            Self::Incl(label) => state.get(*label, entity).map(Found::Value),
            Self::Excl(label) => match state.get(*label, entity) {
                Some(_) => None,
                None => Some(Found::Unit),
            },
            Self::Anyway(label) => {
                Some(state.get(*label, entity).map_or(Found::Unit, Found::Value))
            }
            Self::And(left, right) => {
                let (left, right) = (left.look(state, entity)?, right.look(state, entity)?);
                Some(Found::Pair(Box::new(left), Box::new(right)))
            }
        }
    }

    /// The constraints of the conjunction, from the left.
    pub fn constraints(&self) -> Vec<&Self> {
        match self {
            Self::And(left, right) => [left.constraints(), right.constraints()].concat(),
            constraint => vec![constraint],
        }
    }

    /// The labels that it mentions.
    pub fn labels(&self) -> BTreeSet<Label> {
        self.constraints().into_iter().filter_map(Self::label).collect()
    }

    /// The label of a constraint.
    fn label(&self) -> Option<Label> {
        match self {
            Self::Incl(label) | Self::Excl(label) | Self::Anyway(label) => Some(*label),
            Self::And(..) => None,
        }
    }

    /// The value under a label among the results of this query.
    pub fn value(&self, found: &Found, label: Label) -> Option<Value> {
        match (self, found) {
            (Self::And(left, right), Found::Pair(left_found, right_found)) => {
                left.value(left_found, label).or_else(|| right.value(right_found, label))
            }
            (_, Found::Value(value)) if self.label() == Some(label) => Some(*value),
            _ => None,
        }
    }

    /// Whether ⦇*q*⦈ mentions the type of entities (corollary 4.9). A label that the schema does not have is
    /// assumed to do so.
    pub fn hands_on_entities(&self, schema: &Schema) -> bool {
        self.constraints().into_iter().any(|constraint| match constraint {
            Self::Incl(label) | Self::Anyway(label) => {
                !matches!(schema.kind(*label), Some(Kind::Int | Kind::Unit))
            }
            _ => false,
        })
    }
}

/// ⟦*q⃗*⟧*c*: the entity matches of a query vector, the product of its queries' results (3.3).
///
/// A vector of no queries has one match, of no entities.
pub fn evaluate(vector: &[Query], state: &State) -> Matches {
    let mut matches = Matches::from([(Vec::new(), Vec::new())]);
    for query in vector {
        let more = query.matches(state);
        let mut product = Matches::new();
        for (entities, results) in &matches {
            for (entity, found) in &more {
                let entities = [entities.as_slice(), &[*entity]].concat();
                product
                    .insert(entities, [results.as_slice(), std::slice::from_ref(found)].concat());
            }
        }
        matches = product;
    }
    matches
}

/// ⟦*q⃗*⟧*c*(*e⃗*): the result of [`evaluate`] for these entities, if they are a match.
///
/// # Panics
///
/// If the numbers of entities and queries differ.
pub fn evaluate_at(vector: &[Query], state: &State, entities: &[Entity]) -> Option<Vec<Found>> {
    assert_eq!(vector.len(), entities.len(), "an entity for each query");
    let found = |(query, entity): (&Query, &Entity)| query.match_of(state, *entity);
    vector.iter().zip(entities).map(found).collect()
}

/// The labels that a query vector mentions.
pub fn labels(vector: &[Query]) -> BTreeSet<Label> {
    vector.iter().flat_map(Query::labels).collect()
}
