//! The path of `ecs-core`, for the derive macros: as an attribute says, or as the crate's manifest names it.
//!
//! `world!` and `set!` get the path of `ecs-core` from `$crate`. A derive macro is not told where it comes from.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{DeriveInput, Error, Result};

/// The path of `ecs-core` in the crate that is being compiled: `::ecs_core`, or the name of the dependency.
pub(crate) fn path_of_ecs_core() -> TokenStream {
    let name = renamed().unwrap_or_else(|| "ecs_core".to_owned());
    let name = Ident::new(&name.replace('-', "_"), Span::call_site());
    quote!(::#name)
}

/// The path in `#[name(crate = path)]` of a type. `fault` makes the error of another key.
pub(crate) fn path_in(
    input: &DeriveInput,
    name: &str,
    fault: fn(&syn::Path, &str) -> Error,
) -> Result<Option<syn::Path>> {
    let mut path = None;
    for attribute in input.attrs.iter().filter(|one| one.path().is_ident(name)) {
        attribute.parse_nested_meta(|meta| {
            if !meta.path.is_ident("crate") {
                return Err(fault(&meta.path, "an unknown key\nhelp: write `crate`"));
            }
            path = Some(meta.value()?.parse()?);
            Ok(())
        })?;
    }
    Ok(path)
}

/// The other name that the manifest gives to the dependency, or its workspace's manifest.
fn renamed() -> Option<String> {
    let folder = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?);
    let own = manifest(&folder)?;
    renamed_in(&own).or_else(|| {
        let mut workspaces = folder.ancestors().skip(1).filter_map(manifest);
        let name = workspaces.find_map(|text| renamed_in(&text))?;
        inherits(&own, &name).then_some(name)
    })
}

fn manifest(folder: &Path) -> Option<String> {
    fs::read_to_string(folder.join("Cargo.toml")).ok()
}

/// The key of the dependency with `package = "ecs-core"`, in either form: `key = { package = "ecs-core", … }`, or a table
/// `[dependencies.key]`.
fn renamed_in(text: &str) -> Option<String> {
    let mut table = "";
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
        if line.starts_with('[') {
            table = line;
            continue;
        }
        let Some((key, value)) = line.split_once('=') else { continue };
        let key = key.trim().trim_matches('"');
        if !table.contains("dependencies") {
            continue;
        }
        let value = value.replace([' ', '\t'], "");
        if key == "package" && value.starts_with("\"ecs-core\"") {
            let last = table.trim_matches(['[', ']']).rsplit('.').next()?;
            return Some(last.trim_matches('"').to_owned());
        }
        if value.contains("package=\"ecs-core\"") {
            return Some(key.to_owned());
        }
    }
    None
}

/// Whether the manifest has the dependency of its workspace.
fn inherits(text: &str, name: &str) -> bool {
    text.lines().map(|line| line.replace([' ', '\t', '"'], "")).any(|line| {
        line.strip_prefix(name).is_some_and(|rest| {
            rest.starts_with(".workspace=true")
                || (rest.starts_with("={") && rest.contains("workspace=true"))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_of_a_renamed_dependency() {
        for (text, key) in [
            ("[dependencies]\necs-core = \"1\"", None),
            ("[dependencies]\necs = { version = \"1\", package = \"ecs-core\" }", Some("ecs")),
            ("[dev-dependencies]\n\"my-ecs\" = {package=\"ecs-core\",path=\"..\"}", Some("my-ecs")),
            ("[dependencies.ecs]\nversion = \"1\"\npackage = \"ecs-core\"", Some("ecs")),
            ("[workspace.dependencies]\necs = { package = \"ecs-core\" }", Some("ecs")),
            ("[dependencies]\n# ecs = { package = \"ecs-core\" }", None),
            ("[package]\nname = \"ecs-core\"", None),
            ("[dependencies]\nother = { package = \"ecs-core-extra\" }", None),
        ] {
            assert_eq!(renamed_in(text).as_deref(), key, "{text}");
        }
    }

    #[test]
    fn a_dependency_of_the_workspace() {
        assert!(inherits("[dependencies]\necs.workspace = true", "ecs"));
        assert!(inherits("[dependencies]\necs = { workspace = true }", "ecs"));
        assert!(!inherits("[dependencies]\necs-core.workspace = true", "ecs"));
    }

    #[test]
    fn this_crate_names_it_as_it_is() {
        assert_eq!(path_of_ecs_core().to_string(), ":: ecs_core");
    }
}
