//! Proxies: the arguments of bodies, steps and overrides.

use super::super::kinds::Kind::{Any, Declaration, Lifetime, Name, Settings, Terms};
use super::super::kinds::{Type, covariant, invariant, unprobed};

/// Why no parameter of `Near` varies.
const PROJECTED: &str = "its only field is a projection, in which no parameter varies";

/// For an owned proxy.
const SHORTER: &str = "an owned proxy for a shorter time is what a reborrow is: it holds the same right, and gives less of it";

/// For a proxy that is only lent by `&mut`.
const HELD: &str =
    "it is handed out behind `&mut`, which is invariant: two proxies never come to one type";

/// For a reference to components.
const REFERENCE: &str =
    "it is an exclusive reference and a list of shared words, as long as the storage is borrowed";

/// For the target of `Now`'s dereference.
const WHOLE: &str = "behind two `Now`s of one lifetime they can change places: all that belongs together is in them, \
                     or behind their references";

pub(super) static TYPES: &[Type] = &[
    Type {
        name: "Data",
        written: "ecs_core::Data<{'w}, {D}, {N}>",
        parameters: &[
            covariant("'w", Lifetime, HELD),
            invariant("D", Declaration),
            invariant("N", Name),
        ],
    },
    Type {
        name: "Effects",
        written: "ecs_core::Effects<{'w}, {D}, {N}>",
        parameters: &[
            covariant("'w", Lifetime, WHOLE),
            invariant("D", Declaration),
            invariant("N", Name),
        ],
    },
    Type {
        name: "Own",
        written: "ecs_core::Own<{'w}, {D}, {N}>",
        parameters: &[
            covariant("'w", Lifetime, HELD),
            invariant("D", Declaration),
            invariant("N", Name),
        ],
    },
    Type {
        name: "Query",
        written: "ecs_core::Query<{'a}, {D}, {N}, {Q}>",
        parameters: &[
            covariant("'a", Lifetime, SHORTER),
            invariant("D", Declaration),
            invariant("N", Name),
            invariant("Q", Terms),
        ],
    },
    Type {
        name: "Iter",
        written: "ecs_core::Iter<{'a}, {D}, {Q}>",
        parameters: &[
            invariant("'a", Lifetime),
            invariant("D", Declaration),
            invariant("Q", Terms),
        ],
    },
    Type {
        name: "Changed",
        written: "ecs_core::Changed<{'a}, {D}, {Q}>",
        parameters: &[
            invariant("'a", Lifetime),
            invariant("D", Declaration),
            invariant("Q", Terms),
        ],
    },
    Type {
        name: "Mut",
        written: "ecs_core::Mut<{'a}, {C}>",
        parameters: &[covariant("'a", Lifetime, REFERENCE), invariant("C", Any)],
    },
    Type {
        name: "MutRun",
        written: "ecs_core::MutRun<{'a}, {C}>",
        parameters: &[covariant("'a", Lifetime, REFERENCE), invariant("C", Any)],
    },
    Type {
        name: "Entries",
        written: "ecs_core::Entries<{'a}, {D}, {N}>",
        parameters: &[invariant("'a", Lifetime), invariant("D", Declaration), invariant("N", Name)],
    },
    Type {
        name: "Living",
        written: "ecs_core::Living<{'a}, {D}, {Q}>",
        parameters: &[
            invariant("'a", Lifetime),
            invariant("D", Declaration),
            invariant("Q", Terms),
        ],
    },
    Type {
        name: "Resources",
        written: "ecs_core::Resources<{'w}, {D}, {N}>",
        parameters: &[
            covariant("'w", Lifetime, HELD),
            invariant("D", Declaration),
            invariant("N", Name),
        ],
    },
    Type {
        name: "ReadAny",
        written: "ecs_core::ReadAny<{'w}, {D}, {C}>",
        parameters: &[invariant("'w", Lifetime), invariant("D", Declaration), invariant("C", Any)],
    },
    Type {
        name: "AnyMut",
        written: "ecs_core::AnyMut<{'a}, {D}, {Q}>",
        parameters: &[
            invariant("'a", Lifetime),
            invariant("D", Declaration),
            invariant("Q", Terms),
        ],
    },
    Type {
        name: "Now",
        written: "ecs_core::Now<{'a}, {D}, {N}>",
        parameters: &[
            covariant("'a", Lifetime, SHORTER),
            invariant("D", Declaration),
            invariant("N", Name),
        ],
    },
    Type {
        name: "Match",
        written: "ecs_core::Match<{'m}, {D}, {N}>",
        parameters: &[
            covariant("'m", Lifetime, SHORTER),
            invariant("D", Declaration),
            invariant("N", Name),
        ],
    },
    Type {
        name: "Pair",
        written: "ecs_core::Pair<{'m}, {D}, {N}, {Q}>",
        parameters: &[
            covariant("'m", Lifetime, SHORTER),
            invariant("D", Declaration),
            invariant("N", Name),
            invariant("Q", Name),
        ],
    },
    Type {
        name: "Executor",
        written: "ecs_core::Executor<{'w}, {D}, {N}>",
        parameters: &[
            covariant("'w", Lifetime, HELD),
            invariant("D", Declaration),
            invariant("N", Name),
        ],
    },
    Type {
        name: "SystemInstance",
        written: "ecs_core::overrides::SystemInstance<{'a}, {'w}, {D}, {N}>",
        parameters: &[
            covariant("'a", Lifetime, HELD),
            invariant("'w", Lifetime),
            invariant("D", Declaration),
            invariant("N", Name),
        ],
    },
    Type {
        name: "Defer",
        written: "ecs_core::Defer<{'w}, {D}>",
        parameters: &[covariant("'w", Lifetime, HELD), invariant("D", Declaration)],
    },
    Type {
        name: "Step",
        written: "ecs_core::Step<{'w}, {D}, {S}>",
        parameters: &[
            invariant("'w", Lifetime),
            invariant("D", Declaration),
            invariant("S", Settings),
        ],
    },
    Type {
        name: "Execution",
        written: "ecs_core::overrides::Execution<{D}, {F}, {O}>",
        parameters: &[invariant("D", Declaration), invariant("F", Any), invariant("O", Any)],
    },
    Type {
        name: "Adapter",
        written: "ecs_core::overrides::Adapter<{D}, {F}, {O}, {T}, {P}>",
        parameters: &[
            invariant("D", Declaration),
            invariant("F", Any),
            invariant("O", Any),
            invariant("T", Any),
            invariant("P", Any),
        ],
    },
    Type {
        name: "Event",
        written: "ecs_core::events::Event<{'a}, {D}, {N}>",
        parameters: &[
            covariant("'a", Lifetime, HELD),
            invariant("D", Declaration),
            invariant("N", Name),
        ],
    },
    Type {
        name: "Happened",
        written: "ecs_core::events::Happened<{'a}, {D}>",
        parameters: &[covariant("'a", Lifetime, HELD), invariant("D", Declaration)],
    },
    Type {
        name: "Call",
        written: "",
        parameters: &[
            super::unprobed("'a", Lifetime, super::NAMELESS_CALL),
            super::unprobed("D", Declaration, super::NAMELESS_CALL),
        ],
    },
    Type {
        name: "Outputs",
        written: "ecs_core::Outputs<{'a}, {D}, {N}>",
        parameters: &[
            covariant("'a", Lifetime, SHORTER),
            invariant("D", Declaration),
            invariant("N", Name),
        ],
    },
    Type {
        name: "Sender",
        written: "ecs_core::Sender<{'a}, {T}>",
        parameters: &[covariant("'a", Lifetime, SHORTER), invariant("T", Any)],
    },
    Type {
        name: "Spawned",
        written: "ecs_core::Spawned<{'a}>",
        parameters: &[covariant("'a", Lifetime, SHORTER)],
    },
    Type {
        name: "PendingEntity",
        written: "ecs_core::PendingEntity<{'w}>",
        parameters: &[invariant("'w", Lifetime)],
    },
    Type {
        name: "PendingBatch",
        written: "ecs_core::PendingBatch<{'w}>",
        parameters: &[invariant("'w", Lifetime)],
    },
    Type {
        name: "BundleSink",
        written: "ecs_core::BundleSink<{'a}, {D}>",
        parameters: &[covariant("'a", Lifetime, HELD), invariant("D", Declaration)],
    },
    Type {
        name: "NewRow",
        written: "ecs_core::generated::NewRow<{'a}, {D}>",
        parameters: &[covariant("'a", Lifetime, HELD), invariant("D", Declaration)],
    },
    Type {
        name: "ResourceSink",
        written: "ecs_core::generated::ResourceSink<{'a}, {D}>",
        parameters: &[covariant("'a", Lifetime, HELD), invariant("D", Declaration)],
    },
    Type {
        name: "ResourceValues",
        written: "ecs_core::generated::ResourceValues<{'a}>",
        parameters: &[covariant("'a", Lifetime, SHORTER)],
    },
    Type {
        name: "Asked",
        written: "ecs_core::generated::Asked<{'a}>",
        parameters: &[covariant("'a", Lifetime, SHORTER)],
    },
    Type {
        name: "Condition",
        written: "ecs_core::generated::Condition<{D}>",
        parameters: &[invariant("D", Declaration)],
    },
    Type {
        name: "Members",
        written: "ecs_core::joins::Members<{'w}, {D}, {T}>",
        parameters: &[
            invariant("'w", Lifetime),
            invariant("D", Declaration),
            invariant("T", Terms),
        ],
    },
    Type {
        name: "Lookup",
        written: "ecs_core::joins::Lookup<{'w}, {D}, {K}, {T}>",
        parameters: &[
            invariant("'w", Lifetime),
            invariant("D", Declaration),
            unprobed("K", Any, "a key is `Copy + Eq + Hash`, and its table does not vary"),
            invariant("T", Terms),
        ],
    },
    Type {
        name: "Near",
        written: "ecs_core::joins::Near<'x, W<()>, Name<()>, &'static u8>",
        parameters: &[
            unprobed("'w", Lifetime, PROJECTED),
            unprobed("D", Declaration, PROJECTED),
            unprobed("Q", Name, PROJECTED),
            unprobed("T", Terms, PROJECTED),
        ],
    },
    Type {
        name: "Sight",
        written: "ecs_core::generated::Sight<{'w}, [f32; 2], {V}>",
        parameters: &[
            covariant("'w", Lifetime, "shared tables, as long as the world is borrowed"),
            unprobed("P", Any, "a point is an array of `f32`"),
            covariant("V", Any, "a shared table of values of that type"),
        ],
    },
    Type {
        name: "Matches",
        written: "ecs_core::joins::Matches<{'w}, {D}, {T}>",
        parameters: &[
            invariant("'w", Lifetime),
            invariant("D", Declaration),
            invariant("T", Terms),
        ],
    },
];
