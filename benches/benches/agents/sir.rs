//! An epidemic: agents are susceptible, infected for some days, then recovered. Each meets others by chance.
//!
//! Agents are spawned first and never despawned, so those of a query are one slice, in which an agent is found by its
//! number.

use ecs_core::{Threads, World, world};

use super::measure::{Course, Model, Report};
use super::random::{below, mix};

/// The number of others that an agent meets in a step.
const CONTACTS: u64 = 4;
/// How many of 256 contacts with an infected agent infect a susceptible one.
const RISK: u64 = 26;
/// The number of steps for which an agent is infected.
const DAYS: u8 = 10;

/// The health of an agent: 0 for a susceptible one, the number of days that are left for an infected one, [`RECOVERED`].
#[derive(Clone, Copy, Debug, PartialEq)]
struct Health(u8);

const RECOVERED: u8 = u8::MAX;

impl Health {
    #[inline]
    fn is_infected(self) -> bool {
        self.0.wrapping_sub(1) < DAYS
    }
}

/// The health of an agent with this number after a step.
#[inline]
fn next(agents: &[Health], number: usize, step: u64) -> Health {
    match agents[number].0 {
        0 => {
            let seed = mix(number as u64, step);
            let is_infected = (0..CONTACTS).any(|contact| {
                let random = mix(seed, contact);
                agents[below(agents.len(), random)].is_infected() && random & 0xFF < RISK
            });
            Health(if is_infected { DAYS } else { 0 })
        }
        RECOVERED | 1 => Health(RECOVERED),
        days => Health(days - 1),
    }
}

/// The health of agents at first: one in a hundred is infected.
fn agents(count: usize) -> impl Iterator<Item = Health> {
    (0..count)
        .map(|number| Health(if mix(number as u64, 5).is_multiple_of(100) { DAYS } else { 0 }))
}

struct Plain {
    agents: Vec<Health>,
    next: Vec<Health>,
    step: u64,
}

impl Model for Plain {
    type State = Vec<Health>;

    fn step(&mut self) -> usize {
        for (number, health) in self.next.iter_mut().enumerate() {
            *health = next(&self.agents, number, self.step);
        }
        std::mem::swap(&mut self.agents, &mut self.next);
        self.step += 1;
        self.agents.len()
    }

    fn state(&self) -> Vec<Health> {
        self.agents.clone()
    }
}

struct Number(u32);

/// The health of an agent after the step.
struct Next(Health);

struct Step(u64);

world! {
    world Epidemic;
    component Number, Health, Next;
    resource Step = Step(0);
    query Agents { read: [Health] }
    system Meet {
        read: [Number],
        write: [Next],
        queries: [Agents],
        read_resources: [Step],
        parallelism: split_evenly(cores),
        run: |data| {
            let agents = data.effects.slices::<Agents, &Health>().expect("no agent is despawned");
            let step = data.resources.get::<Step>().0;
            data.own.for_entities(|agent| agent.next.0 = next(agents, agent.number.0 as usize, step));
        },
    }
    system Turn {
        dependencies: [Meet],
        parallelism: split_evenly(cores),
        each: |health: &mut Health, next: &Next| *health = next.0,
    }
    system Count { dependencies: [Meet], run: |step: &mut Step| step.0 += 1 }
}

struct Library(World<Epidemic>);

impl Library {
    fn new(count: usize, threads: Threads) -> Self {
        let mut world = World::<Epidemic>::on(threads);
        let agents = (0..).zip(agents(count));
        world.spawn_batch(agents.map(|(number, health)| (Number(number), health, Next(health))));
        Self(world)
    }
}

impl Model for Library {
    type State = Vec<Health>;

    fn step(&mut self) -> usize {
        self.0.tick().expect("nothing is staged");
        self.0.entity_count()
    }

    fn state(&self) -> Vec<Health> {
        self.0.iter::<&Health>().copied().collect()
    }
}

pub(crate) fn measure(report: &Report) {
    let count = report.size(1_000_000, 1_000);
    report.compare(
        "sir",
        Course { first: 5, steps: 5, rounds: 40 },
        || Plain { agents: agents(count).collect(), next: vec![Health(0); count], step: 0 },
        |threads| Library::new(count, threads),
    );
}
