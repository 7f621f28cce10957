//! Random programs and states.

use core_ecs_model::program::{Amount, Effect, Plan, Program, Spec, Target, When};
use core_ecs_model::{Component, Entity, Kind, Label, Schema, State, Value};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Numbers.
pub(crate) const NUMBERS: [Label; 4] = [Label("A"), Label("B"), Label("C"), Label("D")];

/// Only an entity with this component can create entities, and these are created without it. Otherwise there
/// would soon be too many.
const BREEDS: Label = NUMBERS[3];

/// Names of entities.
pub(crate) const LINK: Label = Label("Link");

/// Systems may know entities below this one.
const KNOWN: u64 = 4;

const LABELS: [Label; 5] = [NUMBERS[0], NUMBERS[1], NUMBERS[2], NUMBERS[3], LINK];

pub(crate) fn schema() -> Schema {
    let kind = |label| if label == LINK { Kind::Entity } else { Kind::Int };
    let component = |label| Component { label, kind: kind(label), is_named: true };
    Schema(LABELS.map(component).to_vec())
}

/// A state of up to `most` entities, whose links name entities below `most`.
pub(crate) fn states(most: u64) -> impl Strategy<Value = State> {
    let number = || proptest::option::weighted(0.7, (-2..3i64).prop_map(Value::Int));
    let link = (0..most).prop_map(|entity| Value::Entity(Entity(entity)));
    let row = (vec(number(), NUMBERS.len()), proptest::option::weighted(0.4, link));
    let row = row.prop_map(|(numbers, link)| {
        let values = NUMBERS.into_iter().zip(numbers).chain([(LINK, link)]);
        values.filter_map(|(label, value)| Some((label, value?))).collect::<Vec<_>>()
    });
    vec(row, 1..=most as usize).prop_map(move |rows| {
        let mut state = State::from_rows((0..).map(Entity).zip(rows));
        state.reserve(Entity(most.max(KNOWN))); // no entity that can be named is fresh
        state
    })
}

/// The features that systems of a program may use.
#[derive(Clone, Copy)]
pub(crate) struct Vocabulary {
    /// Whether systems may know entities, and read links.
    pub(crate) reach: bool,
    /// Whether they may create entities.
    pub(crate) creation: bool,
    /// Whether they may run one invocation after the other.
    pub(crate) seq: bool,
}

pub(crate) const EVERYTHING: Vocabulary = Vocabulary { reach: true, creation: true, seq: true };

fn amounts(spec: &Spec) -> BoxedStrategy<Amount> {
    let labels = [spec.incl.as_slice(), &spec.anyway].concat();
    let constant = (-2..3i64).prop_map(Amount::Int).boxed();
    let own: Vec<_> = labels.into_iter().filter(|label| *label != LINK).collect();
    if own.is_empty() {
        return constant;
    }
    let of = (select(own), -2..3i64, -2..3i64).prop_map(|(label, factor, more)| Amount::Of {
        label,
        factor,
        more,
    });
    prop_oneof![constant, of].boxed()
}

fn targets(spec: &Spec, vocabulary: Vocabulary) -> BoxedStrategy<Target> {
    let reads_links = spec.incl.contains(&LINK) || spec.anyway.contains(&LINK);
    match (vocabulary.reach, reads_links) {
        (false, _) => Just(Target::Own).boxed(),
        (true, false) => {
            prop_oneof![8 => Just(Target::Own), 1 => (0..KNOWN).prop_map(|e| Target::Known(Entity(e)))]
                .boxed()
        }
        (true, true) => prop_oneof![Just(Target::Own), Just(Target::Stored(LINK))].boxed(),
    }
}

fn effects(spec: &Spec, vocabulary: Vocabulary) -> BoxedStrategy<Effect> {
    let number = || select(NUMBERS.to_vec());
    let (target, amount) = (targets(spec, vocabulary), amounts(spec));
    let attach = (target.clone(), number(), amount.clone())
        .prop_map(|(target, label, amount)| Effect::Attach(target, label, amount));
    let link = target.clone().prop_map(|target| Effect::Attach(target, LINK, Amount::Own));
    let detach = (target.clone(), select(LABELS.to_vec()))
        .prop_map(|(target, label)| Effect::Detach(target, label));
    let despawn = target.prop_map(Effect::Despawn);
    let change = prop_oneof![6 => attach, 1 => link, 2 => detach, 1 => despawn];
    if !vocabulary.creation || !spec.incl.contains(&BREEDS) {
        return change.boxed();
    }
    let part = prop_oneof![
        4 => (select(NUMBERS[..3].to_vec()), amount),
        1 => Just((LINK, Amount::Own)),
    ];
    prop_oneof![change, vec(part, 0..3).prop_map(Effect::Create)].boxed()
}

fn whens() -> impl Strategy<Value = When> {
    let some = (-3..3i64, 1..4i64).prop_flat_map(|(salt, modulus)| {
        (0..modulus).prop_map(move |remainder| When { salt, modulus, remainder })
    });
    prop_oneof![Just(When::ALWAYS), some]
}

fn specs(vocabulary: Vocabulary) -> impl Strategy<Value = Spec> {
    let labels = if vocabulary.reach { &LABELS[..] } else { &NUMBERS };
    // For each label, the list it is in, if any.
    vec(0..12u8, labels.len()).prop_flat_map(move |places| {
        let among = |place: &[u8]| -> Vec<Label> {
            let chosen = labels.iter().zip(&places).filter(|(_, at)| place.contains(at));
            chosen.map(|(label, _)| *label).collect()
        };
        let (incl, excl, anyway) = (among(&[0, 1, 2]), among(&[3]), among(&[4]));
        let spec = Spec { incl, excl, anyway, ..Spec::default() };
        let effects = vec((whens(), effects(&spec, vocabulary)), 1..4);
        effects.prop_map(move |effects| Spec { effects, ..spec.clone() })
    })
}

fn plans(systems: usize, vocabulary: Vocabulary) -> impl Strategy<Value = Plan> {
    let leaf = (0..systems, any::<bool>()).prop_map(move |(system, is_seq)| {
        if is_seq && vocabulary.seq { Plan::Seq(system) } else { Plan::Conc(system) }
    });
    leaf.prop_recursive(3, 5, 2, |plan| {
        (plan.clone(), plan, any::<bool>()).prop_map(|(a, b, is_par)| {
            let (a, b) = (Box::new(a), Box::new(b));
            if is_par { Plan::Par(a, b) } else { Plan::Then(a, b) }
        })
    })
}

/// A program of up to three systems.
pub(crate) fn programs(vocabulary: Vocabulary) -> impl Strategy<Value = Program> {
    vec(specs(vocabulary), 1..4).prop_flat_map(move |systems| {
        plans(systems.len(), vocabulary).prop_map(move |plan| Program {
            labels: LABELS.to_vec(),
            systems: systems.clone(),
            plan,
        })
    })
}

/// Whether a program makes so few invocations at a state that trying its linearizations is fast.
pub(crate) fn is_small(program: &Program, state: &State) -> bool {
    program.schedule().produce(state).invocations().len() <= 40
}

/// A program, and a state to run it on.
pub(crate) fn cases(vocabulary: Vocabulary, most: u64) -> impl Strategy<Value = (Program, State)> {
    (programs(vocabulary), states(most))
        .prop_filter("too much to do", |(program, state)| is_small(program, state))
}
