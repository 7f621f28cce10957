//! The code of a system that its declaration holds: an impl of `System`.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Block, Expr, ExprBlock, GenericArgument, Lifetime, PathArguments, Stmt, Type};

use super::run_accesses;
use crate::expand::attributes;
use crate::expand::context::{argument, local, unreadable};
use crate::expand::data::expires;
use crate::model::{Model, System};
use crate::site::{Krate, macros_own, number, quote, quote_spanned};
use crate::syntax::{Call, Code, List, Parameter, Takes};
use ecs_rules::Kind;

/// `System` for the system in the declaration, which is a type of these generics. A declaration without faults has no
/// undeclared components.
pub(crate) fn expand(
    model: &Model<'_>,
    system: &System<'_>,
    generics: &TokenStream,
    declaration: &TokenStream,
    faultless: bool,
) -> Option<TokenStream> {
    let code = system.item.code.first()?;
    let (name, at) = (system.name(), system.name().span());
    let data = local("ecs_core_data");
    let this = quote_spanned!(macros_own(at)=> self);
    // Undeclared components are reported, and would be further errors.
    let call = match code.typed() {
        _ if code.call == Call::Expire => {
            expires::call(model, system, &data).unwrap_or_else(unreadable)
        }
        Some(parameters) => {
            with_parameters(model, system, code, &parameters, &data).unwrap_or_else(unreadable)
        }
        None if faultless || run_accesses::undeclared(model, system).is_empty() => {
            call(code, &data)
        }
        None => unreadable(),
    };
    let (of_impl, of_code) = (attributes::of_impl(), attributes::of_code());
    // The user's code is in a function without `self`.
    Some(quote_spanned! {at=>
        #of_impl
        impl #generics #Krate::System<#declaration> for #name {
            fn process(&#this, #data: &mut #Krate::Data<'_, #declaration, Self>) {
                <Self as #Krate::generated::Code<#declaration>>::code(#data);
            }
        }
        #of_code
        impl #generics #Krate::generated::Code<#declaration> for #name {
            fn code(#data: &mut #Krate::Data<'_, #declaration, Self>) {
                #call
            }
        }
    })
}

