//! A system as the rules of `ecs-rules` see it.

use ecs_rules::{MOST, System as Rules};

use super::names::Target;
use super::system::{System, Use};
use crate::syntax::{Flag, List};
use ecs_rules::Kind;

/// The indices that the uses name, by list. Presumed names count only where they make a conflict less likely: as
/// filters.
pub(super) fn indices(uses: &[Use<'_>]) -> Vec<Vec<usize>> {
    let mut lists = vec![Vec::new(); List::ALL.len()];
    for used in uses {
        let (list, index) = match used.target {
            Target::Known(index) => (used.list, index),
            Target::Presumed(index) if used.list == List::Without => (used.list, index),
            Target::Presumed(index) if is_requiring(used.list) => (List::With, index),
            Target::Presumed(_) | Target::Unknown => continue,
        };
        let indices: &mut Vec<usize> = &mut lists[list as usize];
        // What is beyond the limit is a fault by itself.
        if index < MOST && !indices.contains(&index) {
            indices.push(index);
        }
    }
    lists
}

/// Whether entities must have what the list names.
fn is_requiring(list: List) -> bool {
    let (one, mut rules) = ([0], Rules::BLANK);
    rules.set_list(list, &one);
    list.kind() == Kind::Component && rules.requires(0)
}

/// Whether the rule applies to a system with nothing but these lists.
#[cfg(test)]
pub(crate) fn with_lists(
    lists: [List; 2],
    indices: &[usize],
    rule: impl Fn(&Rules<'_>) -> bool,
) -> bool {
    let mut rules = Rules::BLANK;
    for list in lists {
        rules.set_list(list, indices);
    }
    rule(&rules)
}

impl<'t> System<'t> {
    /// The system for the rules. Facts about types are not known here, nor are the components of bundles.
    pub(crate) fn rules(&self) -> Rules<'_> {
        let mut rules = self.without_lists();
        for (list, indices) in List::ALL.iter().zip(&self.indices) {
            rules.set_list(*list, indices);
        }
        rules.opt_in = self.item.flag(Flag::OptIn).is_some();
        rules.index = self.index.as_deref();
        rules.through = &self.through;
        rules.delayed = &self.delayed;
        rules.moment = self.timing.moment;
        rules.states = &self.timing.variants;
        rules.set_states = &self.timing.set;
        rules.every = self.timing.every;
        rules
    }

    /// The system without its lists, and without `opt_in`, which makes it a system with entities as a list does.
    fn without_lists(&self) -> Rules<'static> {
        let query = self.item.query.as_ref();
        let strategy = self.item.parallelism.as_ref();
        let mut rules = Rules {
            bundles: if self.item.spawn.is_empty() { &[] } else { &[None] },
            query: query.is_some(),
            indexed: self.is_indexed(),
            single_subtask: strategy.is_none_or(|(strategy, _)| strategy.is_single()),
            ..Rules::BLANK
        };
        for flag in Flag::ALL.iter().filter(|flag| **flag != Flag::OptIn) {
            rules.set_flag(*flag, self.item.flag(*flag).is_some());
        }
        rules
    }

    /// The first use because of which the rule applies to the system: it applies to the system with this use alone.
    pub(crate) fn because(&self, rule: impl Fn(&Rules<'_>) -> bool) -> Option<&Use<'t>> {
        self.uses.iter().find(|used| {
            let Some(index) = used.target.known().filter(|index| *index < MOST) else {
                return false;
            };
            let mut rules = self.without_lists();
            let one = [index];
            rules.set_list(used.list, &one);
            rule(&rules)
        })
    }
}
