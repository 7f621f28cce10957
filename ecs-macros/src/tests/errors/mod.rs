//! One case per code: the token that the error points at, the message with its help, and that the
//! items around the faulty one expand.

mod names;
mod order;
mod syntax;
mod system;

use super::declare;

/// Puts the faulty text between sound items and checks the one fault of the whole.
#[track_caller]
fn fault(code: &str, text: &str, at: &str, message: &[&str]) {
    let outcome = declare(&format!(
        "world W; component Before: contiguous_buffer; component A: contiguous_buffer;
         component B: contiguous_buffer; resource R; {text}
         component After: contiguous_buffer; system Last {{ read: [Before, After] }}"
    ));
    assert_eq!(outcome.faults(), [(code, at)], "{text}");
    assert_eq!(outcome.found[0].message.lines().collect::<Vec<_>>(), message, "{text}");
    assert!(outcome.has("HasComponent<Before> for W"), "{text}");
    assert!(outcome.has("Reads<After,W> for Last"), "{text}");
}

/// The manual, by section: the code and the blocks of its examples.
fn manual() -> Vec<(String, Vec<String>)> {
    let manual = include_str!("../../../ERRORS.md");
    let sections = manual.split("\n## ").skip(1).map(|section| {
        let blocks = section.split("```rust\n").skip(1);
        let blocks =
            blocks.filter_map(|rest| rest.split_once("```")).map(|(block, _)| block.into());
        (section[..5].to_owned(), blocks.collect())
    });
    sections.collect()
}

#[test]
fn every_code_has_a_section_in_the_manual() {
    let codes = include_str!("../../error/fault.rs").split("=> \"E").skip(1);
    let codes: Vec<String> = codes.map(|rest| format!("E{}", &rest[..4])).collect();
    let sections: Vec<String> = manual().into_iter().map(|(code, _)| code).collect();
    assert_eq!(sections, codes);
    assert_eq!(codes.len(), 24);
}

#[test]
fn the_examples_of_the_manual_do_what_it_says() {
    for (code, blocks) in manual().into_iter().filter(|(code, _)| code != "E0018") {
        let [wrong, right] = &blocks[..] else { panic!("{code} has a wrong and a right example") };
        let codes: Vec<&str> = declare(wrong).found.iter().map(|found| found.code).collect();
        assert_eq!(codes, [code.as_str()], "{wrong}");
        assert_eq!(declare(right).faults(), [], "{code}: {right}");
    }
}
