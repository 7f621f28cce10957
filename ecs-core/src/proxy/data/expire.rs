//! Components that expire: each step counts them down, and they are removed, or their entities despawned, when they are over.

use crate::entity::Place;
use crate::proxy::query::Mut;
use crate::signature::access::{Despawns, Removes, Writes};
use crate::signature::{Data, Declaration, Effects, HasComponent, SystemName};
use crate::types::Expires;

impl<'w, D: Declaration, N: SystemName<D>> Data<'w, D, N> {
    /// Counts `C` down, and removes it where it is over: what `expire: C` in a declaration becomes. `By` says how.
    #[doc(hidden)]
    #[inline(always)]
    pub fn expire<C: 'static, By: Expires<C>>(&mut self)
    where
        D: HasComponent<C>,
        N: Writes<C, D> + Removes<C, D>,
    {
        self.count_down::<C, By>(|place, effects| effects.remove::<C>(place));
    }

    /// Counts `C` down, and despawns the entity where it is over: what `expire: C` becomes beside `despawn`.
    #[doc(hidden)]
    #[inline(always)]
    pub fn expire_entities<C: 'static, By: Expires<C>>(&mut self)
    where
        D: HasComponent<C>,
        N: Writes<C, D> + Despawns<D>,
    {
        self.count_down::<C, By>(|place, effects| effects.despawn(place));
    }

    #[inline(always)]
    fn count_down<C: 'static, By: Expires<C>>(
        &mut self,
        mut end: impl FnMut(Place, &mut Effects<'w, D, N>),
    ) where
        D: HasComponent<C>,
        N: Writes<C, D>,
    {
        let Self { own, effects, .. } = self;
        own.query::<(Place, Mut<'_, C>)>().for_each(|(place, mut component)| {
            if By::count_down(&mut component) {
                end(place, effects);
            }
        });
    }
}
