//! The position of a component in its buffer, computed from the declaration's tables, also in
//! `const`.

use core::marker::PhantomData;

use crate::storage::{ColumnTable, ComponentSignature, PAGE_ROWS};
use crate::types::{MAX_COMPONENTS, TypeInfo};

/// The position of the values of one component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Bytes from the start of a row to the component.
    pub offset: usize,
    /// Bytes from row to row.
    pub stride: usize,
    /// Alignment of a row.
    pub align: usize,
}

/// Rows of buffers, as far as they are laid out. The components of a buffer lie one after the other in the order of
/// declaration, each at its alignment.
struct Rows {
    /// For each buffer the end of its row; `None` if it is beyond the address space.
    ends: [Option<usize>; MAX_COMPONENTS],
    aligns: [usize; MAX_COMPONENTS],
}

impl Rows {
    const EMPTY: Self = Self { ends: [Some(0); MAX_COMPONENTS], aligns: [1; MAX_COMPONENTS] };

    /// Appends a component to the row of the buffer, and returns its offset.
    const fn append(&mut self, buffer: usize, info: &TypeInfo) -> Option<usize> {
        if info.align() > self.aligns[buffer] {
            self.aligns[buffer] = info.align();
        }
        let offset = match self.ends[buffer] {
            Some(end) => end.checked_next_multiple_of(info.align()),
            None => None,
        };
        self.ends[buffer] = match offset {
            Some(offset) => offset.checked_add(info.size()),
            None => None,
        };
        offset
    }

    /// Bytes from row to row.
    const fn stride(&self, buffer: usize) -> Option<usize> {
        match self.ends[buffer] {
            Some(end) => end.checked_next_multiple_of(self.aligns[buffer]),
            None => None,
        }
    }
}

/// The layouts of all components.
///
/// The numbers of buffers must be below [`MAX_COMPONENTS`].
pub(crate) struct Layouts {
    /// That of a component in no buffer has no alignment.
    of: [Layout; MAX_COMPONENTS],
}

impl Layouts {
    /// O(components), as the compiler evaluates it: all buffers are laid out in one pass.
    ///
    /// # Panics
    /// If a row is larger than the address space (`signature::check` refuses that).
    #[expect(
        clippy::large_stack_arrays,
        reason = "it runs in the compiler, and once for a new world"
    )]
    pub(crate) const fn of(components: &[ComponentSignature]) -> Self {
        const TOO_LARGE: &str = "[ECS0077] a row is larger than the address space";
        const NOWHERE: Layout = Layout { offset: 0, stride: 0, align: 0 };
        let (mut rows, mut of) = (Rows::EMPTY, [NOWHERE; MAX_COMPONENTS]);
        let mut i = 0;
        while i < components.len() {
            if let Some(buffer) = components[i].buffer() {
                of[i].offset = rows.append(buffer, components[i].info()).expect(TOO_LARGE);
            }
            i += 1;
        }
        i = 0;
        while i < components.len() {
            if let Some(buffer) = components[i].buffer() {
                of[i].stride = rows.stride(buffer).expect(TOO_LARGE);
                of[i].align = rows.aligns[buffer];
            }
            i += 1;
        }
        Self { of }
    }

    /// The layout of the component at `index`.
    ///
    /// # Panics
    /// If the component is not in a buffer.
    pub(crate) const fn get(&self, index: usize) -> Layout {
        let layout = self.of[index];
        assert!(
            layout.align > 0,
            "[ECS0070] the component is in the keeping of another storage strategy"
        );
        layout
    }
}

/// The first component in a buffer of which `rows` rows, rounded up to whole pages, do not fit into
/// the address space. The numbers of buffers must be below [`MAX_COMPONENTS`].
///
/// O(components).
pub(crate) const fn first_too_large(
    components: &[ComponentSignature],
    rows: usize,
) -> Option<usize> {
    let count = rows.checked_next_multiple_of(PAGE_ROWS);
    let mut rows = Rows::EMPTY;
    let mut i = 0;
    while i < components.len() {
        if let Some(buffer) = components[i].buffer() {
            rows.append(buffer, components[i].info());
        }
        i += 1;
    }
    i = 0;
    while i < components.len() {
        if let Some(buffer) = components[i].buffer()
            && !fits(rows.stride(buffer), rows.aligns[buffer], count)
        {
            return Some(i);
        }
        i += 1;
    }
    None
}

