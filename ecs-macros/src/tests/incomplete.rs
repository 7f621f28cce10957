//! Incomplete declarations, as an editor sees them: every prefix of a declaration, and every declaration with
//! a truncated system, still expands to its world and its complete items.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens;

use super::Outcome;

/// A declaration with one of everything. Each item names only what earlier ones declare, and each system
/// its order before its accesses, so that every beginning is sound by itself.
pub(super) const WHOLE: &str = "
    /// A world.
    #[must_use]
    pub(crate) world W { entity_limit: fixed(100), inner_parallelism: allow, scheduler: sequential }
    component Position: contiguous_buffer;
    component (physics::Velocity, Frozen): contiguous_buffer;
    resource Dt = Dt(0.1 + 0.2);
    resource Score;
    system Move {
        read: [Velocity],
        write: [Position],
        read_resources: [Dt],
        without: [Frozen],
        parallelism: none_below_threshold(10_000, split_evenly(cores)),
        output: Vec<(Entity, [u8; 4])>,
    }
    component Marked: empty;
    component Path: storage(paths::Slab<_>);
    resource Scratch: transient = Scratch::new();
    /// Shakes.
    system Shake: Tremble<3> { write: [Position, Frozen], state: Tremble { depth: 1 }, despawn }
    system Draw {
        inputs: [Move],
        dependencies: [Shake],
        read: [Position],
        spawn: [(Position, Frozen), Frozen],
    }
    system Clean { dependencies: [Draw], write: [Position], exclusive, insert: [Frozen], write_resources: [Score] }
    system Fall { dependencies: [Clean], sequential, write: [Position], despawn }
    order Move -> Shake;
    resource Tally = Tally(0);
    stages Early -> Late;
    query Still {
        read: [Velocity],
        without: [Frozen],
        index: BySpeed,
        state: BySpeed::new(2),
        dependencies: [Fall],
    }
    system Fly {
        stage: Early,
        dependencies: [Fall],
        read: [physics::Velocity],
        write: [Position],
        despawn,
        each: |e, effects| { e.position.0 += e.velocity.0; effects.despawn(e.entity) },
    }
    system Meet { dependencies: [Fly], queries: [Still], output: Stream<Pair>, run: bodies::meet }
    system Note { streams: [Meet], unordered, write_resources: [Tally], run: |data| note(data) }
    system Push {
        dependencies: [Fly, Note],
        each: |
            entity: Entity,
            Position(height): &mut Position,
            speed: Option<&physics::Velocity>,
            dt: &Dt,
            tally: &mut Tally,
            effects,
        | push(entity, height, speed, dt, tally, effects),
    }
";

/// Runs tokens through the pipeline. All output, errors included, must be Rust.
fn declare(tokens: TokenStream) -> Outcome {
    let (errors, items) = crate::declare(tokens);
    let found = super::found(&errors);
    let errors = errors.into_compile_errors();
    syn::parse2::<syn::File>(quote::quote!(#errors #items)).expect("errors and items are Rust");
    Outcome { found, code: syn::parse2(items).expect("the expansion consists of items") }
}

fn tokens() -> Vec<TokenTree> {
    WHOLE.parse::<TokenStream>().expect("the text has tokens").into_iter().collect()
}

/// Every prefix of the tokens, and the tokens with each prefix of each group in them.
fn truncations(tokens: &[TokenTree]) -> Vec<Vec<TokenTree>> {
    let mut all: Vec<_> = (0..tokens.len()).map(|end| tokens[..end].to_vec()).collect();
    all.extend(truncated_groups(tokens));
    all
}

/// The tokens with one group, at any depth, truncated.
fn truncated_groups(tokens: &[TokenTree]) -> Vec<Vec<TokenTree>> {
    let mut all = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        let inside: Vec<TokenTree> = group.stream().into_iter().collect();
        for inside in truncations(&inside) {
            let group = Group::new(group.delimiter(), inside.into_iter().collect());
            let mut tokens = tokens.to_vec();
            tokens[at] = group.into();
            all.push(tokens);
        }
    }
    all
}

/// Whether the code has the struct, and `Declaration` for it.
fn has_world(outcome: &Outcome) -> bool {
    let is_struct = |item: &syn::Item| matches!(item, syn::Item::Struct(item) if item.ident == "W");
    outcome.code.items.iter().any(is_struct) && outcome.has("DeclarationforW")
}

#[test]
fn the_whole_has_no_fault() {
    let outcome = declare(tokens().into_iter().collect());
    assert_eq!(outcome.faults(), []);
    assert!(has_world(&outcome));
}

#[test]
fn every_beginning_has_its_world() {
    let tokens = tokens();
    let named = tokens.iter().position(|token| token.to_string() == "W").expect("the world");
    let systems = ["Move", "Shake", "Draw", "Clean"];
    for end in 0..tokens.len() {
        let outcome = declare(tokens[..end].iter().cloned().collect());
        assert_eq!(has_world(&outcome), end > named, "{end} tokens");
        // The systems before the last token expand, whatever follows.
        for (at, system) in systems.into_iter().enumerate() {
            let begun = |token: &TokenTree| token.to_string() == system;
            let Some(begin) = tokens[..end].iter().position(begun) else { break };
            let entry = format!("{system}Entry");
            let has_entry =
                |item: &syn::Item| matches!(item, syn::Item::Struct(item) if item.ident == entry);
            // An incomplete second name expands to nothing.
            let half = at == 1 && end < begin + 6;
            assert!(
                half || outcome.code.items.iter().any(has_entry),
                "{system} with {end} tokens: {:?}",
                outcome.found
            );
        }
    }
}

#[test]
fn an_incomplete_system_does_not_affect_others() {
    let tokens = tokens();
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Group(body) = token else { continue };
        if body.delimiter() != Delimiter::Brace {
            continue;
        }
        let inside: Vec<TokenTree> = body.stream().into_iter().collect();
        for inside in truncations(&inside) {
            let text: TokenStream = inside.iter().cloned().collect();
            let mut tokens = tokens.clone();
            tokens[at] = Group::new(Delimiter::Brace, text.clone()).into();
            let outcome = declare(tokens.into_iter().collect());
            assert!(has_world(&outcome), "{text}");
            for system in ["Move", "Shake", "Draw", "Clean"] {
                let name = format!("SystemName<W> for {system}");
                assert!(outcome.has(&name), "{name} with {text}: {:?}", outcome.found);
            }
            // One token is missing, so there is at most one syntax error.
            let syntax = outcome.found.iter().filter(|found| found.code == "ECS0001").count();
            assert!(syntax <= 1, "{text}: {:?}", outcome.found);
        }
    }
}

