//! Snapshots of the expansion. Review a changed snapshot like code, since users compile it.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;

use super::declare;

/// The expansion of a faultless declaration, as formatted code.
fn expansion(text: &str) -> String {
    let outcome = declare(text);
    assert_eq!(outcome.found, [], "the declaration has no fault");
    assert_eq!(at_call_site(outcome.code.to_token_stream()), [""; 0]);
    outcome.text()
}

/// The tokens that lie in the whole declaration and not at a token of it: `rustc` compiles their items again after each
/// edit.
fn at_call_site(tokens: TokenStream) -> Vec<String> {
    let found = tokens.into_iter().flat_map(|token| {
        let is_at_none = token.span().byte_range().is_empty();
        let within = match &token {
            TokenTree::Group(group) => at_call_site(group.stream()),
            _ => Vec::new(),
        };
        is_at_none.then(|| token.to_string()).into_iter().chain(within)
    });
    found.collect()
}

/// Compares the expansion with the committed one.
fn snapshot(name: &str, text: &str) {
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(name, expansion(text));
    });
}

#[test]
fn a_small_world() {
    snapshot(
        "a_small_world",
        "
        /// Discs in a box.
        pub world Particles { entity_limit: dynamic(50_000) }

        /// Pixels per step and step.
        component Acceleration: contiguous_buffer;
        component physics::Velocity: contiguous_buffer;
        component (Color, Circle): contiguous_buffer;
        resource Bounds;
        resource Dt = Dt(0.04);

        /// Speeds up.
        system Accelerate {
            read: [Acceleration],
            write: [Velocity],
            read_optional: [Color],
            read_resources: [Dt],
            parallelism: none_below_threshold(10_000, split_evenly(cores)),
            despawn,
        }
        /// Lets discs rise.
        system Rise: Adjust {
            write: [Circle],
            inputs: [Accelerate],
            output: Vec<u32>,
            spawn: [(Velocity, Circle), Color, bundles::Disc],
            insert: [Color],
            state: Adjust::new(1),
        }
        ",
    );
}

#[test]
fn typed_parameters() {
    snapshot(
        "typed_parameters",
        "
        world W;
        component Position, Velocity, Color;
        resource Drag, Hits, Log;
        system Move {
            despawn,
            each: |
                entity: Entity, Position(x): &mut Position, velocity: &Velocity, color: Option<&mut Color>,
                drag: &Drag, hits: &mut Hits, log: &mut Log, effects,
            | f(entity, x, velocity, color, drag, hits, log, effects),
        }
        system Report { run: |own, effects, hits: &Hits| g(own, effects, hits), before: [Move] }
        system Fade { despawn, dependencies: [Move], each: |place: Place, entity: Entity, color: &Color, effects| h(place, entity, color, effects) }
        ",
    );
}

#[test]
fn every_key() {
    snapshot(
        "every_key",
        "
        pub(crate) world W {
            entity_limit: fixed(LIMIT),
            inner_parallelism: disallow,
            scheduler: my::Scheduler,
            seed: 7,
        }
        component (Entity, Type,): contiguous_buffer;
        component Shared<u32>: contiguous_buffer, by_name;
        component Poison: expires(left);
        resource Score;
        resource Scratch: transient = Scratch::new();

        system First {
            parallelism: fixed_threshold(64, none, split_every(CHUNK)),
            before: [Middle],
            read_any: [Shared],
            write_optional: [Entity],
            with: [Type],
            slice_dependent,
        }
        system Middle { opt_in, transient, parallelism: my::Halves<2>, remove: [Shared], update: [Type] }
        system Gather { accumulate: [Shared], dependencies: [Middle] }
        system Last {
            dependencies: [Gather],
            exclusive,
            read: [Entity],
            write: [Type],
            without: [Shared<u32>],
            write_resources: [Score],
            defer,
            random,
        }
        system Find { run_if: |score: &Score, scratch: &Scratch| score.0 > scratch.0, output: Stream<u32> }
        system Note { run_if: is_on, streams: [Find], unordered }
        system Wear { expire: Poison, dependencies: [Last] }
        ",
    );
}

#[test]
fn stages() {
    snapshot(
        "stages",
        "world W; stages First -> Second; system A { stage: First } system B { stage: Second }",
    );
}

#[test]
fn an_empty_world() {
    snapshot("an_empty_world", "world Nothing;");
}

#[test]
fn a_query_longer_than_a_tuple_is_nested() {
    let names: Vec<String> = ('A'..='M').map(|letter| letter.to_string()).collect();
    let names = names.join(", ");
    let text =
        format!("world W; component ({names}): contiguous_buffer; system S {{ read: [{names}] }}");
    let code = expansion(&text).split_whitespace().collect::<String>();
    let term =
        |n: usize| format!("&'static<Was__ecs_core::generated::ComponentAt<{n}>>::Component");
    assert!(code.contains(&format!("typeTerms=((__ecs_core::Entity,{},", term(0))), "{code}");
    let last = format!("{},),({},{},),);", term(10), term(11), term(12));
    assert!(code.contains(&last), "{code}");
    assert!(code.contains("__field10,),(__field11,__field12),):__ecs_core::Item"), "{code}");
}

#[test]
fn a_users_composer_takes_numbers_and_strategies() {
    let code = expansion(
        "world W; component A: contiguous_buffer;
        system S { read: [A], parallelism: my::Twice(none_below_threshold(9, Own), 1_000, { N * 2 },) }
        system T { read: [A], parallelism: my::Within(split_every(5), Own(my::Deep<3>)) }",
    );
    let code = code.split_whitespace().collect::<String>();
    let here = "__ecs_core::inner_parallelism::";
    let twice = format!("=my::Twice<{here}NoneBelowThreshold<9,Own>,1_000,{{N*2}},>;");
    assert!(code.contains(&twice), "{code}");
    let within = format!("=my::Within<{here}SplitEvery<5>,Own<my::Deep<3>>,>;");
    assert!(code.contains(&within), "{code}");
}

#[test]
fn the_caller_says_how_the_crate_is_called() {
    let input = "($crate::x) world W; component A: contiguous_buffer; system S { read: [A] }";
    let input = input.replace("$crate", "renamed").parse().expect("the text has tokens");
    let (errors, items) = crate::declare(input);
    assert!(errors.is_empty());
    let code = items.into_token_stream().to_string();
    let import = "use renamed :: x :: generated :: library :: * ;";
    assert!(code.contains(import) && !code.contains(" ecs_core"), "{code}");
}
