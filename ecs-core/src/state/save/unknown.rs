//! Parts of a save that the declaration does not know, kept for the next save.
//!
//! ```text
//! load:  page of rows ─▶ the handles of its entities, once for all parts, and the bytes of the values
//! save:  handles ─▶ rows as they are now ─▶ pages
//! ```

use core::fmt;
use core::marker::PhantomData;
use std::collections::BTreeMap;

use super::error::{LoadError, PartKind};
use super::load::Part;
use super::parts::Shape;
use super::write::{BY_HAND, end_part, part};
use super::{COMPONENT, LINKS, RESOURCE, STATE, SYSTEM};
use crate::entity::{Entities, Entity};
use crate::rows::{BLOCK_ROWS, BLOCKS_PER_PAGE, PAGE_ROWS, PageWords, rows_of};
use crate::storage::{LENGTHS, PAGE, Storage};
use crate::types::Brand;
use crate::types::bytes::{Decoder, EMPTY, Encoder, Fault, Lengths, PLAIN, SERDE};

/// Parts of a save that the declaration does not know, for a later save. [`SaveFormat::load_keeping`](crate::SaveFormat::load_keeping)
/// returns them, and [`SaveFormat::save_keeping`](crate::SaveFormat::save_keeping) writes them.
///
/// Components, and subscriptions by hand to a system, are kept by entity. A later save writes the values of the entities that are alive, in whatever
/// rows these are by then, and leaves out the others. New entities have no values. Resources, events, states and states of systems are kept as they are.
///
/// After [`World::restore`](crate::World::restore) of a snapshot that is older than these parts, discard them, like all handles that are younger than
/// the snapshot.
///
/// To the program, the values are bytes. A handle in them refers to the same entity as long as that is alive, since a load changes no handle;
/// later it is the handle of no entity. Other references, for example to a row of a table that has changed, are to be checked by the program that knows
/// the part. Marks of changes and removed values are left out: to the systems of that program, each value is new.
///
/// Two things cannot be kept: relations, as their links are between rows, and components by `serde` in a save without the [lengths of
/// values](crate::SaveFormat::with_lengths).
///
/// ```
/// use ecs_core::{SaveFormat, World, world};
/// use serde::{Deserialize, Serialize};
/// # #[derive(Serialize, Deserialize)]
/// # struct Age(u32);
/// # #[derive(Serialize, Deserialize)]
/// # struct Hat(String);
///
/// mod modified {
///     use super::{Age, Hat};
///     ecs_core::world! { pub(super) world Village; component Age, Hat; }
/// }
/// world! { world Village; component Age; }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut before = World::<modified::Village>::new();
/// let [ada, bob] = ["red", "blue"].map(|hat| before.spawn((Age(7), Hat(hat.into()))));
/// let mut save = Vec::new();
/// SaveFormat::new().with_lengths().save(&before, &mut save)?;
///
/// // A program without hats.
/// let mut world = World::<Village>::new();
/// let format = SaveFormat::new().keep("Hat");
/// let hats = format.load_keeping(&mut world, &save)?;
/// world.despawn(ada);
/// let mut save = Vec::new();
/// format.save_keeping(&world, &hats, &mut save)?;
///
/// before.load(&save)?;
/// assert_eq!(before.iter::<&Hat>().count(), 1);
/// assert_eq!(before.get::<Hat>(bob).unwrap().0, "blue");
/// # Ok(())
/// # }
/// ```
pub struct UnknownParts<D> {
    /// By page, the entities that were alive when the page was loaded, for the pages with values.
    pages: BTreeMap<usize, Living>,
    parts: Vec<Unknown>,
    declaration: Brand<D>,
}

/// The living entities of a page, when it was loaded.
struct Living {
    words: PageWords,
    /// By row.
    entities: Vec<Entity>,
}

struct Unknown {
    kind: u8,
    name: String,
    shape: Shape,
    version: u32,
    body: Body,
}

