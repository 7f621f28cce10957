//! A declaration with an `include` whose set is not yet expanded.

use proc_macro2::TokenStream;

use super::declaration;
use crate::macro_kind::MacroKind;
use crate::site::quote;
use crate::syntax::Tree;

/// The call of the next set's macro, which calls this macro again with the set's blocks; `None` if all sets are
/// expanded. The first call also generates the world's type, so that its name is known even if an `include` fails.
pub(crate) fn gather(tree: &Tree) -> Option<TokenStream> {
    let next = tree.includes.iter().find(|include| include.blocks.is_none())?;
    let (krate, path, items) = (&tree.library, &next.path, &tree.tokens);
    let asked = tree.includes.iter().filter_map(|include| include.blocks.as_ref());
    let asked: Vec<&TokenStream> = asked.collect();
    let item = asked.is_empty().then(|| tree.world.as_ref().map(declaration::struct_of));
    let called = match tree.called {
        MacroKind::World => quote!(declare),
        MacroKind::Set => quote!(declare_set),
    };
    let item = item.flatten();
    Some(quote! {
        #item
        #path! { { #krate::generated::#called } { #krate } { #({ #asked })* } { #items } }
    })
}
