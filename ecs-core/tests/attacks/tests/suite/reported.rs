//! The attacks of an adversarial review. Those on the type system do not compile any more: `swapped_now`,
//! `query_of_a_subtype`, `sealed` and `E0089` of `ecs-core/tests/ui/compiler`. The others are here.

mod after_restore;
mod dropped;
mod pool;
mod producers;
mod restored;
mod streamed;
