//! Recordings as bytes.
//!
//! They begin with `ecsrecrd` and the number of the format (`u32`, now 1). A frame says after how many steps a state follows, and how
//! many steps there are. Then come frames of inputs, by `postcard`, of hashes, and one of each state. A checksum ends all, as it ends a
//! save.

use std::io::Write;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::recording::Recording;
use crate::state::save::{LoadError, PartKind, SaveError};
use crate::types::bytes::{Codec, Decoder, Encoder, Fault, SERDE, SaveForm};
use crate::types::xxh3::xxh3_64;

const MAGIC: &[u8; 8] = b"ecsrecrd";
const FORMAT: u32 = 1;

/// Inputs or hashes in one frame.
const AT_ONCE: usize = 4096;

impl<I: Serialize + DeserializeOwned> Recording<I> {
    /// Writes the recording.
    ///
    /// # Errors
    /// [`SaveError::Write`] with the error of the writer, [`SaveError::Value`] if `Serialize` fails for an input.
    ///
    /// # Panics
    /// If `Serialize` panics.
    pub fn save(&self, mut to: impl Write) -> Result<(), SaveError> {
        let (to, progress): (&mut dyn Write, _) = (&mut to, &mut |_| {});
        let mut to = Encoder::new(to, progress);
        to.put(MAGIC);
        to.u32(FORMAT);
        to.begin_frame();
        to.u64(self.every);
        to.u64(self.steps());
        to.end_frame();
        let value =
            |Fault(fault)| SaveError::Value { kind: PartKind::Whole, name: "inputs".into(), fault };
        for inputs in self.inputs.chunks(AT_ONCE) {
            to.begin_frame();
            // So that the frame is not empty.
            to.u8(0);
            <SaveForm<SERDE> as Codec<'_, I>>::write_all(inputs, &mut to).map_err(value)?;
            to.end_frame();
        }
        for hashes in self.hashes.chunks(AT_ONCE) {
            to.begin_frame();
            for &hash in hashes {
                to.u64(hash);
            }
            to.end_frame();
        }
        for state in &self.states {
            to.begin_frame_of(state.len());
            to.put(state);
            to.end_frame();
        }
        to.finish().map_err(SaveError::Write)
    }

    /// Reads a recording. Its states are checked when they are loaded.
    ///
    /// # Errors
    /// [`LoadError::NotASave`], [`LoadError::Format`], [`LoadError::Checksum`], or [`LoadError::Damaged`].
    ///
    /// # Panics
    /// If `Deserialize` panics.
    pub fn load(bytes: &[u8]) -> Result<Self, LoadError> {
        let mut from = Decoder::new(bytes);
        if from.take(MAGIC.len()).ok() != Some(MAGIC) {
            return Err(LoadError::NotASave);
        }
        let found = from.u32().map_err(|_| LoadError::NotASave)?;
        if found != FORMAT {
            return Err(LoadError::Format { found });
        }
        let Some((checked, hash)) = bytes.split_last_chunk() else {
            return Err(LoadError::Checksum);
        };
        if xxh3_64(checked) != u64::from_le_bytes(*hash) {
            return Err(LoadError::Checksum);
        }
        let behind = MAGIC.len() + size_of::<u32>();
        let mut from = Decoder::new(checked.get(behind..).ok_or(LoadError::Checksum)?);
        Self::read(&mut from).map_err(|Fault(fault)| LoadError::Damaged {
            kind: PartKind::Whole,
            name: "recording".into(),
            fault,
        })
    }

    fn read(from: &mut Decoder<'_>) -> Result<Self, Fault> {
        let mut head = from.frame()?;
        let (every, steps) = (head.u64()?, head.u64()?);
        head.end()?;
        if every == 0 || steps >= u64::from(u32::MAX) {
            return Err(Fault::new("the numbers of steps and of states are impossible"));
        }
        let steps = steps as usize;
        let mut this = Self { every, inputs: Vec::new(), hashes: Vec::new(), states: Vec::new() };
        while this.inputs.len() < steps {
            let mut frame = from.frame()?;
            frame.u8()?;
            let count = (steps - this.inputs.len()).min(AT_ONCE);
            let inputs = &mut this.inputs;
            SaveForm::<SERDE>::read_all(&mut frame, count, |input| inputs.push(input))?;
            frame.end()?;
        }
        while this.hashes.len() <= steps {
            let mut frame = from.frame()?;
            for _ in 0..(steps + 1 - this.hashes.len()).min(AT_ONCE) {
                this.hashes.push(frame.u64()?);
            }
            frame.end()?;
        }
        for _ in 0..=steps as u64 / every {
            let mut state = from.frame()?;
            this.states.push(state.rest().to_vec());
        }
        from.end()?;
        Ok(this)
    }
}
