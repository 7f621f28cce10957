//! Worlds as text, in RON: the parts of a save, with the values of listed types as their `Serialize` writes them.
//!
//! ```text
//! text:   world ─▶ save ─▶ parts ─▶ listed values by `serde`, all else in hexadecimal digits
//! world:  text ─▶ save, with listed values by `postcard` ─▶ the loader, by a migration from that form
//! ```

use core::{error, fmt};
use std::collections::BTreeMap;

use ron::value::RawValue;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::error::{LoadError, PartKind, SaveError};
use super::format::SaveFormat;
use super::load::{Part, parts_of};
use super::parts::Shape;
use super::unknown::UnknownParts;
use super::write::{BY_HAND, Saved, begin, end_part, part};
use super::{COMPONENT, END, ENTITIES, OF_WORLD, RESOURCE, STATE, SYSTEM, Saveable};
use crate::rows::{BLOCK_ROWS, BLOCKS_PER_PAGE, PAGE_ROWS, rows_of};
use crate::signature::{Declaration, HasComponent, HasResource};
use crate::storage::{PAGE, REMOVED};
use crate::types::ThreadSafe;
use crate::types::bytes::{Decoder, Encoder, Fault, PLAIN, SERDE, postcard_bytes};

/// The version of parts whose values come from text.
pub(super) const OF_TEXT: u32 = u32::MAX;

/// The shape of parts whose values come from text.
pub(super) const TEXT: Shape = Shape { form: SERDE, size: 0 };

/// The kinds of parts, as words.
const KINDS: [(u8, &str); 6] = [
    (OF_WORLD, "world"),
    (ENTITIES, "entities"),
    (COMPONENT, "component"),
    (RESOURCE, "resource"),
    (SYSTEM, "system"),
    (STATE, "state"),
];

/// A list of components and resources, with which worlds and prefabs are written as text, in [RON](https://docs.rs/ron). People can read, compare
/// and change the text, in tests and with tools. It needs the feature `ron`.
///
/// The text of a world has the whole state, as a [save](crate::save) has: a world that is loaded from it goes on with the same bits. The values
/// of listed components and resources stand in it as their `Serialize` writes them, by row. A listed type needs `serde`, also if it is plain old data.
/// All else stands as the bytes of a save, in hexadecimal digits: entities, relations, events, marks, states of systems, parts that are not
/// listed, and a component while systems have yet to read removed values of it.
///
/// The text of a [`Prefab`](crate::Prefab) is written entity by entity, without bytes: [`save_prefab`](Self::save_prefab) has an example.
///
/// ```
/// use ecs_core::{TextFormat, World, world};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Name(String);
/// #[derive(Default, Serialize, Deserialize)]
/// struct Score { points: u32 }
///
/// world! { world Game; component Name; resource Score; }
///
/// let format = TextFormat::new().component::<Name>().resource::<Score>();
/// let mut world = World::<Game>::new();
/// let ada = world.spawn((Name("Ada".into()),));
/// let text = format.save(&world)?;
/// assert!(text.contains(r#"0: ("Ada")"#) && text.contains("(points:0)"));
///
/// format.load(&mut world, &text.replace("Ada", "Eve"))?;
/// assert_eq!(world.get::<Name>(ada).unwrap().0, "Eve");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub struct TextFormat<D: Declaration> {
    entries: Vec<Entry>,
    format: SaveFormat<D>,
}

