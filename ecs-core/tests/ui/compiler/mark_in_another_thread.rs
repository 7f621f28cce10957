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
    system Draw { read: [Position], changed: [Position], dependencies: [Slide], run: |_| {} }
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

fn main() {
    let mut world = World::<W>::new();
    let mut positions = world.iter_mut::<Option<Mut<Position>>>();
    let mut first = positions.next().flatten().unwrap();
    thread::scope(|scope| {
        scope.spawn(move || drop(positions.next()));
        first.0 = 2.0;
    });
}
