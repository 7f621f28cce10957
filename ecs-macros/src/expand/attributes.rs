//! The attributes of generated items. Lints do not look at what the user cannot change.
//!
//! Generated tokens lie at names of the declaration, so lints take them for the user's. Lints are named one by one: a group
//! would contradict a crate that forbids any lint in it.

use proc_macro2::TokenStream;

use crate::site::quote;

/// Of an impl without code of the user's.
pub(crate) fn of_impl() -> TokenStream {
    quote! {
        #[automatically_derived]
        #[allow(
            unused_qualifications, clippy::arbitrary_source_item_ordering, clippy::missing_inline_in_public_items,
            clippy::missing_trait_methods, clippy::single_char_lifetime_names
        )]
    }
}

/// Of an impl that has nothing but code of the user's.
pub(crate) fn of_code() -> TokenStream {
    quote!(#[allow(unused_qualifications, clippy::missing_inline_in_public_items)])
}

/// Of a constant without a name, and of all impls in it.
pub(crate) fn of_constant() -> TokenStream {
    quote! {
        #[allow(
            unused_qualifications, clippy::arbitrary_source_item_ordering, clippy::missing_trait_methods
        )]
    }
}

/// Of an impl with tables, or with short functions and expressions of the user's.
pub(crate) fn of_impl_with_expressions() -> TokenStream {
    quote! {
        #[automatically_derived]
        #[allow(
            unused_qualifications, clippy::arbitrary_source_item_ordering, clippy::inline_always,
            clippy::large_stack_arrays, clippy::missing_inline_in_public_items, clippy::missing_trait_methods,
            clippy::single_char_lifetime_names
        )]
    }
}
