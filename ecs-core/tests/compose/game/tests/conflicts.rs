//! What is wrong between two libraries is reported where their sets are included.

#[path = "../../../compile/mod.rs"]
#[expect(dead_code, reason = "nothing is built here")]
mod compile;

use compile::Expected;
use compile::compiler::Compiler;

#[test]
fn conflicts_of_libraries() {
    let compiler = Compiler::new("compose")
        .with::<engine::Entity>("engine", "ecs_core", "Entity")
        .with::<compose_motion::Advance>("compose_motion", "compose_motion", "Advance")
        .with::<compose_sight::Look>("compose_sight", "compose_sight", "Look");
    compile::run(&compiler, &[("tests/ui", Expected::CheckFails)]);
}
