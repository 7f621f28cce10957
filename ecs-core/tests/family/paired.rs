//! The worlds of the family whose systems are sequential and go over pairs of own entities and members of a
//! query: each is the paper's seq(*s*) with a query vector of two queries.
//!
//! | member | declared | runs | staged changes show |
//! | --- | --- | --- | --- |
//! | `paired` | from `Update` to `Despawn` | in that order | after the step |
//! | `paired_backward` | from `Update` to `Despawn` | in the opposite order | after the step |
//!
//! There are three queries, and each kind of system has each. The effects on an own entity, on the member and
//! on others decide which pairs are left, also where the two are the same entity.

use core_ecs_model::program::{Amount, Effect, Target};
use ecs_core::{Data, System, world};

use crate::components::{F, Key, LABEL_F, X, Y, Z};
use crate::members::{DynamicDelayed, DynamicSequential, FixedAtomic, Runs, runs};
use crate::runs::trace;
use crate::script::{Script, Seen};

/// The numbers that a query shows of the member.
macro_rules! theirs {
    (All $pair:ident) => {{
        let (key, y) = $pair.get_member::<(&Key, Option<&Y>)>();
        Seen([Some(key.0), None, y.map(|y| y.0), None])
    }};
    (Bearers $pair:ident) => {{
        let (key, x) = $pair.get_member::<(&Key, &X)>();
        Seen([Some(key.0), Some(x.0), None, None])
    }};
    (Lacking $pair:ident) => {
        Seen([Some($pair.member_entry().key.0), None, None, None])
    };
}

/// The `X` of the member, for writing, where the query shows it.
macro_rules! their_x {
    (Bearers $pair:ident) => {
        $pair.get_member::<&mut X>()
    };
    ($query:ident $pair:ident) => {
        unreachable!("the query shows none")
    };
}

