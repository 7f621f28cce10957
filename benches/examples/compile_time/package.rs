//! Packages that consist of one large world.

use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::bevy;
use crate::library::Library;

/// A change of the program after which it is compiled again.
#[derive(Clone, Copy)]
pub(crate) enum Edit {
    /// Another number in the body of a system, with more digits, so that the rest of the file moves.
    Body,
    /// A system reads a further component.
    Declaration,
    /// A further component.
    Component,
}

impl Edit {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Body => "a change of a body",
            Self::Declaration => "a change of a signature",
            Self::Component => "a new component",
        }
    }
}

/// What the world is written in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// As a declaration of systems that read three components and write one.
    Plain,
    /// As a declaration of systems of ten forms.
    Mixed,
    /// As a program of `bevy_ecs` that does what the plain form does.
    Bevy,
}

/// The structs of these components, with this attribute.
pub(crate) fn types(components: Range<usize>, attribute: &str) -> String {
    let mut types = String::new();
    for index in components {
        let _ = writeln!(types, "{attribute}\npub struct C{index}(pub f32);");
    }
    types
}

/// A world of components `C0`, `C1` and so on, and systems `S0`, `S1` and so on.
#[derive(Clone, Copy)]
pub(crate) struct Package {
    pub(crate) components: usize,
    pub(crate) systems: usize,
    pub(crate) form: Form,
}

/// The system that edits change.
pub(crate) const EDITED: usize = 1;

impl Package {
    pub(crate) fn title(self) -> String {
        let Self { components, systems, form } = self;
        let kind = match form {
            Form::Mixed => "of ten forms",
            Form::Plain | Form::Bevy => "that read three and write one",
        };
        format!("{components} components, {systems} systems {kind}:")
    }

    /// Writes the package into its own folder in `parent`.
    pub(crate) fn write(self, parent: &Path) -> Result<PathBuf, String> {
        let (form, library) = match self.form {
            Form::Plain => ("plain", Library::EcsCore),
            Form::Mixed => ("mixed", Library::EcsCore),
            Form::Bevy => ("bevy", Library::Bevy),
        };
        let name = format!("{form}_{}_{}", self.components, self.systems);
        library.package(parent, &name, ("main.rs", &self.program(None)))
    }

    /// The source, with an edit.
    pub(crate) fn program(self, edit: Option<Edit>) -> String {
        if self.form == Form::Bevy {
            return bevy::program(self, edit);
        }
        let mixed = self.form == Form::Mixed;
        let further = usize::from(matches!(edit, Some(Edit::Component)));
        let components = 0..self.components + further;
        let names: Vec<_> = components.clone().map(|index| format!("C{index}")).collect();
        let mut items = format!("    component {};\n", names.join(", "));
        if mixed {
            items.push_str("    resource Total: sum;\n");
        }
        for index in 0..self.systems {
            items.push_str(&self.system(index, edit));
        }
        let mut types = types(components, "#[derive(Clone, Copy, Default)]");
        if mixed {
            types.push_str("#[derive(Default, ecs_core::Combine)]\npub struct Total(pub u64);\n");
        }
        // Components are in a module of their own, as in programs of that size.
        format!(
            "#![recursion_limit = \"512\"]\n\nuse components::*;\nuse ecs_core::{{Stream, World, world}};\n\n\
             #[allow(unused)]\ntype Items = Stream<f32>;\n\n\
             world! {{\n    world Large;\n{items}}}\n\nfn main() {{\n    \
             World::<Large>::new().tick().unwrap();\n}}\n\nmod components {{\n{types}}}\n",
        )
    }

    /// The declaration of the system, which writes component `index`, and reads the three that follow it.
    fn system(self, index: usize, edit: Option<Edit>) -> String {
        let edit = edit.filter(|_| index == EDITED);
        let mixed = self.form == Form::Mixed;
        let kind = if mixed { index % 10 } else { 9 };
        // A consumer runs beside its producer, so it has other components.
        let consumer = mixed && kind == 8;
        let component =
            |ahead: usize| (index + ahead + 4 * usize::from(consumer)) % self.components;
        let [w, a, b, c] = [0, 1, 2, 3].map(component);
        let more = match edit {
            Some(Edit::Declaration) => format!(", C{}", component(4)),
            _ => String::new(),
        };
        let factor = if matches!(edit, Some(Edit::Body)) { "12.75" } else { "1.5" };
        let after = match (index, kind) {
            (0, _) => String::new(),
            (_, 8) => format!("S{}", index - 2),
            (_, 9) if mixed => format!("S{}, S{}", index - 2, index - 1),
            _ => format!("S{}", index - 1),
        };
        let mut keys =
            format!("dependencies: [{after}], read: [C{a}, C{b}, C{c}{more}], write: [C{w}]");
        let value = format!("{factor} * e.c{a}.0 * e.c{b}.0 + e.c{c}.0");
        let mut body = format!("|e| e.c{w}.0 += {value}");
        // Every tenth system is of one kind.
        match kind {
            0 => keys.push_str(", parallelism: split_evenly(cores)"),
            1 => {
                let _ = write!(keys, ", without: [C{}]", component(5));
            }
            2 => {
                keys.push_str(", parallelism: split_every(1024), output: Vec<f32>");
                body = format!(
                    "|e, effects| {{ e.c{w}.0 += {value}; effects.output().push(e.c{w}.0); }}"
                );
            }
            3 => {
                keys.push_str(", despawn");
                body = format!(
                    "|e, effects| {{ e.c{w}.0 += {value}; if e.c{w}.0 < 0.0 {{ effects.despawn(e.entity); }} }}"
                );
            }
            4 => {
                let _ = write!(keys, ", spawn: [(C{a}, C{b})]");
                body = format!(
                    "|e, effects| {{ e.c{w}.0 += {value}; if e.c{w}.0 > 1.0 {{ effects.spawn((*e.c{a}, *e.c{b})); }} }}"
                );
            }
            5 => {
                let _ = write!(keys, ", insert: [C{}]", component(5));
                body = format!(
                    "|e, effects| {{ e.c{w}.0 += {value}; if e.c{w}.0 > 1.0 {{ effects.insert(e.entity, C{}(1.0)); }} }}",
                    component(5)
                );
            }
            6 => {
                keys.push_str(", add: [Total]");
                body = format!("|e, effects| {{ e.c{w}.0 += {value}; effects.add(Total(1)); }}");
            }
            7 => {
                keys.push_str(", parallelism: split_evenly(cores), output: Items");
                body = format!(
                    "|e, effects| {{ e.c{w}.0 += {value}; effects.stream().send(e.c{w}.0); }}"
                );
            }
            8 => {
                let _ = write!(keys, ", streams: [S{}]", index - 1);
                return format!(
                    "    system S{index} {{ {keys}, run: |data| {{ let sum: f32 = \
                     data.effects.received::<S{}>().sum(); data.own.for_entities(|e| e.c{w}.0 += sum + {value}); }} }}\n",
                    index - 1
                );
            }
            _ => {}
        }
        format!("    system S{index} {{ {keys}, each: {body} }}\n")
    }
}
