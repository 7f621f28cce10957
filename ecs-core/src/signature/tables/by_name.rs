//! Components that are accessible by name at run time, as text: `component Health: by_name`.

use core::fmt::{self, Display};
use core::marker::PhantomData;
use core::str::FromStr;

use crate::entity::Entity;
use crate::signature::{ComponentSignature, Declaration, HasComponent};
use crate::storage::Storage;
use crate::types::{Brand, ThreadSafe};

/// A type that has a form as text, which can be read back: it is [`Display`] and [`FromStr`], with an error that is
/// [`Display`]. A component that is `by_name` has one.
///
/// ```
/// use std::fmt;
/// use std::num::ParseIntError;
/// use std::str::FromStr;
///
/// struct Health(u32);
///
/// impl fmt::Display for Health {
///     fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
///         self.0.fmt(f)
///     }
/// }
///
/// impl FromStr for Health {
///     type Err = ParseIntError;
///
///     fn from_str(text: &str) -> Result<Self, ParseIntError> {
///         text.parse().map(Self)
///     }
/// }
///
/// fn has_a_text_form<T: ecs_core::TextForm>() {}
/// has_a_text_form::<Health>();
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0148] `{Self}` is `by_name`, but has no form as text",
    label = "cannot be read and set by name",
    note = "implement `std::fmt::Display` and `std::str::FromStr`, with an error that is `Display`, for `{Self}`; or leave out `by_name`"
)]
pub trait TextForm: ThreadSafe + Display + FromStr<Err: Display> {}

#[diagnostic::do_not_recommend]
impl<C: ThreadSafe + Display + FromStr<Err: Display>> TextForm for C {}

/// Compiles if a `C` can be accessed by name. `set!` calls it, as no declaration has the component yet.
pub const fn check_text_form<C: TextForm>() {}

/// The operations on a component of the declaration `D` that need its type.
pub struct ComponentByName<D> {
    index: usize,
    /// The text of the value in a row, if there is one.
    read: fn(&Storage, usize) -> Option<String>,
    /// Gives the row, which has a value, that of the text.
    set: Write,
    /// Gives the row a value, whether it has one or not.
    insert: Write,
    /// Removes the value of the row.
    remove: fn(&mut Storage, usize),
    declaration: Brand<D>,
}

/// Writes the value of a text into a row; or says why the text has none, and writes nothing.
type Write = fn(&mut Storage, usize, &str) -> Result<(), String>;

impl<D: Declaration> ComponentByName<D> {
    /// For the component `C`.
    #[must_use]
    pub const fn of<C: TextForm>() -> Self
    where
        D: HasComponent<C>,
    {
        Self {
            index: <D as HasComponent<C>>::INDEX,
            read: |storage, row| storage.get::<D, C>(row).map(C::to_string),
            set: |storage, row, text| {
                drop(storage.update::<D, C>(row, parse::<C>(text)?));
                Ok(())
            },
            insert: |storage, row, text| {
                drop(storage.insert::<D, C>(row, parse::<C>(text)?));
                Ok(())
            },
            remove: |storage, row| {
                storage.discard::<D, C>(row);
            },
            declaration: PhantomData,
        }
    }

    /// The component's name.
    pub(crate) fn name(&self) -> &'static str {
        D::COMPONENTS[self.index].name()
    }
}

impl<D: Declaration> fmt::Debug for ComponentByName<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ComponentByName").field(&self.index).finish()
    }
}

/// The value of a text, or why it has none.
fn parse<C: TextForm>(text: &str) -> Result<C, String> {
    text.parse().map_err(|error: C::Err| error.to_string())
}

/// Why a component cannot be accessed by name. Nothing has changed.
///
/// ```
/// # use ecs_core::{ByNameError, World, world};
/// # struct Speed(f32);
/// # type Level = u8;
/// # world! { world Wood; component Level: by_name; component Speed; }
/// let mut world = World::<Wood>::new();
/// let orc = world.spawn((Speed(1.5),));
/// let error = world.get_by_name(orc, "Speed").unwrap_err();
/// assert_eq!(error, ByNameError::NotByName { component: "Speed", world: "Wood" });
/// let error = world.get_by_name(orc, "Level").unwrap_err();
/// assert_eq!(error, ByNameError::Absent { component: "Level", entity: orc });
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ByNameError {
    /// The world has no component of this name.
    NoSuchComponent {
        /// The name that was asked for.
        name: String,
        /// A similar name of a component, if there is one.
        similar: Option<&'static str>,
        /// The name of the declaration.
        world: &'static str,
    },
    /// The declaration does not say `by_name` of the component.
    NotByName {
        /// The component.
        component: &'static str,
        /// The name of the declaration.
        world: &'static str,
    },
    /// The entity is not alive.
    NoSuchEntity {
        /// The entity.
        entity: Entity,
    },
    /// The entity does not have the component.
    Absent {
        /// The component.
        component: &'static str,
        /// The entity.
        entity: Entity,
    },
    /// The component has no value of this text.
    Invalid {
        /// The component.
        component: &'static str,
        /// The text.
        text: String,
        /// What the component's `FromStr` says of it.
        reason: String,
    },
}

