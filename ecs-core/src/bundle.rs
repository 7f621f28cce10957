//! *Bundles*: the components that an entity is created with.

use core::marker::PhantomData;

use crate::component::{Component, IndexSet};
use crate::signature::{Declaration, HasComponent};
use crate::storage::Storage;

/// Components to create an entity with: a tuple, or a type of yours that puts its parts.
///
/// ```
/// use ecs_core::{Bundle, BundleSink, world};
/// # struct Position(f32, f32);
/// # struct Velocity(f32, f32);
/// world! {
///     world Space {}
///     component Position: contiguous_buffer;
///     component Velocity: contiguous_buffer;
/// }
///
/// struct AtRest(f32, f32);
///
/// impl Bundle<Space> for AtRest {
///     fn put(self, sink: &mut BundleSink<'_, Space>) {
///         sink.put(Position(self.0, self.1));
///         sink.put(Velocity(0.0, 0.0));
///     }
/// }
///
/// let mut world = ecs_core::World::<Space>::new();
/// world.step(|step| step.spawn(AtRest(1.0, 2.0))).unwrap().unwrap();
/// ```
#[diagnostic::on_unimplemented(
    message = "[E0066] `{Self}` is not a bundle of components of the world `{D}`",
    label = "not a bundle",
    note = "a bundle is a tuple of components, as in `(Position, Velocity)` or `(Life,)`"
)]
pub trait Bundle<D: Declaration> {
    /// The components, if that is known: what a tuple says of itself.
    #[doc(hidden)]
    const COMPONENTS: Option<IndexSet> = None;

    /// Puts each component.
    fn put(self, sink: &mut BundleSink<'_, D>);
}

/// Takes the components of a new entity.
#[derive(Debug)]
pub struct BundleSink<'a, D> {
    storage: &'a mut Storage,
    row: usize,
    declaration: PhantomData<fn() -> D>,
}

impl<'a, D: Declaration> BundleSink<'a, D> {
    pub(crate) fn new(storage: &'a mut Storage, row: usize) -> Self {
        Self { storage, row, declaration: PhantomData }
    }

    /// Gives the new entity a `C`. A second one replaces the first.
    #[inline]
    pub fn put<C: Component>(&mut self, component: C)
    where
        D: HasComponent<C>,
    {
        self.storage.insert::<D, C>(self.row, component);
    }
}

macro_rules! tuple_bundles {
    ($($C:ident $component:ident),*) => {
        impl<D: Declaration, $($C: Component),*> Bundle<D> for ($($C,)*)
        where
            $(D: HasComponent<$C>,)*
        {
            const COMPONENTS: Option<IndexSet> =
                Some(IndexSet::of(&[$(<D as HasComponent<$C>>::INDEX),*]));

            #[inline]
            fn put(self, sink: &mut BundleSink<'_, D>) {
                let ($($component,)*) = self;
                let _ = &sink;
                $(sink.put($component);)*
            }
        }
    };
}

tuple_bundles!();
tuple_bundles!(A a);
tuple_bundles!(A a, B b);
tuple_bundles!(A a, B b, C c);
tuple_bundles!(A a, B b, C c, E e);
tuple_bundles!(A a, B b, C c, E e, F f);
tuple_bundles!(A a, B b, C c, E e, F f, G g);
tuple_bundles!(A a, B b, C c, E e, F f, G g, H h);
tuple_bundles!(A a, B b, C c, E e, F f, G g, H h, I i);
tuple_bundles!(A a, B b, C c, E e, F f, G g, H h, I i, J j);
tuple_bundles!(A a, B b, C c, E e, F f, G g, H h, I i, J j, K k);
tuple_bundles!(A a, B b, C c, E e, F f, G g, H h, I i, J j, K k, L l);
tuple_bundles!(A a, B b, C c, E e, F f, G g, H h, I i, J j, K k, L l, M m);
