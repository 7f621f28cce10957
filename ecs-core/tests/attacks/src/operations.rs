//! Random operations on a world, compared with a model.
