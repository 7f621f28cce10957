//! The worlds of the family whose systems are sequential: each is the paper's seq(*s*).
//!
//! | member | declared | runs | staged changes show |
//! | --- | --- | --- | --- |
//! | `rolled` | from `Update` to `Despawn` | in that order | after the step |
//! | `rolled_backward` | from `Update` to `Despawn` | in the opposite order | after the step |
//! | `rolled_refreshed` | from `Update` to `Despawn` | in that order | before dependents |

use core_ecs_model::program::{Amount, Effect};
use ecs_core::{Data, System, world};

use crate::components::{F, Key, LABEL_F, X, Y, Z};
use crate::members::{DynamicAtomic, DynamicSequential, FixedShuffled, Runs, runs};
use crate::runs::trace;
use crate::script::{Script, Seen};

/// The effects of the systems of one kind on a match.
macro_rules! deeds {
    (Update $found:ident $script:ident $body:ident) => {
        let (key, x) = $found.get::<(&Key, &mut X)>();
        let seen = Seen([Some(key.0), Some(x.0), None, None]);
        for effect in seen.effects($body) {
            let Effect::Attach(_, _, amount) = effect else { continue };
            x.0 = seen.amount(*amount);
        }
    };
    // A sequential system writes at once what other systems update at the refresh.
    (Renew $found:ident $script:ident $body:ident) => {
        deeds! { Update $found $script $body }
    };
    (Replace $found:ident $script:ident $body:ident) => {
        let (key, y) = $found.get::<(&Key, Option<&Y>)>();
        let seen = Seen([Some(key.0), None, y.map(|y| y.0), None]);
        let own = $found.entity();
        let now = &mut $found.now();
        for effect in seen.effects($body) {
            let Effect::Attach(target, _, amount) = effect else { continue };
            if let Some(target) = $script.whom(*target, own) {
                now.insert(target, X(seen.amount(*amount)));
            }
        }
    };
    (Gain $found:ident $script:ident $body:ident) => {
        let (key, x) = $found.get::<(&Key, Option<&X>)>();
        let seen = Seen([Some(key.0), x.map(|x| x.0), None, None]);
        let own = $found.entity();
        let now = &mut $found.now();
        for effect in seen.effects($body) {
            let Effect::Attach(_, _, amount) = effect else { continue };
            now.insert(own, Y(seen.amount(*amount)));
        }
    };
    (Give $found:ident $script:ident $body:ident) => {
        let (key, x) = $found.get::<(&Key, Option<&X>)>();
        let seen = Seen([Some(key.0), x.map(|x| x.0), None, None]);
        let own = $found.entity();
        let now = &mut $found.now();
        for effect in seen.effects($body) {
            let Effect::Attach(target, _, amount) = effect else { continue };
            let Some(target) = $script.whom(*target, own) else { continue };
            if let Amount::Unit = amount {
                now.insert(target, F);
            } else {
                now.insert(target, Z(seen.amount(*amount)));
            }
        }
    };
    (Lose $found:ident $script:ident $body:ident) => {
        let (key, y) = $found.get::<(&Key, &Y)>();
        let seen = Seen([Some(key.0), None, Some(y.0), None]);
        let own = $found.entity();
        let now = &mut $found.now();
        for _ in seen.effects($body) {
            now.remove::<Y>(own);
        }
    };
    (Take $found:ident $script:ident $body:ident) => {
        let seen = Seen([Some($found.get::<&Key>().0), None, None, None]);
        let own = $found.entity();
        let now = &mut $found.now();
        for effect in seen.effects($body) {
            let Effect::Detach(target, label) = effect else { continue };
            let Some(target) = $script.whom(*target, own) else { continue };
            if *label == LABEL_F {
                now.remove::<F>(target);
            } else {
                now.remove::<Z>(target);
            }
        }
    };
    (Create $found:ident $script:ident $body:ident) => {
        let (key, z) = $found.get::<(&Key, &Z)>();
        let seen = Seen([Some(key.0), None, None, Some(z.0)]);
        let now = &mut $found.now();
        for effect in seen.effects($body) {
            let Effect::Create(parts) = effect else { continue };
            let [key, other] = [0, 1].map(|part: usize| seen.amount(parts[part].1));
            // The limit is exceeded in every run alike.
            let _ = if parts.len() == 2 {
                now.spawn((Key(key), X(other)))
            } else {
                now.spawn((Key(key), Y(other), F))
            };
        }
    };
    (Despawn $found:ident $script:ident $body:ident) => {
        let (key, y) = $found.get::<(&Key, Option<&Y>)>();
        let seen = Seen([Some(key.0), None, y.map(|y| y.0), None]);
        let own = $found.entity();
        let now = &mut $found.now();
        for effect in seen.effects($body) {
            let Effect::Despawn(target) = effect else { continue };
            if let Some(target) = $script.whom(*target, own) {
                now.despawn(target);
            }
        }
    };
}

