//! Codes 35 and 99: effects that systems see too late, and effects in `sees`.

use super::super::declare;

/// The declaration of a world with this rule and these systems.
fn world(rule: &str, systems: &str) -> String {
    format!(
        "world W {{ staged_changes: {rule} }} component A: contiguous_buffer; component B: \
         contiguous_buffer; resource R; {systems}"
    )
}

/// The lines of the only message.
fn lines(text: &str) -> Vec<String> {
    let outcome = declare(text);
    assert_eq!(outcome.found.len(), 1, "{text}: {:?}", outcome.faults());
    outcome.found[0].message.lines().map(str::to_owned).collect()
}

#[test]
pub(super) fn ecs0035_residual() {
    let text =
        world("deny", "system X { with: [B], despawn } system Y { read: [A], dependencies: [X] }");
    assert_eq!(declare(&text).faults(), [("ECS0035", "despawn")]);
    let [refresh, after] = [
        "help: or before all dependents: write `staged_changes: refresh_before_dependents` in `world W { … }`",
        "help: or let it be seen after the step: `staged_changes: after_step`",
    ];
    assert_eq!(
        lines(&text),
        [
            "`despawn` of the system `X` shows after the step, too late for `Y`, which runs after `X` and sees it",
            "help: refresh in time: add `sees: [X.despawn]` to `system Y`, in place of `dependencies: [X]`",
            refresh,
            after,
        ]
    );
    for rule in ["after_step", "refresh_before_dependents"] {
        assert_eq!(declare(&text.replace("deny", rule)).faults(), [], "{rule}");
    }
    assert_eq!(declare(&text.replace("dependencies: [X]", "sees: [X.despawn]")).faults(), []);
}

#[test]
fn one_error_for_each_effect_names_all_that_see_it_too_late() {
    let systems = "system X { insert: [B], despawn, defer } system Y { with: [B], inputs: [X] } \
                   system Z { with: [B], dependencies: [Y] } system V { read: [B], dependencies: [X] } \
                   query Q { read: [A], dependencies: [X] } \
                   system S { read_resources: [R], dependencies: [Z] }";
    let outcome = declare(&world("deny", systems));
    assert_eq!(outcome.faults(), [("ECS0035", "B"), ("ECS0035", "despawn"), ("ECS0035", "defer")]);
    let messages: Vec<Vec<&str>> =
        outcome.found.iter().map(|found| found.message.lines().take(2).collect()).collect();
    assert_eq!(
        messages,
        [
            [
                "`insert: [B]` of the system `X` shows after the step, too late for `Y`, `Z` and `V`, which run \
                 after `X` and see it",
                "help: refresh in time: add `sees: [X.insert]` to `system Y` and `system V`, in place of \
                 `dependencies: [X]` in `system V`",
            ],
            [
                "`despawn` of the system `X` shows after the step, too late for `Y`, `Z`, `V` and `Q`, which run \
                 after `X` and see it",
                "help: refresh in time: add `sees: [X.despawn]` to `system Y`, `system V` and `query Q`, in place \
                 of `dependencies: [X]` in `system V` and `query Q`",
            ],
            [
                "`defer` of the system `X` shows after the step, too late for `Y`, `Z`, `V`, `Q` and `S`, which run \
                 after `X` and see it",
                "help: refresh in time: add `sees: [X.defer]` to `system Y`, `system V` and `query Q`, in place \
                 of `dependencies: [X]` in `system V` and `query Q`",
            ],
        ]
    );
    // What the first help says is enough for all three.
    let mended = systems
        .replace("inputs: [X] }", "inputs: [X], sees: [X.insert] }")
        .replace("read: [B], dependencies: [X]", "read: [B], sees: [X.insert]")
        .replace("read: [A], dependencies: [X]", "read: [A], sees: [X.despawn]");
    assert_eq!(declare(&world("deny", &mended)).faults(), []);
}

#[test]
fn the_ends_of_stages_see_nothing() {
    let systems = "stages First -> Second; system X { stage: First, defer, despawn }";
    assert_eq!(declare(&world("deny", systems)).faults(), []);
    let later = format!("{systems} system Y {{ stage: Second, read: [A] }}");
    let outcome = declare(&world("deny", &later));
    assert_eq!(outcome.faults(), [("ECS0035", "despawn"), ("ECS0035", "defer")]);
    assert!(outcome.found.iter().all(|found| found.message.contains("too late for `Y`, which")));
    let mended = later.replace("read: [A]", "read: [A], sees: [X.defer]");
    assert_eq!(declare(&world("deny", &mended)).faults(), []);
}

#[test]
fn what_is_separated_by_a_refresh_is_in_time() {
    let x = "system X { with: [B], despawn }";
    // `Z` runs after `Y`, hence after the refresh; `V` does not.
    for (systems, expected) in [
        ("system Y { sees: [X.despawn] } system Z { read: [A], dependencies: [Y] }", None),
        ("system Y { sees: [X.despawn] } system V { read: [A], dependencies: [X] }", Some("`V`")),
        (
            "system Y { sees: [X.despawn], despawn } system V { read: [A], dependencies: [Y] }",
            Some("`V`"),
        ),
    ] {
        let outcome = declare(&world("deny", &format!("{x} {systems}")));
        assert_eq!(outcome.found.len(), usize::from(expected.is_some()), "{systems}");
        for found in outcome.found {
            assert!(found.message.contains(expected.unwrap()), "{}", found.message);
        }
    }
}

