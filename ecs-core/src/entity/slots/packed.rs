//! Pages of slots most of which are spare, in little memory.

use core::array;
use core::cell::UnsafeCell;

use super::{PAGE_SLOTS, PAGE_WORDS, Slot};
use crate::entity::Entity;
use crate::rows::bits;

/// The slots of a page, most of which are spare. Of each spare slot it has the next generation, in 0, 1, 2, 4, 8, 16 or 32 bits.
/// It has the other slots *whole*, eight bytes each; they may change, also to spare ones.
///
/// The words are, in this order:
/// - the set of whole slots, in a word for 64 slots;
/// - for each of these words, how many whole slots are before it, in a byte;
/// - the lowest generation, and above it the number of bits of each generation;
/// - the whole slots;
/// - for each spare slot, what its generation is above the lowest one.
#[derive(Debug)]
pub(in crate::entity) struct Packed(Box<[UnsafeCell<u64>]>);

// SAFETY: through `&Packed`, only `set_packed` writes, and only to the word of a whole slot. By its contract nothing else uses that
// word meanwhile. All other writes go through `&mut Packed`.
unsafe impl Sync for Packed {}

/// The most slots that a page has whole: as many as a byte of the counts can hold.
pub(super) const MOST_WHOLE: usize = u8::MAX as usize;
/// The word with the counts.
const BEFORE: usize = PAGE_WORDS;
/// The word with the lowest generation and the number of bits.
const GENERATIONS: usize = BEFORE + 1;
/// The first whole slot.
const WHOLE: usize = GENERATIONS + 1;

impl Packed {
    /// Packs the slots of a page, of which the set of `spare` ones has one word for 64. At most [`MOST_WHOLE`] are not spare. `None`
    /// if the system refuses the memory.
    fn new(page: usize, slots: &[Slot; PAGE_SLOTS], spare: [u64; PAGE_WORDS]) -> Option<Self> {
        let [least, last] = generations(slots, spare);
        let width = match u32::BITS - last.saturating_sub(least).leading_zeros() {
            0 => 0,
            // Then no generation lies in two words.
            bits => bits.next_power_of_two(),
        };
        let whole = spare.map(|word| !word);
        let (mut before, mut count) = (0, 0);
        for (number, word) in whole.iter().enumerate() {
            before |= (count as u64) << (8 * number);
            count += word.count_ones() as usize;
        }
        debug_assert!(count <= MOST_WHOLE);
        let first_bit = (WHOLE + count) * 64;
        let len = (first_bit + (PAGE_SLOTS - count) * width as usize).div_ceil(64);
        let mut words = Vec::new();
        words.try_reserve_exact(len).ok()?;
        words.extend(whole);
        words.extend([before, u64::from(width) << 32 | u64::from(least)]);
        words.extend(members(whole).map(|at| slots[at].or_first(page * PAGE_SLOTS + at).0));
        words.resize(len, 0);
        if width > 0 {
            for (bit, at) in (first_bit..).step_by(width as usize).zip(members(spare)) {
                words[bit / 64] |= u64::from(slots[at].row() - least) << (bit % 64);
            }
        }
        Some(Self(words.into_iter().map(UnsafeCell::new).collect()))
    }

