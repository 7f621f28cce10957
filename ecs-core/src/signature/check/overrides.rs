//! The validation of what a program does with a declaration, in `const` evaluation: the starts and overrides of an
//! execution, and the rights that a body uses.

use crate::signature::check::ancestors::ancestors_with_streams;
use crate::signature::check::message::Message;
use crate::signature::check::queries;
use crate::signature::tables::streams;
use crate::signature::{Declaration, SystemName};
use crate::types::IndexSet;

/// Fails to evaluate if a start would run after another start anyway, or is given twice.
pub(crate) const fn validate_starts<D: Declaration>(starts: &[usize]) {
    let ancestors = ancestors_with_streams(D::SYSTEMS);
    if !starts.is_empty() {
        queries::check_starts::<D>(starts, &ancestors);
    }
    for_each!(i < starts.len(), {
        for_each!(j < starts.len(), {
            let (first, second) = (starts[j], starts[i]);
            if i < j && first == second {
                Message::new()
                    .text("[ECS0074] the step starts from `")
                    .text(D::SYSTEMS[first].name)
                    .text("` twice\nhelp: name it once")
                    .raise();
            }
            if ancestors[second].contains(first) {
                Message::new()
                    .text("[ECS0074] the step starts from `")
                    .text(D::SYSTEMS[first].name)
                    .text("` and from `")
                    .text(D::SYSTEMS[second].name)
                    .text("`, which runs after it anyway\nhelp: start only from `")
                    .text(D::SYSTEMS[first].name)
                    .text("`")
                    .raise();
            }
        });
    });
}

/// The systems that an execution from `starts` executes.
pub(crate) const fn executed_from<D: Declaration>(starts: &[usize]) -> IndexSet {
    let ancestors = ancestors_with_streams(D::SYSTEMS);
    let mut executed = IndexSet::EMPTY;
    for_each!(s < D::SYSTEMS.len(), {
        if queries::executed(starts, &ancestors, s) {
            executed.add(s);
        }
    });
    executed
}

/// The systems that an execution of these alone executes: with the queries whose index they use.
pub(crate) const fn executed_only<D: Declaration>(systems: &[usize]) -> IndexSet {
    let mut executed = IndexSet::of(systems);
    for_each!(i < systems.len(), {
        let queries = D::SYSTEMS[systems[i]].declared.queries;
        for_each!(q < queries.len(), {
            if D::SYSTEMS[queries[q]].declared.indexed {
                executed.add(queries[q]);
            }
        });
    });
    executed
}

/// Fails to evaluate if one of the systems to execute alone is given twice or is never executed, or if one sends a stream
/// to a system that is left out.
pub(crate) const fn validate_only<D: Declaration>(systems: &[usize]) {
    let consumers = streams::consumers(D::SYSTEMS);
    let all = IndexSet::of(systems);
    let mut seen = IndexSet::EMPTY;
    for_each!(i < systems.len(), {
        let system = &D::SYSTEMS[systems[i]];
        if seen.contains(systems[i]) {
            Message::new()
                .text("[ECS0074] the step executes `")
                .text(system.name)
                .text("` twice\nhelp: name it once")
                .raise();
        }
        seen.add(systems[i]);
        if system.is_idle() {
            Message::new()
                .text("[ECS0116] the query `")
                .text(system.name)
                .text("` is never executed, as it has no index\nhelp: remove `")
                .text(system.name)
                .text("` from `execute_only::<(..)>`")
                .raise();
        }
        let consumer = consumers[systems[i]];
        if consumer != streams::NONE && !all.contains(consumer as usize) {
            let consumer = D::SYSTEMS[consumer as usize].name;
            Message::new()
                .text("[ECS0116] the step executes `")
                .text(system.name)
                .text("`, but not `")
                .text(consumer)
                .text("`, which receives its stream\nhelp: add `")
                .text(consumer)
                .text("` to `execute_only::<(..)>`")
                .raise();
        }
    });
}

/// Fails to evaluate if one of the systems is given twice, is overridden already, or is not in `executed`; `None` stands
/// for all.
pub(crate) const fn validate_override<D: Declaration>(
    executed: Option<&IndexSet>,
    mut overridden: IndexSet,
    systems: &[usize],
) {
    for_each!(i < systems.len(), {
        let name = D::SYSTEMS[systems[i]].name;
        if overridden.contains(systems[i]) {
            Message::new()
                .text("[ECS0075] the system `")
                .text(name)
                .text("` is overridden twice\nhelp: keep one closure for `")
                .text(name)
                .text("`, or name it before `matching` and `remaining`")
                .raise();
        }
        if D::SYSTEMS[systems[i]].is_idle() {
            Message::new()
                .text("[ECS0076] the query `")
                .text(name)
                .text("` is overridden, but never executed, as it has no index\nhelp: remove the closure, or override the systems that use it")
                .raise();
        }
        if let Some(executed) = executed
            && !executed.contains(systems[i])
        {
            Message::new()
                .text("[ECS0076] the system `")
                .text(name)
                .text("` is overridden, but not executed\nhelp: add `")
                .text(name)
                .text("` to the systems that the execution names, or remove the closure")
                .raise();
        }
        overridden = overridden.with(systems[i]);
    });
}

/// Fails to evaluate if the system `N` is not `opt_in`, so entities do not subscribe to it by hand.
pub(crate) const fn validate_opt_in<D: Declaration, N: SystemName<D>>() {
    let system = &D::SYSTEMS[N::INDEX];
    if !system.declared.opt_in {
        Message::new()
            .text("[ECS0026] entities do not subscribe to the system `")
            .text(system.name)
            .text("` by hand\nhelp: declare `opt_in` in `system ")
            .text(system.name)
            .text("`")
            .raise();
    }
}

/// Fails to evaluate if the system `N` is sequential. `deed` names the operation, which such a system must not use.
pub(crate) const fn assert_not_sequential<D: Declaration, N: SystemName<D>>(deed: &str) {
    let system = &D::SYSTEMS[N::INDEX];
    if system.declared.sequential {
        Message::new()
            .text("[ECS0088] the system `")
            .text(system.name)
            .text("` is sequential, so it sees and changes the world as it is now, and in no other way: `")
            .text(deed)
            .text("` is not for it\nhelp: take `data.roll(..)` or `data.now()`, and what is there")
            .raise();
    }
}

/// Fails to evaluate: the system `N` does something that its signature in the table does not allow. This happens
/// only if the traits of [`access`](crate::signature::access) are implemented by hand.
pub(crate) const fn undeclared<D: Declaration, N: SystemName<D>>(deed: &str, what: &str) -> ! {
    Message::new()
        .text("[ECS0073] the system `")
        .text(D::SYSTEMS[N::INDEX].name)
        .text("` would ")
        .text(deed)
        .text(" `")
        .text(what)
        .text("`, which its signature does not declare\nhelp: declare it, and remove the `impl` of the right")
        .raise();
}
