//! Random programs against a naive model: which systems have run, what each saw of the others, and what is the same on any
//! threads and in any schedule.

use ecs_core::scheduler::{Delayed, Shuffled};
use ecs_core::settings::{Allow, Config, Dynamic, Settings};
use ecs_core::{Snapshot, StateHash, World, world};
use proptest::prelude::*;

use super::support::{cases, every_kind, three};

/// Bits that decide which systems run.
#[derive(Clone, Default, StateHash)]
struct Flags(u8);

/// How often each system has run, and what it saw of its inputs: the number of their runs, or 0 where one was skipped.
#[derive(Clone, Debug, Default, PartialEq, StateHash)]
struct Seen(Vec<(char, [u32; 2])>);

#[derive(Clone, Default, StateHash)]
struct Seeds;

fn has<const BIT: u8>(flags: &Flags) -> bool {
    flags.0 >> BIT & 1 != 0
}

world! {
    world Program;
    component Seeds;
    resource Flags, Seen;
    system A {
        run_if: has::<0>,
        state: A::default(),
        output: Vec<u32>,
    }
    system B {
        run_if: has::<1>,
        spawn: [Seeds],
        state: B::default(),
        output: Vec<u32>,
    }
    system C {
        run_if: |flags: &Flags| has::<2>(flags) && has::<0>(flags),
        inputs: [A, B],
        write_resources: [Seen],
        run: |data| {
            let saw = [
                data.effects.outputs_of::<A>().flatten().sum(),
                data.effects.outputs_of::<B>().flatten().sum(),
            ];
            data.resources.get_mut::<Seen>().0.push(('c', saw));
        },
    }
    system D {
        sequential,
        dependencies: [C],
        inputs: [A, B],
        write_resources: [Flags, Seen],
        run: |data| {
            let saw = [
                data.effects.outputs_of::<A>().flatten().sum(),
                data.effects.outputs_of::<B>().flatten().sum(),
            ];
            data.resources.get_mut::<Seen>().0.push(('d', saw));
            data.resources.get_mut::<Flags>().0 ^= 0b1000;
        },
    }
    system E {
        run_if: has::<3>,
        dependencies: [D],
        inputs: [A],
        write_resources: [Seen],
        run: |data| {
            let saw = [data.effects.outputs_of::<A>().flatten().sum(), 0];
            data.resources.get_mut::<Seen>().0.push(('e', saw));
        },
    }
}

#[derive(Clone, Default, StateHash)]
struct A(u32);

#[derive(Clone, Default, StateHash)]
struct B(u32);

impl ecs_core::System<Program> for A {
    fn process(&self, data: &mut ecs_core::Data<'_, Program, Self>) {
        data.effects.output().push(self.0);
    }

    fn execute(&mut self, executor: &mut ecs_core::Executor<'_, Program, Self>) {
        self.0 += 1;
        executor.for_subtasks(|data| self.process(data));
    }
}

impl ecs_core::System<Program> for B {
    fn process(&self, data: &mut ecs_core::Data<'_, Program, Self>) {
        data.effects.output().push(self.0);
        data.effects.spawn((Seeds,));
    }

    fn execute(&mut self, executor: &mut ecs_core::Executor<'_, Program, Self>) {
        self.0 += 1;
        executor.for_subtasks(|data| self.process(data));
    }
}

#[derive(Clone, Copy, Debug)]
enum Act {
    Set(u8),
    Tick,
    /// Two executions in one step, with other flags before the second one.
    Twice(u8),
    FromA,
    OnlyBAndD,
    Save,
    Restore,
    Clone,
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        4 => any::<u8>().prop_map(Act::Set),
        4 => Just(Act::Tick),
        2 => any::<u8>().prop_map(Act::Twice),
        1 => Just(Act::FromA),
        1 => Just(Act::OnlyBAndD),
        1 => Just(Act::Save),
        1 => Just(Act::Restore),
        1 => Just(Act::Clone),
    ]
}

/// The model: the same program, one system after the other.
#[derive(Clone, Default)]
struct Naive {
    flags: u8,
    seen: Seen,
    runs: [u32; 2],
    outputs: [u32; 2],
    entities: usize,
}