    /// The bytes that it takes.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.0)
    }

    #[inline]
    fn word(&self, at: usize) -> u64 {
        read(&self.0[at])
    }

    /// The set of those that it has whole.
    fn whole(&self) -> [u64; PAGE_WORDS] {
        array::from_fn(|at| self.word(at))
    }

    /// Whether the page has this slot whole, and how many it has whole before it.
    #[inline(always)]
    fn place(&self, at: usize) -> Option<(bool, usize)> {
        let head: &[UnsafeCell<u64>; WHOLE] = self.0.first_chunk()?;
        let (number, bit) = (at / 64 % PAGE_WORDS, at % 64);
        let word = read(&head[number]);
        let before = (read(&head[BEFORE]) >> (8 * number)) as u8 as usize;
        Some((word >> bit & 1 == 1, before + (word & ((1 << bit) - 1)).count_ones() as usize))
    }

    /// The word that has the slot, if the page has it whole.
    #[inline(always)]
    fn whole_one(&self, at: usize) -> Option<&UnsafeCell<u64>> {
        let (is_whole, before) = self.place(at)?;
        self.0.get(WHOLE + before).filter(|_| is_whole)
    }

    fn get(&self, at: usize) -> Slot {
        match self.place(at) {
            Some((true, number)) => Slot(self.word(WHOLE + number)),
            Some((false, whole)) => Slot::new(self.generation(self.whole_count(), at - whole), 0),
            None => unreachable!("a page has a head"),
        }
    }

    /// The number of whole slots.
    fn whole_count(&self) -> usize {
        let before_last = (self.word(BEFORE) >> (8 * (PAGE_WORDS - 1))) as usize;
        before_last + self.word(PAGE_WORDS - 1).count_ones() as usize
    }

    /// The next generation of the spare slot with this number among the spare ones, in a page with `whole` whole ones.
    fn generation(&self, whole: usize, number: usize) -> u32 {
        let (least, width) = (self.word(GENERATIONS) as u32, self.word(GENERATIONS) >> 32);
        if width == 0 {
            return least;
        }
        let bit = (WHOLE + whole) * 64 + number * width as usize;
        let above = self.word(bit / 64) >> (bit % 64);
        least + (above as u32 & (u32::MAX >> (32 - width)))
    }

    /// All slots of the page.
    fn slots(&self) -> [Slot; PAGE_SLOTS] {
        let mut slots = [Slot::FREE; PAGE_SLOTS];
        let whole = self.whole();
        if self.word(GENERATIONS) >> 32 == 0 {
            slots.fill(Slot::new(self.word(GENERATIONS) as u32, 0));
        } else {
            let count = self.whole_count();
            for (at, number) in members(whole.map(|word| !word)).zip(0..) {
                slots[at] = Slot::new(self.generation(count, number), 0);
            }
        }
        for (at, number) in members(whole).zip(WHOLE..) {
            slots[at] = Slot(self.word(number));
        }
        slots
    }
}

/// The lowest and the highest generation of the `spare` slots, of which there is at least one.
fn generations(slots: &[Slot; PAGE_SLOTS], spare: [u64; PAGE_WORDS]) -> [u32; 2] {
    // Most pages whose entities have all died have one generation. (Without an end before the last slot, the compiler makes
    // vectors of the loop.)
    let one = slots[0];
    let differs = |slot: &Slot| slot.bits() ^ one.bits();
    if spare == [u64::MAX; PAGE_WORDS]
        && slots.iter().map(differs).fold(0, |all, one| all | one) == 0
    {
        return [one.row(); 2];
    }
    let (mut least, mut last) = (u32::MAX, 0);
    for (slots, spare) in slots.chunks(64).zip(spare) {
        for (bit, slot) in slots.iter().enumerate() {
            // All ones for a spare slot, else 0: the loop has no branch.
            let is_spare = 0_u32.wrapping_sub((spare >> bit) as u32 & 1);
            least = least.min(slot.row() | !is_spare);
            last = last.max(slot.row() & is_spare);
        }
    }
    [least, last]
}

#[inline(always)]
fn read(word: &UnsafeCell<u64>) -> u64 {
    // SAFETY: only `set_packed` writes a word that is shared, and by its contract nothing else uses the word meanwhile.
    unsafe { *word.get() }
}

/// The numbers of a set, ascending.
fn members(words: [u64; PAGE_WORDS]) -> impl Iterator<Item = usize> {
    words
        .into_iter()
        .enumerate()
        .flat_map(|(number, word)| bits(word).map(move |bit| 64 * number + bit))
}

/// Those pages of a table that are packed. Their slots in the table itself are unwritten.
#[derive(Debug, Default)]
pub(super) struct PackedPages {
    /// By page. Empty if none is packed.
    pages: Vec<Option<Packed>>,
    count: usize,
}

