//! All types that are not proxies: worlds and their parts, and types that stand for choices.

use super::super::kinds::Kind::{
    Any, Atomics, Declaration, Index, Lifetime, Name, Scheduler, Settings, Strategy,
};
use super::super::kinds::{Type, constant, covariant, invariant, unprobed};
use super::CONTENT;

/// Why no parameter of what an index of events is made of varies.
const TABLE: &str = "it is reached through a trait only, and a projection to it does not vary";
const FOUND: &str =
    "it is reached through the form of an index only, and a projection to it does not vary";

pub(super) static TYPES: &[Type] = &[
    Type {
        name: "World",
        written: "ecs_core::World<{D}, {S}>",
        parameters: &[invariant("D", Declaration), invariant("S", Settings)],
    },
    Type {
        name: "Snapshot",
        written: "ecs_core::Snapshot<{D}>",
        parameters: &[invariant("D", Declaration)],
    },
    Type {
        name: "SystemSelection",
        written: "ecs_core::SystemSelection<{D}>",
        parameters: &[invariant("D", Declaration)],
    },
    Type {
        name: "ComponentClone",
        written: "ecs_core::generated::ComponentClone<{D}>",
        parameters: &[invariant("D", Declaration)],
    },
    Type {
        name: "ResourceClone",
        written: "ecs_core::generated::ResourceClone<{D}>",
        parameters: &[invariant("D", Declaration)],
    },
    Type {
        name: "SystemClone",
        written: "ecs_core::generated::SystemClone<{D}>",
        parameters: &[invariant("D", Declaration)],
    },
    Type {
        name: "ComponentSave",
        written: "ecs_core::generated::ComponentSave<{D}>",
        parameters: &[invariant("D", Declaration)],
    },
    Type {
        name: "ResourceSave",
        written: "ecs_core::generated::ResourceSave<{D}>",
        parameters: &[invariant("D", Declaration)],
    },
    Type {
        name: "SystemSave",
        written: "ecs_core::generated::SystemSave<{D}>",
        parameters: &[invariant("D", Declaration)],
    },
    Type {
        name: "SaveFormat",
        written: "ecs_core::SaveFormat<{D}>",
        parameters: &[invariant("D", Declaration)],
    },
    Type {
        name: "TextFormat",
        written: "ecs_core::TextFormat<{D}>",
        parameters: &[invariant("D", Declaration)],
    },
    Type {
        name: "UnknownParts",
        written: "ecs_core::UnknownParts<{D}>",
        parameters: &[invariant("D", Declaration)],
    },
    Type {
        name: "PartFormat",
        written: "ecs_core::PartFormat<{T}>",
        parameters: &[invariant("T", Any)],
    },
    Type {
        name: "Recording",
        written: "ecs_core::replay::Recording<{I}>",
        parameters: &[covariant("I", Any, "a list of values that the program has made")],
    },
    Type {
        name: "Player",
        written: "ecs_core::replay::Player<{'r}, {I}>",
        parameters: &[
            covariant("'r", Lifetime, "a recording that is only read, as long as it is borrowed"),
            covariant("I", Any, "the inputs of a shared recording"),
        ],
    },
    Type {
        name: "Divergence",
        written: "ecs_core::replay::Divergence<{'r}, {I}>",
        parameters: &[
            covariant(
                "'r",
                Lifetime,
                "recordings that are only read, as long as they are borrowed",
            ),
            covariant("I", Any, "the inputs of shared recordings"),
        ],
    },
    Type {
        name: "OfMessage",
        written: "ecs_core::generated::OfMessage<{M}>",
        parameters: &[invariant("M", Any)],
    },
    Type {
        name: "MessageForm",
        written: "ecs_core::generated::MessageForm<{M}>",
        parameters: &[invariant("M", Any)],
    },
    Type {
        name: "OfIndex",
        written: "ecs_core::generated::OfIndex<{D}, {E}>",
        parameters: &[invariant("D", Declaration), invariant("E", Any)],
    },
    Type {
        name: "IndexForm",
        written: "ecs_core::generated::IndexForm<{D}, {E}>",
        parameters: &[invariant("D", Declaration), invariant("E", Any)],
    },
    Type {
        name: "OfCopy",
        written: "ecs_core::generated::OfCopy<{T}>",
        parameters: &[invariant("T", Any)],
    },
    Type {
        name: "OfPlain",
        written: "ecs_core::generated::OfPlain<{T}>",
        parameters: &[invariant("T", Any)],
    },
    Type {
        name: "OfDefault",
        written: "ecs_core::generated::OfDefault<{T}>",
        parameters: &[invariant("T", Any)],
    },
    Type {
        name: "ComponentHash",
        written: "ecs_core::generated::ComponentHash<{D}>",
        parameters: &[invariant("D", Declaration)],
    },
    Type {
        name: "ComponentByName",
        written: "ecs_core::generated::ComponentByName<{D}>",
        parameters: &[invariant("D", Declaration)],
    },
    Type {
        name: "VariantsOf",
        written: "ecs_core::generated::VariantsOf<{M}>",
        parameters: &[invariant("M", Any)],
    },
    Type {
        name: "ResourceHash",
        written: "ecs_core::generated::ResourceHash<{D}>",
        parameters: &[invariant("D", Declaration)],
    },
    Type {
        name: "SystemHash",
        written: "ecs_core::generated::SystemHash<{D}>",
        parameters: &[invariant("D", Declaration)],
    },
    Type {
        name: "Show",
        written: "ecs_core::generated::Show<{D}>",
        parameters: &[invariant("D", Declaration)],
    },
    Type {
        name: "ShowComponent",
        written: "ecs_core::generated::ShowComponent<{D}, {C}>",
        parameters: &[invariant("D", Any), invariant("C", Any)],
    },
    Type {
        name: "ShowResource",
        written: "ecs_core::generated::ShowResource<{D}, {R}>",
        parameters: &[invariant("D", Any), invariant("R", Any)],
    },
    Type {
        name: "ShowSystem",
        written: "ecs_core::generated::ShowSystem<{D}, {N}>",
        parameters: &[invariant("D", Any), invariant("N", Any)],
    },
    Type {
        name: "StateHashes",
        written: "ecs_core::StateHashes<{D}>",
        parameters: &[invariant("D", Declaration)],
    },
    Type {
        name: "Fields",
        written: "ecs_core::generated::Fields<{'a}, {S}>",
        parameters: &[covariant("'a", Lifetime, CONTENT), covariant("S", Any, CONTENT)],
    },
    Type {
        name: "FieldBytes",
        written: "ecs_core::generated::FieldBytes<{F}>",
        parameters: &[invariant("F", Any)],
    },
    Type {
        name: "Events",
        written: "ecs_core::events::Events<{D}, {H}>",
        parameters: &[invariant("D", Declaration), covariant("H", Any, CONTENT)],
    },
    Type {
        name: "On",
        written: "ecs_core::events::On<{N}, {F}, {H}>",
        parameters: &[
            invariant("N", Name),
            covariant("F", Any, CONTENT),
            covariant("H", Any, CONTENT),
        ],
    },
    Type {
        name: "Named",
        written: "ecs_core::overrides::Named<{N}, {B}, {O}>",
        parameters: &[
            invariant("N", Name),
            covariant("B", Any, CONTENT),
            covariant("O", Any, CONTENT),
        ],
    },
    Type {
        name: "Each",
        written: "ecs_core::overrides::Each<{T}, {P}, {B}, {O}>",
        parameters: &[
            invariant("T", Any),
            invariant("P", Any),
            covariant("B", Any, CONTENT),
            covariant("O", Any, CONTENT),
        ],
    },
    Type {
        name: "Subtasks",
        written: "ecs_core::overrides::Subtasks<{F}>",
        parameters: &[covariant("F", Any, CONTENT)],
    },
    Type {
        name: "Detailed",
        written: "ecs_core::overrides::Detailed<{F}>",
        parameters: &[covariant("F", Any, CONTENT)],
    },
    Type {
        name: "DetailedInstance",
        written: "ecs_core::overrides::DetailedInstance<{F}>",
        parameters: &[covariant("F", Any, CONTENT)],
    },
    Type {
        name: "Only",
        written: "ecs_core::overrides::Only<{F}>",
        parameters: &[invariant("F", Any)],
    },
    Type {
        name: "ECS0113_not_in_read_or_write",
        written: "ecs_core::access::ECS0113_not_in_read_or_write<{N}, {C}>",
        parameters: &[invariant("N", Any), invariant("C", Any)],
    },
    Type { name: "ToRead", written: "", parameters: &[super::unprobed("C", Any, super::NO_VALUE)] },
    Type {
        name: "ToWrite",
        written: "",
        parameters: &[super::unprobed("C", Any, super::NO_VALUE)],
    },
    Type {
        name: "Template",
        written: "ecs_core::Template<{D}>",
        parameters: &[invariant("D", Declaration)],
    },
    Type {
        name: "Prefab",
        written: "ecs_core::Prefab<{D}>",
        parameters: &[invariant("D", Declaration)],
    },
    Type {
        name: "PrefabPart",
        written: "ecs_core::generated::PrefabPart<{D}>",
        parameters: &[invariant("D", Declaration)],
    },
    Type {
        name: "PrefabValue",
        written: "ecs_core::generated::PrefabValue<{D}, {C}>",
        parameters: &[invariant("D", Any), invariant("C", Any)],
    },
    Type {
        name: "PrefabHandles",
        written: "ecs_core::generated::PrefabHandles<{D}, {C}>",
        parameters: &[invariant("D", Any), invariant("C", Any)],
    },
    Type {
        name: "PrefabLinks",
        written: "ecs_core::generated::PrefabLinks<{D}, {X}>",
        parameters: &[invariant("D", Any), invariant("X", Any)],
    },
    Type {
        name: "FromTemplate",
        written: "ecs_core::FromTemplate<{D}, ({B},)>",
        parameters: &[invariant("D", Declaration), invariant("B", Any)],
    },
    Type {
        name: "StagedBundle",
        written: "ecs_core::generated::StagedBundle<{D}, ({B},)>",
        parameters: &[invariant("D", Declaration), invariant("B", Any)],
    },
    Type {
        name: "SpawnWriter",
        written: "ecs_core::generated::SpawnWriter<{'a}, {'s}, {I}, {F}, {D}>",
        parameters: &[
            covariant("'a", Lifetime, "the ranges of rows, shared"),
            invariant("'s", Lifetime),
            covariant("I", Any, CONTENT),
            covariant("F", Any, CONTENT),
            invariant("D", Any),
        ],
    },
    Type {
        name: "Every",
        written: "ecs_core::overrides::Every<{B}>",
        parameters: &[covariant("B", Any, CONTENT)],
    },
    Type {
        name: "Instances",
        written: "ecs_core::overrides::Instances<{B}>",
        parameters: &[covariant("B", Any, CONTENT)],
    },
    Type {
        name: "AtomicCounter",
        written: "ecs_core::scheduler::AtomicCounter<{A}>",
        parameters: &[invariant("A", Atomics)],
    },
    Type {
        name: "Gated",
        written: "ecs_core::scheduler::Gated<{S}>",
        parameters: &[covariant("S", Scheduler, CONTENT)],
    },
    Type {
        name: "StartNodes",
        written: "ecs_core::scheduler::StartNodes<{'a}>",
        parameters: &[covariant("'a", Lifetime, "a list of numbers, shared")],
    },
    Type {
        name: "Tables",
        written: "ecs_core::signature::Tables<{'a}>",
        parameters: &[covariant(
            "'a",
            Lifetime,
            "shared lists of plain data, which drive no access",
        )],
    },
    Type {
        name: "Config",
        written: "ecs_core::settings::Config<{L}, {I}, {S}>",
        parameters: &[invariant("L", Any), invariant("I", Any), invariant("S", Any)],
    },
    Type {
        name: "Scheduled",
        written: "ecs_core::settings::Scheduled<{D}, {S}>",
        parameters: &[invariant("D", Declaration), invariant("S", Scheduler)],
    },
    Type {
        name: "FixedThreshold",
        written: "ecs_core::inner_parallelism::FixedThreshold<{N}, {Below}, {From}>",
        parameters: &[constant("N"), invariant("Below", Any), invariant("From", Any)],
    },
    Type {
        name: "One",
        written: "ecs_core::generated::One<{N}>",
        parameters: &[invariant("N", Name)],
    },
    Type {
        name: "Both",
        written: "ecs_core::generated::Both<{L}, {R}>",
        parameters: &[invariant("L", Any), invariant("R", Any)],
    },
    Type {
        name: "Value",
        written: "ecs_core::storage::Value<{C}>",
        parameters: &[invariant("C", Any)],
    },
    Type {
        name: "Metadata",
        written: "ecs_core::storage::Metadata<{M}>",
        parameters: &[covariant("M", Any, CONTENT)],
    },
    Type {
        name: "HashMapStorage",
        written: "ecs_core::storage::HashMapStorage<{C}>",
        parameters: &[invariant("C", Any)],
    },
    Type {
        name: "SparseSetStorage",
        written: "ecs_core::storage::SparseSetStorage<{C}>",
        parameters: &[invariant("C", Any)],
    },
    Type {
        name: "External",
        written: "ecs_core::generated::External<{S}>",
        parameters: &[invariant("S", Strategy)],
    },
    Type {
        name: "ExternalColumn",
        written: "<ecs_core::generated::External<{S}> as ecs_core::generated::Stored<{C}>>::Table<'static>",
        parameters: &[invariant("C", Any), invariant("S", Strategy)],
    },
    Type {
        name: "Rows",
        written: "<ecs_core::generated::ContiguousBuffer as ecs_core::generated::Stored<u8>>::Table<{'a}>",
        parameters: &[covariant("'a", Lifetime, "an address, as long as the storage is borrowed")],
    },
    Type {
        name: "OptionalTable",
        written: "<Option<&'static u8> as ecs_core::QueryTerms<W<()>>>::Table<{'a}>",
        parameters: &[
            covariant(
                "'a",
                Lifetime,
                "an address and a shared list of presence words, as long as the storage is borrowed",
            ),
            unprobed(
                "T",
                Any,
                "it is a table of the library's always, `Pages` or a reference to a `ExternalColumn`",
            ),
        ],
    },
    Type {
        name: "OptionalPage",
        written: "<Option<&'static u8> as ecs_core::QueryTerms<W<()>>>::Cursor<{'a}>",
        parameters: &[
            covariant("'a", Lifetime, "shared presence words, as long as the storage is borrowed"),
            unprobed(
                "T",
                Any,
                "it is a cursor of the library's always: `Base`, or a column with a row",
            ),
        ],
    },
    Type {
        name: "Marked",
        written: "<ecs_core::Mut<'static, u8> as ecs_core::QueryTerms<W<()>>>::Table<{'a}>",
        parameters: &[
            covariant(
                "'a",
                Lifetime,
                "shared words, and an address, as long as the storage is borrowed",
            ),
            unprobed("T", Any, "it is a table or a cursor of the library's always"),
        ],
    },
    Type { name: "Stream", written: "ecs_core::Stream<{T}>", parameters: &[invariant("T", Any)] },
    Type {
        name: "Indexed",
        written: "ecs_core::generated::Indexed<ecs_core::generated::Custom<{I}>>",
        parameters: &[invariant("I", Index)],
    },
    Type {
        name: "ByKey",
        written: "ecs_core::generated::ByKey<{C}, {K}>",
        parameters: &[invariant("C", Any), invariant("K", Any)],
    },
    Type {
        name: "ByCell",
        written: "ecs_core::generated::ByCell<{C}, [f32; 2]>",
        parameters: &[invariant("C", Any), unprobed("P", Any, "a point is an array of `f32`")],
    },
    Type {
        name: "InBounds",
        written: "ecs_core::generated::InBounds<{C}, [f32; 2], {V}>",
        parameters: &[
            invariant("C", Any),
            unprobed("P", Any, "a point is an array of `f32`"),
            invariant("V", Any),
        ],
    },
    Type {
        name: "Custom",
        written: "ecs_core::generated::Custom<{I}>",
        parameters: &[covariant("I", Index, CONTENT)],
    },
    Type {
        name: "Copied",
        written: "ecs_core::generated::Copied<{C}>",
        parameters: &[covariant("C", Any, CONTENT)],
    },
    Type {
        name: "InCell",
        written: "ecs_core::generated::InCell<{V}>",
        parameters: &[covariant("V", Any, CONTENT)],
    },
    Type {
        name: "Groups",
        written: "<u8 as ecs_core::joins::Key>::Table",
        parameters: &[unprobed("K", Any, TABLE), unprobed("V", Any, TABLE)],
    },
    Type {
        name: "Numbered",
        written: "ecs_core::joins::Numbered<{V}, {BOUND}>",
        parameters: &[covariant("V", Any, CONTENT), constant("BOUND")],
    },
    Type {
        name: "Placed",
        written: "ecs_core::joins::Placed<{V}>",
        parameters: &[covariant("V", Any, CONTENT)],
    },
    Type {
        name: "Sorted",
        written: "ecs_core::joins::Sorted<{V}>",
        parameters: &[covariant("V", Any, CONTENT)],
    },
    Type {
        name: "ByRow",
        written: "ecs_core::joins::ByRow<{T}>",
        parameters: &[covariant("T", Any, CONTENT)],
    },
    Type {
        name: "Items",
        written: "ecs_core::joins::Items<{'a}, {T}>",
        parameters: &[covariant("'a", Lifetime, CONTENT), invariant("T", Any)],
    },
    Type {
        name: "Keyed",
        written: "ecs_core::generated::Keyed<ecs_core::generated::Custom<{I}>>",
        parameters: &[invariant("I", Index)],
    },
    Type {
        name: "Addressed",
        written: "ecs_core::Addressed<{M}>",
        parameters: &[covariant("M", Any, CONTENT)],
    },
    Type {
        name: "Messages",
        written: "ecs_core::Messages<{'a}, {M}>",
        parameters: &[covariant("'a", Lifetime, CONTENT), covariant("M", Any, CONTENT)],
    },
    Type {
        name: "EventQueue",
        written: "ecs_core::EventQueue<{T}>",
        parameters: &[covariant("T", Any, CONTENT)],
    },
    Type {
        name: "EventIter",
        written: "ecs_core::EventIter<{'a}, {T}>",
        parameters: &[covariant("'a", Lifetime, CONTENT), covariant("T", Any, CONTENT)],
    },
    Type {
        name: "Removed",
        written: "ecs_core::Removed<{'a}, {C}>",
        parameters: &[covariant("'a", Lifetime, CONTENT), covariant("C", Any, CONTENT)],
    },
    Type {
        name: "KeyedEvents",
        written: "<ecs_core::generated::ByKey<u8, u8> as ecs_core::generated::EventForm<u8>>::Table",
        parameters: &[unprobed("K", Any, TABLE), unprobed("E", Any, TABLE)],
    },
    Type {
        name: "EventsInBounds",
        written: "<ecs_core::generated::ByKey<u8, u8> as ecs_core::generated::EventForm<u8>>::Table",
        parameters: &[unprobed("E", Any, TABLE)],
    },
    Type {
        name: "OfKey",
        written: "<ecs_core::generated::ByKey<u8, u8> as ecs_core::generated::EventForm<u8>>::Found<'x>",
        parameters: &[unprobed("'a", Lifetime, FOUND), unprobed("E", Any, FOUND)],
    },
    Type {
        name: "InCells",
        written: "<ecs_core::generated::ByKey<u8, u8> as ecs_core::generated::EventForm<u8>>::Found<'x>",
        parameters: &[
            unprobed("'a", Lifetime, FOUND),
            unprobed("E", Any, FOUND),
            unprobed("P", Any, FOUND),
        ],
    },
    Type {
        name: "InRuns",
        written: "<ecs_core::generated::ByKey<u8, u8> as ecs_core::generated::EventForm<u8>>::Found<'x>",
        parameters: &[
            unprobed("'a", Lifetime, FOUND),
            unprobed("E", Any, FOUND),
            unprobed("P", Any, FOUND),
        ],
    },
    Type {
        name: "EventsBy",
        written: "ecs_core::joins::EventsBy<{'w}, {D}, {E}>",
        parameters: &[
            covariant("'w", Lifetime, CONTENT),
            invariant("D", Declaration),
            invariant("E", Any),
        ],
    },
    Type {
        name: "EventsAt",
        written: "ecs_core::joins::EventsAt<{'a}, {D}, {E}>",
        parameters: &[invariant("'a", Lifetime), invariant("D", Declaration), invariant("E", Any)],
    },
    Type {
        name: "Relation",
        written: "ecs_core::Relation<{X}>",
        parameters: &[invariant("X", Any)],
    },
    Type {
        name: "ManyToMany",
        written: "ecs_core::ManyToMany<{X}>",
        parameters: &[covariant("X", Any, CONTENT)],
    },
    Type {
        name: "Linked",
        written: "ecs_core::Linked<{'a}, {X}>",
        parameters: &[covariant("'a", Lifetime, CONTENT), covariant("X", Any, CONTENT)],
    },
    Type {
        name: "Children",
        written: "ecs_core::Children<{'a}>",
        parameters: &[covariant("'a", Lifetime, CONTENT)],
    },
];
