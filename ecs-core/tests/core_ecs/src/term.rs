//! The underlying language of the examples (appendix A), as plain data.
//!
//! The language is a parameter of the calculus. This one has the paper's integers, entities, conditions and
//! mutations, and some conveniences. It is total, so that every generated term has a meaning. Arithmetic
//! wraps around, and treats a value that is not a number as 0. A mutation of an entity that cannot be named
//! does nothing.

use std::collections::BTreeSet;

use crate::{Entity, Label, Match, Mutation, Value};

/// A term for a mutation: the body of a system.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// nil.
    Nil,
    /// attach*ᵢ*(*e*, *k*).
    Attach(Label, Who, Expr),
    /// detach*ᵢ*(*e*).
    Detach(Label, Who),
    /// *m₁* • *m₂* • …
    All(Vec<Term>),
    /// ν(λ*e*. *m*), where *m* names the entity [`Who::New`].
    New(Box<Term>),
    /// **if** *b* **then** *t* **else** *t′*.
    If(Test, Box<Term>, Box<Term>),
}

/// A term for an entity.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Who {
    /// The entity of the match that the query with this number has found.
    Own(usize),
    /// The entity of the ν that is this number of ν further out; 0 is the innermost.
    New(usize),
    /// The entity that a component of a found entity names.
    Stored(usize, Label),
    /// This entity. No system of the paper knows an entity without a query; one that captures handles does.
    Known(Entity),
}

/// A term for a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// The value of a tag.
    Unit,
    /// A number.
    Int(i64),
    /// The name of an entity; the unit, if there is no such entity.
    Entity(Who),
    /// The component that the query with this number has found; 0 if there is none.
    Value(usize, Label),
    /// *n* + *n′*.
    Add(Box<Expr>, Box<Expr>),
    /// *n* · *n′*.
    Mul(Box<Expr>, Box<Expr>),
    /// ⌈*n* / *n′*⌉; 0 if *n′* is 0.
    DivUp(Box<Expr>, Box<Expr>),
    /// The remainder, never negative, of a division by a number; 0 if the number is 0.
    Rem(Box<Expr>, i64),
}

/// A term for a truth value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Test {
    /// *n* = *n′*.
    Equal(Expr, Expr),
    /// *n* ≠ *n′*.
    Differ(Expr, Expr),
    /// *n* < *n′*.
    Less(Expr, Expr),
    /// The query with this number has found a component under this label.
    Has(usize, Label),
    /// *b* ∧ *b′*.
    And(Box<Test>, Box<Test>),
}

impl Expr {
    /// *n* + *n′*.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self::Add(Box::new(self), Box::new(other))
    }

    /// *n* · *n′*.
    #[must_use]
    pub fn times(self, other: Self) -> Self {
        Self::Mul(Box::new(self), Box::new(other))
    }

    /// ⌈*n* / *n′*⌉.
    #[must_use]
    pub fn div_up(self, other: Self) -> Self {
        Self::DivUp(Box::new(self), Box::new(other))
    }

    fn eval(&self, at: &Match<'_>, fresh: &[Entity]) -> Value {
        let int = |expr: &Self| expr.eval(at, fresh).as_int();
        match self {
            Self::Unit => Value::Unit,
            Self::Int(number) => Value::Int(*number),
            Self::Entity(who) => who.eval(at, fresh).map_or(Value::Unit, Value::Entity),
            Self::Value(query, label) => at.value(*query, *label).unwrap_or(Value::Int(0)),
            Self::Add(a, b) => Value::Int(int(a).wrapping_add(int(b))),
            Self::Mul(a, b) => Value::Int(int(a).wrapping_mul(int(b))),
            Self::DivUp(a, b) => Value::Int(div_up(int(a), int(b))),
            Self::Rem(a, modulus) => match modulus {
                0 => Value::Int(0),
                modulus => Value::Int(int(a).wrapping_rem_euclid(*modulus)),
            },
        }
    }
}

