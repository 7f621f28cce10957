//! How the parts of a world are saved and loaded. These functions are bound to their types here, and a declaration lists them
//! in tables.

#![expect(private_interfaces, reason = "sealed: only the library reads and writes bytes")]

use core::marker::PhantomData;

use bytemuck::{CheckedBitPattern, NoUninit};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{EVENTS, LINKS};
use crate::entity::Entities;
use crate::output::EventQueue;
use crate::relations::{ManyToMany, Relation};
use crate::signature::{Declaration, HasComponent, HasResource, SystemName, SystemSignature};
use crate::state::{Resources, assert_is, opaque_debug};
use crate::storage::{Storage, Unfilled};
use crate::types::bytes::{
    ByCodec, Codec, Decoder, Encoder, Fault, Frames, NOTHING, PLAIN, SERDE, SaveForm,
};
use crate::types::{Brand, Erased};

/// What a part refers to.
pub(crate) struct SaveContext<'a> {
    pub(super) entities: &'a Entities,
    pub(super) systems: &'static [SystemSignature],
    /// The system of a name in the save.
    pub(super) system: &'a dyn Fn(&str) -> Option<usize>,
}

impl core::fmt::Debug for SaveContext<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("SaveContext").finish_non_exhaustive()
    }
}

/// A value of type `T` that a world always has is saved and loaded where it is.
///
/// The lifetime has the purpose that those of [`CloneTable`](crate::generated::CloneTable) have.
#[diagnostic::on_unimplemented(
    message = "[ECS0149] values of `{T}` cannot be saved, so neither can the world",
    label = "neither `serde` nor `bytemuck` knows the bytes of `{T}`",
    note = "add `#[derive(serde::Serialize, serde::Deserialize)]` to `{T}`; or, if each step makes the value anew, declare the resource or the system `transient`"
)]
pub trait SaveInPlace<'a, T> {
    /// The form.
    #[doc(hidden)]
    const FORM: u8;

    /// The size of one of its values that is plain old data, else 0.
    #[doc(hidden)]
    const SIZE: usize = 0;

    /// Adds its bytes.
    #[doc(hidden)]
    fn save(value: &T, context: &SaveContext<'_>, to: &mut Encoder<'_>) -> Result<(), Fault>;

    /// Reads it from its bytes. `value` is that of a new world.
    #[doc(hidden)]
    fn load(value: &mut T, context: &SaveContext<'_>, from: &mut Decoder<'_>) -> Result<(), Fault>;
}

macro_rules! by_codec {
    ($([$($bound:tt)*] $form:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<'a, T: $($bound)*> SaveInPlace<'a, T> for SaveForm<$form> {
            const FORM: u8 = $form;
            const SIZE: usize = if $form == PLAIN { size_of::<T>() } else { 0 };

            fn save(value: &T, _: &SaveContext<'_>, to: &mut Encoder<'_>) -> Result<(), Fault> {
                <Self as Codec<'a, T>>::write(value, to)
            }

            fn load(
                value: &mut T,
                _: &SaveContext<'_>,
                from: &mut Decoder<'_>,
            ) -> Result<(), Fault> {
                *value = <Self as Codec<'a, T>>::read(from)?;
                Ok(())
            }
        }
    )*};
}

by_codec! {
    [Serialize + DeserializeOwned] SERDE
    [NoUninit + CheckedBitPattern] PLAIN
}

#[diagnostic::do_not_recommend]
impl<'a, T> SaveInPlace<'a, T> for SaveForm<NOTHING> {
    const FORM: u8 = NOTHING;

    fn save(_: &T, _: &SaveContext<'_>, _: &mut Encoder<'_>) -> Result<(), Fault> {
        Ok(())
    }

    fn load(_: &mut T, _: &SaveContext<'_>, _: &mut Decoder<'_>) -> Result<(), Fault> {
        Ok(())
    }
}

/// How events are saved, which have this form.
#[derive(Debug)]
pub struct EventSaveForm<const FORM: u8>;

impl<'a, E, const FORM: u8> SaveInPlace<'a, EventQueue<E>> for EventSaveForm<FORM>
where
    SaveForm<FORM>: Codec<'a, E>,
{
    const FORM: u8 = EVENTS | FORM;
    const SIZE: usize = if FORM == PLAIN { size_of::<E>() } else { 0 };

    fn save(
        value: &EventQueue<E>,
        context: &SaveContext<'_>,
        to: &mut Encoder<'_>,
    ) -> Result<(), Fault> {
        let name = |system: usize| context.systems.get(system).map_or("", SystemSignature::name);
        value.save::<SaveForm<FORM>>(name, to)
    }

    fn load(
        value: &mut EventQueue<E>,
        context: &SaveContext<'_>,
        from: &mut Decoder<'_>,
    ) -> Result<(), Fault> {
        value.load::<SaveForm<FORM>>(context.system, from)
    }
}

/// How relations of one to many are saved.
#[derive(Debug)]
pub struct RelationSaveForm;

impl<'a, X> SaveInPlace<'a, Relation<X>> for RelationSaveForm {
    const FORM: u8 = LINKS;

    fn save(value: &Relation<X>, _: &SaveContext<'_>, to: &mut Encoder<'_>) -> Result<(), Fault> {
        value.links.save(to);
        Ok(())
    }

