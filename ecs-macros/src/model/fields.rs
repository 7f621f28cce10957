//! The fields of the entries of systems, and their names.

use std::collections::HashSet;

use proc_macro2::Span;
use syn::Ident;

use crate::syntax::List;

/// A component as a field.
pub(crate) struct Field {
    pub(crate) ident: Ident,
    pub(crate) component: usize,
    pub(crate) list: List,
}

/// The lists whose components are fields, the strongest access first.
const LISTS: [List; 5] =
    [List::Write, List::Read, List::Update, List::WriteOptional, List::ReadOptional];

/// The fields, the strongest access first, of the components that the lists name, and where. Each component has one field,
/// which is at its name in the system's list.
pub(super) fn of<'n>(
    listed: impl Fn(List) -> Vec<(usize, Span)>,
    component_name: impl Fn(usize) -> &'n Ident,
) -> Vec<Field> {
    let mut fields: Vec<Field> = Vec::new();
    for list in LISTS {
        for (component, at) in listed(list) {
            if fields.iter().any(|field| field.component == component) {
                continue;
            }
            let ident = free_ident(component_name(component), at, &|ident| {
                fields.iter().any(|field| field.ident == *ident)
            });
            fields.push(Field { ident, component, list });
        }
    }
    fields
}

/// The component's name as that of a field, with underscores if that is taken.
fn free_ident(component: &Ident, at: Span, is_taken: &dyn Fn(&Ident) -> bool) -> Ident {
    let mut text = snake_case(&component.to_string());
    let mut ident = field_ident(&text, at);
    while ident == "entity" || is_taken(&ident) {
        text.push('_');
        ident = field_ident(&text, at);
    }
    ident
}

/// The fields of these components, each with the span of its field.
pub(crate) fn idents<'n>(components: impl Iterator<Item = (&'n Ident, Span)>) -> Vec<Ident> {
    let mut taken = HashSet::new();
    let free = |(name, at)| {
        let ident = free_ident(name, at, &|ident| taken.contains(&ident.to_string()));
        taken.insert(ident.to_string());
        ident
    };
    components.map(free).collect()
}

/// `HTTPServer` to `http_server`.
fn snake_case(name: &str) -> String {
    let letters: Vec<char> = name.trim_start_matches("r#").chars().collect();
    let mut snake = String::new();
    for (i, letter) in letters.iter().enumerate() {
        let begins_word = letter.is_uppercase()
            && i > 0
            && letters[i - 1] != '_'
            && (!letters[i - 1].is_uppercase()
                || letters.get(i + 1).is_some_and(|next| next.is_lowercase()));
        if begins_word {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

/// The keywords in lower case of all editions, reserved ones among them.
const KEYWORDS: [&str; 52] = [
    "_", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue",
    "crate", "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if",
    "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub",
    "ref", "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// The text as an identifier, with an underscore if it is a keyword.
fn field_ident(text: &str, span: Span) -> Ident {
    if KEYWORDS.binary_search(&text).is_ok() {
        Ident::new(&format!("{text}_"), span)
    } else {
        Ident::new(text, span)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn component_names_as_field_names() {
        for (name, expected) in [
            ("Position", "position"),
            ("KeepInBounds", "keep_in_bounds"),
            ("HTTPServer", "http_server"),
            ("Vec2D", "vec2_d"),
            ("A", "a"),
            ("Foo_Bar", "foo_bar"),
            ("already_snake", "already_snake"),
            ("r#Type", "type"),
        ] {
            assert_eq!(snake_case(name), expected);
        }
    }

    #[test]
    fn keywords_as_field_names() {
        let ident = |text| field_ident(text, Span::call_site()).to_string();
        assert_eq!(ident("position"), "position");
        assert_eq!(ident("type"), "type_");
        assert_eq!(ident("self"), "self_");
        assert_eq!(ident("gen"), "gen_");
        assert_eq!(ident("crate"), "crate_");
    }

    #[test]
    fn keywords_are_what_is_no_identifier() {
        assert!(KEYWORDS.is_sorted());
        for keyword in KEYWORDS {
            assert!(keyword == "gen" || syn::parse_str::<Ident>(keyword).is_err(), "{keyword}");
        }
    }
}