/// The call, with the function as an argument, so that the types of a closure's parameters are inferred.
fn call(code: &Code, data: &impl ToTokens) -> TokenStream {
    let function = code.function.as_ref().filter(|_| code.has_fitting_parameters());
    let Some(mut function) = function.map(|function| &**function) else {
        return unreadable();
    };
    while let Expr::Paren(inner) = function {
        function = &inner.expr;
    }
    // A function's path is called by a closure. So `rustc` infers generic parameters for each call, and points at the
    // path if the function has other parameters.
    let function = match function {
        Expr::Path(path) => {
            // The call is the macro's own, so `rustc` does not propose to change its arguments.
            let at = macros_own(path.span());
            let argument = Ident::new("__argument", at);
            quote_spanned!(at=> |#argument| #path(#argument))
        }
        other => other.to_token_stream(),
    };
    let method = match code.call {
        Call::Run | Call::Expire => quote_spanned!(code.at=> run),
        Call::Each => match code.parameters() {
            Some(3) => quote_spanned!(code.at=> each_with_resources),
            Some(2) => quote_spanned!(code.at=> each_with_effects),
            _ => quote_spanned!(code.at=> each),
        },
    };
    // At the key, where `rustc` points if the function does not fit.
    quote_spanned!(code.at=> #Krate::Data::#method(#data, #function);)
}

/// The type of a parameter, with the lifetime of each `Mut` in it. A lint may be against leaving it out.
fn with_lifetimes(ty: &Type) -> Type {
    let mut ty = ty.clone();
    if let Type::Path(path) = &mut ty
        && let Some(last) = path.path.segments.last_mut()
        && let PathArguments::AngleBracketed(arguments) = &mut last.arguments
    {
        let lifetime =
            |argument: &GenericArgument| matches!(argument, GenericArgument::Lifetime(_));
        if last.ident == "Mut" && !arguments.args.iter().any(lifetime) {
            let at = macros_own(last.ident.span());
            arguments.args.insert(0, GenericArgument::Lifetime(Lifetime::new("'_", at)));
        }
        for argument in arguments.args.iter_mut().filter(|_| last.ident == "Option") {
            if let GenericArgument::Type(inner) = argument {
                *inner = with_lifetimes(inner);
            }
        }
    }
    ty
}

/// The body of a closure with typed parameters: each parameter is a `let` before it. `None` if one of them is faulty.
fn with_parameters(
    model: &Model<'_>,
    system: &System<'_>,
    code: &Code,
    parameters: &[Parameter<'_>],
    data: &Ident,
) -> Option<TokenStream> {
    let body = &code.closure()?.body;
    // A pattern of the user's cannot hide a name that is used after it.
    let patterns = parameters.iter().map(|parameter| parameter.pattern);
    let patterns = quote!(#(#patterns)*).to_string();
    let unused = |name: &str| {
        let mut name = name.to_owned();
        while patterns.contains(&format!("__{name}")) {
            name.push('_');
        }
        local(&name)
    };
    let [own, resources, effects] = ["own", "resources", "effects"].map(unused);
    let [entry, place, written, event] = ["entry", "place", "written", "event"].map(unused);
    // The type of the event for each of which the code is called, in place of each entity.
    let mut each_event = None;
    // Resources are borrowed once, before the loop over the entities.
    let (mut borrowed, mut of_written) = (Vec::new(), Vec::new());
    let mut bindings = Vec::new();
    let untyped = parameters.iter().filter(|parameter| parameter.typed.is_none()).count();
    let mut left = untyped;
    let mut taken = Vec::new();
    for (n, parameter) in parameters.iter().enumerate() {
        let pattern = parameter.pattern;
        let Some((ty, takes)) = &parameter.typed else {
            // The effects are the last parameter without a type.
            let value = if left == 1 { &effects } else { &own };
            bindings.push(quote!(let #pattern = &mut *#value;));
            left -= 1;
            continue;
        };
        let at = ty.span();
        let (value, known) = match takes {
            Takes::Entity => (quote_spanned!(at=> #entry.entity), true),
            Takes::Place => (place.to_token_stream(), true),
            Takes::Reference { path, mutable, marks, .. } => {
                let used = system.parameter(path)?;
                let index = used.target.index()?;
                // The same twice is reported, and could not be borrowed twice.
                if taken.contains(&(used.list.kind(), index)) {
                    return None;
                }
                taken.push((used.list.kind(), index));
                let value = if used.list.kind() == Kind::Component {
                    // The wrong type of reference is reported.
                    if *mutable && *marks != model.components[index].tracked {
                        return None;
                    }
                    let field = system.field(index)?;
                    quote_spanned!(at=> #entry.#field)
                } else if used.list == List::On {
                    each_event = Some(argument(&model.resources[index].name));
                    event.to_token_stream()
                } else {
                    let resource = argument(&model.resources[index].name);
                    if used.list == List::WriteResources {
                        let place = number(of_written.len());
                        of_written.push(resource);
                        quote_spanned!(at=> &mut *#written.#place)
                    } else {
                        let name = unused(&format!("resource{n}"));
                        let get = quote_spanned!(at=> #resources.get::<#resource>());
                        borrowed.push(quote!(let #name = #get;));
                        name.into_token_stream()
                    }
                };
                (value, used.target.known().is_some())
            }
            Takes::Other => return None,
        };
        // A mistyped name is no type, which is reported already.
        let ty = with_lifetimes(ty);
        let ascription = known.then(|| quote!(: #ty));
        bindings.push(quote_spanned!(at=> let #pattern #ascription = #value;));
    }
    let lend = (!of_written.is_empty()).then(|| {
        let at = system.name().span();
        quote_spanned! {at=>
            let #written = #resources.get_many_mut::<(#(#of_written,)*)>();
        }
    });
    let body = statements(body);
    let call = match code.call {
        Call::Run | Call::Expire => quote!(#(#bindings)* #body),
        // In a closure, as a body may `return`.
        Call::Each if let Some(ty) = &each_event => quote! {
            ::core::iter::Iterator::for_each(
                #effects.events::<#ty>(),
                |#event| { #(#bindings)* #body },
            );
        },
        Call::Each => {
            each_entity(parameters, &own, [&place, &entry], &quote!({ #(#bindings)* #body }))
        }
    };
    let is_each_entity = code.call == Call::Each && each_event.is_none();
    let needs = [
        (is_each_entity || untyped > 1, quote!(let #own = &mut #data.own;)),
        (!borrowed.is_empty() || lend.is_some(), quote!(let #resources = &mut #data.resources;)),
        (untyped > 0 || each_event.is_some(), quote!(let #effects = &mut #data.effects;)),
    ];
    let parts = needs.into_iter().filter_map(|(is_needed, part)| is_needed.then_some(part));
    Some(quote! {
        #(#parts)*
        #(#borrowed)*
        #lend
        #call
    })
}

/// The loop over the entities of a subtask: with their places, if a parameter takes one.
fn each_entity(
    parameters: &[Parameter<'_>],
    own: &Ident,
    [place, entry]: [&Ident; 2],
    body: &TokenStream,
) -> TokenStream {
    let is_place = |parameter: &Parameter<'_>| matches!(parameter.typed, Some((_, Takes::Place)));
    if parameters.iter().any(is_place) {
        quote!(#own.for_placed(|#place, #entry| #body);)
    } else {
        quote!(#own.for_entities(|#entry| #body);)
    }
}

/// The body of a closure without braces, which would be too many. But a name of an item in it is seen in all of the block, and so
/// would be by the types of the parameters. A macro may be an item.
fn statements(body: &Expr) -> TokenStream {
    let has_items =
        |block: &Block| block.stmts.iter().any(|s| matches!(s, Stmt::Item(_) | Stmt::Macro(_)));
    match body {
        Expr::Block(ExprBlock { attrs, label: None, block })
            if attrs.is_empty() && !has_items(block) =>
        {
            let statements = &block.stmts;
            quote!(#(#statements)*)
        }
        other => other.to_token_stream(),
    }
}
