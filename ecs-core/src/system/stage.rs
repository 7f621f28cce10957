//! Stages: groups of systems, one after the other.

use super::System;
use crate::proxy::Data;
use crate::signature::{Declaration, SystemName};

/// The end of a stage: a system without entities and without effects, which runs after the systems of its stage
/// and before those of the next.
///
/// `stages Input -> Simulate;` declares the systems `Input: Stage` and `Simulate: Stage`, in this order. A
/// system with `stage: Simulate` runs after the first and before the second. So any number of systems is
/// ordered by one path, with one or two edges for each of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stage;

#[diagnostic::do_not_recommend]
impl<D: Declaration, N: SystemName<D, System = Self>> System<D, N> for Stage {
    fn process(&self, _: &mut Data<'_, D, N>) {}
}
