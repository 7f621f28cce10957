//! Values that hold handles, and can be given others in their place.

use std::collections::VecDeque;

use super::Entity;

/// Holds handles of entities that can be replaced, as a spawn of a [`Prefab`](crate::Prefab) does: a component that refers to an
/// entity of the prefab then refers to the new entity.
///
/// A component of a world implements it or not. The handles in one that does not are copied as they are. The derive macro of the same
/// name calls it for the fields with `#[entities]`: handles, and what has an impl that is made of handles.
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
    /// Puts what `map` gives for each handle in the place of the handle.
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity);
}

impl MapEntities for Entity {
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
        *self = map(*self);
    }
}

/// Of each value.
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
