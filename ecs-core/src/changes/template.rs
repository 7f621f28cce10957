//! *Templates*: components with values, from which entities are spawned.

use core::any::Any;
use core::fmt;
use std::sync::Arc;

use crate::entity::Entity;
use crate::signature::family::relation_of;
use crate::signature::{
    Bundle, BundleSink, Declaration, HasComponent, HasRelation, Message, facts_of, key_of,
    spawn_alone,
};
use crate::storage::{AnyChildren, FamilyLink, Storage};
use crate::types::component::Component;
use crate::types::{Brand, IndexSet};

/// Components with values, from which any number of entities can be spawned.
///
/// The components of a template are chosen at run time. So all templates of a world have one type, can be in one map by
/// name, and can be made from data. A template is a [`Bundle`]: it is spawned wherever a bundle is, one by one or in batches, by
/// the world, a step, a deferred function, or a system that declares it. Each spawn clones the values.
/// [`with`](Self::with) adds components for one entity, or replaces those of the template.
///
/// A clone of a template shares its values, until one of the two is changed.
///
/// A template is one entity, with or without [children](Self::with_children). Several entities with any links between them are a [`Prefab`](crate::Prefab).
///
/// ```
/// use std::collections::BTreeMap;
/// use ecs_core::{Template, World, world};
///
/// #[derive(Clone, Debug, PartialEq)]
/// struct Health(u32);
/// #[derive(Clone)]
/// struct Speed(f32);
/// #[derive(Debug, PartialEq)]
/// struct Name(String);
///
/// world! {
///     world Wood;
///     component Health, Speed;
///     component Name: hash_map;
/// }
///
/// let mut templates = BTreeMap::new();
/// templates.insert("orc", Template::<Wood>::new((Health(10), Speed(1.5))));
/// templates.insert("snail", Template::new((Speed(0.1),)));
///
/// let mut world = World::<Wood>::new();
/// let orc = &templates["orc"];
/// let chief = world.spawn(orc.with((Health(25), Name("Gork".into()))));
/// let others = world.spawn_batch((1..=9).map(|n| orc.with((Health(n),))));
/// world.spawn(templates["snail"].clone());
/// assert_eq!(world.get(chief), Some(&Health(25)));
/// assert_eq!(world.get(others[3]), Some(&Health(4)));
/// assert_eq!(world.iter::<&Speed>().count(), 11);
/// ```
///
/// A system declares the type in `spawn`, like a bundle of your own. The type of a template with further components is
/// [`FromTemplate`]:
///
/// ```
/// # use ecs_core::{FromTemplate, Template, World, world};
/// # #[derive(Clone)] struct Health(u32);
/// # struct Position(f32);
/// struct Orcs(Template<Camp>);
/// type Orc = FromTemplate<Camp, (Position,)>;
///
/// world! {
///     world Camp;
///     component Health, Position;
///     resource Orcs: transient = Orcs(Template::new((Health(10),)));
///     system Recruit {
///         spawn: [Orc],
///         run: |effects, orcs: &Orcs| effects.spawn(orcs.0.with((Position(2.0),))),
///     }
/// }
/// let mut world = World::<Camp>::new();
/// world.tick()?;
/// assert_eq!(world.iter::<(&Health, &Position)>().count(), 1);
/// # Ok::<_, ecs_core::StepError>(())
/// ```
///
/// The components are not known when the program is compiled. That has the costs that it has for other such bundles: values are written one by one,
/// a system that stages such spawns counts as one that may spawn entities with any components, and with `rows: by_archetype` the
/// entities move to their rows at the refresh.
///
/// If the components are known, the declaration can have the template as an item, [`template Orc { Health(10) }`](crate::world!#templates).
/// `Template::new(Orc::default())` makes a value of it.
///
/// If a clone panics, the spawn panics, as with a bundle of your own. Children that were spawned before the panic stay.
#[doc(alias = "prefab")]
pub struct Template<D: Declaration> {
    /// At most one for each component, by ascending index.
    values: Arc<Vec<Value<D>>>,
    /// `None` if there are none.
    children: Option<Arc<TemplateChildren<D>>>,
}

