//! Why entities make no prefab.

use core::{error, fmt};

use crate::entity::Entity;

/// Why entities make no [`Prefab`](crate::Prefab), or why a link in one is not possible.
///
/// ```
/// use ecs_core::{Prefab, PrefabError, Template, World, world};
///
/// struct Holds;
/// world! { world Field; relation Holds: one_to_many, on_despawn: detach; }
///
/// let mut world = World::<Field>::new();
/// let stone = world.spawn(());
/// world.despawn(stone);
/// assert_eq!(world.prefab([stone]).unwrap_err(), PrefabError::NotAlive { entity: stone });
///
/// let mut prefab = Prefab::<Field>::new();
/// let [one, other] = [(), ()].map(|()| prefab.push(Template::default()));
/// prefab.link::<Holds>(one, other)?;
/// let error = prefab.link::<Holds>(other, one).unwrap_err();
/// assert_eq!(error, PrefabError::Cycle { relation: "Holds", child: 1, parent: 0 });
/// assert!(error.to_string().contains("its own ancestor"));
/// # Ok::<_, PrefabError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PrefabError {
    /// An entity is not alive.
    NotAlive {
        /// The entity.
        entity: Entity,
    },
    /// An entity was given twice.
    Twice {
        /// The entity.
        entity: Entity,
    },
    /// The prefab has no entity of this number.
    NoEntity {
        /// The number.
        number: usize,
        /// How many entities there are.
        len: usize,
    },
    /// The child has another parent.
    SecondParent {
        /// The relation.
        relation: &'static str,
        /// The number of the child.
        child: usize,
        /// The number of the parent that it has.
        has: usize,
    },
    /// The child is the parent, or an ancestor of it.
    Cycle {
        /// The relation.
        relation: &'static str,
        /// The number of the child.
        child: usize,
        /// The number of the parent.
        parent: usize,
    },
}

impl fmt::Display for PrefabError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAlive { entity } => write!(f, "the entity {entity:?} is not alive"),
            Self::Twice { entity } => {
                write!(f, "the entity {entity:?} is to be in the prefab twice")
            }
            Self::NoEntity { number, len } => {
                write!(f, "there is no entity {number} in the prefab, which has {len}")
            }
            Self::SecondParent { relation, child, has } => {
                write!(
                    f,
                    "entity {child} of the prefab has entity {has} as its parent in `{relation}`"
                )
            }
            Self::Cycle { relation, child, parent } => write!(
                f,
                "with entity {parent} as its parent in `{relation}`, entity {child} of the prefab would be its own ancestor"
            ),
        }
    }
}

impl error::Error for PrefabError {}
