//! The output of the program: progress during the runs, then a table or lines of JSON, and pictures.

mod canvas;
pub mod chart;
pub mod distribution;
pub mod film;
pub mod json;
pub mod picture;
pub mod progress;
pub mod table;
