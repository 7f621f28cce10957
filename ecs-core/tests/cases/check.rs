//! What the compiler says of a case, held against what it should say.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::LONGEST;
use super::read::{Case, Marked};
use crate::compile::compiler::{Compiler, Emit};
use crate::compile::statistics;

/// A compiler for each name under which programs can know the library.
pub(super) struct Compilers {
    pub(super) usual: Compiler,
    pub(super) renamed: Compiler,
}

/// What was found about a case.
pub(super) struct Checked {
    pub(super) path: String,
    pub(super) complaints: Vec<String>,
    /// The number of lines of each message.
    pub(super) lines: Vec<usize>,
}

/// An error or a warning.
struct Message {
    text: String,
    /// The line and the column of its first span, from 1, if that is in the program.
    at: Option<(usize, usize)>,
}

/// Whether the messages of illegal programs are shown.
fn shows() -> bool {
    env::var_os("UI_CASES").is_some()
}

/// Checks the one error of a program.
pub(super) fn illegal(compilers: &Compilers, case: &Case) -> Checked {
    let emit = if case.build { Emit::Program } else { Emit::Metadata };
    let text = with_main(case, case.text());
    let (_, said) = compile(compilers, case, &case.ident(), &text, emit);
    let messages = messages(&said, &case.ident());
    let mut complaints: Vec<String> = case.complaint().into_iter().collect();
    let mut marked = case.marked();
    for message in &messages {
        let found = marked.iter().position(|marked| is_marked(case, message, marked));
        match found {
            Some(found) => {
                let Marked { also, code, .. } = marked.swap_remove(found);
                // What `rustc` says by itself is as it is.
                if !also && code.starts_with("ECS") && !says_what_to_do(&message.text) {
                    complaints.push(format!("no help: {}", message.text));
                }
            }
            None => complaints.push(format!("not expected: {}", message.text)),
        }
        if message.text.lines().count() >= LONGEST {
            complaints.push(format!("too long: {}", message.text));
        }
    }
    complaints.extend(marked.iter().map(|marked| format!("missing: {marked:?}")));
    if shows() {
        println!("==== {}\n{said}", case.path());
    }
    let lines = messages.iter().map(|message| message.text.lines().count()).collect();
    Checked { path: case.path(), complaints, lines }
}

/// Whether the message has a proposal, or says what is expected at the token. `rustc` proposes by underlined lines.
fn says_what_to_do(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    text.contains("help: ") || first.contains("expected ")
}

fn is_marked(case: &Case, message: &Message, marked: &Marked) -> bool {
    let first = message.text.lines().next().unwrap_or_default();
    let is_error = first.starts_with("error");
    let has_code = first.contains(&format!("[{}]", marked.code)) || marked.code == "rustc";
    let at_token = message.at.is_some_and(|(line, column)| {
        let rest: String = case.line(line).chars().skip(column - 1).collect();
        line == marked.line && rest.starts_with(&marked.token)
    });
    is_error && has_code && at_token
}

/// Compiles and runs the texts of the cases: as modules of one program per edition, unless they are alone.
pub(super) fn legal(
    compilers: &Compilers,
    name: &str,
    cases: &[Case],
    text: impl Fn(&Case) -> String,
) -> Vec<Checked> {
    let mut checked = Vec::new();
    let mut crates: Vec<Vec<&Case>> = Vec::new();
    for case in cases {
        let joined = |others: &&mut Vec<&Case>| {
            let other = others[0];
            let apart = case.alone || other.alone || case.fault.is_some() || other.fault.is_some();
            !apart && other.edition == case.edition
        };
        match crates.iter_mut().find(joined) {
            Some(others) => others.push(case),
            None => crates.push(vec![case]),
        }
    }
    for cases in crates {
        let file = match cases[..] {
            [case] => format!("{name}_{}", case.ident()),
            _ => format!("{name}_{}", cases[0].edition),
        };
        let (program, begins) = program(&cases, &text);
        let (built, said) = compile(compilers, cases[0], &file, &program, Emit::Program);
        let mut own: Vec<Checked> = cases
            .iter()
            .map(|case| Checked { path: case.path(), complaints: Vec::new(), lines: Vec::new() })
            .collect();
        for message in messages(&said, &file) {
            let line = message.at.map_or(0, |(line, _)| line);
            let of = begins.iter().rposition(|begin| *begin <= line).unwrap_or(0);
            own[of].complaints.push(format!("{name} program: {}", message.text));
        }
        let silent = own.iter().all(|checked| checked.complaints.is_empty());
        if let Some(built) = built.as_ref().filter(|_| !cases[0].lib) {
            own[0].complaints.extend(run(built));
        } else if built.is_none() && silent {
            own[0].complaints.push(said);
        }
        checked.extend(own);
    }
    checked
}

