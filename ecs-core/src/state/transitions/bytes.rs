//! States as bytes, by the names of their variants.

use super::{StateValue, Transitions};
use crate::types::bytes::{Decoder, Encoder, Fault};

impl Transitions {
    /// The number of executions, if a system runs in each n-th one.
    pub(in crate::state) fn executions(&self) -> u64 {
        self.executions
    }

    pub(in crate::state) fn set_executions(&mut self, executions: u64) {
        self.executions = executions;
    }

    /// Adds the state at `index`.
    pub(in crate::state) fn save(&self, index: usize, to: &mut Encoder<'_>) {
        let StateValue { current, requested, begun } = self.states[index];
        let name = |variant: u8| self.signatures[index].variants[usize::from(variant)];
        to.u8(begun.into());
        to.text(name(current));
        to.u8(requested.is_some().into());
        to.text(requested.map_or("", name));
    }

    /// Reads the state at `index`.
    pub(in crate::state) fn load(
        &mut self,
        index: usize,
        from: &mut Decoder<'_>,
    ) -> Result<(), Fault> {
        let variants = self.signatures[index].variants;
        let variant = |name: &str| {
            let position = variants.iter().position(|variant| *variant == name);
            let position = position.and_then(|position| u8::try_from(position).ok());
            position.ok_or_else(|| Fault::new(format!("it has no variant `{name}`")))
        };
        let begun = from.u8()? != 0;
        let current = variant(from.text()?)?;
        let (is_requested, requested) = (from.u8()? != 0, from.text()?);
        let requested = if is_requested { Some(variant(requested)?) } else { None };
        self.states[index] = StateValue { current, requested, begun };
        Ok(())
    }
}
