//! A number for a state that does not depend on the order of entities or on their handles.

use std::fmt::{Debug, Write};

use super::components::Id;

/// The sum of the hashes of all components of all entities, and of the resources.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    components: u64,
    sum: u64,
}

/// FNV-1a over what is written.
struct Hash(u64);

impl Write for Hash {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
        Ok(())
    }
}

impl Summary {
    /// Adds a component. Numbers are written so that they can be read back, so all of their bits count.
    pub fn add(&mut self, id: Id, name: &str, value: &impl Debug) {
        let mut hash = Hash(0xcbf2_9ce4_8422_2325);
        write!(hash, "{} {name} {value:?}", id.0).expect("a hash takes any text");
        self.components += 1;
        self.sum = self.sum.wrapping_add(hash.0);
    }

    /// Adds a resource.
    pub fn add_resource(&mut self, value: &impl Debug) {
        self.add(Id(0), "resource", value);
    }
}
