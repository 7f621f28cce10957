//! The position of a component in its buffer, computed from the declaration's tables, also in
//! `const`.

use super::{ColumnTable, ComponentSignature, PAGE_ROWS};
use crate::types::MAX_COMPONENTS;

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

/// The layout of the component at `index`. The components of a buffer lie one after the other in
/// the order of declaration, each at its alignment.
///
/// # Panics
/// If a row is larger than the address space (`signature::check` refuses that), or the component is
/// not in a buffer.
pub(crate) const fn layout(components: &[ComponentSignature], index: usize) -> Layout {
    const TOO_LARGE: &str = "[ECS0077] a row is larger than the address space";
    assert!(
        components[index].buffer().is_some(),
        "[ECS0070] the component is in the keeping of another storage strategy"
    );
    let (mut end, mut align, mut offset) = (0_usize, 1, 0);
    let mut i = 0;
    while i < components.len() {
        if let (Some(buffer), Some(other)) = (components[index].buffer(), components[i].buffer())
            && buffer == other
        {
            let info = components[i].info();
            end = end.checked_next_multiple_of(info.align()).expect(TOO_LARGE);
            if i == index {
                offset = end;
            }
            end = end.checked_add(info.size()).expect(TOO_LARGE);
            if info.align() > align {
                align = info.align();
            }
        }
        i += 1;
    }
    Layout { offset, stride: end.checked_next_multiple_of(align).expect(TOO_LARGE), align }
}

/// The first component in a buffer of which `rows` rows, rounded up to whole pages, do not fit into
/// the address space. The numbers of buffers must be below [`MAX_COMPONENTS`].
///
/// O(components): all buffers are laid out in one pass, as `const` evaluation is limited.
pub(crate) const fn first_too_large(
    components: &[ComponentSignature],
    rows: usize,
) -> Option<usize> {
    let rows = rows.checked_next_multiple_of(PAGE_ROWS);
    // For each buffer, as far as it is laid out: the end of a row, if it does not overflow, and its
    // alignment.
    let mut ends = [Some(0_usize); MAX_COMPONENTS];
    let mut aligns = [1; MAX_COMPONENTS];
    let mut i = 0;
    while i < components.len() {
        if let (Some(buffer), info) = (components[i].buffer(), components[i].info()) {
            if let Some(end) = ends[buffer] {
                ends[buffer] = match end.checked_next_multiple_of(info.align()) {
                    Some(start) => start.checked_add(info.size()),
                    None => None,
                };
            }
            if info.align() > aligns[buffer] {
                aligns[buffer] = info.align();
            }
        }
        i += 1;
    }
    i = 0;
    while i < components.len() {
        if let Some(buffer) = components[i].buffer()
            && !fits(ends[buffer], aligns[buffer], rows)
        {
            return Some(i);
        }
        i += 1;
    }
    None
}

/// Whether this number of rows with this end fits into the address space.
const fn fits(end: Option<usize>, align: usize, rows: Option<usize>) -> bool {
    let (Some(end), Some(rows)) = (end, rows) else { return false };
    let Some(stride) = end.checked_next_multiple_of(align) else { return false };
    // An allocation, rounded up to its alignment, has at most `isize::MAX` bytes.
    match stride.checked_mul(rows) {
        Some(size) => size <= isize::MAX as usize - (align - 1),
        None => false,
    }
}

/// The layout of the component at `index` of the declaration `D`.
pub(crate) const fn layout_of<D: ColumnTable>(index: usize) -> Layout {
    layout(D::COMPONENTS, index)
}

/// The offset of the component at `index` in a row; 0 if it is not in a buffer.
pub(crate) const fn offset_of<D: ColumnTable>(index: usize) -> usize {
    let in_a_buffer = index < D::COMPONENTS.len() && D::COMPONENTS[index].buffer().is_some();
    if in_a_buffer { layout_of::<D>(index).offset } else { 0 }
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
        assert_eq!(layout(&components, 0), Layout { offset: 0, stride: 8, align: 4 });
        assert_eq!(layout(&components, 1), Layout { offset: 0, stride: 8, align: 4 });
        assert_eq!(layout(&components, 2), Layout { offset: 4, stride: 8, align: 4 });
        assert_eq!(layout(&components, 3), Layout { offset: 0, stride: 0, align: 1 });
    }
}
