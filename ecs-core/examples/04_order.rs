//! The order of systems is declared, and a missing order is a compile error.
//!
//! `dependencies` and `before` order two systems, `stages` order groups of them. Systems that no order
//! separates may run at the same time, so they must not conflict. Without `dependencies: [Tick]` below, the
//! program does not compile: the error `ECS0032` names `Tick`, `Tock`, and the resource that both write.
//!
//! Run it: `cargo run -p ecs-core --example 04_order`

use std::error::Error;

use ecs_core::description::Description;
use ecs_core::{World, world};

world! {
    world Clock;

    resource Log;

    stages Early -> Late;

    system Tick {
        stage: Early,
        write_resources: [Log],
        run: |data| data.resources.get_mut::<Log>().0.push("tick"),
    }
    system Tock {
        stage: Early,
        dependencies: [Tick],
        write_resources: [Log],
        run: |data| data.resources.get_mut::<Log>().0.push("tock"),
    }
    system Strike {
        stage: Late,
        write_resources: [Log],
        run: |data| data.resources.get_mut::<Log>().0.push("strike"),
    }
    system Wind {
        before: [Tick],
        write_resources: [Log],
        run: |data| data.resources.get_mut::<Log>().0.push("wind"),
    }
}

#[derive(Default)]
struct Log(Vec<&'static str>);

/// Prints the order in which systems run, and the graph behind it.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::<Clock>::new();
    world.tick()?;
    println!("{}", world.resource::<Log>().0.join(", "));
    assert_eq!(world.resource::<Log>().0, ["wind", "tick", "tock", "strike"]);

    // The declaration as data: this table, or a graph for Graphviz or Mermaid.
    let clock = Description::of::<Clock>();
    println!("{clock}");
    let level = |name| Some(clock.system(name)?.level());
    assert!(level("Tick") < level("Tock"));
    Ok(())
}
