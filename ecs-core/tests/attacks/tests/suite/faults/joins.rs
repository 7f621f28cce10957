//! Pairs of entities: a user's index, and the closures that run for each pair.

use attacks::faults::{Fault, FaultCase, Fired, Hook, Program, Tag, places};
use attacks::{assert_subscribed, rows, tracked};
use ecs_core::joins::Index;
use ecs_core::{Data, System, Threads, World, world};

tracked! {
    Num: BUFFER;
}

#[derive(Clone, Copy, Debug)]
struct Team(u64);

impl Team {
    fn get(self) -> u64 {
        self.0
    }
}

static HOOK: Hook = Hook::new();

world! {
    world Match { entity_limit: dynamic(16) }
    component Tag: contiguous_buffer;
    component Team: contiguous_buffer;
    component Num: contiguous_buffer;
    query Tagged { read: [Tag] }
    query Teams { read: [Tag, Team], index: ByTeam }
    system Fight {
        read: [Tag, Team], write: [Num], queries: [Tagged, Teams], spawn: [(Tag,)], state: Fight(None),
    }
}

#[derive(Default)]
struct ByTeam;

impl Index for ByTeam {
    type Entry<'a> = TeamsEntry<'a>;
    type Key = u64;

    fn key(&self, member: TeamsEntry<'_>) -> u64 {
        HOOK.point(places::INDEX_KEY);
        member.team.0
    }
}

struct Fight(Option<Fault>);

impl System<Match> for Fight {
    fn process(&self, data: &mut Data<'_, Match, Self>) {
        let fault = self.0.as_ref().unwrap();
        data.own.query::<(&Tag, &mut Num)>().pairs(
            data.effects.members::<Tagged, &Tag>(),
            |(tag, num), member| {
                if tag.0 % 3 == 0 && member.0 % 3 == 0 {
                    fault.point(places::PAIRS);
                    num.set(num.get() + 1);
                    fault.point(places::PAIRS);
                }
            },
        );
        data.own.query::<(&Tag, &Team, &mut Num)>().join(
            data.effects.lookup::<Teams, &Tag>(),
            |(_, team, _)| {
                fault.point(places::KEYS);
                [team.0, 99]
            },
            |(_, _, num), _| {
                fault.point(places::JOIN);
                num.set(num.get() + 1);
            },
        );
        data.effects.spawn((Tag(100),));
        fault.point(places::PROCESS);
    }
}

type Row = Vec<Option<u64>>;

struct Joins {
    world: World<Match>,
    fault: Fault,
    over: bool,
}

impl Program for Joins {
    type State = Vec<Row>;

    const HOOK: Option<&'static Hook> = Some(&HOOK);

    fn new(fault: &Fault, threads: Threads) -> Self {
        let mut world = World::<Match>::on(threads);
        world.system_mut::<Fight>().0 = Some(fault.clone());
        let bundles = (0..8).map(|n| (Tag(n), Team(n % 3), Num::new(fault, 0)));
        world
            .step(|step| {
                step.spawn_batch(bundles);
            })
            .unwrap();
        Self { world, fault: fault.clone(), over: false }
    }

    fn act(&mut self) {
        let Self { world, fault, over } = self;
        *over = false;
        let step = world.step(|step| {
            step.execute_systems();
            fault.point(places::STEP);
            *over = true;
        });
        step.unwrap();
    }

    fn state(&self) -> Vec<Row> {
        rows!(self.world; Tag, Team, Num)
    }

    fn model(&self, state: &Vec<Row>) -> Vec<Row> {
        let mut after = state.clone();
        for row in &mut after {
            let [Some(tag), Some(team), Some(num)] = row[..] else { continue };
            let every_third = state.iter().filter(|other| other[0].unwrap() % 3 == 0);
            let of_team = state.iter().filter(|other| other[1] == Some(team)).count();
            let pairs = if tag % 3 == 0 { every_third.count() } else { 0 };
            row[2] = Some(num + (pairs + of_team) as u64);
        }
        after.push(vec![Some(100), None, None]);
        after.sort_unstable();
        after
    }

    fn verify(&self, before: &Vec<Row>, found: &Vec<Row>, _: &Fired) -> Result<(), String> {
        let after = self.model(before);
        if self.over {
            return attacks::faults::one_of(found, &[after]);
        }
        // Some of the in-place writes, and no staged change.
        let is_between = found.len() == before.len()
            && before.iter().zip(found).all(|(before, found)| {
                let all = after.iter().find(|row| row[0] == before[0]).unwrap();
                found[..2] == before[..2] && before[2] <= found[2] && found[2] <= all[2]
            });
        if is_between { Ok(()) } else { Err(format!("up to {after:?}")) }
    }

    fn check(&mut self) {
        assert_subscribed!(self.world; Teams: [Tag, Team] [];);
    }
}

pub(super) static JOINS: [FaultCase; 2] = [FaultCase::of::<Joins>(), FaultCase::of_drop::<Joins>()];

#[test]
fn pairs_and_joins() {
    JOINS[0].report();
}

#[test]
fn their_drop() {
    JOINS[1].report();
}
