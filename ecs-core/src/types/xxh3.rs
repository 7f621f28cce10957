//! 64-bit XXH3, with the widest vectors of the machine that runs it.

use core::hash::Hasher;

use twox_hash::xxhash3_64::{DEFAULT_SECRET_LENGTH, RawHasher, SecretBuffer};

/// Hashes bytes that come in parts. It allocates nothing.
#[derive(Clone)]
pub(crate) struct Xxh3(RawHasher<&'static [u8; DEFAULT_SECRET_LENGTH]>);

impl Xxh3 {
    pub(crate) fn new() -> Self {
        Self(RawHasher::new(SecretBuffer::default()))
    }

    #[inline]
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        self.0.write(bytes);
    }

    pub(crate) fn digest(&self) -> u64 {
        self.0.finish()
    }
}

/// The hash of all of these bytes.
#[cfg(feature = "serde")]
pub(crate) fn xxh3_64(bytes: &[u8]) -> u64 {
    twox_hash::XxHash3_64::oneshot(bytes)
}
