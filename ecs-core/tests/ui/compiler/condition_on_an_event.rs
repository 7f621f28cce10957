//! A condition that would read an event before its phase emits it.

use ecs_core::{EventQueue, world};
struct Hit;
struct Ready;

fn has_hits(hits: &EventQueue<Hit>) -> bool {
    !hits.is_empty()
}

fn is_ready(ready: &EventQueue<Ready>) -> bool {
    !ready.is_empty()
}

world! {
    world W;
    event Hit;
    event Ready: delayed;
    system Shoot {
        emit: [Hit, Ready],
        run: |data| {
            data.effects.emit(Hit);
            data.effects.emit(Ready);
        },
    }
    system Hurt { on: [Hit], run_if: has_hits, run: |_| {} }
    system Begin { on: [Ready], run_if: is_ready, run: |_| {} }
}

fn main() {
    ecs_core::World::<W>::new();
}
