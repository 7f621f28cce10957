//! The model against the paper, and the paper's theorems against the model.

#![forbid(unsafe_code)]

mod figures;
mod frames;
mod limits;
mod listings;
mod physics;
mod strategies;
mod table_2;
mod theorems;