#[test]
pub(super) fn ecs0099_unknown_effect() {
    let systems = |seen: &str| {
        let others = "system X { with: [B], despawn, insert: [A, B] } query Q { read: [A] }";
        world("after_step", &format!("{others} system Y {{ sees: [{seen}] }}"))
    };
    for (seen, at, message) in [
        (
            "X.despwan",
            "despwan",
            "the system `Y` sees `X.despwan`, but `despwan` is not an effect\nhelp: did you mean `despawn`?",
        ),
        (
            "X.spawn",
            "spawn",
            "the system `Y` sees `X.spawn`, but the system `X` does not declare `spawn`\n\
             help: `Y` can see `X.insert` and `X.despawn`",
        ),
        (
            "Q.defer",
            "defer",
            "the system `Y` sees `Q.defer`, but the system `Q` does not declare `defer`\n\
             help: `Q` has no effects: write `dependencies: [Q]` to run after it",
        ),
    ] {
        let outcome = declare(&systems(seen));
        assert_eq!(outcome.faults(), [("ECS0099", at)]);
        assert_eq!(outcome.found[0].message, message);
    }
    assert_eq!(declare(&systems("X.despawn, X.insert")).faults(), []);
    // Other faults of the list.
    for (seen, code, at) in [
        ("X.insert, X.insert", "ECS0020", "X"),
        ("Z.insert", "ECS0012", "Z"),
        ("Y.insert", "ECS0030", "Y"),
        ("X", "ECS0001", "X"),
    ] {
        let found = declare(&systems(seen));
        assert!(found.faults().contains(&(code, at)), "{seen}: {:?}", found.faults());
    }
}

#[test]
fn a_sight_is_an_order() {
    let x = "system X { write: [A], despawn }";
    let codes = |systems: &str| -> Vec<&'static str> {
        let outcome = declare(&world("after_step", systems));
        outcome.found.iter().map(|found| found.code).collect()
    };
    assert_eq!(codes(&format!("{x} system Y {{ write: [A], sees: [X.despawn] }}")), [""; 0]);
    let both = format!("{x} system Y {{ sees: [X.despawn], dependencies: [X] }}");
    assert_eq!(codes(&both), ["ECS0034"]);
    let cycle = "system X { sees: [Y.despawn], despawn } system Y { sees: [X.despawn], despawn }";
    assert_eq!(codes(cycle), ["ECS0031"]);
    // A refresh between systems that nothing orders makes the order of their changes show.
    let changes = "system Y { write: [A], sees: [X.despawn] } system U { insert: [A] }";
    assert_eq!(codes(&format!("system X {{ despawn }} {changes}")), ["ECS0036"]);
}

/// The tokens of the faults, which are those of effects.
fn tokens(systems: &str) -> Vec<String> {
    let outcome = declare(&world("deny", systems));
    let seen = outcome.found.iter().map(|found| {
        assert_eq!(found.code, "ECS0035", "{systems}");
        found.at.clone()
    });
    seen.collect()
}

#[test]
fn what_an_effect_can_change_for_which_system() {
    let cases = [
        ("insert: [B]", "with: [B]", "B"),
        ("insert: [B]", "without: [B]", "B"),
        ("remove: [B]", "read_optional: [B]", "B"),
        ("remove: [B]", "write_optional: [B]", "B"),
        ("remove: [B]", "read_any: [B]", "B"),
        ("insert: [B]", "write: [A], remove: [B]", ""),
        ("update: [B]", "read: [B]", "B"),
        ("update: [B]", "write_optional: [B]", "B"),
        ("update: [B]", "read_any: [B]", "B"),
        ("update: [B]", "update: [B]", "B"),
        ("update: [B]", "with: [B], without: [A]", ""),
        ("remove: [B]", "update: [B]", "B"),
        ("spawn: [A]", "update: [A]", "A"),
        ("spawn: [A]", "update: [B]", ""),
        ("spawn: [(A, B)]", "read: [A]", "(A, B)"),
        ("spawn: [A]", "without: [B]", "A"),
        ("spawn: [(A, B)]", "write: [A], without: [B]", ""),
        ("spawn: [A]", "read: [A], with: [B]", ""),
        ("spawn: [A]", "read_any: [A]", ""),
        ("spawn: [bundles::Disc]", "read: [A], with: [B]", "bundles::Disc"),
        ("with: [A], despawn", "read: [B], without: [A]", "despawn"),
        ("without: [A], despawn", "read: [A]", "despawn"),
        ("read: [A], despawn", "read: [B], without: [A]", "despawn"),
        ("with: [A], read_resources: [R], despawn", "without: [A]", "despawn"),
        ("with: [A], despawn", "without: [A], read_any: [B]", "despawn"),
        ("with: [A], despawn", "read_resources: [R]", ""),
        ("defer", "read_resources: [R]", "defer"),
    ];
    for (effects, sees, expected) in cases {
        let systems = format!("system X {{ {effects} }} system Y {{ {sees}, dependencies: [X] }}");
        assert_eq!(tokens(&systems).join("; "), expected, "{systems}");
    }
}

#[test]
fn the_order_may_be_indirect_but_must_be_there() {
    let stages = "system X { insert: [B] } system Y { inputs: [X] }";
    assert_eq!(tokens(&format!("{stages} system Z {{ with: [B], dependencies: [Y] }}")).len(), 1);
    assert_eq!(tokens(&format!("{stages} system Z {{ with: [B], before: [X] }}")), [""; 0]);
    assert_eq!(tokens(&format!("{stages} system Z {{ with: [B] }}")), [""; 0]);
}

#[test]
fn the_rule_is_handed_on() {
    let code = |rule| quote::ToTokens::to_token_stream(&declare(&world(rule, "")).code).to_string();
    assert!(!code("after_step").contains("STAGED_CHANGES"));
    assert!(code("deny").contains("StagedChanges :: Deny"));
    assert!(code("refresh_before_dependents").contains("StagedChanges :: RefreshBeforeDependents"));
}
