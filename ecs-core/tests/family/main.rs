//! The engine against the executable model of Core ECS (`tests/core_ecs`), over random programs.
//!
//! **The family.** A world is compiled, so there is a fixed [family](members) of them. Each has the same
//! 27 systems: one for each of nine kinds of effect (`update`, `renew`, `replace`, `gain`, `give`, `lose`,
//! `take`, `create`, `kill`: the owned and the deferred ones of the paper's table 2) and each of three
//! filters (none, with `F`, without `F`). The members of the family differ in their orders, in when
//! staged changes show, in whether systems are sequential, and in whether they go over pairs; so every pair of kinds, filters and orders is in it. What a system does is data:
//! a random list of effects of [`core_ecs_model::program`], which a [script](script) interprets, and of
//! which most systems have none.
//!
//! **What is compared.** A [case](case) is a member, a body for some of its systems, and rows to start
//! with. It runs for some steps on 1, 2 and 4 threads, eager ones and others, with and without inner
//! parallelism, by every scheduler, with fixed and dynamic limits. All runs must give the same bits after every step: the same
//! entities in the same order with the same components. Each step must also end as it does in the
//! [model](model), up to the names of fresh entities; the schedule that the model follows is stated
//! there.
//!
//! **More cases.** `FAMILY_CASES` says how many; the default is 2 000, and `.ci/thorough` has 100 000. From 10 000 on
//! it is also asserted that every two systems have done something in one and the same step:
//!
//! ```text
//! FAMILY_CASES=1000000 cargo test --release -p ecs-core --test family
//! ```
//!
//! **Reading a failure.** The smallest case that fails is printed: its member, the systems that do
//! anything, each by name with its lists and effects, and the rows. Rows are numbered from the top, which
//! is also their order in the world; `Known(Entity(k))` is the one with number *k* at the beginning of
//! the step, and some entity that is dead if there are not so many. Then comes what differs: either a
//! step of the model (rows by these numbers, those of newborns from 2³² on), or the name of a
//! configuration and the first row that is not that of the reference.

mod case;
mod cases;
mod components;
mod members;
mod model;
mod paired;
mod rolled;
mod runs;
mod script;
mod staged;
mod table;
