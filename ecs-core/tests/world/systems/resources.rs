//! Resources, and systems without entities.

use ecs_core::{Data, Executor, System, World, world};

use crate::support::every_kind;

#[derive(Debug, PartialEq)]
struct Ratio(f64);

/// No `Default` on purpose.
#[derive(Debug, PartialEq)]
struct Names(Vec<String>);

#[derive(Debug, Default, PartialEq)]
struct Count(u32);

struct Body;

world! {
    world Shared { entity_limit: dynamic(16) }
    component Body: contiguous_buffer;
    resource Ratio = Ratio(0.5);
    resource Names = Names(vec!["first".to_owned()]);
    resource Count;

    system Write { write_resources: [Count, Names] }
    system Read { dependencies: [Write], read_resources: [Count, Ratio], output: Vec<f64> }
    system Around { dependencies: [Read], write_resources: [Count], read_resources: [Ratio], with: [Body] }
}

#[derive(Default)]
struct Write;

impl System<Shared> for Write {
    fn process(&self, data: &mut Data<'_, Shared, Self>) {
        assert_eq!(data.own.all_entity_count(), 0, "it names no component");
        data.own.for_all_entities(|_| unreachable!("it has no entities"));
        data.own.for_entities(|_| unreachable!("it has no entities"));
        data.resources.get_mut::<Count>().0 += 1;
        let count = data.resources.get_mut::<Count>().0;
        data.resources.get_mut::<Names>().0.push(count.to_string());
    }
}

#[derive(Default)]
struct Read;

impl System<Shared> for Read {
    fn process(&self, data: &mut Data<'_, Shared, Self>) {
        let (count, ratio) = (data.resources.get::<Count>(), data.resources.get::<Ratio>());
        data.effects.output().push(f64::from(count.0) * ratio.0);
    }
}

#[derive(Default)]
struct Around;

impl System<Shared> for Around {
    fn process(&self, data: &mut Data<'_, Shared, Self>) {
        let ratio = data.resources.get::<Ratio>().0;
        data.resources.get_mut::<Count>().0 *= if ratio > 0.0 { 3 } else { 1 };
    }

    fn execute(&mut self, executor: &mut Executor<'_, Shared, Self>) {
        executor.resources.get_mut::<Count>().0 += 1;
        let ratio = executor.resources.get::<Ratio>();
        executor.for_subtasks(|data| self.process(data));
        executor.resources.get_mut::<Count>().0 += u32::from(ratio.0 < 1.0);
    }
}

#[test]
fn initial_values_reads_and_writes() {
    for threads in every_kind() {
        let mut world = World::<Shared>::on(threads);
        assert_eq!(world.resource::<Ratio>(), &Ratio(0.5));
        assert_eq!(world.resource::<Count>(), &Count(0));
        world.resource_mut::<Count>().0 = 10;
        let read = world.step(|step| {
            step.resource_mut::<Count>().0 += 1;
            step.execute_systems();
            let mut read: Vec<f64> = Vec::new();
            step.output_parts_of::<Read>().for_each(|output| read.extend(output));
            assert_eq!(step.resource::<Names>().0, ["first", "12"]);
            read
        });
        assert_eq!(read.unwrap(), [6.0], "a system without entities runs once");
        assert_eq!(world.resource::<Count>(), &Count((12 + 1) * 3 + 1));
    }
}