#[test]
fn any_group_may_be_left_off() {
    for tokens in truncated_groups(&tokens()) {
        let text: TokenStream = tokens.into_iter().collect();
        assert!(has_world(&declare(text.clone())), "{text}");
    }
}

/// The tokens cut behind each of them, at any depth, with what is open closed; and how many tokens at the top there
/// are.
fn cuts(tokens: &[TokenTree]) -> Vec<(usize, Vec<TokenTree>)> {
    let mut all = vec![(0, Vec::new())];
    for (at, token) in tokens.iter().enumerate() {
        if let TokenTree::Group(group) = token {
            let inside: Vec<TokenTree> = group.stream().into_iter().collect();
            for (_, inside) in cuts(&inside) {
                let group = Group::new(group.delimiter(), inside.into_iter().collect());
                let cut = tokens[..at].iter().cloned().chain([group.into()]);
                all.push((at, cut.collect()));
            }
        }
        all.push((at + 1, tokens[..=at].to_vec()));
    }
    all
}

/// What the expansion declares: types with their fields, and impls. The list of all systems grows with each.
fn declared(outcome: &Outcome) -> Vec<String> {
    let structs = outcome.code.items.iter().filter_map(|item| match item {
        syn::Item::Struct(item) => {
            Some(format!("{} {}", item.ident, item.fields.to_token_stream()))
        }
        _ => None,
    });
    let impls = outcome.impls().into_iter().filter(|text| !text.starts_with("EverySystem"));
    structs.chain(impls).collect()
}

/// What an editor sees while the declaration is written: the items before the cursor are there, and there are at
/// most two errors.
#[test]
fn what_is_before_a_cut_stands() {
    let tokens = tokens();
    let ends_item = |token: &TokenTree| match token {
        TokenTree::Punct(punct) => punct.as_char() == ';',
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Ident(_) | TokenTree::Literal(_) => false,
    };
    let (mut before, mut next) = (Vec::new(), 0);
    let all = cuts(&tokens);
    assert!(all.len() > 400, "{} cuts", all.len());
    for (top, cut) in all {
        while next < top {
            next += 1;
            if ends_item(&tokens[next - 1]) {
                let outcome = declare(tokens[..next].iter().cloned().collect());
                assert_eq!(outcome.faults(), [], "{}", TokenStream::from_iter(cut.clone()));
                before = declared(&outcome);
            }
        }
        let text: TokenStream = cut.into_iter().collect();
        let outcome = declare(text.clone());
        let found = declared(&outcome);
        let lost: Vec<&String> = before.iter().filter(|one| !found.contains(one)).collect();
        assert!(lost.is_empty(), "{text}\nlacks {lost:?}");
        assert!(outcome.found.len() <= 2, "{text}\nhas {:#?}", outcome.found);
    }
}

#[test]
fn half_written_items() {
    for (text, world) in [
        ("world", false),
        ("world W", true),
        ("world W {}", true),
        ("world W; component", true),
        ("world W; component A", true),
        ("world W; component A:", true),
        ("world W; component ()", true),
        ("world W; resource", true),
        ("world W; resource R =", true),
        ("world W; system", true),
        ("world W; system S", true),
        ("world W; system S {}", true),
        ("world W; system S { read }", true),
        ("world W; system S { read: }", true),
        ("world W; system S { read: [ }", true),
        ("world W; system S { read: [A, }", true),
        ("world W; system S { spawn: [(A }", true),
        ("world W; system S: ", true),
        ("world W; order", true),
        ("world W; order A ->", true),
        ("world W; include", true),
        ("world W; sys", true),
        ("world W; pub", true),
        ("world W; #[doc = \"\"]", true),
        ("system S { } world W {", true),
    ] {
        // Close the open delimiters, as an editor does.
        let open =
            |open: char, close: char| text.matches(open).count() - text.matches(close).count();
        let closing =
            [")".repeat(open('(', ')')), "]".repeat(open('[', ']')), "}".repeat(open('{', '}'))];
        let closed = format!("{}{}", text.trim_end_matches(" }"), closing.concat());
        let closed =
            if closed.parse::<TokenStream>().is_ok() { closed } else { format!("{closed}}}") };
        let outcome = declare(closed.parse().expect("what is closed has tokens"));
        assert_eq!(has_world(&outcome), world, "{closed}");
        let syntax = outcome.found.iter().filter(|found| found.code == "ECS0001").count();
        assert!(syntax <= 1, "{closed}: {:?}", outcome.found);
    }
}
