//! How a world is cloned, hashed and saved: a table for each, with the bounds that all parts of the world can be cloned,
//! hashed or saved.

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;

use syn::Lifetime;

use crate::expand::attributes;
use crate::expand::context::{Context, TypeArgument, argument, resource_argument, system_argument};
use crate::site::{Krate, here, macros_own, number, quote, quote_spanned};
use crate::syntax::Flag;

/// Lines of one section. Each section is an impl: `rustc` looks at all bounds of an impl for each of its lines.
const SECTION: usize = 32;

/// What a line of a table is about.
#[derive(Clone, Copy, PartialEq)]
enum Line {
    Component,
    Resource,
    System,
}

/// The names of one of the tables.
struct Names {
    table: &'static str,
    section: &'static str,
    /// For each `Line` the constant of the table, that of a section, and the type of a line.
    lines: [(Line, &'static str, &'static str, &'static str); 3],
}

const CLONES: Names = Names {
    table: "CloneTable",
    section: "CloneLines",
    lines: [
        (Line::Component, "COMPONENT_CLONES", "COMPONENTS", "ComponentClone"),
        (Line::Resource, "RESOURCE_CLONES", "RESOURCES", "ResourceClone"),
        (Line::System, "SYSTEM_CLONES", "SYSTEMS", "SystemClone"),
    ],
};

const HASHES: Names = Names {
    table: "HashTable",
    section: "HashLines",
    lines: [
        (Line::Component, "COMPONENT_HASHES", "COMPONENTS", "ComponentHash"),
        (Line::Resource, "RESOURCE_HASHES", "RESOURCES", "ResourceHash"),
        (Line::System, "SYSTEM_HASHES", "SYSTEMS", "SystemHash"),
    ],
};

const SAVES: Names = Names {
    table: "SaveTable",
    section: "SaveLines",
    lines: [
        (Line::Component, "COMPONENT_SAVES", "COMPONENTS", "ComponentSave"),
        (Line::Resource, "RESOURCE_SAVES", "RESOURCES", "ResourceSave"),
        (Line::System, "SYSTEM_SAVES", "SYSTEMS", "SystemSave"),
    ],
};

/// Whether worlds can be saved. (The tests of this crate see the same expansion with and without the feature.)
const ARE_SAVED: bool = cfg!(all(feature = "serde", not(test)));

/// Lines that follow one another, and their bounds.
#[derive(Default)]
struct Section {
    bounds: Vec<TokenStream>,
    lines: Vec<(Line, TokenStream)>,
}

impl Section {
    /// Adds the bound of a line. `rustc` points at `at` as the place where the bound is introduced.
    fn bound(&mut self, at: Span, ty: &impl ToTokens, bound: &TokenStream) {
        self.bounds.push(quote_spanned!(at=> #ty: #bound));
    }

    /// The lines about this, as a slice, if there are any.
    fn lines(&self, about: Line) -> Option<TokenStream> {
        let lines = self.lines.iter().filter(|line| line.0 == about).map(|line| &line.1);
        let lines: Vec<&TokenStream> = lines.collect();
        (!lines.is_empty()).then(|| quote!(&[#(#lines,)*]))
    }
}

/// The lines of one of the tables.
#[derive(Default)]
struct Table(Vec<Section>);

impl Table {
    /// Adds a line, and gives the section, for the line's bounds.
    fn line(&mut self, about: Line, line: TokenStream) -> &mut Section {
        let Self(sections) = self;
        if sections.last().is_none_or(|last| last.lines.len() == SECTION) {
            sections.push(Section::default());
        }
        let last = sections.last_mut().expect("a section was added");
        last.lines.push((about, line));
        last
    }

    /// The impl of the table, with the first section and further constants, and those of the other sections.
    fn expand(&self, cx: &Context<'_>, names: &Names, further: &TokenStream) -> TokenStream {
        let (declaration, a) = (cx.declaration(), lifetime());
        let at = declaration.span();
        let attributes = attributes::of_impl();
        // The macro's own, as in `begin_of_impl`.
        let generics = quote_spanned!(macros_own(at)=> <#a>);
        let generated = |name: &str| {
            let name = Ident::new(name, at);
            quote_spanned!(at=> #Krate::generated::#name)
        };
        let (table, section) = (generated(names.table), generated(names.section));
        let line_types = names.lines.map(|(about, .., line)| {
            let line = generated(line);
            let line = quote!(#line<Self>);
            if about == Line::Resource { quote!(::core::option::Option<#line>) } else { line }
        });
        let tables = || names.lines.iter().zip(&line_types);
        let Self(sections) = self;
        let others = || sections.iter().enumerate().skip(1);

        let bounds = sections.first().map_or(&[][..], |first| &first.bounds);
        let numbers = others().map(|(n, _)| number(n));
        let constants = tables().map(|((about, of_table, of_section, _), line)| {
            let of_table = Ident::new(of_table, at);
            let of_section = Ident::new(of_section, at);
            let own = sections.first().and_then(|first| first.lines(*about)).into_iter();
            let others = others().filter(|(_, one)| one.lines.iter().any(|line| line.0 == *about));
            let others = others.map(|(n, _)| {
                let n = number(n);
                quote!(<Self as #section<#a, #n>>::#of_section)
            });
            let all = own.chain(others);
            quote_spanned!(at=> const #of_table: &'static [&'static [#line]] = &[#(#all,)*];)
        });
        let whole = quote_spanned! {at=>
            #attributes
            impl #generics #table<#a> for #declaration
            where
                #(#bounds,)*
                #(Self: #section<#a, #numbers>,)*
            {
                #(#constants)*
                #further
            }
        };
        let sections = others().map(|(n, one)| {
            let (n, bounds) = (number(n), &one.bounds);
            let constants = tables().filter_map(|((about, _, constant, _), line)| {
                let lines = one.lines(*about)?;
                let constant = Ident::new(constant, at);
                Some(quote_spanned!(at=> const #constant: &'static [#line] = #lines;))
            });
            quote_spanned! {at=>
                #attributes
                impl #generics #section<#a, #n> for #declaration
                where
                    #(#bounds,)*
                {
                    #(#constants)*
                }
            }
        });
        quote!(#whole #(#sections)*)
    }
}

/// All tables. Because of the lifetime, the bounds are checked only where the impls are used. Spans are
/// plain, so that messages that point here do not mention macros. If the declaration has a fault, there are
/// neither bounds nor lines, so that code that clones, hashes or saves the world gets no further errors.
pub(crate) fn expand(cx: &Context<'_>, faultless: bool) -> TokenStream {
    let (clones, hashes) =
        if faultless { (clones(cx), hashes(cx)) } else { (Table::default(), Table::default()) };
    let (parts, shown) = if faultless { (prefab_parts(cx), shown(cx)) } else { Default::default() };
    let clones = clones.expand(cx, &CLONES, &parts);
    let hashes = hashes.expand(cx, &HASHES, &shown);
    let saves = ARE_SAVED.then(|| {
        let saves = if faultless { saves(cx) } else { Table::default() };
        saves.expand(cx, &SAVES, &TokenStream::new())
    });
    quote!(#clones #hashes #saves)
}

/// The lifetime of the impls, with the macro's own hygiene in every place, so that it is one lifetime.
fn lifetime() -> Lifetime {
    Lifetime::new("'a", macros_own(here()))
}

fn clones(cx: &Context<'_>) -> Table {
    let (declaration, a) = (cx.declaration(), lifetime());
    let mut table = Table::default();
    for component in &cx.model.components {
        let (ty, at) = (argument(component.named), component.name().span());
        let bound = quote_spanned!(at=> #Krate::generated::CloneComponent<#a, #declaration>);
        let section = table.line(Line::Component, quote!(<#ty as #bound>::CLONE));
        section.bound(at, &ty, &bound);
    }
    for resource in &cx.model.resources {
        let (ty, at) = (resource_argument(resource), resource.name.name().span());
        if resource.transient {
            table.line(Line::Resource, none());
            continue;
        }
        let size = size(&ty, at);
        let bound = quote_spanned!(at=> #Krate::generated::CloneResource<#a, #declaration, #ty>);
        let section = table.line(Line::Resource, quote!(<#size as #bound>::CLONE));
        section.bound(at, &size, &bound);
    }
    for System { name, at, state, output, size } in systems(cx) {
        let clone = quote!(#Krate::generated::SystemClone::of::<#name, #size>());
        let section = table.line(Line::System, clone);
        let bound = quote_spanned!(at=> #Krate::generated::CloneSystem<#a, #state, #name>);
        section.bound(at, &size, &bound);
        if let Some(output) = output {
            let bound = quote_spanned!(at=> #Krate::generated::CloneOutput<#a, #name>);
            section.bound(at, &output, &bound);
        }
    }
    table
}

fn hashes(cx: &Context<'_>) -> Table {
    let (declaration, a) = (cx.declaration(), lifetime());
    let mut table = Table::default();
    for component in &cx.model.components {
        let (ty, at) = (argument(component.named), component.name().span());
        let bound = quote_spanned! {at=>
            #Krate::generated::HashComponent<#a, #declaration, { ::core::mem::size_of::<#ty>() == 0 }>
        };
        let hash = quote!(<#ty as #Krate::generated::HashComponent<#a, #declaration, _>>::HASH);
        table.line(Line::Component, hash).bound(at, &ty, &bound);
    }
    for resource in &cx.model.resources {
        let (ty, at) = (resource_argument(resource), resource.name.name().span());
        if resource.transient {
            table.line(Line::Resource, none());
            continue;
        }
        let size = size(&ty, at);
        let bound = quote_spanned!(at=> #Krate::generated::HashResource<#a, #ty>);
        let hash = quote!(#Krate::generated::ResourceHash::of::<#ty, #size>());
        let section = table.line(Line::Resource, quote!(::core::option::Option::Some(#hash)));
        section.bound(at, &size, &bound);
    }
    for System { name, at, state, size, .. } in systems(cx) {
        let hash = quote!(#Krate::generated::SystemHash::of::<#name, #size>());
        let section = table.line(Line::System, hash);
        let bound = quote_spanned!(at=> #Krate::generated::HashSystem<#a, #state, #name>);
        section.bound(at, &size, &bound);
    }
    table
}

fn saves(cx: &Context<'_>) -> Table {
    let a = lifetime();
    let mut table = Table::default();
    for component in &cx.model.components {
        let (ty, at) = (argument(component.named), component.name().span());
        let form = value_form(&ty, at);
        let save = quote!(#Krate::generated::ComponentSave::of::<#ty, #form>());
        let bound = quote_spanned!(at=> #Krate::generated::Codec<#a, #ty>);
        table.line(Line::Component, save).bound(at, &form, &bound);
    }
    for resource in &cx.model.resources {
        let (ty, at) = (resource_argument(resource), resource.name.name().span());
        if resource.transient {
            table.line(Line::Resource, none());
            continue;
        }
        let of = argument(&resource.name);
        let form = match (&resource.event, &resource.relation) {
            (Some(event), _) if event.addressed => {
                quote_spanned!(at=> #Krate::generated::EventSaveForm<0>)
            }
            (Some(_), _) => {
                let form = form_of(&of, at);
                quote_spanned!(at=> #Krate::generated::EventSaveForm<{ #form }>)
            }
            (_, Some(relation)) if relation.many_to_many => {
                let form = form_of(&of, at);
                quote_spanned!(at=> #Krate::generated::LinkSaveForm<{ #form }>)
            }
            (_, Some(_)) => quote_spanned!(at=> #Krate::generated::RelationSaveForm),
            _ => state_form(&ty, at),
        };
        let bound = quote_spanned!(at=> #Krate::generated::SaveInPlace<#a, #ty>);
        let save = quote!(#Krate::generated::ResourceSave::of::<#ty, #form>());
        let save = quote!(::core::option::Option::Some(#save));
        table.line(Line::Resource, save).bound(at, &form, &bound);
    }
    for System { name, at, state, .. } in systems(cx) {
        let form = state_form(&state, at);
        let save = quote!(#Krate::generated::SystemSave::of::<#name, #form>());
        let bound = quote_spanned!(at=> #Krate::generated::SaveInPlace<#a, #state>);
        table.line(Line::System, save).bound(at, &form, &bound);
    }
    table
}

/// The number of the form in which the values of a type are saved. (`Neither` uses the imports, whatever the type is.)
fn form_of(ty: &impl ToTokens, at: Span) -> TokenStream {
    quote_spanned! {at=>
        {
            use #Krate::generated::{HasNoDefault as _, IsNotPlain as _};
            let _ = #Krate::generated::OfPlain::<#Krate::generated::Neither>::IT_IS;
            let _ = #Krate::generated::OfDefault::<#Krate::generated::Neither>::IT_HAS;
            #Krate::generated::form_of::<#ty>(
                #Krate::generated::OfPlain::<#ty>::IT_IS,
                #Krate::generated::OfDefault::<#ty>::IT_HAS,
            )
        }
    }
}

/// The form in which the values of a type are saved.
fn value_form(ty: &impl ToTokens, at: Span) -> TokenStream {
    let form = form_of(ty, at);
    quote_spanned!(at=> #Krate::generated::SaveForm<{ #form }>)
}

/// The form in which a value is saved that every world has.
fn state_form(ty: &impl ToTokens, at: Span) -> TokenStream {
    quote_spanned! {at=>
        #Krate::generated::SaveForm<{
            use #Krate::generated::IsNotPlain as _;
            let _ = #Krate::generated::OfPlain::<#Krate::generated::Neither>::IT_IS;
            #Krate::generated::state_form_of::<#ty>(#Krate::generated::OfPlain::<#ty>::IT_IS)
        }>
    }
}

/// The constant that says which values are shown as text: those of types that are `Debug`. For these, the constant of the type
/// hides that of the trait, which the first line uses in any case.
fn shown(cx: &Context<'_>) -> TokenStream {
    let at = cx.declaration().span();
    let components = cx.model.components.iter().map(|component| {
        let ty = argument(component.named);
        quote_spanned!(at=> <#Krate::generated::ShowComponent<Self, #ty>>::SHOW)
    });
    let resources = cx.model.resources.iter().filter(|resource| !resource.transient);
    let resources = resources.map(|resource| {
        let ty = resource_argument(resource);
        quote_spanned!(at=> <#Krate::generated::ShowResource<Self, #ty>>::SHOW)
    });
    let systems = systems(cx).map(|System { name, .. }| {
        quote_spanned!(at=> <#Krate::generated::ShowSystem<Self, #name>>::SHOW)
    });
    quote_spanned! {at=>
        #[allow(clippy::large_stack_arrays)]
        const SHOWN: &'static [::core::option::Option<#Krate::generated::Show<Self>>] = {
            use #Krate::generated::NotDebug as __NotDebug;
            &[
                <#Krate::generated::ShowNothing as __NotDebug<Self>>::SHOW,
                #(#components,)*
                #(#resources,)*
                #(#systems,)*
            ]
        };
    }
}

/// The constant that says what comes into prefabs: values of components, handles in components, and links. Where the type lacks
/// a trait, the constant is that of `NoPart`, which the first line uses in any case.
fn prefab_parts(cx: &Context<'_>) -> TokenStream {
    let at = cx.declaration().span();
    let components = cx.model.components.iter().map(|component| {
        let ty = argument(component.named);
        quote_spanned! {at=>
            <__Value<Self, #ty>>::PART,
            <__Handles<Self, #ty>>::PART,
        }
    });
    let relations = cx.model.resources.iter().filter_map(|resource| {
        let relation = resource.relation.as_ref()?;
        let of = argument(&resource.name);
        let part = if relation.many_to_many { "PART_OF_MANY" } else { "PART" };
        let part = Ident::new(part, at);
        Some(quote_spanned!(at=> <#Krate::generated::PrefabLinks<Self, #of>>::#part,))
    });
    quote_spanned! {at=>
        #[allow(clippy::large_stack_arrays)]
        const PREFAB_PARTS: &'static [::core::option::Option<#Krate::generated::PrefabPart<Self>>] = {
            use #Krate::generated::{
                NoPart as __NoPart, PrefabHandles as __Handles, PrefabValue as __Value,
            };
            &[
                <__Value<Self, #Krate::generated::ShowNothing> as __NoPart<Self>>::PART,
                <__Handles<Self, #Krate::generated::ShowNothing> as __NoPart<Self>>::PART,
                #(#components)*
                #(#relations)*
            ]
        };
    }
}

fn none() -> TokenStream {
    quote!(::core::option::Option::None)
}

/// A type that depends on whether `ty` has a size.
fn size(ty: &impl ToTokens, at: Span) -> TokenStream {
    quote_spanned!(at=> #Krate::generated::HasNoSize<{ ::core::mem::size_of::<#ty>() == 0 }>)
}

/// The parts of the tables for a system that is not transient.
struct System<'m> {
    name: TypeArgument<'m>,
    at: Span,
    state: TokenStream,
    /// The output type, if the system has one.
    output: Option<TokenStream>,
    /// The type that depends on whether the state has a size.
    size: TokenStream,
}

/// The systems that have a line: those that are not transient, and may have a state or an output. A system with its code
/// in the declaration has no state.
fn systems<'m>(cx: &'m Context<'m>) -> impl Iterator<Item = System<'m>> + 'm {
    let declaration = cx.declaration();
    cx.model.systems.iter().filter_map(move |system| {
        let is_stateless = !system.item.code.is_empty() && system.item.output.is_none();
        if is_stateless || system.item.flag(Flag::Transient).is_some() {
            return None;
        }
        let (name, at) = (system_argument(system), system.name().span());
        // The types of a set's system are known in the set only.
        let part = quote_spanned!(at=> <#name as #Krate::SystemName<#declaration>>);
        let of_a_set = system.item.from.is_some();
        let state = match &system.item.body {
            _ if of_a_set => quote!(#part::System),
            Some(body) => body.to_token_stream(),
            None => name.to_token_stream(),
        };
        let output = (of_a_set || system.item.output.is_some()).then(|| quote!(#part::Output));
        let size = size(&state, at);
        Some(System { name, at, state, output, size })
    })
}