/// ⌈*n* / *n′*⌉, wrapping around; 0 if *n′* is 0.
fn div_up(n: i64, divisor: i64) -> i64 {
    if divisor == 0 {
        return 0;
    }
    let (quotient, rest) = (n.wrapping_div(divisor), n.wrapping_rem(divisor));
    // Division rounds towards zero. That is up already, unless the exact result is positive.
    quotient + i64::from(rest != 0 && (rest < 0) == (divisor < 0))
}

impl Who {
    fn eval(&self, at: &Match<'_>, fresh: &[Entity]) -> Option<Entity> {
        match self {
            Self::Own(query) => at.entities.get(*query).copied(),
            Self::New(depth) => fresh.iter().rev().nth(*depth).copied(),
            Self::Stored(query, label) => match at.value(*query, *label) {
                Some(Value::Entity(entity)) => Some(entity),
                _ => None,
            },
            Self::Known(entity) => Some(*entity),
        }
    }
}

impl Test {
    fn eval(&self, at: &Match<'_>, fresh: &[Entity]) -> bool {
        match self {
            Self::Equal(a, b) => a.eval(at, fresh) == b.eval(at, fresh),
            Self::Differ(a, b) => a.eval(at, fresh) != b.eval(at, fresh),
            Self::Less(a, b) => a.eval(at, fresh).as_int() < b.eval(at, fresh).as_int(),
            Self::Has(query, label) => at.value(*query, *label).is_some(),
            Self::And(a, b) => a.eval(at, fresh) && b.eval(at, fresh),
        }
    }
}

impl Term {
    /// The mutation that the term means, given a match and the entities bound by ν around it.
    pub fn eval(&self, at: &Match<'_>, fresh: &[Entity]) -> Mutation {
        match self {
            Self::Nil => Mutation::Nil,
            Self::Attach(label, who, value) => {
                who.eval(at, fresh).map_or(Mutation::Nil, |entity| {
                    Mutation::Attach(*label, entity, value.eval(at, fresh))
                })
            }
            Self::Detach(label, who) => {
                who.eval(at, fresh).map_or(Mutation::Nil, |entity| Mutation::Detach(*label, entity))
            }
            Self::All(terms) => Mutation::all(terms.iter().map(|term| term.eval(at, fresh))),
            Self::New(term) => {
                let (term, at, fresh) = (term.clone(), at.detached(), fresh.to_vec());
                Mutation::new(move |entity| {
                    term.eval(&at.as_match(), &[fresh.as_slice(), &[entity]].concat())
                })
            }
            Self::If(test, then, otherwise) => {
                if test.eval(at, fresh) {
                    then.eval(at, fresh)
                } else {
                    otherwise.eval(at, fresh)
                }
            }
        }
    }

    /// The direct subterms.
    fn parts(&self) -> Vec<&Self> {
        match self {
            Self::All(terms) => terms.iter().collect(),
            Self::New(term) => vec![term],
            Self::If(_, then, otherwise) => vec![then, otherwise],
            Self::Nil | Self::Attach(..) | Self::Detach(..) => Vec::new(),
        }
    }

    /// The labels that it attaches or detaches, of any entity.
    pub fn touches(&self) -> BTreeSet<Label> {
        let own = match self {
            Self::Attach(label, ..) | Self::Detach(label, _) => Some(*label),
            _ => None,
        };
        own.into_iter().chain(self.parts().into_iter().flat_map(Self::touches)).collect()
    }

    /// The labels that it may influence: those of entities that no ν within it has created.
    pub fn influences(&self) -> BTreeSet<Label> {
        let own = match self {
            Self::Attach(label, who, _) | Self::Detach(label, who) => {
                (!matches!(who, Who::New(_))).then_some(*label)
            }
            _ => None,
        };
        own.into_iter().chain(self.parts().into_iter().flat_map(Self::influences)).collect()
    }

    /// Whether it mutates an entity that it knows without a query.
    pub fn knows_entities(&self) -> bool {
        let own = match self {
            Self::Attach(_, who, _) | Self::Detach(_, who) => matches!(who, Who::Known(_)),
            _ => false,
        };
        own || self.parts().into_iter().any(Self::knows_entities)
    }
}