/// The children of a template.
struct TemplateChildren<D: Declaration> {
    children: Vec<Child<D>>,
    /// The number of descendants: the children, their children, and so on.
    count: usize,
}

/// A child of a template.
struct Child<D: Declaration> {
    /// The relation, as an index among the resources.
    relation: usize,
    template: Template<D>,
}

impl<D: Declaration> Clone for Child<D> {
    fn clone(&self) -> Self {
        Self { relation: self.relation, template: self.template.clone() }
    }
}

impl<D: Declaration> AnyChildren for TemplateChildren<D> {
    fn count(&self) -> usize {
        self.count
    }

    fn spawn(&self, parent: Entity, storage: &mut Storage) -> usize {
        let mut lost = 0;
        for Child { relation, template } in &self.children {
            let key = const { key_of::<D, Template<D>>() };
            match spawn_alone::<D, _>(storage, key, template.clone()) {
                Ok(child) => {
                    let link = FamilyLink { relation: *relation, child, parent };
                    storage.families.links.push(link);
                }
                Err(_) => lost = template.descendants().saturating_add(1).saturating_add(lost),
            }
        }
        lost
    }
}

/// The value of one component.
struct Value<D: Declaration> {
    index: usize,
    value: Box<dyn AnyValue<D>>,
}

/// A value that can be cloned, of any component.
trait AnyValue<D: Declaration>: Send + Sync {
    fn put(&self, sink: &mut BundleSink<'_, D>);
    fn cloned(&self) -> Box<dyn AnyValue<D>>;
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

/// A value of the component `C`.
struct Of<C>(C);

impl<D: HasComponent<C>, C: Component + Clone> AnyValue<D> for Of<C> {
    fn put(&self, sink: &mut BundleSink<'_, D>) {
        sink.put(self.0.clone());
    }

    fn cloned(&self) -> Box<dyn AnyValue<D>> {
        Box::new(Self(self.0.clone()))
    }

    fn as_any(&self) -> &dyn Any {
        &self.0
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        &mut self.0
    }
}

impl<D: Declaration> Clone for Value<D> {
    fn clone(&self) -> Self {
        Self { index: self.index, value: self.value.cloned() }
    }
}

impl<D: Declaration> Template<D> {
    /// A template of these components: a tuple, or a bundle that the declaration names. O(components).
    #[must_use]
    pub fn new<B: TemplateBundle<D>>(bundle: B) -> Self {
        let mut this = Self::default();
        bundle.insert_into(&mut this);
        this
    }

    /// Sets the value of the component, which the template may have or not. O(components). If clones share the values, these are cloned
    /// first.
    ///
    /// ```
    /// # use ecs_core::{Template, world};
    /// # #[derive(Clone, Debug, PartialEq)] struct Health(u32);
    /// # #[derive(Clone)] struct Speed(f32);
    /// # world! { world Wood; component Health, Speed; }
    /// let orc = Template::<Wood>::new((Health(10), Speed(1.5)));
    /// let mut troll = orc.clone();
    /// troll.insert(Health(40));
    /// assert!(troll.remove::<Speed>());
    /// assert_eq!((troll.get(), troll.contains::<Speed>()), (Some(&Health(40)), false));
    /// assert_eq!(orc.get(), Some(&Health(10)));
    /// ```
    pub fn insert<C: Component + Clone>(&mut self, component: C)
    where
        D: HasComponent<C>,
    {
        let value = Value { index: <D as HasComponent<C>>::INDEX, value: Box::new(Of(component)) };
        let values = Arc::make_mut(&mut self.values);
        match values.binary_search_by_key(&value.index, |value| value.index) {
            Ok(at) => values[at] = value,
            Err(at) => values.insert(at, value),
        }
    }

    /// Removes the component, and returns whether the template had it. It costs what [`insert`](Self::insert) costs.
    pub fn remove<C: 'static>(&mut self) -> bool
    where
        D: HasComponent<C>,
    {
        let found = self.position(<D as HasComponent<C>>::INDEX);
        if let Some(at) = found {
            Arc::make_mut(&mut self.values).remove(at);
        }
        found.is_some()
    }

    /// The value of the component. O(log components).
    #[must_use]
    pub fn get<C: 'static>(&self) -> Option<&C>
    where
        D: HasComponent<C>,
    {
        let at = self.position(<D as HasComponent<C>>::INDEX)?;
        self.values[at].value.as_any().downcast_ref()
    }

    /// The value of the component, to change it. O(log components). If clones share the values, these are cloned first.
    ///
    /// ```
    /// # use ecs_core::{Template, world};
    /// # #[derive(Clone, Debug, PartialEq)] struct Health(u32);
    /// # world! { world Wood; component Health; }
    /// let mut orc = Template::<Wood>::new((Health(10),));
    /// orc.get_mut::<Health>().unwrap().0 += 5;
    /// assert_eq!(orc.get(), Some(&Health(15)));
    /// ```
    #[must_use]
    pub fn get_mut<C: 'static>(&mut self) -> Option<&mut C>
    where
        D: HasComponent<C>,
    {
        let at = self.position(<D as HasComponent<C>>::INDEX)?;
        Arc::make_mut(&mut self.values)[at].value.as_any_mut().downcast_mut()
    }

    /// Whether there is a value of the component. O(log components).
    #[must_use]
    pub fn contains<C: 'static>(&self) -> bool
    where
        D: HasComponent<C>,
    {
        self.get::<C>().is_some()
    }

    /// Adds children in the relation `X`, in this order: wherever the template is spawned, an entity is spawned for each of them, and linked to the
    /// new entity as its parent. O(children before + new ones).
    ///
    /// Children are templates, and can have children, to any depth.
    ///
    /// A call first spawns its own entities. Then it spawns the descendants of the first of them, those of the second, and so on, each child before its
    /// own children.
    /// What a system stages is spawned at the refresh, and the descendants after all other staged spawns. Links take effect at the refresh.
    ///
    /// In a world with a fixed limit, a spawn at once spawns an entity with all of its descendants or nothing. At the refresh, descendants are spawned as far
    /// as there is room, and the step [reports](crate::StepError) how many are lost.
    ///
    /// ```
    /// # use ecs_core::{Template, World, world};
    /// # #[derive(Clone, Debug, PartialEq)] struct Health(u32);
    /// # #[derive(Clone)] struct Angle(f32);
    /// struct PartOf;
    ///
    /// world! {
    ///     world Docks;
    ///     component Health, Angle;
    ///     relation PartOf: one_to_many, on_despawn: despawn;
    /// }
    ///
    /// let turret = |angle| Template::<Docks>::new((Angle(angle), Health(1)));
    /// let ship = Template::new((Health(50),)).with_children::<PartOf>([turret(0.0), turret(180.0)]);
    /// assert_eq!(ship.children::<PartOf>().count(), 2);
    ///
    /// let mut world = World::<Docks>::new();
    /// let flagship = world.spawn(ship.with((Health(99),)));
    /// world.spawn_batch(vec![ship; 3]);
    /// assert_eq!(world.children::<PartOf>(flagship).count(), 2);
    /// assert_eq!(world.entity_count(), 4 + 4 * 2);
    /// world.despawn(flagship);
    /// assert_eq!(world.entity_count(), 3 + 3 * 2);
    /// ```
    #[must_use]
    pub fn with_children<X: 'static>(mut self, children: impl IntoIterator<Item = Self>) -> Self
    where
        D: HasRelation<X>,
    {
        let relation = const { relation_of::<D, X>() };
        let mut all = self.children.take().map_or_else(Vec::new, |all| all.children.clone());
        all.extend(children.into_iter().map(|template| Child { relation, template }));
        self.set_children(all);
        self
    }

    /// The template without its children in the relation `X`. O(children).
    #[must_use]
    pub fn without_children<X: 'static>(mut self) -> Self
    where
        D: HasRelation<X>,
    {
        let relation = const { relation_of::<D, X>() };
        let mut all = self.children.take().map_or_else(Vec::new, |all| all.children.clone());
        all.retain(|child| child.relation != relation);
        self.set_children(all);
        self
    }

    /// Its children in the relation `X`, in order. O(children).
    pub fn children<X: 'static>(&self) -> impl Iterator<Item = &Self>
    where
        D: HasRelation<X>,
    {
        let relation = const { relation_of::<D, X>() };
        let all = self.children.as_ref().map_or(&[][..], |all| &all.children);
        all.iter().filter(move |child| child.relation == relation).map(|child| &child.template)
    }

    /// Adds `count` children with the values of a template of the declaration.
    #[doc(hidden)]
    pub fn insert_children_of<X: 'static, B: TemplateBundle<D> + Default>(&mut self, count: usize)
    where
        D: HasRelation<X>,
    {
        let children = core::iter::repeat_with(|| Self::new(B::default())).take(count);
        *self = core::mem::take(self).with_children::<X>(children);
    }

    /// Removes the children, and returns them with their own children; before each is its relation, as an index among the resources.
    pub(crate) fn take_children(&mut self) -> Vec<(usize, Self)> {
        let all = self.children.take();
        let all = all.iter().flat_map(|all| &all.children);
        all.map(|child| (child.relation, child.template.clone())).collect()
    }

    fn set_children(&mut self, children: Vec<Child<D>>) {
        // Clones of a template share their children, so that a few of them can be more entities than there are numbers.
        let count = children.iter().fold(0, |count: usize, child| {
            count.saturating_add(1).saturating_add(child.template.descendants())
        });
        self.children = (count > 0).then(|| Arc::new(TemplateChildren { children, count }));
    }

    /// The bundle of one entity: the components of `bundle`, and all other components and the children of the template. O(1).
    ///
    /// A bundle with children of its own does not compile ([ECS0143](crate::errors::ecs0143)). It is a template of the declaration;
    /// [`Template::new`](Self::new) makes a value of it, to which [`insert`](Self::insert) adds components.
    #[must_use]
    pub fn with<B: Bundle<D>>(&self, bundle: B) -> FromTemplate<D, B> {
        const { assert_childless::<D, B>() };
        FromTemplate { template: self.clone(), bundle, brand: Brand::default() }
    }

    /// Whether there is a value of the component at the index.
    pub(crate) fn contains_at(&self, component: usize) -> bool {
        self.position(component).is_some()
    }

    fn position(&self, index: usize) -> Option<usize> {
        self.values.binary_search_by_key(&index, |value| value.index).ok()
    }

    /// Puts the children, and all components except these.
    fn put_without(&self, without: Option<&IndexSet>, sink: &mut BundleSink<'_, D>) {
        if let Some(children) = &self.children {
            sink.put_children(Arc::<TemplateChildren<D>>::clone(children));
        }
        for Value { index, value } in self.values.iter() {
            if !without.is_some_and(|without| without.contains(*index)) {
                value.put(sink);
            }
        }
    }
}

/// A template without components.
impl<D: Declaration> Default for Template<D> {
    fn default() -> Self {
        Self { values: Arc::default(), children: None }
    }
}

/// It shares the values.
impl<D: Declaration> Clone for Template<D> {
    fn clone(&self) -> Self {
        Self { values: Arc::clone(&self.values), children: self.children.clone() }
    }
}

/// The names of the components, and the number of descendants.
impl<D: Declaration> fmt::Debug for Template<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |value: &Value<D>| D::COMPONENTS.get(value.index).map(|one| one.name());
        f.write_str("Template ")?;
        f.debug_set().entries(self.values.iter().filter_map(name)).finish()?;
        match self.descendants() {
            0 => Ok(()),
            count => write!(f, " and {count} more"),
        }
    }
}

