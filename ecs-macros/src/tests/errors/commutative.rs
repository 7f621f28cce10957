//! Code 100, and what else is about additions to resources.

use super::super::declare;
use super::labels;

fn world(systems: &str) -> String {
    format!(
        "world W; component A: contiguous_buffer; resource Bank; resource Spare: transient; \
         resource Score: sum; {systems}"
    )
}

#[test]
pub(super) fn ecs0100_not_commutative() {
    let text = world("system Pay { add: [Bank] }");
    let outcome = declare(&text);
    assert_eq!(outcome.faults(), [("ECS0100", "Bank")]);
    assert_eq!(
        outcome.found[0].message.lines().collect::<Vec<_>>(),
        [
            "the system `Pay` adds to the resource `Bank`, which is not commutative",
            "help: say how values are added: write `resource Bank: sum;`, or `min`, `max`, `all`, `any` or `combine`",
            "help: or write it from one subtask: `write_resources: [Bank]`",
        ]
    );
    assert_eq!(labels(&text), [("Bank".into(), "`Bank` is declared here".into())]);
    let outcome = declare(&world("system Pay { add: [Spare] }"));
    assert!(outcome.found[0].message.contains("`resource Spare: transient, sum;`"));
    assert_eq!(declare(&world("system Pay { add: [Score] }")).faults(), []);
}

#[test]
fn additions_are_ordered_with_reads_and_writes_and_not_with_additions() {
    let faults = |one: &str, other: &str| {
        let systems = format!("system X {{ {one}: [Score] }} system Y {{ {other}: [Score] }}");
        let outcome = declare(&world(&systems));
        outcome.found.iter().map(|found| found.code).collect::<Vec<_>>()
    };
    assert_eq!(faults("add", "add"), [""; 0]);
    for other in ["read_resources", "write_resources"] {
        assert_eq!(faults("add", other), ["ECS0032"]);
        assert_eq!(faults(other, "add"), ["ECS0032"]);
    }
    let text = world("system X { add: [Score] } system Y { read_resources: [Score] }");
    let outcome = declare(&text);
    assert_eq!(
        outcome.found[0].message.lines().next(),
        Some(
            "the systems `X` and `Y` are not ordered, but `X` adds to and `Y` reads the resource `Score`"
        )
    );
}

#[test]
fn a_system_accesses_a_resource_in_one_way() {
    for other in ["read_resources", "write_resources"] {
        let systems = format!("system X {{ {other}: [Score], add: [Score] }}");
        assert_eq!(declare(&world(&systems)).faults(), [("ECS0021", "Score")], "{other}");
    }
    let systems = "system X { add: [Score], parallelism: split_every(64), read: [A] }";
    assert_eq!(declare(&world(systems)).faults(), [], "from several subtasks");
    let outcome = declare(&world("system X { add: [A] }"));
    assert_eq!(outcome.faults(), [("ECS0013", "A")]);
    assert!(outcome.found[0].message.ends_with("`A` is a component: write `insert: [A]`"));
}

#[test]
fn a_resource_has_one_operation() {
    for (item, at, message) in [
        ("resource B: summ;", "summ", "a resource cannot be `summ`\nhelp: did you mean `sum`?"),
        (
            "resource B: sum, min;",
            "min",
            "a resource cannot have two operations\nhelp: remove `min`",
        ),
        (
            "resource B: transient, transient;",
            "transient",
            "a resource cannot have this twice\nhelp: remove `transient`",
        ),
        (
            "resource B: 7;",
            "7",
            "expected one of `sum`, `min`, `max`, `all`, `any`, `combine`, `transient`",
        ),
    ] {
        let outcome = declare(&world(item));
        assert_eq!(outcome.faults(), [("ECS0001", at)], "{item}");
        assert_eq!(outcome.found[0].message, message);
    }
    for item in ["resource B: sum, transient = B(3);", "resource B: transient, any;"] {
        assert_eq!(declare(&world(item)).faults(), [], "{item}");
    }
}
