//! Code for tuples of every length.

/// Calls a macro with each non-empty prefix of a list: `for_tuples! { generate: A a, B b }` is
/// `generate!(A a); generate!(A a, B b);`.
macro_rules! for_tuples {
    ($generate:ident: $($element:ident)+ $(, $($rest:ident)+)*) => {
        for_tuples! { @ $generate [$($element)+] $($($rest)+),* }
    };
    (@ $generate:ident [$($prefix:tt)+]) => {
        $generate!($($prefix)+);
    };
    (@ $generate:ident [$($prefix:tt)+] $($element:ident)+ $(, $($rest:ident)+)*) => {
        $generate!($($prefix)+);
        for_tuples! { @ $generate [$($prefix)+, $($element)+] $($($rest)+),* }
    };
}

pub(crate) use for_tuples;
