//! Work of one thread on one column after the other: spawns, and loops over entities.

use super::Within;
use crate::data::{
    Bundle, Data as Datum, Position, Rotation, Transform, Velocity, advance, bundle, letters,
    with_letters,
};
use crate::rows::{Form, Summary, form, fresh};
use ecs_core::HasComponent;
use ecs_core::{Data, Declaration, Step, System, Threads, World, world};

world! {
    /// Entities that move, by a body for each entity.
    pub(super) world Moving {
        entity_limit: dynamic(10_000),
    }
    component Transform: contiguous_buffer;
    component Position: contiguous_buffer;
    component Rotation: contiguous_buffer;
    component Velocity: contiguous_buffer;
    system Move { read: [Velocity], write: [Position] }
}

/// Moves entities.
#[derive(Default)]
pub(super) struct Move;

impl System<Moving> for Move {
    fn process(&self, data: &mut Data<'_, Moving, Self>) {
        data.for_entities(|e| advance(e.position, e.velocity));
    }
}

mod kernel {
    use bytemuck::{cast_slice, cast_slice_mut};

    use super::{Data, Position, Rotation, System, Transform, Velocity, world};
    use crate::data::advance_flat;

    world! {
        /// Entities that move, by a kernel; and the system that spawns them.
        pub(super) world Streaming {
            entity_limit: dynamic(10_000),
        }
        component Transform: contiguous_buffer;
        component Position: contiguous_buffer;
        component Rotation: contiguous_buffer;
        component Velocity: contiguous_buffer;
        system Create { spawn: [(Transform, Position, Rotation, Velocity)] }
        system Move { read: [Velocity], write: [Position] }
    }

    /// Spawns the number of entities that its state holds.
    #[derive(Default)]
    pub(in super::super) struct Create(pub(super) usize);

    /// Moves entities.
    #[derive(Default)]
    pub(in super::super) struct Move;

    impl System<Streaming> for Create {
        fn process(&self, data: &mut Data<'_, Streaming, Self>) {
            data.spawn_batch((0..self.0).map(super::bundle));
        }
    }

    impl System<Streaming> for Move {
        fn process(&self, data: &mut Data<'_, Streaming, Self>) {
            data.for_runs::<(&mut Position, &Velocity)>(|(positions, velocities)| {
                advance_flat(cast_slice_mut(positions), cast_slice(velocities));
            });
        }
    }
}

/// A declaration with the four components.
trait Four:
    HasComponent<Transform> + HasComponent<Position> + HasComponent<Rotation> + HasComponent<Velocity>
{
}

impl Four for Moving {}
impl Four for kernel::Streaming {}

fn summary<D: Four>(world: &World<D>) -> Summary {
    let mut summary = Summary::default();
    world.for_each::<(&Transform, &Position, &Rotation, &Velocity)>(|(t, p, r, v)| {
        summary.add_bundle(t, p, r, v);
    });
    summary
}

fn spawn<D: Declaration>(world: &mut World<D>, entities: usize)
where
    Bundle: ecs_core::Bundle<D>,
{
    let filled = world.step(|step| step.spawn_batch((0..entities).map(bundle)).map(drop));
    filled.expect("nothing is staged").expect("the limit is dynamic");
}

fn filled<D: Declaration>(entities: usize) -> World<D>
where
    Bundle: ecs_core::Bundle<D>,
{
    let mut world = World::on(Threads::Inline);
    spawn(&mut world, entities);
    world
}

/// Each form ends with the refresh that updates the systems' subscriptions.
pub(super) fn insert(entities: usize) -> Vec<Form> {
    let empty = || World::<Moving>::on(Threads::Inline);
    let by_step = fresh(empty, move |world| spawn(world, entities), |world| summary(world));
    let idle = move || {
        let mut world = World::<kernel::Streaming>::on(Threads::Inline);
        world.system_mut::<kernel::Create>().0 = entities;
        world
    };
    let by_system = |world: &mut World<kernel::Streaming>| {
        let staged = world.step(|step| step.execute_systems_from::<(kernel::Create,)>().run());
        staged.expect("the limit is dynamic");
    };
    let by_system = fresh(idle, by_system, |world| summary(world));
    let one_by_one = move |world: &mut World<Moving>| {
        let filled =
            world.step(|step| (0..entities).try_for_each(|i| step.spawn(bundle(i)).map(drop)));
        filled.expect("nothing is staged").expect("the limit is dynamic");
    };
    let one_by_one = fresh(empty, one_by_one, |world| summary(world));
    vec![
        form("Step::spawn_batch", by_step),
        form("Step::spawn", one_by_one),
        form("a system's spawns", by_system),
    ]
}

pub(super) fn iter(entities: usize) -> Vec<Form> {
    let each = Within {
        world: filled::<Moving>(entities),
        run: |step: &mut Step<'_, Moving, _>| step.execute_systems().run(),
        summary: summary::<Moving>,
    };
    let kernel = Within {
        world: filled::<kernel::Streaming>(entities),
        run: |step: &mut Step<'_, kernel::Streaming, _>| {
            step.execute_systems_from::<(kernel::Move,)>().run();
        },
        summary: summary::<kernel::Streaming>,
    };
    vec![form("for_entities", each), form("for_runs", kernel)]
}

macro_rules! fragments {
    ($($letter:ident)*) => {
        world! {
            /// Entities of 26 archetypes.
            pub(super) world Fragments {
                entity_limit: dynamic(1_000),
            }
            component Datum: contiguous_buffer;
            $(component letters::$letter: contiguous_buffer;)*
            system Double { write: [Datum] }
        }

        fn of_letters(each: usize) -> World<Fragments> {
            let mut world = World::on(Threads::Inline);
            let filled = world.step(|step| {
                for i in 0..each {
                    let data = Datum(i as f32);
                    $(step.spawn((letters::$letter(0.0), data))?;)*
                }
                Ok::<_, ecs_core::LimitReached>(())
            });
            filled.expect("nothing is staged").expect("the limit is dynamic");
            world
        }
    };
}

with_letters!(fragments);

/// Doubles the component that all entities have.
#[derive(Default)]
pub(super) struct Double;

impl System<Fragments> for Double {
    fn process(&self, data: &mut Data<'_, Fragments, Self>) {
        data.for_entities(|e| e.datum.0 *= 2.0);
    }
}

pub(super) fn fragmented(each: usize) -> Vec<Form> {
    let summary = |world: &World<Fragments>| {
        let mut values = Vec::new();
        world.for_each::<&Datum>(|datum| values.push(datum.0));
        Summary::of(values)
    };
    let each_one = Within {
        world: of_letters(each),
        run: |step: &mut Step<'_, Fragments, _>| step.execute_systems().run(),
        summary,
    };
    let kernel = Within {
        world: of_letters(each),
        run: |step: &mut Step<'_, Fragments, _>| {
            let doubled = step.execute_systems().for_subtasks::<Double>(|_, data| {
                data.for_runs::<&mut Datum>(|data| data.iter_mut().for_each(|d| d.0 *= 2.0));
            });
            doubled.run();
        },
        summary,
    };
    vec![form("for_entities", each_one), form("for_runs", kernel)]
}
