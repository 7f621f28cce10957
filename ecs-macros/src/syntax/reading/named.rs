//! Types that a declaration names, and the path of each at the place where code is generated.

use proc_macro2::Span;
use syn::parse::{ParseStream, Result};
use syn::{Error, GenericArgument, Ident, Lifetime, Path, PathArguments, PathSegment, Token};

use super::recover;
use crate::error::Errors;

/// A component, a resource or a system. `path` is valid in the scope of the declaration that contains it.
pub(crate) struct Named {
    pub(crate) path: Path,
    /// The name in the declaration, if it is not the last segment of `path`: `path as Name`.
    alias: Option<Ident>,
    /// The path that is valid here, if the item is part of a set.
    pub(crate) place: Option<Path>,
    /// The type that stands for the set, and the position in the set, of a component of a set.
    pub(crate) numbered: Option<(Path, usize)>,
}

impl Named {
    pub(crate) fn new(path: Path) -> Self {
        Self { path, alias: None, place: None, numbered: None }
    }

    /// Reads `path` or `path as Name`. Nothing is read of the one type of the standard library that has a name and no
    /// size.
    pub(crate) fn parse(input: ParseStream<'_>, kind: &str) -> Result<Self> {
        let path = recover::name(&input.fork(), kind);
        if path.is_ok_and(|path| path.is_ident("str")) {
            let message = "`str` has no size\nhelp: declare a struct with a `String`";
            return Err(input.error(message));
        }
        let path = recover::name(input, kind)?;
        let alias = match input.parse::<Option<Token![as]>>()? {
            Some(_) => Some(input.parse()?),
            None => None,
        };
        Ok(Self { alias, ..Self::new(path) })
    }

    /// Reports lifetimes, and puts `'static` in their places.
    pub(crate) fn own(&mut self, kind: &str, errors: &mut Errors) {
        let segments = self.path.segments.iter_mut();
        let arguments = segments.flat_map(|segment| match &mut segment.arguments {
            PathArguments::AngleBracketed(all) => all.args.iter_mut().collect(),
            _ => Vec::new(),
        });
        for argument in arguments {
            if let GenericArgument::Lifetime(lifetime) = argument
                && lifetime.ident != "static"
            {
                let message = format!(
                    "a {kind} is owned by the world, so it borrows nothing\nhelp: write `'static`, or a type without a lifetime"
                );
                errors.syntax(&Error::new_spanned(&*lifetime, message));
                *lifetime = Lifetime::new("'static", lifetime.span());
            }
        }
    }

    /// The name: the last segment of `path`, unless it is given another one.
    pub(crate) fn name(&self) -> &Ident {
        self.alias.as_ref().unwrap_or_else(|| name_of(&self.path))
    }

    /// The path of the type that is valid here.
    pub(crate) fn ty(&self) -> &Path {
        self.place.as_ref().unwrap_or(&self.path)
    }
}

/// A set's module, which has the names of its parts.
#[derive(Clone)]
pub(crate) struct SetModule {
    pub(crate) module: Path,
    pub(crate) set: Ident,
}

impl SetModule {
    /// The path of a part. `span` is the span of its last token.
    pub(crate) fn part(&self, part: &Part, span: Span) -> Path {
        let mut path = self.module.clone();
        path.segments.push(PathSegment::from(part.name(&self.set, span)));
        path
    }
}

/// The parts in a set's module, each numbered in the order of the set's declaration.
pub(crate) enum Part {
    Component(usize),
    /// A component's storage strategy, by the component.
    Storage(usize),
    Resource(usize),
    System(usize),
    /// A bundle that the set names.
    NamedBundle(usize),
    /// A bundle, by its system and its index in `spawn`.
    Bundle(usize, usize),
    /// The type that stands for the set.
    Set,
    /// The type that has the numbers of the components.
    Numbers,
    /// The trait of the worlds that include the set.
    World,
    /// The module of a set that this one includes.
    Include(usize),
    /// What the module cannot import in a function. The name is for the message of `rustc`.
    Outside,
}

impl Part {
    /// The name of the part.
    pub(crate) fn name(&self, set: &Ident, span: Span) -> Ident {
        let set = set.to_string();
        let set = set.trim_start_matches("r#");
        let name = match self {
            Self::Component(n) => format!("{set}Component{n}"),
            Self::Storage(n) => format!("{set}Component{n}Storage"),
            Self::Resource(n) => format!("{set}Resource{n}"),
            Self::System(n) => format!("{set}System{n}"),
            Self::NamedBundle(n) => format!("{set}Bundle{n}"),
            Self::Bundle(system, n) => format!("{set}System{system}Bundle{n}"),
            Self::Set => format!("{set}Set"),
            Self::Numbers => format!("{set}Numbers"),
            Self::World => format!("{set}World"),
            Self::Include(n) => format!("{set}Include{n}"),
            Self::Outside => format!("{set}_in_a_function_move_{set}_out"),
        };
        Ident::new(&name, span)
    }
}

/// The name of a path: its last segment.
pub(crate) fn name_of(path: &Path) -> &Ident {
    &path.segments.last().expect("a path has at least one segment").ident
}
