//! Tracked components: references and queries that would mark rows of one block from two threads.

use std::thread;

use ecs_core::{Data, Mut, Run, World, world};
struct Position(f32);

world! {
    world W;
    component Position;
    system Move { write: [Position], run: go }
    system Jump { write: [Position], run: jump, dependencies: [Move] }
    system Slide { write: [Position], run: slide, dependencies: [Jump] }
    system Roll { sequential, write: [Position], queries: [Marks], run: |data| (roll(data), members(data)).0, dependencies: [Slide] }
    system Draw { read: [Position], changed: [Position], dependencies: [Roll], run: |_| {} }
    query Marks { read: [Position] }
}

fn go(data: &mut Data<'_, W, Move>) {
    let mut positions = data.own.query::<Mut<Position>>().into_iter();
    let (first, mut second) = (positions.next(), positions.next());
    thread::scope(|scope| {
        scope.spawn(move || first.unwrap().0 = 1.0);
        second.as_mut().unwrap().0 = 2.0;
    });
}

fn jump(data: &mut Data<'_, W, Jump>) {
    let mut positions = data.own.query::<Mut<Position>>().into_iter();
    let mut first = positions.next().unwrap();
    thread::scope(|scope| {
        scope.spawn(move || positions.next().unwrap().0 = 1.0);
        first.0 = 2.0;
    });
}

fn slide(data: &mut Data<'_, W, Slide>) {
    data.own.for_runs::<Mut<Position>>(kernel);
}

fn kernel(mut positions: Run<'_, Mut<'_, Position>, W>) {
    thread::scope(|scope| {
        scope.spawn(|| positions[0].0 = 1.0);
    });
}

fn roll(data: &mut Data<'_, W, Roll>) {
    let mut now = data.now();
    let mut positions = now.query::<Mut<Position>>();
    let mut first = positions.next().unwrap();
    thread::scope(|scope| {
        scope.spawn(move || drop(positions.next()));
        first.0 = 2.0;
    });
}

fn members(data: &mut Data<'_, W, Roll>) {
    let mut now = data.now();
    let mut members = now.members::<Marks, Mut<Position>>();
    let mut first = members.next().unwrap();
    thread::scope(|scope| {
        scope.spawn(move || drop(members.next()));
        first.0 = 2.0;
    });
}

fn main() {
    let mut world = World::<W>::new();
    let mut positions = world.iter_mut::<Option<Mut<Position>>>();
    let mut first = positions.next().flatten().unwrap();
    thread::scope(|scope| {
        scope.spawn(move || drop(positions.next()));
        first.0 = 2.0;
    });
}
