//! Stages: groups of systems, one after the other.

use super::System;
use crate::proxy::Data;
use crate::signature::{Declaration, SystemName};

/// The end of a stage: a system without entities that does nothing but run between those of one stage and
/// those of the next.
///
/// `stages Input -> Simulate;` declares the systems `Input: Stage` and `Simulate: Stage`, in this order; a
/// system with `stage: Simulate` runs after the first and before the second. So there is one path to order any
/// number of systems, and it takes one edge or two for each of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stage;

#[diagnostic::do_not_recommend]
impl<D: Declaration, N: SystemName<D, System = Self>> System<D, N> for Stage {
    fn process(&self, _: &mut Data<'_, D, N>) {}
}
