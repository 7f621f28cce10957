//! Saves of a [`World`].

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use super::World;
use crate::scheduling::settings::Settings;
use crate::signature::Declaration;
use crate::state::save::{LoadError, SaveError, SaveFormat, Saveable, UnknownParts};
#[cfg(feature = "ron")]
use crate::state::save::{TextError, TextFormat};
use crate::state::snapshot::Snapshot;

impl<D: Declaration, S: Settings> World<D, S> {
    /// Writes the world as bytes. A world that [loads](Self::load) them goes on with the same bits. See [`save`](crate::save) for what
    /// is saved. A program whose parts have changed has a [`SaveFormat`], and calls [`SaveFormat::save`] instead, so that the
    /// save has its versions.
    ///
    /// ```
    /// use ecs_core::{World, world};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Serialize, Deserialize)]
    /// struct Age(u32);
    ///
    /// world! {
    ///     world Village;
    ///     component Age;
    ///     system Grow { each: |age: &mut Age| age.0 += 1 }
    /// }
    ///
    /// let mut world = World::<Village>::new();
    /// let ada = world.spawn((Age(7),));
    /// let mut save = Vec::new();
    /// world.save(&mut save)?;
    /// world.tick()?;
    ///
    /// let mut other = World::<Village>::new();
    /// other.load(&save)?;
    /// other.tick()?;
    /// assert_eq!(other.get::<Age>(ada).unwrap().0, 8);
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// O(entities × components). The bytes of one page of values, or of one resource, are in memory at a time.
    ///
    /// # Errors
    /// [`SaveError::Write`] with the error of the writer, [`SaveError::Value`] if `Serialize` fails for a value. The writer may have got some
    /// bytes by then; [`save_file`](Self::save_file) writes all or nothing.
    ///
    /// # Panics
    /// If `Serialize` panics.
    pub fn save(&self, to: impl Write) -> Result<(), SaveError>
    where
        D: Saveable,
    {
        SaveFormat::new().save(self, to)
    }

    /// Replaces the state of this world by that of a save. The world then has the handles of the saved world, and goes on with the same bits. Threads,
    /// settings, and transient parts stay as they are. Discard handles that are younger than the save.
    ///
    /// O(bytes).
    ///
    /// # Errors
    /// See [`LoadError`]. The world is unchanged.
    ///
    /// # Panics
    /// If the system refuses memory, or if `Deserialize`, the initial value of a resource or a system, or the destructor of a value that
    /// was loaded before an error panics. The world is unchanged. If the destructor of an old value panics, the load is complete, and the panic
    /// goes on after it.
    pub fn load(&mut self, bytes: &[u8]) -> Result<(), LoadError>
    where
        D: Saveable,
    {
        SaveFormat::new().load(self, bytes)
    }

    /// Loads a save as a snapshot, for worlds to [restore](Self::restore). This world stays as it is. Systems and resources that the
    /// save lacks have their initial values.
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// # use serde::{Deserialize, Serialize};
    /// # #[derive(Clone, Serialize, Deserialize)]
    /// # struct Heat(u32);
    /// # world! { world Room; component Heat; }
    /// let mut world = World::<Room>::new();
    /// let stone = world.spawn((Heat(1),));
    /// let mut bytes = Vec::new();
    /// world.snapshot().save(&mut bytes)?;
    ///
    /// let mut other = World::<Room>::new();
    /// let snapshot = other.load_snapshot(&bytes)?;
    /// other.restore(&snapshot)?;
    /// assert_eq!(other.get::<Heat>(stone).unwrap().0, 1);
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`load`](Self::load), except for the limit.
    ///
    /// # Panics
    /// As [`load`](Self::load).
    pub fn load_snapshot(&self, bytes: &[u8]) -> Result<Snapshot<D>, LoadError>
    where
        D: Saveable,
    {
        SaveFormat::new().load_snapshot(self, bytes)
    }

    /// [Saves](Self::save) the world to a file, which is never there in part: a new file is written beside it, and takes its place at
    /// the end. It has the permissions of a new file. A symbolic link is replaced, and not what it leads to.
    ///
    /// # Errors
    /// As [`save`](Self::save). The file is as it was.
    ///
    /// # Panics
    /// As [`save`](Self::save).
    pub fn save_file(&self, path: impl AsRef<Path>) -> Result<(), SaveError>
    where
        D: Saveable,
    {
        SaveFormat::new().save_file(self, path)
    }

    /// [Loads](Self::load) the world of a file.
    ///
    /// # Errors
    /// As [`load`](Self::load), and [`LoadError::Read`].
    ///
    /// # Panics
    /// As [`load`](Self::load).
    pub fn load_file(&mut self, path: impl AsRef<Path>) -> Result<(), LoadError>
    where
        D: Saveable,
    {
        SaveFormat::new().load_file(self, path)
    }
}

