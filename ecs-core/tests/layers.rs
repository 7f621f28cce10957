//! The rooms of `ecs-core/src`, and which of them each may import.
//!
//! A room is a folder of `src`. A path `crate::room::…` in one room is an edge to the other, whether in an import or
//! in the middle of code. Paths in comments make no edge, and no `super::…` leaves a room. Unit tests count like other
//! code. Only `lib.rs` and `generated.rs`, which give items their public paths, use all rooms.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Each room, bottom to top, and the rooms that it imports.
const ROOMS: [(&str, &[&str]); 18] = [
    ("types", &[]),
    ("parallel", &[]),
    ("random", &[]),
    ("rows", &["parallel"]),
    ("entity", &["types", "parallel", "rows"]),
    ("relations", &["types", "parallel", "rows", "entity"]),
    ("storage", &["types", "parallel", "rows", "entity"]),
    ("scheduling", &["types", "parallel", "entity"]),
    ("output", &["types", "parallel"]),
    (
        "signature",
        &["types", "parallel", "rows", "entity", "relations", "storage", "scheduling", "output"],
    ),
    ("changes", &["types", "parallel", "rows", "entity", "relations", "storage", "signature"]),
    (
        "state",
        &[
            "types",
            "parallel",
            "random",
            "rows",
            "entity",
            "relations",
            "storage",
            "scheduling",
            "output",
            "signature",
            "changes",
        ],
    ),
    (
        "refresh",
        &[
            "types",
            "parallel",
            "rows",
            "entity",
            "relations",
            "storage",
            "signature",
            "changes",
            "state",
        ],
    ),
    (
        "proxy",
        &[
            "types",
            "parallel",
            "random",
            "rows",
            "entity",
            "relations",
            "storage",
            "scheduling",
            "output",
            "signature",
            "state",
            "refresh",
        ],
    ),
    (
        "world",
        &[
            "types",
            "parallel",
            "random",
            "entity",
            "relations",
            "scheduling",
            "output",
            "signature",
            "changes",
            "state",
            "refresh",
            "proxy",
        ],
    ),
    ("replay", &["types", "scheduling", "state", "proxy", "world"]),
    ("declaration", &["types", "storage", "scheduling", "output", "signature"]),
    ("time", &["types"]),
];

/// The files that give items their public paths.
const PATHS: [&str; 2] = ["lib.rs", "generated.rs"];

/// What follows `crate::` in the code of a file: the segments of each path.
type Paths = Vec<Vec<String>>;

/// The files of the crate, as room and path. Those of `PATHS` are none of them.
fn files() -> Vec<(String, PathBuf)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    let mut folders = vec![src.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            let inner = path.strip_prefix(&src).expect("below `src`");
            let room = inner.iter().next().expect("a name").to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") && !PATHS.contains(&&*room) {
                files.push((room, path));
            }
        }
    }
    assert!(files.len() > 100, "the walk over {} found next to nothing", src.display());
    files
}

/// The code without comments and without the contents of strings.
fn stripped(code: &str) -> String {
    let mut bare = String::new();
    let mut rest = code;
    while let Some(next) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with("'\"'") || rest.starts_with("'\\\"'") {
            rest[1..].find('\'').map_or(rest.len(), |end| end + 2)
        } else if next == '"' {
            end_of_string(rest)
        } else {
            bare.push(next);
            next.len_utf8()
        };
        rest = &rest[skipped..];
    }
    bare
}

/// Where the string ends with which the code begins.
fn end_of_string(code: &str) -> usize {
    let mut escaped = false;
    for (at, c) in code.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at + 1,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    code.len()
}

/// All paths that start with `crate::`, groups resolved: `crate::{a::B, c}` is `a::B` and `c`.
fn paths(code: &str) -> Paths {
    let code = stripped(code);
    let mut paths = Vec::new();
    for (at, found) in code.match_indices("crate") {
        let before = code[..at].chars().next_back();
        let part_of_a_name = before.is_some_and(|c| c.is_alphanumeric() || "_:".contains(c));
        if let Some(rest) = code[at + found.len()..].trim_start().strip_prefix("::")
            && !part_of_a_name
        {
            read_path(rest, &mut Vec::new(), &mut paths);
        }
    }
    paths
}

/// Reads a path or a group of paths, whose first segments are `prefix`. Returns what follows.
fn read_path<'a>(code: &'a str, prefix: &mut Vec<String>, paths: &mut Paths) -> &'a str {
    let code = code.trim_start();
    if let Some(mut rest) = code.strip_prefix('{') {
        loop {
            rest = rest.trim_start().trim_start_matches(',').trim_start();
            if let Some(end) = rest.strip_prefix('}') {
                return end;
            }
            let before = rest.len();
            rest = read_path(rest, &mut prefix.clone(), paths);
            if let Some(alias) = rest.trim_start().strip_prefix("as ") {
                rest = &alias[alias.find([',', '}']).expect("the end of the group")..];
            }
            assert!(rest.len() < before, "not understood: {}", &rest[..rest.len().min(80)]);
        }
    }
    let end = code.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '*');
    let (name, rest) = code.split_at(end.unwrap_or(code.len()));
    if name != "self" && !name.is_empty() {
        prefix.push(name.to_owned());
    }
    match rest.trim_start().strip_prefix("::") {
        Some(more) if !more.trim_start().starts_with('<') => read_path(more, prefix, paths),
        _ => {
            paths.push(prefix.clone());
            rest
        }
    }
}