/// A part whose values are text.
pub(super) struct Entry {
    kind: u8,
    name: &'static str,
    /// The value, of a component in this row.
    pub(super) text: fn(&Saved<'_>, usize) -> Result<Box<RawValue>, Fault>,
    /// The bytes of a value.
    bytes: fn(&RawValue) -> Result<Vec<u8>, Fault>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    world: String,
    /// How many rows there are.
    rows: u32,
    parts: Vec<PartText>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PartText {
    kind: String,
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value: Option<Box<RawValue>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    values: Option<BTreeMap<u32, Box<RawValue>>>,
    /// Form, version and size, where the frames have values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shape: Option<(u8, u32, u64)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    frames: Vec<String>,
}

impl<D: Declaration> TextFormat<D> {
    /// A format that lists no type.
    #[must_use]
    pub const fn new() -> Self {
        Self { entries: Vec::new(), format: SaveFormat::new() }
    }

    /// Lists the component `C`.
    #[must_use]
    pub fn component<C: Serialize + DeserializeOwned + 'static>(mut self) -> Self
    where
        D: HasComponent<C>,
    {
        self.entries.push(Entry {
            kind: COMPONENT,
            name: D::COMPONENTS[<D as HasComponent<C>>::INDEX].name(),
            text: |saved, row| match saved.storage.get::<D, C>(row) {
                Some(value) => text_of(value),
                None => Err(Fault::new("the row has no value")),
            },
            bytes: bytes_of::<C>,
        });
        let format = self.format.component::<C>(|part| part.migrate(OF_TEXT, |value: C| value));
        Self { format, ..self }
    }

    /// Lists the resource `R`.
    #[must_use]
    pub fn resource<R: Serialize + DeserializeOwned + ThreadSafe>(mut self) -> Self
    where
        D: HasResource<R>,
    {
        self.entries.push(Entry {
            kind: RESOURCE,
            name: D::RESOURCES[<D as HasResource<R>>::INDEX].name(),
            text: |saved, _| text_of(saved.resources.get::<D, R>()),
            bytes: bytes_of::<R>,
        });
        let format = self.format.resource::<R>(|part| part.migrate(OF_TEXT, |value: R| value));
        Self { format, ..self }
    }

    pub(super) fn entry(&self, kind: u8, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.kind == kind && entry.name == name)
    }

    /// The format that loads what [`bytes`](Self::bytes) makes of a text.
    pub(crate) fn format(&self) -> &SaveFormat<D> {
        &self.format
    }

    /// The text of what is saved.
    pub(crate) fn text(&self, saved: &Saved<'_>) -> Result<String, TextError>
    where
        D: Saveable,
    {
        let mut save = Vec::new();
        let unknown = &UnknownParts::new();
        self.format.write(saved, unknown, &mut save, &mut |_| {}).map_err(TextError::Save)?;
        let parts = parts_of(&save).map_err(TextError::Load)?;
        let of_part = |part: &Part<'_>| {
            self.part(saved, part).map_err(|fault| part_error(part.kind, part.name, fault))
        };
        let document = Document {
            world: D::NAME.into(),
            rows: saved.storage.entities.rows().len() as u32,
            parts: parts.iter().map(of_part).collect::<Result<_, _>>()?,
        };
        let config = ron::ser::PrettyConfig::new().new_line("\n").depth_limit(5);
        let text = ron::ser::to_string_pretty(&document, config);
        text.map_err(|error| TextError::Text { fault: error.to_string() })
    }

    fn part(&self, saved: &Saved<'_>, part: &Part<'_>) -> Result<PartText, Fault> {
        let Shape { form, size } = part.shape;
        let kind = KINDS.iter().find(|(kind, _)| *kind == part.kind).map_or("", |(_, name)| name);
        let mut text = PartText {
            kind: kind.into(),
            name: part.name.into(),
            value: None,
            values: None,
            shape: None,
            frames: Vec::new(),
        };
        let mut frames = part.frames.clone();
        let mut all = Vec::new();
        while let Some(mut frame) = frames.next()? {
            all.push(frame.rest());
        }
        let is_known_form = [SERDE, PLAIN].contains(&form) && part.shape != BY_HAND;
        let entry = self.entry(part.kind, part.name).filter(|_| is_known_form);
        match entry {
            Some(entry) if part.kind == RESOURCE => {
                text.value = Some((entry.text)(saved, 0)?);
                return Ok(text);
            }
            // Removed values have the form of the part.
            Some(entry) if !all.iter().any(|frame| frame.first() == Some(&REMOVED)) => {
                let mut values = BTreeMap::new();
                for frame in &all {
                    if frame.first() != Some(&PAGE) {
                        text.frames.push(hex(frame));
                        continue;
                    }
                    let mut frame = Decoder::new(&frame[1..]);
                    let page = frame.u32()? as usize;
                    for block in 0..blocks_of(saved.storage.entities.rows().len(), page) {
                        for row in rows_of(block, frame.u64()?) {
                            let row = page * PAGE_ROWS + row;
                            values.insert(row as u32, (entry.text)(saved, row)?);
                        }
                    }
                }
                text.values = Some(values);
                return Ok(text);
            }
            _ => {}
        }
        text.shape = Some((form, part.version, size));
        text.frames = all.into_iter().map(hex).collect();
        Ok(text)
    }

    /// The save that the text describes.
    pub(crate) fn bytes(&self, text: &str) -> Result<Vec<u8>, TextError> {
        let document: Document =
            ron::from_str(text).map_err(|error| TextError::Text { fault: error.to_string() })?;
        let mut save = Vec::new();
        let progress: &mut dyn FnMut(u64) = &mut |_| {};
        let mut to = Encoder::new(&mut save, progress);
        begin(&mut to, &document.world);
        for one in &document.parts {
            let Some(&(kind, _)) = KINDS.iter().find(|(_, name)| *name == one.kind) else {
                let fault = format!("there is no kind of parts `{}`", one.kind);
                return Err(TextError::Text { fault });
            };
            self.write(kind, one, document.rows as usize, &mut to)
                .map_err(|fault| part_error(kind, &one.name, fault))?;
        }
        to.u8(END);
        to.finish().map_err(|error| TextError::Save(SaveError::Write(error)))?;
        Ok(save)
    }

    fn write(
        &self,
        kind: u8,
        one: &PartText,
        rows: usize,
        to: &mut Encoder<'_>,
    ) -> Result<(), Fault> {
        let entry = || {
            let entry = self.entry(kind, &one.name);
            entry.ok_or_else(|| Fault::new("its type is not listed in the `TextFormat`"))
        };
        match (&one.value, &one.values, one.shape) {
            (None, None, Some((form, version, size))) => {
                part(to, kind, &one.name, Shape { form, size }, version);
            }
            (Some(value), None, None) => {
                part(to, kind, &one.name, TEXT, OF_TEXT);
                let bytes = (entry()?.bytes)(value)?;
                to.begin_frame();
                to.u8(0);
                to.put(&bytes);
                to.end_frame();
            }
            (None, Some(values), None) => {
                part(to, kind, &one.name, TEXT, OF_TEXT);
                write_values(values, entry()?, rows, to)?;
            }
            _ => return Err(Fault::new("it has to have one of `value`, `values` and `shape`")),
        }
        for frame in &one.frames {
            let bytes = bytes_of_hex(frame)?;
            to.begin_frame();
            to.put(&bytes);
            to.end_frame();
        }
        end_part(to);
        Ok(())
    }
}

/// Writes pages, as those of a component.
pub(super) fn write_values(
    values: &BTreeMap<u32, Box<RawValue>>,
    entry: &Entry,
    rows: usize,
    to: &mut Encoder<'_>,
) -> Result<(), Fault> {
    let all: Vec<(usize, &RawValue)> =
        values.iter().map(|(row, value)| (*row as usize, &**value)).collect();
    for page in all.chunk_by(|(one, _), (other, _)| one / PAGE_ROWS == other / PAGE_ROWS) {
        let number = page[0].0 / PAGE_ROWS;
        let mut words = [0_u64; BLOCKS_PER_PAGE];
        for (row, _) in page {
            words[row % PAGE_ROWS / BLOCK_ROWS] |= 1 << (row % BLOCK_ROWS);
        }
        to.begin_frame();
        to.u8(PAGE);
        to.u32(number as u32);
        for word in &words[..blocks_of(rows, number)] {
            to.u64(*word);
        }
        for (_, value) in page {
            to.put(&(entry.bytes)(value)?);
        }
        to.end_frame();
    }
    Ok(())
}

/// The number of blocks of a page that have rows.
fn blocks_of(rows: usize, page: usize) -> usize {
    let blocks = rows.div_ceil(BLOCK_ROWS);
    blocks.saturating_sub(page * BLOCKS_PER_PAGE).min(BLOCKS_PER_PAGE)
}

fn text_of<T: Serialize>(value: &T) -> Result<Box<RawValue>, Fault> {
    RawValue::from_rust(value).map_err(|error| Fault::new(error.to_string()))
}

fn bytes_of<T: Serialize + DeserializeOwned>(text: &RawValue) -> Result<Vec<u8>, Fault> {
    let value: T = text.into_rust().map_err(|error| Fault::new(error.to_string()))?;
    postcard_bytes(&value)
}

fn hex(bytes: &[u8]) -> String {
    use fmt::Write as _;
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // A `String` takes all.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

fn bytes_of_hex(text: &str) -> Result<Vec<u8>, Fault> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let byte = |&[high, low]: &[u8; 2]| Some(digit(high)? << 4 | digit(low)?);
    let bytes: Option<Vec<u8>> = pairs.iter().map(byte).collect();
    match bytes {
        // A frame without bytes would end the part.
        Some(bytes) if rest.is_empty() && !bytes.is_empty() => Ok(bytes),
        _ => Err(Fault::new("a frame is not made of pairs of hexadecimal digits")),
    }
}

#[cold]
pub(super) fn part_error(kind: u8, name: &str, Fault(fault): Fault) -> TextError {
    TextError::Part { kind: PartKind::of(kind), name: name.into(), fault }
}

impl<D: Declaration> Default for TextFormat<D> {
    fn default() -> Self {
        Self::new()
    }
}

impl<D: Declaration> fmt::Debug for TextFormat<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.entries.iter().map(|entry| entry.name)).finish()
    }
}

