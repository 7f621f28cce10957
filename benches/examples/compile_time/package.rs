//! Packages that consist of one large world.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The dependencies between the systems of a world.
#[derive(Clone, Copy)]
pub(crate) enum Shape {
    /// Each runs after the one before it, whose component it reads.
    Chain,
    /// Unordered: each writes a component of its own, and reads two of a few components that no system
    /// writes. The macro must show that no pair conflicts.
    Wide,
}

impl Shape {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Chain => "chain",
            Self::Wide => "wide",
        }
    }
}

/// The number of components of a wide world that no system writes.
const SHARED: usize = 10;

/// A world with `systems` systems, each of which reads two components and writes one.
#[derive(Clone, Copy)]
pub(crate) struct Package {
    pub(crate) shape: Shape,
    pub(crate) systems: usize,
}

impl Package {
    /// Writes the package into its own folder in `parent`. It depends on the `ecs-core` of this
    /// workspace, and uses the versions in the workspace's lock file.
    pub(crate) fn write(self, parent: &Path) -> io::Result<PathBuf> {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize()?;
        let name = format!("{}-{}", self.shape.name(), self.systems);
        let folder = parent.join(&name);
        fs::create_dir_all(folder.join("src"))?;
        // A literal string, in which a backslash is not an escape.
        let core = workspace.join("ecs-core");
        let core = core.display();
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
             [dependencies]\necs-core = {{ path = '{core}' }}\n\n[workspace]\n",
        );
        fs::write(folder.join("Cargo.toml"), manifest)?;
        fs::copy(workspace.join("Cargo.lock"), folder.join("Cargo.lock"))?;
        fs::write(folder.join("src/main.rs"), self.program())?;
        Ok(folder)
    }

    /// The components that system `index` reads.
    fn reads(self, index: usize) -> [usize; 2] {
        match self.shape {
            Shape::Chain => [(index + 1) % self.systems, (index + self.systems - 1) % self.systems],
            Shape::Wide => [self.systems + index % SHARED, self.systems + (index + 3) % SHARED],
        }
    }

    fn components(self) -> usize {
        match self.shape {
            Shape::Chain => self.systems,
            Shape::Wide => self.systems + SHARED,
        }
    }

    fn program(self) -> String {
        let mut types = String::new();
        let mut items = String::new();
        for index in 0..self.components() {
            let _ = writeln!(types, "pub struct C{index}(f32);");
            let _ = writeln!(items, "    component C{index}: contiguous_buffer;");
        }
        for index in 0..self.systems {
            let [a, b] = self.reads(index);
            let dependency = match self.shape {
                Shape::Chain if index > 0 => format!("S{}", index - 1),
                _ => String::new(),
            };
            let _ = write!(
                items,
                "    system S{index} {{\n        parallelism: split_evenly(cores),\n        \
                 dependencies: [{dependency}],\n        read: [C{a}, C{b}],\n        \
                 write: [C{index}],\n    }}\n",
            );
            let _ = write!(
                types,
                "#[derive(Default)]\npub struct S{index};\nimpl System<Large> for S{index} {{\n    \
                 fn process(&self, data: &mut Data<'_, Large, Self>) {{\n        \
                 data.own.for_entities(|e| e.c{index}.0 += e.c{a}.0 * e.c{b}.0);\n    }}\n}}\n",
            );
        }
        format!(
            "use ecs_core::{{Data, System, World, world}};\n\nworld! {{\n    world Large;\n{items}}}\n\n\
             {types}\nfn main() {{\n    \
             World::<Large>::new().tick().unwrap();\n}}\n",
        )
    }
}
