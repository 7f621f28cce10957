//! What one system declares, by index.

use crate::{IndexSet, Kind, Moment};

/// Declares [`System`] and the enumerations of its keys from the table of [`keys`](crate::keys!).
macro_rules! declare {
    (
        lists { $($(#[$list_doc:meta])* $List:ident $list:ident $list_key:literal $kind:ident;)* }
        flags { $($(#[$flag_doc:meta])* $Flag:ident $flag:ident $flag_key:literal;)* }
    ) => {
        /// A list in the declaration of a system.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum List {
            $($(#[$list_doc])* $List,)*
        }

        impl List {
            /// Every list.
            pub const ALL: &[Self] = &[$(Self::$List),*];

            /// The key of the list.
            #[must_use]
            pub const fn key(self) -> &'static str {
                match self {
                    $(Self::$List => $list_key,)*
                }
            }

            /// The field of [`System`], and the setter of a signature.
            #[must_use]
            pub const fn field(self) -> &'static str {
                match self {
                    $(Self::$List => stringify!($list),)*
                }
            }

            /// The kind of things that the list names.
            #[must_use]
            pub const fn kind(self) -> Kind {
                match self {
                    $(Self::$List => Kind::$kind,)*
                }
            }
        }

        /// A key without a value in the declaration of a system.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Flag {
            $($(#[$flag_doc])* $Flag,)*
        }

        impl Flag {
            /// Every flag.
            pub const ALL: &[Self] = &[$(Self::$Flag),*];

            /// The key.
            #[must_use]
            pub const fn key(self) -> &'static str {
                match self {
                    $(Self::$Flag => $flag_key,)*
                }
            }
        }

        /// What one system declares. Components, resources and systems are indices.
        #[derive(Clone, Copy, Debug)]
        pub struct System<'a> {
            $($(#[$list_doc])* pub $list: &'a [usize],)*
            $($(#[$flag_doc])* pub $flag: bool,)*
            /// The bundles that are spawned: the components of each, if they are known.
            pub bundles: &'a [Option<&'a [usize]>],
            /// Whether the system is a query.
            pub query: bool,
            /// Whether the query has an index, so that it is executed.
            pub indexed: bool,
            /// The components that the index is made from: by default, all that the query shows.
            pub index: Option<&'a [usize]>,
            /// Pairs of a query and a component that is read through it. A query without such a pair shows all that it
            /// can.
            pub through: &'a [(usize, usize)],
            /// Those of the emitted events that are delayed until the next step.
            pub delayed: &'a [usize],
            /// The executions that the system is part of.
            pub moment: Moment,
            /// States, and the variants of each that count for the system: those in which it runs, or when they are entered
            /// or left, as a mask.
            pub states: &'a [(usize, u64)],
            /// The states that the system sets.
            pub set_states: &'a [usize],
            /// The system runs in one of so many executions; in each if it is 0.
            pub every: u32,
            /// Whether the system is the end of a stage, which does nothing.
            pub stage: bool,
            /// Whether the strategy never makes several subtasks.
            pub single_subtask: bool,
            /// Whether outputs of subtasks can be concatenated.
            pub output_concatenates: bool,
            /// Whether iteration over the output always has the same order.
            pub output_is_ordered: bool,
            /// Whether the output is a stream.
            pub output_streams: bool,
        }

        impl<'a> System<'a> {
            /// A system of one subtask that declares nothing.
            pub const BLANK: System<'static> = System {
                $($list: &[],)*
                $($flag: false,)*
                bundles: &[],
                query: false,
                indexed: false,
                index: None,
                through: &[],
                delayed: &[],
                moment: Moment::During,
                states: &[],
                set_states: &[],
                every: 0,
                stage: false,
                single_subtask: true,
                output_concatenates: true,
                output_is_ordered: true,
                output_streams: false,
            };

            /// What the list names.
            #[must_use]
            pub const fn list(&self, list: List) -> &'a [usize] {
                match list {
                    $(List::$List => self.$list,)*
                }
            }

            /// Sets what the list names.
            pub const fn set_list(&mut self, list: List, indices: &'a [usize]) {
                match list {
                    $(List::$List => self.$list = indices,)*
                }
            }

            /// Whether the flag is set.
            #[must_use]
            pub const fn flag(&self, flag: Flag) -> bool {
                match flag {
                    $(Flag::$Flag => self.$flag,)*
                }
            }

            /// Sets the flag to the value.
            pub const fn set_flag(&mut self, flag: Flag, value: bool) {
                match flag {
                    $(Flag::$Flag => self.$flag = value,)*
                }
            }
        }
    };
}

crate::keys!(declare);

/// Whether the list has the index.
#[must_use]
pub const fn contains(list: &[usize], index: usize) -> bool {
    let mut i = 0;
    while i < list.len() {
        if list[i] == index {
            return true;
        }
        i += 1;
    }
    false
}

/// Whether one of the lists has the index.
#[must_use]
pub const fn contains_any(lists: &[&[usize]], index: usize) -> bool {
    let mut list = 0;
    while list < lists.len() {
        if contains(lists[list], index) {
            return true;
        }
        list += 1;
    }
    false
}

impl<'a> System<'a> {
    /// Whether the system is never executed: it is a query without an index. What it reads, its users read.
    #[must_use]
    pub const fn is_idle(&self) -> bool {
        self.query && !self.indexed
    }

    /// Whether the system is one subtask, by its strategy or by another key.
    #[must_use]
    pub const fn is_single_subtask(&self) -> bool {
        self.single_subtask || self.reaches_others() || !self.streams.is_empty()
    }

    /// Whether the system reaches any entity, not only those of its subtask one by one.
    #[must_use]
    pub const fn reaches_others(&self) -> bool {
        self.exclusive || self.sequential
    }

    /// Whether the system spawns entities.
    #[must_use]
    pub const fn spawns(&self) -> bool {
        !self.bundles.is_empty()
    }

    /// Whether the system spawns a bundle of unknown components.
    #[must_use]
    pub const fn spawns_anything(&self) -> bool {
        let mut i = 0;
        while i < self.bundles.len() {
            if self.bundles[i].is_none() {
                return true;
            }
            i += 1;
        }
        false
    }

    /// Whether the system adds to resources, emits events or changes links.
    #[must_use]
    pub const fn contributes(&self) -> bool {
        !self.add.is_empty() || !self.emit.is_empty() || !self.link.is_empty()
    }

    /// Whether changes of the system happen at the refresh.
    #[must_use]
    pub const fn stages(&self) -> bool {
        !self.sequential
    }

    /// Whether the system is subscribed to entities.
    #[must_use]
    pub const fn has_entities(&self) -> bool {
        let [read, write, with, update] = self.requiring();
        self.opt_in
            || !self.after_parent.is_empty()
            || !(read.is_empty()
                && write.is_empty()
                && with.is_empty()
                && update.is_empty()
                && self.read_optional.is_empty()
                && self.write_optional.is_empty()
                && self.without.is_empty())
    }

    /// Whether the subtasks of the system share the events that it reads: it may have several, and has no entities for
    /// them.
    #[must_use]
    pub const fn shares_events(&self) -> bool {
        !self.on.is_empty() && !self.has_entities() && !self.is_single_subtask()
    }

    /// Whether the system sees which entities exist.
    #[must_use]
    pub const fn sees_entities(&self) -> bool {
        self.has_entities() || !self.read_any.is_empty()
    }

    /// The lists of components that own entities must have.
    #[must_use]
    pub const fn requiring(&self) -> [&'a [usize]; 4] {
        [self.read, self.write, self.with, self.update]
    }

    /// The lists of components that the system reads or writes, of own entities or of any.
    #[must_use]
    pub const fn accessing(&self) -> [&'a [usize]; 6] {
        let (own, optional) = ([self.read, self.write], [self.read_optional, self.write_optional]);
        [own[0], own[1], optional[0], optional[1], self.update, self.read_any]
    }

    /// The lists of components that decide what the system sees of entities: it accesses, requires or excludes them.
    #[must_use]
    pub const fn naming(&self) -> [&'a [usize]; 8] {
        let [a, b, c, d, e, f] = self.accessing();
        [a, b, c, d, e, f, self.with, self.without]
    }

    /// Components that an entity needs for the system to subscribe to it.
    #[must_use]
    pub const fn required(&self) -> IndexSet {
        IndexSet::of_all(&self.requiring())
    }

    /// Components that keep the system from subscribing.
    #[must_use]
    pub const fn excluded(&self) -> IndexSet {
        IndexSet::of(self.without)
    }

    /// Components accessed of entities that have them.
    #[must_use]
    pub const fn optional(&self) -> IndexSet {
        IndexSet::of_all(&[self.read_optional, self.write_optional])
    }

    /// Components of own entities that the system reads when it is executed: of a query, those that its index is made
    /// from.
    #[must_use]
    pub const fn touched(&self) -> IndexSet {
        match self.index {
            Some(index) => IndexSet::of(index),
            None => self.readable(),
        }
    }

    /// Components of own entities that the system may read.
    #[must_use]
    pub const fn readable(&self) -> IndexSet {
        IndexSet::of_all(self.accessing().split_at(5).0)
    }

    /// Components that the system may write at once.
    #[must_use]
    pub const fn writable(&self) -> IndexSet {
        IndexSet::of_all(&[self.write, self.write_optional])
    }

    /// Components that the users of a query read of its members.
    #[must_use]
    pub const fn shown(&self) -> IndexSet {
        IndexSet::of_all(&[self.read, self.read_optional])
    }

    /// Whether the system writes the component at once.
    #[must_use]
    pub const fn writes(&self, component: usize) -> bool {
        contains(self.write, component) || contains(self.write_optional, component)
    }

    /// Whether the users of the query read the component of its members.
    #[must_use]
    pub const fn shows(&self, component: usize) -> bool {
        contains(self.read, component) || contains(self.read_optional, component)
    }

    /// Whether the system itself reads or writes the component when it is executed. A query reads what its index is made
    /// from, and its users read the rest.
    #[must_use]
    pub const fn touches(&self, component: usize) -> bool {
        match self.index {
            _ if self.is_idle() => false,
            Some(index) => contains(index, component),
            None => self.accesses(component),
        }
    }

    /// Whether the system, a user of the query, reads the component of the query's members. The query is the system at
    /// the given index.
    #[must_use]
    pub const fn reads_through(&self, query: &System<'_>, at: usize, component: usize) -> bool {
        let (mut all, mut named, mut i) = (true, false, 0);
        while i < self.through.len() {
            let (through, shown) = self.through[i];
            all = all && through != at;
            named = named || through == at && shown == component;
            i += 1;
        }
        (all || named) && query.shows(component)
    }

    /// Whether the system reads or writes the component, of own entities or of any.
    #[must_use]
    pub const fn accesses(&self, component: usize) -> bool {
        contains_any(&self.accessing(), component)
    }

    /// Whether own entities must have the component.
    #[must_use]
    pub const fn requires(&self, component: usize) -> bool {
        contains_any(&self.requiring(), component)
    }

    /// Whether what the system sees of entities depends on the component.
    #[must_use]
    pub const fn names(&self, component: usize) -> bool {
        contains_any(&self.naming(), component)
    }
}
