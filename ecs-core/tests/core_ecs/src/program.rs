//! Random programs as plain data, which can be generated, shrunk, printed, and run here or elsewhere.
//!
//! A [`Program`] has systems of one query each, or of two, and a [`Plan`] that schedules them. The effects of
//! a system are a list of [`Effect`]s. [`Program::schedule`] gives each of them a meaning in this model.
//! Another implementation gives it the same meaning, runs the same program on the same rows, and compares the
//! final rows with [`rename::same`](crate::rename::same). Nothing in a program depends on names of fresh
//! entities.
//!
//! Whether a change is owned or deferred, in a library's terms, follows from the lists of the system, as in
//! table 2: an effect on a component in `incl`, `excl` or `anyway` is an owned one.
//!
//! ```
//! use core_ecs_model::program::{Amount, Effect, Plan, Program, Spec, Target, When};
//! use core_ecs_model::{Entity, Label, Schema, State, Value, corollary, outcome};
//!
//! let (age, size) = (Label("Age"), Label("Size"));
//! let own = |effect| vec![(When::ALWAYS, effect)];
//! let older = Effect::Attach(Target::Own, age, Amount::Of { label: age, factor: 1, more: 1 });
//! let create = Effect::Create(vec![(size, Amount::Int(1))]);
//! let program = Program {
//!     labels: vec![age, size],
//!     systems: vec![
//!         Spec { incl: vec![age], effects: own(older), ..Spec::default() },
//!         Spec { incl: vec![age], excl: vec![size], effects: own(create), ..Spec::default() },
//!     ],
//!     plan: Plan::Par(Plan::Conc(0).into(), Plan::Conc(1).into()),
//! };
//! let schedule = program.schedule();
//! let schema = Schema::of_integers(&program.labels);
//! assert_eq!(corollary::safety(&schedule, &schema), Ok(()));
//! // Safe, but not without looking at the ages from before.
//! assert_eq!(corollary::races(&schedule), Some(age));
//!
//! let state = State::from_rows([(Entity(0), [(age, Value::Int(7))])]);
//! assert!(outcome::is_deterministic(&schedule, &state));
//! let end = schedule.apply(&state);
//! assert_eq!(end.get(age, Entity(0)), Some(Value::Int(8)));
//! assert_eq!(end.get(size, Entity(1)), Some(Value::Int(1)));
//! ```
//!
//! Two differences matter in a comparison. Here an entity *is* its components: an entity without components
//! is not live, and it is live again once it is given one. So an effect on another entity ([`Target::Known`],
//! [`Target::Stored`]) revives it, where a library with handles ignores an effect on a despawned entity. And
//! *z* ⨟ *z′* shows all of *z* to *z′*, structural changes included. Where those are staged until a refresh,
//! either have the refresh in between, or compare programs in which no ⨟ follows a structural change within a
//! step.

use crate::term::{Expr, Test, Who};
use crate::{Entity, Label, Query, Schedule, System, Term};

/// Systems, and how they are scheduled.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Program {
    /// All labels: what [`Effect::Despawn`] detaches.
    pub labels: Vec<Label>,
    /// The systems.
    pub systems: Vec<Spec>,
    /// Their schedule.
    pub plan: Plan,
}

/// A schedule of systems by their numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Plan {
    /// conc of the system with this number.
    Conc(usize),
    /// seq of the system with this number.
    Seq(usize),
    /// *z* ∥ *z′*.
    Par(Box<Plan>, Box<Plan>),
    /// *z* ⨟ *z′*.
    Then(Box<Plan>, Box<Plan>),
}

/// A system of one query, or of two.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Spec {
    /// Components that own entities must have. They and those in `anyway` can be used in amounts.
    pub incl: Vec<Label>,
    /// Components that own entities must not have.
    pub excl: Vec<Label>,
    /// Components that are used if they are present.
    pub anyway: Vec<Label>,
    /// The second query of the system's vector, if it has one: the entities that own entities are paired
    /// with.
    pub members: Option<Members>,
    /// The effects, in this order, on each own entity or each pair.
    pub effects: Vec<(When, Effect)>,
}

/// The second query of a system's vector: the lists are like those of [`Spec`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Members {
    /// Components that members must have.
    pub incl: Vec<Label>,
    /// Components that members must not have.
    pub excl: Vec<Label>,
    /// Components that are used if they are present.
    pub anyway: Vec<Label>,
}

/// The condition of an effect: it applies to the own entities, or pairs, for which the sum of all numbers in
/// `incl` and `anyway` of both queries and of `salt`, wrapping around, has this remainder when divided by the
/// modulus. The remainder is never negative. A modulus of 0 gives the remainder 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct When {
    /// The number that is added to the sum.
    pub salt: i64,
    /// The divisor of the sum.
    pub modulus: i64,
    /// The required remainder.
    pub remainder: i64,
}

impl When {
    /// The condition that always holds.
    pub const ALWAYS: Self = Self { salt: 0, modulus: 1, remainder: 0 };
}

