//! The worlds of the family whose systems stage their changes. A macro expands to the same systems in
//! different orders.
//!
//! | member | declared | runs | staged changes show |
//! | --- | --- | --- | --- |
//! | `forward` | from `Update` to `Despawn` | in that order | before dependents |
//! | `reverse` | from `Despawn` to `Update` | in that order | before dependents |
//! | `forward_staged` | from `Update` to `Despawn` | in that order | after the step |
//! | `backward_staged` | from `Update` to `Despawn` | in the opposite order | after the step |
//! | `loose` | from `Update` to `Despawn` | side by side where that is safe | after the step |
//!
//! So each two systems meet in both orders, with and without a refresh between them, and in `backward_staged`
//! against the order of their declaration. In `loose`, systems are ordered if both influence the same
//! component (corollary 4.8), or if one writes what the other reads. Some pairs are unordered although both
//! influence the same component: the updates with and without `F`, at once or staged, which share no entity;
//! and systems that despawn. A despawned entity takes part in nothing, so the order of despawns makes no
//! difference.

use core_ecs_model::program::{Amount, Effect};
use ecs_core::{Data, Entity, System, world};

use crate::components::{F, Key, X, Y, Z};
use crate::members::{
    DynamicAtomic, DynamicDelayed, DynamicSequential, FixedAtomic, FixedShuffled, Runs, runs,
};
use crate::runs::trace;
use crate::script::{Script, Seen};

/// The effects of the systems of one kind on each own entity.
macro_rules! deeds {
    (Update $own:ident $effects:ident $script:ident $body:ident) => {
        $own.query::<(&Key, &mut X)>().for_each(|(key, x)| {
            let seen = Seen([Some(key.0), Some(x.0), None, None]);
            for effect in seen.effects($body) {
                let Effect::Attach(_, _, amount) = effect else { continue };
                x.0 = seen.amount(*amount);
            }
        });
    };
    (Renew $own:ident $effects:ident $script:ident $body:ident) => {
        $own.query::<(Entity, &Key, &X)>().for_each(|(entity, key, x)| {
            let seen = Seen([Some(key.0), Some(x.0), None, None]);
            for effect in seen.effects($body) {
                let Effect::Attach(_, _, amount) = effect else { continue };
                $effects.update(entity, X(seen.amount(*amount)));
            }
        });
    };
    (Replace $own:ident $effects:ident $script:ident $body:ident) => {
        $own.query::<(Entity, &Key, Option<&Y>)>().for_each(|(entity, key, y)| {
            let seen = Seen([Some(key.0), None, y.map(|y| y.0), None]);
            for effect in seen.effects($body) {
                let Effect::Attach(target, _, amount) = effect else { continue };
                if let Some(target) = $script.whom(*target, entity) {
                    $effects.insert(target, X(seen.amount(*amount)));
                }
            }
        });
    };
    (Gain $own:ident $effects:ident $script:ident $body:ident) => {
        $own.query::<(Entity, &Key, Option<&X>)>().for_each(|(entity, key, x)| {
            let seen = Seen([Some(key.0), x.map(|x| x.0), None, None]);
            for effect in seen.effects($body) {
                let Effect::Attach(_, _, amount) = effect else { continue };
                $effects.insert(entity, Y(seen.amount(*amount)));
            }
        });
    };
    (Give $own:ident $effects:ident $script:ident $body:ident) => {
        $own.query::<(Entity, &Key, Option<&X>)>().for_each(|(entity, key, x)| {
            let seen = Seen([Some(key.0), x.map(|x| x.0), None, None]);
            for effect in seen.effects($body) {
                let Effect::Attach(target, _, amount) = effect else { continue };
                let Some(target) = $script.whom(*target, entity) else { continue };
                match amount {
                    Amount::Unit => $effects.insert(target, F),
                    _ => $effects.insert(target, Z(seen.amount(*amount))),
                }
            }
        });
    };
    (Lose $own:ident $effects:ident $script:ident $body:ident) => {
        $own.query::<(Entity, &Key, &Y)>().for_each(|(entity, key, y)| {
            let seen = Seen([Some(key.0), None, Some(y.0), None]);
            for _ in seen.effects($body) {
                $effects.remove::<Y>(entity);
            }
        });
    };
    (Take $own:ident $effects:ident $script:ident $body:ident) => {
        $own.query::<(Entity, &Key)>().for_each(|(entity, key)| {
            let seen = Seen([Some(key.0), None, None, None]);
            for effect in seen.effects($body) {
                let Effect::Detach(target, label) = effect else { continue };
                let Some(target) = $script.whom(*target, entity) else { continue };
                if *label == crate::components::LABEL_F {
                    $effects.remove::<F>(target);
                } else {
                    $effects.remove::<Z>(target);
                }
            }
        });
    };
    (Create $own:ident $effects:ident $script:ident $body:ident) => {
        $own.query::<(&Key, &Z)>().for_each(|(key, z)| {
            let seen = Seen([Some(key.0), None, None, Some(z.0)]);
            for effect in seen.effects($body) {
                let Effect::Create(parts) = effect else { continue };
                let [key, other] = [0, 1].map(|part: usize| seen.amount(parts[part].1));
                if parts.len() == 2 {
                    $effects.spawn((Key(key), X(other)));
                } else {
                    $effects.spawn((Key(key), Y(other), F));
                }
            }
        });
    };
    (Despawn $own:ident $effects:ident $script:ident $body:ident) => {
        $own.query::<(Entity, &Key, Option<&Y>)>().for_each(|(entity, key, y)| {
            let seen = Seen([Some(key.0), None, y.map(|y| y.0), None]);
            for effect in seen.effects($body) {
                let Effect::Despawn(target) = effect else { continue };
                if let Some(target) = $script.whom(*target, entity) {
                    $effects.despawn(target);
                }
            }
        });
    };
}

