//! Which worlds can be saved. As for clones, a declaration implements [`SaveTable`] *where* each of its parts can be saved.

use super::parts::{ComponentSave, ResourceSave, SystemSave};
use crate::signature::Declaration;
use crate::state::snapshot::lines;

/// Worlds of this declaration can be [saved](crate::World::save) and [loaded](crate::World::load): all of its components,
/// resources and states of systems have bytes, except what is transient.
///
/// Generic code needs it as a bound:
///
/// ```
/// use ecs_core::settings::Settings;
/// use ecs_core::{Saveable, World};
///
/// fn size<D: Saveable, S: Settings>(world: &World<D, S>) -> usize {
///     let mut bytes = Vec::new();
///     world.save(&mut bytes).expect("memory takes the bytes");
///     bytes.len()
/// }
/// # ecs_core::world! { world Nothing; }
/// # assert!(size(&World::<Nothing>::new()) > 0);
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0149] worlds of `{Self}` are not known to have bytes",
    label = "`{Self}` is not `Saveable`",
    note = "if `{Self}` is a parameter, write the bound `{Self}: ecs_core::Saveable`; for what `world!` declares it holds by itself, if it can"
)]
pub trait Saveable: SaveTable<'static> {}

impl<D: SaveTable<'static>> Saveable for D {}

/// How each part of a world is saved. The tables are lists of sections, like those of
/// [`CloneTable`](crate::generated::CloneTable).
pub trait SaveTable<'a>: Declaration {
    /// One for each component.
    const COMPONENT_SAVES: &'static [&'static [ComponentSave<Self>]];
    /// One for each resource; `None` if it is transient.
    const RESOURCE_SAVES: &'static [&'static [Option<ResourceSave<Self>>]];
    /// Those of the systems that are not transient, and have a state or an output.
    const SYSTEM_SAVES: &'static [&'static [SystemSave<Self>]];
}

/// A section of the tables, as [`CloneLines`](crate::generated::CloneLines) are one of those of clones.
pub trait SaveLines<'a, const SECTION: usize>: Declaration {
    /// How some components are saved.
    const COMPONENTS: &'static [ComponentSave<Self>] = &[];
    /// How some resources are saved.
    const RESOURCES: &'static [Option<ResourceSave<Self>>] = &[];
    /// How some systems are saved.
    const SYSTEMS: &'static [SystemSave<Self>] = &[];
}

/// Asserts that the tables have a line for each component and each resource, in their order.
///
/// # Panics
/// If they have not, which cannot happen with `world!`.
pub(super) fn assert_complete<D: Saveable>() {
    let components = lines(D::COMPONENT_SAVES).map(|save| save.index);
    let resources = lines(D::RESOURCE_SAVES).enumerate();
    let resources = resources.map(|(at, save)| save.as_ref().map_or(at, |save| save.index));
    assert!(
        components.eq(0..D::COMPONENTS.len()) && resources.eq(0..D::RESOURCES.len()),
        "the declaration `{}` says how to save other components or resources than it has",
        D::NAME,
    );
}
