//! The programs in appendix B of “Exploring the Theory and Practice of Concurrency in the
//! Entity-Component-System Pattern” (Redmond, Castello, Calderón Trilla and Kuper, OOPSLA 2025).
//!
//! The paper writes each of them twice: in its calculus, Core ECS, and for an existing library, where the
//! program or its execution has to differ. Here they are written for this library, and print what the
//! calculus prints, letter by letter, on any number of threads.
//!
//! | module | the paper's program | its output |
//! | --- | --- | --- |
//! | [`toy_physics`] | listing 2, objects that collide on a line | listing 3 |
//! | [`disjoint_entities`] | listing 6, one component changed by two systems at the same time | listing 7 |
//!
//! [`pairs`] shows what these programs do not use: query vectors of more than one query.

pub mod disjoint_entities;
pub mod pairs;
pub mod toy_physics;

use std::fmt::Display;

use ecs_core::Entity;

/// A component's values, in the order of entities: `Pos↦{e0 ↦ Pos 1, e1 ↦ Pos 7}`.
fn column<T: Display>(name: &str, mut values: Vec<(Entity, T)>) -> String {
    values.sort_by_key(|(entity, _)| *entity);
    let values = values.iter().map(|(entity, value)| format!("e{} ↦ {value}", entity.index()));
    format!("{name}↦{{{}}}", values.collect::<Vec<_>>().join(", "))
}

/// A state as the paper's interpreter prints it: the columns, and the name of the next entity.
fn line(columns: &[String], next_fresh: u32) -> String {
    format!("{} :+ Metadata {{nextFresh = e{next_fresh}}}", columns.join(" :+ "))
}

/// The lines of all states, with the paper's mark after the last one.
fn output(states: &[String]) -> String {
    format!("{} END\n", states.join("\n"))
}
