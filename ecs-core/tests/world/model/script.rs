//! Random scripts of steps.

use ecs_core::NoSuchEntity;
use ecs_core::{Defer, Entity, LimitReached};
use proptest::collection::vec;
use proptest::prelude::*;

use super::declaration::{Color, Modelled, Name, Position, Size, Tag};
use super::naive::{Naive, Parts};
use super::rows::Archetype;

/// Steps to take in order.
#[derive(Clone, Debug)]
pub(super) struct Script {
    pub(super) steps: Vec<ScriptStep>,
}

/// The events of one step.
#[derive(Clone, Debug)]
pub(super) struct ScriptStep {
    pub(super) seed: u64,
    pub(super) events: Vec<Event>,
    /// Whether the step's closure panics at its end.
    pub(super) panics: bool,
}

/// One event of a step.
#[derive(Clone, Debug)]
pub(super) enum Event {
    Act(Action),
    Run(Run),
}

/// An action of the step itself. `at` picks one of all handles seen so far.
#[derive(Clone, Debug)]
pub(super) enum Action {
    /// `parts` is a mask of components.
    Spawn {
        parts: u8,
        count: usize,
        value: u64,
    },
    Despawn(usize),
    Add {
        at: usize,
        which: u8,
        value: u64,
    },
    Remove {
        at: usize,
        which: u8,
    },
}

/// An execution of systems.
#[derive(Clone, Copy, Debug)]
pub(super) enum Run {
    All,
    FromGrow,
    FromMarkAndPaint,
}

fn spawn() -> impl Strategy<Value = Action> {
    let count = prop_oneof![3 => 0..4_usize, 1 => 20..150_usize];
    (0..32_u8, count, any::<u64>()).prop_map(|(parts, count, value)| Action::Spawn {
        parts,
        count,
        value,
    })
}

fn despawn() -> impl Strategy<Value = Action> {
    any::<usize>().prop_map(Action::Despawn)
}

fn add() -> impl Strategy<Value = Action> {
    (any::<usize>(), 0..5_u8, any::<u64>()).prop_map(|(at, which, value)| Action::Add {
        at,
        which,
        value,
    })
}

fn remove() -> impl Strategy<Value = Action> {
    (any::<usize>(), 0..5_u8).prop_map(|(at, which)| Action::Remove { at, which })
}

fn run() -> impl Strategy<Value = Run> {
    prop_oneof![3 => Just(Run::All), 1 => Just(Run::FromGrow), 1 => Just(Run::FromMarkAndPaint)]
}

fn step() -> impl Strategy<Value = ScriptStep> {
    let act = prop_oneof![3 => spawn(), 2 => despawn(), 2 => add(), 3 => remove()];
    let event = prop_oneof![5 => act.prop_map(Event::Act), 1 => run().prop_map(Event::Run)];
    (any::<u64>(), vec(event, 0..16), prop::bool::weighted(0.1))
        .prop_map(|(seed, events, panics)| ScriptStep { seed, events, panics })
}

/// Scripts of up to 9 steps.
pub(super) fn script() -> impl Strategy<Value = Script> {
    vec(step(), 1..10).prop_map(|steps| Script { steps })
}

/// A bundle with each component that the mask `parts` selects.
pub(super) fn bundle(parts: u8, value: u64) -> Parts {
    (0..5).filter(|which| parts >> which & 1 == 1).fold(Parts::default(), |mut parts, which| {
        match part(which, value) {
            Part::Position(value) => parts.position = Some(value),
            Part::Color(value) => parts.color = Some(value),
            Part::Size(value) => parts.size = Some(value),
            Part::Tag(value) => parts.tag = Some(value),
            Part::Name(value) => parts.name = Some(value),
        }
        parts
    })
}

impl Parts {
    /// The archetype of the bundle with which [`spawn`](Self::spawn) creates an entity.
    pub(super) fn archetype(&self) -> Archetype {
        match self {
            Self { position: Some(_), size: Some(_), .. } => {
                Self { tag: None, name: None, ..self.clone() }.mask()
            }
            _ => 0,
        }
    }

    /// Creates an entity with these components: some as one bundle, the rest one by one.
    pub(super) fn spawn(&self, defer: &mut Defer<'_, Modelled>) -> Result<Entity, LimitReached> {
        let parts = self.clone();
        let entity = match (parts.position, parts.color, parts.size) {
            (Some(position), Some(color), Some(size)) => defer.spawn((size, position, color))?,
            (Some(position), None, Some(size)) => defer.spawn((position, size))?,
            (position, color, size) => {
                let entity = defer.spawn(())?;
                let _ = position.map(|position| defer.insert(entity, position));
                let _ = color.map(|color| defer.insert(entity, color));
                let _ = size.map(|size| defer.insert(entity, size));
                entity
            }
        };
        let _ = parts.tag.map(|tag| defer.insert(entity, tag));
        let _ = parts.name.map(|name| defer.insert(entity, name));
        Ok(entity)
    }
}

/// One component.
#[derive(Debug)]
pub(super) enum Part {
    Position(Position),
    Color(Color),
    Size(Size),
    Tag(Tag),
    Name(Name),
}

/// The component with the number `which`.
pub(super) fn part(which: u8, value: u64) -> Part {
    match which {
        0 => Part::Position(Position(value.cast_signed() >> 16)),
        1 => Part::Color(Color(value as u32 & 0xFFFF)),
        2 => Part::Size(Size(value)),
        3 => Part::Tag(Tag),
        _ => Part::Name(Name(value.to_string())),
    }
}

impl Part {
    /// Inserts the component in the world and in the model. Both must replace the same value.
    pub(super) fn add(self, defer: &mut Defer<'_, Modelled>, model: &mut Naive, entity: Entity) {
        macro_rules! add {
            ($field:ident, $value:expr) => {{
                let expected = match model.parts(entity) {
                    Some(parts) => Ok(parts.$field.replace($value.clone())),
                    None => Err(NoSuchEntity(entity)),
                };
                assert_eq!(defer.insert(entity, $value), expected);
            }};
        }
        match self {
            Self::Position(value) => add!(position, value),
            Self::Color(value) => add!(color, value),
            Self::Size(value) => add!(size, value),
            Self::Tag(value) => add!(tag, value),
            Self::Name(value) => add!(name, value),
        }
    }

    /// Removes the component in the world and in the model. Both must return the same value.
    pub(super) fn remove(self, defer: &mut Defer<'_, Modelled>, model: &mut Naive, entity: Entity) {
        macro_rules! remove {
            ($field:ident, $C:ty) => {{
                let expected = model.parts(entity).and_then(|parts| parts.$field.take());
                assert_eq!(defer.remove::<$C>(entity), expected);
            }};
        }
        match self {
            Self::Position(_) => remove!(position, Position),
            Self::Color(_) => remove!(color, Color),
            Self::Size(_) => remove!(size, Size),
            Self::Tag(_) => remove!(tag, Tag),
            Self::Name(_) => remove!(name, Name),
        }
    }
}
