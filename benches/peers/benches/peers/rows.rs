//! The workloads, and the trait of contenders.

use crate::data::{Life, Position, Rotation, Transform, Velocity};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::hint::black_box;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// The work of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// `size` entities with four components are spawned, each by a call.
    InsertOneByOne,
    /// `size` entities with four components are spawned by one call, or into room for all of them.
    InsertBatch,
    /// Velocities are added to positions.
    SimpleIter,
    /// The common component of entities of 26 archetypes is doubled.
    FragmentedIter,
    /// Three systems swap (A, B), (C, D) and (C, E), on two threads.
    SystemScheduling,
    /// Matrices are inverted, on two threads.
    HeavyCompute,
    /// All entities get a component, and lose it again, each by a call.
    AddRemoveOneByOne,
    /// All entities get a component, and lose it again; one call or one system changes all of them, at least in one
    /// of the two directions.
    AddRemoveBatch,
    /// One entity in a hundred is despawned and replaced by another one; then all move. On this number of threads.
    Churn(usize),
    /// A component of each entity is read by its handle, in random order.
    Get,
    /// A component of each entity is changed by its handle, in random order.
    GetMut,
    /// `size` unordered systems without work.
    Independent,
    /// `size` systems without work, each after the one before.
    Chained,
}

impl Work {
    /// The number of threads of the contenders that share it among several.
    pub(crate) fn threads(self) -> usize {
        match self {
            Self::SystemScheduling | Self::HeavyCompute => THREADS,
            Self::Churn(threads) => threads,
            _ => 1,
        }
    }
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) work: Work,
    /// The number of entities, of entities per archetype, or of systems.
    pub(crate) size: usize,
}

impl Row {
    /// All rows; smaller ones in a test, which only shows that each runs.
    pub(crate) fn all(is_test: bool) -> Vec<Self> {
        let row = |name, work, size: usize, least| Self {
            name,
            work,
            size: if is_test { size.min(least) } else { size },
        };
        vec![
            row("simple_insert one by one", Work::InsertOneByOne, 10_000, 500),
            row("simple_insert batch", Work::InsertBatch, 10_000, 500),
            row("simple_iter 10k", Work::SimpleIter, 10_000, 500),
            row("simple_iter 1M", Work::SimpleIter, 1_000_000, 5_000),
            row("fragmented_iter", Work::FragmentedIter, 20, 20),
            row("system_scheduling", Work::SystemScheduling, 10_000, 500),
            row("heavy_compute", Work::HeavyCompute, 1_000, 200),
            row("add_remove one by one", Work::AddRemoveOneByOne, 10_000, 500),
            row("add_remove batch", Work::AddRemoveBatch, 10_000, 500),
            row("churn 1 thread", Work::Churn(1), 100_000, 2_000),
            row("churn 2 threads", Work::Churn(2), 100_000, 2_000),
            row("random_access get", Work::Get, 100_000, 500),
            row("random_access get_mut", Work::GetMut, 100_000, 500),
            row("empty_systems 10", Work::Independent, 10, 10),
            row("empty_systems 10 chained", Work::Chained, 10, 10),
            row("empty_systems 50", Work::Independent, 50, 50),
            row("empty_systems 50 chained", Work::Chained, 50, 50),
        ]
    }
}

/// A summary of a world that does not depend on the order of its entities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    pub(crate) count: usize,
    pub(crate) bits: u64,
}

impl Summary {
    /// Adds an entity with these values, bit by bit.
    pub(crate) fn add(&mut self, values: &[f32]) {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for value in values {
            hash = (hash ^ u64::from(value.to_bits())).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            hash ^= hash >> 29;
        }
        self.count += 1;
        self.bits = self.bits.wrapping_add(hash);
    }

    /// A summary of entities with one value each.
    pub(crate) fn of(values: impl IntoIterator<Item = f32>) -> Self {
        let mut summary = Self::default();
        values.into_iter().for_each(|value| summary.add(&[value]));
        summary
    }

    /// A summary of positions.
    pub(crate) fn of_positions<'a>(positions: impl IntoIterator<Item = &'a Position>) -> Self {
        let mut summary = Self::default();
        positions.into_iter().for_each(|position| summary.add(&position.0));
        summary
    }

    /// Adds an entity of the simple rows.
    pub(crate) fn add_bundle(
        &mut self,
        transform: &Transform,
        position: &Position,
        rotation: &Rotation,
        velocity: &Velocity,
    ) {
        let mut values = [0.0; 25];
        values[..16].copy_from_slice(&transform.0);
        values[16..19].copy_from_slice(&position.0);
        values[19..22].copy_from_slice(&rotation.0);
        values[22..].copy_from_slice(&velocity.0);
        self.add(&values);
    }

    /// Adds an entity of `churn`.
    pub(crate) fn add_living(&mut self, position: &Position, velocity: &Velocity, life: Life) {
        let ([x, y, z], [dx, dy, dz]) = (position.0, velocity.0);
        self.add(&[x, y, z, dx, dy, dz, life.0]);
    }

    /// A summary of all numbers after the component is inserted, and again after it is removed.
    pub(crate) fn twice<W>(
        world: &mut W,
        add: impl FnOnce(&mut W),
        mut all: impl FnMut(&mut W) -> Self,
        remove: impl FnOnce(&mut W),
    ) -> Self {
        add(world);
        let there = all(world);
        remove(world);
        let gone = all(world);
        assert_eq!(there.count, 2 * gone.count, "all get it, and all lose it");
        Self { count: there.count, bits: there.bits ^ gone.bits.rotate_left(32) }
    }
}

