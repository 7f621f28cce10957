//! Components as bytes: presence and values, page by page, then marks, and removed values.

use crate::entity::NotLoaded;
use crate::rows::{PageWords, end_of, next_run, rows_of};
use crate::storage::stored::Stored;
use crate::storage::{BLOCK_ROWS, BLOCKS_PER_PAGE, Column, HasColumn, PAGE_ROWS, Storage, Values};
use crate::types::bytes::{
    Codec, Decoder, Encoder, Fault, Frames, Lengths, PlainValues, ReadValues,
};

/// What a frame has.
pub(crate) const PAGE: u8 = 0;
/// No value of the pages before is marked, except as the frames behind say.
const UNMARKED: u8 = 1;
const MARKS: u8 = 2;
pub(crate) const REMOVED: u8 = 3;
/// How long the values of the page before are, if they differ in that. It is for programs that do not know their type.
pub(crate) const LENGTHS: u8 = 4;

impl Storage {
    /// Adds the component `C` in frames. `readers` stands for the systems that ask what has changed, and `K` writes values.
    pub(crate) fn save_component<'a, D: HasColumn<C>, C: 'static, K: Codec<'a, C>>(
        &self,
        readers: u64,
        to: &mut Encoder<'_>,
    ) -> Result<(), Fault> {
        let presence = &self.column::<D, C>().presence;
        let mut lengths = Lengths::default();
        for page in 0..self.entities.page_count() {
            let Some(words) = presence.page(page) else { continue };
            if words.iter().all(|word| *word == 0) {
                continue;
            }
            let blocks = self.blocks_of(page);
            match const { K::BYTES } {
                Some(bytes) => {
                    let count: usize = words.iter().map(|word| word.count_ones() as usize).sum();
                    to.begin_frame_of(5 + blocks * size_of::<u64>() + count * bytes);
                }
                None => to.begin_frame(),
            }
            to.u8(PAGE);
            to.u32(page as u32);
            words[..blocks].iter().for_each(|word| to.u64(*word));
            if const { K::BYTES.is_some() } || !to.has_lengths() {
                self.for_each_slice::<D, C>(page, words, &mut |values| K::write_all(values, to))?;
                to.end_frame();
                continue;
            }
            lengths.clear();
            self.for_each_slice::<D, C>(page, words, &mut |values| {
                write_measured::<C, K>(values, to, &mut lengths)
            })?;
            to.end_frame();
            to.lengths(LENGTHS, page, &lengths);
        }
        if const { D::LANES.is_tracked() } {
            self.save_marks::<D, C>(readers, to);
        }
        if const { D::KEEPS_REMOVED } {
            self.save_removals::<D, C, K>(REMOVED, readers, to)?;
        }
        Ok(())
    }

    /// The values of the rows in `words`, which are the presence set of the page, as slices of those that lie side by side.
    fn for_each_slice<D: HasColumn<C>, C: 'static>(
        &self,
        page: usize,
        words: &PageWords,
        f: &mut dyn FnMut(&[C]) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        if const { <D::Strategy as Stored<C>>::EXTERNAL.is_none() } {
            let (_, layout) = self.column::<D, C>().buffered();
            if layout.stride == size_of::<C>() {
                let first =
                    self.values::<D, C>().first.wrapping_add(page * PAGE_ROWS * layout.stride);
                let mut start = 0;
                while let Some(run) = next_run(words, start, BLOCKS_PER_PAGE) {
                    start = run.end;
                    let values = first.wrapping_add(run.start * layout.stride).cast::<C>();
                    // SAFETY: `column` asserts that the values are of type `C`. Each of the rows has one, as `words` are
                    // the presence set, and they lie in one buffer, at a stride of the size of a `C`. Only subtasks write
                    // components through `&Storage`, and there are none now.
                    f(unsafe { core::slice::from_raw_parts(values, run.len()) })?;
                }
                return Ok(());
            }
        }
        let Some(cursor) = D::Strategy::page(D::Strategy::table::<D>(self), page) else {
            return Ok(());
        };
        for (block, &word) in words.iter().enumerate() {
            for offset in rows_of(block, word) {
                // SAFETY: the row is in the presence set, so it has a `C`.
                let place = unsafe { D::Strategy::at::<D>(cursor, offset) };
                // SAFETY: `at` points to the row's live `C`. Only subtasks write components through `&Storage`, and there
                // are none now.
                f(core::slice::from_ref(unsafe { &*place }))?;
            }
        }
        Ok(())
    }

    /// Reads the entities into a new storage.
    pub(crate) fn load_entities(&mut self, from: &mut Frames<'_>) -> Result<(), NotLoaded> {
        self.entities.load(from)?;
        self.reserve_marks(self.entities.rows().len().div_ceil(BLOCK_ROWS));
        Ok(())
    }

    /// Reads the frames of the component `C`, of which there is none yet. The entities are there. After an error, some
    /// values are missing. Values of plain old data are checked, and left to be filled in.
    pub(crate) fn load_component<'b, D: HasColumn<C>, C: 'static>(
        &mut self,
        readers: u64,
        from: &mut Frames<'b>,
        read: &impl ReadValues<C>,
    ) -> Result<Option<Unfilled<'b>>, Fault> {
        let mut pages = Vec::new();
        let (mut next, mut is_unmarked) = (0, false);
        while let Some(mut frame) = from.next()? {
            match frame.u8()? {
                PAGE => {
                    let page = frame.u32()? as usize;
                    if page < next || page >= self.entities.page_count() {
                        return Err(Fault::new("a page is out of order"));
                    }
                    next = page + 1;
                    let mut words = [0; BLOCKS_PER_PAGE];
                    for (block, word) in words[..self.blocks_of(page)].iter_mut().enumerate() {
                        *word = frame.u64()?;
                        if *word & !self.entities.alive().word(page * BLOCKS_PER_PAGE + block) != 0
                        {
                            return Err(Fault::new(
                                "an entity that is not alive has the component",
                            ));
                        }
                    }
                    let count = words.iter().map(|word| word.count_ones() as usize).sum();
                    if const { is_overwritten::<D, C>() }
                        && let Some(values) = read.plain(&mut frame, count)?
                    {
                        self.mark_page::<D, C>(page, &words);
                        pages.push(PlainPage { page, words, values });
                    } else {
                        self.fill_page::<D, C>(page, &words, &mut frame, read)?;
                    }
                    frame.end()?;
                }
                UNMARKED if core::mem::replace(&mut is_unmarked, true) => {
                    return Err(Fault::new("marks are there twice"));
                }
                UNMARKED if D::LANES.is_tracked() => {
                    if frame.u64()? == readers {
                        self.column_mut::<D, C>().lanes.clear();
                    }
                }
                MARKS if D::LANES.is_tracked() => self.load_marks::<D, C>(readers, &mut frame)?,
                REMOVED if D::KEEPS_REMOVED => {
                    self.load_removals::<D, C>(readers, &mut frame, read)?;
                }
                // Of a declaration in which another system asked for them, or for one that does not have the component.
                UNMARKED | MARKS | REMOVED | LENGTHS => {}
                _ => return Err(Fault::new("a frame is of no known kind")),
            }
        }
        let Some(last) = pages.last() else { return Ok(None) };
        Ok(Some(Unfilled {
            component: <D as HasColumn<C>>::INDEX,
            rows: last.page * PAGE_ROWS + end_of_page(&last.words),
            values: pages.iter().map(|page| count_rows(&page.words)).sum(),
            fill: Box::new(move |storage| {
                for page in &pages {
                    storage.fill_plain::<D, C>(page);
                }
            }),
        }))
    }

    /// Fills in the values that are left. The memory for them comes from `old`, if it can: a storage of the same declaration, which is
    /// dropped then.
    ///
    /// # Panics
    /// If the system refuses memory for them. `old` has all of its values then.
    pub(crate) fn fill(&mut self, unfilled: Vec<Unfilled<'_>>, mut old: Option<&mut Self>) {
        // For each buffer that gets values, the number of rows, and whether its memory is taken from `old`.
        let mut taken = Vec::new();
        for buffer in 0..self.buffers.len() {
            let is_in = |column: &Column| matches!(column.values, Values::Buffered { buffer: in_it, .. } if in_it == buffer);
            let these = unfilled.iter().filter(|one| is_in(&self.columns[one.component]));
            let values = these.clone().map(|one| one.values).max().unwrap_or(0);
            let Some(rows) = these.map(|one| one.rows).max() else { continue };
            // No value lies there in the new storage, and none is to be dropped in the old one.
            let is_free = |column: &Column| {
                !column.info.needs_drop() && column.presence.dirty_pages().is_empty()
            };
            match &mut old {
                Some(old) if self.columns.iter().all(|one| !is_in(one) || is_free(one)) => {
                    old.buffers[buffer].reserve(rows, || values);
                    taken.push(buffer);
                }
                _ => self.buffers[buffer].reserve(rows, || values),
            }
        }
        if let Some(old) = &mut old {
            for &buffer in &taken {
                core::mem::swap(&mut *self.buffers[buffer], &mut *old.buffers[buffer]);
            }
        }
        for one in unfilled {
            (one.fill)(self);
        }
        if let Some(old) = old {
            for buffer in taken {
                self.free_pages_unlike(buffer, old);
            }
        }
    }

    /// Gives back the memory of the pages of a buffer in which only `old` has values.
    fn free_pages_unlike(&mut self, buffer: usize, old: &Self) {
        let has_values = |storage: &Self, page| {
            storage.columns.iter().any(|column| {
                matches!(column.values, Values::Buffered { buffer: in_it, .. } if in_it == buffer)
                    && column
                        .presence
                        .page(page)
                        .is_some_and(|words| *words != [0; BLOCKS_PER_PAGE])
            })
        };
        for page in 0..old.entities.page_count() {
            if !has_values(self, page) && has_values(old, page) {
                self.buffers[buffer].free_page(page);
            }
        }
    }

    /// Gives the rows of the page, which have none, their values.
    fn fill_plain<D: HasColumn<C>, C: 'static>(&mut self, page: &PlainPage<'_, C>) {
        let &PlainPage { page, ref words, ref values } = page;
        let Some(last) = words.iter().rposition(|&word| word != 0) else { return };
        let (_, layout) = self.column::<D, C>().buffered();
        // First, as it makes the memory grow, unless it has already.
        self.place_of::<D, C>(page * PAGE_ROWS + end_of(last, words[last]) - 1);
        let first = self.values::<D, C>().first.wrapping_add(page * PAGE_ROWS * layout.stride);
        let (mut values, mut start) = (values.bytes(), 0);
        while let Some(run) = next_run(words, start, BLOCKS_PER_PAGE) {
            start = run.end;
            let (these, others) = values.split_at(run.len() * size_of::<C>());
            values = others;
            let place = first.wrapping_add(run.start * layout.stride);
            if layout.stride == size_of::<C>() {
                // SAFETY: the buffer has grown to the page's last row in `words`, and these are some of them, which lie side by side
                // at a stride of the size of a `C`, by the table of `D`. `these` has as many bytes, and lies elsewhere:
                // `&mut self` excludes all other references to the buffer.
                unsafe { core::ptr::copy_nonoverlapping(these.as_ptr(), place, these.len()) };
                continue;
            }
            for (row, value) in these.chunks_exact(size_of::<C>().max(1)).enumerate() {
                let place = place.wrapping_add(row * layout.stride);
                // SAFETY: as above, for one row at the stride of the buffer.
                unsafe { core::ptr::copy_nonoverlapping(value.as_ptr(), place, size_of::<C>()) };
            }
        }
        // The bytes were checked: they are values of type `C`, which is plain old data and not dropped.
        self.column_mut::<D, C>().presence.add_page(page, words);
    }

    /// Marks the rows in `words` as new.
    fn mark_page<D: HasColumn<C>, C: 'static>(&self, page: usize, words: &PageWords) {
        if const { D::LANES.is_tracked() } {
            for (block, &word) in words.iter().enumerate().filter(|(_, word)| **word != 0) {
                self.column::<D, C>().lanes.mark(page * BLOCKS_PER_PAGE + block, word, word);
            }
        }
    }

    /// Gives the rows in `words`, which have none, the values whose bytes are next.
    fn fill_page<D: HasColumn<C>, C: 'static>(
        &mut self,
        page: usize,
        words: &PageWords,
        from: &mut Decoder<'_>,
        read: &impl ReadValues<C>,
    ) -> Result<(), Fault> {
        if const { is_overwritten::<D, C>() }
            && let Some(last) = words.iter().rposition(|&word| word != 0)
        {
            let (_, layout) = self.column::<D, C>().buffered();
            // First, as it makes the memory grow.
            self.place_of::<D, C>(page * PAGE_ROWS + end_of(last, words[last]) - 1);
            let first = self.values::<D, C>().first.wrapping_add(page * PAGE_ROWS * layout.stride);
            let mut start = 0;
            while let Some(run) = next_run(words, start, BLOCKS_PER_PAGE) {
                start = run.end;
                let mut places = run.map(|row| first.wrapping_add(row * layout.stride).cast::<C>());
                read.read_all(from, places.len(), |value| {
                    let Some(place) = places.next() else { return };
                    // SAFETY: the buffer has grown to the page's last row in `words`, and this is one of them; it has the
                    // stride of the buffer and is aligned for a `C`, by the table of `D`. `&mut self` excludes all other
                    // references. A value that might lie there is not dropped, and does not need to be.
                    unsafe { place.write(value) };
                })?;
            }
            self.column_mut::<D, C>().presence.add_page(page, words);
            self.mark_page::<D, C>(page, words);
            return Ok(());
        }
        for (block, &word) in words.iter().enumerate() {
            let mut rows = rows_of(block, word);
            read.read_all(from, word.count_ones() as usize, |value| {
                if let Some(row) = rows.next() {
                    self.insert::<D, C>(page * PAGE_ROWS + row, value);
                }
            })?;
        }
        Ok(())
    }

    /// The number of blocks of a page that have rows.
    fn blocks_of(&self, page: usize) -> usize {
        let blocks = self.entities.rows().len().div_ceil(BLOCK_ROWS);
        blocks.saturating_sub(page * BLOCKS_PER_PAGE).min(BLOCKS_PER_PAGE)
    }

    /// Adds the marks of `C`, in a frame for each page that has some. A mark of a row without the component means nothing.
    fn save_marks<D: HasColumn<C>, C: 'static>(&self, readers: u64, to: &mut Encoder<'_>) {
        let Column { lanes, presence, .. } = self.column::<D, C>();
        let count = const { D::LANES.all };
        to.begin_frame();
        to.u8(UNMARKED);
        to.u64(readers);
        to.end_frame();
        for page in 0..self.entities.page_count() {
            let first = page * BLOCKS_PER_PAGE;
            let words = || {
                (first..first + self.blocks_of(page)).flat_map(|block| {
                    let members = presence.word(block);
                    (0..count).map(move |lane| lanes.marked(block, lane) & members)
                })
            };
            if words().all(|word| word == 0) {
                continue;
            }
            to.begin_frame();
            to.u8(MARKS);
            to.u64(readers);
            to.u32(page as u32);
            words().for_each(|word| to.u64(word));
            to.end_frame();
        }
    }

    /// Reads the marks of one page. Those for other systems than now are left out: all that there is stays new to the systems.
    fn load_marks<D: HasColumn<C>, C: 'static>(
        &mut self,
        readers: u64,
        frame: &mut Decoder<'_>,
    ) -> Result<(), Fault> {
        if frame.u64()? != readers {
            return Ok(());
        }
        let page = frame.u32()? as usize;
        if page >= self.entities.page_count() {
            return Err(Fault::new("there are marks where no entity is"));
        }
        let (first, blocks) = (page * BLOCKS_PER_PAGE, self.blocks_of(page));
        let lanes = &mut self.column_mut::<D, C>().lanes;
        for block in first..first + blocks {
            for lane in 0..const { D::LANES.all } {
                lanes.set_marked(block, lane, frame.u64()?);
            }
        }
        frame.end()
    }
}

