//! What is wrong between two libraries is reported where their sets are included.

#[test]
fn conflicts_of_libraries() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
