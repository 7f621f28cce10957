//! Runs the compiler on the generated crate, and parses its messages.

use std::fs;

use serde_json::Value;

use super::compiler::{Compiler, Emit};

/// An error.
pub(super) struct Diagnostic {
    /// The line in the library of the crate; 0 if the error is elsewhere.
    pub(super) line: usize,
    /// Its code, if it has one.
    pub(super) code: String,
    pub(super) message: String,
    pub(super) rendered: String,
}

impl Diagnostic {
    /// Whether the error is that there is no such coercion.
    pub(super) fn is_of_variance(&self) -> bool {
        match self.code.as_str() {
            "" => self.message == "lifetime may not live long enough",
            "E0308" => self.message == "mismatched types",
            _ => false,
        }
    }
}

/// The errors of the program.
pub(super) fn check(program: &str) -> Vec<Diagnostic> {
    let compiler =
        Compiler::new("variance").with::<ecs_core::Entity>("ecs_core", "ecs_core", "Entity");
    fs::write(compiler.scratch().join("world.rs"), include_str!("world.rs"))
        .expect("a writable file");
    let library = compiler.scratch().join("lib.rs");
    fs::write(&library, program).expect("a writable file");
    let mut command = compiler.command(&library, "variance_probes", Emit::Metadata);
    let output = command.args(["--crate-type=lib", "--error-format=json"]).output();
    let text = String::from_utf8(output.expect("`rustc` runs").stderr).expect("text");
    let messages = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let errors: Vec<Diagnostic> = messages.filter_map(|message| error(&message)).collect();
    assert!(!errors.is_empty(), "the compiler says\n{text}");
    errors
}

/// The error in the message, if it is one with a location.
fn error(message: &Value) -> Option<Diagnostic> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    if message["level"] != "error" {
        return None;
    }
    let mut spans = message["spans"].as_array()?.iter();
    let place = match spans.find(|span| span["is_primary"] == true) {
        Some(span) => outermost(span),
        // The message that counts the errors.
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

/// The span of the outermost macro call that contains the span.
fn outermost(span: &Value) -> &Value {
    match span.get("expansion").and_then(|expansion| expansion.get("span")) {
        Some(call) => outermost(call),
        None => span,
    }
}
