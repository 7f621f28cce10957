//! Components that expire: how each is counted down, and the call that does so.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::spanned::Spanned;

use crate::expand::attributes;
use crate::expand::context::{argument, begin_of_impl};
use crate::model::{Component, Model, System};
use crate::site::{Krate, at_site, enter, here, quote, quote_spanned};
use crate::syntax::{Flag, Part, SetModule};

/// `Expires` for each component of the declaration's own that expires: the field that counts down.
pub(crate) fn expand(model: &Model<'_>) -> Option<TokenStream> {
    let own = model.components.iter().filter(|component| component.named.place.is_none());
    let impls = own.filter_map(|component| {
        let field = component.expires?;
        let _at = enter(component.name().span());
        let (by, ty) = (by(model, component)?, argument(component.named));
        let begin = begin_of_impl(component.name().span());
        // At the field, where `rustc` points if there is none of this name, or if it counts nothing.
        let at = field.span();
        let value = Ident::new("__component", at);
        let counted = quote_spanned!(at=> &mut #value.#field);
        let of_impl = attributes::of_impl();
        Some(quote! {
            #of_impl
            #begin #Krate::generated::Expires<#ty> for #by {
                #[inline]
                fn count_down(#value: &mut #ty) -> bool {
                    #Krate::time::Countdown::count_down(#counted)
                }
            }
        })
    });
    let impls: Vec<TokenStream> = impls.collect();
    let attributes = attributes::of_constant();
    (!impls.is_empty()).then(|| quote!(#attributes const _: () = { #(#impls)* };))
}

/// The type that implements `Expires` for the component: the declaration, or the numbers of the set that declares it.
fn by(model: &Model<'_>, component: &Component<'_>) -> Option<TokenStream> {
    if let Some((numbers, _)) = &component.named.numbered {
        return Some(numbers.to_token_stream());
    }
    if let Some(world) = &model.tree.world {
        return Some(at_site(&world.name).into_token_stream());
    }
    let set = model.tree.set.as_ref()?;
    let place = SetModule { module: set.name.clone().into(), set: set.name.clone() };
    Some(place.part(&Part::Numbers, here()).into_token_stream())
}

/// The code of a system that counts a component down. `None` if it does not name one that expires.
pub(crate) fn call(model: &Model<'_>, system: &System<'_>, data: &Ident) -> Option<TokenStream> {
    let component = &model.components[system.expired()?];
    component.expires?;
    let at = system.item.code.first()?.at;
    let (by, ty) = (by(model, component)?, argument(component.named));
    let despawns = system.item.flag(Flag::Despawn).is_some();
    let method = Ident::new(if despawns { "expire_entities" } else { "expire" }, at);
    Some(quote_spanned!(at=> #Krate::Data::#method::<#ty, #by>(#data);))
}