enum Body {
    /// Frames as they are.
    Frames(Vec<Vec<u8>>),
    /// Values by row.
    Values(Vec<Page>),
}

/// The values of a page.
struct Page {
    number: usize,
    /// Those of the blocks that have rows.
    words: Vec<u64>,
    bytes: Vec<u8>,
    lengths: LengthsOf,
}

enum LengthsOf {
    /// All have the same length.
    All(usize),
    /// As in their frame.
    Each(Vec<u8>),
}

impl Page {
    /// Calls `f` with the row of each value, and its bytes.
    fn for_each<'p>(&'p self, mut f: impl FnMut(usize, &'p [u8])) {
        let (mut bytes, mut lengths) = (
            &*self.bytes,
            Decoder::new(match &self.lengths {
                LengthsOf::All(_) => &[],
                LengthsOf::Each(lengths) => lengths,
            }),
        );
        for (block, &word) in self.words.iter().enumerate() {
            for row in rows_of(block, word) {
                let length = match self.lengths {
                    LengthsOf::All(length) => length,
                    // The sum was checked.
                    LengthsOf::Each(_) => lengths.varint().map_or(0, |length| length as usize),
                };
                let (value, rest) = bytes.split_at(length.min(bytes.len()));
                bytes = rest;
                f(row, value);
            }
        }
    }

    /// The values are as many as there are rows, with these lengths.
    fn check(&self) -> Result<(), Fault> {
        let count: usize = self.words.iter().map(|word| word.count_ones() as usize).sum();
        let sum = match &self.lengths {
            LengthsOf::All(length) => count.checked_mul(*length),
            LengthsOf::Each(lengths) => {
                let mut lengths = Decoder::new(lengths);
                let mut sum = Some(0_usize);
                for _ in 0..count {
                    let length = usize::try_from(lengths.varint()?).ok();
                    sum = sum.and_then(|sum| sum.checked_add(length?));
                }
                lengths.end()?;
                sum
            }
        };
        if sum == Some(self.bytes.len()) {
            Ok(())
        } else {
            Err(Fault::new("the values have other lengths than they should have"))
        }
    }
}