/// How the `main` of a program begins.
const MAIN: &str = "fn main() {";

/// The program with a `main`, if it needs one.
fn with_main(case: &Case, text: String) -> String {
    let main = if case.lib || text.contains(MAIN) { "" } else { "fn main() {}\n" };
    text + main
}

/// One program of all cases, and the line at which each begins.
fn program(cases: &[&Case], text: impl Fn(&Case) -> String) -> (String, Vec<usize>) {
    let mut program = String::new();
    if let [case] = cases {
        return (with_main(case, text(case)), vec![1]);
    }
    let mut begins = Vec::new();
    let mut calls = String::new();
    for case in cases {
        begins.push(program.lines().count() + 1);
        let (name, text) = (case.ident(), format!("\n{}", text(case)));
        let main = format!("\n{MAIN}");
        if text.contains(&main) {
            let _ = writeln!(calls, "    {name}::main();");
        }
        let text = text.replace(&main, &format!("\npub {MAIN}"));
        let _ = writeln!(program, "mod {name} {{{text}}}");
    }
    (program + &format!("{MAIN}\n{calls}}}\n"), begins)
}

/// Compiles a text, and says what became of it, and what the compiler said.
fn compile(
    compilers: &Compilers,
    case: &Case,
    name: &str,
    text: &str,
    emit: Emit,
) -> (Option<PathBuf>, String) {
    let compiler = if case.renamed { &compilers.renamed } else { &compilers.usual };
    let source = compiler.scratch().join(format!("{name}.rs"));
    fs::write(&source, text).expect("a writable file");
    let mut command = compiler.command_in(&case.edition, &source, name, emit);
    // As cargo does, so that `cfg`s of generated code are no news to users.
    command.args(["--diagnostic-width=140", "--color=never", "--check-cfg=cfg(docsrs,test)"]);
    if case.lib {
        command.arg("--crate-type=lib");
    }
    let output = command.output().expect("`rustc` runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let program = compiler.scratch().join(format!("{name}{}", env::consts::EXE_SUFFIX));
    (output.status.success().then_some(program), said)
}

/// Runs a program, and says why it failed.
fn run(program: &PathBuf) -> Option<String> {
    let output = Command::new(program).output().expect("the program runs");
    fs::remove_file(program).expect("a file of this test");
    let stderr = String::from_utf8_lossy(&output.stderr);
    (!output.status.success()).then(|| format!("{}\n{stderr}", output.status))
}

/// The errors and warnings about the program in the file of this name.
fn messages(said: &str, name: &str) -> Vec<Message> {
    let file = format!("{name}.rs:");
    let blocks = statistics::messages(said).into_iter();
    let messages = blocks.map(|text| {
        let place = text.lines().find_map(|line| line.trim_start().strip_prefix("--> "));
        let at = place.and_then(|place| {
            let (_, numbers) = place.split_once(&file)?;
            let (line, column) = numbers.split_once(':')?;
            Some((line.parse().ok()?, column.parse().ok()?))
        });
        Message { text, at }
    });
    messages.collect()
}