/// The systems of one kind, in this order.
macro_rules! bodies {
    ($($kind:ident: $all:ident $with:ident $without:ident;)*) => {$(
        bodies! { @ $kind $all }
        bodies! { @ $kind $with }
        bodies! { @ $kind $without }
    )*};
    (@ $kind:ident $name:ident) => {
        #[derive(Default)]
        struct $name;

        impl System<Kin> for $name {
            fn process(&self, data: &mut Data<'_, Kin, Self>) {
                let script = data.resources.get::<Script>();
                #[allow(unused_variables, reason = "some members have no effects")]
                let Data { own, effects, .. } = data;
                let body = script.body(stringify!($name));
                if !body.is_empty() {
                    deeds!($kind own effects script body);
                }
            }
        }
    };
}

/// A world. Systems are declared in the order of their kinds, and are ordered as given.
macro_rules! member {
    ($module:ident $staged:ident { $($order:tt)* } $first:ident $($kind:ident)*) => {
        member! { @ $module $staged { $($order)* } [] $first $($kind)* }
    };
    (@ $module:ident $staged:ident $order:tt [$($items:tt)*] Update $($rest:ident)*) => {
        member! { @ $module $staged $order [$($items)*
            (Update UpdateWith UpdateWithout { read: [Key], write: [X], })
        ] $($rest)* }
    };
    (@ $module:ident $staged:ident $order:tt [$($items:tt)*] Renew $($rest:ident)*) => {
        member! { @ $module $staged $order [$($items)*
            (Renew RenewWith RenewWithout { read: [Key], update: [X], })
        ] $($rest)* }
    };
    (@ $module:ident $staged:ident $order:tt [$($items:tt)*] Replace $($rest:ident)*) => {
        member! { @ $module $staged $order [$($items)*
            (Replace ReplaceWith ReplaceWithout {
                read: [Key], read_optional: [Y], insert: [X],
            })
        ] $($rest)* }
    };
    (@ $module:ident $staged:ident $order:tt [$($items:tt)*] Gain $($rest:ident)*) => {
        member! { @ $module $staged $order [$($items)*
            (Gain GainWith GainWithout {
                read: [Key], read_optional: [X], insert: [Y],
            } Y)
        ] $($rest)* }
    };
    (@ $module:ident $staged:ident $order:tt [$($items:tt)*] Give $($rest:ident)*) => {
        member! { @ $module $staged $order [$($items)*
            (Give GiveWith GiveWithout {
                read: [Key], read_optional: [X], insert: [Z, F],
            })
        ] $($rest)* }
    };
    (@ $module:ident $staged:ident $order:tt [$($items:tt)*] Lose $($rest:ident)*) => {
        member! { @ $module $staged $order [$($items)*
            (Lose LoseWith LoseWithout { read: [Key, Y], remove: [Y], })
        ] $($rest)* }
    };
    (@ $module:ident $staged:ident $order:tt [$($items:tt)*] Take $($rest:ident)*) => {
        member! { @ $module $staged $order [$($items)*
            (Take TakeWith TakeWithout { read: [Key], remove: [Z, F], })
        ] $($rest)* }
    };
    (@ $module:ident $staged:ident $order:tt [$($items:tt)*] Create $($rest:ident)*) => {
        member! { @ $module $staged $order [$($items)*
            (Create CreateWith CreateWithout {
                read: [Key, Z], spawn: [(Key, X), (Key, Y, F)],
            })
        ] $($rest)* }
    };
    (@ $module:ident $staged:ident $order:tt [$($items:tt)*] Despawn $($rest:ident)*) => {
        member! { @ $module $staged $order [$($items)*
            (Despawn DespawnWith DespawnWithout { read: [Key], read_optional: [Y], despawn, })
        ] $($rest)* }
    };
    (@ $module:ident $staged:ident { $($order:tt)* } [$(
        ($all:ident $with:ident $without:ident { $($keys:tt)* } $($lacks:ident)?)
    )*]) => {
        pub(crate) mod $module {
            use super::*;

            world! {
                world Kin { entity_limit: dynamic(16), staged_changes: $staged }

                component Key: contiguous_buffer;
                component (X, Y): contiguous_buffer;
                component Z: sparse_set;
                component F: empty;
                resource Script;

                $(
                    system $all {
                        parallelism: split_every(64),
                        read_resources: [Script],
                        without: [$($lacks)?],
                        $($keys)*
                    }
                    system $with {
                        parallelism: split_evenly(3),
                        read_resources: [Script],
                        with: [F],
                        without: [$($lacks)?],
                        $($keys)*
                    }
                    system $without {
                        parallelism: split_evenly(cores),
                        read_resources: [Script],
                        without: [F $(, $lacks)?],
                        $($keys)*
                    }
                )*
                $($order)*
            }

            bodies! { $($all: $all $with $without;)* }

            pub(crate) const RUNS: Runs = runs![Kin: DynamicSequential, DynamicAtomic, FixedShuffled, FixedAtomic, DynamicDelayed];
        }
    };
}

