//! *Prefabs*: entities with the links between them, outside of a world, which can be spawned any number of times.
//!
//! ```text
//! world ─ entities, and the links between them ─▶ prefab ─ n times ─▶ world
//!                                                 ▲   │
//!                                                 │   ▼
//!                                            bytes, text
//! ```
//!
//! In a prefab, entities have numbers. A component refers to entity *n* by the handle [`Prefab::handle`]`(n)`, which a spawn replaces by that of the
//! new entity.

mod error;
mod links;
mod parts;

pub use error::PrefabError;
pub(crate) use links::AnyLinks;
pub use parts::{NoPart, PrefabHandles, PrefabLinks, PrefabPart, PrefabValue};

use core::fmt;
use core::num::NonZeroU32;
use std::collections::BTreeMap;

use crate::changes::Template;
use crate::entity::{Entity, LimitReached};
use crate::relations::{ManyToMany, Relation};
use crate::signature::{Declaration, HasManyToMany, HasRelation, HasResource};
use crate::state::Resources;
use crate::state::snapshot::Cloneable;
use crate::storage::Storage;
use crate::types::ThreadSafe;
use links::{LinkList, ParentList};
use parts::Part;

/// Several entities with their components and the links between them, outside of a world: a tank with its turret and crew, or the inside of
/// a house. They can be spawned any number of times.
///
/// There are four sources of a prefab:
///
/// - a world: [`World::prefab`](crate::World::prefab), [`World::prefab_tree`](crate::World::prefab_tree);
/// - code: [`push`](Self::push), [`link`](Self::link);
/// - bytes, with the feature `serde`: `World::load_prefab`;
/// - text that people write, with the feature `ron`: `TextFormat::load_prefab`.
///
/// Worlds, steps and deferred functions spawn it ([`World::spawn_prefabs`](crate::World::spawn_prefabs)); systems do it by deferred functions. The state
/// of the world has to be `Clone`.
///
/// Entities have numbers, from 0, and links lead from one number to another. A component refers to an entity by [`handle`](Self::handle) of its number.
/// If the component implements [`MapEntities`](trait@crate::MapEntities), a spawn replaces that handle by that of the new entity. Handles in other
/// components are copied as they are.
///
/// A prefab has no references to entities outside of it: a link to one is left out, and a handle that is replaced becomes one that is never valid.
///
/// ```
/// use ecs_core::{Entity, MapEntities, Prefab, Template, World, world};
///
/// #[derive(Clone, Debug, PartialEq)]
/// struct Armor(u32);
/// #[derive(Clone, MapEntities)]
/// struct Gunner(#[entities] Entity);
/// struct PartOf;
///
/// world! {
///     world Field;
///     component Armor, Gunner;
///     relation PartOf: one_to_many, on_despawn: despawn;
/// }
///
/// let mut tank = Prefab::<Field>::new();
/// let hull = tank.push(Template::new((Armor(80),)));
/// let turret = tank.push(Template::new((Armor(40), Gunner(Prefab::<Field>::handle(2)))));
/// let gunner = tank.push(Template::default());
/// tank.link::<PartOf>(turret, hull)?;
/// tank.link::<PartOf>(gunner, turret)?;
///
/// let mut world = World::<Field>::new();
/// let tanks = world.spawn_prefabs(&tank, 1000);
/// assert_eq!(world.entity_count(), 3000);
/// let [hull, turret, gunner] = tanks[3 * 7..][..3] else { unreachable!() };
/// assert_eq!(world.parent::<PartOf>(turret), Some(hull));
/// assert_eq!(world.get::<Gunner>(turret).unwrap().0, gunner);
///
/// // The same from a world, with one that is damaged.
/// world.get_mut::<Armor>(hull).unwrap().0 = 15;
/// let damaged = world.prefab_tree::<PartOf>(hull)?;
/// let [copy, ..] = world.spawn_prefab(&damaged)[..] else { unreachable!() };
/// assert_eq!(world.get(copy), Some(&Armor(15)));
/// # Ok::<_, ecs_core::PrefabError>(())
/// ```
#[doc(alias = "scene")]
pub struct Prefab<D: Declaration> {
    entities: Vec<Template<D>>,
    /// By the index of the relation among the resources.
    links: BTreeMap<usize, Box<dyn AnyLinks>>,
}

