//! Cases: a program, its initial rows, and its number of steps. And strategies that generate cases.

use std::fmt;

use core_ecs_model::program::{Amount, Effect, Spec, Target, When};
use core_ecs_model::{Entity, Label};
use proptest::collection::vec;
use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::select;

use crate::components::{KEY, LABEL_F, LABEL_X, LABEL_Y, LABEL_Z, Row};
use crate::members::{MEMBERS, Member, Way};
use crate::table::{Kind, NAMES, Partners, lists};

/// A program of a member of the family, with its input.
#[derive(Clone)]
pub(crate) struct Case {
    /// The index of the member in [`MEMBERS`].
    pub(crate) member: usize,
    /// The systems with effects, by their numbers in ascending order.
    pub(crate) systems: Vec<(usize, Spec)>,
    /// The initial rows.
    pub(crate) rows: Vec<Row>,
    /// The number of steps.
    pub(crate) steps: usize,
    /// Selects the configurations that are compared.
    pub(crate) salt: usize,
}

impl Case {
    /// The systems in an order that the member allows.
    pub(crate) fn in_order(&self) -> Vec<(usize, Spec)> {
        let mut systems = self.systems.clone();
        systems.sort_by_key(|(system, _)| MEMBERS[self.member].order.key(*system));
        systems
    }
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} steps of `{}`", self.steps, MEMBERS[self.member].name)?;
        for (system, spec) in &self.systems {
            let Spec { incl, excl, anyway, members, effects } = spec;
            writeln!(f, "  {}: incl {incl:?}, excl {excl:?}, anyway {anyway:?}", NAMES[*system])?;
            if let Some(members) = members {
                writeln!(f, "    with {members:?}")?;
            }
            for (when, effect) in effects {
                writeln!(f, "    {when:?}: {effect:?}")?;
            }
        }
        writeln!(f, "  on {} rows, salt {}", self.rows.len(), self.salt)?;
        for (number, row) in self.rows.iter().enumerate() {
            writeln!(f, "    {number}: {row:?}")?;
        }
        Ok(())
    }
}

fn small() -> impl Strategy<Value = i64> {
    -4..5i64
}

fn row() -> impl Strategy<Value = Row> {
    let parts = (-20..20i64, weighted(0.7, small()), weighted(0.5, small()));
    (parts, weighted(0.4, small()), any::<bool>()).prop_map(|((key, x, y), z, f)| Row {
        key,
        x,
        y,
        z,
        f,
    })
}

/// Mostly few rows; some cases cross blocks of 64.
fn rows() -> impl Strategy<Value = Vec<Row>> {
    prop_oneof![12 => vec(row(), 0..12), 3 => vec(row(), 12..70), 1 => vec(row(), 120..220)]
}

/// Mostly few rows, as the number of pairs is quadratic; some cases cross a block of 64.
fn rows_to_pair() -> impl Strategy<Value = Vec<Row>> {
    prop_oneof![60 => vec(row(), 3..10), 3 => vec(row(), 10..20), 1 => vec(row(), 64..68)]
}

fn amounts(spec: &Spec) -> BoxedStrategy<Amount> {
    let labels: Vec<Label> = [spec.incl.as_slice(), &spec.anyway].concat();
    let labels = labels.into_iter().filter(|label| *label != LABEL_F).collect::<Vec<_>>();
    let of = (select(labels), -2..3i64, small()).prop_map(|(label, factor, more)| Amount::Of {
        label,
        factor,
        more,
    });
    prop_oneof![1 => small().prop_map(Amount::Int), 3 => of].boxed()
}

/// The entities that a body may change.
#[derive(Clone, Copy, Debug)]
enum Reach {
    /// Its own entity and others, with any numbers: the last write counts.
    Any,
    /// Its own entity.
    Own,
    /// Other entities. The number depends on the target only, so the order of writes does not matter.
    Others,
    /// Its own entity, the one that it is paired with, and others.
    Pairs,
}

fn known() -> impl Strategy<Value = u64> {
    prop_oneof![2 => 0..6u64, 1 => 0..240u64]
}

/// A target, and the number that is written to it.
fn given(reach: Reach, amount: BoxedStrategy<Amount>) -> BoxedStrategy<(Target, Amount)> {
    let own = (Just(Target::Own), amount.clone());
    let others = known().prop_map(|k| Target::Known(Entity(k)));
    let member = (Just(Target::Member), amount.clone());
    match reach {
        Reach::Pairs => prop_oneof![own, member, (others, amount)].boxed(),
        Reach::Own => own.boxed(),
        Reach::Any => prop_oneof![own, (others, amount)].boxed(),
        Reach::Others => {
            known().prop_map(|k| (Target::Known(Entity(k)), Amount::Int(k as i64 % 7))).boxed()
        }
    }
}

/// As [`given`], with the own entity as target; or with the other entity, if the system goes over pairs and
/// may change it.
fn given_at_hand(
    system: usize,
    reach: Reach,
    amount: BoxedStrategy<Amount>,
) -> BoxedStrategy<(Target, Amount)> {
    let writes = matches!(Kind::of(system), Kind::Update | Kind::Renew);
    let own = given(Reach::Own, amount.clone());
    match reach {
        Reach::Pairs if !writes || Partners::of(system) == Partners::Bearers => {
            prop_oneof![own, (Just(Target::Member), amount)].boxed()
        }
        _ => own,
    }
}

