//! Attacks that an adversarial review reported. Those on the type system no longer compile: they are `swapped_now`,
//! `query_of_a_subtype`, `sealed` and `ECS0089` of `ecs-core/tests/ui/compiler`. This folder has the others.

mod after_restore;
mod dropped;
mod pool;
mod producers;
mod restored;
mod streamed;
