//! Pairs: own entities with members of queries (Core ECS, 3.3).

use crate::proxy::Query;
use crate::proxy::query::joins::{
    ByRow, HasCells, HasIndex, Hashed, Items, KeyOf, Lookup, Members, Near, Placed, PointOf,
    Ranked, Sorted, assert_query, assert_uses, table,
};
use crate::proxy::query::{MemberFor, Run, RunTerms, assert_columns};
use crate::signature::access::Queries;
use crate::signature::{
    Declaration, Effects, Item, Own, QueryTerms, SystemName, assert_not_sequential,
};

/// The value that the index of the query `Q` stores with each member.
type ValueOf<Q, D> = <KeyOf<Q, D> as Ranked>::Value;

impl<'w, D: Declaration, N: SystemName<D>> Effects<'w, D, N> {
    /// The members of the query `Q`, with what `T` asks for about each. The value can be iterated over
    /// repeatedly.
    #[must_use]
    pub fn members<Q: SystemName<D>, T: MemberFor<D, N, Q>>(&self) -> Members<'w, D, T>
    where
        N: Queries<Q, D>,
    {
        const { assert_query::<D, N, Q, T>() };
        // SAFETY: the constant above; this is a subtask of `N`, which lasts for `'w`.
        unsafe { Members::of::<Q>(self.core) }
    }

    /// The components of all members of the query `Q` as slices: `&C` gives a `&[C]`, `Entity` a `&[Entity]`, a tuple of
    /// these a tuple of slices of one length, in ascending order of rows. `None` if a row between them is no member's.
    /// O(log members).
    ///
    /// It is for members that are found by a number: the cells of a board, people of whom some are chosen at random.
    /// Entities that are spawned one after another, when none has been despawned yet, lie in rows without a gap and in the
    /// order of spawns, and stay there as long as none of them is despawned. So the member that was spawned as the `n`-th is
    /// at the index `n`. Each component must have its own `contiguous_buffer`.
    ///
    /// ```
    /// use ecs_core::{World, world};
    /// # struct At(usize);
    /// # struct Heat(u32);
    /// # struct Next(u32);
    ///
    /// world! {
    ///     world Rod;
    ///     component At, Heat, Next;
    ///     query Parts { read: [Heat] }
    ///     system Spread {
    ///         read: [At],
    ///         write: [Next],
    ///         queries: [Parts],
    ///         parallelism: split_evenly(cores),
    ///         run: |data| {
    ///             let rod = data.effects.slices::<Parts, &Heat>().expect("no part is despawned");
    ///             data.own.for_entities(|e| {
    ///                 let before = e.at.0.checked_sub(1).map_or(0, |before| rod[before].0);
    ///                 e.next.0 = before.max(rod[e.at.0].0);
    ///             });
    ///         },
    ///     }
    ///     system Turn { dependencies: [Spread], each: |heat: &mut Heat, next: &Next| heat.0 = next.0 }
    /// }
    ///
    /// let mut world = World::<Rod>::new();
    /// world.spawn_batch([0, 9, 0, 0].into_iter().enumerate().map(|(at, heat)| (At(at), Heat(heat), Next(0))));
    /// world.tick()?;
    /// assert!(world.iter::<&Heat>().map(|heat| heat.0).eq([0, 9, 9, 0]));
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    #[must_use]
    pub fn slices<Q, T>(&self) -> Option<Run<'w, T, D>>
    where
        Q: SystemName<D>,
        T: MemberFor<D, N, Q> + RunTerms<D>,
        N: Queries<Q, D>,
    {
        const { assert_query::<D, N, Q, T>() };
        const { assert_columns::<D, T>(N::INDEX) };
        let rows = self.core.subscriptions[Q::INDEX].set.as_range()?;
        let columns = T::columns(&self.core.storage, rows.clone());
        // SAFETY: The rows are those of the query's subscription, so each holds a live entity with the components that the
        // query requires; those that `T` requires are among them, `T` only reads, and reads what the query shows
        // (`assert_query`). They are in columns (`assert_columns`). Nothing writes these components of these entities while
        // the system of this subtask runs, which lasts for `'w`: neither another system nor this one
        // (`signature::check::queries`).
        Some(unsafe { T::run(columns, rows.start, rows.len()) })
    }