impl Display for ByNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchComponent { name, similar, world } => {
                write!(f, "the world `{world}` has no component `{name}`")?;
                similar.map_or(Ok(()), |similar| write!(f, "; did you mean `{similar}`?"))
            }
            Self::NotByName { component, world } => write!(
                f,
                "the component `{component}` is not accessible by name; write `component {component}: by_name;` in the \
                 declaration of `{world}`"
            ),
            Self::NoSuchEntity { entity } => write!(f, "the entity {entity:?} is not alive"),
            Self::Absent { component, entity } => {
                write!(f, "the entity {entity:?} has no `{component}`")
            }
            Self::Invalid { component, text, reason } => {
                write!(f, "the component `{component}` cannot be `{text}`: {reason}")
            }
        }
    }
}

impl core::error::Error for ByNameError {}

/// A component of an entity, by name.
struct Named<D: Declaration> {
    component: &'static ComponentByName<D>,
    entity: Entity,
    row: usize,
}

impl<D: Declaration> Named<D> {
    /// Whether the entity is alive is asked at last: a name that never stands for anything is the graver fault.
    fn find(storage: &Storage, entity: Entity, name: &str) -> Result<Self, ByNameError> {
        let component = find::<D>(name)?;
        let row = storage.entities.row(entity).ok_or(ByNameError::NoSuchEntity { entity })?;
        Ok(Self { component, entity, row })
    }

    fn absent(&self) -> ByNameError {
        ByNameError::Absent { component: self.component.name(), entity: self.entity }
    }

    fn present(self, storage: &Storage) -> Result<Self, ByNameError> {
        let presence = storage.presence_at(self.component.index);
        if presence.contains(self.row) { Ok(self) } else { Err(self.absent()) }
    }

    fn write(&self, storage: &mut Storage, write: Write, text: &str) -> Result<(), ByNameError> {
        write(storage, self.row, text).map_err(|reason| ByNameError::Invalid {
            component: self.component.name(),
            text: text.to_owned(),
            reason,
        })
    }
}

/// The component of this name, if it is accessible by it. O(components).
fn find<D: Declaration>(name: &str) -> Result<&'static ComponentByName<D>, ByNameError> {
    let names = || D::COMPONENTS.iter().map(ComponentSignature::name);
    let Some(index) = names().position(|known| known == name) else {
        let similar = ecs_rules::closest(name, names());
        return Err(ByNameError::NoSuchComponent {
            name: name.to_owned(),
            similar,
            world: D::NAME,
        });
    };
    D::BY_NAME
        .iter()
        .find(|component| component.index == index)
        .ok_or(ByNameError::NotByName { component: D::COMPONENTS[index].name(), world: D::NAME })
}

/// The text of the entity's component.
pub(crate) fn get<D: Declaration>(
    storage: &Storage,
    entity: Entity,
    name: &str,
) -> Result<String, ByNameError> {
    let named = Named::<D>::find(storage, entity, name)?;
    (named.component.read)(storage, named.row).ok_or_else(|| named.absent())
}

/// Gives the component, which the entity has, the value of the text.
pub(crate) fn set<D: Declaration>(
    storage: &mut Storage,
    entity: Entity,
    name: &str,
    text: &str,
) -> Result<(), ByNameError> {
    let named = Named::<D>::find(storage, entity, name)?.present(storage)?;
    named.write(storage, named.component.set, text)
}

/// Gives the entity the component, or that the value of the text.
pub(crate) fn insert<D: Declaration>(
    storage: &mut Storage,
    entity: Entity,
    name: &str,
    text: &str,
) -> Result<(), ByNameError> {
    let named = Named::<D>::find(storage, entity, name)?;
    named.write(storage, named.component.insert, text)
}

/// Removes the component, which the entity has.
pub(crate) fn remove<D: Declaration>(
    storage: &mut Storage,
    entity: Entity,
    name: &str,
) -> Result<(), ByNameError> {
    let named = Named::<D>::find(storage, entity, name)?.present(storage)?;
    (named.component.remove)(storage, named.row);
    Ok(())
}

/// The names of the entity's components, in the order of the declaration.
pub(crate) fn names_of<D: Declaration>(
    storage: &Storage,
    entity: Entity,
) -> impl Iterator<Item = &'static str> {
    let row = storage.entities.row(entity);
    let all =
        row.map(|row| D::COMPONENTS.iter().enumerate().map(move |(index, one)| (index, row, one)));
    let of_entity = all.into_iter().flatten();
    of_entity
        .filter(|&(index, row, _)| storage.presence_at(index).contains(row))
        .map(|(.., one)| one.name())
}
