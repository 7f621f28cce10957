//! The entity-component association (3.1).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::{Entity, Label, Mutation, Schema, Value, Write};

/// A state *c*: for each label a partial mapping from entities to values.
///
/// Two states are equal if all mappings and the next fresh name are equal. See [`rename`](crate::rename) for
/// equality up to the names of entities.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The mappings; none is empty.
    columns: BTreeMap<Label, BTreeMap<Entity, Value>>,
    next_fresh: Entity,
}

impl State {
    /// A state without entities. The first fresh entity will be `next_fresh`.
    pub fn empty(next_fresh: Entity) -> Self {
        Self { columns: BTreeMap::new(), next_fresh }
    }

    /// A state from plain data: each entity with its components. The next fresh name is above all others.
    ///
    /// An entity without components only reserves its name, which is not fresh.
    pub fn from_rows<R>(rows: impl IntoIterator<Item = (Entity, R)>) -> Self
    where
        R: IntoIterator<Item = (Label, Value)>,
    {
        let mut state = Self::empty(Entity(0));
        for (entity, row) in rows {
            state.next_fresh = state.next_fresh.max(Entity(entity.0 + 1));
            for (label, value) in row {
                state.write(&Write::Attach(label, entity, value));
            }
        }
        state
    }

    /// The state as plain data: each live entity with its components, all in ascending order.
    pub fn rows(&self) -> BTreeMap<Entity, BTreeMap<Label, Value>> {
        let mut rows = BTreeMap::<_, BTreeMap<_, _>>::new();
        for (&label, column) in &self.columns {
            for (&entity, &value) in column {
                rows.entry(entity).or_default().insert(label, value);
            }
        }
        rows
    }

    /// The partial mapping *cᵢ* of a label.
    pub fn column(&self, label: Label) -> BTreeMap<Entity, Value> {
        self.columns.get(&label).cloned().unwrap_or_default()
    }

    /// The value *cᵢ*(*e*), if the entity has one.
    pub fn get(&self, label: Label, entity: Entity) -> Option<Value> {
        self.columns.get(&label)?.get(&entity).copied()
    }

    /// The live entities live(*c*): those with at least one component.
    pub fn live(&self) -> BTreeSet<Entity> {
        self.columns.values().flat_map(BTreeMap::keys).copied().collect()
    }

    /// Whether the entity is live.
    pub fn is_live(&self, entity: Entity) -> bool {
        self.columns.values().any(|column| column.contains_key(&entity))
    }

    /// The name that the next fresh entity gets.
    pub fn next_fresh(&self) -> Entity {
        self.next_fresh
    }

    /// Reserves all names below this one.
    pub fn reserve(&mut self, next_fresh: Entity) {
        self.next_fresh = self.next_fresh.max(next_fresh);
    }

    /// *c* ↓ *m* (3.4).
    #[must_use]
    pub fn apply(&self, mutation: &Mutation) -> Self {
        let mut state = self.clone();
        let writes = mutation.ground(&mut state.next_fresh);
        state.write_all(&writes);
        state
    }

    /// *c* ↓ attach or *c* ↓ detach, in place.
    pub fn write(&mut self, write: &Write) {
        match *write {
            Write::Attach(label, entity, value) => {
                self.columns.entry(label).or_default().insert(entity, value);
                self.reserve(Entity(entity.0 + 1));
            }
            Write::Detach(label, entity) => {
                let Some(column) = self.columns.get_mut(&label) else { return };
                column.remove(&entity);
                if column.is_empty() {
                    self.columns.remove(&label);
                }
            }
        }
    }

    /// Several writes, one after the other, in place.
    pub fn write_all(&mut self, writes: &[Write]) {
        for write in writes {
            self.write(write);
        }
    }

    /// The state as the paper's executable model prints it (listings 3 and 7).
    pub fn show<'a>(&'a self, schema: &'a Schema) -> impl fmt::Display + 'a {
        Shown { state: self, schema }
    }
}

/// A state to be shown.
struct Shown<'a> {
    state: &'a State,
    schema: &'a Schema,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for component in &self.schema.0 {
            write!(f, "{}↦{{", component.label)?;
            for (number, (entity, value)) in self.state.column(component.label).iter().enumerate() {
                let comma = if number == 0 { "" } else { ", " };
                write!(f, "{comma}{entity} ↦ ")?;
                let value = match value {
                    Value::Unit => "()".to_owned(),
                    Value::Int(number) if *number < 0 && component.is_named => {
                        format!("({number})")
                    }
                    Value::Int(number) => number.to_string(),
                    Value::Entity(entity) => entity.to_string(),
                };
                if component.is_named {
                    write!(f, "{} {value}", component.label)?;
                } else {
                    f.write_str(&value)?;
                }
            }
            f.write_str("} :+ ")?;
        }
        write!(f, "Metadata {{nextFresh = {}}}", self.state.next_fresh)
    }
}
