//! The keys of a system that are lists or flags, each once: a line here is a field of [`System`](crate::System), a setter
//! of the signatures of `ecs-core`, and a key that `ecs-macros` reads and writes to the table.

use core::fmt;

/// The kinds of things that a name can stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A component.
    Component,
    /// A resource.
    Resource,
    /// A system or a query.
    System,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Component => "component",
            Self::Resource => "resource",
            Self::System => "system",
        })
    }
}

/// Calls the macro with the table of keys. A list has a variant, a field, a key and the kind of things that it names; a
/// flag has a variant, a field and a key.
#[macro_export]
macro_rules! keys {
    ($callback:ident) => {
        $callback! {
            lists {
                /// Components read of own entities, which must have them.
                Read read "read" Component;
                /// Components written of own entities, which must have them.
                Write write "write" Component;
                /// Components read of own entities that have them.
                ReadOptional read_optional "read_optional" Component;
                /// Components written of own entities that have them.
                WriteOptional write_optional "write_optional" Component;
                /// Components read of any entity.
                ReadAny read_any "read_any" Component;
                /// Components that own entities must have, without access.
                With with "with" Component;
                /// Components that own entities must not have.
                Without without "without" Component;
                /// Systems that must have run before: those that the system depends on, and those that say `before`.
                Dependencies after "dependencies" System;
                /// Systems that have this one in `dependencies` because this one says so. The list orders nothing by
                /// itself; a description names the declaring system by it.
                Before before "before" System;
                /// Systems whose state and outputs are read. They must have run before.
                Inputs inputs "inputs" System;
                /// Systems whose staged changes are seen: a refresh comes between each of them and this system.
                Sees sees "sees" System;
                /// Queries whose members are read. Those that have an index must have run before.
                Queries queries "queries" System;
                /// The system, at most one, whose stream this system receives while both run.
                Streams streams "streams" System;
                /// Resources read.
                ReadResources read_resources "read_resources" Resource;
                /// Resources written.
                WriteResources write_resources "write_resources" Resource;
                /// Commutative resources that are added to.
                Add add "add" Resource;
                /// Events emitted, for the systems that read them.
                Emit emit "emit" Resource;
                /// Events read, after all systems that emit them.
                On on "on" Resource;
                /// Relations whose links the system changes, at the refresh.
                Link link "link" Resource;
                /// Relations whose links the system reads.
                Relations relations "relations" Resource;
                /// The relation, at most one, along which the system goes: to parents before their children.
                AfterParent after_parent "after_parent" Resource;
                /// Resources that the condition of the system reads, before the phase in which the system runs.
                RunIf run_if "run_if" Resource;
                /// Components inserted at the refresh, or at once by a sequential system.
                Insert insert "insert" Component;
                /// Components removed at the refresh, or at once by a sequential system.
                Remove remove "remove" Component;
                /// Components of own entities, which must have them, that are read, and replaced by new values at the
                /// refresh.
                Update update "update" Component;
                /// Components of any entities that values are merged into at the refresh, or that are inserted where there is
                /// none.
                Accumulate accumulate "accumulate" Component;
                /// Tracked components: the system asks which of its own entities' have changed since it last ran. It reads
                /// or writes them.
                Changed changed "changed" Component;
                /// Tracked components: the system asks which of its own entities have got one since it last ran. It reads or
                /// writes them.
                Added added "added" Component;
                /// Components of which the system reads what was removed since it last ran: of any entity, the handle and the
                /// last value. It need not access them.
                Removed removed "removed" Component;
            }
            flags {
                /// The system is one subtask, which reaches every entity that has the declared components.
                Exclusive exclusive "exclusive";
                /// The system is one subtask, which reaches every entity that has the declared components. It runs
                /// alone, and its effects happen at once.
                Sequential sequential "sequential";
                /// The body may ask how its entities were sliced. The guarantee that results do not depend on slicing
                /// excludes the system.
                SliceDependent slice_dependent "slice_dependent";
                /// The order of the items of a stream, or of the output, does not matter. The guarantee that results
                /// do not depend on slicing excludes the system, unless it computes the same in any order.
                Unordered unordered "unordered";
                /// Entities subscribe by hand.
                OptIn opt_in "opt_in";
                /// The system despawns entities.
                Despawn despawn "despawn";
                /// The system defers arbitrary functions to the refresh.
                Defer defer "defer";
                /// The system draws random numbers.
                Random random "random";
                /// State and outputs are left out of clones, snapshots and hashes.
                Transient transient "transient";
            }
        }
    };
}
