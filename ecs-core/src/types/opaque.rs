//! A number that the compiler knows nothing of.

/// The same number, of which the compiler does not know that. So it can't replace it by an equal one that is ready later. No
/// instruction. Targets without it get the number as it is.
#[inline(always)]
pub(crate) fn opaque(number: usize) -> usize {
    #[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
    {
        let mut number = number;
        // SAFETY: there are no instructions, so the register keeps the number, and nothing else changes.
        unsafe {
            core::arch::asm!("/* {0} */", inout(reg) number, options(pure, nomem, nostack, preserves_flags));
        }
        number
    }
    #[cfg(not(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri))))]
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
