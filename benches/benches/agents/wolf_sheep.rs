//! Wolves eat sheep, sheep eat grass, and grass grows again.
//!
//! In a step, all animals take a step at random on a torus of cells. In each cell with grown grass, the sheep with the least
//! name eats it. Of the wolves of a cell, by name, each eats one of the sheep there, by name. Animals without energy die, and
//! others have offspring by chance, which is there in the next step. Names follow from those of the parents, so nothing
//! depends on the order in which animals lie in memory.
//!
//! Densities at first and rates are those of the wolves and sheep of the ABM framework comparison (`JuliaDynamics`,
//! `WolfSheep/DECLARATION.md`): about 60 sheep and 40 wolves on 625 cells. With them both populations go on, which that comparison asks
//! for. (There, a wolf also eats in the cells around its own.)

use ecs_core::joins::{Index, Numbered, Placed};
use ecs_core::{Entity, Place, Threads, World, world};

use super::measure::{Course, Model, Report};
use super::random::mix;

/// Cells on a side: a power of two.
const SIDE: u32 = 1024;
const CELLS: usize = (SIDE * SIDE) as usize;
/// The steps after which eaten grass is grown again.
const REGROWS: u8 = 20;

/// What is different for wolves and for sheep.
struct Kind {
    /// What an animal gains by a meal.
    gain: i32,
    /// How many of 256 have offspring in a step.
    offspring: u64,
}

const SHEEP: Kind = Kind { gain: 5, offspring: 51 };
const WOLF: Kind = Kind { gain: 13, offspring: 26 };

/// The cell after a step in one of eight directions.
#[inline]
fn wander(at: u32, name: u64, step: u64) -> u32 {
    let random = mix(name, step);
    // Of the nine cells around, the one in the middle counts as the one at the right.
    let direction = (random >> 61) as u32;
    let direction = if direction < 4 { direction } else { direction + 1 };
    let (x, y) = (at % SIDE + SIDE + direction % 3 - 1, at / SIDE + SIDE + direction / 3 - 1);
    y % SIDE * SIDE + x % SIDE
}

/// The steps until the grass of a cell is grown, after a step in which sheep were there, or none.
#[inline]
fn grow(grass: u8, has_sheep: bool) -> u8 {
    match grass {
        0 if has_sheep => REGROWS,
        0 => 0,
        steps => steps - 1,
    }
}

/// What becomes of an animal at the end of a step.
enum Fate {
    Dies,
    Lives,
    /// It has offspring of this name, which gets half of its energy.
    Parent(u64),
}

#[inline]
fn fate(kind: &Kind, energy: i32, name: u64, step: u64) -> Fate {
    if energy < 0 {
        return Fate::Dies;
    }
    let random = mix(name ^ 0x5555, step);
    if random & 0xFF < kind.offspring { Fate::Parent(random) } else { Fate::Lives }
}

/// Whether the animal with this name is the first one in its cell.
#[inline]
fn is_first(name: u64, cell: impl Iterator<Item = u64>) -> bool {
    rank(name, cell) == 0
}

/// The number of animals in a cell whose names are below this one.
#[inline]
fn rank(name: u64, cell: impl Iterator<Item = u64>) -> usize {
    cell.filter(|&other| other < name).count()
}

/// Animals at first: name, cell and energy.
fn animals(count: u64, kind: &Kind) -> impl Iterator<Item = (u64, u32, i32)> {
    let seed = kind.gain as u64;
    (0..count).map(move |number| {
        let name = mix(number, seed);
        (name, (name >> 40) as u32 % CELLS as u32, (name % (2 * seed)) as i32)
    })
}

/// Grass at first: for each cell the steps until it is grown.
fn grass() -> impl Iterator<Item = u8> {
    (0..CELLS as u64).map(|cell| {
        let random = mix(cell, 77);
        if random.is_multiple_of(2) { 0 } else { (random >> 8) as u8 % REGROWS }
    })
}

/// Grass, wolves and sheep: the latter by name, cell and energy, in the order of names.
type State = (Vec<u8>, Vec<(u64, u32, i32)>, Vec<(u64, u32, i32)>);

