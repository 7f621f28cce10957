//! Runs of a case in the engine.

use std::sync::{Arc, OnceLock};

use ecs_core::settings::Settings;
use ecs_core::{Declaration, HasComponent, HasResource};
use ecs_core::{Entity, Threads, World};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::case::Case;
use crate::components::{F, Key, Row, X, Y, Z};
use crate::script::Script;

/// The sizes of the pools.
pub(crate) const POOL_SIZES: [usize; 3] = [1, 2, 4];

/// Pools of [`POOL_SIZES`] threads, started once, as eager or as ordinary ones.
pub(crate) fn pools(eager: bool) -> [Threads; 3] {
    static POOLS: OnceLock<[Arc<ThreadPool>; 3]> = OnceLock::new();
    let pools = POOLS.get_or_init(|| {
        POOL_SIZES.map(|threads| {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build();
            Arc::new(pool.expect("threads to make a pool of"))
        })
    });
    pools.each_ref().map(Arc::clone).map(if eager { Threads::Eager } else { Threads::Pool })
}

/// All entities, in the order of rows.
pub(crate) type Rows = Vec<(Entity, Row)>;

/// The rows at the beginning and after each step.
pub(crate) type Trace = Vec<Rows>;

/// Runs a case for the given number of steps; for fewer, if there are too many entities to continue.
pub(crate) fn trace<D, S: Settings>(case: &Case, threads: Threads, steps: usize) -> Trace
where
    D: Declaration
        + HasComponent<Key>
        + HasComponent<X>
        + HasComponent<Y>
        + HasComponent<Z>
        + HasComponent<F>
        + HasResource<Script>,
{
    let mut world = World::<D, S>::on(threads);
    let populated = world.step(|step| {
        for row in &case.rows {
            let entity = step.spawn((Key(row.key),)).expect("room");
            row.x.map(|x| step.insert(entity, X(x)).expect("alive"));
            row.y.map(|y| step.insert(entity, Y(y)).expect("alive"));
            row.z.map(|z| step.insert(entity, Z(z)).expect("alive"));
            row.f.then(|| step.insert(entity, F).expect("alive"));
        }
    });
    populated.expect("room");
    *world.resource_mut::<Script>() =
        Script::new(case.systems.iter().map(|(system, spec)| (*system, &spec.effects)));
    let mut trace = vec![rows(&world)];
    let mut all: Vec<Entity> = trace[0].iter().map(|(entity, _)| *entity).collect();
    for _ in 0..steps {
        let alive = trace.last().into_iter().flatten().map(|(entity, _)| *entity);
        let despawned = all.iter().copied().filter(|entity| !world.is_alive(*entity));
        let handles = alive.chain(despawned).collect();
        world.resource_mut::<Script>().handles = handles;
        world.tick().expect("room");
        let rows = rows(&world);
        all.extend(rows.iter().map(|(entity, _)| *entity));
        all.sort_unstable();
        all.dedup();
        trace.push(rows);
    }
    trace
}

fn rows<D, S: Settings>(world: &World<D, S>) -> Rows
where
    D: Declaration
        + HasComponent<Key>
        + HasComponent<X>
        + HasComponent<Y>
        + HasComponent<Z>
        + HasComponent<F>,
{
    let mut rows = Vec::with_capacity(world.entity_count());
    world.for_each::<Entity>(|entity| {
        let row = Row {
            key: world.get::<Key>(entity).expect("all have one").0,
            x: world.get::<X>(entity).map(|x| x.0),
            y: world.get::<Y>(entity).map(|y| y.0),
            z: world.get::<Z>(entity).map(|z| z.0),
            f: world.get::<F>(entity).is_some(),
        };
        rows.push((entity, row));
    });
    rows
}