/// Why a world or a prefab is not written as text, or not loaded from it. The world is unchanged.
///
/// ```
/// use ecs_core::{TextError, TextFormat, World, world};
///
/// world! { world Empty; }
///
/// let error = TextFormat::new().load(&mut World::<Empty>::new(), "(world: 7)").unwrap_err();
/// assert!(matches!(error, TextError::Text { .. }));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum TextError {
    /// The text is not RON, or not that of a world or prefab, or it cannot be written.
    Text {
        /// What is wrong, and where.
        fault: String,
    },
    /// A part is not what it should be.
    Part {
        /// The kind of the part.
        kind: PartKind,
        /// Its name.
        name: String,
        /// What is wrong.
        fault: String,
    },
    /// The world cannot be saved.
    Save(SaveError),
    /// The text describes a save that the world does not load.
    Load(LoadError),
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text { fault } => write!(f, "the text is none of a world: {fault}"),
            Self::Part { kind, name, fault } => {
                write!(f, "the {kind} `{name}` cannot be text: {fault}")
            }
            Self::Save(error) => write!(f, "the world has no text: {error}"),
            Self::Load(error) => write!(f, "the text is not loaded: {error}"),
        }
    }
}

impl error::Error for TextError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Save(error) => Some(error),
            Self::Load(error) => Some(error),
            Self::Text { .. } | Self::Part { .. } => None,
        }
    }
}
