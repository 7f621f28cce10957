//! Lists of names: `read: [Position, physics::Velocity]`.

use proc_macro2::Span;
use syn::parse::{Parse, ParseStream, Result};
use syn::{Path, Token, bracketed, token};

use super::recover;
use crate::error::Errors;
use crate::kind::Kind;

/// Declares the lists, each with its key and the kind of things that it names.
macro_rules! lists {
    ($($(#[$doc:meta])* $variant:ident $key:literal $kind:ident;)*) => {
        /// A list that a system can have.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum List {
            $($(#[$doc])* $variant,)*
        }

        impl List {
            /// All lists.
            pub(crate) const ALL: &[Self] = &[$(Self::$variant),*];

            /// The key of the list.
            pub(crate) const fn key(self) -> &'static str {
                match self {
                    $(Self::$variant => $key,)*
                }
            }

            /// The kind of things that the list names.
            pub(crate) const fn kind(self) -> Kind {
                match self {
                    $(Self::$variant => Kind::$kind,)*
                }
            }
        }
    };
}

lists! {
    /// Read, of own entities.
    Read "read" Component;
    /// Read and written, of own entities.
    Write "write" Component;
    /// Read where present.
    ReadOptional "read_optional" Component;
    /// Read and written where present.
    WriteOptional "write_optional" Component;
    /// Read, of any entity.
    ReadAny "read_any" Component;
    /// Required without access.
    With "with" Component;
    /// Excluded: entities with the component are not matched.
    Without "without" Component;
    /// Runs after these.
    Dependencies "dependencies" System;
    /// Runs before these.
    Before "before" System;
    /// Runs after these, and reads their state and outputs.
    Inputs "inputs" System;
    /// Reads the members of these queries.
    Queries "queries" System;
    /// Takes the stream of this one, while both run.
    Streams "streams" System;
    /// Read.
    ReadResources "read_resources" Resource;
    /// Read and written.
    WriteResources "write_resources" Resource;
    /// Inserted at the refresh.
    Insert "insert" Component;
    /// Removed at the refresh.
    Remove "remove" Component;
    /// Read, of own entities, and given new values at the refresh.
    Update "update" Component;
}

/// One list of a system.
pub(crate) struct NameList {
    pub(crate) list: List,
    pub(crate) names: Vec<Path>,
}

/// Reads `: [element, …]`, each element on its own.
pub(super) fn parse<T: Parse>(
    input: ParseStream<'_>,
    key: &str,
    errors: &mut Errors,
) -> Result<Vec<T>> {
    match input.parse::<Token![:]>() {
        Err(error) if input.peek(token::Bracket) => errors.syntax(&error),
        colon => drop(colon?),
    }
    if input.peek(token::Bracket) {
        let content;
        bracketed!(content in input);
        return elements(&content, errors);
    }
    // One element without brackets is reported and read as a list of one.
    let span: Span = input.span();
    let element = input.parse().map_err(|_| input.error("expected a list: `[…]`"))?;
    errors.syntax(&syn::Error::new(span, format!("expected a list: `{key}: […]`")));
    Ok(vec![element])
}

/// Reads elements with commas between them until the end of `input`.
pub(super) fn elements<T: Parse>(input: ParseStream<'_>, errors: &mut Errors) -> Result<Vec<T>> {
    let mut elements = Vec::new();
    while !input.is_empty() {
        match input.parse() {
            Ok(element) => elements.push(element),
            Err(error) => {
                errors.syntax(&error);
                recover::skip_entry(input)?;
                continue;
            }
        }
        if !input.is_empty() && input.parse::<Token![,]>().is_err() {
            errors.syntax(&input.error("expected `,`"));
            if input.fork().parse::<T>().is_err() {
                recover::skip_entry(input)?;
            }
        }
    }
    Ok(elements)
}
