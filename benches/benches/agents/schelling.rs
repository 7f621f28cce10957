//! Schelling's segregation: agents of two groups on a torus, who move to a vacant cell if too few of their neighbours are
//! of their group.
//!
//! First all agents count their neighbours, side by side. Then the unhappy ones move, one after the other.

use ecs_core::{Place, Threads, World, world};

use super::measure::{Course, Model, Report};
use super::random::{below, mix};

/// An agent is happy if this part of its neighbours, as a fraction, is of its group.
const LIKE: (u8, u8) = (5, 8);

/// A cell of a torus: where an agent lives, or one that is vacant.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Cell {
    x: u16,
    y: u16,
}

/// Who lives where.
#[derive(Clone)]
struct Board {
    /// Cells on a side of the torus: at least 3, so that the cells around one are different ones. (The default is a placeholder.)
    side: u16,
    /// For each cell 0, or the group of the agent there, 1 or 2.
    groups: Vec<u8>,
    vacant: Vec<Cell>,
    step: u64,
}

impl Board {
    #[inline]
    fn index(&self, x: u16, y: u16) -> usize {
        usize::from(y) * usize::from(self.side) + usize::from(x)
    }

    /// A coordinate between its two neighbours on the torus.
    #[inline]
    fn around(&self, at: u16) -> [u16; 3] {
        let last = self.side - 1;
        [if at == 0 { last } else { at - 1 }, at, if at == last { 0 } else { at + 1 }]
    }

    /// Whether the agent in the cell would rather be elsewhere.
    #[inline]
    fn is_unhappy(&self, home: Cell) -> bool {
        let own = self.groups[self.index(home.x, home.y)];
        let (mut like, mut all) = (0, 0);
        for y in self.around(home.y) {
            for x in self.around(home.x) {
                let group = self.groups[self.index(x, y)];
                like += u8::from(group == own);
                all += u8::from(group != 0);
            }
        }
        // Without the agent itself, which counts in both.
        (like - 1) * LIKE.1 < (all - 1) * LIKE.0
    }

    /// Moves the agent, the `number`-th of a step, from its home to a vacant cell.
    #[inline]
    fn relocate(&mut self, number: u64, home: &mut Cell) {
        let chosen = below(self.vacant.len(), mix(self.step, number));
        core::mem::swap(home, &mut self.vacant[chosen]);
        let [to, from] = [*home, self.vacant[chosen]].map(|cell| self.index(cell.x, cell.y));
        self.groups[to] = core::mem::take(&mut self.groups[from]);
    }
}

/// A board with this number of cells on a side, and the homes of the agents, which live in five of six cells.
fn board(side: u16) -> (Board, Vec<Cell>) {
    let (mut groups, mut vacant, mut homes) = (Vec::new(), Vec::new(), Vec::new());
    for home in (0..side).flat_map(|y| (0..side).map(move |x| Cell { x, y })) {
        let random = mix(groups.len() as u64, 3) % 12;
        let group = if random < 2 { 0 } else { 1 + (random % 2) as u8 };
        groups.push(group);
        if group == 0 { vacant.push(home) } else { homes.push(home) }
    }
    (Board { side, groups, vacant, step: 0 }, homes)
}

struct Plain {
    board: Board,
    homes: Vec<Cell>,
    unhappy: Vec<u32>,
}

impl Plain {
    fn new((board, homes): (Board, Vec<Cell>)) -> Self {
        Self { board, homes, unhappy: Vec::new() }
    }
}

impl Model for Plain {
    type State = (Vec<Cell>, Vec<u8>);

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

impl Default for Board {
    fn default() -> Self {
        board(1).0
    }
}

world! {
    world Town;
    component Cell;
    resource Board;
    system Judge {
        parallelism: split_evenly(cores),
        output: Vec<Place>,
        read: [Cell],
        read_resources: [Board],
        run: |data| {
            let (board, unhappy) = (data.resources.get::<Board>(), data.effects.output());
            for (agent, home) in data.own.query::<(Place, &Cell)>() {
                if board.is_unhappy(*home) {
                    unhappy.push(agent);
                }
            }
        },
    }
    system Move {
        exclusive,
        inputs: [Judge],
        write: [Cell],
        write_resources: [Board],
        run: |data| {
            let board = data.resources.get_mut::<Board>();
            let mut homes = data.own.any_mut::<&mut Cell>();
            let unhappy = data.effects.outputs_of::<Judge>();
            for (number, &agent) in (0..).zip(unhappy.flatten()) {
                if let Some(home) = homes.get_mut(agent) {
                    board.relocate(number, home);
                }
            }
            board.step += 1;
        },
    }
}

struct Library(World<Town>);

impl Library {
    fn new((board, homes): (Board, Vec<Cell>), threads: Threads) -> Self {
        let mut world = World::<Town>::on(threads);
        *world.resource_mut::<Board>() = board;
        world.spawn_batch(homes.into_iter().map(|home| (home,)));
        Self(world)
    }
}

impl Model for Library {
    type State = (Vec<Cell>, Vec<u8>);

    fn step(&mut self) -> usize {
        self.0.tick().expect("nothing is staged");
        self.0.entity_count()
    }

    fn state(&self) -> Self::State {
        let homes = self.0.iter::<&Cell>().copied().collect();
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