fn effect(system: usize, spec: &Spec, reach: Reach) -> BoxedStrategy<Effect> {
    let amount = amounts(spec);
    let own = given_at_hand(system, reach, amount.clone());
    let given = given(reach, amount.clone());
    let attach = |label| move |(target, amount)| Effect::Attach(target, label, amount);
    match Kind::of(system) {
        Kind::Update | Kind::Renew => own.prop_map(attach(LABEL_X)).boxed(),
        Kind::Gain => own.prop_map(attach(LABEL_Y)).boxed(),
        Kind::Lose => own.prop_map(|(target, _)| Effect::Detach(target, LABEL_Y)).boxed(),
        Kind::Replace => given.prop_map(attach(LABEL_X)).boxed(),
        Kind::Give => {
            let tag = |(target, _)| Effect::Attach(target, LABEL_F, Amount::Unit);
            prop_oneof![given.clone().prop_map(attach(LABEL_Z)), given.prop_map(tag)].boxed()
        }
        Kind::Take => (given, select(vec![LABEL_Z, LABEL_F]))
            .prop_map(|((target, _), label)| Effect::Detach(target, label))
            .boxed(),
        Kind::Create => {
            let bundle = |(key, other, with_tag)| {
                if with_tag {
                    Effect::Create(vec![(KEY, key), (LABEL_Y, other), (LABEL_F, Amount::Unit)])
                } else {
                    Effect::Create(vec![(KEY, key), (LABEL_X, other)])
                }
            };
            (amount.clone(), amount, any::<bool>()).prop_map(bundle).boxed()
        }
        Kind::Despawn => given.prop_map(|(target, _)| Effect::Despawn(target)).boxed(),
    }
}

fn when(some_only: bool) -> BoxedStrategy<When> {
    let some = |from: i64| {
        (small(), from..5i64).prop_flat_map(|(salt, modulus)| {
            (0..modulus).prop_map(move |remainder| When { salt, modulus, remainder })
        })
    };
    // Systems that despawn or create act on few entities; otherwise there would soon be no entities, or too
    // many.
    if some_only { some(2).boxed() } else { prop_oneof![Just(When::ALWAYS), some(1)].boxed() }
}

fn spec(system: usize, reach: Reach) -> BoxedStrategy<Spec> {
    let members = matches!(reach, Reach::Pairs).then(|| Partners::of(system).lists());
    let spec = Spec { members, ..lists(system) };
    let some_only = matches!(Kind::of(system), Kind::Create | Kind::Despawn);
    vec((when(some_only), effect(system, &spec, reach)), 1..3)
        .prop_map(move |effects| Spec { effects, ..spec.clone() })
        .boxed()
}

/// What the systems of a member may change.
///
/// Where several entities change the same one, the order of rows decides. A refresh during a step moves rows,
/// in an order that the model does not describe (corollary 4.9 calls such a system unsafe). Members with such
/// refreshes therefore have bodies whose order does not matter. For a sequential system that changes other
/// entities, the order always matters.
fn reaches(member: usize) -> Vec<Reach> {
    match &MEMBERS[member] {
        Member { way: Way::RollsOverPairs, .. } => vec![Reach::Pairs],
        Member { refreshes: false, .. } => vec![Reach::Any],
        Member { way: Way::Rolls, .. } => vec![Reach::Own],
        Member { .. } => vec![Reach::Own, Reach::Others],
    }
}

/// Cases of this member, on few rows.
pub(crate) fn cases(member: usize) -> BoxedStrategy<Case> {
    if MEMBERS[member].way == Way::RollsOverPairs {
        // An entity created for a pair would take part in as many pairs in the next step.
        let fewer_steps = |mut case: Case| {
            let creates = |(system, _): &(usize, _)| Kind::of(*system) == Kind::Create;
            if case.rows.len() > 8 || case.systems.iter().any(creates) {
                case.steps = 1;
            }
            case
        };
        cases_on(member, rows_to_pair()).prop_map(fewer_steps).boxed()
    } else {
        cases_on(member, rows()).boxed()
    }
}

/// Cases whose rows fill pages and several chunks. The thread that takes a chunk changes its rows.
pub(crate) fn large_cases(member: usize) -> impl Strategy<Value = Case> {
    let many = |rows: Vec<Row>| rows.iter().copied().cycle().take(20_500).collect();
    cases_on(member, vec(row(), 61).prop_map(many))
}

fn cases_on(member: usize, rows: impl Strategy<Value = Vec<Row>>) -> impl Strategy<Value = Case> {
    let system = (0..NAMES.len(), select(reaches(member)))
        .prop_flat_map(|(system, reach)| (Just(system), spec(system, reach)));
    // Fewer rows and more systems, so that any two systems sometimes both have an effect in one step.
    let pairs = MEMBERS[member].way == Way::RollsOverPairs;
    let systems = vec(system, if pairs { 2..9 } else { 1..6 }).prop_map(|systems| {
        let systems: std::collections::BTreeMap<usize, Spec> = systems.into_iter().collect();
        systems.into_iter().collect::<Vec<_>>()
    });
    (systems, rows, 1..4usize, 0..12usize).prop_map(move |(systems, rows, steps, salt)| Case {
        member,
        systems,
        rows,
        steps,
        salt,
    })
}
