//! The measurement: a model in plain vectors, and through the library on one thread and on two, in turns.

use std::fmt::Debug;
use std::time::{Duration, Instant};

use ecs_core::Threads;
use rayon::ThreadPoolBuilder;

/// A model in one of its forms.
pub(crate) trait Model {
    /// What both forms end with.
    type State: PartialEq + Debug;

    /// Takes a step. Returns the number of agents in it.
    fn step(&mut self) -> usize;

    /// The state of all agents, in an order that does not depend on the form.
    fn state(&self) -> Self::State;
}

/// How long a model is run, and how often. Each round takes the same steps, and of each step the fastest time counts: on a
/// machine that others use, too, a step is more often undisturbed than a round. Further rounds follow while they find
/// faster times.
#[derive(Clone, Copy)]
pub(crate) struct Course {
    /// Steps before those that are timed: memory is there, agents are no longer as at first, and the library knows what its
    /// systems cost, which it measures in the third step.
    pub(crate) first: usize,
    /// Steps that are timed.
    pub(crate) steps: usize,
    /// The least number of rounds, 1 or more.
    pub(crate) rounds: usize,
}

/// The most rounds, times the least number.
const MOST_ROUNDS: usize = 8;

/// Rounds end once as many as half of the least number have lowered each sum of the fastest times to no less than this part.
const CONVERGED: f64 = 0.995;

/// What is measured, and where it is printed.
pub(crate) struct Report {
    /// Whether each model only shows that it runs.
    is_test: bool,
    /// The beginnings of names of models. Without any, all are measured.
    names: Vec<String>,
}

impl Report {
    /// Prints the head of the table.
    pub(crate) fn new() -> Self {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        // Worlds run on this pool, and the calling thread, unless they are told otherwise.
        let global = ThreadPoolBuilder::new().num_threads(2).build_global();
        global.expect("nothing has used the pool before");
        println!("ns per agent and step; of each step, the fastest of several rounds\n");
        println!(
            "| model | agents | plain | library | library, two threads | library / plain | two threads gain |"
        );
        println!("| :--- | ---: | ---: | ---: | ---: | ---: | ---: |");
        Self {
            is_test: arguments.iter().any(|argument| argument == "--test"),
            names: arguments.into_iter().filter(|argument| !argument.starts_with('-')).collect(),
        }
    }

    pub(crate) fn is_test(&self) -> bool {
        self.is_test
    }

    /// `full`, or `test` in a test.
    pub(crate) fn size<T>(&self, full: T, test: T) -> T {
        if self.is_test { test } else { full }
    }

    /// Measures a model of a size, and prints a line. Each round makes it anew.
    ///
    /// # Panics
    /// If the forms end with different states.
    pub(crate) fn compare<P: Model, L: Model<State = P::State>>(
        &self,
        name: &str,
        course: Course,
        plain: impl Fn() -> P,
        library: impl Fn(Threads) -> L,
    ) {
        if !self.names.is_empty() && !self.names.iter().any(|word| name.starts_with(word.as_str()))
        {
            return;
        }
        let course = self.size(course, Course { first: 1, steps: 2, rounds: 1 });
        let (expected, agents) = finish(plain(), course);
        for threads in [Threads::Inline, Threads::Global] {
            let (state, _) = finish(library(threads), course);
            assert!(state == expected, "{name}: the library ends with another state");
        }
        let mut best = [const { Vec::new() }; 3];
        let mut sums: Vec<[f64; 3]> = Vec::new();
        while !has_converged(&sums, course.rounds) {
            time(plain(), course, &mut best[0]);
            time(library(Threads::Inline), course, &mut best[1]);
            time(library(Threads::Global), course, &mut best[2]);
            sums.push(best.each_ref().map(|best| best.iter().sum::<Duration>().as_nanos() as f64));
        }
        let last = sums.last().expect("there was a round");
        let [plain, one, two] = last.map(|sum| sum / agents as f64);
        println!(
            "| {name} | {} | {plain:.2} | {one:.2} | {two:.2} | {:.2} | {:.2} |",
            agents / course.steps,
            one / plain,
            one / two
        );
    }
}

/// Whether rounds with these sums of the fastest times, where `least` is the least number of rounds, are enough.
fn has_converged(sums: &[[f64; 3]], least: usize) -> bool {
    if sums.len() < least {
        return false;
    }
    let [last, before] = [1, 1 + least / 2].map(|back| sums[sums.len() - back]);
    let is_stable = last.iter().zip(before).all(|(last, before)| *last >= CONVERGED * before);
    is_stable || sums.len() >= least * MOST_ROUNDS
}

/// The state after all steps, and the number of agents in those that are timed.
fn finish<M: Model>(mut model: M, course: Course) -> (M::State, usize) {
    for _ in 0..course.first {
        model.step();
    }
    let agents = (0..course.steps).map(|_| model.step()).sum();
    (model.state(), agents)
}

/// Times each of the steps that are timed, and lowers the best time of that step.
fn time<M: Model>(mut model: M, course: Course, best: &mut Vec<Duration>) {
    for _ in 0..course.first {
        model.step();
    }
    best.resize(course.steps, Duration::MAX);
    for best in best {
        let start = Instant::now();
        model.step();
        *best = start.elapsed().min(*best);
    }
}
