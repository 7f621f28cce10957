//! The parameters of a program (figure 4): entities, component labels, and component types.

use std::fmt;

/// An entity identifier, a term of *E*.
///
/// The number is a name and nothing else. Fresh names are given in ascending order. Ascending order is the
/// “consistent but unspecified” one in which sequential systems visit entities (3.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entity(pub u64);

impl fmt::Display for Entity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "e{}", self.0)
    }
}

/// A component label, an element of *I*.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label(pub &'static str);

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// A component value, a term of some *Kᵢ*.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// The only value of a tag.
    Unit,
    /// A number. Arithmetic wraps around.
    Int(i64),
    /// The name of an entity. Corollary 4.9 excludes components of this type.
    Entity(Entity),
}

impl Value {
    /// The number; 0 for any other value, so that arithmetic is total.
    pub fn as_int(self) -> i64 {
        match self {
            Self::Int(number) => number,
            Self::Unit | Self::Entity(_) => 0,
        }
    }
}

/// The type of a component, a *Kᵢ*.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// [`Value::Unit`].
    Unit,
    /// [`Value::Int`].
    Int,
    /// [`Value::Entity`].
    Entity,
}

/// A label and its type, an element *i* ↦ *Kᵢ* of the schema *K*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Component {
    /// The label.
    pub label: Label,
    /// The type of the values.
    pub kind: Kind,
    /// Whether values are shown with the label before them (`Pos 1`), like those of a separate type.
    pub is_named: bool,
}

/// A program schema *K*. Its order is the one in which states are shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema(pub Vec<Component>);

impl Schema {
    /// A schema of numbers, shown with their labels.
    pub fn of_integers(labels: &[Label]) -> Self {
        let component = |&label| Component { label, kind: Kind::Int, is_named: true };
        Self(labels.iter().map(component).collect())
    }

    /// The type under a label, if there is one.
    pub fn kind(&self, label: Label) -> Option<Kind> {
        self.0.iter().find(|component| component.label == label).map(|component| component.kind)
    }

    /// All labels, in order.
    pub fn labels(&self) -> impl Iterator<Item = Label> {
        self.0.iter().map(|component| component.label)
    }
}
