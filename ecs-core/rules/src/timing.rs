//! *When* systems run, beside their order: in which variants of a state, or when one is entered or left.
//!
//! A state changes between executions only, and systems that run when a variant is entered or left have an execution of
//! their own, with a refresh after it. So two systems that differ in this never run in the same execution:
//!
//! | one | the other | never together if |
//! | --- | --- | --- |
//! | in some variants | in some variants | of one state, they have no variant in common |
//! | when some are entered | when some are entered | they have none in common; the same when they are left |
//! | when some are entered | when some are left, or in some, or always | always |
//!
//! A query is part of any execution whose systems use it, so it is told apart from none. Nor are systems over a resource
//! that one of them adds to, or an event: the order of additions builds on the order of all systems that read them
//! ([`conflict::over_resource`](crate::conflict::over_resource)).

use crate::System;

/// The largest number of variants of a state: the bits of a mask.
pub const MOST_VARIANTS: usize = 64;

/// The executions that a system is part of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Moment {
    /// The ordinary ones, in the variants that it names.
    #[default]
    During,
    /// Those when a variant is entered.
    Enter,
    /// Those when a variant is left.
    Exit,
}

/// Whether no execution runs both systems.
#[must_use]
pub const fn never_together(a: &System<'_>, b: &System<'_>) -> bool {
    if a.query || b.query {
        return false;
    }
    match (a.moment, b.moment) {
        (Moment::During, Moment::During) => {
            !a.states.is_empty() && !b.states.is_empty() && any_apart(a.states, b.states)
        }
        (Moment::Enter, Moment::Enter) | (Moment::Exit, Moment::Exit) => {
            !have_common(a.states, b.states)
        }
        _ => true,
    }
}

/// Whether there is a state of which the lists have no variant in common.
const fn any_apart(a: &[(usize, u64)], b: &[(usize, u64)]) -> bool {
    let mut i = 0;
    while i < a.len() {
        let mut j = 0;
        while j < b.len() {
            if a[i].0 == b[j].0 && a[i].1 & b[j].1 == 0 {
                return true;
            }
            j += 1;
        }
        i += 1;
    }
    false
}

/// Whether there is a variant in both lists.
const fn have_common(a: &[(usize, u64)], b: &[(usize, u64)]) -> bool {
    let mut i = 0;
    while i < a.len() {
        let mut j = 0;
        while j < b.len() {
            if a[i].0 == b[j].0 && a[i].1 & b[j].1 != 0 {
                return true;
            }
            j += 1;
        }
        i += 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLANK: System<'_> = System::BLANK;
    const FIRST: System<'_> = System { states: &[(0, 1)], ..BLANK };
    const SECOND: System<'_> = System { states: &[(0, 2)], ..BLANK };

    fn at(moment: Moment, states: &[(usize, u64)]) -> System<'_> {
        System { moment, states, ..BLANK }
    }

    fn check(a: &System<'_>, b: &System<'_>, expected: bool) {
        assert_eq!(never_together(a, b), expected, "{a:?} {b:?}");
        assert_eq!(never_together(b, a), expected, "{b:?} {a:?}");
    }

    #[test]
    fn variants_of_one_state_exclude_each_other() {
        check(&FIRST, &SECOND, true);
        check(&FIRST, &FIRST, false);
        check(&FIRST, &BLANK, false);
        check(&FIRST, &System { states: &[(0, 3)], ..BLANK }, false);
        check(&FIRST, &System { states: &[(1, 2)], ..BLANK }, false);
        check(&FIRST, &System { states: &[(1, 2), (0, 2)], ..BLANK }, true);
    }

    #[test]
    fn each_transition_has_an_execution_of_its_own() {
        for moment in [Moment::Enter, Moment::Exit] {
            check(&at(moment, FIRST.states), &at(moment, SECOND.states), true);
            check(&at(moment, FIRST.states), &at(moment, FIRST.states), false);
            check(&at(moment, FIRST.states), &at(moment, &[(0, 3)]), false);
            // Two states are not entered at the same time.
            check(&at(moment, FIRST.states), &at(moment, &[(1, 1)]), true);
            check(&at(moment, FIRST.states), &FIRST, true);
            check(&at(moment, FIRST.states), &BLANK, true);
        }
        check(&at(Moment::Enter, FIRST.states), &at(Moment::Exit, FIRST.states), true);
    }

    #[test]
    fn a_query_is_part_of_any_execution() {
        let query = System { query: true, indexed: true, ..BLANK };
        check(&query, &at(Moment::Enter, FIRST.states), false);
        check(&System { query: true, ..FIRST }, &SECOND, false);
    }
}
