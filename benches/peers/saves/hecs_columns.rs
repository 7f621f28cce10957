//! Through hecs: columns of each archetype, by `postcard`.

use core::any::TypeId;

use hecs::serialize::column::{
    DeserializeContext, SerializeContext, deserialize_column, try_serialize, try_serialize_id,
};
use hecs::{Archetype, ColumnBatchBuilder, ColumnBatchType, World};
use serde::de::SeqAccess;
use serde::ser::SerializeTuple;
use serde::{Deserialize, Serialize};

use super::{ENTITIES, Row, row};

#[derive(Clone, Copy, Serialize, Deserialize)]
struct Position([f32; 3]);
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Velocity([f32; 3]);
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Health([u32; 3]);

#[derive(Clone, Copy, Serialize, Deserialize)]
enum Id {
    Position,
    Velocity,
    Health,
}

struct Save;

impl SerializeContext for Save {
    fn component_count(&self, archetype: &Archetype) -> usize {
        let known = [TypeId::of::<Position>(), TypeId::of::<Velocity>(), TypeId::of::<Health>()];
        archetype.component_types().filter(|id| known.contains(id)).count()
    }

    fn serialize_component_ids<S: SerializeTuple>(
        &mut self,
        archetype: &Archetype,
        mut out: S,
    ) -> Result<S::Ok, S::Error> {
        try_serialize_id::<Position, _, _>(archetype, &Id::Position, &mut out)?;
        try_serialize_id::<Velocity, _, _>(archetype, &Id::Velocity, &mut out)?;
        try_serialize_id::<Health, _, _>(archetype, &Id::Health, &mut out)?;
        out.end()
    }

    fn serialize_components<S: SerializeTuple>(
        &mut self,
        archetype: &Archetype,
        mut out: S,
    ) -> Result<S::Ok, S::Error> {
        try_serialize::<Position, _>(archetype, &mut out)?;
        try_serialize::<Velocity, _>(archetype, &mut out)?;
        try_serialize::<Health, _>(archetype, &mut out)?;
        out.end()
    }
}

#[derive(Default)]
struct Load(Vec<Id>);

impl DeserializeContext for Load {
    fn deserialize_component_ids<'de, A: SeqAccess<'de>>(
        &mut self,
        mut seq: A,
    ) -> Result<ColumnBatchType, A::Error> {
        self.0.clear();
        let mut batch = ColumnBatchType::new();
        while let Some(id) = seq.next_element()? {
            match id {
                Id::Position => batch.add::<Position>(),
                Id::Velocity => batch.add::<Velocity>(),
                Id::Health => batch.add::<Health>(),
            };
            self.0.push(id);
        }
        Ok(batch)
    }

    fn deserialize_components<'de, A: SeqAccess<'de>>(
        &mut self,
        count: u32,
        mut seq: A,
        batch: &mut ColumnBatchBuilder,
    ) -> Result<(), A::Error> {
        for id in &self.0 {
            match id {
                Id::Position => deserialize_column::<Position, _>(count, &mut seq, batch)?,
                Id::Velocity => deserialize_column::<Velocity, _>(count, &mut seq, batch)?,
                Id::Health => deserialize_column::<Health, _>(count, &mut seq, batch)?,
            }
        }
        Ok(())
    }
}

pub(crate) fn rows() -> Row {
    let mut world = World::new();
    world
        .spawn_batch((0..ENTITIES).map(|n| {
            let value = n as f32;
            (Position([value; 3]), Velocity([value / 2.0; 3]), Health([n as u32; 3]))
        }))
        .for_each(drop);
    row(
        20,
        || {
            let mut serializer =
                postcard::Serializer { output: postcard::ser_flavors::StdVec::new() };
            hecs::serialize::column::serialize(&world, &mut Save, &mut serializer)
                .expect("memory takes it");
            postcard::ser_flavors::Flavor::finalize(serializer.output).expect("memory takes it")
        },
        Vec::len,
        |bytes| {
            let mut from = postcard::Deserializer::from_bytes(bytes);
            drop(
                hecs::serialize::column::deserialize(&mut Load::default(), &mut from)
                    .expect("a save"),
            );
        },
    )
}
