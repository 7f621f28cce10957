//! Iteration over many entities.

use std::hint::black_box;

use benches::bundle::{Position, Rotation, Transform, Velocity, bundle};
use benches::kernel::{self, Form};
use ecs_core::{Threads, World, world};

use super::steadily;

world! {
    world Simple;
    component Transform, Position, Rotation, Velocity;
    system Move {
        read: [Velocity],
        write: [Position],
        run: |data| data.own.for_entities(|e| advance(e.position, e.velocity)),
    }
    system Drift {
        dependencies: [Move],
        read: [Velocity],
        write: [Position],
        run: |data| {
            let moved = data.own.query::<(&mut Position, &Velocity)>();
            moved.for_each(|(position, velocity)| advance(position, velocity));
        },
    }
}

fn advance(position: &mut Position, velocity: &Velocity) {
    for axis in 0..3 {
        position.0[axis] += velocity.0[axis];
    }
}

/// 10 000 entities; with `gaps`, one of every three has no velocity.
fn filled(gaps: bool) -> World<Simple> {
    let mut world = World::on(Threads::Inline);
    let filled = world.step(|step| {
        for n in 0..10_000 {
            let (transform, position, rotation, velocity) = bundle();
            let entity = step.spawn((transform, position, rotation));
            if !gaps || n % 3 > 0 {
                step.insert(entity, velocity).expect("it lives");
            }
        }
    });
    filled.expect("nothing is staged");
    world
}

/// One execution per step, as in programs, while benchmarks have many.
fn advance_all(gaps: bool) {
    let mut world = filled(gaps);
    steadily(|| {
        let moved = world.step(|step| {
            step.execute_with(|systems| systems.for_subtasks::<Drift>(|_, _| {}));
        });
        moved.expect("nothing is staged");
    });
}

pub(super) fn for_entities() {
    advance_all(false);
}

pub(super) fn gaps() {
    advance_all(true);
}

pub(super) fn query() {
    let mut world = filled(false);
    steadily(|| {
        let moved = world.step(|step| step.execute_systems_from::<(Drift,)>());
        moved.expect("nothing is staged");
    });
}

pub(super) fn kernel() {
    line(Form::Runs);
}

pub(super) fn flat() {
    line(Form::Entities);
}

pub(super) fn iter_flat() {
    line(Form::Loop);
}

pub(super) fn iter_each_flat() {
    line(Form::Each);
}

/// One run of rows, within a page.
pub(super) fn flat_page() {
    points(4_000, Form::Entities);
}

pub(super) fn iter_flat_page() {
    points(4_000, Form::Loop);
}

macro_rules! declared {
    ($($function:ident)+) => {$(
        pub(super) fn $function() {
            let mut world = kernel::declared::$function(10_000);
            steadily(|| black_box(&mut world).tick().expect("nothing is staged"));
        }
    )+};
}

// Code in the declaration, by entries, through `Data`, and by parameters with types.
declared! { each run typed scaled scaled_run }

/// 10 000 points on a line, whose positions and velocities are single numbers.
fn line(form: Form) {
    points(10_000, form);
}

fn points(entities: usize, form: Form) {
    let mut world = kernel::filled(entities, form);
    steadily(|| {
        black_box(&mut world).tick().expect("nothing is staged");
    });
}

/// A world of 26 archetypes, each with a component of its own.
macro_rules! fragmented {
    ($($component:ident)*) => {
        mod letters {
            use super::*;

            $(pub(super) struct $component(#[expect(dead_code, reason = "only its presence counts")] pub(super) f32);)*
            pub(super) struct Datum(pub(super) f32);

            world! {
                pub(super) world Letters;
                component Datum;
                $(component $component;)*
                system Double { each: |datum: &mut Datum| datum.0 *= 2.0 }
            }

            pub(super) fn filled() -> World<Letters> {
                let mut world = World::on(Threads::Inline);
                let filled = world.step(|step| {
                    $(for _ in 0..20 {
                        step.spawn(($component(1.0), Datum(1.0)));
                    })*
                });
                filled.expect("nothing is staged");
                world
            }
        }
    };
}

fragmented!(A B C D E F G H I J K L M N O P Q R S T U V W X Y Z);

pub(super) fn fragmented() {
    let mut world = letters::filled();
    steadily(|| {
        world.tick().expect("nothing is staged");
    });
}
