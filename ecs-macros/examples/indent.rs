//! Indents the declarations of Rust files, which `rustfmt` leaves as they are.
//!
//! ```text
//! cargo run -p ecs-macros --example indent -- FILE…
//! ```
//!
//! Only blanks at the beginnings and ends of lines change, so comments stay. A line begins four columns behind the line
//! with the bracket around it, and a closing bracket where that line begins, as does a `|` behind parameters that have
//! lines of their own. A line that continues an expression keeps its distance from the line before it. Lines within
//! literals and within comments of several lines stay.

use std::{env, fs};

use proc_macro2::{Delimiter, Group, LexError, LineColumn, TokenStream, TokenTree};

fn main() {
    for file in env::args().skip(1) {
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
        let indented = indented(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
        if indented != text {
            fs::write(&file, indented).unwrap_or_else(|error| panic!("{file}: {error}"));
            println!("{file}");
        }
    }
}

/// Where a line stands.
enum Place {
    /// Among the parts in a bracket, by the line that opens it.
    Part(usize),
    /// The closing bracket, by the line that opens it.
    Close(usize),
    /// In the middle of a part.
    Rest,
    /// In the middle of a token.
    Within,
}

/// The text with its declarations indented.
fn indented(text: &str) -> Result<String, LexError> {
    let mut declarations = Vec::new();
    find(text.parse()?, &mut declarations);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for declaration in declarations {
        indent(&declaration, &mut lines);
    }
    Ok(lines.join("\n") + if text.ends_with('\n') { "\n" } else { "" })
}

/// The brackets of the calls of `world!` and `set!`.
fn find(tokens: TokenStream, found: &mut Vec<Group>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        let is_call = at >= 2
            && matches!(&tokens[at - 1], TokenTree::Punct(mark) if mark.as_char() == '!')
            && matches!(&tokens[at - 2], TokenTree::Ident(name) if name == "world" || name == "set");
        if is_call {
            found.push(group.clone());
        } else {
            find(group.stream(), found);
        }
    }
}

fn indent(declaration: &Group, lines: &mut [String]) {
    let first = declaration.span_open().start().line;
    let last = declaration.span_close().start().line;
    let old: Vec<usize> = lines.iter().map(|line| columns(line)).collect();
    let mut comment = false;
    for line in first + 1..=last {
        let content = lines[line - 1].trim().to_owned();
        let was_comment = comment;
        comment = is_open(comment, &content);
        if was_comment {
            continue;
        }
        let begin = LineColumn { line, column: old[line - 1] };
        let column = match place(declaration, begin, &content, ";") {
            Place::Within => continue,
            _ if content.is_empty() => 0,
            Place::Part(opened) => columns(&lines[opened - 1]) + 4,
            Place::Close(opened) => columns(&lines[opened - 1]),
            Place::Rest => {
                (old[line - 1] + columns(&lines[line - 2])).saturating_sub(old[line - 2])
            }
        };
        lines[line - 1] = format!("{}{content}", " ".repeat(column));
    }
}

