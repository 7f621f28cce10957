//! The index of a query: its type, its value, and the copies that a bounded grid has.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::spanned::Spanned;

use crate::expand::context::{TypeArgument, argument, initial_value, local};
use crate::expand::systems::entry;
use crate::model::{Component, Model, System};
use crate::site::{Krate, enter, macros_own, quote, quote_spanned};
use crate::syntax::{Form, Index, Initial, List};
use ecs_rules::Kind;

/// The type of an index, and the expression that makes the query with it.
pub(crate) struct Types {
    pub(crate) index: TokenStream,
    pub(crate) initial: TokenStream,
}

impl Types {
    /// Of a query, if it has an index.
    pub(crate) fn of(model: &Model<'_>, system: &System<'_>) -> Option<Self> {
        match system.item.query.as_ref()?.index.as_ref()? {
            Index::Custom(index) => Some(custom(system, index)),
            Index::Form(form) => {
                let component = model.find(Kind::Component, &form.component).index();
                let component = match component {
                    Some(index) => argument(model.components[index].named),
                    None => TypeArgument::Path(&form.component),
                };
                Some(Self::of_form(form, &component, || copies(model, system)))
            }
        }
    }

    /// The type of the query.
    pub(crate) fn body(&self, at: Span) -> TokenStream {
        let index = &self.index;
        quote_spanned!(at=> #Krate::generated::Indexed<#index>)
    }

    /// The type of the query's output.
    pub(crate) fn output(&self, at: Span) -> TokenStream {
        let index = &self.index;
        quote_spanned!(at=> #Krate::generated::Keyed<#index>)
    }
}

/// Where the index is declared.
pub(crate) fn span(system: &System<'_>) -> Option<Span> {
    match system.item.query.as_ref()?.index.as_ref()? {
        Index::Custom(index) => Some(index.span()),
        Index::Form(form) => Some(form.at),
    }
}

fn custom(system: &System<'_>, index: &syn::Type) -> Types {
    // Plain, so that messages about the index point at it.
    let at = index.span();
    let value = match &system.item.state {
        Initial::Value(value) => value.to_token_stream(),
        state => initial_value(state, index, "InitialState", at),
    };
    Types {
        index: quote_spanned!(at=> #Krate::generated::Custom<#index>),
        initial: quote_spanned!(macros_own(at)=> #Krate::generated::Custom(#value)),
    }
}

impl Types {
    /// Of an index of the library's, made from the component. `copies` is the type of what a bounded grid copies.
    pub(crate) fn of_form(
        form: &Form,
        component: &TypeArgument<'_>,
        copies: impl FnOnce() -> TokenStream,
    ) -> Self {
        let _at = enter(form.at);
        let by = form.component.span();
        let Some(size) = &form.size else {
            let (key, value) = if let Some((function, key)) = &form.function {
                (key.to_token_stream(), function.to_token_stream())
            } else {
                let one = local("one");
                let copy = quote_spanned!(by=> <#component as ::core::clone::Clone>::clone(#one));
                (component.to_token_stream(), quote!(|#one: &#component| #copy))
            };
            let value = quote!(#Krate::generated::ByKey::of(#value));
            let index = quote_spanned!(by=> #Krate::generated::ByKey<#component, #key>);
            return Self { index, initial: value };
        };
        let (point, function) = if let Some((function, point)) = &form.function {
            (point.to_token_stream(), function.to_token_stream())
        } else {
            let own = quote_spanned!(by=> <#component as #Krate::joins::Coordinates>);
            (quote_spanned!(by=> #own::Point), quote_spanned!(by=> #own::coordinates))
        };
        let Some((least, most)) = &form.within else {
            let initial = quote!(#Krate::generated::ByCell::of(#function, #size));
            let index = quote_spanned!(by=> #Krate::generated::ByCell<#component, #point>);
            return Self { index, initial };
        };
        let copies = copies();
        Self {
            index: quote_spanned!(by=> #Krate::generated::InBounds<#component, #point, #copies>),
            initial: quote!(#Krate::generated::InBounds::of(#function, #size, #least, #most)),
        }
    }
}

/// What a bounded grid copies of each member: all that the query reads.
fn copied<'m>(model: &'m Model<'_>, system: &System<'_>) -> Vec<(usize, &'m Component<'m>)> {
    let read = system.listed(List::Read).into_iter();
    read.map(|index| (index, &model.components[index])).collect()
}

/// The type of the copies.
fn copies(model: &Model<'_>, system: &System<'_>) -> TokenStream {
    let copies = copied(model, system).into_iter().map(|(_, component)| {
        let ty = argument(component.named);
        quote_spanned!(component.named.ty().span()=> #Krate::generated::Copied<#ty>)
    });
    entry::nest(copies.collect())
}

/// Whether the query has a bounded grid.
fn is_bounded(system: &System<'_>) -> bool {
    let index = system.item.query.as_ref().and_then(|query| query.index.as_ref());
    matches!(index, Some(Index::Form(form)) if form.within.is_some())
}

/// The copy that a bounded grid has of a component.
pub(crate) struct Copy {
    pub(crate) component: usize,
    /// The type of all copies of a member.
    pub(crate) copies: TokenStream,
    /// The function that finds this one.
    pub(crate) function: TokenStream,
}

/// The copies of a bounded grid.
pub(crate) fn copies_of(model: &Model<'_>, system: &System<'_>) -> Vec<Copy> {
    if !is_bounded(system) {
        return Vec::new();
    }
    let copies = copies(model, system);
    let copied = copied(model, system);
    let count = copied.len();
    let all = copied.into_iter().enumerate().map(|(at, (index, component))| {
        let (ty, path) = (component.named.ty(), entry::position(at, count));
        let function = quote! {
            fn copy(copies: &#copies) -> &#ty {
                &copies #path.0
            }
        };
        Copy { component: index, copies: copies.clone(), function }
    });
    all.collect()
}

/// The function by which an index of the user's takes the entries of the query.
pub(crate) fn entries_of(system: &System<'_>, declaration: &dyn ToTokens) -> Option<TokenStream> {
    let Index::Custom(index) = system.item.query.as_ref()?.index.as_ref()? else { return None };
    // Plain, so that the message about an index that takes other entries points at it.
    let at = index.span();
    let (by, member) = (local("by"), syn::Ident::new("member", at));
    let key = quote_spanned!(at=> #Krate::joins::Index::key(&#by.0, #member));
    Some(quote! {
        fn key(
            #by: &<Self::System as #Krate::joins::HasIndex>::Index,
            #member: Self::Entry<'_>,
        ) -> #Krate::joins::KeyOf<Self, #declaration> {
            #key
        }
    })
}
