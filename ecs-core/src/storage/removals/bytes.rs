//! Removed values as bytes.

use super::{AtomicU64, HasColumn, Relaxed, Storage};
use crate::entity::{entity_from, put_entity};
use crate::types::bytes::{Codec, Decoder, Encoder, Fault, ReadValues};

impl Storage {
    /// Adds the removed values of `C` in a frame that begins with `kind`.
    pub(in crate::storage) fn save_removals<'a, D, C, K>(
        &self,
        kind: u8,
        readers: u64,
        to: &mut Encoder<'_>,
    ) -> Result<(), Fault>
    where
        D: HasColumn<C>,
        C: 'static,
        K: Codec<'a, C>,
    {
        let Some(log) = &self.column::<D, C>().removals else { return Ok(()) };
        let removals = &log.removals;
        to.begin_frame();
        to.u8(kind);
        to.u64(readers);
        to.len(log.read.len());
        for read in &log.read {
            to.u64(read.load(Relaxed).saturating_sub(log.first));
        }
        to.len(removals.entities.len());
        removals.entities.iter().for_each(|entity| put_entity(to, *entity));
        to.len(removals.rows.len());
        removals.rows.iter().for_each(|row| to.u32(*row));
        K::write_all(removals.values.as_slice::<C>(), to)?;
        to.end_frame();
        Ok(())
    }

    /// Reads the frame, behind its kind. Values for other readers than now are left out.
    pub(in crate::storage) fn load_removals<D: HasColumn<C>, C: 'static>(
        &mut self,
        readers: u64,
        frame: &mut Decoder<'_>,
        read: &impl ReadValues<C>,
    ) -> Result<(), Fault> {
        let is_same = frame.u64()? == readers;
        let Some(log) = &mut self.column_mut::<D, C>().removals else { return Ok(()) };
        let readers = frame.len()?;
        if !log.removals.entities.is_empty() {
            return Err(Fault::new("removed values are there twice"));
        }
        if !is_same || readers != log.read.len() {
            return Ok(());
        }
        let mut positions = Vec::new();
        for _ in 0..readers {
            positions.push(frame.u64()?);
        }
        let mut entities = Vec::new();
        for _ in 0..frame.len()? {
            entities.push(entity_from(frame)?);
        }
        let mut rows = Vec::new();
        for _ in 0..frame.len()? {
            rows.push(frame.u32()?);
        }
        let is_sound = entities.len().checked_sub(rows.len()).is_some_and(|published| {
            positions.iter().all(|&position| position <= published as u64)
        });
        if !is_sound {
            return Err(Fault::new("fewer values were removed than read"));
        }
        let values = &mut log.removals.values;
        read.read_all(frame, entities.len(), |value| values.push_value(value))?;
        frame.end()?;
        (log.removals.entities, log.removals.rows) = (entities, rows);
        for (to, position) in log.read.iter_mut().zip(positions) {
            *to = AtomicU64::new(position);
        }
        Ok(())
    }
}