impl Naive {
    fn has(&self, bit: u8) -> bool {
        self.flags >> bit & 1 != 0
    }

    fn execute(&mut self, systems: &str) {
        // The conditions of the first phase are evaluated before its systems run.
        let [a, b, c] = [self.has(0), self.has(1), self.has(2) && self.has(0)];
        for (at, name, runs) in [(0, 'A', a), (1, 'B', b)] {
            if systems.contains(name) {
                self.runs[at] += u32::from(runs);
                self.outputs[at] = if runs { self.runs[at] } else { 0 };
                self.entities += usize::from(runs && name == 'B');
            }
        }
        if systems.contains('C') && c {
            self.seen.0.push(('c', self.outputs));
        }
        if systems.contains('D') {
            self.seen.0.push(('d', self.outputs));
            self.flags ^= 0b1000;
        }
        if systems.contains('E') && self.has(3) {
            self.seen.0.push(('e', [self.outputs[0], 0]));
        }
    }

    fn act(&mut self, act: Act, saved: &mut Self) {
        match act {
            Act::Set(flags) => self.flags = flags,
            Act::Tick => self.execute("ABCDE"),
            Act::Twice(flags) => {
                self.execute("ABCDE");
                self.flags = flags;
                self.execute("ABCDE");
            }
            Act::FromA => self.execute("ACDE"),
            Act::OnlyBAndD => self.execute("BD"),
            Act::Save => *saved = self.clone(),
            Act::Restore => *self = saved.clone(),
            Act::Clone => {}
        }
    }
}

fn perform<S: Settings>(
    world: &mut World<Program, S>,
    act: Act,
    saved: &mut Snapshot<Program>,
) -> Option<World<Program, S>> {
    let done = match act {
        Act::Set(flags) => {
            world.resource_mut::<Flags>().0 = flags;
            Ok(())
        }
        Act::Tick => world.tick(),
        Act::Twice(flags) => world.step(|step| {
            step.execute_systems();
            step.resource_mut::<Flags>().0 = flags;
            step.execute_systems();
        }),
        Act::FromA => world.step(|step| step.execute_systems_from::<(A,)>()),
        Act::OnlyBAndD => world.step(|step| step.execute_only::<(D, B)>()),
        Act::Save => {
            *saved = world.snapshot();
            Ok(())
        }
        Act::Restore => {
            world.restore(saved).unwrap();
            Ok(())
        }
        Act::Clone => return Some(world.clone()),
    };
    done.unwrap();
    None
}

/// The hash after the program.
fn run<S: Settings>(mut world: World<Program, S>, acts: &[Act]) -> Result<u64, TestCaseError> {
    let (mut naive, mut saved) = (Naive::default(), world.snapshot());
    let mut naive_saved = naive.clone();
    for &act in acts {
        if let Some(clone) = perform(&mut world, act, &mut saved) {
            world = clone;
        }
        naive.act(act, &mut naive_saved);
        prop_assert_eq!(world.resource::<Seen>(), &naive.seen);
        prop_assert_eq!(world.resource::<Flags>().0, naive.flags);
        prop_assert_eq!(world.entity_count(), naive.entities);
        let outputs = [
            world.outputs_of::<A>().flatten().sum::<u32>(),
            world.outputs_of::<B>().flatten().sum(),
        ];
        prop_assert_eq!(outputs, naive.outputs);
        prop_assert_eq!([world.system::<A>().0, world.system::<B>().0], naive.runs);
    }
    Ok(world.state_hash())
}

type Under<S> = Config<Dynamic<0>, Allow, S>;

proptest! {
    #![proptest_config(cases(20))]
    #[test]
    fn programs_do_what_the_model_does(acts in prop::collection::vec(act(), 1..40)) {
        let mut hash = None;
        for threads in every_kind() {
            let found = run(World::<Program>::on(threads), &acts)?;
            prop_assert_eq!(*hash.get_or_insert(found), found);
        }
        let shuffled = run(World::<Program, Under<Shuffled>>::on(three()), &acts)?;
        let delayed = run(World::<Program, Under<Delayed>>::on(three()), &acts)?;
        prop_assert_eq!(hash, Some(shuffled));
        prop_assert_eq!(hash, Some(delayed));
    }
}
