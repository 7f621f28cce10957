//! Runs the compiler over the generated crate, and takes in what it says.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// An error.
pub(super) struct Diagnostic {
    /// Where, in the library of the crate; 0 if it is anywhere else.
    pub(super) line: usize,
    /// Its code, if it has one.
    pub(super) code: String,
    pub(super) message: String,
    pub(super) rendered: String,
}

impl Diagnostic {
    /// Whether it says that a coercion is none.
    pub(super) fn is_of_variance(&self) -> bool {
        match self.code.as_str() {
            "" => self.message == "lifetime may not live long enough",
            "E0308" => self.message == "mismatched types",
            _ => false,
        }
    }
}

/// Where generated crates of tests are.
fn folder() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder");
    target.join("tests").join("variance")
}

/// Writes the file if it holds anything else.
fn write(path: &Path, text: &str) {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return;
    }
    fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// The errors of the program.
pub(super) fn check(program: &str) -> Vec<Diagnostic> {
    let library =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the library");
    let folder = folder();
    fs::create_dir_all(folder.join("src")).expect("a folder to write into");
    let manifest = format!(
        "[package]\nname = \"variance-probes\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\necs-core = {{ path = '{}' }}\n\n[workspace]\n",
        library.display()
    );
    write(&folder.join("Cargo.toml"), &manifest);
    let lock = library.join("../Cargo.lock");
    fs::copy(&lock, folder.join("Cargo.lock")).expect("the lock file of the workspace");
    write(&folder.join("src/world.rs"), include_str!("world.rs"));
    write(&folder.join("src/lib.rs"), program);
    let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["check", "--message-format=json", "--offline", "--target-dir", "target"])
        .current_dir(&folder)
        // What is for the tests, such as a sanitizer, is nothing for what is only checked.
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .output()
        .expect("cargo runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let messages = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let errors: Vec<Diagnostic> = messages.filter_map(|message| error(&message)).collect();
    assert!(!errors.is_empty(), "cargo says\n{}", String::from_utf8_lossy(&output.stderr));
    errors
}

/// The error that the message is, if it is one with a place.
fn error(message: &Value) -> Option<Diagnostic> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let message = message.get("message").filter(|message| message["level"] == "error")?;
    let mut spans = message["spans"].as_array()?.iter();
    let place = match spans.find(|span| span["is_primary"] == true) {
        Some(span) => outermost(span),
        // What counts the others.
        None if text(&message["message"]).starts_with("aborting due to") => return None,
        None => &Value::Null,
    };
    let is_here = place["file_name"].as_str().is_some_and(|name| name.ends_with("lib.rs"));
    let line = place["line_start"].as_u64().filter(|_| is_here).unwrap_or(0);
    Some(Diagnostic {
        line: line as usize,
        code: text(&message["code"]["code"]),
        message: text(&message["message"]),
        rendered: text(&message["rendered"]),
    })
}

/// Where a macro was called, if the place is in one.
fn outermost(span: &Value) -> &Value {
    match span.get("expansion").and_then(|expansion| expansion.get("span")) {
        Some(call) => outermost(call),
        None => span,
    }
}
