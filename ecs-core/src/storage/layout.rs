//! Where a component lies in its buffer; computed from the declaration's tables, also in `const`.

use super::PAGE_ROWS;
use crate::signature::{ComponentSignature, Declaration};

/// Where the values of one component lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Bytes from the start of a row to the component.
    pub offset: usize,
    /// Bytes from row to row.
    pub stride: usize,
    /// Alignment of a row.
    pub align: usize,
}

/// The layout of the component at `index`: the components that share its buffer lie one after the
/// other in the order of declaration, each at its alignment.
///
/// # Panics
/// If a row is larger than the address space (`signature::check` refuses that), or the component lies
/// in no buffer.
pub(crate) const fn layout(components: &[ComponentSignature], index: usize) -> Layout {
    assert!(
        components[index].buffer().is_some(),
        "[E0070] the component is in the keeping of another storage strategy"
    );
    match checked_layout(components, index) {
        Some(layout) => layout,
        None => panic!("[E0077] a row is larger than the address space"),
    }
}

/// As [`layout`]; `None` if a row is larger than the address space.
const fn checked_layout(components: &[ComponentSignature], index: usize) -> Option<Layout> {
    let Some(buffer) = components[index].buffer() else { return None };
    let (mut end, mut align, mut offset) = (0_usize, 1, 0);
    let mut i = 0;
    while i < components.len() {
        let info = components[i].info();
        if matches!(components[i].buffer(), Some(other) if other == buffer) {
            end = match end.checked_next_multiple_of(info.align()) {
                Some(start) => start,
                None => return None,
            };
            if i == index {
                offset = end;
            }
            end = match end.checked_add(info.size()) {
                Some(end) => end,
                None => return None,
            };
            if info.align() > align {
                align = info.align();
            }
        }
        i += 1;
    }
    match end.checked_next_multiple_of(align) {
        Some(stride) => Some(Layout { offset, stride, align }),
        None => None,
    }
}

/// Whether `rows` rows, and what rounds them up to whole pages, fit into the address space, in the
/// buffer of the component at `index`.
pub(crate) const fn fits(components: &[ComponentSignature], index: usize, rows: usize) -> bool {
    let Some(Layout { stride, align, .. }) = checked_layout(components, index) else {
        return false;
    };
    let Some(rows) = rows.checked_next_multiple_of(PAGE_ROWS) else { return false };
    // An allocation, rounded up to its alignment, has at most `isize::MAX` bytes.
    match stride.checked_mul(rows) {
        Some(size) => size <= isize::MAX as usize - (align - 1),
        None => false,
    }
}

/// The layout of the component at `index` of the declaration `D`.
pub(crate) const fn layout_of<D: Declaration>(index: usize) -> Layout {
    layout(D::COMPONENTS, index)
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
        assert!(fits(&components, 0, 1) && !fits(&components, 0, PAGE_ROWS + 1));
        assert!(!fits(&components, 1, 1) && !fits(&components, 2, 1));
        let most = isize::MAX as usize / 4096 / PAGE_ROWS * PAGE_ROWS;
        assert!(fits(&components, 3, most) && !fits(&components, 3, most + 1));
        assert!(fits(&components, 4, isize::MAX as usize) && !fits(&components, 4, usize::MAX));
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