/// A world in which a row can be run any number of times.
pub(crate) trait Contender {
    /// Does the work `times` times, and returns the time that this took.
    fn run(&mut self, times: u32) -> Duration;

    /// The summary of the world.
    fn summary(&mut self) -> Summary;
}

/// One implementation of a row with a library.
pub(crate) struct Form {
    /// Distinguishes it from other forms of the library.
    pub(crate) name: &'static str,
    /// Whether it is what the library's own documentation shows first.
    pub(crate) is_idiomatic: bool,
    make: Box<dyn Fn() -> Box<dyn Contender>>,
}

impl Form {
    fn new<C: Contender + 'static>(
        name: &'static str,
        is_idiomatic: bool,
        make: impl Fn() -> C + 'static,
    ) -> Self {
        Self { name, is_idiomatic, make: Box::new(move || Box::new(make())) }
    }

    /// Its world, which is made now.
    pub(crate) fn contender(&self) -> Box<dyn Contender> {
        (self.make)()
    }
}

/// The form that the library's own documentation shows first.
pub(crate) fn idiomatic<C: Contender + 'static>(
    name: &'static str,
    make: impl Fn() -> C + 'static,
) -> Form {
    Form::new(name, true, make)
}

/// Another form, which may be faster.
pub(crate) fn other<C: Contender + 'static>(
    name: &'static str,
    make: impl Fn() -> C + 'static,
) -> Form {
    Form::new(name, false, make)
}

/// The work is repeated on one world.
pub(crate) struct Steady<W, R, S> {
    world: W,
    run: R,
    summary: S,
}

/// See [`Steady`].
pub(crate) fn steady<W, R, S>(world: W, run: R, summary: S) -> Steady<W, R, S>
where
    R: FnMut(&mut W),
    S: FnMut(&mut W) -> Summary,
{
    Steady { world, run, summary }
}

impl<W, R: FnMut(&mut W), S: FnMut(&mut W) -> Summary> Contender for Steady<W, R, S> {
    fn run(&mut self, times: u32) -> Duration {
        let start = Instant::now();
        for _ in 0..times {
            (self.run)(black_box(&mut self.world));
        }
        start.elapsed()
    }

    fn summary(&mut self) -> Summary {
        (self.summary)(&mut self.world)
    }
}

/// Each run has a new world; neither its creation nor its drop is timed. The world before is dropped first, so that its
/// memory is used again.
pub(crate) struct Fresh<W, M, R, S> {
    world: Option<W>,
    make: M,
    run: R,
    summary: S,
}

/// See [`Fresh`].
pub(crate) fn fresh<W, M, R, S>(make: M, run: R, summary: S) -> Fresh<W, M, R, S>
where
    M: FnMut() -> W,
    R: FnMut(&mut W),
    S: FnMut(&mut W) -> Summary,
{
    Fresh { world: None, make, run, summary }
}

impl<W, M, R, S> Contender for Fresh<W, M, R, S>
where
    M: FnMut() -> W,
    R: FnMut(&mut W),
    S: FnMut(&mut W) -> Summary,
{
    fn run(&mut self, times: u32) -> Duration {
        let mut total = Duration::ZERO;
        for _ in 0..times {
            self.world = None;
            let world = self.world.insert((self.make)());
            let start = Instant::now();
            (self.run)(black_box(world));
            total += start.elapsed();
        }
        total
    }

    fn summary(&mut self) -> Summary {
        (self.summary)(self.world.as_mut().expect("it ran"))
    }
}

/// The number of threads of every row that runs on several.
pub(crate) const THREADS: usize = 2;

/// The threads of a cell that uses rayon: the calling thread and another one.
pub(crate) fn pool() -> &'static Arc<ThreadPool> {
    static POOL: OnceLock<Arc<ThreadPool>> = OnceLock::new();
    POOL.get_or_init(|| {
        let pool = ThreadPoolBuilder::new().num_threads(THREADS).use_current_thread().build();
        Arc::new(pool.expect("threads can be started"))
    })
}

/// The least number of entities of one of rayon's jobs, where the work on each of many entities is small.
pub(crate) const LEAST_SHARE: usize = 8_192;
