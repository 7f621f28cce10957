//! Values whose handles of entities can be replaced.

use std::collections::VecDeque;

use super::Entity;

/// A value whose handles of entities can be replaced. A spawn of a [`Prefab`](crate::Prefab) does it: a component that refers to an
/// entity of the prefab then refers to the new entity.
///
/// Components need not implement it. Handles in a component that does not implement it are copied as they are.
///
/// The derive macro of the same name replaces the handles in the fields with `#[entities]`. The types of these fields implement the trait:
/// `Entity`, a type that derives it, and an `Option`, a `Box`, an array, a `Vec` or a `VecDeque` of these.
///
/// ```
/// use ecs_core::{Entity, MapEntities, World, world};
/// # use std::collections::BTreeMap;
///
/// #[derive(MapEntities)]
/// struct Turret {
///     #[entities]
///     aims_at: Option<Entity>,
///     #[entities]
///     crew: Vec<Entity>,
///     range: f32,
/// }
///
/// world! { world Field; component Turret; }
/// let mut world = World::<Field>::new();
/// let [one, other] = [(), ()].map(|()| world.spawn(()));
/// let mut turret = Turret { aims_at: Some(one), crew: vec![other, one], range: 4.0 };
/// turret.map_entities(&mut |entity| if entity == one { other } else { entity });
/// assert_eq!((turret.aims_at, turret.crew), (Some(other), vec![other, other]));
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0157] `{Self}` is not known to hold handles that can be replaced",
    label = "`MapEntities` is not implemented",
    note = "write `#[entities]` at the fields that are handles or collections of handles, and `#[derive(MapEntities)]` at types that have such fields"
)]
pub trait MapEntities {
    /// Replaces each handle by the one that `map` returns for it.
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity);
}

impl MapEntities for Entity {
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
        *self = map(*self);
    }
}

/// Maps each of the values.
macro_rules! of_all {
    ($([$($generics:tt)*] $type:ty)*) => {$(
        impl<$($generics)*> MapEntities for $type {
            fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
                for value in self.iter_mut() {
                    value.map_entities(map);
                }
            }
        }
    )*};
}

of_all! {
    [T: MapEntities] Option<T>
    [T: MapEntities] Vec<T>
    [T: MapEntities] VecDeque<T>
    [T: MapEntities] [T]
    [T: MapEntities, const N: usize] [T; N]
}

impl<T: MapEntities + ?Sized> MapEntities for Box<T> {
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
        (**self).map_entities(map);
    }
}