/// Values of plain old data of a page, which were checked.
struct PlainPage<'b, C> {
    page: usize,
    /// The rows that have them.
    words: PageWords,
    values: PlainValues<'b, C>,
}

/// The values of a component that are left to be filled in by [`Storage::fill`]. That cannot fail any more.
pub(crate) struct Unfilled<'b> {
    component: usize,
    /// All rows that get values are before this one.
    rows: usize,
    /// The number of rows that get values.
    values: usize,
    fill: Box<dyn FnOnce(&mut Storage) + 'b>,
}

/// Whether a new value can be written over memory in which none lies, or over an old value: `C` lies in a buffer, and is not dropped.
const fn is_overwritten<D: HasColumn<C>, C: 'static>() -> bool {
    <D::Strategy as Stored<C>>::EXTERNAL.is_none() && !core::mem::needs_drop::<C>()
}

/// The number of rows in `words`.
fn count_rows(words: &PageWords) -> usize {
    words.iter().map(|word| word.count_ones() as usize).sum()
}

/// The row after the last one of the page that is in `words`, in the page.
fn end_of_page(words: &PageWords) -> usize {
    words.iter().rposition(|&word| word != 0).map_or(0, |last| end_of(last, words[last]))
}

/// Adds the bytes of all values, and notes how many each has.
fn write_measured<'a, C, K: Codec<'a, C>>(
    values: &[C],
    to: &mut Encoder<'_>,
    lengths: &mut Lengths,
) -> Result<(), Fault> {
    let (mut before, mut some) = (to.collected(), [0; BLOCK_ROWS]);
    for values in values.chunks(BLOCK_ROWS) {
        for (value, length) in values.iter().zip(&mut some) {
            K::write(value, to)?;
            let after = to.collected();
            *length = after - before;
            before = after;
        }
        lengths.extend(&some[..values.len()]);
    }
    Ok(())
}
