//! Numbers: entity limits and the arguments of strategies.

use syn::spanned::Spanned;

use crate::error::{Errors, Fault};
use crate::model::Model;
use crate::syntax::{Count, ENTITY_LIMIT, Limit, Rows, Settings, Strategy};

/// The maximum of an entity limit.
const MOST_ENTITIES: u128 = (1 << 31) - 1;

/// Reports an entity limit that is out of range.
pub(crate) fn entity_limit(model: &Model<'_>, errors: &mut Errors) {
    let limit = model.tree.world.as_ref().and_then(|world| world.settings.limit.as_ref());
    if let Some(Limit::Fixed(count) | Limit::Dynamic(count)) = limit {
        range(count, ENTITY_LIMIT, errors);
    }
}

/// Reports rows that are grouped by archetype under a fixed limit.
pub(crate) fn rows(model: &Model<'_>, errors: &mut Errors) {
    let settings = model.tree.world.as_ref().map(|world| &world.settings);
    if let Some(Settings {
        limit: Some(Limit::Fixed(_)),
        rows: Some((Rows::ByArchetype, word)),
        ..
    }) = settings
    {
        errors.report(word.span(), Fault::FixedByArchetype);
    }
}

/// Reports strategies with no subtasks, or with subtasks without entities.
pub(crate) fn counts(model: &Model<'_>, errors: &mut Errors) {
    for system in &model.systems {
        if let Some((strategy, _)) = &system.item.parallelism {
            let mut counts = Vec::new();
            strategy.counts(&mut counts);
            for (count, what) in counts {
                range(count, what, errors);
            }
        }
    }
}

/// Reports a seed of more than 64 bits.
pub(crate) fn seed(model: &Model<'_>, errors: &mut Errors) {
    let seed = model.tree.world.as_ref().and_then(|world| world.settings.seed.as_ref());
    let most = u128::from(u64::MAX);
    if let Some(seed) = seed
        && let Some(given) = seed.literal().filter(|number| *number > most)
    {
        let what = "the seed";
        errors.report(seed.0.span(), Fault::OutOfRange { what, given, least: 0, most });
    }
}

/// `const` evaluation checks numbers that are not literals.
fn range(count: &Count, what: &'static str, errors: &mut Errors) {
    let most = MOST_ENTITIES;
    if let Some(given) = count.literal().filter(|number| *number == 0 || *number > most) {
        errors.report(count.0.span(), Fault::OutOfRange { what, given, least: 1, most });
    }
}

/// Reports thresholds such that every possible number of entities is on the same side.
pub(crate) fn thresholds(model: &Model<'_>, errors: &mut Errors) {
    for system in &model.systems {
        if let Some((strategy, _)) = &system.item.parallelism {
            let name = system.name().to_string();
            // Without entities there is nothing to split.
            thresholds_of(&name, strategy, 1, u128::MAX, errors);
        }
    }
}

/// `strategy` applies to numbers of entities from `least` to `most`.
fn thresholds_of(system: &str, strategy: &Strategy, least: u128, most: u128, errors: &mut Errors) {
    let (Strategy::NoneBelowThreshold(count, from) | Strategy::FixedThreshold(count, _, from)) =
        strategy
    else {
        return;
    };
    let Some(threshold) = count.literal() else {
        // The value of an expression is not known here.
        return;
    };
    if threshold <= least || threshold > most {
        let system = system.to_owned();
        errors.report(count.0.span(), Fault::IdleThreshold { system, threshold, least, most });
        return;
    }
    if let Strategy::FixedThreshold(_, below, _) = strategy {
        thresholds_of(system, below, least, threshold - 1, errors);
    }
    thresholds_of(system, from, threshold, most, errors);
}
