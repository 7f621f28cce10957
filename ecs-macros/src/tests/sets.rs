//! Sets and their inclusion. The tests simulate how the compiler lets the macros call each other.

use std::collections::HashMap;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;

use super::{Outcome, found, without_parentheses};

/// Runs each `set!` and `world!` of a program, in order.
pub(super) fn program(text: &str) -> Vec<Outcome> {
    let tokens: TokenStream = text.parse().expect("the text has tokens");
    let mut sets = HashMap::new();
    let mut outcomes = Vec::new();
    run(tokens, &mut sets, &mut outcomes);
    outcomes
}

fn run(tokens: TokenStream, sets: &mut HashMap<String, TokenStream>, outcomes: &mut Vec<Outcome>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (i, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        let before = |back: usize| i.checked_sub(back).map(|at| tokens[at].to_string());
        match (before(2).as_deref(), before(1).as_deref()) {
            (Some(called @ ("world" | "set")), Some("!")) => {
                outcomes.push(one(called, &group.stream(), sets));
            }
            // A module.
            _ => run(group.stream(), sets, outcomes),
        }
    }
}

/// Expands one declaration until all its sets are included.
fn one(called: &str, items: &TokenStream, sets: &mut HashMap<String, TokenStream>) -> Outcome {
    let mut input = quote!((::ecs_core) #items);
    loop {
        let (errors, code) = match called {
            "world" => crate::declare(input),
            _ => crate::declare_set(input, |name| name.to_string().bytes().map(u64::from).sum()),
        };
        let tokens: Vec<TokenTree> = code.clone().into_iter().collect();
        if let [.., name, TokenTree::Punct(_), TokenTree::Group(call)] = &tokens[..]
            && call.delimiter() == Delimiter::Brace
            && errors.is_empty()
            && let [_, krate, asked, items] = &groups(&call.stream())[..]
        {
            let blocks = &sets[&name.to_string()];
            let (krate, asked, items) = (krate.stream(), asked.stream(), items.stream());
            input = quote!((#krate [#asked { #blocks }]) #items);
            continue;
        }
        if let Some((name, blocks)) = handed_on(&tokens) {
            sets.insert(name, blocks);
        }
        let code = syn::parse2(code).expect("the expansion consists of items");
        return Outcome { found: found(&errors), code };
    }
}

fn groups(tokens: &TokenStream) -> Vec<Group> {
    let groups = tokens.clone().into_iter().filter_map(|token| match token {
        TokenTree::Group(group) => Some(group),
        _ => None,
    });
    groups.collect()
}

/// The blocks that the set's macro appends to those of earlier sets, and the set's name.
fn handed_on(tokens: &[TokenTree]) -> Option<(String, TokenStream)> {
    let at = tokens.iter().position(|token| token.to_string() == "macro_rules")?;
    let TokenTree::Group(rules) = &tokens[at + 3] else { return None };
    let body = groups(&rules.stream()).pop()?;
    let call = groups(&body.stream()).pop()?;
    let head = groups(&call.stream()).remove(0);
    let sets = groups(&head.stream()).pop()?;
    let blocks = groups(&sets.stream()).pop()?;
    let [.., name, _] = tokens else { return None };
    Some((name.to_string(), blocks.stream()))
}

/// Two sets that include a third one.
const LIBRARIES: &str = "
    mod space { set! { pub set Space; component Position: contiguous_buffer; } }
    mod motion { set! {
        pub set Motion;
        include super::space::Space;
        component Velocity: contiguous_buffer;
        resource Gravity = Gravity(9.81);
        system Move { read: [Velocity], write: [Position], read_resources: [Gravity] }
    } }
    mod sight { set! {
        pub set Sight;
        include super::space::Space;
        component Eye: contiguous_buffer;
        system Look: Seer { read: [Position], write: [Eye], spawn: [(Eye, Position)] }
    } }
";

/// The outcome of a world with both.
fn world(items: &str) -> Outcome {
    let text = format!(
        "{LIBRARIES} world! {{ world W; include motion::Motion; include sight::Sight; {items} }}"
    );
    let mut outcomes = program(&text);
    let world = outcomes.pop().expect("the world");
    assert!(outcomes.iter().all(|set| set.found.is_empty()), "the sets have no fault");
    world
}

#[test]
fn a_world_of_sets_has_their_items_once_and_first() {
    let world = world("order Move -> Look; system Last { read: [Eye], dependencies: [Look] }");
    assert_eq!(world.faults(), []);
    for (item, count) in [
        ("HasComponent<motion::Motion::MotionInclude0::SpaceComponent0> for W", 1),
        ("HasComponent<motion::Motion::MotionComponent0> for W", 1),
        ("HasComponent<sight::Sight::SightComponent0> for W", 1),
        ("HasComponent<sight::Sight::SightInclude0::SpaceComponent0> for W", 0),
        ("HasResource<motion::Motion::MotionResource0> for W", 1),
        ("IncludedIn<W> for motion::Motion::MotionInclude0::SpaceSet", 1),
        ("IncludedIn<W> for sight::Sight::SightSet", 1),
        ("SystemName<W> for sight::Sight::SightSystem0", 1),
        ("Spawns<W> for sight::Sight::SightSystem0", 1),
        ("Reads<sight::Sight::SightComponent0,W> for Last", 1),
    ] {
        let found = world.impls().iter().filter(|found| *found == item).count();
        assert_eq!(found, count, "{item} in {:#?}", world.impls());
    }
    let code = world.text();
    let at = |text: &str| code.find(&format!("(\"{text}\")")).expect(text);
    assert!(at("Move") < at("Look") && at("Look") < at("Last"), "{code}");
    assert!(!code.contains("struct LookEntry") && code.contains("struct LastEntry"), "{code}");
    assert!(!code.contains("struct W;"), "the first stage has made it: {code}");
}

#[test]
fn sets_in_conflict_are_named_at_their_own_tokens() {
    let world = world("");
    assert_eq!(world.faults(), [("ECS0032", "Position")]);
    let help: Vec<&str> = world.found[0].message.lines().skip(1).take(1).collect();
    assert_eq!(
        help,
        ["help: order them: add `order Move -> Look;` to the declaration, or the other way round"]
    );
}

#[test]
fn an_order_of_the_world_may_be_written_as_a_dependency() {
    let world = world("system Middle { dependencies: [Move], before: [Look] }");
    assert_eq!(world.faults(), []);
}

#[test]
fn names_conflict_across_sets() {
    let world = world("order Move -> Look; component other::Velocity: contiguous_buffer;");
    assert_eq!(world.faults(), [("ECS0010", "Velocity")]);
}

#[test]
fn a_fault_of_a_set_is_reported_once() {
    let text = "
        set! { set A; component C: contiguous_buffer; system S { read: [X] } system T { write: [C, C] } }
        world! { world W; include A; system U { read: [Y] } }
    ";
    let [set, world] = &program(text)[..] else { panic!("a set and a world") };
    assert_eq!(set.faults(), [("ECS0011", "X"), ("ECS0020", "C")]);
    assert_eq!(world.faults(), [("ECS0011", "Y")]);
    assert!(world.has("Writes<A::AComponent0,W> for A::ASystem1"), "{:#?}", world.impls());
}

#[test]
fn a_set_alone_is_checked_like_a_world() {
    let text = "set! {
        set A; component C: contiguous_buffer;
        system S { write: [C] } system T { read: [C] } system U { dependencies: [U] }
    }";
    assert_eq!(program(text)[0].faults(), [("ECS0030", "U"), ("ECS0032", "C")]);
}

#[test]
fn a_set_offers_its_bodies_what_it_declares() {
    let outcomes = program(LIBRARIES);
    let code = outcomes[1].text().split_whitespace().collect::<String>();
    let code = without_parentheses(&code.replace(",>", ">"));
    for part in [
        "pubtraitMotionWorld:__ecs_core::Declaration+super::space::Space::SpaceWorld",
        "+__ecs_core::HasComponent<Velocity,Number=((",
        "+__ecs_core::HasResource<Gravity>",
        "__ecs_core::generated::Implies<Move,Is:for<'a>__ecs_core::SystemName<Self,System=Move,Output=()",
        "+__ecs_core::access::Writes<Position,Self>+__ecs_core::access::ReadsResource<Gravity,Self>",
        // Paths in the module are rewritten to begin outside it.
        "pubusesuper::super::space::SpaceasMotionInclude0;",
    ] {
        let part = part.replace("Position", "super::space::Space::SpaceComponent0");
        assert!(code.contains(&part), "{part} in {code}");
    }
}

#[test]
fn the_world_is_named_before_any_set_is_asked() {
    let input = quote!((::ecs_core) pub world W; include nowhere::Nothing;);
    let (errors, code) = crate::declare(input);
    assert!(errors.is_empty());
    let code = code.to_string();
    assert!(code.contains("pub struct W ;") && code.contains("nowhere :: Nothing !"), "{code}");
}
