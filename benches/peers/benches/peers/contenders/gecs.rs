//! `gecs`: archetypes that are declared beforehand; queries that are expanded for each of them. Entities never change
//! their archetype, so there is no `add_remove`. There are no systems or threads either: the three systems run one
//! after the other, and rayon runs over the slices of an archetype.

use crate::data::{Position, advance, age, bundle, lives, position, shuffled, turn, velocity};
use crate::rows::{
    Contender, Form, LEAST_SHARE, Row, Summary, Work, fresh, idiomatic, other, pool, steady,
};
use gecs::prelude::*;
use rayon::prelude::*;
use std::mem::swap;

pub(crate) fn forms(row: Row) -> Vec<Form> {
    let n = row.size;
    match row.work {
        Work::InsertOneByOne => vec![idiomatic("create", move || insert(n, 0))],
        Work::InsertBatch => vec![idiomatic("with_capacity, create", move || insert(n, n))],
        Work::SimpleIter => {
            vec![idiomatic("ecs_iter", move || iter(n)), other("slices", move || iter_slices(n))]
        }
        Work::FragmentedIter => vec![idiomatic("ecs_iter", move || fragmented(n))],
        Work::SystemScheduling => vec![idiomatic("no scheduler", move || scheduling(n))],
        Work::HeavyCompute => vec![idiomatic("slices, rayon", move || heavy(n))],
        Work::Churn(1) => vec![
            idiomatic("destroy, create", move || churn(n, move_all)),
            other("destroy, create, slices", move || churn(n, move_slices)),
        ],
        Work::Churn(_) => vec![idiomatic("slices, rayon", move || churn(n, move_on_two))],
        Work::Get => {
            vec![idiomatic("ecs_find", move || get(n)), other("view", move || get_view(n))]
        }
        Work::GetMut => {
            vec![idiomatic("ecs_find", move || get_mut(n)), other("view", move || get_mut_view(n))]
        }
        Work::AddRemoveOneByOne | Work::AddRemoveBatch | Work::Independent | Work::Chained => {
            Vec::new()
        }
    }
}

mod simple {
    use crate::data::{Position, Rotation, Transform, Velocity};
    use gecs::prelude::*;

    ecs_world! {
        ecs_name!(Simple);
        ecs_archetype!(Mover, dyn, Transform, Position, Rotation, Velocity);
    }
}

use simple::{Mover, Simple};

fn filled(entities: usize) -> Simple {
    let mut world = Simple::with_capacity(entities);
    for i in 0..entities {
        world.create::<Mover>(bundle(i));
    }
    world
}

fn summary(world: &mut Simple) -> Summary {
    use crate::data::{Rotation, Transform, Velocity};
    let mut summary = Summary::default();
    simple::ecs_iter!(world, |t: &Transform, p: &Position, r: &Rotation, v: &Velocity| {
        summary.add_bundle(t, p, r, v);
    });
    summary
}

/// With room for all entities it reserves all memory at once, as batches do in other libraries.
fn insert(entities: usize, capacity: usize) -> impl Contender {
    let run = move |world: &mut Simple| {
        *world = Simple::with_capacity(capacity);
        for i in 0..entities {
            world.create::<Mover>(bundle(i));
        }
    };
    fresh(|| Simple::with_capacity(0), run, summary)
}

fn iter(entities: usize) -> impl Contender {
    let run = |world: &mut Simple| {
        use crate::data::Velocity;
        simple::ecs_iter!(world, |position: &mut Position, velocity: &Velocity| {
            advance(position, velocity);
        });
    };
    steady(filled(entities), run, summary)
}

fn iter_slices(entities: usize) -> impl Contender {
    let run = |world: &mut Simple| {
        let slices = world.archetype_mut::<Mover>().get_all_slices_mut();
        for (position, velocity) in slices.position.iter_mut().zip(slices.velocity) {
            advance(position, velocity);
        }
    };
    steady(filled(entities), run, summary)
}

fn heavy(entities: usize) -> impl Contender {
    let run = |world: &mut Simple| {
        let slices = world.archetype_mut::<Mover>().get_all_slices_mut();
        pool().install(|| {
            slices
                .transform
                .par_iter_mut()
                .zip(slices.position)
                .for_each(|(transform, position)| turn(transform, position));
        });
    };
    steady(filled(entities), run, summary)
}

#[expect(clippy::too_many_arguments, reason = "room for each of the archetypes is an argument")]
mod fragments {
    use crate::data::Data;
    // The generated code has a parameter called `K`.
    use crate::data::letters::K as LetterK;
    use crate::data::letters::{A, B, C, D, E, F, G, H, I, J, L, M};
    use crate::data::letters::{N, O, P, Q, R, S, T, U, V, W, X, Y, Z};
    use gecs::prelude::*;

