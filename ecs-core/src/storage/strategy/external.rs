//! A column whose values are in external storage, with a storage strategy, and these values.

use core::cell::UnsafeCell;
use core::fmt;
use core::marker::PhantomData;
use core::mem::ManuallyDrop;

use crate::entity::{EntityLimit, on_limit};
use crate::storage::{Metadata, StorageStrategy, StrategyContext};
use crate::types::{Component, TypeInfo};

/// The values of `C`, stored by `S`.
pub struct ExternalColumn<C: Component, S: StorageStrategy<C>> {
    strategy: S,
    metadata: Metadata<S::Metadata>,
    components: PhantomData<C>,
}

impl<C: Component, S: StorageStrategy<C>> ExternalColumn<C, S> {
    fn new(strategy: S) -> Self {
        Self { strategy, metadata: Metadata::new(), components: PhantomData }
    }

    /// Identifies this column among all existing ones: it lies in a box and has a size, so its
    /// address is unique.
    fn identity(&self) -> usize {
        core::ptr::from_ref(&self.metadata).addr()
    }

    /// Inserts a value into the row, which has none.
    pub(in crate::storage) fn insert(&mut self, row: usize, component: C) {
        let value = Value::new(self.identity(), row, component);
        self.strategy.insert(row, value, &mut self.metadata);
    }

    /// Removes the value of the row, which has one.
    ///
    /// # Panics
    /// If the strategy returns another value, or none.
    pub(in crate::storage) fn take(&mut self, row: usize) -> Value<C> {
        let value = self.strategy.remove(row, &mut self.metadata);
        value
            .filter(|value| value.belongs_to(self.identity(), row))
            .unwrap_or_else(|| lost::<C, S>())
    }

    /// The address of the value of the row, which has one. Different rows have different addresses,
    /// which do not change while the column is borrowed: a value has room for one component,
    /// belongs to one row of one column, and cannot be moved while it is borrowed.
    ///
    /// # Panics
    /// If the strategy returns the value of another row, or none.
    #[inline]
    pub(in crate::storage) fn at(&self, row: usize) -> *mut C {
        match self.strategy.get(row, &self.metadata) {
            Some(value) if value.belongs_to(self.identity(), row) => value.as_ptr(),
            _ => lost::<C, S>(),
        }
    }
}

#[cold]
fn lost<C, S>() -> ! {
    panic!(
        "the storage strategy `{}` has lost a value of `{}`, or mistakes one for another: mend its \
         `get` and `remove`",
        core::any::type_name::<S>(),
        core::any::type_name::<C>(),
    )
}

/// An [`ExternalColumn`] of any types.
pub(in crate::storage) trait AnyExternalColumn: Send + Sync {
    /// Drops the value of the row, which has one.
    fn drop_value(&mut self, row: usize);

    /// Calls `take` with the address of the value of the row, which has one. It moves the value from there.
    fn move_out(&mut self, row: usize, take: &mut dyn FnMut(*const u8));

    /// Moves the value of `from`, which has one, to `to`, which has none. After a panic neither has
    /// one.
    fn move_value(&mut self, from: usize, to: usize);
}

impl<C: Component, S: StorageStrategy<C>> AnyExternalColumn for ExternalColumn<C, S> {
    fn drop_value(&mut self, row: usize) {
        drop(self.take(row));
    }

    fn move_out(&mut self, row: usize, take: &mut dyn FnMut(*const u8)) {
        let value = ManuallyDrop::new(self.take(row).into_component());
        take((&raw const value).cast());
    }

    fn move_value(&mut self, from: usize, to: usize) {
        let mut value = self.take(from);
        value.set_row(to);
        self.strategy.insert(to, value, &mut self.metadata);
    }
}

/// Creates a column of some types; stored in the table of a declaration.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct MakeExternal {
    /// For a fixed limit.
    fixed: fn(&mut StrategyContext, usize) -> ExternalValues,
    /// For a dynamic limit, with room for this number of entities.
    dynamic: fn(&mut StrategyContext, usize) -> ExternalValues,
    name: fn() -> &'static str,
}

impl MakeExternal {
    pub(crate) const fn of<C: Component, S: StorageStrategy<C>>() -> Self {
        Self {
            fixed: |context, limit| ExternalValues::new::<C, S>(S::in_world(context.fixed(limit))),
            dynamic: |context, initial| {
                ExternalValues::new::<C, S>(S::in_world(context.dynamic(initial)))
            },
            name: core::any::type_name::<S>,
        }
    }

