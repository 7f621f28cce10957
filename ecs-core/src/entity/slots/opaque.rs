//! A number that the compiler can't replace by an equal one.

/// Returns `number`, and hides from the compiler that it is the argument: so it can't be replaced by an equal number that is ready
/// later. No instructions, while [`black_box`](core::hint::black_box) writes to memory. On other targets than `x86_64` and `aarch64`
/// with 64 bits, and under Miri, nothing is hidden.
#[inline(always)]
pub(super) fn opaque(number: usize) -> usize {
    #[cfg(all(
        any(target_arch = "x86_64", target_arch = "aarch64"),
        target_pointer_width = "64",
        not(miri)
    ))]
    let number = {
        let mut number = number;
        // SAFETY: the template is a comment. So the register keeps the number, and nothing else changes.
        unsafe {
            core::arch::asm!("/* {0} */", inout(reg) number, options(pure, nomem, nostack, preserves_flags));
        }
        number
    };
    number
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_is_the_same_number() {
        for number in [0, 1, 12_345, usize::MAX] {
            assert_eq!(super::opaque(number), number);
        }
    }
}