    ecs_world! {
        ecs_name!(Fragments);
        ecs_archetype!(OfA, dyn, A, Data);
        ecs_archetype!(OfB, dyn, B, Data);
        ecs_archetype!(OfC, dyn, C, Data);
        ecs_archetype!(OfD, dyn, D, Data);
        ecs_archetype!(OfE, dyn, E, Data);
        ecs_archetype!(OfF, dyn, F, Data);
        ecs_archetype!(OfG, dyn, G, Data);
        ecs_archetype!(OfH, dyn, H, Data);
        ecs_archetype!(OfI, dyn, I, Data);
        ecs_archetype!(OfJ, dyn, J, Data);
        ecs_archetype!(OfK, dyn, LetterK, Data);
        ecs_archetype!(OfL, dyn, L, Data);
        ecs_archetype!(OfM, dyn, M, Data);
        ecs_archetype!(OfN, dyn, N, Data);
        ecs_archetype!(OfO, dyn, O, Data);
        ecs_archetype!(OfP, dyn, P, Data);
        ecs_archetype!(OfQ, dyn, Q, Data);
        ecs_archetype!(OfR, dyn, R, Data);
        ecs_archetype!(OfS, dyn, S, Data);
        ecs_archetype!(OfT, dyn, T, Data);
        ecs_archetype!(OfU, dyn, U, Data);
        ecs_archetype!(OfV, dyn, V, Data);
        ecs_archetype!(OfW, dyn, W, Data);
        ecs_archetype!(OfX, dyn, X, Data);
        ecs_archetype!(OfY, dyn, Y, Data);
        ecs_archetype!(OfZ, dyn, Z, Data);
    }
}

fn fragmented(each: usize) -> impl Contender {
    use crate::data::{Data, letters};
    use fragments::{
        Fragments, OfA, OfB, OfC, OfD, OfE, OfF, OfG, OfH, OfI, OfJ, OfK, OfL, OfM, OfN, OfO, OfP,
        OfQ, OfR, OfS, OfT, OfU, OfV, OfW, OfX, OfY, OfZ,
    };
    let mut world = Fragments::default();
    macro_rules! spawn {
        ($($archetype:ident $letter:ident)*) => {$(
            for i in 0..each {
                world.create::<$archetype>((letters::$letter(0.0), Data(i as f32)));
            }
        )*};
    }
    spawn! { OfA A OfB B OfC C OfD D OfE E OfF F OfG G OfH H OfI I OfJ J OfK K OfL L OfM M }
    spawn! { OfN N OfO O OfP P OfQ Q OfR R OfS S OfT T OfU U OfV V OfW W OfX X OfY Y OfZ Z }
    let run = |world: &mut Fragments| {
        fragments::ecs_iter!(world, |data: &mut Data| data.0 *= 2.0);
    };
    let summary = |world: &mut Fragments| {
        let mut values = Vec::new();
        fragments::ecs_iter!(world, |data: &Data| values.push(data.0));
        Summary::of(values)
    };
    steady(world, run, summary)
}

mod swaps {
    use crate::data::letters::{A, B, C, D, E};
    use gecs::prelude::*;

    ecs_world! {
        ecs_name!(Swaps);
        ecs_archetype!(Ab, dyn, A, B);
        ecs_archetype!(Abc, dyn, A, B, C);
        ecs_archetype!(Abcd, dyn, A, B, C, D);
        ecs_archetype!(Abce, dyn, A, B, C, E);
    }
}

fn scheduling(each: usize) -> impl Contender {
    use crate::data::letters::{A, B, C, D, E};
    use swaps::{Ab, Abc, Abcd, Abce, Swaps};
    let mut world = Swaps::with_capacity(each, each, each, each);
    for _ in 0..each {
        world.create::<Ab>((A(0.0), B(1.0)));
        world.create::<Abc>((A(0.0), B(1.0), C(2.0)));
        world.create::<Abcd>((A(0.0), B(1.0), C(2.0), D(3.0)));
        world.create::<Abce>((A(0.0), B(1.0), C(2.0), E(4.0)));
    }
    let run = |world: &mut Swaps| {
        swaps::ecs_iter!(world, |a: &mut A, b: &mut B| swap(&mut a.0, &mut b.0));
        swaps::ecs_iter!(world, |c: &mut C, d: &mut D| swap(&mut c.0, &mut d.0));
        swaps::ecs_iter!(world, |c: &mut C, e: &mut E| swap(&mut c.0, &mut e.0));
    };
    let summary = |world: &mut Swaps| {
        let mut values = Vec::new();
        swaps::ecs_iter!(world, |a: &A| values.push(a.0));
        swaps::ecs_iter!(world, |b: &B| values.push(b.0));
        swaps::ecs_iter!(world, |c: &C| values.push(c.0));
        swaps::ecs_iter!(world, |d: &D| values.push(d.0));
        swaps::ecs_iter!(world, |e: &E| values.push(e.0));
        Summary::of(values)
    };
    steady(world, run, summary)
}

