//! What a system may do, as traits over the declaration.
//!
//! `world!` implements one of these traits for each right that a signature declares; the methods of proxies
//! have them as bounds. A missing right is therefore a compile error at the place of use, which
//! names the system, the component and the line to add. The traits provide the messages; soundness does not rest on
//! them: every proxy asserts the same right against the declaration's tables in `const` evaluation. Each
//! message begins with a code, which [`errors`](crate::errors) explains.
//!
//! `Self` is the system's name, `D` the declaration.

use super::Declaration;

/// The system reads `C` of its own entities, all of which have it.
#[diagnostic::on_unimplemented(
    message = "[E0050] the system `{Self}` does not declare that it reads `{C}`",
    label = "undeclared read of `{C}`",
    note = "add `{C}` to the `read: [..]` of `system {Self}` in the declaration of `{D}`"
)]
pub trait Reads<C, D: Declaration> {}

/// The system writes `C` of its own entities, all of which have it.
#[diagnostic::on_unimplemented(
    message = "[E0051] the system `{Self}` does not declare that it writes `{C}`",
    label = "undeclared write of `{C}`",
    note = "add `{C}` to the `write: [..]` of `system {Self}` in the declaration of `{D}`"
)]
pub trait Writes<C, D: Declaration>: Reads<C, D> {}

/// The system reads `C` of those of its own entities that have it.
#[diagnostic::on_unimplemented(
    message = "[E0050] the system `{Self}` does not declare that it optionally reads `{C}`",
    label = "undeclared optional read of `{C}`",
    note = "add `{C}` to the `read_optional: [..]` of `system {Self}` in the declaration of `{D}`"
)]
pub trait ReadsOptional<C, D: Declaration> {}

/// The system writes `C` of those of its own entities that have it.
#[diagnostic::on_unimplemented(
    message = "[E0051] the system `{Self}` does not declare that it optionally writes `{C}`",
    label = "undeclared optional write of `{C}`",
    note = "add `{C}` to the `write_optional: [..]` of `system {Self}` in the declaration of `{D}`"
)]
pub trait WritesOptional<C, D: Declaration>: ReadsOptional<C, D> {}

/// The system reads `C` of any entity.
#[diagnostic::on_unimplemented(
    message = "[E0052] the system `{Self}` does not declare that it reads `{C}` of any entity",
    label = "undeclared read of `{C}` of another entity",
    note = "add `{C}` to the `read_any: [..]` of `system {Self}` in the declaration of `{D}`"
)]
pub trait ReadsAny<C, D: Declaration> {}

/// The system runs as one subtask that reaches every entity.
#[diagnostic::on_unimplemented(
    message = "[E0053] the system `{Self}` does not declare that it is exclusive",
    label = "reaches entities other than its own",
    note = "add `exclusive` to `system {Self}` in the declaration of `{D}`, or `read_any: [..]` to only read"
)]
pub trait Exclusive<D: Declaration> {}

/// The system runs alone, sees the world as it is now, and changes it at once.
#[diagnostic::on_unimplemented(
    message = "[E0088] the system `{Self}` does not declare that it is sequential",
    label = "sees and changes the world as it is now",
    note = "add `sequential` to `system {Self}` in the declaration of `{D}`"
)]
pub trait IsSequential<D: Declaration> {}

/// The system may see its slices, or those of its inputs.
#[diagnostic::on_unimplemented(
    message = "[E0054] the system `{Self}` does not declare that it is slice-dependent",
    label = "shows how the entities were split over subtasks",
    note = "add `slice_dependent` to `system {Self}` in the declaration of `{D}`: its results may then depend on the number of subtasks"
)]
pub trait SliceDependent<D: Declaration> {}

/// The system reads the state and the outputs of the system `S`.
#[diagnostic::on_unimplemented(
    message = "[E0055] the system `{Self}` does not declare `{S}` as an input",
    label = "undeclared use of `{S}`",
    note = "add `{S}` to the `inputs: [..]` of `system {Self}` in the declaration of `{D}`"
)]
pub trait Inputs<S, D: Declaration> {}

/// The system reads the members of the query `Q`.
#[diagnostic::on_unimplemented(
    message = "[E0086] the system `{Self}` does not declare the query `{Q}`",
    label = "undeclared use of `{Q}`",
    note = "add `{Q}` to the `queries: [..]` of `system {Self}` in the declaration of `{D}`"
)]
pub trait Queries<Q, D: Declaration> {}

