//! The libraries that packages depend on.

use std::fs;
use std::path::{Path, PathBuf};

use crate::at;

#[derive(Clone, Copy)]
pub(crate) enum Library {
    EcsCore,
    Hecs,
    Bevy,
}

impl Library {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::EcsCore => "ecs-core",
            Self::Hecs => "hecs",
            Self::Bevy => "bevy_ecs",
        }
    }

    /// Writes a package that depends on the library, and has one source file, into a folder of its own in `parent`.
    /// `ecs-core` is that of this workspace. The others have the version and the features that `benches/peers` uses. Lock
    /// files are those of the workspaces.
    pub(crate) fn package(
        self,
        parent: &Path,
        name: &str,
        (file, source): (&str, &str),
    ) -> Result<PathBuf, String> {
        let benches = Path::new(env!("CARGO_MANIFEST_DIR"));
        let (dependency, workspace) = match self {
            Self::EcsCore => {
                let workspace = benches.join("..");
                let workspace = workspace.canonicalize().map_err(at(&workspace))?;
                // A literal string, in which a backslash is not an escape.
                (
                    format!("ecs-core = {{ path = '{}' }}", workspace.join("ecs-core").display()),
                    workspace,
                )
            }
            Self::Hecs | Self::Bevy => {
                let peers = benches.join("peers");
                (self.dependency(&peers.join("Cargo.toml"))?, peers)
            }
        };
        let folder = parent.join(name);
        fs::create_dir_all(folder.join("src")).map_err(at(&folder))?;
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
             [dependencies]\n{dependency}\n\n[workspace]\n",
        );
        fs::write(folder.join("Cargo.toml"), manifest).map_err(at(&folder))?;
        fs::copy(workspace.join("Cargo.lock"), folder.join("Cargo.lock")).map_err(at(&folder))?;
        fs::write(folder.join("src").join(file), source).map_err(at(&folder))?;
        Ok(folder)
    }

    /// The line of a manifest that depends on the library.
    fn dependency(self, manifest: &Path) -> Result<String, String> {
        let text = fs::read_to_string(manifest).map_err(at(manifest))?;
        let start = format!("{} = ", self.name());
        let line = text.lines().find(|line| line.starts_with(&start));
        line.map(str::to_owned).ok_or_else(|| format!("{}: no line `{start}…`", manifest.display()))
    }
}
