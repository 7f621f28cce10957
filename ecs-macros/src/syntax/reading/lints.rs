//! Lints of the macro: `#[allow(redundant_order)]` on a system, an `order` or the world.

use syn::Attribute;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Meta, Token};

/// The warnings of the macro. `rustc` does not know them, so the macro reads them, and does not pass them on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lint {
    /// An order that follows from others.
    RedundantOrder,
    /// A right that the code in the declaration does not use.
    UnusedRight,
}

impl Lint {
    const ALL: [Self; 2] = [Self::RedundantOrder, Self::UnusedRight];

    /// Its name in attributes.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::RedundantOrder => "redundant_order",
            Self::UnusedRight => "unused_right",
        }
    }
}

/// Takes the lints that the attributes allow out of them. What is left is for `rustc`.
pub(crate) fn take_allowed(attributes: &mut Vec<Attribute>) -> Vec<Lint> {
    let mut allowed = Vec::new();
    attributes.retain_mut(|attribute| {
        let Meta::List(list) = &mut attribute.meta else { return true };
        if !list.path.is_ident("allow") {
            return true;
        }
        let all = Punctuated::<Meta, Token![,]>::parse_terminated;
        let Ok(metas) = all.parse2(list.tokens.clone()) else { return true };
        let own =
            |meta: &Meta| Lint::ALL.into_iter().find(|lint| meta.path().is_ident(lint.name()));
        let found: Vec<Lint> = metas.iter().filter_map(own).collect();
        if found.is_empty() {
            return true;
        }
        allowed.extend(found);
        let others: Vec<&Meta> = metas.iter().filter(|meta| own(meta).is_none()).collect();
        list.tokens = quote::quote!(#(#others),*);
        others.iter().any(|meta| !meta.path().is_ident("reason"))
    });
    allowed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lints_of_the_macro_are_taken() {
        for (text, found, left) in [
            ("#[allow(redundant_order)]", 1, ""),
            ("#[allow(redundant_order, reason = \"it says more\")]", 1, ""),
            ("#[allow(dead_code, redundant_order)]", 1, "# [allow (dead_code)]"),
            ("#[allow(dead_code)]", 0, "# [allow (dead_code)]"),
            ("#[warn(redundant_order)]", 0, "# [warn (redundant_order)]"),
            ("#[doc = \"a\"]", 0, "# [doc = \"a\"]"),
        ] {
            let mut attributes = Attribute::parse_outer.parse_str(text).expect("an attribute");
            assert_eq!(take_allowed(&mut attributes).len(), found, "{text}");
            assert_eq!(quote::quote!(#(#attributes)*).to_string(), left, "{text}");
        }
    }
}