#[derive(Clone, Copy)]
struct Animal {
    name: u64,
    at: u32,
    energy: i32,
}

/// Animals by cell: their names, and their numbers.
struct Cells {
    starts: Vec<u32>,
    sorted: Vec<(u64, u32)>,
}

impl Cells {
    fn new() -> Self {
        Self { starts: vec![0; CELLS + 2], sorted: Vec::new() }
    }

    fn sort(&mut self, animals: &[Animal]) {
        self.starts.fill(0);
        for animal in animals {
            self.starts[animal.at as usize + 2] += 1;
        }
        for cell in 2..self.starts.len() {
            self.starts[cell] += self.starts[cell - 1];
        }
        self.sorted.resize(animals.len(), (0, 0));
        for (number, animal) in (0..).zip(animals) {
            let end = &mut self.starts[animal.at as usize + 1];
            self.sorted[*end as usize] = (animal.name, number);
            *end += 1;
        }
    }

    #[inline]
    fn at(&self, cell: u32) -> &[(u64, u32)] {
        let cell = cell as usize;
        &self.sorted[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }
}

struct Plain {
    step: u64,
    grass: Vec<u8>,
    sheep: Vec<Animal>,
    wolves: Vec<Animal>,
    flock: Cells,
    pack: Cells,
    eaten: Vec<bool>,
    offspring: Vec<Animal>,
}

impl Plain {
    fn new(sheep: u64, wolves: u64) -> Self {
        let animal = |(name, at, energy)| Animal { name, at, energy };
        Self {
            step: 0,
            grass: grass().collect(),
            sheep: animals(sheep, &SHEEP).map(animal).collect(),
            wolves: animals(wolves, &WOLF).map(animal).collect(),
            flock: Cells::new(),
            pack: Cells::new(),
            eaten: Vec::new(),
            offspring: Vec::new(),
        }
    }

    /// Lets animals die, and adds offspring.
    fn apply_step(
        animals: &mut Vec<Animal>,
        offspring: &mut Vec<Animal>,
        kind: &Kind,
        step: u64,
        eaten: &[bool],
    ) {
        let mut number = 0;
        animals.retain_mut(|animal| {
            let is_eaten = eaten.get(number).is_some_and(|&eaten| eaten);
            number += 1;
            match fate(kind, animal.energy, animal.name, step) {
                Fate::Dies => return false,
                Fate::Lives => {}
                Fate::Parent(name) => {
                    animal.energy /= 2;
                    offspring.push(Animal { name, ..*animal });
                }
            }
            !is_eaten
        });
        animals.append(offspring);
    }
}

impl Model for Plain {
    type State = State;

    fn step(&mut self) -> usize {
        let Self { step, grass, sheep, wolves, flock, pack, eaten, offspring } = self;
        let agents = grass.len() + sheep.len() + wolves.len();
        for animal in sheep.iter_mut().chain(&mut *wolves) {
            animal.at = wander(animal.at, animal.name, *step);
            animal.energy -= 1;
        }
        flock.sort(sheep);
        pack.sort(wolves);
        for sheep in &mut *sheep {
            if grass[sheep.at as usize] == 0
                && is_first(sheep.name, flock.at(sheep.at).iter().map(|other| other.0))
            {
                sheep.energy += SHEEP.gain;
            }
        }
        // By `windows` of the starts this loop is slower.
        for (cell, grass) in (0..).zip(&mut *grass) {
            *grass = grow(*grass, !flock.at(cell).is_empty());
        }
        eaten.clear();
        eaten.resize(sheep.len(), false);
        for wolf in &mut *wolves {
            let sheep = flock.at(wolf.at);
            if sheep.is_empty() {
                continue;
            }
            let rank_of_wolf = rank(wolf.name, pack.at(wolf.at).iter().map(|other| other.0));
            let prey = sheep
                .iter()
                .find(|prey| rank(prey.0, sheep.iter().map(|other| other.0)) == rank_of_wolf);
            if let Some(prey) = prey {
                eaten[prey.1 as usize] = true;
                wolf.energy += WOLF.gain;
            }
        }
        Self::apply_step(sheep, offspring, &SHEEP, *step, eaten);
        Self::apply_step(wolves, offspring, &WOLF, *step, &[]);
        *step += 1;
        agents
    }

