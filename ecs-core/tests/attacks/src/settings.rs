//! One random program on worlds with different settings: equal hashes.
