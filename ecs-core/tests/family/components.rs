//! The components of every world of the family, and rows of their values.

use core_ecs_model::{Label, Value};

/// What everybody has until it is despawned. Systems compute from it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key(pub(crate) i64);

/// A number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct X(pub(crate) i64);

/// A number, beside the other one in a buffer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Y(pub(crate) i64);

/// A number in a sparse set; who has it can create entities, which are born without it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Z(pub(crate) i64);

/// A tag, which filters look at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct F;

/// What they are called in the model.
pub(crate) const KEY: Label = Label("Key");
pub(crate) const LABEL_X: Label = Label("X");
pub(crate) const LABEL_Y: Label = Label("Y");
pub(crate) const LABEL_Z: Label = Label("Z");
pub(crate) const LABEL_F: Label = Label("F");

/// All of them.
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
