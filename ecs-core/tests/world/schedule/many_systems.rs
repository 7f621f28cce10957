//! Twelve systems, the most that a tuple can name: as starts, and with code for all of them.

use ecs_core::SystemName;
use ecs_core::overrides::ForSubtasks;
use ecs_core::{Data, Declaration as _, System, World, world};

use crate::support::three;

macro_rules! row {
    ($($name:ident)*) => {
        world! {
            world Row {}
            resource Last;
            $(system $name { output: Option<&'static str> })*
            system End { dependencies: [$($name),*], write_resources: [Last] }
        }

        $(
            #[derive(Default)]
            struct $name;

            impl System<Row> for $name {
                fn process(&self, data: &mut Data<'_, Row, Self>) {
                    *data.effects.output() = Some(stringify!($name));
                }
            }
        )*

        /// The output of each system.
        fn outputs(world: &mut World<Row>) -> Vec<Option<&'static str>> {
            let mut all = Vec::new();
            world.step(|step| {
                $(step.output_parts_of::<$name>().for_each(|output| all.push(*output));)*
            }).unwrap();
            all
        }

        const NAMES: [&str; 12] = [$(stringify!($name)),*];
        type Starts = ($($name,)*);
    };
}

row! { A B C E F G H I J K L M }

#[derive(Default)]
struct Last(u32);

#[derive(Default)]
struct End;

impl System<Row> for End {
    fn process(&self, data: &mut Data<'_, Row, Self>) {
        data.resources.get_mut::<Last>().0 += 1;
    }
}

/// Code for each of the systems.
struct Say(&'static str);

impl<N: SystemName<Row, Output = Option<&'static str>>> ForSubtasks<Row, N> for Say {
    fn process(&self, _: &N::System, data: &mut Data<'_, Row, N>) {
        *data.effects.output() = Some(self.0);
    }
}

#[test]
fn twelve_starts() {
    assert_eq!(Row::SYSTEMS.len(), 13);
    let mut world = World::<Row>::on(three());
    world.step(|step| step.execute_systems_from::<Starts>()).unwrap();
    assert_eq!(outputs(&mut world), NAMES.map(Some));
    assert_eq!(world.resource::<Last>().0, 1);
}

#[test]
fn code_for_twelve() {
    let mut world = World::<Row>::on(three());
    world
        .step(|step| {
            step.execute_with(|systems| systems.systems::<Starts>().for_subtasks(Say("?")));
        })
        .unwrap();
    assert_eq!(outputs(&mut world), [Some("?"); 12]);
}
