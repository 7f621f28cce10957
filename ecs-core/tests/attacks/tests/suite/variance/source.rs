//! The public generic types in the sources of the library.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{Attribute, Generics, Ident, Item, ItemEnum, ItemMod, ItemStruct, Visibility};

/// A file of the library, as it is built without tests.
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    pub(crate) syntax: syn::File,
}

/// The files, from the root on, without modules of tests.
pub(crate) fn files() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src");
    let mut files = Vec::new();
    take(&root.join("lib.rs"), &root, &mut files);
    assert!(files.len() > 100, "the walk found {} files only", files.len());
    files
}

/// Adds the file, whose modules lie in `folder`.
fn take(path: &Path, folder: &Path, files: &mut Vec<Source>) {
    let text =
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let syntax =
        syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let modules = syntax.items.iter().filter_map(|item| match item {
        Item::Mod(module) if module.content.is_none() && !is_for_tests(&module.attrs) => {
            Some(module.ident.to_string())
        }
        _ => None,
    });
    let modules: Vec<String> = modules.collect();
    files.push(Source { path: path.into(), text, syntax });
    for module in modules {
        let inner = folder.join(&module);
        let file = folder.join(format!("{module}.rs"));
        let path = if file.exists() { file } else { inner.join("mod.rs") };
        take(&path, &inner, files);
    }
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<Ident>().is_ok_and(|name| name == "test" || name == "doctest")
    })
}

/// Each public generic type, with its parameters.
pub(super) fn generic_types() -> BTreeMap<String, Vec<String>> {
    let mut found = Found::default();
    for source in files() {
        found.visit_file(&source.syntax);
        assert!(
            found.complaints.is_empty(),
            "{}: {}",
            source.path.display(),
            found.complaints.join("\n")
        );
    }
    found.types
}

#[derive(Default)]
struct Found {
    types: BTreeMap<String, Vec<String>>,
    complaints: Vec<String>,
}

impl Found {
    fn note(&mut self, visibility: &Visibility, name: &Ident, generics: &Generics) {
        let is_constant =
            |parameter: &syn::GenericParam| matches!(parameter, syn::GenericParam::Const(_));
        if !matches!(visibility, Visibility::Public(_)) || generics.params.iter().all(is_constant) {
            return;
        }
        let parameters = generics.params.iter().map(|parameter| match parameter {
            syn::GenericParam::Lifetime(lifetime) => lifetime.lifetime.to_string(),
            syn::GenericParam::Type(ty) => ty.ident.to_string(),
            syn::GenericParam::Const(constant) => constant.ident.to_string(),
        });
        if self.types.insert(name.to_string(), parameters.collect()).is_some() {
            self.complaints.push(format!("a second public generic type is called `{name}`"));
        }
    }
}

impl<'ast> Visit<'ast> for Found {
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        if !is_for_tests(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        self.note(&item.vis, &item.ident, &item.generics);
    }

    fn visit_item_enum(&mut self, item: &'ast ItemEnum) {
        self.note(&item.vis, &item.ident, &item.generics);
    }

    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        // The expansion of a macro is not visited. A name alone, `pub enum $Name {`, makes no generic type.
        let text = called.tokens.to_string();
        let generic = |rest: &str| {
            let head = rest.split(['{', '(', ';']).next().unwrap_or_default();
            head.contains('<') || head.matches('$').count() > 1
        };
        for made in ["pub struct", "pub enum", "pub union"] {
            if text.split(made).skip(1).any(generic) {
                self.complaints
                    .push(format!("a macro has `{made}`: teach this test to look into it"));
            }
        }
    }

    fn visit_item_union(&mut self, item: &'ast syn::ItemUnion) {
        self.note(&item.vis, &item.ident, &item.generics);
    }
}