member! {
    forward refresh_before_dependents {
        order Update -> UpdateWith -> UpdateWithout -> Renew -> RenewWith -> RenewWithout
            -> Replace -> ReplaceWith -> ReplaceWithout -> Gain -> GainWith -> GainWithout -> Give
            -> GiveWith -> GiveWithout -> Lose -> LoseWith -> LoseWithout -> Take -> TakeWith -> TakeWithout -> Create
            -> CreateWith -> CreateWithout -> Despawn -> DespawnWith -> DespawnWithout;
    }
    Update Renew Replace Gain Give Lose Take Create Despawn
}

member! {
    reverse refresh_before_dependents {
        order Despawn -> DespawnWith -> DespawnWithout -> Create -> CreateWith -> CreateWithout -> Take
            -> TakeWith -> TakeWithout -> Lose -> LoseWith -> LoseWithout -> Give -> GiveWith
            -> GiveWithout -> Gain -> GainWith -> GainWithout -> Replace -> ReplaceWith
            -> ReplaceWithout -> Renew -> RenewWith -> RenewWithout -> Update -> UpdateWith
            -> UpdateWithout;
    }
    Despawn Create Take Lose Give Gain Replace Renew Update
}

member! {
    forward_staged after_step {
        order Update -> UpdateWith -> UpdateWithout -> Renew -> RenewWith -> RenewWithout
            -> Replace -> ReplaceWith -> ReplaceWithout -> Gain -> GainWith -> GainWithout -> Give
            -> GiveWith -> GiveWithout -> Lose -> LoseWith -> LoseWithout -> Take -> TakeWith -> TakeWithout -> Create
            -> CreateWith -> CreateWithout -> Despawn -> DespawnWith -> DespawnWithout;
    }
    Update Renew Replace Gain Give Lose Take Create Despawn
}

member! {
    backward_staged after_step {
        order DespawnWithout -> DespawnWith -> Despawn -> CreateWithout -> CreateWith -> Create
            -> TakeWithout -> TakeWith -> Take -> LoseWithout -> LoseWith -> Lose -> GiveWithout
            -> GiveWith -> Give -> GainWithout -> GainWith -> Gain -> ReplaceWithout
            -> ReplaceWith -> Replace -> RenewWithout -> RenewWith -> Renew -> UpdateWithout
            -> UpdateWith -> Update;
    }
    Update Renew Replace Gain Give Lose Take Create Despawn
}

member! {
    loose after_step {
        order Update -> UpdateWith -> Renew -> RenewWith -> Replace -> ReplaceWith
            -> ReplaceWithout;
        order Update -> UpdateWithout -> Renew -> RenewWithout -> Replace;
        order UpdateWith -> Gain -> GainWith -> GainWithout -> Lose -> LoseWith -> LoseWithout;
        order UpdateWithout -> Gain;
        order UpdateWith -> Give -> GiveWith -> GiveWithout -> Take -> TakeWith -> TakeWithout;
        order UpdateWithout -> Give;
    }
    Update Renew Replace Gain Give Lose Take Create Despawn
}