/// The edges between rooms: `(from, to)`, with the places and items of each.
fn edges() -> BTreeMap<(String, String), BTreeSet<(String, String)>> {
    let mut edges: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (room, path) in files() {
        let code = fs::read_to_string(&path).expect("a readable file");
        let place = path.strip_prefix(&src).expect("below `src`").display().to_string();
        for path in paths(&code) {
            let to = path[0].clone();
            if to != room {
                let item = path[1..].join("::");
                edges.entry((room.clone(), to)).or_default().insert((place.clone(), item));
            }
        }
    }
    edges
}

/// How many rooms lie below.
fn height(room: &str) -> Option<usize> {
    ROOMS.iter().position(|&(name, _)| name == room)
}

/// Fails with all offenders, so that one run shows everything.
fn assert_none(rule: &str, offenders: &[String]) {
    assert!(offenders.is_empty(), "{rule}:\n{}", offenders.join("\n"));
}

#[test]
fn every_folder_is_a_room_of_the_table() {
    let found: BTreeSet<String> = files().into_iter().map(|(room, _)| room).collect();
    let listed: BTreeSet<String> = ROOMS.iter().map(|&(room, _)| room.to_owned()).collect();
    assert_eq!(found, listed);
    assert_eq!(listed.len(), ROOMS.len(), "a room is listed twice");
}

#[test]
fn rooms_import_what_the_table_says() {
    let mut offenders = Vec::new();
    for ((from, to), items) in edges() {
        let allowed = ROOMS.iter().any(|&(room, below)| room == from && below.contains(&&*to));
        for (place, item) in items.into_iter().filter(|_| !allowed) {
            offenders.push(format!("{from} -> {to}: {place} uses crate::{to}::{item}"));
        }
    }
    assert_none("these imports are not in the table", &offenders);
}

/// In `a/b.rs`, `super::super` is the crate.
#[test]
fn no_super_leaves_its_room() {
    let mut offenders = Vec::new();
    for (_, path) in files() {
        let code = stripped(&fs::read_to_string(&path).expect("a readable file"));
        let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let inner = path.strip_prefix(&src).expect("below `src`");
        let depth = inner.iter().count() - usize::from(inner.ends_with("mod.rs"));
        if code.contains(&["super"; 9][..depth].join("::")) {
            offenders.push(inner.display().to_string());
        }
    }
    assert_none("these files reach out of their room by `super`", &offenders);
}

#[test]
fn every_edge_of_the_table_is_used() {
    let edges = edges();
    let mut unused = Vec::new();
    for (room, below) in ROOMS {
        for to in below {
            if !edges.contains_key(&(room.to_owned(), (*to).to_owned())) {
                unused.push(format!("{room} -> {to}"));
            }
        }
    }
    assert_none("nothing uses these edges", &unused);
}

#[test]
fn the_table_goes_one_way() {
    let mut upward = Vec::new();
    for (at, (room, below)) in ROOMS.into_iter().enumerate() {
        let wrong = below.iter().filter(|to| height(to).is_none_or(|height| height >= at));
        upward.extend(wrong.map(|to| format!("{room} -> {to}")));
    }
    assert_none("these edges do not go down", &upward);
}

/// Shown by `cargo test -p ecs-core --test layers -- --nocapture`.
#[test]
fn the_graph_is_printed() {
    let edges = edges();
    for (room, _) in ROOMS {
        let of_room = edges.iter().filter(|((from, _), _)| from == room);
        let below: Vec<String> =
            of_room.map(|((_, to), items)| format!("{to} ({})", items.len())).collect();
        println!("{room}: {}", below.join(", "));
    }
    println!("{} rooms, {} edges", ROOMS.len(), edges.len());
    assert!(edges.len() > ROOMS.len(), "the paths of {} edges were found", edges.len());
}

#[test]
fn paths_are_found_where_they_are_code() {
    let code = r#"
        // use crate::comment::A;
        /// See [`B`](crate::doc::B).
        use crate::one::{self, two::{C, D as E}, f};
        pub(crate) use crate::{three, four::G};
        const TEXT: &str = "crate::text::H \" crate::text::I";
        fn f(x: crate::five::J<crate::six::K>) -> $crate::macros::L { crate::seven::l::<M>(x) }
    "#;
    let found: Vec<String> = paths(code).iter().map(|path| path.join("::")).collect();
    let expected = [
        "one",
        "one::two::C",
        "one::two::D",
        "one::f",
        "three",
        "four::G",
        "five::J",
        "six::K",
        "macros::L",
        "seven::l",
    ];
    assert_eq!(found, expected);
}
