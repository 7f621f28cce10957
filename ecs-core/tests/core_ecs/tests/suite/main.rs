//! The model against the paper, and the paper's theorems against the model.

#![forbid(unsafe_code)]
