//! The components of every world of the family, and rows of their values.

use core_ecs_model::{Label, Value};

/// A component that every entity has until it is despawned. Systems compute from it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key(pub(crate) i64);

/// A number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct X(pub(crate) i64);

/// A number, in the same buffer as the other one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Y(pub(crate) i64);

/// A number in a sparse set. Only an entity that has it can create entities, and these are spawned without
/// it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Z(pub(crate) i64);

/// A tag that filters use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct F;

/// The labels of the components in the model.
pub(crate) const KEY: Label = Label("Key");
pub(crate) const LABEL_X: Label = Label("X");
pub(crate) const LABEL_Y: Label = Label("Y");
pub(crate) const LABEL_Z: Label = Label("Z");
pub(crate) const LABEL_F: Label = Label("F");

/// All labels.
pub(crate) const LABELS: [Label; 5] = [KEY, LABEL_X, LABEL_Y, LABEL_Z, LABEL_F];

/// An entity's components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) key: i64,
    pub(crate) x: Option<i64>,
    pub(crate) y: Option<i64>,
    pub(crate) z: Option<i64>,
    pub(crate) f: bool,
}

impl Row {
    /// The same for the model.
    pub(crate) fn values(&self) -> impl Iterator<Item = (Label, Value)> + use<> {
        let numbers =
            [(KEY, Some(self.key)), (LABEL_X, self.x), (LABEL_Y, self.y), (LABEL_Z, self.z)];
        let numbers = numbers.into_iter().filter_map(|(label, n)| Some((label, Value::Int(n?))));
        numbers.chain(self.f.then_some((LABEL_F, Value::Unit)))
    }
}
