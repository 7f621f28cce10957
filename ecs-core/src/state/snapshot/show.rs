//! Values as text, for those types that are [`Debug`]. A declaration lists which ones are.
//!
//! In generated code, where types are known, `<ShowComponent<Self, C>>::SHOW` is the constant of the type if `C` is `Debug`, and
//! else that of the trait [`NotDebug`].

use core::fmt::Debug;
use core::marker::PhantomData;

use crate::signature::{Declaration, HasComponent, HasResource, SystemName};
use crate::state::{Core, opaque_debug};
use crate::types::Brand;

/// What a [`Show`] is about, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    Component(usize),
    Resource(usize),
    System(usize),
}

/// How a component, a resource or the state of a system of the declaration `D` is shown as text.
pub struct Show<D: Declaration> {
    pub(super) shown: Shown,
    /// The text of the value; for a component, of that in this row, if there is one.
    pub(super) text: fn(&Core<D>, usize) -> Option<String>,
}

opaque_debug! { [D: Declaration] Show<D>: |this| shown = this.shown }

/// Stands for the component `C`.
#[derive(Debug)]
pub struct ShowComponent<D, C>(Brand<(D, C)>);

/// Stands for the resource `R`.
#[derive(Debug)]
pub struct ShowResource<D, R>(Brand<(D, R)>);

/// Stands for the state of the system `N`.
#[derive(Debug)]
pub struct ShowSystem<D, N>(Brand<(D, N)>);

/// Stands for something that is not shown, so that generated code uses the trait in any case.
#[derive(Debug)]
pub struct ShowNothing(PhantomData<()>);

/// What is not shown.
pub trait NotDebug<D: Declaration> {
    /// It is not.
    const SHOW: Option<Show<D>> = None;
}

impl<D: Declaration, C> NotDebug<D> for ShowComponent<D, C> {}
impl<D: Declaration, R> NotDebug<D> for ShowResource<D, R> {}
impl<D: Declaration, N> NotDebug<D> for ShowSystem<D, N> {}
impl<D: Declaration> NotDebug<D> for ShowNothing {}

impl<D: HasComponent<C>, C: Debug + 'static> ShowComponent<D, C> {
    /// By its `Debug`.
    pub const SHOW: Option<Show<D>> = Some(Show {
        shown: Shown::Component(<D as HasComponent<C>>::INDEX),
        text: |core, row| core.storage.get::<D, C>(row).map(text),
    });
}

impl<D: HasResource<R>, R: Debug + 'static> ShowResource<D, R> {
    /// By its `Debug`.
    pub const SHOW: Option<Show<D>> = Some(Show {
        shown: Shown::Resource(<D as HasResource<R>>::INDEX),
        text: |core, _| Some(text(core.resources.get::<D, R>())),
    });
}

impl<D: Declaration, N: SystemName<D, System: Debug>> ShowSystem<D, N> {
    /// By its `Debug`.
    pub const SHOW: Option<Show<D>> = Some(Show {
        shown: Shown::System(N::INDEX),
        text: |core, _| Some(text(core.system::<N>())),
    });
}

/// The most characters of a value that are shown.
const MOST: usize = 200;

/// The value as text, in one line.
fn text<T: Debug>(value: &T) -> String {
    let mut text = format!("{value:?}");
    if let Some((end, _)) = text.char_indices().nth(MOST) {
        text.truncate(end);
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn long_values_are_cut() {
        assert_eq!(super::text(&Some(1)), "Some(1)");
        let long = super::text(&"ß".repeat(300));
        assert_eq!((long.chars().count(), long.chars().last()), (201, Some('…')));
    }
}
