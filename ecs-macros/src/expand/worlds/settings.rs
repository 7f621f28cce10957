//! The settings as a type.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::spanned::Spanned;

use crate::expand::context::const_argument;
use crate::site::{Krate, macros_own, quote, quote_spanned};
use crate::syntax::{Count, Limit, Rows, Scheduler, Settings, StagedChanges};

/// `Config<limit, inner parallelism, scheduler>`.
pub(crate) fn expand(settings: &Settings) -> TokenStream {
    // (Rows by archetype under a fixed limit are a fault, which is reported elsewhere.)
    let dynamic = match settings.rows {
        Some((Rows::ByArchetype, _)) => quote!(ByArchetype),
        Some((Rows::InOrder, _)) | None => quote!(Dynamic),
    };
    let limit = match &settings.limit {
        Some(Limit::Fixed(count)) => {
            let count = const_argument(count);
            quote!(#Krate::settings::Fixed<#count>)
        }
        Some(Limit::Dynamic(count)) => {
            let count = const_argument(count);
            quote!(#Krate::settings::#dynamic<#count>)
        }
        None => quote!(#Krate::settings::#dynamic<1024>),
    };
    let inner = match settings.inner_parallelism {
        None | Some(true) => quote!(#Krate::settings::Allow),
        Some(false) => quote!(#Krate::settings::Disallow),
    };
    let scheduler = match &settings.scheduler {
        None | Some(Scheduler::AtomicCounter) => quote!(#Krate::settings::AtomicCounter),
        Some(Scheduler::Sequential) => quote!(#Krate::settings::Sequential),
        Some(Scheduler::User(path)) => path.to_token_stream(),
    };
    if let Some(Scheduler::User(path)) = &settings.scheduler {
        // All tokens have the span of the user's type, for the message if it is not a scheduler.
        let at = path.span();
        return quote_spanned!(macros_own(at)=> #Krate::settings::Config<#limit, #inner, #scheduler>);
    }
    quote!(#Krate::settings::Config<#limit, #inner, #scheduler>)
}

/// The span of the scheduler, if it is a type of the user's.
pub(crate) fn span(settings: &Settings) -> Option<Span> {
    match &settings.scheduler {
        Some(Scheduler::User(path)) => Some(path.span()),
        _ => None,
    }
}

/// The constant with the rule for staged changes, if it is not the default.
pub(crate) fn staged_changes(settings: &Settings) -> Option<TokenStream> {
    let rule = match settings.staged_changes? {
        StagedChanges::AfterStep => return None,
        StagedChanges::RefreshBeforeDependents => quote!(RefreshBeforeDependents),
        StagedChanges::Deny => quote!(Deny),
    };
    Some(quote! {
        const STAGED_CHANGES: #Krate::signature::StagedChanges =
            #Krate::signature::StagedChanges::#rule;
    })
}

/// The constant with the seed, if the declaration has one. (One that is out of range is a fault, which is reported
/// elsewhere.)
pub(crate) fn seed(settings: &Settings) -> Option<TokenStream> {
    let seed = settings.seed.as_ref()?;
    let is_out_of_range = seed.literal().is_some_and(|seed| u64::try_from(seed).is_err());
    let Count(seed) = seed;
    (!is_out_of_range).then(|| quote_spanned!(seed.span()=> const SEED: u64 = #seed;))
}