    fn load(
        value: &mut Relation<X>,
        context: &SaveContext<'_>,
        from: &mut Decoder<'_>,
    ) -> Result<(), Fault> {
        value.links.load(context.entities, from)
    }
}

/// How relations of many to many are saved, whose values have this form.
#[derive(Debug)]
pub struct LinkSaveForm<const FORM: u8>;

impl<'a, X, const FORM: u8> SaveInPlace<'a, ManyToMany<X>> for LinkSaveForm<FORM>
where
    SaveForm<FORM>: Codec<'a, X>,
{
    const FORM: u8 = LINKS | FORM;
    const SIZE: usize = if FORM == PLAIN { size_of::<X>() } else { 0 };

    fn save(value: &ManyToMany<X>, _: &SaveContext<'_>, to: &mut Encoder<'_>) -> Result<(), Fault> {
        value.save::<SaveForm<FORM>>(to)
    }

    fn load(
        value: &mut ManyToMany<X>,
        context: &SaveContext<'_>,
        from: &mut Decoder<'_>,
    ) -> Result<(), Fault> {
        value.load::<SaveForm<FORM>>(context.entities, from)
    }
}

/// How the values of a part are saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) form: u8,
    /// The size of a value that is plain old data, else 0.
    pub(super) size: u64,
}

impl Shape {
    /// Of values of type `T`.
    pub(super) const fn of<T>(form: u8) -> Self {
        Self { form, size: if form == PLAIN { size_of::<T>() as u64 } else { 0 } }
    }

    /// Of what is no value of a user's type.
    pub(super) const NONE: Self = Self { form: NOTHING, size: 0 };
}

/// How a component of the declaration `D` is saved.
pub struct ComponentSave<D> {
    pub(super) index: usize,
    pub(super) shape: Shape,
    pub(super) save: fn(&Storage, u64, &mut Encoder<'_>) -> Result<(), Fault>,
    pub(super) load: LoadComponent,
    declaration: Brand<D>,
}

/// Reads the frames of a component.
pub(super) type LoadComponent =
    for<'b> fn(&mut Storage, u64, &mut Frames<'b>) -> Result<Option<Unfilled<'b>>, Fault>;

impl<D: Declaration> ComponentSave<D> {
    /// For the component `C`, whose values `K` writes.
    #[must_use]
    pub const fn of<'a, C: 'static, K: Codec<'a, C>>() -> Self
    where
        D: HasComponent<C>,
    {
        Self {
            index: <D as HasComponent<C>>::INDEX,
            shape: Shape::of::<C>(K::FORM),
            save: |storage, readers, to| storage.save_component::<D, C, K>(readers, to),
            load: |storage, readers, from| {
                let by = ByCodec(PhantomData::<(K, &'a ())>);
                storage.load_component::<D, C>(readers, from, &by)
            },
            declaration: PhantomData,
        }
    }
}

/// How a resource of the declaration `D` is saved.
pub struct ResourceSave<D> {
    pub(super) index: usize,
    pub(super) shape: Shape,
    pub(super) save: fn(&Resources, &SaveContext<'_>, &mut Encoder<'_>) -> Result<(), Fault>,
    pub(super) load: fn(&mut Resources, &SaveContext<'_>, &mut Decoder<'_>) -> Result<(), Fault>,
    declaration: Brand<D>,
}

impl<D: Declaration> ResourceSave<D> {
    /// For the resource `R`, which `M` saves.
    #[must_use]
    pub const fn of<'a, R: 'static, M: SaveInPlace<'a, R>>() -> Self
    where
        D: HasResource<R>,
    {
        Self {
            index: <D as HasResource<R>>::INDEX,
            shape: Shape { form: M::FORM, size: M::SIZE as u64 },
            save: |resources, context, to| M::save(resources.get::<D, R>(), context, to),
            load: |resources, context, from| M::load(resources.get_mut::<D, R>(), context, from),
            declaration: PhantomData,
        }
    }
}

/// How the state of a system of the declaration `D` is saved.
pub struct SystemSave<D> {
    pub(super) index: usize,
    pub(super) shape: Shape,
    pub(super) save: fn(&Erased, &SaveContext<'_>, &mut Encoder<'_>) -> Result<(), Fault>,
    pub(super) load: fn(&mut Erased, &SaveContext<'_>, &mut Decoder<'_>) -> Result<(), Fault>,
    declaration: Brand<D>,
}

impl<D: Declaration> SystemSave<D> {
    /// For the system `N`, whose state `M` saves.
    #[must_use]
    pub const fn of<'a, N: SystemName<D>, M: SaveInPlace<'a, N::System>>() -> Self {
        Self {
            index: N::INDEX,
            shape: Shape { form: M::FORM, size: M::SIZE as u64 },
            save: |system, context, to| {
                assert_is::<D, N>(N::INDEX);
                // SAFETY: a state that is not in a world is written through `&mut` only, and that of a world by its
                // systems only, which do not run now.
                M::save(unsafe { system.get::<N::System>() }, context, to)
            },
            load: |system, context, from| {
                assert_is::<D, N>(N::INDEX);
                M::load(system.get_mut::<N::System>(), context, from)
            },
            declaration: PhantomData,
        }
    }
}

opaque_debug! { [D] ComponentSave<D>: |this| index = this.index }
opaque_debug! { [D] ResourceSave<D>: |this| index = this.index }
opaque_debug! { [D] SystemSave<D>: |this| index = this.index }
