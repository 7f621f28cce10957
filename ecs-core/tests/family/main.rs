//! The engine against the executable model of Core ECS (`tests/core_ecs`), over random programs.
//!
//! **The family.** A world is compiled, so there is a fixed [family](members) of them. Each has the same 27
//! systems: one for each of nine kinds of effect (`update`, `renew`, `replace`, `gain`, `give`, `lose`,
//! `take`, `create`, `despawn`: the owned and the deferred ones of the paper's table 2) and each of three
//! filters (none, with `F`, without `F`). The members of the family differ in their orders, in when staged
//! changes show, in whether systems are sequential, and in whether they go over pairs. So every pair of
//! kinds, filters and orders occurs. The effects of a system are data: a random list of
//! [`core_ecs_model::program`], which a [script](script) interprets. Most systems have an empty list.
//!
//! **The comparison.** A [case](case) is a member, a body for some of its systems, and initial rows. It runs
//! for some steps on 1, 2 and 4 threads, eager ones and others, with and without inner parallelism, by every
//! scheduler, with fixed and dynamic limits. All runs must give the same bits after every step: the same
//! entities in the same order with the same components. Each step must also end as it does in the
//! [model](model), up to the names of fresh entities; the schedule of the model is stated there.
//!
//! **More cases.** `FAMILY_CASES` sets their number. The default is 2 000, and `.ci/thorough` has 100 000. From
//! 10 000 on the test also asserts that every two systems have had an effect in one and the same step:
//!
//! ```text
//! FAMILY_CASES=1000000 cargo test --release -p ecs-core --test family
//! ```
//!
//! **Reading a failure.** The smallest failing case is printed: its member, the systems with effects, each by
//! name with its lists and effects, and the rows. Rows are numbered from the top, in their order in the
//! world. `Known(Entity(k))` is the entity with number *k* at the beginning of the step, or a despawned one
//! if there are fewer. Then the difference follows: either a step of the model (rows by these numbers;
//! spawned entities from 2³² on), or the name of a configuration and the first row that differs from the
//! reference.

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