/// The effects of the systems of one kind on a pair.
macro_rules! deeds {
    (Update $query:ident $pair:ident $script:ident $body:ident) => {
        let theirs = theirs!($query $pair);
        let (key, x) = $pair.get::<(&Key, &X)>();
        let seen = Seen([Some(key.0), Some(x.0), None, None]);
        for effect in seen.effects_beside(theirs, $body) {
            let Effect::Attach(target, _, amount) = effect else { continue };
            let x: &mut X =
                if *target == Target::Own { $pair.get::<&mut X>() } else { their_x!($query $pair) };
            x.0 = seen.amount(*amount);
        }
    };
    (Renew $query:ident $pair:ident $script:ident $body:ident) => {
        deeds! { Update $query $pair $script $body }
    };
    (Replace $query:ident $pair:ident $script:ident $body:ident) => {
        let theirs = theirs!($query $pair);
        let (key, y) = $pair.get::<(&Key, Option<&Y>)>();
        let seen = Seen([Some(key.0), None, y.map(|y| y.0), None]);
        let (own, member) = ($pair.entity(), $pair.member());
        let now = &mut $pair.now();
        for effect in seen.effects_beside(theirs, $body) {
            let Effect::Attach(target, _, amount) = effect else { continue };
            if let Some(target) = $script.whom_of(*target, own, member) {
                now.insert(target, X(seen.amount(*amount)));
            }
        }
    };
    (Gain $query:ident $pair:ident $script:ident $body:ident) => {
        let theirs = theirs!($query $pair);
        let (key, x) = $pair.get::<(&Key, Option<&X>)>();
        let seen = Seen([Some(key.0), x.map(|x| x.0), None, None]);
        let (own, member) = ($pair.entity(), $pair.member());
        let now = &mut $pair.now();
        for effect in seen.effects_beside(theirs, $body) {
            let Effect::Attach(target, _, amount) = effect else { continue };
            if let Some(target) = $script.whom_of(*target, own, member) {
                now.insert(target, Y(seen.amount(*amount)));
            }
        }
    };
    (Give $query:ident $pair:ident $script:ident $body:ident) => {
        let theirs = theirs!($query $pair);
        let (key, x) = $pair.get::<(&Key, Option<&X>)>();
        let seen = Seen([Some(key.0), x.map(|x| x.0), None, None]);
        let (own, member) = ($pair.entity(), $pair.member());
        let now = &mut $pair.now();
        for effect in seen.effects_beside(theirs, $body) {
            let Effect::Attach(target, _, amount) = effect else { continue };
            let Some(target) = $script.whom_of(*target, own, member) else { continue };
            if let Amount::Unit = amount {
                now.insert(target, F);
            } else {
                now.insert(target, Z(seen.amount(*amount)));
            }
        }
    };
    (Lose $query:ident $pair:ident $script:ident $body:ident) => {
        let theirs = theirs!($query $pair);
        let (key, y) = $pair.get::<(&Key, &Y)>();
        let seen = Seen([Some(key.0), None, Some(y.0), None]);
        let (own, member) = ($pair.entity(), $pair.member());
        let now = &mut $pair.now();
        for effect in seen.effects_beside(theirs, $body) {
            let Effect::Detach(target, _) = effect else { continue };
            if let Some(target) = $script.whom_of(*target, own, member) {
                now.remove::<Y>(target);
            }
        }
    };
    (Take $query:ident $pair:ident $script:ident $body:ident) => {
        let theirs = theirs!($query $pair);
        let seen = Seen([Some($pair.entry().key.0), None, None, None]);
        let (own, member) = ($pair.entity(), $pair.member());
        let now = &mut $pair.now();
        for effect in seen.effects_beside(theirs, $body) {
            let Effect::Detach(target, label) = effect else { continue };
            let Some(target) = $script.whom_of(*target, own, member) else { continue };
            if *label == LABEL_F {
                now.remove::<F>(target);
            } else {
                now.remove::<Z>(target);
            }
        }
    };
    (Create $query:ident $pair:ident $script:ident $body:ident) => {
        let theirs = theirs!($query $pair);
        let (key, z) = $pair.get::<(&Key, &Z)>();
        let seen = Seen([Some(key.0), None, None, Some(z.0)]);
        let now = &mut $pair.now();
        for effect in seen.effects_beside(theirs, $body) {
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
    (Despawn $query:ident $pair:ident $script:ident $body:ident) => {
        let theirs = theirs!($query $pair);
        let (key, y) = $pair.get::<(&Key, Option<&Y>)>();
        let seen = Seen([Some(key.0), None, y.map(|y| y.0), None]);
        let (own, member) = ($pair.entity(), $pair.member());
        let now = &mut $pair.now();
        for effect in seen.effects_beside(theirs, $body) {
            let Effect::Despawn(target) = effect else { continue };
            if let Some(target) = $script.whom_of(*target, own, member) {
                now.despawn(target);
            }
        }
    };
}

/// A world: systems of these kinds, each with its query and these keys, ordered as given. The labels after a
/// `/` are those that own entities lack.
macro_rules! paired {
    ($module:ident { $($order:tt)* } $(
        $kind:ident: $all:ident $those:ident, $with:ident $these:ident, $without:ident $others:ident
            { $($keys:tt)* } / $($lacks:ident)?;
    )*) => {
        pub(crate) mod $module {
            use super::*;

            world! {
                world Kin { entity_limit: dynamic(16) }

                component Key: contiguous_buffer;
                component (X, Y): contiguous_buffer;
                component Z: sparse_set;
                component F: empty;
                resource Script;

                query All { read: [Key], read_optional: [Y] }
                query Bearers { read: [Key, X], with: [F] }
                query Lacking { read: [Key], without: [Z] }

                $(
                    system $all {
                        sequential,
                        queries: [$those],
                        read_resources: [Script],
                        without: [$($lacks)?],
                        $($keys)*
                    }
                    system $with {
                        sequential,
                        queries: [$these],
                        read_resources: [Script],
                        with: [F],
                        without: [$($lacks)?],
                        $($keys)*
                    }
                    system $without {
                        sequential,
                        queries: [$others],
                        read_resources: [Script],
                        without: [F $(, $lacks)?],
                        $($keys)*
                    }
                )*
                $($order)*
            }

            $(
                paired! { @ $kind $all $those }
                paired! { @ $kind $with $these }
                paired! { @ $kind $without $others }
            )*

            pub(crate) const RUNS: Runs = runs![Kin: DynamicSequential, DynamicDelayed, FixedAtomic];
        }
    };
    (@ $kind:ident $name:ident $query:ident) => {
        #[derive(Default)]
        struct $name;

        impl System<Kin> for $name {
            fn process(&self, data: &mut Data<'_, Kin, Self>) {
                let script = data.resources.get::<Script>();
                let body = script.body(stringify!($name));
                if !body.is_empty() {
                    data.roll_pairs::<$query>(|mut pair| {
                        deeds!($kind $query pair script body);
                    });
                }
            }
        }
    };
}

/// The same systems for each member.
macro_rules! worlds {
    ($($module:ident { $($order:tt)* })*) => {$(
        paired! {
            $module { $($order)* }
            Update: Update All, UpdateWith Bearers, UpdateWithout Lacking {
                read: [Key], write: [X]
            } /;
            Renew: Renew Bearers, RenewWith Lacking, RenewWithout All {
                read: [Key], write: [X]
            } /;
            Replace: Replace Lacking, ReplaceWith All, ReplaceWithout Bearers {
                read: [Key], read_optional: [Y], insert: [X]
            } /;
            Gain: Gain All, GainWith Bearers, GainWithout Lacking {
                read: [Key], read_optional: [X], insert: [Y]
            } / Y;
            Give: Give Bearers, GiveWith Lacking, GiveWithout All {
                read: [Key], read_optional: [X], insert: [Z, F]
            } /;
            Lose: Lose Lacking, LoseWith All, LoseWithout Bearers {
                read: [Key, Y], remove: [Y]
            } /;
            Take: Take All, TakeWith Bearers, TakeWithout Lacking {
                read: [Key], remove: [Z, F]
            } /;
            Create: Create Bearers, CreateWith Lacking, CreateWithout All {
                read: [Key, Z], spawn: [(Key, X), (Key, Y, F)]
            } /;
            Despawn: Despawn Lacking, DespawnWith All, DespawnWithout Bearers {
                read: [Key], read_optional: [Y], despawn
            } /;
        }
    )*};
}

worlds! {
    paired {
        order Update -> UpdateWith -> UpdateWithout -> Renew -> RenewWith -> RenewWithout
            -> Replace -> ReplaceWith -> ReplaceWithout -> Gain -> GainWith -> GainWithout -> Give
            -> GiveWith -> GiveWithout -> Lose -> LoseWith -> LoseWithout -> Take -> TakeWith
            -> TakeWithout -> Create -> CreateWith -> CreateWithout -> Despawn -> DespawnWith
            -> DespawnWithout;
    }
    paired_backward {
        order DespawnWithout -> DespawnWith -> Despawn -> CreateWithout -> CreateWith -> Create
            -> TakeWithout -> TakeWith -> Take -> LoseWithout -> LoseWith -> Lose -> GiveWithout
            -> GiveWith -> Give -> GainWithout -> GainWith -> Gain -> ReplaceWithout
            -> ReplaceWith -> Replace -> RenewWithout -> RenewWith -> Renew -> UpdateWithout
            -> UpdateWith -> Update;
    }
}
