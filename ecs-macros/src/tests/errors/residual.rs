//! Code 35: systems that run before the staged changes of an earlier one that they see are applied.

use super::super::declare;
use super::labels;

/// The declaration of a world with this rule and these systems.
fn world(rule: &str, systems: &str) -> String {
    format!(
        "world W {{ staged_changes: {rule} }} component A: contiguous_buffer; component B: \
         contiguous_buffer; resource R; {systems}"
    )
}

#[test]
pub(super) fn ecs0035_residual() {
    let text =
        world("deny", "system X { with: [B], despawn } system Y { read: [A], dependencies: [X] }");
    let outcome = declare(&text);
    assert_eq!(outcome.faults(), [("ECS0035", "A")]);
    assert_eq!(
        outcome.found[0].message.lines().collect::<Vec<_>>(),
        [
            "the system `Y` runs after `X`, but before the staged changes of that system are applied: `despawn`",
            "help: apply it in time: write `staged_changes: refresh_before_dependents` in \
             `world W { … }`",
            "help: or let it be seen after the step: `staged_changes: after_step`",
            "help: or run `Y` first: write `dependencies: [Y]` in `system X`, in place of the present order",
        ]
    );
    assert_eq!(
        labels(&text),
        [("despawn".into(), "`X` stages `despawn` here, too late for `Y`".into())]
    );
    for rule in ["after_step", "refresh_before_dependents"] {
        assert_eq!(declare(&text.replace("deny", rule)).faults(), [], "{rule}");
    }
    // A system that needs the output, or runs after another one that needs it, cannot run first.
    for systems in [
        "system X { with: [B], despawn } system Y { read: [A], inputs: [X] }",
        "system X { with: [B], despawn } system V { inputs: [X] } system Y { read: [A], inputs: [V] }",
    ] {
        assert_eq!(declare(&world("deny", systems)).found[0].message.lines().count(), 3);
    }
}

/// The tokens of the faults: that of the system that sees, and that of the system that stages.
fn tokens(systems: &str) -> Vec<(String, String)> {
    let text = world("deny", systems);
    let outcome = declare(&text);
    let seen = outcome.found.iter().map(|found| {
        assert_eq!(found.code, "ECS0035", "{systems}");
        found.at.clone()
    });
    seen.zip(labels(&text).into_iter().map(|(at, _)| at)).collect()
}

#[test]
fn what_an_effect_can_change_for_which_system() {
    let cases = [
        ("insert: [B]", "with: [B]", "B B"),
        ("insert: [B]", "without: [B]", "B B"),
        ("remove: [B]", "read_optional: [B]", "B B"),
        ("remove: [B]", "write_optional: [B]", "B B"),
        ("remove: [B]", "read_any: [B]", "B B"),
        ("insert: [B]", "write: [A], remove: [B]", ""),
        ("update: [B]", "read: [B]", "B B"),
        ("update: [B]", "write_optional: [B]", "B B"),
        ("update: [B]", "read_any: [B]", "B B"),
        ("update: [B]", "update: [B]", "B B"),
        ("update: [B]", "with: [B], without: [A]", ""),
        ("remove: [B]", "update: [B]", "B B"),
        ("spawn: [A]", "update: [A]", "A A"),
        ("spawn: [A]", "update: [B]", ""),
        ("spawn: [(A, B)]", "read: [A]", "A (A, B)"),
        ("spawn: [A]", "without: [B]", "B A"),
        ("spawn: [(A, B)]", "write: [A], without: [B]", ""),
        ("spawn: [A]", "read: [A], with: [B]", ""),
        ("spawn: [A]", "read_any: [A]", ""),
        ("spawn: [bundles::Disc]", "read: [A], with: [B]", "A bundles::Disc"),
        ("with: [A], despawn", "read: [B], without: [A]", "B despawn"),
        ("without: [A], despawn", "read: [A]", "A despawn"),
        ("read: [A], despawn", "read: [B], without: [A]", "B despawn"),
        ("with: [A], read_resources: [R], despawn", "without: [A]", "A despawn"),
        ("with: [A], despawn", "without: [A], read_any: [B]", "B despawn"),
        ("with: [A], despawn", "read_resources: [R]", ""),
        ("defer", "read_resources: [R]", "Y defer"),
    ];
    for (effects, sees, expected) in cases {
        let systems = format!("system X {{ {effects} }} system Y {{ {sees}, dependencies: [X] }}");
        let found = tokens(&systems);
        let found: Vec<String> =
            found.iter().map(|(seen, staged)| format!("{seen} {staged}")).collect();
        assert_eq!(found.join("; "), expected, "{systems}");
    }
}

#[test]
fn the_order_may_be_indirect_but_must_be_there() {
    let stages = "system X { insert: [B] } system Y { inputs: [X] }";
    assert_eq!(tokens(&format!("{stages} system Z {{ with: [B], dependencies: [Y] }}")).len(), 1);
    assert_eq!(tokens(&format!("{stages} system Z {{ with: [B], before: [X] }}")), []);
    assert_eq!(tokens(&format!("{stages} system Z {{ with: [B] }}")), []);
}

#[test]
fn the_rule_is_handed_on() {
    let code = |rule| quote::ToTokens::to_token_stream(&declare(&world(rule, "")).code).to_string();
    assert!(!code("after_step").contains("STAGED_CHANGES"));
    assert!(code("deny").contains("StagedChanges :: Deny"));
    assert!(code("refresh_before_dependents").contains("StagedChanges :: RefreshBeforeDependents"));
}
