//! Numbers: entity limits and the arguments of strategies.

use syn::spanned::Spanned;

use crate::error::{Errors, Fault};
use crate::model::Model;
use crate::syntax::{Count, Limit, Strategy};

/// The most entities that a limit can set memory aside for.
const MOST_ENTITIES: u128 = (1 << 31) - 1;

pub(super) fn check(model: &Model<'_>, errors: &mut Errors) {
    match model.tree.world.as_ref().and_then(|world| world.settings.limit.as_ref()) {
        Some(Limit::Fixed(count) | Limit::Dynamic(count)) => {
            range(count, "the entity limit", MOST_ENTITIES, errors);
        }
        None => {}
    }
    for system in &model.systems {
        if let Some((strategy, _)) = &system.item.parallelism {
            strategy_counts(strategy, errors);
        }
    }
}

fn strategy_counts(strategy: &Strategy, errors: &mut Errors) {
    match strategy {
        Strategy::SplitEvenly(count) => {
            range(count, "the number of subtasks", u128::MAX, errors);
        }
        Strategy::SplitEvery(count) => {
            range(count, "the number of entities of a subtask", u128::MAX, errors);
        }
        Strategy::NoneBelowThreshold(_, from) => strategy_counts(from, errors),
        Strategy::FixedThreshold(_, below, from) => {
            strategy_counts(below, errors);
            strategy_counts(from, errors);
        }
        Strategy::None | Strategy::SplitEvenlyCores | Strategy::User(_) => {}
    }
}

/// What cannot be seen here is left to `const` evaluation.
fn range(count: &Count, what: &'static str, most: u128, errors: &mut Errors) {
    if count.literal().is_some_and(|number| number == 0 || number > most) {
        errors.report(count.0.span(), Fault::OutOfRange { what, least: 1, most });
    }
}
