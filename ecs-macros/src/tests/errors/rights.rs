//! Codes 113 and 115: what the code in a declaration uses, against what the declaration says.

use super::super::declare;
use super::fault;

#[test]
pub(super) fn ecs0113_undeclared() {
    fault(
        "ECS0113",
        "system S { read: [B], each: |e| e.a.0 += e.b.0 }",
        "a",
        &["`S` does not declare `write: [A]`", "help: add `A` to the `write: [..]` of `system S`"],
    );
    fault(
        "ECS0113",
        "system S { write: [B], each: |e, _| { if e.a.0 == 1 { e.b.0 = 2 } } }",
        "a",
        &[
            "`S` does not declare `read: [A]`",
            "help: add `A` to the `read: [..]` of `system S`, or to its `write: [..]` if it also writes it",
        ],
    );
    fault(
        "ECS0113",
        "system S { read: [A], each: |e| e.a.0[1].x <<= 1 }",
        "a",
        &[
            "`S` does not declare `write: [A]`",
            "help: move `A` from `read` to the `write: [..]` of `system S`",
        ],
    );
    for (keys, codes) in [
        // All of these are errors, each reported once.
        ("read: [A], each: |e| *e.a = A(1)", &[("ECS0113", "a")][..]),
        ("write: [B], each: |e| { e.b.0 = e.a.0; e.a.0 = 1; }", &[("ECS0113", "a")]),
        ("read: [B], each: (|mut e: E<'_>| drop((e.a, e.b)))", &[("ECS0113", "a")]),
        // Loops in closures of `run`.
        ("read: [A], run: |d| d.own.for_entities(|e| e.a.0 = 1)", &[("ECS0113", "a")]),
        ("read: [B], run: |d| for e in d.own.iter() { g(e.a, e.b) }", &[("ECS0113", "a")]),
        ("read: [B], run: |d| { d.own.for_entities(|e| g(e.b)); let e = f(); e.a.0 = 1; }", &[]),
        ("read: [B], run: |d| d.own.for_entities(|e| g(e, e.a))", &[]),
        ("read: [B], run: |d| f(d, |e| e.a.0 = 1)", &[]),
        // What is read in place, or through a pointer.
        ("read: [A], each: |e| drop(e.a.0 == 1 && e.a.1 <= 2 || e.a.2 != 3 && e.a.3 >= 4)", &[]),
        ("read: [A], each: |e| unsafe { *e.a.0 = 1 }", &[]),
        ("read: [A], each: |e| match e.a { A(x) if x => 1, _ => 2 }", &[]),
        ("read: [A], each: |mut e| e.a = &A(1)", &[]),
        ("read_optional: [A], each: |mut e| e.a = None", &[]),
        // Parameters with types are components themselves, whose fields have any name.
        ("each: |b: &mut B| b.a = 1", &[]),
        ("each: |b: &B, other: &A| f(b.a, other.b)", &[]),
        // Methods, other variables of the name, and tokens of which the meaning is unknown.
        ("read: [B], each: |e| e.a()", &[]),
        ("read: [B], each: |e| e.a::<u8>()", &[]),
        ("read: [B], each: |e| { let e = f(e); e.a }", &[]),
        ("read: [B], each: |e| f(|e| e.a, e.b)", &[]),
        ("read: [B], each: |e| f(x.e.a, e.b)", &[]),
        ("read: [B], each: |e| x!(e.a, e.b)", &[]),
        ("read: [B], each: |SEntry { b, .. }| f(e.a)", &[]),
        ("read: [B], run: |e| e.a", &[]),
        ("read: [B], each: f", &[]),
    ] {
        let text = format!("world W; component A, B; system S {{ {keys} }}");
        assert_eq!(declare(&text).faults(), codes, "{keys}");
    }
}

#[test]
fn code_with_an_undeclared_component_is_left_out() {
    let text = "world W; component A, B; system S { read: [B], each: |e| f(e.a) }";
    let outcome = declare(text);
    assert!(outcome.has("System<W> for S"));
    assert!(!outcome.has("f(e.a)"));
}

