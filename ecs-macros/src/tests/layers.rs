//! Imports between the files of this crate form no cycle.
//!
//! A file imports another one if it uses an item that is defined there, by a `use` or by a path in the middle of code.
//! A re-export alone is no import: who uses it imports the file that defines the item. Unit tests within a file do not
//! count.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Item, ItemUse, UseTree, Visibility};

/// A module, which is one file.
#[derive(Default)]
struct Module {
    children: BTreeSet<String>,
    /// The names that `use` items bring into scope, the path of each, and whether it is only a re-export.
    uses: Vec<(String, Vec<String>, bool)>,
    /// The paths in the other items. A name by itself is a path.
    paths: BTreeSet<Vec<String>>,
}

impl Module {
    fn parse(code: &str) -> Self {
        let mut module = Self::default();
        let file = syn::parse_file(code).expect("a file of this crate");
        for item in &file.items {
            match item {
                Item::Use(ItemUse { tree, vis, .. }) => {
                    let reexport = !matches!(vis, Visibility::Inherited);
                    module.add_use(tree, &mut Vec::new(), reexport);
                }
                Item::Mod(inner) if inner.content.is_none() => {
                    module.children.insert(inner.ident.to_string());
                }
                Item::Mod(_) => {}
                other => module.add_paths(other.to_token_stream()),
            }
        }
        module
    }

    fn add_use(&mut self, tree: &UseTree, prefix: &mut Vec<String>, reexport: bool) {
        match tree {
            UseTree::Path(path) => {
                prefix.push(path.ident.to_string());
                self.add_use(&path.tree, prefix, reexport);
                prefix.pop();
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.add_use(tree, prefix, reexport);
                }
            }
            UseTree::Name(name) => self.add_name(&name.ident, &name.ident, prefix, reexport),
            UseTree::Rename(name) => self.add_name(&name.ident, &name.rename, prefix, reexport),
            UseTree::Glob(_) => self.uses.push(("*".to_owned(), prefix.clone(), reexport)),
        }
    }

    fn add_name(
        &mut self,
        item: &syn::Ident,
        name: &syn::Ident,
        prefix: &[String],
        reexport: bool,
    ) {
        let mut path = prefix.to_vec();
        let mut name = name.to_string();
        match path.last() {
            Some(last) if item == "self" && name == "self" => name.clone_from(last),
            Some(_) if item == "self" => {}
            _ => path.push(item.to_string()),
        }
        self.uses.push((name, path, reexport));
    }

    fn add_paths(&mut self, tokens: TokenStream) {
        let (mut path, mut colons) = (Vec::new(), 0);
        for token in tokens {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                TokenTree::Ident(ident) if colons == 2 && !path.is_empty() => {
                    path.push(ident.to_string());
                    colons = 0;
                }
                token => {
                    self.paths.insert(std::mem::take(&mut path));
                    colons = 0;
                    match token {
                        TokenTree::Ident(ident) => path.push(ident.to_string()),
                        TokenTree::Group(group) => self.add_paths(group.stream()),
                        _ => {}
                    }
                }
            }
        }
        self.paths.insert(path);
    }
}

/// The modules of a crate, by path: `syntax::list`. The root has none.
type Modules = BTreeMap<String, Module>;

fn child(module: &str, name: &str) -> String {
    if module.is_empty() { name.to_owned() } else { format!("{module}::{name}") }
}

fn parent(module: &str) -> &str {
    module.rsplit_once("::").map_or("", |(parent, _)| parent)
}

/// The module that defines what the path leads to from within `module`, if it is one of this crate.
fn definition(modules: &Modules, module: &str, path: &[String]) -> Option<String> {
    let (first, rest) = path.split_first()?;
    match first.as_str() {
        // As in `pub(crate)`.
        "crate" | "self" | "super" if rest.is_empty() => None,
        "crate" => item(modules, "", rest),
        "self" => item(modules, module, rest),
        "super" if rest.first().is_some_and(|next| next == "super") => {
            definition(modules, parent(module), rest)
        }
        "super" => item(modules, parent(module), rest),
        // A variable that is named like a module.
        name if rest.is_empty() && modules[module].children.contains(name) => None,
        name => {
            let inner = &modules[module];
            let known = inner.children.contains(name)
                || inner.uses.iter().any(|(used, path, _)| used == name && path[0] != *name);
            known.then(|| item(modules, module, path)).flatten()
        }
    }
}