impl<D> UnknownParts<D> {
    /// None.
    #[must_use]
    pub const fn new() -> Self {
        Self { pages: BTreeMap::new(), parts: Vec::new(), declaration: PhantomData }
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The kinds and the names of the parts.
    pub fn iter(&self) -> impl Iterator<Item = (PartKind, &str)> {
        self.parts.iter().map(|part| (PartKind::of(part.kind), &*part.name))
    }

    /// Adds a part of a save with these entities.
    pub(super) fn add(&mut self, part: &Part<'_>, entities: &Entities) -> Result<(), LoadError> {
        let &Part { kind, name, shape, version, .. } = part;
        let body = match kind {
            COMPONENT => self.values(part, entities)?,
            SYSTEM if shape == BY_HAND => {
                self.by_hand(part, entities).map_err(|fault| part.damaged(fault))?
            }
            RESOURCE if shape.form & LINKS != 0 => {
                return Err(part.not_kept("its links are between rows"));
            }
            RESOURCE | SYSTEM | STATE => {
                let mut frames = part.frames.clone();
                let mut all = Vec::new();
                while let Some(mut frame) = frames.next().map_err(|fault| part.damaged(fault))? {
                    all.push(frame.rest().to_vec());
                }
                Body::Frames(all)
            }
            _ => return Err(part.not_kept("its kind is of a newer format")),
        };
        self.parts.push(Unknown { kind, name: name.into(), shape, version, body });
        Ok(())
    }

    fn values(&mut self, part: &Part<'_>, entities: &Entities) -> Result<Body, LoadError> {
        let all = match part.shape.form {
            PLAIN => usize::try_from(part.shape.size).unwrap_or(usize::MAX),
            SERDE | EMPTY => 0,
            _ => return Err(part.not_kept("its values have a form of a newer format")),
        };
        let read = |this: &mut Self| {
            let mut pages: Vec<Page> = Vec::new();
            let mut frames = part.frames.clone();
            while let Some(mut frame) = frames.next()? {
                match frame.u8()? {
                    PAGE => {
                        let number = frame.u32()? as usize;
                        if pages.last().is_some_and(|last| last.number >= number) {
                            return Err(Fault::new("a page is out of order"));
                        }
                        let blocks = 0..blocks_of(entities, number);
                        let words = blocks.map(|_| frame.u64()).collect::<Result<Vec<_>, _>>()?;
                        this.note_living(number, &words, entities)?;
                        let bytes = frame.rest().to_vec();
                        pages.push(Page { number, words, bytes, lengths: LengthsOf::All(all) });
                    }
                    LENGTHS if part.shape.form == SERDE => {
                        let page = frame.u32()? as usize;
                        let Some(last) = pages.last_mut().filter(|last| last.number == page) else {
                            return Err(Fault::new("there are lengths of no values"));
                        };
                        let lengths = frame.rest();
                        let mut from = Decoder::new(lengths);
                        let first = from.varint()?;
                        last.lengths = if from.is_empty() {
                            LengthsOf::All(usize::try_from(first).unwrap_or(usize::MAX))
                        } else {
                            LengthsOf::Each(lengths.to_vec())
                        };
                    }
                    _ => {}
                }
            }
            Ok(pages)
        };
        let pages = read(self).map_err(|fault| part.damaged(fault))?;
        let is_short = |page: &Page| {
            part.shape.form == SERDE
                && matches!(page.lengths, LengthsOf::All(0))
                && !page.bytes.is_empty()
        };
        if pages.iter().any(is_short) {
            return Err(part.not_kept(
                "the save does not say how long its values are; it is to be written by `SaveFormat::with_lengths`",
            ));
        }
        match pages.iter().try_for_each(Page::check) {
            Ok(()) => Ok(Body::Values(pages)),
            Err(fault) => Err(part.damaged(fault)),
        }
    }

    fn by_hand(&mut self, part: &Part<'_>, entities: &Entities) -> Result<Body, Fault> {
        let mut frame = part.frame()?;
        let count = frame.len()?;
        let mut pages: Vec<Page> = Vec::new();
        for block in 0..count {
            let word = frame.u64()? & entities.alive().word(block);
            if word == 0 {
                continue;
            }
            let number = block / BLOCKS_PER_PAGE;
            if pages.last().is_none_or(|last| last.number != number) {
                let (words, bytes) = (vec![0; blocks_of(entities, number)], Vec::new());
                pages.push(Page { number, words, bytes, lengths: LengthsOf::All(0) });
            }
            if let Some(last) = pages.last_mut() {
                last.words[block % BLOCKS_PER_PAGE] = word;
            }
        }
        frame.end()?;
        for page in &pages {
            self.note_living(page.number, &page.words, entities)?;
        }
        Ok(Body::Values(pages))
    }

    /// Notes the handles of the page. The rows of `members` have to be alive.
    fn note_living(
        &mut self,
        page: usize,
        members: &[u64],
        entities: &Entities,
    ) -> Result<(), Fault> {
        let alive = |block: usize| entities.alive().word(page * BLOCKS_PER_PAGE + block);
        if page >= entities.page_count()
            || members.iter().enumerate().any(|(block, word)| word & !alive(block) != 0)
        {
            return Err(Fault::new("an entity that is not alive has the component"));
        }
        self.pages.entry(page).or_insert_with(|| {
            let words: PageWords = core::array::from_fn(alive);
            let mut living =
                Vec::with_capacity(words.iter().map(|w| w.count_ones() as usize).sum());
            for (block, &word) in words.iter().enumerate() {
                let rows = rows_of(block, word).map(|row| page * PAGE_ROWS + row);
                living.extend(rows.map(|row| entities.rows()[row]));
            }
            Living { words, entities: living }
        });
        Ok(())
    }

    /// Writes the parts, with the values of entities in their present rows.
    pub(super) fn write(&self, storage: &Storage, to: &mut Encoder<'_>) {
        for unknown in &self.parts {
            part(to, unknown.kind, &unknown.name, unknown.shape, unknown.version);
            match &unknown.body {
                Body::Frames(frames) => {
                    for frame in frames {
                        to.begin_frame_of(frame.len());
                        to.put(frame);
                        to.end_frame();
                    }
                }
                Body::Values(pages) => {
                    let values = self.values_now(pages, &storage.entities);
                    if unknown.shape == BY_HAND {
                        write_by_hand(&values, to);
                    } else {
                        write_values(&values, unknown.shape, storage, to);
                    }
                }
            }
            end_part(to);
        }
    }

    /// The values of the entities that are alive, by their present rows.
    fn values_now<'p>(&self, pages: &'p [Page], entities: &Entities) -> Vec<(usize, &'p [u8])> {
        let mut values = Vec::new();
        for page in pages {
            let Some(living) = self.pages.get(&page.number) else { continue };
            // The handles of all rows before the block.
            let mut before = 0;
            let mut firsts = [0; BLOCKS_PER_PAGE];
            for (first, word) in firsts.iter_mut().zip(&living.words) {
                *first = before;
                before += word.count_ones() as usize;
            }
            page.for_each(|row, value| {
                let (block, bit) = (row / BLOCK_ROWS, row % BLOCK_ROWS);
                let lower = living.words[block] & ((1 << bit) - 1);
                let entity = living.entities[firsts[block] + lower.count_ones() as usize];
                if let Some(now) = entities.row(entity) {
                    values.push((now, value));
                }
            });
        }
        values.sort_unstable_by_key(|&(row, _)| row);
        values
    }
}

