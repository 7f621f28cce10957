//! Which schedules are safe at every state, judged by signatures alone (corollaries 4.8 and 4.9), and
//! which of them would also be free of data races.

use std::collections::BTreeSet;
use std::fmt;

use crate::{Label, Query, Schedule, Schema, System, query};

/// Why no corollary shows that a schedule is safe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// conc of a system whose invocations may meet the same entity, as it has several queries.
    SeveralQueries(String),
    /// conc of a system that is handed entities as values of components.
    HandedEntities(String),
    /// conc of a system that knows entities by itself.
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
/// *s* influences nothing, as it only makes entities. And corollary 4.9 takes it for granted that a system
/// knows no entities but those which its match names, which is asked here.
///
/// # Errors
///
/// What stands in the way.
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

/// What the systems of a schedule look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// These labels: their values, and who has them.
    Labels(BTreeSet<Label>),
    /// Everything: a query that requires no component finds any live entity, and an entity is live
    /// through any of its components.
    Everything,
}

/// What the queries of a schedule look at.
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

/// A label that one side of a ∥ changes, of whatever entity, while the other side looks at it; `None` if
/// there is no such label.
///
/// Schedules that are safe are deterministic as long as both sides of a ∥ look at the state from before
/// it. If they do not, because memory is shared and nobody takes a copy, then safe schedules without races
/// still are (see [`reduction`](crate::reduction)). This is stricter than a program needs which shows
/// structural changes only later, such as at a refresh.
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

/// A label that `writer` changes and `reader` looks at.
fn disturbs(writer: &Schedule, reader: &Schedule) -> Option<Label> {
    let touched: BTreeSet<Label> = writer.systems().into_iter().flat_map(System::touches).collect();
    match sees(reader) {
        Seen::Labels(seen) => (&touched & &seen).first().copied(),
        Seen::Everything => touched.first().copied(),
    }
}
