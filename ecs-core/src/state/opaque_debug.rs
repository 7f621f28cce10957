//! `Debug` for types that show only a part of what they hold.

/// Implements `Debug` for a type by its name and the given values:
/// `opaque_debug! { [T: Bound] Type<T>: |this| field = this.value() }`.
macro_rules! opaque_debug {
    ([$($generics:tt)*] $name:ident $(<$($argument:tt),*>)?
        $(: |$this:pat_param| $($field:ident = $value:expr),+)?) => {
        impl<$($generics)*> ::core::fmt::Debug for $name $(<$($argument),*>)? {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                $(let $this = self;)?
                f.debug_struct(stringify!($name))
                    $($(.field(stringify!($field), &$value))+)?
                    .finish_non_exhaustive()
            }
        }
    };
}

pub(crate) use opaque_debug;