impl<D: Declaration> Bundle<D> for Template<D> {
    fn put(self, sink: &mut BundleSink<'_, D>) {
        self.put_without(None, sink);
    }

    fn descendants(&self) -> usize {
        self.children.as_ref().map_or(0, |children| children.count)
    }
}

/// Fails to compile if the type of the bundle has children.
const fn assert_childless<D: Declaration, B: Bundle<D>>() {
    if B::FACTS.descendants() > 0 {
        Message::new()
            .text("[ECS0143] a template of the world `")
            .text(D::NAME)
            .text("` cannot be overridden with one that has children\nhelp: give it components: `template.with((Health(3),))`; of a template of the declaration, `Template::new(Tank::default())` makes a value with its children")
            .raise();
    }
}

/// A [`Template`] with further components for one entity: [`Template::with`] makes it. It is a bundle.
///
/// ```
/// # use ecs_core::{FromTemplate, Template, World, world};
/// # #[derive(Clone, Debug, PartialEq)] struct Health(u32);
/// # #[derive(Clone)] struct Speed(f32);
/// # world! { world Wood; component Health, Speed; }
/// fn wounded(of: &Template<Wood>) -> FromTemplate<Wood, (Health,)> {
///     of.with((Health(1),))
/// }
/// let orc = Template::new((Health(10), Speed(1.5)));
/// let mut world = World::<Wood>::new();
/// let entity = world.spawn(wounded(&orc));
/// assert_eq!(world.get(entity), Some(&Health(1)));
/// assert!(world.contains::<Speed>(entity));
/// ```
pub struct FromTemplate<D: Declaration, B> {
    template: Template<D>,
    bundle: B,
    brand: Brand<B>,
}

