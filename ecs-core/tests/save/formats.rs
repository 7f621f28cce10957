//! Saves of older declarations.
