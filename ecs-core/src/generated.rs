//! What the code that [`world!`](crate::world!) and [`set!`](crate::set!) generate uses, and what that is made of.
//! Declarations by hand use [`codegen_unit`]. No other code needs it.

pub use crate::declaration::set::{
    Implies, IncludedIn, IsType, SetComponent, SetCondition, SetIndex, SetResource, SetSystem,
};
pub use crate::proxy::data::joins::{Indexed, Keyed, Unindexed};
pub use crate::proxy::events::indexed::{IndexForm, OfIndex};
pub use crate::proxy::query::joins::{
    ByCell, ByKey, Copied, Copies, CopyComponent, CopyOf, CopyTerms, Custom, EventForm, Form,
    HasCopies, InBounds, InCell, KeyOfEvents, KeysOf, Sight, TakesEntries,
};
pub use crate::signature::body::Code;
pub use crate::signature::bundle::{BundleFacts, Stageable, StagedBundle};
pub use crate::signature::check::{check_component, check_count, check_output, check_type};
pub use crate::signature::family::{Family, FamilyBy};
pub use crate::signature::tables::by_name::{ComponentByName, check_text_form};
pub use crate::signature::tables::condition::{
    Asked, Condition, ResourceValues, Test, TestOf, check_condition,
};
pub use crate::signature::tables::declaration::{
    Both, Combines, ComponentAt, EverySystem, One, SystemVisitor, no_such_system, unreadable,
};
pub use crate::signature::tables::events::{
    EventIsNotCopy, EventSignature, MessageForm, OfMessage, Queue,
};
pub use crate::signature::tables::initial::{InitialResource, InitialState};
pub use crate::signature::tables::relations::RelationSignature;
pub use crate::signature::tables::resource::ResourceSink;
pub use crate::signature::tables::states::{NoState, StateSignature, VariantsOf, check_variants};
pub use crate::signature::tables::streams::check_stream;
pub use crate::signature::undeclared::not_declared;
pub use crate::state::prefab::{NoPart, PrefabHandles, PrefabLinks, PrefabPart, PrefabValue};
#[cfg(feature = "serde")]
pub use crate::state::save::bounds::{SaveLines, SaveTable};
#[cfg(feature = "serde")]
pub use crate::state::save::parts::{
    ComponentSave, EventSaveForm, LinkSaveForm, RelationSaveForm, ResourceSave, SaveInPlace,
    SystemSave,
};
pub use crate::state::snapshot::bounds::{
    CloneComponent, CloneLines, CloneOutput, CloneResource, CloneSystem, CloneTable, HasNoSize,
    HashComponent, HashLines, HashResource, HashSystem, HashTable,
};
pub use crate::state::snapshot::clones::{ComponentClone, ResourceClone, SystemClone};
pub use crate::state::snapshot::hashes::{ComponentHash, ResourceHash, SystemHash};
pub use crate::state::snapshot::show::{
    NotDebug, Show, ShowComponent, ShowNothing, ShowResource, ShowSystem,
};
pub use crate::storage::stored::{ContiguousBuffer, External, Stages, Stored};
pub use crate::storage::{NewRow, SpawnWriter};
pub use crate::types::Expires;
#[cfg(feature = "serde")]
pub use crate::types::bytes::{
    Codec, HasNoDefault, IsNotPlain, OfDefault, OfPlain, SaveForm, form_of, state_form_of,
};
pub use crate::types::{FieldBytes, Fields, IsNotCopy, Neither, NoFieldBytes, OfCopy};
pub use ecs_macros::{set as declare_set, world as declare};

/// Types in modules of their own, one of which each system names.
pub mod codegen_unit {
    pub use crate::signature::codegen_unit::*;
}

/// The crate, by a name that has its version, which each declaration imports. The macros make the same name of their own
/// version, which is that of this crate.
pub mod library {
    pub use crate as __ecs_0_1_0;
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_name_has_the_version() {
        let name = format!("__ecs_{}", env!("CARGO_PKG_VERSION").replace('.', "_"));
        let text = include_str!("generated.rs");
        assert!(text.contains(&format!("pub use crate as {name};")), "the version is another");
    }
}