    fn state(&self) -> State {
        let sorted = |animals: &[Animal]| {
            let mut all: Vec<_> = animals.iter().map(|a| (a.name, a.at, a.energy)).collect();
            all.sort_unstable();
            all
        };
        (self.grass.clone(), sorted(&self.wolves), sorted(&self.sheep))
    }
}

/// The steps until the grass of a cell is grown.
#[derive(Clone, Copy)]
struct Grass(u8);
/// The number of a cell.
struct Cell(u32);
struct Name(u64);
/// The number of the cell where an animal is.
struct At(u32);
struct Energy(i32);
struct Sheep;
struct Wolf;
struct Step(u64);

world! {
    world Meadow;
    component Grass, Cell, Name, At, Energy;
    component Sheep, Wolf: empty;
    bundle Lamb { Name, At, Energy, Sheep }
    bundle Cub { Name, At, Energy, Wolf }
    resource Step = Step(0);
    query Pasture { read: [Grass] }
    query Flock { read: [Name, At], with: [Sheep], index: ByCell, parallelism: split_evenly(cores) }
    query Pack { read: [Name, At], with: [Wolf], index: OfWolves, parallelism: split_evenly(cores) }
    system Wander {
        parallelism: split_evenly(cores),
        each: |name: &Name, at: &mut At, energy: &mut Energy, step: &Step| {
            at.0 = wander(at.0, name.0, step.0);
            energy.0 -= 1;
        },
    }
    system Graze {
        dependencies: [Wander],
        parallelism: split_evenly(cores),
        read: [Name, At],
        write: [Energy],
        with: [Sheep],
        without: [Wolf],
        queries: [Flock, Pasture],
        run: |data| {
            let grass = data.effects.slices::<Pasture, &Grass>().expect("no grass is despawned");
            let flock = data.effects.sorted::<Flock>();
            data.own.for_entities(|sheep| {
                let (name, at) = (sheep.name.0, sheep.at.0 as usize);
                if grass[at].0 == 0 && is_first(name, names(flock.run(at..at + 1))) {
                    sheep.energy.0 += SHEEP.gain;
                }
            });
        },
    }
    system Hunt {
        dependencies: [Wander],
        parallelism: split_evenly(cores),
        read: [Name, At],
        write: [Energy],
        with: [Wolf],
        without: [Sheep],
        queries: [Flock, Pack],
        despawn,
        run: |data| {
            let (own, effects) = (&mut data.own, &mut data.effects);
            let (flock, pack) = (effects.sorted::<Flock>(), effects.sorted::<Pack>());
            own.for_entities(|wolf| {
                let at = wolf.at.0 as usize;
                let sheep = flock.run(at..at + 1);
                if sheep.is_empty() {
                    return;
                }
                let rank_of_wolf = rank(wolf.name.0, names(pack.run(at..at + 1)));
                let prey = sheep.iter().find(|prey| rank(prey.value, names(sheep)) == rank_of_wolf);
                if let Some(prey) = prey {
                    effects.despawn(prey.place);
                    wolf.energy.0 += WOLF.gain;
                }
            });
        },
    }
    system Breed {
        dependencies: [Graze],
        parallelism: split_evenly(cores),
        read: [Name, At],
        write: [Energy],
        with: [Sheep],
        without: [Wolf],
        read_resources: [Step],
        despawn,
        spawn: [Lamb],
        run: |data| {
            let step = data.resources.get::<Step>().0;
            let sheep = data.own.query::<(Place, &Name, &At, &mut Energy)>();
            sheep.for_each(|(sheep, name, at, energy)| match fate(&SHEEP, energy.0, name.0, step) {
                Fate::Dies => data.effects.despawn(sheep),
                Fate::Lives => {}
                Fate::Parent(name) => {
                    energy.0 /= 2;
                    data.effects.spawn((Name(name), At(at.0), Energy(energy.0), Sheep));
                }
            });
        },
    }
    system Whelp {
        dependencies: [Hunt],
        parallelism: split_evenly(cores),
        read: [Name, At],
        write: [Energy],
        with: [Wolf],
        without: [Sheep],
        read_resources: [Step],
        despawn,
        spawn: [Cub],
        run: |data| {
            let step = data.resources.get::<Step>().0;
            let wolf = data.own.query::<(Place, &Name, &At, &mut Energy)>();
            wolf.for_each(|(wolf, name, at, energy)| match fate(&WOLF, energy.0, name.0, step) {
                Fate::Dies => data.effects.despawn(wolf),
                Fate::Lives => {}
                Fate::Parent(name) => {
                    energy.0 /= 2;
                    data.effects.spawn((Name(name), At(at.0), Energy(energy.0), Wolf));
                }
            });
        },
    }
    system Grow {
        dependencies: [Graze],
        parallelism: split_evenly(cores),
        read: [Cell],
        write: [Grass],
        queries: [Flock],
        run: |data| {
            let flock = data.effects.sorted::<Flock>();
            // No cell is despawned, so those of a run have consecutive numbers.
            data.own.for_runs::<(&Cell, &mut Grass)>(|(cells, grass)| {
                let first = cells[0].0 as usize;
                let sheep = flock.counts(first..first + cells.len());
                for (Grass(grass), sheep) in grass.iter_mut().zip(sheep) {
                    *grass = grow(*grass, sheep > 0);
                }
            });
        },
    }
    system Count { dependencies: [Breed, Whelp], run: |step: &mut Step| step.0 += 1 }
}

/// The names of animals in a cell.
fn names(cell: &[Placed<u64>]) -> impl Iterator<Item = u64> {
    cell.iter().map(|animal| animal.value)
}

#[derive(Default)]
struct ByCell;

impl Index for ByCell {
    type Entry<'a> = FlockEntry<'a>;
    type Key = Numbered<u64, CELLS>;