#[test]
pub(super) fn ecs0115_unused_right() {
    fault(
        "ECS0115",
        "system S { read: [A], write: [B], each: |e| e.b.0 += 1 }",
        "A",
        &[
            "`S` declares `read: [A]`, and its code does not use it",
            "help: write `with: [A]` if its entities are to have one, or remove it; \
             or write `#[allow(unused_right)]` before `system S`",
        ],
    );
    fault(
        "ECS0115",
        "system S { read: [A], despawn, each: |e| f(e.a) }",
        "despawn",
        &[
            "`S` declares `despawn`, and its code does not use it",
            "help: remove it; or write `#[allow(unused_right)]` before `system S`",
        ],
    );
    for (keys, faults) in [
        ("read: [A], write: [B], each: |_| {}", &["A", "B"][..]),
        ("read_optional: [A], write: [B], each: |e| f(e.b)", &["A"]),
        ("write_optional: [A], write: [B], each: |e, _| x!(e.b)", &["A"]),
        ("read: [A], insert: [B], remove: [C], each: |e| f(e.a)", &["B", "C"]),
        ("read: [A], read_any: [C], defer, each: |e| f(e.a)", &["C", "defer"]),
        ("read: [A], read_resources: [R], each: |e| f(e.a)", &["R"]),
        // Parameters with types are what such a closure uses, and one without a type is the effects.
        ("read: [A], each: |b: &mut B| b.a = 1", &["A"]),
        (
            "read: [A], read_resources: [R], despawn, random, each: |b: &B, c: &C| f(b.a, c)",
            &["A", "R", "despawn", "random"],
        ),
        ("read: [A], read_resources: [R], despawn, each: |b: &B, f| f(b.a, f)", &["A"]),
        ("each: |b: &B, c: &mut C, r: &R| 0", &[]),
        // The second parameter may use it.
        ("read: [A], insert: [B], despawn, read_resources: [R], each: |e, f| g(e.a, f)", &[]),
        // The entity is used as a whole, or by a name in a format string.
        ("read: [A], each: f", &[]),
        ("read: [A], each: |e| f(e)", &[]),
        ("read: [A], each: |e| f(&e.entity, || e)", &[]),
        ("read: [A], each: |e| println!(\"{e:?}\")", &[]),
        ("read: [A], each: |SEntry { .. }| {}", &[]),
        ("read: [A], each: |e| f(e.area())", &[]),
        ("read: [A], run: |_| {}", &[]),
        ("read: [A], run: |_| ()", &[]),
        ("with: [A], each: |_| {}", &[]),
        // Closures of `run`: fields, and types in queries.
        ("read: [A], write: [B], run: |d| d.own.for_entities(|e| e.b.0 = 1)", &["A"]),
        ("read: [A], write: [B], run: |d| for e in d.own.iter() { f(e.b) }", &["A"]),
        ("read: [A], write: [B], run: |d| for b in d.own.query::<(Entity, &mut B)>() {}", &["A"]),
        ("read: [A, B], run: |d| d.own.for_runs::<&A>(|a| f(a))", &["B"]),
        ("read: [A, B], run: |d| d.own.for_entities(|SEntry { b, .. }| f(b))", &["A"]),
        ("read: [A], insert: [B], defer, run: |d| d.own.for_entities(|e| f(e.a))", &["B", "defer"]),
        ("read: [A], run: |d| f(d.own.all_entity_count())", &["A"]),
        ("read: [A], read_resources: [R], run: |_| f()", &["A", "R"]),
        ("read_resources: [R], write: [A], run: |d| f(d.resources.get::<R>())", &["A"]),
        ("read_resources: [R], despawn, run: |d| d.effects.despawn(f())", &["R"]),
        // What is passed on may be used.
        ("read: [A], run: |d| f(d)", &[]),
        ("read: [A], run: |d| m!(d)", &[]),
        ("read: [A], run: |d| f(&mut d.own)", &[]),
        ("read: [A], run: |d| d.own.for_entities(|e| f(e))", &[]),
        ("read: [A], run: |d| d.own.for_entities(|e| f(&e.entity, || m!(e)))", &[]),
        ("read: [A], run: |d| d.own.for_entities(f)", &[]),
        ("read: [A], run: |d| d.own.for_entities(|e| println!(\"{e:?}\"))", &[]),
        ("read: [A], run: |d| for e in d.own.iter().filter(|x| f(x)) { f(e.entity) }", &[]),
        ("read: [A], run: |d| d.own.query().for_each(f)", &[]),
        ("read: [A], run: |d| d.own.query::<Alias>().for_each(f)", &[]),
        ("read: [A], run: |d| d.own.query::<x::Entity>().for_each(f)", &[]),
        ("read: [A], run: |d| d.now().roll(f)", &[]),
        ("read: [A], run: |Data { own, .. }| f(own)", &[]),
        ("read: [A], run: |d| { let own = &mut d.own; own.for_entities(|e| f(e.a)) }", &[]),
        ("read_resources: [R], run: |d| f(d.resources.get())", &[]),
        ("read_resources: [R], run: |d| f(&d.resources)", &[]),
        ("despawn, insert: [A], run: |d| f(&mut d.effects)", &[]),
        ("read: [A], run: f", &[]),
        // A field that is mistyped.
        ("write: [A], each: |e| e.aa.0 = 1", &[]),
        ("write: [A], each: |e| f(e.entity)", &["A"]),
    ] {
        let text = format!("world W; component A, B, C; resource R; system S {{ {keys} }}");
        let outcome = declare(&text);
        let expected: Vec<_> = faults.iter().map(|at| ("ECS0115", *at)).collect();
        assert_eq!(outcome.faults(), expected, "{keys}");
    }
}

#[test]
fn an_unused_right_can_be_allowed() {
    for text in [
        "world W; component A; #[allow(unused_right)] system S { read: [A], each: |_| {} }",
        "#[allow(unused_right)] world W; component A; system S { read: [A], each: |_| {} }",
    ] {
        let outcome = declare(text);
        assert_eq!(outcome.faults(), []);
        assert!(!outcome.has("unused_right"));
    }
}
