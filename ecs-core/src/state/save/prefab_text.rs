//! Prefabs as text, entity by entity.
//!
//! ```text
//! (
//!     world: "Field",
//!     entities: [
//!         {"Armor": (80)},
//!         {"Armor": (40), "PartOf": 0},
//!     ],
//! )
//! ```

use std::collections::BTreeMap;

use ron::value::RawValue;
use serde::{Deserialize, Serialize};

use super::error::SaveError;
use super::parts::Shape;
use super::prefab::saved_prefab;
use super::text::{OF_TEXT, TEXT, TextError, TextFormat, part_error, write_values};
use super::write::{Saved, begin, end_part, part};
use super::{COMPONENT, END, ENTITIES, LINKS, OF_WORLD, RESOURCE, Saveable};
use crate::entity::LimitReached;
use crate::scheduling::settings::ByArchetype;
use crate::signature::{Declaration, RelationSignature};
use crate::state::Core;
use crate::state::prefab::Prefab;
use crate::state::snapshot::Cloneable;
use crate::storage::Storage;
use crate::types::bytes::{Encoder, Fault};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    world: String,
    /// For each entity the values of its components by their names, and the number of its parent by the name of the relation.
    entities: Vec<BTreeMap<String, Box<RawValue>>>,
}

impl<D: Saveable + Cloneable> TextFormat<D> {
    pub(crate) fn text_of_prefab(&self, prefab: &Prefab<D>) -> Result<String, TextError> {
        let prefab = &prefab.flat();
        let entities = saved_prefab(prefab, |saved| self.entities(saved, prefab));
        let document =
            Document { world: D::NAME.into(), entities: entities.map_err(TextError::Save)?? };
        let config = ron::ser::PrettyConfig::new().new_line("\n").depth_limit(2);
        ron::ser::to_string_pretty(&document, config).map_err(|error| no_text(&error))
    }

    fn entities(
        &self,
        saved: &Saved<'_>,
        prefab: &Prefab<D>,
    ) -> Result<Vec<BTreeMap<String, Box<RawValue>>>, TextError> {
        let mut entities = Vec::new();
        for (row, template) in prefab.entities().iter().enumerate() {
            let mut values = BTreeMap::new();
            for (index, component) in D::COMPONENTS.iter().enumerate() {
                if !template.contains_at(index) {
                    continue;
                }
                let name = component.name();
                let value = match self.entry(COMPONENT, name) {
                    Some(entry) => (entry.text)(saved, row),
                    None => Err(not_listed()),
                };
                values.insert(
                    name.into(),
                    value.map_err(|fault| part_error(COMPONENT, name, fault))?,
                );
            }
            entities.push(values);
        }
        for (&relation, links) in prefab.links() {
            let name = D::RESOURCES[relation].name();
            let Some(parents) = links.parents() else {
                return Err(part_error(RESOURCE, name, Fault::new("its links have values")));
            };
            for [child, parent] in parents {
                let parent = RawValue::from_rust(parent).map_err(|error| no_text(&error))?;
                entities[*child as usize].insert(name.into(), parent);
            }
        }
        Ok(entities)
    }

    pub(crate) fn prefab_of_text(
        &self,
        core: &Core<D>,
        text: &str,
    ) -> Result<Prefab<D>, TextError> {
        let bytes = self.bytes_of_prefab(text)?;
        self.format().read_prefab(core, &bytes).map_err(TextError::Load)
    }

    /// The save that the text describes.
    fn bytes_of_prefab(&self, text: &str) -> Result<Vec<u8>, TextError> {
        let document: Document = ron::from_str(text).map_err(|error| no_text(&error))?;
        let count = document.entities.len();
        // By the name of the component or relation, the values by the number of the entity.
        let mut parts: BTreeMap<String, BTreeMap<u32, Box<RawValue>>> = BTreeMap::new();
        for (number, values) in (0..).zip(document.entities) {
            for (name, value) in values {
                parts.entry(name).or_default().insert(number, value);
            }
        }
        let mut save = Vec::new();
        let progress: &mut dyn FnMut(u64) = &mut |_| {};
        let mut to = Encoder::new(&mut save, progress);
        begin(&mut to, &document.world);
        part(&mut to, OF_WORLD, D::NAME, Shape::NONE, 1);
        to.begin_frame();
        [0; 3].into_iter().for_each(|number| to.u64(number));
        to.end_frame();
        end_part(&mut to);
        part(&mut to, ENTITIES, "entities", Shape::NONE, 1);
        empty_entities::<D>(count, &mut to).map_err(|error| no_text(&error))?;
        end_part(&mut to);
        for (name, values) in &parts {
            let kind = if self.entry(COMPONENT, name).is_some() { COMPONENT } else { RESOURCE };
            let written = match self.entry(COMPONENT, name) {
                Some(entry) => {
                    part(&mut to, kind, name, TEXT, OF_TEXT);
                    write_values(values, entry, count, &mut to)
                }
                None => write_parents::<D>(name, values, count, &mut to),
            };
            written.map_err(|fault| part_error(kind, name, fault))?;
            end_part(&mut to);
        }
        to.u8(END);
        to.finish().map_err(|error| TextError::Save(SaveError::Write(error)))?;
        Ok(save)
    }
}

/// Writes the links of a relation of one to many: for each of these entities the number of its parent.
fn write_parents<D: Declaration>(
    name: &str,
    parents: &BTreeMap<u32, Box<RawValue>>,
    count: usize,
    to: &mut Encoder<'_>,
) -> Result<(), Fault> {
    let resource = D::RESOURCES.iter().position(|one| one.name() == name);
    let relation = resource.and_then(|one| RelationSignature::find(D::RELATIONS, one));
    if relation.is_none_or(|relation| relation.parents.is_none()) {
        return Err(not_listed());
    }
    part(to, RESOURCE, name, Shape { form: LINKS, size: 0 }, 1);
    to.begin_frame();
    to.u8(0);
    to.len(parents.len());
    for (child, parent) in parents {
        let parent: u32 = parent.into_rust().map_err(|error| Fault::new(error.to_string()))?;
        if parent as usize >= count {
            return Err(Fault::new(format!("there is no entity {parent}")));
        }
        to.u32(*child);
        to.u32(parent);
    }
    // Nothing was refused.
    to.len(0);
    to.end_frame();
    Ok(())
}

/// Writes `count` entities without components, in the order of their rows.
fn empty_entities<D: Saveable>(count: usize, to: &mut Encoder<'_>) -> Result<(), LimitReached> {
    let mut storage = Storage::new::<ByArchetype<0>>(D::COMPONENTS);
    storage.spawn_batch::<D, _>((0..count).map(|_| ()))?;
    storage.entities.save(to);
    Ok(())
}

#[cold]
fn not_listed() -> Fault {
    Fault::new(
        "it is neither a component that is listed in the `TextFormat`, nor a relation of one to many",
    )
}

#[cold]
fn no_text(error: &impl ToString) -> TextError {
    TextError::Text { fault: error.to_string() }
}