    #[inline]
    fn key(&self, sheep: FlockEntry<'_>) -> Self::Key {
        Numbered::new(sheep.at.0 as usize, sheep.name.0)
    }
}

#[derive(Default)]
struct OfWolves;

impl Index for OfWolves {
    type Entry<'a> = PackEntry<'a>;
    type Key = Numbered<u64, CELLS>;

    #[inline]
    fn key(&self, wolf: PackEntry<'_>) -> Self::Key {
        Numbered::new(wolf.at.0 as usize, wolf.name.0)
    }
}

struct Library(World<Meadow>);

impl Library {
    fn new(sheep: u64, wolves: u64, threads: Threads) -> Self {
        let mut world = World::<Meadow>::on(threads);
        world.spawn_batch((0..).zip(grass()).map(|(cell, grass)| (Cell(cell), Grass(grass))));
        let animal = |(name, at, energy)| (Name(name), At(at), Energy(energy));
        world.spawn_batch(animals(sheep, &SHEEP).map(animal).map(|(a, b, c)| (a, b, c, Sheep)));
        world.spawn_batch(animals(wolves, &WOLF).map(animal).map(|(a, b, c)| (a, b, c, Wolf)));
        Self(world)
    }

    /// Animals in the order of names.
    fn sorted(&self, is_wolf: bool) -> Vec<(u64, u32, i32)> {
        let all = self.0.iter::<(Entity, &Name, &At, &Energy)>();
        let of_kind = all.filter(|&(animal, ..)| self.0.contains::<Wolf>(animal) == is_wolf);
        let mut all: Vec<_> =
            of_kind.map(|(_, name, at, energy)| (name.0, at.0, energy.0)).collect();
        all.sort_unstable();
        all
    }
}

impl Model for Library {
    type State = State;

    fn step(&mut self) -> usize {
        let agents = self.0.entity_count();
        self.0.tick().expect("there is room for all");
        agents
    }

    fn state(&self) -> State {
        let grass = self.0.iter::<&Grass>().map(|grass| grass.0).collect();
        (grass, self.sorted(true), self.sorted(false))
    }
}

pub(crate) fn measure(report: &Report) {
    let (sheep, wolves) = report.size((100_000, 68_000), (20_000, 14_000));
    report.compare(
        "wolf-sheep-grass",
        Course { first: 80, steps: 20, rounds: 12 },
        || Plain::new(sheep, wolves),
        |threads| Library::new(sheep, wolves, threads),
    );
}
