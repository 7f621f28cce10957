//! What cannot be added.

use ecs_core::{Combine, world};

struct Mass(f32);

#[derive(Combine, Default)]
struct Score(u64);

#[derive(Default)]
struct Bank(u64);

#[derive(Combine)]
enum Colour {
    Red,
}

#[derive(Default)]
struct Energy(f32);

world! {
    world W;
    component Mass;
    resource Score: sum;
    resource Bank;
    resource Energy: max;
    system Count {
        read: [Mass],
        add: [Energy],
        run: |data| {
            data.effects.add(Score(1));
            data.effects.add(Bank(1));
            data.effects.add(Mass(1.0));
            data.effects.add(Energy(1.0));
        },
    }
}

fn generic<N: ecs_core::access::Adds<Bank, W>>() {}

fn main() {
    generic::<Count>();
}