impl PackedPages {
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// The number of pages that are packed.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    fn of(&self, page: usize) -> Option<&Packed> {
        self.pages.get(page)?.as_ref()
    }

    pub(super) fn contains(&self, page: usize) -> bool {
        self.of(page).is_some()
    }

    /// The slot of an index, if its page is packed. O(1).
    pub(super) fn get(&self, index: usize) -> Option<Slot> {
        self.of(index / PAGE_SLOTS).map(|page| page.get(index % PAGE_SLOTS))
    }

    /// The row of an entity that is alive, whose slot in the table is unwritten. O(1).
    // `inline`, so that loops of other crates see that it writes nothing, and keep values in registers.
    #[cold]
    #[inline]
    pub(super) fn row(&self, entity: Entity) -> Option<usize> {
        let index = entity.index() as usize;
        let Some(page) = self.of(index / PAGE_SLOTS) else {
            return entity.is_first().then_some(index);
        };
        let slot = Slot(read(page.whole_one(index % PAGE_SLOTS)?));
        (slot.generation() == entity.generation().get()).then_some(slot.row() as usize)
    }

    pub(super) fn as_slice(&self) -> &[Option<Packed>] {
        &self.pages
    }

    /// Packs a page with these slots, of which these are `spare`, or packs it anew. Returns whether the system gives the
    /// memory.
    pub(super) fn pack(
        &mut self,
        page: usize,
        slots: &[Slot; PAGE_SLOTS],
        spare: [u64; PAGE_WORDS],
    ) -> bool {
        let more = (page + 1).saturating_sub(self.pages.len());
        if self.pages.try_reserve(more).is_err() {
            return false;
        }
        let Some(packed) = Packed::new(page, slots, spare) else { return false };
        if more > 0 {
            self.pages.resize_with(page + 1, || None);
        }
        self.count += usize::from(self.pages[page].is_none());
        self.pages[page] = Some(packed);
        true
    }

    /// The slots of a page that is packed, and that has many slots whole which have become spare since.
    pub(super) fn slots_to_repack(&self, page: usize, spare: usize) -> Option<[Slot; PAGE_SLOTS]> {
        let packed = self.of(page)?;
        // Less would not pay for the work: half of the whole slots, and a line of a cache.
        (packed.whole_count() > 2 * (PAGE_SLOTS - spare) + 8).then(|| packed.slots())
    }

    /// The slots of a page, if it is packed, which it is not from here on.
    pub(super) fn unpack(&mut self, page: usize) -> Option<[Slot; PAGE_SLOTS]> {
        let packed = self.pages.get_mut(page).and_then(Option::take)?;
        self.count -= 1;
        if self.count == 0 {
            self.pages = Vec::new();
        }
        Some(packed.slots())
    }

    /// Becomes a copy of `from`, reusing its own memory.
    pub(super) fn copy(&mut self, from: &Self) {
        self.pages.resize_with(from.pages.len(), || None);
        for (page, from) in self.pages.iter_mut().zip(&from.pages) {
            let Some(from) = from else {
                *page = None;
                continue;
            };
            let words = from.0.iter().map(read);
            match page {
                Some(page) if page.0.len() == from.0.len() => {
                    page.0.iter_mut().zip(words).for_each(|(word, from)| *word.get_mut() = from);
                }
                _ => *page = Some(Packed(words.map(UnsafeCell::new).collect())),
            }
        }
        self.count = from.count;
    }
}

/// Changes the slot of an index, in the table or in its page, if that is packed.
///
/// # Panics
/// If the page is packed, and the index was spare when it was.
///
/// # Safety
/// No other thread may use the slot of the index.
#[inline(always)]
pub(in crate::entity) unsafe fn set(
    slot: &mut Slot,
    pages: &[Option<Packed>],
    index: usize,
    to: Slot,
) {
    // SAFETY: by the contract.
    if *slot == Slot::UNWRITTEN && !pages.is_empty() && unsafe { set_packed(pages, index, to) } {
        return;
    }
    *slot = to;
}

/// Changes the slot of an index, if its page is packed. Returns whether it is.
///
/// # Panics
/// If the index was spare when the page was packed.
///
/// # Safety
/// As for [`set`].
#[cold]
unsafe fn set_packed(pages: &[Option<Packed>], index: usize, to: Slot) -> bool {
    let Some(Some(page)) = pages.get(index / PAGE_SLOTS) else { return false };
    let word = page.whole_one(index % PAGE_SLOTS);
    let word = word
        .unwrap_or_else(|| panic!("the index {index} is spare in a packed page, and is changed"));
    // SAFETY: the word is the slot of the index, so by the contract no other thread uses it. No reference to its content exists:
    // `read` copies it, and `get_mut` needs `&mut Packed`.
    unsafe { *word.get() = to.0 };
    true
}