/// The sequential system writes `C` of the members of its queries, if the queries show it.
#[diagnostic::on_unimplemented(
    message = "[E0051] the system `{Self}` does not declare that it writes `{C}`",
    label = "undeclared write of `{C}` of a member",
    note = "add `{C}` to the `write: [..]` of `system {Self}` in the declaration of `{D}`, or to its `write_optional: [..]` if own entities need not have it"
)]
pub trait WritesMembers<C, D: Declaration> {}

/// The system receives the items that the system `S` sends.
#[diagnostic::on_unimplemented(
    message = "[E0049] the system `{Self}` does not declare that it takes the stream of `{S}`",
    label = "undeclared use of the stream of `{S}`",
    note = "add `{S}` to the `streams: [..]` of `system {Self}` in the declaration of `{D}`"
)]
pub trait Receives<S, D: Declaration> {}

/// The system reads the resource `R`.
#[diagnostic::on_unimplemented(
    message = "[E0056] the system `{Self}` does not declare that it reads the resource `{R}`",
    label = "undeclared read of `{R}`",
    note = "add `{R}` to the `read_resources: [..]` of `system {Self}` in the declaration of `{D}`"
)]
pub trait ReadsResource<R, D: Declaration> {}

/// The system writes the resource `R`. This includes reading it.
#[diagnostic::on_unimplemented(
    message = "[E0057] the system `{Self}` does not declare that it writes the resource `{R}`",
    label = "undeclared write of `{R}`",
    note = "add `{R}` to the `write_resources: [..]` of `system {Self}` in the declaration of `{D}`"
)]
pub trait WritesResource<R, D: Declaration> {}

/// The system despawns entities.
#[diagnostic::on_unimplemented(
    message = "[E0058] the system `{Self}` does not declare that it despawns entities",
    label = "undeclared `despawn`",
    note = "add `despawn` to `system {Self}` in the declaration of `{D}`"
)]
pub trait Despawns<D: Declaration> {}

/// The system inserts `C` at the refresh.
#[diagnostic::on_unimplemented(
    message = "[E0059] the system `{Self}` does not declare that it inserts `{C}`",
    label = "undeclared insertion of `{C}`",
    note = "add `{C}` to the `insert: [..]` of `system {Self}` in the declaration of `{D}`"
)]
pub trait Inserts<C, D: Declaration> {}

/// The system removes `C` at the refresh.
#[diagnostic::on_unimplemented(
    message = "[E0060] the system `{Self}` does not declare that it removes `{C}`",
    label = "undeclared removal of `{C}`",
    note = "add `{C}` to the `remove: [..]` of `system {Self}` in the declaration of `{D}`"
)]
pub trait Removes<C, D: Declaration> {}

/// The system replaces `C` of its own entities, all of which have it, at the refresh.
#[diagnostic::on_unimplemented(
    message = "[E0051] the system `{Self}` does not declare that it updates `{C}`",
    label = "undeclared update of `{C}`",
    note = "add `{C}` to the `update: [..]` of `system {Self}` in the declaration of `{D}`"
)]
pub trait Updates<C, D: Declaration>: Reads<C, D> {}

/// The system spawns entities with the bundle `B`.
#[diagnostic::on_unimplemented(
    message = "[E0061] the system `{Self}` does not declare that it spawns `{B}`",
    label = "undeclared spawn",
    note = "add `{B}` to the `spawn: [..]` of `system {Self}` in the declaration of `{D}`",
    note = "if it is one component, and listed there, spawn it as a tuple: `spawn((component,))`"
)]
pub trait Spawns<B, D: Declaration> {
    /// The bundle's position among those that the system spawns. Entities are spawned in the order of
    /// positions. Each bundle has its own position.
    const POSITION: usize = 0;
}

/// The system defers arbitrary functions to the refresh.
#[diagnostic::on_unimplemented(
    message = "[E0062] the system `{Self}` does not declare that it defers functions",
    label = "undeclared `defer`",
    note = "add `defer` to `system {Self}` in the declaration of `{D}`"
)]
pub trait Defers<D: Declaration> {}
