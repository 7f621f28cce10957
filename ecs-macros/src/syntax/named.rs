//! Types that a declaration names, and how each is reached where the code is generated.

use proc_macro2::Span;
use syn::{Ident, Path, PathSegment};

use super::name_of;

/// A component, a resource or a system: its path as it is written, which holds where it is written.
pub(crate) struct Named {
    pub(crate) path: Path,
    /// The path that holds here, if the item came with a set.
    pub(crate) place: Option<Path>,
}

impl Named {
    pub(crate) fn new(path: Path) -> Self {
        Self { path, place: None }
    }

    /// The name that it goes by.
    pub(crate) fn name(&self) -> &Ident {
        name_of(&self.path)
    }

    /// The type, for use here.
    pub(crate) fn ty(&self) -> &Path {
        self.place.as_ref().unwrap_or(&self.path)
    }
}

/// A set's module, through which its parts are reached.
#[derive(Clone)]
pub(crate) struct SetModule {
    pub(crate) module: Path,
    pub(crate) set: Ident,
}

impl SetModule {
    /// The path of a part, with its last token in the place of the user's.
    pub(crate) fn part(&self, part: &Part, span: Span) -> Path {
        let mut path = self.module.clone();
        path.segments.push(PathSegment::from(part.name(&self.set, span)));
        path
    }
}

/// What a set's module holds, by number in the order in which the set declares it.
pub(crate) enum Part {
    Component(usize),
    /// A component's storage strategy, by the component.
    Storage(usize),
    Resource(usize),
    System(usize),
    /// A bundle, by its system and its place in `spawn`.
    Bundle(usize, usize),
    /// The type that stands for the set.
    Set,
    /// The trait of the worlds that include the set.
    World,
    /// The module of a set that this one includes.
    Include(usize),
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
            Self::Bundle(system, n) => format!("{set}System{system}Bundle{n}"),
            Self::Set => format!("{set}Set"),
            Self::World => format!("{set}World"),
            Self::Include(n) => format!("{set}Include{n}"),
        };
        Ident::new(&name, span)
    }
}
