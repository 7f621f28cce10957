//! When additions show, and in which order they are combined.

use ecs_core::scheduler::{Delayed, Shuffled};
use ecs_core::settings::{Allow, Config, Dynamic, Settings};
use ecs_core::{Combine, Data, Stream, Threads, World, world};

use crate::support::{every_kind, three};

/// Keeps the order, so that the order shows. (It breaks the law, and thus depends on the split.)
#[derive(Clone, Debug, Default, PartialEq)]
struct Log(Vec<u32>);

impl Combine for Log {
    fn combine(&mut self, other: Self) {
        self.0.extend(other.0);
    }
}

#[derive(Combine, Debug, Default, PartialEq)]
struct Sum(u32);

#[derive(Debug, Default, PartialEq)]
struct Seen(Vec<u32>);

struct Item;

// Two rounds: `Early`, `A` and `B`, then `Show` and `Clear`, then `C` and `D`, then `Last`.
world! {
    world Rounds {}
    component Item: empty;
    resource Log: combine;
    resource Sum: sum;
    resource Seen;
    system B { add: [Log, Sum], run: |data| { data.effects.add(Log(vec![1])); data.effects.add(Sum(1)); data.effects.add(Log(vec![2])) } }
    system A { add: [Log, Sum], run: |data| { data.effects.add(Log(vec![3])); data.effects.add(Sum(10)) } }
    system Early { add: [Sum], before: [A], run: |data| data.effects.add(Sum(100)) }
    system Show {
        read_resources: [Log, Sum],
        write_resources: [Seen],
        dependencies: [A, B],
        run: |data| {
            let sum = data.resources.get::<Sum>().0;
            let log = data.resources.get::<Log>().0.clone();
            data.resources.get_mut::<Seen>().0.push(sum);
            data.resources.get_mut::<Seen>().0.extend(log);
        },
    }
    system Clear {
        write_resources: [Log],
        dependencies: [Show],
        run: |data| data.resources.get_mut::<Log>().0.clear(),
    }
    system C { add: [Log, Sum], dependencies: [Clear], run: |data| { data.effects.add(Sum(1_000)); data.effects.add(Log(vec![4])) } }
    system D { add: [Log], dependencies: [Clear], run: |data| data.effects.add(Log(vec![5])) }
    system Last {
        read_resources: [Log, Sum],
        write_resources: [Seen],
        dependencies: [C, D],
        run: |data| {
            let last = data.resources.get::<Sum>().0 + data.resources.get::<Log>().0.len() as u32;
            data.resources.get_mut::<Seen>().0.push(last);
        },
    }
}

type Under<S> = Config<Dynamic<0>, Allow, S>;

fn rounds<S: Settings>(mut world: World<Rounds, S>) {
    world.tick().unwrap();
    assert_eq!(world.resource::<Seen>().0, [111, 1, 2, 3, 1113]);
    assert_eq!(world.resource::<Log>().0, [4, 5]);
    // A part: `A` is not executed, so it is not waited for.
    world.step(|step| step.execute_systems_from::<(B,)>()).unwrap();
    assert_eq!(world.resource::<Seen>().0[5..], [1112, 4, 5, 1, 2, 2114]);
    world.step(|step| step.execute_systems_from::<(D,)>()).unwrap();
    assert_eq!(world.resource::<Log>().0, [4, 5, 5]);
    assert_eq!(world.resource::<Seen>().0[11..], [2115]);
}

#[test]
fn readers_and_writers_find_all_that_was_added_before_and_nothing_else() {
    for threads in every_kind() {
        for _ in 0..20 {
            rounds(World::<Rounds>::on(threads.clone()));
            rounds(World::<Rounds, Under<Shuffled>>::on(threads.clone()));
            rounds(World::<Rounds, Under<Delayed>>::on(threads.clone()));
        }
    }
}

#[test]
fn what_replaces_a_body_adds_too() {
    let mut world = World::<Rounds>::on(three());
    world
        .step(|step| {
            step.execute_with(|systems| {
                systems.for_subtasks::<A>(|_, data| data.effects.add(Log(vec![30]))).detailed::<B>(
                    |_, executor| {
                        executor.for_subtasks(|data| data.effects.add(Log(vec![10])));
                        executor.for_subtasks(|data| data.effects.add(Log(vec![20])));
                    },
                )
            });
            // The additions show at once to the step, too.
            assert_eq!(step.resource::<Log>().0, [4, 5]);
        })
        .unwrap();
    assert_eq!(world.resource::<Seen>().0[..4], [100, 10, 20, 30]);
}

fn send(data: &mut Data<'_, Piped, Send>) {
    for n in 0..100 {
        data.effects.stream().send(n);
        data.effects.add(Sum(1));
    }
}

fn take(data: &mut Data<'_, Piped, Take>) {
    let (mut sum, received) = (0, data.effects.received::<Send>());
    for n in received {
        sum += n;
    }
    data.effects.add(Sum(sum));
}

world! {
    world Piped {}
    resource Sum: sum;
    resource Seen;
    system Send { add: [Sum], output: Stream<u32>, run: send }
    system Take { add: [Sum], streams: [Send], run: take }
    system Tell {
        read_resources: [Sum],
        write_resources: [Seen],
        dependencies: [Send, Take],
        run: |data| {
            let sum = data.resources.get::<Sum>().0;
            data.resources.get_mut::<Seen>().0.push(sum);
        },
    }
}

#[test]
fn both_ends_of_a_stream_add() {
    for threads in every_kind() {
        let mut world = World::<Piped>::on(threads);
        world.tick().unwrap();
        world.step(|step| step.execute_systems_from::<(Take,)>()).unwrap();
        assert_eq!(world.resource::<Seen>().0, [5050, 5050], "nothing is sent");
        world.tick().unwrap();
        assert_eq!(world.resource::<Seen>().0[2..], [10100]);
    }
}

world! {
    world Phased { staged_changes: refresh_before_dependents }
    component Item: empty;
    resource Log: combine;
    resource Seen;
    system Alone {
        sequential,
        with: [Item],
        add: [Log],
        run: |data| {
            data.roll(|_| {});
            data.effects.add(Log(vec![1]));
        },
    }
    system Put {
        add: [Log],
        dependencies: [Alone],
        spawn: [Item],
        defer,
        run: |data| {
            data.effects.add(Log(vec![2]));
            data.effects.spawn((Item,));
            data.effects.defer(|world| {
                let sum = world.resource::<Log>().0.iter().sum();
                world.resource_mut::<Seen>().0.push(sum);
            });
        },
    }
    // After a refresh, and in the same round as the others.
    system Later { add: [Log], with: [Item], dependencies: [Put], run: |data| data.effects.add(Log(vec![4])) }
    system Report {
        read_resources: [Log],
        write_resources: [Seen],
        dependencies: [Later],
        run: |data| {
            let sum = data.resources.get::<Log>().0.iter().sum();
            data.resources.get_mut::<Seen>().0.push(sum);
        },
    }
}

#[test]
fn deferred_functions_between_phases_find_what_earlier_phases_have_added() {
    for threads in [Threads::Inline, three()] {
        let mut world = World::<Phased>::on(threads);
        world.tick().unwrap();
        assert_eq!(world.resource::<Log>().0, [1, 2, 4]);
        assert_eq!(world.resource::<Seen>().0, [3, 7]);
    }
}
