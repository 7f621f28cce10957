//! Two types of one name: `component path as Name`.

use super::super::declare;

#[test]
fn a_name_for_the_second_of_two_types() {
    for (declared, other) in [
        ("A; component x::y::A", "component x::y::A as XYA;"),
        ("Buf<f32>, Buf<u8>", "component Buf<u8> as BufU8;"),
        ("x::A, crate::A", "component crate::A as OtherA;"),
        ("x::r#fn::A, r#fn::A", "component r#fn::A as FnA;"),
        ("Map<K, [u8; 4]>, Map<u8, Vec<x::V>>", "component Map<u8,Vec<x::V>> as MapU8VecXV;"),
    ] {
        let outcome = declare(&format!("world W; component {declared};"));
        assert_eq!(outcome.found.len(), 1, "{declared}");
        let help = format!("help: give one of the two another name: `{other}`");
        assert_eq!(outcome.found[0].message.lines().last(), Some(help.as_str()));
    }
}

#[test]
fn two_types_with_one_last_segment_have_two_names() {
    for (items, reads) in [
        ("component a::Pos as APos, b::Pos as BPos;", ["APos", "BPos"]),
        ("component a::Pos as APos, b::Pos as BPos;", ["a::Pos", "b::Pos"]),
        ("component Buf<f32>, Buf<u8> as Bytes;", ["Buf", "Bytes"]),
        ("component Buf<f32>, Buf<u8> as Bytes;", ["Buf<f32>", "Buf<u8>"]),
        (
            "component (Buf<f32> as Floats, Buf<u8> as Bytes): contiguous_buffer;",
            ["Floats", "Bytes"],
        ),
    ] {
        let [one, two] = reads;
        let outcome = declare(&format!(
            "world W; {items}
             system S {{ read: [{one}], write: [{two}] }}
             system T {{ write: [{one}], without: [{two}] }}"
        ));
        assert_eq!(outcome.faults(), [], "{items} {reads:?}");
    }
    let outcome = declare(
        "world W; resource a::Dt as ADt, c::Dt as CDt; resource b::Dt as BDt = b::Dt(2);
         system S { write_resources: [ADt] } system T { read_resources: [b::Dt] }",
    );
    assert_eq!(outcome.faults(), []);
    // Without a name of its own, the second one is still another component.
    let outcome = declare(
        "world W; component Buf<f32>, Buf<u8>; system S { read: [Buf<f32>], write: [Buf<u8>] }",
    );
    assert_eq!(outcome.faults(), [("ECS0010", "Buf")]);
    let outcome = declare("world W; component Buf<f32>; system S { read: [Buf<u8>] }");
    assert_eq!(outcome.faults(), [("ECS0011", "Buf")]);
    let help = "help: declare it under another name: `component Buf<u8> as BufU8;`";
    assert_eq!(outcome.found[0].message.lines().last(), Some(help));
}
