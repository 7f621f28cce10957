//! Through rkyv: a struct of vectors.

use rkyv::rancor::Error;
use rkyv::{Archive, Deserialize, Serialize};

use super::{ENTITIES, Row, row};

#[derive(Archive, Serialize, Deserialize)]
struct Vectors {
    entities: Vec<[u32; 2]>,
    positions: Vec<[f32; 3]>,
    velocities: Vec<[f32; 3]>,
    healths: Vec<[u32; 3]>,
}

pub(crate) fn rows() -> Row {
    let of = |n: usize| n as f32;
    let vectors = Vectors {
        entities: (0..ENTITIES as u32).map(|n| [n, 1]).collect(),
        positions: (0..ENTITIES).map(|n| [of(n); 3]).collect(),
        velocities: (0..ENTITIES).map(|n| [of(n) / 2.0; 3]).collect(),
        healths: (0..ENTITIES as u32).map(|n| [n; 3]).collect(),
    };
    row(
        20,
        || rkyv::to_bytes::<Error>(&vectors).expect("memory takes it"),
        |bytes| bytes.len(),
        |bytes| drop(rkyv::from_bytes::<Vectors, Error>(bytes).expect("vectors")),
    )
}