/// A bundle from the same template.
impl<D: Declaration, B: Clone> Clone for FromTemplate<D, B> {
    fn clone(&self) -> Self {
        Self { template: self.template.clone(), bundle: self.bundle.clone(), brand: self.brand }
    }
}

impl<D: Declaration, B> fmt::Debug for FromTemplate<D, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let template = &self.template;
        f.debug_struct("FromTemplate").field("template", template).finish_non_exhaustive()
    }
}

impl<D: Declaration, B: Bundle<D>> Bundle<D> for FromTemplate<D, B> {
    fn put(self, sink: &mut BundleSink<'_, D>) {
        let replaced = facts_of::<D, B>().components.as_ref();
        self.template.put_without(replaced, sink);
        self.bundle.put(sink);
    }

    fn descendants(&self) -> usize {
        self.template.descendants().saturating_add(self.bundle.descendants())
    }
}

/// Components of which a [`Template`] can be made: a tuple of components that are `Clone`, or a bundle of such components
/// that the declaration names.
///
/// ```
/// # use ecs_core::{Template, TemplateBundle, world};
/// # #[derive(Clone)] struct Health(u32);
/// # #[derive(Clone)] struct Speed(f32);
/// world! {
///     world Wood;
///     component Health, Speed;
///     bundle Snail { Health, Speed }
/// }
///
/// fn both(one: impl TemplateBundle<Wood>, other: impl TemplateBundle<Wood>) -> [Template<Wood>; 2] {
///     [Template::new(one), Template::new(other)]
/// }
/// let [orc, snail] = both((Health(10),), Snail { health: Health(1), speed: Speed(0.1) });
/// assert!(!orc.contains::<Speed>() && snail.contains::<Speed>());
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0143] a template of the world `{D}` cannot be made of `{Self}`",
    label = "not a tuple of components that are `Clone`",
    note = "a template is made of a tuple of components, as in `Template::new((Health(10), Speed(1.5)))` or `Template::new((Health(10),))`, and each of them needs `#[derive(Clone)]`"
)]
pub trait TemplateBundle<D: Declaration> {
    /// Gives the template the values.
    #[doc(hidden)]
    fn insert_into(self, template: &mut Template<D>);
}

macro_rules! tuples {
    ($($C:ident $component:ident),*) => {
        #[diagnostic::do_not_recommend]
        impl<D: Declaration, $($C: Component + Clone),*> TemplateBundle<D> for ($($C,)*)
        where
            $(D: HasComponent<$C>,)*
        {
            fn insert_into(self, template: &mut Template<D>) {
                let ($($component,)*) = self;
                let _ = &template;
                $(template.insert($component);)*
            }
        }
    };
}

tuples!();
tuples!(A a);
tuples!(A a, B b);
tuples!(A a, B b, C c);
tuples!(A a, B b, C c, E e);
tuples!(A a, B b, C c, E e, F f);
tuples!(A a, B b, C c, E e, F f, G g);
tuples!(A a, B b, C c, E e, F f, G g, H h);
tuples!(A a, B b, C c, E e, F f, G g, H h, I i);
tuples!(A a, B b, C c, E e, F f, G g, H h, I i, J j);
tuples!(A a, B b, C c, E e, F f, G g, H h, I i, J j, K k);
tuples!(A a, B b, C c, E e, F f, G g, H h, I i, J j, K k, L l);
tuples!(A a, B b, C c, E e, F f, G g, H h, I i, J j, K k, L l, M m);
