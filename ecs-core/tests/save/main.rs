//! Saves of worlds: what is loaded goes on with the same bits, and damaged bytes are errors.

#![cfg(test)]

mod damage;
mod deltas;
mod formats;
mod text;
mod unknown;
mod whole;
mod zoo;
