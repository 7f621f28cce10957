//! Files that are written completely or not at all.

use super::failure::Failure;
use image::{ImageFormat, RgbImage};
use std::fs;
use std::io::{self, BufWriter, Cursor, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A path that a file can be written to, as far as can be checked beforehand.
#[derive(Debug)]
pub struct Destination {
    path: PathBuf,
}

impl Destination {
    /// Checks that a file can be written at `path`, replacing an existing regular file.
    ///
    /// # Errors
    ///
    /// If `path` is something other than a regular file, or if its directory is not writable.
    pub fn new(path: &Path) -> Result<Self, Failure> {
        // If `path` is a symbolic link, the target of the link is replaced, not the link.
        let path = match fs::canonicalize(path) {
            Ok(existing) if existing.is_file() => existing,
            Ok(_) => return Err(Failure::with_file(path, "is there and is not a file")),
            Err(_) => path.to_path_buf(),
        };
        if path.file_name().is_none() {
            return Err(Failure::with_file(&path, "is not the name of a file"));
        }
        let destination = Self { path };
        destination.create()?;
        Ok(destination)
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether both are the same file, whether it exists or not.
    pub fn is_same(&self, other: &Self) -> bool {
        let directory = |path: &Path| fs::canonicalize(directory_of(path)).ok();
        self.path.file_name() == other.path.file_name()
            && directory(&self.path) == directory(&other.path)
    }

    /// Starts the file under a temporary name in the directory of its destination.
    ///
    /// # Errors
    ///
    /// If the directory does not exist or is not writable.
    pub fn create(&self) -> Result<Pending, Failure> {
        let directory = directory_of(&self.path);
        if !directory.exists() {
            let message = format!("there is no directory {}", directory.display());
            return Err(Failure::with_file(&self.path, message));
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(".particles-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            // The permissions of any new file, before the umask.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let file = builder.tempfile_in(directory);
        // The message omits the temporary name.
        let file = file.map_err(|error| Failure::with_file(&self.path, error.kind()))?;
        Ok(Pending { path: self.path.clone(), file: BufWriter::new(file) })
    }
}

/// Writes the picture as a PNG file.
///
/// # Errors
///
/// If it cannot be encoded, or the file cannot be written.
pub fn write_png(path: &Path, picture: &RgbImage) -> Result<(), Failure> {
    let mut bytes = Cursor::new(Vec::new());
    let failure = |error: &dyn std::fmt::Display| Failure::with_file(path, error);
    picture.write_to(&mut bytes, ImageFormat::Png).map_err(|error| failure(&error))?;
    let mut file = Destination::new(path)?.create()?;
    file.write_all(bytes.get_ref()).map_err(|error| failure(&error))?;
    file.commit()
}

fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// A file that is being written. It is deleted unless it is committed.
#[derive(Debug)]
pub struct Pending {
    path: PathBuf,
    file: BufWriter<NamedTempFile>,
}

impl Pending {
    /// Moves the complete file to its destination.
    ///
    /// # Errors
    ///
    /// If buffered data cannot be written, or the file cannot be renamed.
    pub fn commit(self) -> Result<(), Failure> {
        let failure = |error: io::Error| Failure::with_file(&self.path, error);
        let file = self.file.into_inner().map_err(|error| failure(error.into_error()))?;
        file.persist(&self.path).map_err(|error| failure(error.error))?;
        Ok(())
    }
}

impl Write for Pending {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names_in(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).expect("the directory exists");
        entries
            .map(|entry| entry.expect("it is readable").file_name().to_string_lossy().into_owned())
            .collect()
    }

    #[test]
    fn nothing_is_there_before_the_commit() {
        let directory = tempfile::tempdir().expect("there is room for it");
        let path = directory.path().join("state.csv");
        let destination = Destination::new(&path).expect("the directory is writable");
        assert_eq!(names_in(directory.path()), [""; 0], "the check leaves nothing behind");
        let mut file = destination.create().expect("the directory is writable");
        file.write_all(b"half").expect("there is room for it");
        assert!(!path.exists());
        drop(file);
        assert_eq!(names_in(directory.path()), [""; 0]);
        let mut file = destination.create().expect("the directory is writable");
        file.write_all(b"whole").expect("there is room for it");
        file.commit().expect("the directory is writable");
        assert_eq!(names_in(directory.path()), ["state.csv"]);
        assert_eq!(fs::read(&path).expect("it has been written"), b"whole");
    }

    #[test]
    fn only_files_are_replaced() {
        let directory = tempfile::tempdir().expect("there is room for it");
        assert!(Destination::new(directory.path()).is_err());
        assert!(Destination::new(&directory.path().join("missing/state.csv")).is_err());
        assert!(Destination::new(Path::new("")).is_err());
        assert!(Destination::new(Path::new("/")).is_err());
        if cfg!(unix) {
            assert!(Destination::new(Path::new("/dev/null")).is_err());
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_links() {
        let directory = tempfile::tempdir().expect("there is room for it");
        let (file, link) = (directory.path().join("file"), directory.path().join("link"));
        fs::write(&file, "old").expect("there is room for it");
        std::os::unix::fs::symlink(&file, &link).expect("links can be made");
        let destination = Destination::new(&link).expect("the directory is writable");
        let mut pending = destination.create().expect("the directory is writable");
        pending.write_all(b"new").expect("there is room for it");
        pending.commit().expect("the directory is writable");
        assert!(link.is_symlink());
        assert_eq!(fs::read(&file).expect("it is there"), b"new");
    }
}
