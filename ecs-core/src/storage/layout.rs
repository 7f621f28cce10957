//! Where a component lies in its buffer; computed from the declaration's tables, also in `const`.

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
pub(crate) const fn layout(components: &[ComponentSignature], index: usize) -> Layout {
    let buffer = components[index].buffer();
    let (mut end, mut align, mut offset) = (0_usize, 1, 0);
    let mut i = 0;
    while i < components.len() {
        let info = components[i].info();
        if components[i].buffer() == buffer {
            end = end.next_multiple_of(info.align());
            if i == index {
                offset = end;
            }
            end += info.size();
            if info.align() > align {
                align = info.align();
            }
        }
        i += 1;
    }
    Layout { offset, stride: end.next_multiple_of(align), align }
}

/// The layout of the component at `index` of the declaration `D`.
pub(crate) const fn layout_of<D: Declaration>(index: usize) -> Layout {
    layout(D::COMPONENTS, index)
}

#[cfg(test)]
mod tests {
    use super::*;

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