mod living {
    use crate::data::{Life, Position, Velocity};
    use gecs::prelude::*;

    ecs_world! {
        ecs_name!(Living);
        ecs_archetype!(Mortal, dyn, Position, Velocity, Life);
    }
}

use living::{Living, Mortal};

/// A world, the entities to despawn, and the entities that replace them.
type Churned =
    (Living, Vec<Entity<Mortal>>, Vec<(Position, crate::data::Velocity, crate::data::Life)>);

fn move_all(world: &mut Living) {
    use crate::data::Velocity;
    living::ecs_iter!(world, |position: &mut Position, velocity: &Velocity| {
        advance(position, velocity);
    });
}

fn move_slices(world: &mut Living) {
    let slices = world.archetype_mut::<Mortal>().get_all_slices_mut();
    for (position, velocity) in slices.position.iter_mut().zip(slices.velocity) {
        advance(position, velocity);
    }
}

fn move_on_two(world: &mut Living) {
    let slices = world.archetype_mut::<Mortal>().get_all_slices_mut();
    pool().install(|| {
        slices
            .position
            .par_iter_mut()
            .zip(slices.velocity)
            .with_min_len(LEAST_SHARE)
            .for_each(|(position, velocity)| advance(position, velocity));
    });
}

fn churn(entities: usize, move_all: fn(&mut Living)) -> impl Contender {
    let mut world = Living::with_capacity(entities);
    for (i, life) in lives(entities).into_iter().enumerate() {
        world.create::<Mortal>((position(i), velocity(i), life));
    }
    let run = move |(world, despawns, spawns): &mut Churned| {
        use crate::data::{Life, Velocity};
        living::ecs_iter!(world, |entity: &Entity<Mortal>,
                                  life: &mut Life,
                                  velocity: &Velocity| {
            if let Some(spawned) = age(life, velocity) {
                despawns.push(*entity);
                spawns.push(spawned);
            }
        });
        for entity in despawns.drain(..) {
            world.destroy(entity).expect("it lives");
        }
        for spawned in spawns.drain(..) {
            world.create::<Mortal>(spawned);
        }
        move_all(world);
    };
    let summary = |(world, ..): &mut Churned| {
        use crate::data::{Life, Velocity};
        let mut summary = Summary::default();
        living::ecs_iter!(world, |position: &Position, velocity: &Velocity, life: &Life| {
            summary.add_living(position, velocity, *life);
        });
        summary
    };
    steady((world, Vec::new(), Vec::new()), run, summary)
}

mod known {
    use crate::data::{Position, Velocity};
    use gecs::prelude::*;

    ecs_world! {
        ecs_name!(Known);
        ecs_archetype!(Place, dyn, Position, Velocity);
    }
}

use known::{__SelectInternalKnown, Known, Place};

/// A world, its entities in random order, and the sum of the values that were read.
type Random = (Known, Vec<Entity<Place>>, f32);

fn random(entities: usize) -> Random {
    let mut world = Known::with_capacity(entities);
    let spawned: Vec<Entity<Place>> =
        (0..entities).map(|i| world.create::<Place>((position(i), velocity(i)))).collect();
    (world, shuffled(entities).into_iter().map(|i| spawned[i]).collect(), 0.0)
}

fn get(entities: usize) -> impl Contender {
    let run = |(world, entities, sum): &mut Random| {
        *sum = 0.0;
        for &entity in &*entities {
            let x = known::ecs_find!(world, entity, |position: &Position| -> f32 { position.0[0] });
            *sum += x.expect("it lives");
        }
    };
    steady(random(entities), run, |(_, _, sum)| Summary::of([*sum]))
}

fn get_mut(entities: usize) -> impl Contender {
    let run = |(world, entities, _): &mut Random| {
        for &entity in &*entities {
            let found = known::ecs_find!(world, entity, |position: &mut Position| {
                position.0[0] += 1.0;
            });
            found.expect("it lives");
        }
    };
    let summary = |(world, ..): &mut Random| {
        Summary::of_positions(world.archetype_mut::<Place>().get_slice::<Position>())
    };
    steady(random(entities), run, summary)
}

fn get_view(entities: usize) -> impl Contender {
    let run = |(world, entities, sum): &mut Random| {
        *sum = 0.0;
        for &entity in &*entities {
            *sum += world.archetype_mut::<Place>().view(entity).expect("it lives").position.0[0];
        }
    };
    steady(random(entities), run, |(_, _, sum)| Summary::of([*sum]))
}

fn get_mut_view(entities: usize) -> impl Contender {
    let run = |(world, entities, _): &mut Random| {
        for &entity in &*entities {
            world.archetype_mut::<Place>().view(entity).expect("it lives").position.0[0] += 1.0;
        }
    };
    let summary = |(world, ..): &mut Random| {
        Summary::of_positions(world.archetype_mut::<Place>().get_slice::<Position>())
    };
    steady(random(entities), run, summary)
}
