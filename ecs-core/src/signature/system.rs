//! System signatures: what a system accesses, depends on and may do (thesis, 7.1.2).

use super::{Declaration, SystemName};
use crate::component::{IndexSet, TypeInfo};
use crate::inner_parallelism::Strategy;
use crate::system::Output;

/// The maximal number of systems of a declaration.
pub const MAX_SYSTEMS: usize = 1024;

/// The declared properties of one system, by index. Built up like the thesis's signature options.
#[expect(clippy::struct_excessive_bools, reason = "each is an independent option")]
#[derive(Clone, Copy, Debug)]
pub struct SystemSignature {
    pub(crate) name: &'static str,
    pub(crate) info: TypeInfo,
    pub(crate) single_subtask: bool,
    pub(crate) output_concatenates: bool,
    /// Whether iteration over the output always has the same order.
    pub(crate) output_is_ordered: bool,
    /// Whether the output is a stream.
    pub(crate) output_streams: bool,
    pub(crate) read: &'static [usize],
    pub(crate) write: &'static [usize],
    pub(crate) read_optional: &'static [usize],
    pub(crate) write_optional: &'static [usize],
    pub(crate) read_any: &'static [usize],
    pub(crate) with: &'static [usize],
    pub(crate) without: &'static [usize],
    pub(crate) exclusive: bool,
    pub(crate) sequential: bool,
    pub(crate) slice_dependent: bool,
    pub(crate) opt_in: bool,
    pub(crate) query: bool,
    pub(crate) indexed: bool,
    pub(crate) after: &'static [usize],
    pub(crate) before: &'static [usize],
    pub(crate) inputs: &'static [usize],
    pub(crate) queries: &'static [usize],
    pub(crate) streams: &'static [usize],
    pub(crate) unordered: bool,
    pub(crate) read_resources: &'static [usize],
    pub(crate) write_resources: &'static [usize],
    pub(crate) insert: &'static [usize],
    pub(crate) remove: &'static [usize],
    pub(crate) update: &'static [usize],
    pub(crate) despawn: bool,
    pub(crate) spawn: bool,
    /// The components of each bundle that is spawned, if all of them are known.
    pub(crate) bundles: Option<&'static [&'static [usize]]>,
    pub(crate) defer: bool,
}

/// Whether there is a sequential system.
pub(super) const fn any_sequential(systems: &[SystemSignature]) -> bool {
    let mut s = 0;
    while s < systems.len() {
        if systems[s].sequential {
            return true;
        }
        s += 1;
    }
    false
}

/// Whether there is an opt-in system.
pub(crate) const fn any_opt_in(systems: &[SystemSignature]) -> bool {
    let mut s = 0;
    while s < systems.len() {
        if systems[s].opt_in {
            return true;
        }
        s += 1;
    }
    false
}

/// Generates one `const` setter per list of indices.
macro_rules! index_lists {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[must_use]
        pub const fn $name(mut self, indices: &'static [usize]) -> Self {
            self.$name = indices;
            self
        }
    )*};
}

/// Generates one `const` setter per flag.
macro_rules! flags {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[must_use]
        pub const fn $name(mut self) -> Self {
            self.$name = true;
            self
        }
    )*};
}

impl SystemSignature {
    /// The signature of the system `N` with nothing declared yet.
    #[must_use]
    pub const fn new<D: Declaration, N: SystemName<D>>(name: &'static str) -> Self {
        Self {
            name,
            info: TypeInfo::of::<N>(),
            single_subtask: <N::Parallelism as Strategy>::SINGLE_SUBTASK,
            output_concatenates: <N::Output as Output>::CONCATENATES,
            output_is_ordered: <N::Output as Output>::ORDERED,
            output_streams: <N::Output as Output>::STREAM_END.0.is_some(),
            read: &[],
            write: &[],
            read_optional: &[],
            write_optional: &[],
            read_any: &[],
            with: &[],
            without: &[],
            exclusive: false,
            sequential: false,
            slice_dependent: false,
            opt_in: false,
            query: false,
            indexed: false,
            after: &[],
            before: &[],
            inputs: &[],
            queries: &[],
            streams: &[],
            unordered: false,
            read_resources: &[],
            write_resources: &[],
            insert: &[],
            remove: &[],
            update: &[],
            despawn: false,
            spawn: false,
            bundles: None,
            defer: false,
        }
    }

