//! Two systems that update the same component at the same time.

use ecs_core::{Data, System};

use super::{Busy, Speed};

/// Systems that update the speed of entities with an odd or an even age.
macro_rules! updaters {
    ($($S:ident: $rest:literal $change:expr;)*) => {$(
        #[derive(Default)]
        pub(crate) struct $S;

        impl System<Busy> for $S {
            fn process(&self, data: &mut Data<'_, Busy, Self>) {
                let Data { own, effects, .. } = data;
                own.for_entities(|e| {
                    if e.age.0 % 2 == $rest {
                        let change: fn(f32) -> f32 = $change;
                        effects.update(e.entity, Speed(e.speed.0.map(change)));
                    }
                });
            }
        }
    )*};
}

updaters! {
    Quicken: 1 |speed| speed * 1.25;
    Slacken: 0 |speed| speed * 0.8;
}