impl<D: Declaration> Prefab<D> {
    /// A prefab without entities.
    #[must_use]
    pub fn new() -> Self {
        Self { entities: Vec::new(), links: BTreeMap::new() }
    }

    /// The handle that components of a prefab hold for the entity of this number. In a world it has no meaning.
    ///
    /// # Panics
    /// If the number is 2³² or more.
    #[must_use]
    pub fn handle(number: usize) -> Entity {
        let index = u32::try_from(number).expect("a prefab has fewer than 2³² entities");
        Entity::new(index, NonZeroU32::MIN)
    }

    /// Adds an entity with the components of the template, and returns its number. [Children](Template::with_children) of the template
    /// become entities with the numbers behind it, which are linked to it. Amortized O(descendants).
    pub fn push(&mut self, template: Template<D>) -> usize {
        let number = self.entities.len();
        self.entities.push(template);
        self.number_children(number);
        number
    }

    /// Makes entities of the children of templates, from this number on, and of theirs.
    fn number_children(&mut self, from: usize) {
        let mut parent = from;
        while parent < self.entities.len() {
            for (relation, child) in self.entities[parent].take_children() {
                let number = self.entities.len();
                self.entities.push(child);
                self.parents_in(relation).append(number, parent);
            }
            parent += 1;
        }
    }

    /// The number of entities.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entities.len()
    }

    /// Whether there are no entities.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entities.is_empty()
    }

    /// The entities, by number.
    #[must_use]
    pub fn entities(&self) -> &[Template<D>] {
        &self.entities
    }

    /// The entities, by number, to change them. Children that templates get here are spawned, too, but have no numbers.
    #[must_use]
    pub fn entities_mut(&mut self) -> &mut [Template<D>] {
        &mut self.entities
    }

    /// Makes the entity `parent` the parent of `child` in the relation `X`. O(ancestors of `parent` + links of children with higher numbers).
    ///
    /// # Errors
    /// If one of them does not exist, if `child` has another parent, or if `child` is `parent` or an ancestor of it.
    pub fn link<X: 'static>(&mut self, child: usize, parent: usize) -> Result<(), PrefabError>
    where
        D: HasRelation<X>,
    {
        let [child, parent] = [self.number(child)?, self.number(parent)?];
        self.parents_in(<D as HasResource<Relation<X>>>::INDEX).add(child, parent)
    }

    /// The parents in the relation of one to many with this resource.
    fn parents_in(&mut self, resource: usize) -> &mut ParentList {
        self.links_in(resource, || ParentList::of::<D>(resource))
    }

    /// The links in the relation with this resource, of which `L` is the list.
    fn links_in<L: AnyLinks + 'static>(&mut self, resource: usize, new: impl Fn() -> L) -> &mut L {
        let links = self.links.entry(resource).or_insert_with(|| Box::new(new()));
        links.as_any_mut().downcast_mut().expect("a resource is a relation of one type")
    }

    /// Links the entity `source` to `target` in the relation `X` of many to many, with this value. If they are linked already, it replaces the
    /// value of the link. O(links behind the new one + log links).
    ///
    /// # Errors
    /// If one of them does not exist.
    pub fn insert_link<X: ThreadSafe + Clone>(
        &mut self,
        source: usize,
        target: usize,
        value: X,
    ) -> Result<(), PrefabError>
    where
        D: HasManyToMany<X>,
    {
        let ends = [self.number(source)?, self.number(target)?];
        let resource = <D as HasResource<ManyToMany<X>>>::INDEX;
        self.links_in(resource, LinkList::<X>::new).insert(ends, value);
        Ok(())
    }

    /// The same prefab, in which all children of templates are entities.
    #[cfg(feature = "serde")]
    pub(crate) fn flat(&self) -> Self {
        let mut this = self.clone();
        this.number_children(0);
        this
    }

    /// The number, if there is such an entity.
    fn number(&self, number: usize) -> Result<u32, PrefabError> {
        let len = self.entities.len();
        let found = u32::try_from(number).ok().filter(|_| number < len);
        found.ok_or(PrefabError::NoEntity { number, len })
    }

    /// The links, by the index of the relation among the resources.
    #[cfg(feature = "ron")]
    pub(crate) fn links(&self) -> &BTreeMap<usize, Box<dyn AnyLinks>> {
        &self.links
    }
}