    /// The strategy's name, with its full path.
    pub(crate) fn name(self) -> &'static str {
        (self.name)()
    }

    /// The column, under the limit `L`.
    pub(in crate::storage) fn call<L: EntityLimit>(
        self,
        context: &mut StrategyContext,
    ) -> ExternalValues {
        let (make, rows) =
            on_limit::<L, _>(|limit| (self.fixed, limit), |initial| (self.dynamic, initial));
        make(context, rows)
    }
}

impl fmt::Debug for MakeExternal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("MakeExternal").field(&self.name()).finish()
    }
}

/// An [`ExternalColumn`], accessed by asserting its types.
pub(in crate::storage) struct ExternalValues {
    info: TypeInfo,
    pub(in crate::storage) column: Box<dyn AnyExternalColumn>,
}

impl ExternalValues {
    fn new<C: Component, S: StorageStrategy<C>>(strategy: S) -> Self {
        let column = Box::new(ExternalColumn::<C, S>::new(strategy));
        Self { info: TypeInfo::of::<ExternalColumn<C, S>>(), column }
    }

    fn assert<C: Component, S: StorageStrategy<C>>(&self) {
        assert!(
            self.info.is::<ExternalColumn<C, S>>(),
            "the declaration gives a component another's storage strategy"
        );
    }

    /// The column of `C` with the strategy `S`.
    ///
    /// # Panics
    /// If it has other types.
    #[inline]
    pub(in crate::storage) fn get<C: Component, S: StorageStrategy<C>>(
        &self,
    ) -> &ExternalColumn<C, S> {
        self.assert::<C, S>();
        let column: *const dyn AnyExternalColumn = &raw const *self.column;
        // SAFETY: `new` puts an `ExternalColumn` of the types recorded in `info` into the box, and
        // `assert` has compared these types.
        unsafe { &*column.cast() }
    }

    /// The column of `C` with the strategy `S`, mutable.
    ///
    /// # Panics
    /// If it has other types.
    pub(in crate::storage) fn get_mut<C: Component, S: StorageStrategy<C>>(
        &mut self,
    ) -> &mut ExternalColumn<C, S> {
        self.assert::<C, S>();
        let column: *mut dyn AnyExternalColumn = &raw mut *self.column;
        // SAFETY: as for `get`; `&mut self` excludes all other references.
        unsafe { &mut *column.cast() }
    }
}

impl fmt::Debug for ExternalValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExternalValues").field("type", &self.info).finish_non_exhaustive()
    }
}

/// A component of one entity in a [`StorageStrategy`], which stores it and
/// returns it but cannot access it.
///
/// A value records the world, the column and the row that it belongs to. Only the library can
/// create or copy one. It takes 16 bytes more than the component.
///
/// ```
/// use ecs_core::storage::Value;
///
/// /// A strategy moves values, and sees only to whom they belong.
/// fn owners<C: ecs_core::Component>(values: &[Value<C>]) -> Vec<usize> {
///     values.iter().map(Value::row).collect()
/// }
/// ```
pub struct Value<C> {
    /// The address of the column that the value belongs to. No other existing column has this
    /// address.
    owner: usize,
    row: u32,
    component: UnsafeCell<C>,
}

// SAFETY: through `&Value` only `owner` and `row` can be read, which never change while the value
// is shared. `as_ptr` is private to the library, and each use proves that there are no other
// accesses. The component itself is `Send` and `Sync`.
unsafe impl<C: Send + Sync> Sync for Value<C> {}

impl<C> Value<C> {
    fn new(owner: usize, row: usize, component: C) -> Self {
        Self { owner, row: row as u32, component: UnsafeCell::new(component) }
    }

    /// Whether this is the value of `row` in the column at `owner`.
    #[inline]
    fn belongs_to(&self, owner: usize, row: usize) -> bool {
        self.owner == owner && self.row as usize == row
    }

    fn set_row(&mut self, row: usize) {
        self.row = row as u32;
    }

    /// The row that the value belongs to: the last one that was passed to
    /// [`insert`](StorageStrategy::insert) with it.
    #[inline]
    #[must_use]
    pub fn row(&self) -> usize {
        self.row as usize
    }

    /// The address of the component.
    #[inline]
    fn as_ptr(&self) -> *mut C {
        self.component.get()
    }

    pub(in crate::storage) fn into_component(self) -> C {
        self.component.into_inner()
    }
}

impl<C> fmt::Debug for Value<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Value").field("row", &self.row).finish_non_exhaustive()
    }
}