/// An effect of a system.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Adds or overwrites a component.
    Attach(Target, Label, Amount),
    /// Removes a component, if it is present.
    Detach(Target, Label),
    /// Creates an entity with these components. A label that occurs twice has the later amount.
    Create(Vec<(Label, Amount)>),
    /// Removes all components.
    Despawn(Target),
}

/// The entity that is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// The own entity.
    Own,
    /// The entity that the own one is paired with; none, if the system has one query.
    Member,
    /// This entity, which was live at the beginning.
    Known(Entity),
    /// The entity that a component in `incl` or `anyway` names; none, if it names none.
    Stored(Label),
}

/// A component value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Amount {
    /// The value of a tag.
    Unit,
    /// This number.
    Int(i64),
    /// The own entity's number under this label (0 if there is none), times `factor`, plus `more`,
    /// wrapping around.
    Of {
        /// A label in `incl` or `anyway`.
        label: Label,
        /// The factor of the number.
        factor: i64,
        /// The number that is added to the product.
        more: i64,
    },
    /// The own entity's name.
    Own,
}

impl Program {
    /// The schedule that the program means. Systems are named by their numbers.
    ///
    /// # Panics
    ///
    /// If the plan has a number that is not the number of a system.
    pub fn schedule(&self) -> Schedule {
        self.scheduled(&self.plan)
    }

    fn scheduled(&self, plan: &Plan) -> Schedule {
        match plan {
            Plan::Conc(number) => Schedule::Conc(self.system(*number)),
            Plan::Seq(number) => Schedule::Seq(self.system(*number)),
            Plan::Par(a, b) => self.scheduled(a).par(self.scheduled(b)),
            Plan::Then(a, b) => self.scheduled(a).then(self.scheduled(b)),
        }
    }

    /// The system with this number.
    ///
    /// # Panics
    ///
    /// If there is no such system.
    pub fn system(&self, number: usize) -> System {
        self.systems[number].system(&number.to_string(), &self.labels)
    }
}

impl Spec {
    /// The system that the specification means.
    pub fn system(&self, name: &str, labels: &[Label]) -> System {
        let effects = self.effects.iter().map(|(when, effect)| {
            let then = Box::new(effect.term(labels));
            Term::If(when.test(self), then, Box::new(Term::Nil))
        });
        let members = self.members.as_ref().map(Members::query);
        let queries = [self.query()].into_iter().chain(members).collect();
        System::new(name, queries, Term::All(effects.collect()))
    }

    /// The query. It finds all live entities if all lists are empty.
    ///
    /// The calculus has no such query without a label: it is anyway of a label called `any`.
    pub fn query(&self) -> Query {
        query(&self.incl, &self.excl, &self.anyway)
    }
}

impl Members {
    /// The query, as that of a [`Spec`].
    pub fn query(&self) -> Query {
        query(&self.incl, &self.excl, &self.anyway)
    }
}

fn query(incl: &[Label], excl: &[Label], anyway: &[Label]) -> Query {
    let incl = incl.iter().copied().map(Query::Incl);
    let excl = excl.iter().copied().map(Query::Excl);
    let anyway = anyway.iter().copied().map(Query::Anyway);
    Query::all(incl.chain(excl).chain(anyway)).unwrap_or(Query::Anyway(Label("any")))
}

impl When {
    fn test(self, spec: &Spec) -> Test {
        let own = spec.incl.iter().chain(&spec.anyway).map(|label| (0, *label));
        let members =
            spec.members.iter().flat_map(|members| members.incl.iter().chain(&members.anyway));
        let labels = own.chain(members.map(|label| (1, *label)));
        let sum = labels
            .fold(Expr::Int(self.salt), |sum, (query, label)| sum.plus(Expr::Value(query, label)));
        let rest = Expr::Rem(Box::new(sum), self.modulus);
        Test::Equal(rest, Expr::Int(self.remainder))
    }
}

impl Effect {
    fn term(&self, labels: &[Label]) -> Term {
        match self {
            Self::Attach(target, label, amount) => {
                Term::Attach(*label, target.who(), amount.expr())
            }
            Self::Detach(target, label) => Term::Detach(*label, target.who()),
            Self::Create(parts) => {
                let attach = |(label, amount): &(_, Amount)| {
                    Term::Attach(*label, Who::New(0), amount.expr())
                };
                Term::New(Box::new(Term::All(parts.iter().map(attach).collect())))
            }
            Self::Despawn(target) => {
                let detach = |&label: &Label| Term::Detach(label, target.who());
                Term::All(labels.iter().map(detach).collect())
            }
        }
    }
}

impl Target {
    fn who(self) -> Who {
        match self {
            Self::Own => Who::Own(0),
            Self::Member => Who::Own(1),
            Self::Known(entity) => Who::Known(entity),
            Self::Stored(label) => Who::Stored(0, label),
        }
    }
}

impl Amount {
    fn expr(self) -> Expr {
        match self {
            Self::Unit => Expr::Unit,
            Self::Int(number) => Expr::Int(number),
            Self::Of { label, factor, more } => {
                Expr::Value(0, label).times(Expr::Int(factor)).plus(Expr::Int(more))
            }
            Self::Own => Expr::Entity(Who::Own(0)),
        }
    }
}
