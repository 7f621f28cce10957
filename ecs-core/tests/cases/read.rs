//! The programs of the folders, and what is marked in them.

use std::fs;
use std::path::PathBuf;

use crate::compile::compiler::package;

/// A program.
#[expect(clippy::struct_excessive_bools, reason = "each is a word behind the name")]
pub(super) struct Case {
    /// The file without its ending.
    theme: String,
    name: String,
    pub(super) edition: String,
    pub(super) build: bool,
    pub(super) alone: bool,
    pub(super) lib: bool,
    pub(super) renamed: bool,
    /// Why the program does not do yet what it should.
    pub(super) fault: Option<String>,
    lines: Vec<String>,
}

/// An error that is marked in a program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Marked {
    /// From 1.
    pub(super) line: usize,
    pub(super) code: String,
    pub(super) token: String,
    /// Whether it only shows a further token of a fault.
    pub(super) also: bool,
}

const ERROR: &str = "//~ ";
const MENDED: &str = "//~>";

impl Case {
    /// The case that a line `// case NAME, words` begins.
    fn begun(theme: &str, line: &str) -> Self {
        let (words, fault) = match line.split_once(", fault ") {
            Some((words, fault)) => (words, Some(fault.to_owned())),
            None => (line, None),
        };
        let mut words = words.split(", ");
        let mut case = Self {
            theme: theme.to_owned(),
            name: words.next().expect("`split` yields something").to_owned(),
            edition: "2024".to_owned(),
            build: false,
            alone: false,
            lib: false,
            renamed: false,
            fault,
            lines: Vec::new(),
        };
        for word in words {
            match word {
                "build" => case.build = true,
                "alone" => case.alone = true,
                "lib" => (case.alone, case.lib) = (true, true),
                "renamed" => (case.alone, case.renamed) = (true, true),
                _ => match word.strip_prefix("edition ") {
                    Some(edition) => edition.clone_into(&mut case.edition),
                    None => panic!("{theme}: {line}: `{word}` means nothing"),
                },
            }
        }
        case
    }

    /// The file and the name.
    pub(super) fn path(&self) -> String {
        format!("{}/{}", self.theme, self.name)
    }

    /// The name of a module or a file for it.
    pub(super) fn ident(&self) -> String {
        self.path().replace('/', "_")
    }

    /// The program as it stands.
    pub(super) fn text(&self) -> String {
        self.lines.join("\n") + "\n"
    }

    /// A line of it, from 1.
    pub(super) fn line(&self, number: usize) -> &str {
        &self.lines[number - 1]
    }

    /// The program with its replacements.
    pub(super) fn mended(&self) -> String {
        let mut lines: Vec<&str> = Vec::new();
        let mut replaces = false;
        for line in &self.lines {
            let Some(text) = line.trim_start().strip_prefix(MENDED) else {
                lines.push(line);
                replaces = true;
                continue;
            };
            if std::mem::take(&mut replaces) {
                lines.pop();
            }
            lines.push(text.trim_start());
        }
        lines.join("\n") + "\n"
    }

    /// Whether a replacement is given.
    pub(super) fn is_mended(&self) -> bool {
        self.lines.iter().any(|line| line.trim_start().starts_with(MENDED))
    }

    /// The errors that are marked.
    pub(super) fn marked(&self) -> Vec<Marked> {
        let lines = self.lines.iter().zip(1..);
        let marked = lines.filter_map(|(text, line)| {
            let (_, mark) = text.split_once(ERROR)?;
            let also = mark.starts_with("also ");
            let mark = mark.strip_prefix("also ").unwrap_or(mark);
            let (code, token) = mark.split_once(' ').unwrap_or((mark, ""));
            // What follows is the reason why this is an error of `rustc`.
            let token = token.split_once(": ").map_or(token, |(token, _)| token);
            Some(Marked { line, code: code.to_owned(), token: token.to_owned(), also })
        });
        marked.collect()
    }

    /// What is wrong about the marks themselves.
    pub(super) fn complaint(&self) -> Option<String> {
        let marks: Vec<&str> = self
            .lines
            .iter()
            .filter_map(|line| line.split_once(ERROR).map(|(_, mark)| mark))
            .collect();
        let causes = marks.iter().filter(|mark| !mark.starts_with("also ")).count();
        let own = |mark: &&&str| mark.trim_start_matches("also ").starts_with("ECS");
        let unreasoned = marks.iter().find(|mark| !own(mark) && !mark.contains(": "));
        if let Some(mark) = unreasoned {
            return Some(format!("`{mark}` is an error of `rustc`, and does not say why"));
        }
        if causes != 1 {
            return Some(format!("{causes} errors are marked, and one is right"));
        }
        (!self.is_mended()).then(|| "it is never mended".to_owned())
    }
}

/// All cases of the folder, by file.
pub(super) fn folder(folder: &str) -> Vec<Case> {
    let folder = package().join("tests/cases").join(folder);
    let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.expect("an entry of the folder").path()).collect();
    files.sort();
    let mut cases: Vec<Case> = Vec::new();
    for file in files {
        let theme = file.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(&file).expect("a readable file");
        let mut begun = false;
        for line in text.lines() {
            if let Some(line) = line.strip_prefix("// case ") {
                cases.push(Case::begun(&theme, line));
                begun = true;
            } else if begun {
                cases.last_mut().expect("a case has begun").lines.push(line.to_owned());
            }
        }
    }
    let mut paths: Vec<String> = cases.iter().map(Case::path).collect();
    paths.sort();
    let twice = paths.windows(2).find(|pair| pair[0] == pair[1]);
    assert!(twice.is_none(), "{twice:?} have one name");
    cases
}