/// A world: systems of these kinds, with these keys, ordered as given. The labels after a `/` are those that
/// own entities lack.
macro_rules! rolled {
    ($module:ident $staged:ident { $($order:tt)* } $(
        $kind:ident $with:ident $without:ident { $($keys:tt)* } / $($lacks:ident)?;
    )*) => {
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
                    system $kind {
                        sequential, read_resources: [Script], without: [$($lacks)?], $($keys)*
                    }
                    system $with {
                        sequential,
                        read_resources: [Script],
                        with: [F],
                        without: [$($lacks)?],
                        $($keys)*
                    }
                    system $without {
                        sequential, read_resources: [Script], without: [F $(, $lacks)?], $($keys)*
                    }
                )*
                $($order)*
            }

            $(
                rolled! { @ $kind $kind }
                rolled! { @ $kind $with }
                rolled! { @ $kind $without }
            )*

            pub(crate) const RUNS: Runs = runs![Kin: DynamicSequential, DynamicAtomic, FixedShuffled];
        }
    };
    (@ $kind:ident $name:ident) => {
        #[derive(Default)]
        struct $name;

        impl System<Kin> for $name {
            fn process(&self, data: &mut Data<'_, Kin, Self>) {
                let script = data.resources.get::<Script>();
                let body = script.body(stringify!($name));
                if !body.is_empty() {
                    data.roll(|mut found| {
                        deeds!($kind found script body);
                    });
                }
            }
        }
    };
}

/// The same systems for each member.
macro_rules! worlds {
    ($($module:ident $staged:ident { $($order:tt)* })*) => {$(
        rolled! {
            $module $staged { $($order)* }
            Update UpdateWith UpdateWithout { read: [Key], write: [X] } /;
            Renew RenewWith RenewWithout { read: [Key], write: [X] } /;
            Replace ReplaceWith ReplaceWithout {
                read: [Key], read_optional: [Y], insert: [X]
            } /;
            Gain GainWith GainWithout { read: [Key], read_optional: [X], insert: [Y] } / Y;
            Give GiveWith GiveWithout { read: [Key], read_optional: [X], insert: [Z, F] } /;
            Lose LoseWith LoseWithout { read: [Key, Y], remove: [Y] } /;
            Take TakeWith TakeWithout { read: [Key], remove: [Z, F] } /;
            Create CreateWith CreateWithout {
                read: [Key, Z], spawn: [(Key, X), (Key, Y, F)]
            } /;
            Despawn DespawnWith DespawnWithout { read: [Key], read_optional: [Y], despawn } /;
        }
    )*};
}

worlds! {
    rolled after_step {
        order Update -> UpdateWith -> UpdateWithout -> Renew -> RenewWith -> RenewWithout
            -> Replace -> ReplaceWith -> ReplaceWithout -> Gain -> GainWith -> GainWithout -> Give -> GiveWith -> GiveWithout -> Lose
            -> LoseWith -> LoseWithout -> Take -> TakeWith -> TakeWithout -> Create
            -> CreateWith -> CreateWithout -> Despawn -> DespawnWith -> DespawnWithout;
    }
    rolled_backward after_step {
        order DespawnWithout -> DespawnWith -> Despawn -> CreateWithout -> CreateWith -> Create
            -> TakeWithout -> TakeWith -> Take -> LoseWithout -> LoseWith -> Lose -> GiveWithout
            -> GiveWith -> Give -> GainWithout -> GainWith -> Gain -> ReplaceWithout
            -> ReplaceWith -> Replace -> RenewWithout -> RenewWith -> Renew -> UpdateWithout
            -> UpdateWith -> Update;
    }
    rolled_refreshed refresh_before_dependents {
        order Update -> UpdateWith -> UpdateWithout -> Renew -> RenewWith -> RenewWithout
            -> Replace -> ReplaceWith -> ReplaceWithout -> Gain -> GainWith -> GainWithout -> Give -> GiveWith -> GiveWithout -> Lose
            -> LoseWith -> LoseWithout -> Take -> TakeWith -> TakeWithout -> Create
            -> CreateWith -> CreateWithout -> Despawn -> DespawnWith -> DespawnWithout;
    }
}
