//! The code of the systems that is longer than some lines, and the one system with state, [`Render`].

mod collision;
mod contacts;
mod motion;
mod render;

pub(super) use collision::collide;
pub(super) use contacts::solve_contacts;
pub(super) use motion::{advance, keep_in_bounds};
pub use render::Render;
