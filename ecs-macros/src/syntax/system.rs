//! Systems: `system Accelerate { … }`, `system Rise: Adjust { … }`, `system Idle;`.

use proc_macro2::Span;
use syn::parse::{ParseStream, Result};
use syn::{Attribute, Ident, Path, Token, Type, braced, token};

use super::list::{self, List, NameList};
use super::parallelism::{self, Strategy};
use super::{Initial, Named, Query, SetModule, Tree, entries, name_of};
use crate::error::Errors;

/// Declares the flags, each with its key.
macro_rules! flags {
    ($($(#[$doc:meta])* $variant:ident $key:literal;)*) => {
        /// A key without a value.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Flag {
            $($(#[$doc])* $variant,)*
        }

        impl Flag {
            /// All flags.
            pub(crate) const ALL: &[Self] = &[$(Self::$variant),*];

            /// The key.
            pub(crate) const fn key(self) -> &'static str {
                match self {
                    $(Self::$variant => $key,)*
                }
            }
        }
    };
}

flags! {
    /// One subtask, which reaches every entity.
    Exclusive "exclusive";
    /// One subtask, which runs alone, and whose effects are immediate.
    Sequential "sequential";
    /// May observe its slices.
    SliceDependent "slice_dependent";
    /// Takes a stream in any order, or has an output without an order.
    Unordered "unordered";
    /// Entities are subscribed by hand.
    OptIn "opt_in";
    /// Despawns entities.
    Despawn "despawn";
    /// Defers arbitrary functions.
    Defer "defer";
    /// State and outputs are left out of clones, snapshots and hashes.
    Transient "transient";
}

/// The keys that are neither lists nor flags.
const OTHER_KEYS: [&str; 5] = ["parallelism", "output", "spawn", "state", "stage"];

/// One system.
pub(crate) struct System {
    pub(crate) attributes: Vec<Attribute>,
    /// The type that names the system. The system's name is its last segment.
    pub(crate) name: Named,
    /// The user's type, if the name is that of another type.
    pub(crate) body: Option<Type>,
    pub(crate) lists: Vec<NameList>,
    pub(crate) flags: Vec<(Flag, Span)>,
    pub(crate) parallelism: Option<(Strategy, Span)>,
    pub(crate) output: Option<Type>,
    pub(crate) spawn: Vec<Type>,
    pub(crate) state: Initial,
    pub(crate) stage: Option<Path>,
    /// The parts that only a query has, if it is one.
    pub(crate) query: Option<Query>,
    /// The set that declares it, and its number there, if it is part of a set.
    pub(crate) from: Option<(SetModule, usize)>,
}

impl System {
    /// A system without any keys.
    pub(super) fn new(attributes: Vec<Attribute>, name: Named) -> Self {
        Self {
            attributes,
            name,
            body: None,
            lists: Vec::new(),
            flags: Vec::new(),
            parallelism: None,
            output: None,
            spawn: Vec::new(),
            state: Initial::Default,
            stage: None,
            query: None,
            from: None,
        }
    }

    /// The span of the flag, if it is set.
    pub(crate) fn flag(&self, flag: Flag) -> Option<Span> {
        self.flags.iter().find(|(set, _)| *set == flag).map(|(_, span)| *span)
    }
}

/// Reads what follows the word `system`.
pub(super) fn parse(
    input: ParseStream<'_>,
    attributes: Vec<Attribute>,
    tree: &mut Tree,
    errors: &mut Errors,
) -> Result<()> {
    let (name, body) = head(input, tree)?;
    tree.systems.push(System { body, ..System::new(attributes, Named::new(name)) });
    if input.peek(token::Brace) {
        let content;
        braced!(content in input);
        if let Some(system) = tree.systems.last_mut() {
            entries_of(system, &content, errors)?;
        }
        Ok(())
    } else {
        input.parse::<Token![;]>().map_err(|_| input.error("expected `;` or `{ … }`"))?;
        Ok(())
    }
}

/// Reads `Name` or `Name: Type`.
fn head(input: ParseStream<'_>, tree: &mut Tree) -> Result<(Path, Option<Type>)> {
    let name: Path = input.parse()?;
    let mut lost = |error| {
        tree.lost.push(name_of(&name).to_string());
        error
    };
    if !input.peek(Token![:]) {
        return Ok((name, None));
    }
    if name.get_ident().is_none() {
        return Err(lost(syn::Error::new_spanned(
            &name,
            "a second name must be a plain one\nhelp: import the type, and write its last segment",
        )));
    }
    input.parse::<Token![:]>()?;
    let body = input.parse().map_err(lost)?;
    Ok((name, Some(body)))
}

fn entries_of(system: &mut System, input: ParseStream<'_>, errors: &mut Errors) -> Result<()> {
    let place = format!("the system `{}`", system.name.name());
    let keys: Vec<&'static str> = List::ALL
        .iter()
        .map(|list| list.key())
        .chain(Flag::ALL.iter().map(|flag| flag.key()))
        .chain(OTHER_KEYS)
        .collect();
    entries::parse(input, &place, &keys, errors, |key, ident, errors| {
        entry(system, key, ident, input, errors)
    })
}

/// Reads what follows a key.
pub(super) fn entry(
    system: &mut System,
    key: &'static str,
    ident: &Ident,
    input: ParseStream<'_>,
    errors: &mut Errors,
) -> Result<()> {
    if let Some(flag) = Flag::ALL.iter().copied().find(|flag| flag.key() == key) {
        system.flags.push((flag, ident.span()));
        if input.peek(Token![:]) {
            return Err(input.error(format!("`{key}` stands alone\nhelp: write only `{key}`")));
        }
        return Ok(());
    }
    if let Some(list) = List::ALL.iter().copied().find(|list| list.key() == key) {
        let names = list::parse(input, key, errors)?;
        system.lists.push(NameList { list, names });
        return Ok(());
    }
    if key == "spawn" {
        system.spawn.extend(list::parse::<Type>(input, key, errors)?);
        return Ok(());
    }
    input.parse::<Token![:]>()?;
    match key {
        "parallelism" => {
            system.parallelism = Some((parallelism::parse(input, errors)?, ident.span()));
        }
        "output" => system.output = Some(input.parse()?),
        "stage" => system.stage = Some(input.parse()?),
        _ => system.state.parse(input)?,
    }
    Ok(())
}
