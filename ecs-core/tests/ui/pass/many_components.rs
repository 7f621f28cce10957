//! More components than the longest tuple has elements, keys of every kind, and a user's strategy.

#![deny(warnings)]

use ecs_core::inner_parallelism::Strategy;
use ecs_core::{Data, System, World, world};

macro_rules! components {
    ($($name:ident)*) => {
        $(struct $name(u32);)*
    };
}

components! { A B C D E F G H I J K L M N }

const CHUNK: usize = 64;

struct Halves<const P: usize>;

impl<const P: usize> Strategy for Halves<P> {
    fn subtasks(_: usize, _: usize) -> usize {
        2 * P
    }
}

world! {
    world Alphabet;
    component (A, B, C, D, E, F, G): contiguous_buffer;
    component H: contiguous_buffer;
    component (I, J, K, L, M, N): contiguous_buffer;
    system Sum {
        read: [B, C, D, E, F, G, H, I, J, K, L, M],
        write: [A],
        write_optional: [N],
        parallelism: fixed_threshold(10, none, split_every(CHUNK)),
        before: [Half],
    }
    system Half { write: [A], without: [], parallelism: Halves<1>, }
}

#[derive(Default)]
struct Sum;
#[derive(Default)]
struct Half;

impl System<Alphabet> for Sum {
    fn process(&self, data: &mut Data<'_, Alphabet, Self>) {
        data.own.for_entities(|e| {
            e.a.0 += e.b.0 + e.c.0 + e.d.0 + e.e.0 + e.f.0 + e.g.0 + e.h.0 + e.i.0 + e.j.0;
            e.a.0 += e.k.0 + e.l.0 + e.m.0;
            if let Some(n) = e.n {
                n.0 = e.a.0;
            }
        });
    }
}

impl System<Alphabet> for Half {
    fn process(&self, data: &mut Data<'_, Alphabet, Self>) {
        data.own.for_entities(|e| e.a.0 /= 2);
    }
}

fn main() {
    let mut world = World::<Alphabet>::new();
    let entity = world
        .step(|step| {
            let bundle = (A(1), B(1), C(1), D(1), E(1), F(1), G(1), H(1), I(1), J(1), K(1), L(1));
            let entity = step.spawn(bundle);
            step.insert(entity, M(1)).unwrap();
            step.insert(entity, N(0)).unwrap();
            entity
        })
        .unwrap();
    world.tick().unwrap();
    assert_eq!(world.get::<A>(entity).unwrap().0, 6);
    assert_eq!(world.get::<N>(entity).unwrap().0, 13);
}