impl<D: Saveable> Snapshot<D> {
    /// Writes the snapshot as the save of a world, which [`World::load`] takes, too. A program with a [`SaveFormat`] calls
    /// [`SaveFormat::save_snapshot`].
    ///
    /// # Errors
    /// As [`World::save`].
    ///
    /// # Panics
    /// As [`World::save`], and if the snapshot is incomplete.
    pub fn save(&self, to: impl Write) -> Result<(), SaveError> {
        SaveFormat::new().save_snapshot(self, to)
    }
}

impl<D: Saveable> SaveFormat<D> {
    /// As [`World::save`], in this format.
    ///
    /// # Errors
    /// As [`World::save`].
    ///
    /// # Panics
    /// As [`World::save`].
    pub fn save<S: Settings>(&self, world: &World<D, S>, to: impl Write) -> Result<(), SaveError> {
        self.save_with(world, to, |_| {})
    }

    /// As [`save`](Self::save), and calls `progress` with the number of bytes that are written so far, about each 64 KiB.
    ///
    /// # Errors
    /// As [`World::save`].
    ///
    /// # Panics
    /// As [`World::save`], and if `progress` panics.
    pub fn save_with<S: Settings>(
        &self,
        world: &World<D, S>,
        mut to: impl Write,
        mut progress: impl FnMut(u64),
    ) -> Result<(), SaveError> {
        let unknown = &UnknownParts::new();
        world.core.saved(|saved| self.write(saved, unknown, &mut to, &mut progress))
    }

    /// As [`save`](Self::save), with the parts that [`load_keeping`](Self::load_keeping) has kept. Values of entities that are not alive
    /// are left out. One part after the other takes 24 bytes of memory for each of its values.
    ///
    /// # Errors
    /// As [`World::save`].
    ///
    /// # Panics
    /// As [`World::save`].
    pub fn save_keeping<S: Settings>(
        &self,
        world: &World<D, S>,
        unknown: &UnknownParts<D>,
        mut to: impl Write,
    ) -> Result<(), SaveError> {
        world.core.saved(|saved| self.write(saved, unknown, &mut to, &mut |_| {}))
    }

    /// As [`Snapshot::save`], in this format.
    ///
    /// # Errors
    /// As [`World::save`].
    ///
    /// # Panics
    /// As [`Snapshot::save`].
    pub fn save_snapshot(
        &self,
        snapshot: &Snapshot<D>,
        mut to: impl Write,
    ) -> Result<(), SaveError> {
        snapshot.saved(|saved| self.write(saved, &UnknownParts::new(), &mut to, &mut |_| {}))
    }

    /// As [`World::load`], in this format.
    ///
    /// # Errors
    /// As [`World::load`].
    ///
    /// # Panics
    /// As [`World::load`], and if a migration panics.
    pub fn load<S: Settings>(
        &self,
        world: &mut World<D, S>,
        bytes: &[u8],
    ) -> Result<(), LoadError> {
        self.read::<S::Limit>(&mut world.core, bytes)
    }

    /// As [`load`](Self::load), and returns the parts that this format [keeps](Self::keep), for [`save_keeping`](Self::save_keeping): the save has them,
    /// and the declaration does not. They take as much memory as in the save, and 8 bytes for each entity.
    ///
    /// # Errors
    /// As [`World::load`], and [`LoadError::NotKept`]: for a relation, and for a component that is written by `serde` in a
    /// save [without lengths](Self::with_lengths).
    ///
    /// # Panics
    /// As [`load`](Self::load).
    pub fn load_keeping<S: Settings>(
        &self,
        world: &mut World<D, S>,
        bytes: &[u8],
    ) -> Result<UnknownParts<D>, LoadError> {
        self.read_keeping::<S::Limit>(&mut world.core, bytes)
    }