/// The number of blocks of a page that have rows.
fn blocks_of(entities: &Entities, page: usize) -> usize {
    let blocks = entities.rows().len().div_ceil(BLOCK_ROWS);
    blocks.saturating_sub(page.saturating_mul(BLOCKS_PER_PAGE)).min(BLOCKS_PER_PAGE)
}

/// Writes pages, as those of a component.
fn write_values(values: &[(usize, &[u8])], shape: Shape, storage: &Storage, to: &mut Encoder<'_>) {
    for page in values.chunk_by(|(one, _), (other, _)| one / PAGE_ROWS == other / PAGE_ROWS) {
        let number = page[0].0 / PAGE_ROWS;
        let mut words = [0_u64; BLOCKS_PER_PAGE];
        for (row, _) in page {
            words[row % PAGE_ROWS / BLOCK_ROWS] |= 1 << (row % BLOCK_ROWS);
        }
        let blocks = blocks_of(&storage.entities, number);
        let bytes: usize = page.iter().map(|(_, value)| value.len()).sum();
        to.begin_frame_of(5 + blocks * size_of::<u64>() + bytes);
        to.u8(PAGE);
        to.u32(number as u32);
        words[..blocks].iter().for_each(|word| to.u64(*word));
        for (_, value) in page {
            to.put(value);
        }
        to.end_frame();
        if shape.form == SERDE {
            let mut lengths = Lengths::default();
            lengths.clear();
            for (_, value) in page {
                lengths.extend(&[value.len()]);
            }
            to.lengths(LENGTHS, number, &lengths);
        }
    }
}

/// Writes the blocks of rows, up to the last one that is not empty.
fn write_by_hand(values: &[(usize, &[u8])], to: &mut Encoder<'_>) {
    let mut words = vec![0_u64; values.last().map_or(0, |(last, _)| last / BLOCK_ROWS + 1)];
    for (row, _) in values {
        words[row / BLOCK_ROWS] |= 1 << (row % BLOCK_ROWS);
    }
    to.begin_frame();
    to.len(words.len());
    for word in words {
        to.u64(word);
    }
    to.end_frame();
}

impl<D> Default for UnknownParts<D> {
    fn default() -> Self {
        Self::new()
    }
}

impl<D> fmt::Debug for UnknownParts<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(|(kind, name)| format!("{kind} `{name}`"))).finish()
    }
}