    index_lists! {
        /// Components read of own entities, which must have them.
        read;
        /// Components written of own entities, which must have them.
        write;
        /// Components read of own entities that have them.
        read_optional;
        /// Components written of own entities that have them.
        write_optional;
        /// Components read of any entity.
        read_any;
        /// Components that own entities must have, without access.
        with;
        /// Components that own entities must not have.
        without;
        /// Systems that must have run before (`dependencies`, and the reverse of `before`).
        after;
        /// Systems that have this one in `after` because this one declares `before`. It orders nothing by
        /// itself; a [`Description`](crate::description::Description) names the declaring system by it.
        before;
        /// Systems whose state and outputs are read; they, too, must have run before.
        inputs;
        /// Queries whose members are read; those that have an index must have run before.
        queries;
        /// The system, at most one, whose stream this system receives while both run.
        streams;
        /// Resources read.
        read_resources;
        /// Resources written.
        write_resources;
        /// Components that the system inserts at the refresh.
        insert;
        /// Components that the system removes at the refresh.
        remove;
        /// Components of own entities, which must have them, that the system reads and replaces by new values
        /// at the refresh.
        update;
    }

    flags! {
        /// The system is one subtask, which reaches every entity that has the declared components.
        exclusive;
        /// The system is one subtask, which reaches every entity that has the declared components. It runs alone, and
        /// its effects happen at once.
        sequential;
        /// The body may ask how its entities were sliced. The guarantee that results do not depend on
        /// slicing excludes the system.
        slice_dependent;
        /// The order of the items received from a stream does not matter. The guarantee that results do not depend on
        /// slicing excludes the system, unless it computes the same in any order.
        unordered;
        /// Entities subscribe by hand.
        opt_in;
        /// The system is a query: it may be listed in [`queries`](Self::queries), and is not
        /// executed, unless it is [`indexed`](Self::indexed).
        query;
        /// The query has an index, which is built when the query is executed.
        indexed;
        /// The system despawns entities.
        despawn;
        /// The system spawns entities, with any bundles.
        spawn;
        /// The system defers arbitrary functions to the refresh.
        defer;
    }

    /// The system spawns entities with these bundles only: the components of each.
    #[must_use]
    pub const fn spawn_only(mut self, bundles: &'static [&'static [usize]]) -> Self {
        self.spawn = true;
        self.bundles = Some(bundles);
        self
    }

    /// The system's name in the declaration.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Whether the system is never executed: it is a query without an index. What it reads, its
    /// users read.
    #[must_use]
    pub const fn is_idle(&self) -> bool {
        self.query && !self.indexed
    }

    /// Components that the users of the query read of its members.
    #[must_use]
    pub const fn shown(&self) -> IndexSet {
        IndexSet::of(self.read).union(IndexSet::of(self.read_optional))
    }

    /// Whether the signature forces one subtask (`parallelism: none`, `exclusive`, `sequential` or
    /// `streams`).
    #[must_use]
    pub const fn is_single_subtask(&self) -> bool {
        self.single_subtask || self.reaches_others() || !self.streams.is_empty()
    }

    /// Whether the system reaches any entity, not only those of its subtask one by one.
    pub(super) const fn reaches_others(&self) -> bool {
        self.exclusive || self.sequential
    }

    /// Whether changes of the system happen at the refresh.
    pub(crate) const fn stages(&self) -> bool {
        !self.sequential
    }

    /// Whether the system may leave work for the refresh.
    pub(crate) const fn stages_work(&self) -> bool {
        let changes = self.insert.len() + self.remove.len() + self.update.len();
        self.stages() && (self.despawn || self.spawn || self.defer || changes > 0)
    }

    /// Whether the system is subscribed to entities. A system that names no component runs
    /// once per execution, without entities.
    #[must_use]
    pub const fn has_entities(&self) -> bool {
        self.opt_in
            || !(self.required().is_empty()
                && self.optional().is_empty()
                && self.without.is_empty())
    }

    /// Components that an entity needs for the system to subscribe to it (14.2).
    #[must_use]
    pub const fn required(&self) -> IndexSet {
        let accessed = IndexSet::of(self.read).union(IndexSet::of(self.write));
        accessed.union(IndexSet::of(self.with)).union(IndexSet::of(self.update))
    }

    /// Components that keep the system from subscribing.
    #[must_use]
    pub const fn excluded(&self) -> IndexSet {
        IndexSet::of(self.without)
    }

    /// Components accessed of entities that have them.
    #[must_use]
    pub const fn optional(&self) -> IndexSet {
        IndexSet::of(self.read_optional).union(IndexSet::of(self.write_optional))
    }

    /// Components that the system's view of entities depends on: those that it reads, writes, requires or excludes.
    pub(super) const fn named(&self) -> IndexSet {
        self.readable()
            .union(self.required())
            .union(self.excluded())
            .union(IndexSet::of(self.read_any))
    }

    /// Components of own entities that the system may read.
    #[must_use]
    pub const fn readable(&self) -> IndexSet {
        let read = IndexSet::of(self.read).union(IndexSet::of(self.read_optional));
        read.union(IndexSet::of(self.update)).union(self.writable())
    }

    /// Components that the system may write at once.
    #[must_use]
    pub const fn writable(&self) -> IndexSet {
        IndexSet::of(self.write).union(IndexSet::of(self.write_optional))
    }
}
