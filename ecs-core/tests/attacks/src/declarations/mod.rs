//! Random signatures in tables without the macro: each is rejected, or sound.
//!
//! A declaration's tables are constants of a type, and a world accepts no others, so a world with random tables cannot
//! be built at run time. But the validation is an ordinary function of the tables ([`Tables::check`]), which the
//! compiler evaluates for a declaration. Here it validates random tables at run time. If it panics, a program with
//! these tables would not build. Accepted tables are validated again by `naive`, from the accesses of systems to
//! entities of every archetype. Tables that are rejected for a conflict must have one.

mod naive;
mod spec;

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use arbitrary::Unstructured;
use ecs_core::signature::{Phases, StagedChanges, Tables};

use crate::random::{below, list};
use crate::support::{quietly, with_stack};
use spec::{COMPONENTS, RESOURCES, Spec};

/// The maximum number of systems of a declaration.
const SYSTEMS: usize = 6;

static ACCEPTED: AtomicUsize = AtomicUsize::new(0);
static REFUSED: AtomicUsize = AtomicUsize::new(0);

/// How many declarations this process has accepted, and how many it has rejected.
#[must_use]
pub fn counts() -> (usize, usize) {
    (ACCEPTED.load(Relaxed), REFUSED.load(Relaxed))
}

/// Validates the declaration that the bytes encode.
///
/// # Panics
/// If it is accepted and unsound, or rejected for a conflict that it does not have.
pub fn run(bytes: &[u8]) {
    // The validation takes more stack than the thread of a test has.
    with_stack(32 << 20, || validate(bytes));
}

fn validate(bytes: &[u8]) {
    let mut u = Unstructured::new(bytes);
    let staged_changes =
        [StagedChanges::AfterStep, StagedChanges::RefreshBeforeDependents, StagedChanges::Deny]
            [below(&mut u, 3)];
    let mut specs = Vec::new();
    specs.extend(list(&mut u, SYSTEMS - 1, |u| Spec::read(u)));
    specs.push(Spec::read(&mut u));
    let count = specs.len();
    let queries = specs.iter().enumerate().filter(|(_, spec)| spec.query);
    let queries = queries.fold(0, |all, (index, _)| all | 1 << index);
    for (index, spec) in specs.iter_mut().enumerate() {
        spec.tame(index, count, queries);
    }
    let systems: Vec<_> =
        specs.iter().enumerate().map(|(index, spec)| spec.signature(index)).collect();
    let tables = Tables {
        name: "Random",
        components: COMPONENTS,
        resources: RESOURCES,
        systems: &systems,
        staged_changes,
    };
    match quietly(|| tables.check()) {
        None => {
            ACCEPTED.fetch_add(1, Relaxed);
            if let Err(fault) = naive::sound(&specs, staged_changes, &Phases::of_tables(tables)) {
                panic!("accepted, but {fault}: {specs:#?}");
            }
        }
        Some(message) => {
            REFUSED.fetch_add(1, Relaxed);
            assert!(message.starts_with("[ECS0"), "a message without a code: {message}");
            if let Err(fault) = naive::justified(&specs, &message) {
                panic!("refused with `{message}`, but {fault}: {specs:#?}");
            }
        }
    }
}