/// The place in the brackets of a line that begins there. `ends` has the marks behind which a part begins.
fn place(brackets: &Group, begin: LineColumn, content: &str, ends: &str) -> Place {
    let opened = brackets.span_open().start().line;
    if begin >= brackets.span_close().start() {
        return Place::Close(opened);
    }
    let mut before: [Option<TokenTree>; 2] = [None, None];
    for token in brackets.stream() {
        let (start, end) = (token.span().start(), token.span().end());
        if start >= begin {
            break;
        }
        if end > begin {
            return match token {
                // A comment of documentation has brackets without a place.
                TokenTree::Group(inner)
                    if inner.span_open().start() < inner.span_close().start() =>
                {
                    place(&inner, begin, content, ",;")
                }
                _ => Place::Within,
            };
        }
        before = [before[1].take(), Some(token)];
    }
    let continues = content.starts_with(['.', '?', '+', '-', '*', '&', '|', '=', '<', '>'])
        || (content.starts_with('/') && !content.starts_with("//") && !content.starts_with("/*"));
    let begins = match before {
        [_, None] => true,
        // The parameters of a closure end. Those of another one begin without a blank: `|x|`.
        [_, Some(TokenTree::Punct(mark))] if mark.as_char() == ',' && content.starts_with("| ") => {
            return Place::Close(opened);
        }
        [Some(TokenTree::Punct(colon)), Some(TokenTree::Punct(mark))] if mark.as_char() == '|' => {
            colon.as_char() == ':'
        }
        [_, Some(TokenTree::Punct(mark))] => ends.contains(mark.as_char()),
        [hash, Some(TokenTree::Group(group))] => {
            let is_attribute =
                matches!(hash, Some(TokenTree::Punct(mark)) if mark.as_char() == '#');
            is_attribute || (group.delimiter() == Delimiter::Brace && !continues)
        }
        _ => content.starts_with("//") || content.starts_with("/*"),
    };
    if begins { Place::Part(opened) } else { Place::Rest }
}

/// Whether a comment of several lines is open behind a line.
fn is_open(open: bool, content: &str) -> bool {
    match (content.rfind("/*"), content.rfind("*/")) {
        (Some(begin), Some(end)) => begin > end,
        (Some(_), None) => !content.starts_with("//"),
        (None, Some(_)) => false,
        (None, None) => open,
    }
}

/// How many blanks the line begins with.
fn columns(line: &str) -> usize {
    line.chars().take_while(|letter| *letter == ' ').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const INDENTED: &str = r#"
mod game {
    world! {
        /// A game.
        pub world Game {
            entity_limit: fixed(8), // the limit
        }

        // Parts.
        component Position,
            Velocity;
        /* Not
     these. */
        resource Text = Text("
 not here");
        system Stop { each: |
            velocity: &mut Velocity,
            text: &Text,
        | velocity.0 = 0 }
        system Move {
            read: [
                Velocity,
            ],
            each: |e| {
                let far = e.position
                    .checked_add(&e.velocity)
                    .unwrap_or_default();
                if far {
                    stop();
                } else {
                    go(|x| {
                        x.y
                    });
                }
            },
        }
    }
}
fn  not_here ( ) { }
"#;

    #[test]
    fn what_is_indented_stays() {
        assert_eq!(indented(INDENTED).expect("tokens"), INDENTED);
    }

    #[test]
    fn lines_that_moved_come_back() {
        // Lines that continue others move with them.
        let moved: Vec<String> = INDENTED
            .lines()
            .map(|line| match line.trim_start() {
                rest if line.starts_with("        ") && !line.contains("not") => {
                    let continues = rest.starts_with("Velocity;") || rest.starts_with('.');
                    format!("{}{rest}  ", if continues { "       " } else { "   " })
                }
                _ => line.to_owned(),
            })
            .collect();
        let moved = moved.join("\n") + "\n";
        assert_ne!(moved, INDENTED);
        assert_eq!(indented(&moved).expect("tokens"), INDENTED);
    }

    /// The declarations of the workspace are indented by hand. Cases are left out, as they are short of lines.
    #[test]
    fn the_declarations_of_the_workspace_stay() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut folders: Vec<_> =
            ["ecs-core/examples", "ecs-core/tests/world", "ecs-examples", "benches"]
                .map(|at| root.join(at))
                .into();
        let mut all = 0;
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder of the workspace") {
                let path = entry.expect("an entry of the folder").path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let text = fs::read_to_string(&path).expect("a readable file");
                    let after = indented(&text).expect("tokens");
                    let first =
                        text.lines().zip(after.lines()).find(|(before, after)| before != after);
                    assert_eq!(first, None, "{}", path.display());
                    all += 1;
                }
            }
        }
        assert!(all > 100, "{all} files");
    }
}
