//! Inner-parallelism strategies as types.

use proc_macro2::TokenStream;
use quote::ToTokens;

use crate::expand::context::const_argument;
use crate::site::{Krate, quote};
use crate::syntax::{Argument, Strategy};

/// The type of a strategy.
pub(crate) fn expand(strategy: &Strategy) -> TokenStream {
    let here = quote!(#Krate::inner_parallelism);
    match strategy {
        Strategy::None => quote!(#here::None),
        Strategy::SplitEvenlyCores => quote!(#here::SplitEvenlyCores),
        Strategy::SplitEvenly(count) => {
            let count = const_argument(count);
            quote!(#here::SplitEvenly<#count>)
        }
        Strategy::SplitEvery(count) => {
            let count = const_argument(count);
            quote!(#here::SplitEvery<#count>)
        }
        Strategy::NoneBelowThreshold(count, from) => {
            let (count, from) = (const_argument(count), expand(from));
            quote!(#here::NoneBelowThreshold<#count, #from>)
        }
        Strategy::FixedThreshold(count, below, from) => {
            let count = const_argument(count);
            let (below, from) = (expand(below), expand(from));
            quote!(#here::FixedThreshold<#count, #below, #from>)
        }
        Strategy::User(path, arguments) if arguments.is_empty() => path.to_token_stream(),
        Strategy::User(path, arguments) => {
            let arguments = arguments.iter().map(|argument| match argument {
                Argument::Count(count) => const_argument(count),
                Argument::Strategy(strategy) => expand(strategy),
            });
            quote!(#path<#(#arguments),*>)
        }
    }
}
