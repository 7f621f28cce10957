//! What every generated thing needs: the context, and small tokens.

use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Path, Visibility};

use crate::model::{Model, System};
use crate::site::{Krate, at_site, here, macros_own, quote, quote_spanned};
use crate::syntax::{Count, Initial, Named, Resource, Tokens, World};

/// The context that every generated thing needs.
pub(crate) struct Context<'m> {
    pub(crate) model: &'m Model<'m>,
    pub(crate) world: &'m World,
}

impl Context<'_> {
    /// The declaration's type. Its token lies at the site and not in the header, as `rustc` records the distance between
    /// the two, which edits change.
    pub(crate) fn declaration(&self) -> Ident {
        at_site(&self.world.name)
    }
}

/// The visibility, located at a token that it is generated for.
pub(crate) fn located_visibility(visibility: &Visibility, span: Span) -> Tokens {
    Tokens::from(visibility.to_token_stream()).located(span)
}

/// The word `impl`, and no type parameters. As those are the macro's own, `rustc` does not propose to add one where a type
/// is unknown.
pub(crate) fn begin_of_impl(span: Span) -> Tokens {
    let own = macros_own(span);
    let bracket = |bracket| {
        let mut bracket = Punct::new(bracket, Spacing::Alone);
        bracket.set_span(own);
        TokenTree::Punct(bracket)
    };
    [TokenTree::Ident(Ident::new("impl", span)), bracket('<'), bracket('>')].into()
}

/// A type of the user's as a generic argument. `rustc` takes a single name there for a constant, if it is not that of a
/// type, and reports this beside the name. In parentheses, it is a type.
pub(crate) fn argument(named: &Named) -> TypeArgument<'_> {
    let path = named.ty();
    let Some(ident) = path.get_ident() else { return TypeArgument::Path(path) };
    let mut argument = Group::new(Delimiter::Parenthesis, ident.to_token_stream());
    // The macro's own, so that `rustc` does not propose to remove them.
    argument.set_span(macros_own(ident.span()));
    TypeArgument::Name(argument)
}

/// The type of a resource as a generic argument: of an event, the queue; of a relation, the links.
pub(crate) fn resource_argument(resource: &Resource) -> TypeArgument<'_> {
    let of = argument(&resource.name);
    match &resource.event {
        _ if let Some(relation) = &resource.relation => {
            TypeArgument::Links { of: Box::new(of), many_to_many: relation.many_to_many }
        }
        Some(event) => TypeArgument::Queue { of: Box::new(of), addressed: event.addressed },
        None => of,
    }
}

/// The name of a system as a generic argument.
pub(crate) fn system_argument<'t>(system: &System<'t>) -> TypeArgument<'t> {
    if system.item.is_named_here() {
        return TypeArgument::Path(system.item.name.ty());
    }
    argument(&system.item.name)
}

/// A type of the user's as a generic argument.
pub(crate) enum TypeArgument<'t> {
    Path(&'t Path),
    /// A single name, in parentheses.
    Name(Group),
    /// The queue of an event, which may be for one entity.
    Queue {
        of: Box<Self>,
        addressed: bool,
    },
    /// The links of a relation.
    Links {
        of: Box<Self>,
        many_to_many: bool,
    },
}

impl ToTokens for TypeArgument<'_> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Path(path) => path.to_tokens(tokens),
            Self::Name(name) => name.to_tokens(tokens),
            Self::Links { of, many_to_many: false } => {
                quote!(#Krate::Relation<#of>).to_tokens(tokens);
            }
            Self::Links { of, many_to_many: true } => {
                quote!(#Krate::ManyToMany<#of>).to_tokens(tokens);
            }
            Self::Queue { of, addressed } => {
                let event =
                    if *addressed { quote!(#Krate::Addressed<#of>) } else { of.to_token_stream() };
                quote!(#Krate::EventQueue<#event>).to_tokens(tokens);
            }
        }
    }
}

/// A name that no item of the user's has: it begins with `__`. In patterns, the name of a constant or of a tuple struct in scope
/// would be that item, hygiene or not.
pub(crate) fn local(name: &str) -> Ident {
    Ident::new(&format!("__{name}"), here())
}

/// The type parameter for a world that includes a set. Types are not hygienic, so it is a name that no type of the
/// user's has.
pub(crate) fn any_world() -> Ident {
    local("Declaration")
}

/// The expression that makes the initial value of a type. `default` is the trait that gives it if the declaration does
/// not.
pub(crate) fn initial_value(
    initial: &Initial,
    of: &impl ToTokens,
    default: &str,
    span: Span,
) -> TokenStream {
    match initial {
        Initial::Default => {
            let default = Ident::new(default, span);
            quote_spanned!(span=> <#of as #Krate::generated::#default>::initial())
        }
        Initial::Value(value) => value.to_token_stream(),
        Initial::Unreadable => unreadable(),
    }
}

/// What stands in the place of a value that cannot be read. It has any type, and `rustc` does not know that it panics.
pub(crate) fn unreadable() -> TokenStream {
    quote!(#Krate::generated::unreadable())
}

/// A number as the argument of a `const` parameter.
pub(crate) fn const_argument(count: &Count) -> TokenStream {
    let Count(value) = count;
    let is_whole = count.literal().is_some() || matches!(value, syn::Expr::Block(_));
    if is_whole {
        return value.to_token_stream();
    }
    let mut block = Group::new(Delimiter::Brace, value.to_token_stream());
    block.set_span(macros_own(value.span()));
    TokenTree::Group(block).into_token_stream()
}
