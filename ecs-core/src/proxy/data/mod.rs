//! The data proxy: the view of a subtask (thesis, 11.1).

pub(crate) mod after_parent;
pub(crate) mod any_mut;
pub(crate) mod changed;
mod expire;
pub(crate) mod joins;
pub(crate) mod kernels;
pub(crate) mod own;
pub(crate) mod pairs;
pub(crate) mod random;
pub(crate) mod read_any;
pub(crate) mod removed;
pub(crate) mod resources;

use crate::signature::{Data, Declaration, Effects, Resources, SystemName};

impl<'w, D: Declaration, N: SystemName<D>> Data<'w, D, N> {
    /// Calls `f`: what `run: f` in a declaration becomes. The types of a closure's parameters are inferred.
    #[doc(hidden)]
    #[inline(always)]
    pub fn run(&mut self, f: impl FnOnce(&mut Self)) {
        f(self);
    }

    /// Calls `f` for each entity: what `each: f` in a declaration becomes.
    #[doc(hidden)]
    #[inline(always)]
    pub fn each(&mut self, f: impl FnMut(N::Entry<'_>)) {
        self.own.for_entities(f);
    }

    /// The same for a closure of two parameters.
    #[doc(hidden)]
    #[inline(always)]
    pub fn each_with_effects(&mut self, mut f: impl FnMut(N::Entry<'_>, &mut Effects<'w, D, N>)) {
        self.own.for_entities(|entry| f(entry, &mut self.effects));
    }

    /// The same for a closure of three parameters.
    #[doc(hidden)]
    #[inline(always)]
    pub fn each_with_resources(
        &mut self,
        mut f: impl FnMut(N::Entry<'_>, &mut Effects<'w, D, N>, &mut Resources<'w, D, N>),
    ) {
        self.own.for_entities(|entry| f(entry, &mut self.effects, &mut self.resources));
    }
}
