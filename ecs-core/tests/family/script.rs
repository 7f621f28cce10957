//! The effects of systems, as data that their bodies interpret.

use core_ecs_model::Label;
use core_ecs_model::program::{Amount, Effect, Target, When};
use ecs_core::Entity;

use crate::components::{KEY, LABEL_X, LABEL_Y, LABEL_Z};
use crate::table::{NAMES, number};

/// The effects of each system in a step.
#[derive(Debug, Default)]
pub(crate) struct Script {
    /// By the numbers of systems.
    bodies: Vec<Vec<(When, Effect)>>,
    /// The handles that `Known` refers to: the entities alive at the beginning of the step, and some
    /// despawned ones.
    pub(crate) handles: Vec<Entity>,
}

impl Script {
    /// A script in which only these systems have effects.
    pub(crate) fn new<'a>(
        bodies: impl IntoIterator<Item = (usize, &'a Vec<(When, Effect)>)>,
    ) -> Self {
        let mut script = Self { bodies: vec![Vec::new(); NAMES.len()], handles: Vec::new() };
        for (system, body) in bodies {
            script.bodies[system].clone_from(body);
        }
        script
    }

    /// The effects of the system with this name.
    pub(crate) fn body(&self, name: &str) -> &[(When, Effect)] {
        &self.bodies[number(name)]
    }

    /// The entity that a target refers to.
    pub(crate) fn whom(&self, target: Target, own: Entity) -> Option<Entity> {
        match target {
            Target::Own => Some(own),
            Target::Known(entity) => self.handles.get(entity.0 as usize).copied(),
            Target::Member => unreachable!("only pairs have members"),
            Target::Stored(label) => unreachable!("{label} names no entities"),
        }
    }

    /// The entity that a target refers to, where an own entity is paired with a member.
    pub(crate) fn whom_of(&self, target: Target, own: Entity, member: Entity) -> Option<Entity> {
        if target == Target::Member { Some(member) } else { self.whom(target, own) }
    }
}

/// The numbers that a system reads of an own entity: `Key`, `X`, `Y` and `Z`.
#[derive(Clone, Copy)]
pub(crate) struct Seen(pub(crate) [Option<i64>; 4]);

impl Seen {
    fn get(self, label: Label) -> i64 {
        let place = [KEY, LABEL_X, LABEL_Y, LABEL_Z].iter().position(|known| *known == label);
        place.and_then(|place| self.0[place]).unwrap_or(0)
    }

    /// The effects on this entity.
    pub(crate) fn effects(self, body: &[(When, Effect)]) -> impl Iterator<Item = &Effect> {
        self.effects_beside(Self([None; 4]), body)
    }

    /// The effects on this entity and a member, of which a query shows these numbers.
    pub(crate) fn effects_beside(
        self,
        member: Self,
        body: &[(When, Effect)],
    ) -> impl Iterator<Item = &Effect> {
        let numbers = self.0.into_iter().chain(member.0);
        let sum = numbers.flatten().fold(0, i64::wrapping_add);
        let is_meant = move |when: &When| {
            let sum = sum.wrapping_add(when.salt);
            let rest = if when.modulus == 0 { 0 } else { sum.wrapping_rem_euclid(when.modulus) };
            rest == when.remainder
        };
        body.iter().filter(move |(when, _)| is_meant(when)).map(|(_, effect)| effect)
    }

    /// The number that an amount evaluates to.
    pub(crate) fn amount(self, amount: Amount) -> i64 {
        match amount {
            Amount::Int(number) => number,
            Amount::Of { label, factor, more } => {
                self.get(label).wrapping_mul(factor).wrapping_add(more)
            }
            Amount::Unit | Amount::Own => unreachable!("no number"),
        }
    }
}
