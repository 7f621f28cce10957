//! Which schedules are safe at every state, derived from signatures alone (corollaries 4.8 and 4.9), and
//! which of them are also free of data races.

use std::collections::BTreeSet;
use std::fmt;

use crate::{Label, Query, Schedule, Schema, System, query};

/// The reason why no corollary shows that a schedule is safe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// conc of a system whose invocations may meet the same entity, as it has several queries.
    SeveralQueries(String),
    /// conc of a system that receives entities as values of components.
    HandedEntities(String),
    /// conc of a system that knows entities without a query.
    KnownEntities(String),
    /// The two sides of a ∥ influence the same labels.
    SharedLabels(BTreeSet<Label>),
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SeveralQueries(name) => write!(f, "`{name}` has several queries"),
            Self::HandedEntities(name) => write!(f, "`{name}` is handed entities by components"),
            Self::KnownEntities(name) => write!(f, "`{name}` knows entities by itself"),
            Self::SharedLabels(labels) => write!(f, "both sides influence {labels:?}"),
        }
    }
}

/// Whether a schedule is safe at every state, by
///
/// - theorem 4.7 (1) and (2), which need no state: seq(*s*) is safe, and *z* ⨟ *z′* if both are;
/// - corollary 4.8: *z* ∥ *z′*, if both are safe and influence different labels;
/// - corollary 4.9: conc(*s*), if there is one query, which hands on no entities.
///
/// Besides, conc(*s*) is safe by theorem 4.7 (3) if there is no query, hence one invocation at most, or if
/// *s* influences nothing, as it only creates entities. Corollary 4.9 assumes that a system knows no entities
/// except those that its match names. This function checks that assumption.
///
/// # Errors
///
/// The reason why no corollary applies.
pub fn safety(schedule: &Schedule, schema: &Schema) -> Result<(), Doubt> {
    match schedule {
        Schedule::Seq(_) => Ok(()),
        Schedule::Then(first, second) => {
            safety(first, schema)?;
            safety(second, schema)
        }
        Schedule::Par(left, right) => {
            safety(left, schema)?;
            safety(right, schema)?;
            let shared = &influences(left) & &influences(right);
            if shared.is_empty() { Ok(()) } else { Err(Doubt::SharedLabels(shared)) }
        }
        Schedule::Conc(system) => alone(system, schema),
    }
}

/// Corollary 4.9.
fn alone(system: &System, schema: &Schema) -> Result<(), Doubt> {
    let name = || system.name.clone();
    if system.queries.is_empty() || system.influences().is_empty() {
        Ok(())
    } else if system.queries.len() > 1 {
        Err(Doubt::SeveralQueries(name()))
    } else if system.queries[0].hands_on_entities(schema) {
        Err(Doubt::HandedEntities(name()))
    } else if system.knows_entities() {
        Err(Doubt::KnownEntities(name()))
    } else {
        Ok(())
    }
}

/// The labels that a schedule may influence.
pub fn influences(schedule: &Schedule) -> BTreeSet<Label> {
    schedule.systems().into_iter().flat_map(System::influences).collect()
}

/// What the queries of a schedule read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// These labels: their values, and which entities have them.
    Labels(BTreeSet<Label>),
    /// Everything: a query that requires no component finds any live entity, and any of its components makes
    /// an entity live.
    Everything,
}

/// What the queries of a schedule read.
pub fn sees(schedule: &Schedule) -> Seen {
    let requires = |query: &Query| {
        query.constraints().into_iter().any(|constraint| matches!(constraint, Query::Incl(_)))
    };
    let systems = schedule.systems();
    if systems.iter().flat_map(|system| &system.queries).all(requires) {
        Seen::Labels(systems.iter().flat_map(|system| query::labels(&system.queries)).collect())
    } else {
        Seen::Everything
    }
}

/// A label that one side of a ∥ changes, of any entity, while the other side reads it; `None` if there is no
/// such label.
///
/// Schedules that are safe are deterministic as long as both sides of a ∥ read the state from before it. If
/// they read shared memory without a copy, safe schedules without races are still deterministic (see
/// [`reduction`](crate::reduction)). This condition is stricter than necessary for a program that delays
/// structural changes, for example until a refresh.
pub fn races(schedule: &Schedule) -> Option<Label> {
    match schedule {
        Schedule::Conc(_) | Schedule::Seq(_) => None,
        Schedule::Then(first, second) => races(first).or_else(|| races(second)),
        Schedule::Par(left, right) => races(left)
            .or_else(|| races(right))
            .or_else(|| disturbs(left, right))
            .or_else(|| disturbs(right, left)),
    }
}

/// A label that `writer` changes and `reader` reads.
fn disturbs(writer: &Schedule, reader: &Schedule) -> Option<Label> {
    let touched: BTreeSet<Label> = writer.systems().into_iter().flat_map(System::touches).collect();
    match sees(reader) {
        Seen::Labels(seen) => (&touched & &seen).first().copied(),
        Seen::Everything => touched.first().copied(),
    }
}