impl<D: Cloneable> Prefab<D> {
    /// Copies the entities out of a world, in this order.
    pub(crate) fn of(
        storage: &Storage,
        resources: &Resources,
        entities: &[Entity],
    ) -> Result<Self, PrefabError> {
        let mut numbers = BTreeMap::new();
        for (number, &entity) in (0..).zip(entities) {
            if storage.entities.row(entity).is_none() {
                return Err(PrefabError::NotAlive { entity });
            }
            if numbers.insert(entity, number).is_some() {
                return Err(PrefabError::Twice { entity });
            }
        }
        let number = |entity: Entity| numbers.get(&entity).copied();
        let mut this = Self::new();
        this.entities.resize_with(entities.len(), Template::default);
        for part in D::PREFAB_PARTS.iter().flatten() {
            match part.0 {
                Part::Value { take } => {
                    for (template, &entity) in this.entities.iter_mut().zip(entities) {
                        if let Some(row) = storage.entities.row(entity) {
                            take(storage, row, template);
                        }
                    }
                }
                // Below, after all values.
                Part::Handles { .. } => {}
                Part::Links { resource, take } => {
                    let links = take(resources, &storage.entities, entities, &number);
                    if let Some(links) = links {
                        this.links.insert(resource, links);
                    }
                }
            }
        }
        let map = &mut |entity| match number(entity) {
            Some(number) => Self::handle(number as usize),
            None => Entity::NEVER,
        };
        for (component, in_template, _) in handles::<D>() {
            for template in this.entities.iter_mut().filter(|one| one.contains_at(component)) {
                in_template(template, map);
            }
        }
        Ok(this)
    }

    /// Spawns all entities `count` times, and stages their links, for the next refresh. Returns the handles of the first copy, in
    /// order, then those of the second copy, and so on. Without room for all of them, it spawns none.
    pub(crate) fn spawn(
        &self,
        storage: &mut Storage,
        resources: &mut Resources,
        count: usize,
    ) -> Result<Vec<Entity>, LimitReached> {
        let len = self.entities.len();
        // A number that no `usize` holds is beyond any limit.
        let all = len.saturating_mul(count);
        if all == 0 {
            return Ok(Vec::new());
        }
        let bundles = (0..all).map(|n| self.entities[n % len].clone());
        storage.spawn_batch::<D, _>(bundles)?;
        let spawned: Vec<Entity> = storage.spawned().collect();
        for (component, _, in_storage) in handles::<D>() {
            for number in (0..len).filter(|&one| self.entities[one].contains_at(component)) {
                for entities in spawned.chunks(len) {
                    let map = &mut |entity: Entity| match entities.get(entity.index() as usize) {
                        Some(&new) if entity == Self::handle(entity.index() as usize) => new,
                        _ => Entity::NEVER,
                    };
                    if let Some(row) = storage.entities.row(entities[number]) {
                        in_storage(storage, row, map);
                    }
                }
            }
        }
        for (&resource, links) in &self.links {
            links.stage(resources.value_mut(resource), spawned.chunks(len));
        }
        Ok(spawned)
    }
}

/// The components that hold handles, and how these are replaced.
fn handles<D: Cloneable>() -> impl Iterator<Item = (usize, parts::InTemplate<D>, parts::InStorage)>
{
    D::PREFAB_PARTS.iter().flatten().filter_map(|part| match part.0 {
        Part::Handles { component, in_template, in_storage } => {
            Some((component, in_template, in_storage))
        }
        Part::Value { .. } | Part::Links { .. } => None,
    })
}

impl<D: Declaration> Default for Prefab<D> {
    fn default() -> Self {
        Self::new()
    }
}

/// Entities share the values of their components until one of the two is changed.
impl<D: Declaration> Clone for Prefab<D> {
    fn clone(&self) -> Self {
        let links = self.links.iter().map(|(&relation, links)| (relation, links.cloned()));
        Self { entities: self.entities.clone(), links: links.collect() }
    }
}

/// The entities, and the number of links of each relation.
impl<D: Declaration> fmt::Debug for Prefab<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut this = f.debug_struct("Prefab");
        this.field("entities", &self.entities);
        for (&relation, links) in &self.links {
            this.field(D::RESOURCES[relation].name(), &links.len());
        }
        this.finish()
    }
}
