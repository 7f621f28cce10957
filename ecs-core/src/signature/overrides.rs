//! The validation of what a program does with a declaration, in `const` evaluation: the starts and overrides of an
//! execution, and the rights that a body uses.

use super::ancestors::ancestors_with_streams;
use super::message::Message;
use super::{Declaration, SystemName, queries};
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

/// Fails to evaluate if one of the systems is given twice, is overridden already, or is not executed.
pub(crate) const fn validate_override<D: Declaration>(
    all: bool,
    starts: &[usize],
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
        if !all && !queries::executed(starts, &ancestors_with_streams(D::SYSTEMS), systems[i]) {
            Message::new()
                .text("[ECS0076] the system `")
                .text(name)
                .text("` is overridden, but not executed: no start leads to it\nhelp: add `")
                .text(name)
                .text("` to `execute_systems_from::<(..)>`, or remove the closure")
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
/// only if the traits of [`access`](super::access) are implemented by hand.
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
