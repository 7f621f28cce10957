//! Schelling's segregation: agents of two groups on a board, who move to a vacant place if too few of their neighbours are
//! of their group.
//!
//! First all agents count their neighbours, side by side. Then the unhappy ones move, one after the other.

use ecs_core::{Place, Threads, World, world};

use super::measure::{Course, Model, Report};
use super::random::{below, mix};

/// An agent is happy if this part of its neighbours, as a fraction, is of its group.
const LIKE: (u8, u8) = (5, 8);

/// The places, with a border of vacant ones that no agent moves to.
#[derive(Clone)]
struct Board {
    /// Places on a side, with the border.
    width: usize,
    /// For each place 0, or the group of the agent there, 1 or 16.
    groups: Vec<u8>,
    vacant: Vec<u32>,
    step: u64,
}

impl Board {
    /// Whether the agent at the place would rather be elsewhere.
    #[inline]
    fn is_unhappy(&self, home: u32) -> bool {
        let (home, width) = (home as usize, self.width);
        let mut around = 0;
        for line in [home - width, home, home + width] {
            // The number of neighbours of either group is in four bits of the sum.
            around += self.groups[line - 1..=line + 1].iter().sum::<u8>();
        }
        let own = self.groups[home];
        around -= own;
        let (first, second) = (around % 16, around / 16);
        let like = if own == 1 { first } else { second };
        like * LIKE.1 < (first + second) * LIKE.0
    }

    /// Moves the agent, the `number`-th of a step, from its home to a vacant place.
    #[inline]
    fn relocate(&mut self, number: u64, home: &mut u32) {
        let chosen = below(self.vacant.len(), mix(self.step, number));
        let vacant = &mut self.vacant[chosen];
        self.groups[*vacant as usize] = core::mem::take(&mut self.groups[*home as usize]);
        core::mem::swap(vacant, home);
    }
}

/// A board with this number of places on a side, and the homes of the agents, which are five in six.
fn board(side: usize) -> (Board, Vec<u32>) {
    let width = side + 2;
    let (mut groups, mut vacant, mut homes) = (vec![0; width * width], Vec::new(), Vec::new());
    for place in (1..=side).flat_map(|y| y * width + 1..=y * width + side) {
        match mix(place as u64, 3) % 12 {
            0 | 1 => vacant.push(place as u32),
            random => {
                groups[place] = if random % 2 == 0 { 1 } else { 16 };
                homes.push(place as u32);
            }
        }
    }
    (Board { width, groups, vacant, step: 0 }, homes)
}

struct Plain {
    board: Board,
    homes: Vec<u32>,
    unhappy: Vec<u32>,
}

impl Plain {
    fn new((board, homes): (Board, Vec<u32>)) -> Self {
        Self { board, homes, unhappy: Vec::new() }
    }
}

impl Model for Plain {
    type State = (Vec<u32>, Vec<u8>);

    fn step(&mut self) -> usize {
        let Self { board, homes, unhappy } = self;
        unhappy.clear();
        for (agent, &home) in (0..).zip(&*homes) {
            if board.is_unhappy(home) {
                unhappy.push(agent);
            }
        }
        for (number, &agent) in (0..).zip(&*unhappy) {
            board.relocate(number, &mut homes[agent as usize]);
        }
        board.step += 1;
        homes.len()
    }

    fn state(&self) -> Self::State {
        (self.homes.clone(), self.board.groups.clone())
    }
}

/// The place where an agent lives.
struct Home(u32);

impl Default for Board {
    fn default() -> Self {
        board(1).0
    }
}

world! {
    world Town;
    component Home;
    resource Board;
    system Judge {
        parallelism: split_evenly(cores),
        output: Vec<Place>,
        read: [Home],
        read_resources: [Board],
        run: |data| {
            let (board, unhappy) = (data.resources.get::<Board>(), data.effects.output());
            for (agent, home) in data.own.query::<(Place, &Home)>() {
                if board.is_unhappy(home.0) {
                    unhappy.push(agent);
                }
            }
        },
    }
    system Move {
        exclusive,
        inputs: [Judge],
        write: [Home],
        write_resources: [Board],
        run: |data| {
            let board = data.resources.get_mut::<Board>();
            let mut homes = data.own.any_mut::<&mut Home>();
            let unhappy = data.effects.outputs_of::<Judge>();
            for (number, &agent) in (0..).zip(unhappy.flatten()) {
                if let Some(home) = homes.get_mut(agent) {
                    board.relocate(number, &mut home.0);
                }
            }
            board.step += 1;
        },
    }
}

struct Library(World<Town>);

impl Library {
    fn new((board, homes): (Board, Vec<u32>), threads: Threads) -> Self {
        let mut world = World::<Town>::on(threads);
        *world.resource_mut::<Board>() = board;
        world.spawn_batch(homes.into_iter().map(|home| (Home(home),)));
        Self(world)
    }
}

impl Model for Library {
    type State = (Vec<u32>, Vec<u8>);

    fn step(&mut self) -> usize {
        self.0.tick().expect("nothing is staged");
        self.0.entity_count()
    }

    fn state(&self) -> Self::State {
        let homes = self.0.iter::<&Home>().map(|home| home.0).collect();
        (homes, self.0.resource::<Board>().groups.clone())
    }
}

pub(crate) fn measure(report: &Report) {
    let side = report.size(500, 20);
    report.compare(
        &format!("schelling, {side}²"),
        Course { first: 3, steps: 20, rounds: 40 },
        || Plain::new(board(side)),
        |threads| Library::new(board(side), threads),
    );
}
