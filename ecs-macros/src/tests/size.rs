//! The size of the expansion is linear in the number of items: the code of an item does not depend on the number of
//! others.

use std::fmt::Write as _;

use proc_macro2::{TokenStream, TokenTree};

/// The number of tokens that the declaration expands to, groups included.
fn size(declaration: &str) -> usize {
    let input: TokenStream =
        format!("(::ecs_core) world Large; {declaration}").parse().expect("the text has tokens");
    let (errors, items) = crate::declare(input);
    assert_eq!(errors.iter().count(), 0);
    count(items)
}

fn count(tokens: TokenStream) -> usize {
    let inner = |tree| if let TokenTree::Group(group) = tree { count(group.stream()) } else { 0 };
    tokens.into_iter().map(|tree| 1 + inner(tree)).sum()
}

/// A declaration with `n` items, written by `item` for each number from 0.
fn repeated(n: usize, mut item: impl FnMut(&mut String, usize)) -> String {
    let mut text = String::new();
    (0..n).for_each(|index| item(&mut text, index));
    text
}

/// Asserts that the size is linear: it grows from 20 to 40 items half as much as from 40
/// to 80, except for a few tokens of nested long tuples, and for the digits of a component's number.
fn assert_linear(declaration: impl Fn(usize) -> String) {
    let [small, middle, large] = [20, 40, 80].map(|n| size(&declaration(n)));
    let (first, second) = (2 * (middle - small), large - middle);
    assert!(first > 0 && first.abs_diff(second) <= 8 + first / 20, "{small}, {middle}, {large}");
}

#[test]
fn in_components() {
    assert_linear(|n| {
        repeated(n, |text, index| {
            let _ = write!(text, "component C{index}: contiguous_buffer;");
        })
    });
}

#[test]
fn in_systems_that_read_two_and_write_one() {
    assert_linear(|n| {
        repeated(n, |text, index| {
            let _ = write!(text, "component C{index}: contiguous_buffer;");
            let (a, b) = ((index + 1) % n, (index + n - 1) % n);
            let dependency =
                index.checked_sub(1).map_or(String::new(), |before| format!("S{before}"));
            let _ = write!(
                text,
                "system S{index} {{ dependencies: [{dependency}], read: [C{a}, C{b}], write: [C{index}] }}",
            );
        })
    });
}

#[test]
fn in_the_accesses_of_one_system() {
    assert_linear(|n| {
        let components = repeated(n, |text, index| {
            let _ = write!(text, "component C{index}: contiguous_buffer;");
        });
        let list = repeated(n, |text, index| {
            let _ = write!(text, "C{index},");
        });
        format!("{components} system S {{ read: [{list}] }}")
    });
}

#[test]
fn in_resources() {
    assert_linear(|n| {
        repeated(n, |text, index| {
            let _ = write!(text, "resource R{index};");
        })
    });
}

#[test]
fn in_systems_of_two_stages() {
    assert_linear(|n| {
        let systems = repeated(n, |text, index| {
            let stage = ["First", "Second"][index % 2];
            let _ = write!(text, "system S{index} {{ stage: {stage} }}");
        });
        format!("stages First -> Second; {systems}")
    });
}