/// Whether this number of rows with this stride fits into the address space.
const fn fits(stride: Option<usize>, align: usize, rows: Option<usize>) -> bool {
    let (Some(stride), Some(rows)) = (stride, rows) else { return false };
    // An allocation, rounded up to its alignment, has at most `isize::MAX` bytes.
    match stride.checked_mul(rows) {
        Some(size) => size <= isize::MAX as usize - (align - 1),
        None => false,
    }
}

/// The layouts of the components of `D`, which the compiler evaluates once.
struct LayoutsOf<D>(PhantomData<D>);

impl<D: ColumnTable> LayoutsOf<D> {
    const ALL: &'static Layouts = &Layouts::of(D::COMPONENTS);
}

/// The layout of the component at `index` of the declaration `D`.
///
/// # Panics
/// If there is none, or it is not in a buffer.
pub(crate) const fn layout_of<D: ColumnTable>(index: usize) -> Layout {
    assert!(index < D::COMPONENTS.len(), "[ECS0070] a component's index is out of range");
    LayoutsOf::<D>::ALL.get(index)
}

/// The offset of the component at `index` in a row, and bytes from row to row; 0 if it is not in a buffer.
pub(crate) const fn place_of<D: ColumnTable>(index: usize) -> (usize, usize) {
    let Layout { offset, stride, .. } = LayoutsOf::<D>::ALL.of[index];
    (offset, stride)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_address_space_cannot_hold() {
        type Huge = [u8; isize::MAX as usize / PAGE_ROWS];
        #[repr(align(4096))]
        struct Aligned {
            _bytes: [u8; 4096],
        }
        let components = [
            ComponentSignature::new::<Huge>("Huge", 0),
            ComponentSignature::new::<Huge>("One", 1),
            ComponentSignature::new::<Huge>("Other", 1),
            ComponentSignature::new::<Aligned>("Aligned", 2),
            ComponentSignature::new::<()>("Mark", 3),
        ];
        // `first` leaves out the components before `from`.
        let first =
            |from: usize, rows| first_too_large(&components[from..], rows).map(|i| from + i);
        assert_eq!(first(0, 1), Some(1));
        assert_eq!(first_too_large(&components[..2], 1), None);
        assert_eq!(first_too_large(&components[..2], PAGE_ROWS + 1), Some(0));
        assert_eq!(first_too_large(&components[1..2], PAGE_ROWS + 1), Some(0));
        assert_eq!(first(2, 1), None);
        let most = isize::MAX as usize / 4096 / PAGE_ROWS * PAGE_ROWS;
        assert_eq!((first(3, most), first(3, most + 1)), (None, Some(3)));
        assert_eq!(first(4, isize::MAX as usize), None);
        assert_eq!(first(4, usize::MAX), Some(4));
    }

    #[test]
    fn as_many_buffers_as_there_can_be_are_laid_out_within_the_limits_of_const_evaluation() {
        #[expect(clippy::large_const_arrays, reason = "it is used in const evaluation alone")]
        const ALL: [ComponentSignature; MAX_COMPONENTS] = {
            let mut all = [ComponentSignature::new::<[u32; 4]>("Numbers", 0); MAX_COMPONENTS];
            let mut i = 0;
            while i < MAX_COMPONENTS {
                all[i] = ComponentSignature::new::<[u32; 4]>("Numbers", i);
                i += 1;
            }
            all
        };
        const FIRST: Option<usize> = first_too_large(&ALL, isize::MAX as usize / 16);
        assert_eq!(FIRST, Some(0));
        assert_eq!(const { first_too_large(&ALL, PAGE_ROWS) }, None);
    }

    #[test]
    fn a_column_and_an_interleaved_buffer() {
        let components = [
            ComponentSignature::new::<[f32; 2]>("Position", 0),
            ComponentSignature::new::<u8>("Flag", 1),
            ComponentSignature::new::<u32>("Color", 1),
            ComponentSignature::new::<()>("Mark", 2),
        ];
        let layouts = Layouts::of(&components);
        assert_eq!(layouts.get(0), Layout { offset: 0, stride: 8, align: 4 });
        assert_eq!(layouts.get(1), Layout { offset: 0, stride: 8, align: 4 });
        assert_eq!(layouts.get(2), Layout { offset: 4, stride: 8, align: 4 });
        assert_eq!(layouts.get(3), Layout { offset: 0, stride: 0, align: 1 });
    }
}