    /// The members of the query `Q` by key, with what `T` asks for about each.
    ///
    /// # Panics
    /// If this execution overrides the query's code by a closure that does not build its index.
    #[must_use]
    pub fn lookup<Q, T>(&self) -> Lookup<'w, D, KeyOf<Q, D>, T>
    where
        Q: SystemName<D, System: HasIndex<Key: Hashed>>,
        T: MemberFor<D, N, Q>,
        N: Queries<Q, D>,
    {
        const { assert_query::<D, N, Q, T>() };
        // SAFETY: as in `members`.
        unsafe { Lookup::of::<Q>(self.core) }
    }

    /// The members of the query `Q` by cell, with what `T` asks for about each: the index of the query is a `by_cell`.
    ///
    /// # Panics
    /// As [`lookup`](Self::lookup).
    #[must_use]
    pub fn near<Q, T>(&self) -> Near<'w, D, Q, T>
    where
        Q: SystemName<D, System: HasCells<D, Q, T>>,
        T: MemberFor<D, N, Q>,
        N: Queries<Q, D>,
    {
        const { assert_query::<D, N, Q, T>() };
        // SAFETY: as in `members`.
        unsafe { Near::of(self.core) }
    }

    /// The members of the query `Q`, sorted by number, each with the value that its index has given it: the key of the
    /// index is a [`Numbered`](crate::joins::Numbered).
    ///
    /// # Panics
    /// As [`lookup`](Self::lookup).
    #[must_use]
    pub fn sorted<Q>(&self) -> &'w Sorted<ValueOf<Q, D>>
    where
        Q: SystemName<D, System: HasIndex<Key: Ranked>>,
        N: Queries<Q, D>,
    {
        const { assert_uses::<D, N, Q>() };
        const { assert_not_sequential::<D, N>("sorted") };
        table::<D, Q>(self.core).1
    }
}

impl<'a, D: Declaration, N: SystemName<D>, A: QueryTerms<D>> Query<'a, D, N, A> {
    /// Calls `f` with each pair of one of these entities and a member, in the lexicographic order of rows, for every
    /// split: their product. O(entities × members).
    ///
    /// ```
    /// # use ecs_core::{Data, World, world};
    /// # #[derive(Clone, Copy, PartialEq)] struct Place(i32);
    /// # struct Speed(i32);
    /// world! {
    ///     world Line;
    ///     component Place, Speed;
    ///     query Still { read: [Place], without: [Speed] }
    ///     system Stop { read: [Place], write: [Speed], queries: [Still], run: stop }
    /// }
    ///
    /// fn stop(data: &mut Data<'_, Line, Stop>) {
    ///     let still = data.effects.members::<Still, &Place>();
    ///     data.own.query::<(&Place, &mut Speed)>().pairs(still, |(at, speed), still| {
    ///         if *at == still {
    ///             speed.0 = 0;
    ///         }
    ///     });
    /// }
    /// # let mut world = World::<Line>::new();
    /// # world.spawn((Place(7),));
    /// # let [moves, hits] = [6, 7].map(|n| world.spawn((Place(n), Speed(1))));
    /// # world.tick().unwrap();
    /// # assert_eq!(world.get::<Speed>(moves).unwrap().0, 1);
    /// # assert_eq!(world.get::<Speed>(hits).unwrap().0, 0);
    /// ```
    #[inline(always)]
    pub fn pairs<T: QueryTerms<D>>(
        self,
        members: Members<'_, D, T>,
        mut f: impl FnMut(&mut Item<'a, A, D>, Item<'_, T, D>),
    ) {
        self.for_each(|mut own| members.for_each(|member| f(&mut own, member)));
    }

