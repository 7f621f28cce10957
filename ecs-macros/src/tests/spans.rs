//! The places of names: an editor finds what is under the cursor by its place in the expansion.
//!
//! For each name in a declaration, the expansion has the same name at the same place. What stands there resolves as the
//! name does, so "hover" and "go to definition" show the component, the system or the field. Words of the declaration's
//! own grammar stand for nothing that could be shown, with the exceptions in [`WORDS_WITH_A_MEANING`].

use std::collections::BTreeSet;

use proc_macro2::{Ident, LineColumn, TokenStream, TokenTree};
use syn::{Item, Type};

use super::incomplete::WHOLE;

/// The words of the grammar that the whole declaration uses, and that name nothing of the user's.
const WORDS: [&str; 50] = [
    "world",
    "component",
    "resource",
    "system",
    "query",
    "order",
    "stages",
    "entity_limit",
    "fixed",
    "inner_parallelism",
    "allow",
    "scheduler",
    "sequential",
    "contiguous_buffer",
    "empty",
    "storage",
    "transient",
    "read",
    "write",
    "read_resources",
    "write_resources",
    "with",
    "without",
    "parallelism",
    "none_below_threshold",
    "split_evenly",
    "cores",
    "output",
    "state",
    "inputs",
    "dependencies",
    "before",
    "spawn",
    "insert",
    "stage",
    "index",
    "queries",
    "streams",
    "unordered",
    "exclusive",
    "despawn",
    "each",
    "run",
    "pub",
    "crate",
    "doc",
    "update",
    "read_any",
    "remove",
    "_",
];

/// Words that stand for an item of the library, and what stands at their places in the expansion.
const WORDS_WITH_A_MEANING: [(&str, &str); 5] = [
    ("each", "each_with_effects"),
    ("run", "run"),
    ("despawn", "Despawns"),
    ("exclusive", "Exclusive"),
    ("sequential", "IsSequential"),
];

/// Identifiers, with the places where they begin.
type Placed = Vec<(Ident, LineColumn)>;

/// All identifiers, at any depth, with the places where they begin.
fn idents(tokens: TokenStream) -> Placed {
    let idents = tokens.into_iter().flat_map(|token| match token {
        TokenTree::Ident(ident) => {
            let at = ident.span().start();
            vec![(ident, at)]
        }
        TokenTree::Group(group) => idents(group.stream()),
        _ => Vec::new(),
    });
    idents.collect()
}

/// The identifiers of the declaration, and those of its expansion.
fn whole() -> (Placed, Placed) {
    let input: TokenStream = format!("(::ecs_core) {WHOLE}").parse().expect("the text has tokens");
    let given = idents(input.clone().into_iter().skip(1).collect());
    let (errors, code) = crate::declare(input);
    assert_eq!(errors.iter().count(), 0);
    (given, idents(code))
}

#[test]
fn every_name_is_found_at_its_place() {
    let (given, emitted) = whole();
    let mut names = BTreeSet::new();
    for (ident, at) in given.iter().filter(|(ident, _)| !WORDS.contains(&&*ident.to_string())) {
        let found = emitted.iter().any(|(other, place)| other == ident && place == at);
        assert!(found, "`{ident}` at {}:{} is not in the expansion", at.line, at.column);
        names.insert(ident.to_string());
    }
    // Names in every list, code, values, types and paths.
    for name in [
        "Position", "physics", "Early", "Still", "Meet", "bodies", "Slab", "effects", "depth",
        "Stream",
    ] {
        assert!(names.contains(name), "{name}");
    }
}

#[test]
fn some_words_lead_to_the_library() {
    let (given, emitted) = whole();
    for (word, meaning) in WORDS_WITH_A_MEANING {
        let places: Vec<LineColumn> =
            given.iter().filter(|(ident, _)| ident == word).map(|(_, at)| *at).collect();
        let found =
            |at: &LineColumn| emitted.iter().any(|(ident, place)| ident == meaning && place == at);
        assert!(places.iter().any(found), "no `{word}` is the place of `{meaning}`");
    }
}

#[test]
fn fields_lead_to_their_component_and_say_what_it_is() {
    let code = super::declare(
        "world W;
        /// Metres.
        component physics::Position;
        component Velocity, r#Mass;
        system Move { write: [Position], read_optional: [Velocity], read: [Mass] }",
    )
    .code;
    let entry = code.items.iter().find_map(|item| match item {
        Item::Struct(item) if item.ident == "MoveEntry" => Some(item),
        _ => None,
    });
    let fields = &entry.expect("the entry").fields;
    let docs = fields.iter().map(|field| {
        let docs = field.attrs.iter().filter_map(|attribute| match &attribute.meta {
            syn::Meta::NameValue(doc) => match &doc.value {
                syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value()),
                _ => None,
            },
            _ => None,
        });
        docs.collect::<Vec<_>>()
    });
    let docs: Vec<Vec<String>> = docs.collect();
    assert_eq!(
        docs,
        [
            vec![" The entity."],
            vec![" The entity's [`type@physics::Position`], to read and write.", "", " Metres."],
            vec![" The entity's `r#Mass`."],
            vec![" The entity's [`type@Velocity`], if any."],
        ]
    );
    assert!(fields.iter().all(|field| !matches!(field.ty, Type::Infer(_))));
}