    /// As [`World::load_snapshot`], in this format.
    ///
    /// # Errors
    /// As [`World::load_snapshot`].
    ///
    /// # Panics
    /// As [`World::load`], and if a migration panics.
    pub fn load_snapshot<S: Settings>(
        &self,
        world: &World<D, S>,
        bytes: &[u8],
    ) -> Result<Snapshot<D>, LoadError> {
        self.read_snapshot(&world.core, bytes)
    }

    /// As [`World::save_file`], in this format.
    ///
    /// # Errors
    /// As [`World::save_file`].
    ///
    /// # Panics
    /// As [`World::save`].
    pub fn save_file<S: Settings>(
        &self,
        world: &World<D, S>,
        path: impl AsRef<Path>,
    ) -> Result<(), SaveError> {
        self.save_file_keeping(world, &UnknownParts::new(), path)
    }

    /// As [`save_file`](Self::save_file), with the parts that [`load_keeping`](Self::load_keeping) has kept.
    ///
    /// # Errors
    /// As [`World::save_file`].
    ///
    /// # Panics
    /// As [`World::save`].
    pub fn save_file_keeping<S: Settings>(
        &self,
        world: &World<D, S>,
        unknown: &UnknownParts<D>,
        path: impl AsRef<Path>,
    ) -> Result<(), SaveError> {
        let path = path.as_ref();
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let mut file = new_file(folder).map_err(SaveError::Write)?;
        self.save_keeping(world, unknown, &mut file)?;
        let persist = || -> io::Result<()> {
            file.as_file().sync_all()?;
            file.persist(path)?;
            Ok(())
        };
        persist().map_err(SaveError::Write)
    }

    /// As [`World::load_file`], in this format.
    ///
    /// # Errors
    /// As [`World::load_file`].
    ///
    /// # Panics
    /// As [`World::load`], and if a migration panics.
    pub fn load_file<S: Settings>(
        &self,
        world: &mut World<D, S>,
        path: impl AsRef<Path>,
    ) -> Result<(), LoadError> {
        let bytes = fs::read(path).map_err(LoadError::Read)?;
        self.load(world, &bytes)
    }
}

#[cfg(feature = "ron")]
impl<D: Saveable> TextFormat<D> {
    /// The world as text. O(entities × components).
    ///
    /// # Errors
    /// [`TextError::Save`], and [`TextError::Part`] if `Serialize` fails for a value.
    ///
    /// # Panics
    /// As [`World::save`].
    pub fn save<S: Settings>(&self, world: &World<D, S>) -> Result<String, TextError> {
        world.core.saved(|saved| self.text(saved))
    }

    /// Replaces the state of `world` by that of the text, as [`World::load`] does by that of a save. O(text).
    ///
    /// Any text gives a world or an error, as [any bytes](crate::save#untrusted-bytes) do. Values may be nested 128 levels deep.
    ///
    /// # Errors
    /// See [`TextError`]. The world is unchanged.
    ///
    /// # Panics
    /// As [`World::load`], and if `Serialize` panics.
    pub fn load<S: Settings>(&self, world: &mut World<D, S>, text: &str) -> Result<(), TextError> {
        let bytes = self.bytes(text)?;
        self.format().load(world, &bytes).map_err(TextError::Load)
    }
}

/// An unnamed file beside the one that it becomes.
#[cfg(unix)]
fn new_file(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    use std::os::unix::fs::PermissionsExt as _;
    // The permissions of any new file, before the umask.
    let permissions = fs::Permissions::from_mode(0o666);
    tempfile::Builder::new().permissions(permissions).tempfile_in(folder)
}

/// An unnamed file beside the one that it becomes.
#[cfg(not(unix))]
fn new_file(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    tempfile::Builder::new().tempfile_in(folder)
}