    /// Calls `f` with each of these entities and each member that has one of the keys that `keys` returns for
    /// the entity. The order is by entities, then by keys as returned, then by members in ascending order of
    /// rows. A key that is returned twice counts twice. O(entities + keys + pairs).
    #[inline(always)]
    pub fn join<K: Hashed, T: QueryTerms<D>, Keys: IntoIterator<Item = K>>(
        self,
        members: Lookup<'_, D, K, T>,
        mut keys: impl FnMut(&Item<'a, A, D>) -> Keys,
        mut f: impl FnMut(&mut Item<'a, A, D>, Item<'_, T, D>),
    ) {
        self.for_each(|mut own| {
            for key in keys(&own) {
                for member in members.at(key) {
                    f(&mut own, member);
                }
            }
        });
    }

    /// Calls `f` with each of these entities and each member in the cells around the point that `point` returns for the
    /// entity. These are all members that are nearer than the size of the cells on each axis, and others. The order is by
    /// entities, then as that of [`Near::at`]. O(entities × cells around a point + pairs).
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// # #[derive(Clone, Copy)] struct Position([f32; 2]);
    /// # struct Neighbours(u32);
    /// world! {
    ///     world Plane;
    ///     component Position, Neighbours;
    ///     query All { index: by_cell(|at: &Position| -> [f32; 2] { at.0 }, 1.0) }
    ///     system Count {
    ///         read: [Position],
    ///         write: [Neighbours],
    ///         queries: [All],
    ///         run: |data| data.own.query::<(&Position, &mut Neighbours)>().near(
    ///             data.effects.near::<All, &Position>(),
    ///             |(at, _)| at.0,
    ///             |(at, neighbours), other| {
    ///                 let [x, y] = [0, 1].map(|axis| at.0[axis] - other.0[axis]);
    ///                 neighbours.0 += u32::from(x * x + y * y < 1.0);
    ///             },
    ///         ),
    ///     }
    /// }
    /// # let mut world = World::<Plane>::new();
    /// # let [a, b] = [[0.5, 0.9], [0.5, 5.0]].map(|at| world.spawn((Position(at), Neighbours(0))));
    /// # world.spawn((Position([0.5, 1.1]), Neighbours(0)));
    /// # world.tick().unwrap();
    /// # assert_eq!([a, b].map(|of| world.get::<Neighbours>(of).unwrap().0), [2, 1]);
    /// ```
    #[inline(always)]
    pub fn near<Q: SystemName<D>, T: QueryTerms<D>>(
        self,
        members: Near<'_, D, Q, T>,
        mut point: impl FnMut(&Item<'a, A, D>) -> PointOf<Q, T, D>,
        mut f: impl FnMut(&mut Item<'a, A, D>, Item<'_, T, D>),
    ) where
        Q::System: HasCells<D, Q, T>,
    {
        self.for_each(|mut own| members.at(point(&own)).for_each(|member| f(&mut own, member)));
    }
}

/// Whether each member of the query `Q` is an entity of the system `N`.
const fn has_all<D: Declaration, N: SystemName<D>, Q: SystemName<D>>() -> bool {
    let (system, query) = (&D::SYSTEMS[N::INDEX], &D::SYSTEMS[Q::INDEX]);
    !system.declared.opt_in
        && system.required().is_subset(&query.required())
        && system.excluded().is_subset(&query.excluded())
}

impl<D: Declaration, N: SystemName<D>> Effects<'_, D, N> {
    /// Calls `f` with each of the `own` entities of this subtask that is a member of the query `Q`, in the order of
    /// numbers (and of rows for the same number), with all members, and with a list that takes the items that the
    /// system outputs for the entity. The items are put in the order of rows: an entity's items do not depend on how the
    /// system was split, and neither does their order. The items of a second call come after those of the first, in
    /// each subtask.
    ///
    /// Entities that are visited one after the other have members nearby in common, which are then in the cache. If that
    /// does not matter, a loop over the entities with [`sorted`](Self::sorted) is simpler. O(members + entities + items):
    /// each subtask goes over all members.
    ///
    /// # Panics
    /// If this execution overrides the query's code by a closure that does not build its index, and if `own` is of another
    /// world.
    #[inline(always)]
    pub fn for_sorted<Q, T>(
        &mut self,
        own: &Own<'_, D, N>,
        mut f: impl FnMut(&Placed<ValueOf<Q, D>>, &Sorted<ValueOf<Q, D>>, &mut Items<'_, T>),
    ) where
        Q: SystemName<D, System: HasIndex<Key: Ranked>>,
        N: SystemName<D, Output = ByRow<T>> + Queries<Q, D>,
        T: Copy + Send + Sync + 'static,
    {
        assert!(
            core::ptr::eq(own.storage, &raw const self.core.storage),
            "`for_sorted` was given the entities of another world: pass `&data.own` of the same `data`"
        );
        let sorted = self.sorted::<Q>();
        let Own { set, slice, .. } = own;
        let is_own = |row| const { has_all::<D, N, Q>() } || set.contains(row);
        let output = &mut *self.output;
        output
            .collect(sorted.all(), &slice.rows(), is_own, |member, items| f(member, sorted, items));
    }
}