/// The module that defines the item at `path` in `module`.
fn item(modules: &Modules, module: &str, path: &[String]) -> Option<String> {
    let Some((name, rest)) = path.split_first() else { return Some(module.to_owned()) };
    let inner = &modules[module];
    if inner.children.contains(name) {
        return item(modules, &child(module, name), rest);
    }
    match inner.uses.iter().find(|(used, ..)| used == name) {
        Some((_, path, _)) => definition(modules, module, &[path, rest].concat()),
        None => Some(module.to_owned()),
    }
}

/// The imports of each module.
fn imports(modules: &Modules) -> BTreeMap<&str, BTreeSet<String>> {
    let of = |(name, module): (&'_ String, &'_ Module)| {
        let used = module.uses.iter().filter(|(used, _, reexport)| {
            !reexport || module.paths.iter().any(|path| path.first() == Some(used))
        });
        let paths = used.map(|(_, path, _)| path).chain(&module.paths);
        paths
            .filter_map(|path| definition(modules, name, path))
            .filter(|other| other != name)
            .collect()
    };
    modules.iter().map(|module| (module.0.as_str(), of(module))).collect()
}

/// The modules that lead back to themselves.
fn cyclic(modules: &Modules) -> Vec<String> {
    let imports = imports(modules);
    let leads_back = |start: &&&str| {
        let (mut seen, mut next) = (BTreeSet::new(), vec![**start]);
        while let Some(module) = next.pop() {
            for import in &imports[module] {
                if seen.insert(import.as_str()) {
                    next.push(import);
                }
            }
        }
        seen.contains(**start)
    };
    let cyclic: BTreeSet<&str> = imports.keys().filter(leads_back).copied().collect();
    let within = |module: &&str| {
        let others: Vec<&String> =
            imports[*module].iter().filter(|to| cyclic.contains(to.as_str())).collect();
        format!("{module} -> {others:?}")
    };
    cyclic.iter().map(within).collect()
}

/// Reads the file of a module, and those of its children.
fn read(folder: &Path, file: &Path, module: &str, modules: &mut Modules) {
    let code = fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let parsed = Module::parse(&code);
    for name in &parsed.children {
        let folder = folder.join(name);
        let flat = folder.with_extension("rs");
        let file = if flat.exists() { flat } else { folder.join("mod.rs") };
        read(&folder, &file, &child(module, name), modules);
    }
    modules.insert(module.to_owned(), parsed);
}

fn this_crate() -> Modules {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut modules = Modules::new();
    read(&src, &src.join("lib.rs"), "", &mut modules);
    modules
}

#[test]
fn imports_go_one_way() {
    let modules = this_crate();
    let found = imports(&modules);
    assert!(modules.len() > 60 && found["check::order::conflicts"].contains("model"), "{found:#?}");
    let cyclic = cyclic(&modules);
    assert!(cyclic.is_empty(), "these modules import each other:\n{}", cyclic.join("\n"));
}

/// A crate of these modules, each a name and its code.
fn crate_of(files: &[(&str, &str)]) -> Modules {
    files.iter().map(|(name, code)| ((*name).to_owned(), Module::parse(code))).collect()
}

#[test]
fn a_cycle_is_found() {
    let lib = ("", "mod a; mod b;");
    let a = ("a", "mod c; pub(crate) use c::C; pub(crate) struct A;");
    let c = ("a::c", "use super::A; pub(crate) struct C(A);");
    let b = |code| ("b", code);
    let cyclic = |code| cyclic(&crate_of(&[lib, a, c, b(code)]));
    // A parent that re-exports what uses an item of its own is none.
    assert!(cyclic("use crate::a::C; struct B(C);").is_empty());
    let user = ("a", "mod c; pub(crate) use c::C; pub(crate) struct A(Option<Box<C>>);");
    assert_eq!(super::layers::cyclic(&crate_of(&[lib, user, c, b("")])).len(), 2);
    // Through a re-export, through the middle of code, and through a module that is in scope.
    let through = ("a::c", "use crate::b; pub(crate) struct C; fn f() { b::g() }");
    for code in [
        "use crate::a::C; fn g() {}",
        "fn g() { crate::a::c::f() }",
        "use crate::a; fn g(_: a::C) {}",
        "use super::a::{self as d, A}; fn g(_: Vec<d::C>) {}",
    ] {
        let modules = crate_of(&[lib, a, through, b(code)]);
        assert_eq!(super::layers::cyclic(&modules).len(), 2, "{code}");
    }
    assert!(cyclic("fn g() {} #[cfg(test)] mod tests { use crate::a::C; }").is_empty());
}
