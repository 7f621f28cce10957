//! The worlds: one program, with other storages, splits and refreshes in each.

use super::parts::*;
use super::program::*;
use super::support::{fail, mix};

/// The number of keys of the index.
pub(crate) const TEAMS: u64 = 8;

/// Systems without a state.
macro_rules! unit {
    ($($name:ident)+) => {$(
        #[derive(Clone, Default, ecs_core::StateHash)]
        pub(crate) struct $name;
    )+};
}

macro_rules! everything {
    (
        $(#[$doc:meta])*
        $module:ident, $staged:ident,
        [$($split:tt)*] [$($other:tt)*] [$($third:tt)*],
        { $($components:tt)* }
    ) => {
        $(#[$doc])*
        #[path = "bodies"]
        pub(crate) mod $module {
            use ecs_core::access::ReadsResource;
            use ecs_core::{FromTemplate, Resources, SystemName, Template, world};

            #[allow(unused_imports, reason = "not all worlds have a storage of the user's")]
            use super::super::keep::List;
            #[allow(unused_imports, reason = "not all modules need all")]
            use super::*;

            world! {
                pub(crate) world Tested { entity_limit: dynamic(16), staged_changes: $staged, seed: 9 }
                $($components)*
                bundle Full { Id, Heat, Grade, Team, Luck, Extra }
                resource Clock, Mode, Sunk, Log;
                resource Total: sum;
                resource Low: min = Low(u64::MAX);
                resource Script, Roster: transient;
                resource Stock: transient = Stock(stock());
                event Ping;
                event Kept: keep(2);
                event Echo: delayed;
                event Whisper: transient;
                event Hit: addressed;
                event Reply: addressed, delayed;
                relation ChildOf: one_to_many, on_despawn: despawn;
                relation Likes: many_to_many, on_despawn: detach;

                system Beat { write_resources: [Clock], read_resources: [Script] }
                system Write {
                    parallelism: $($split)*,
                    random,
                    read: [Id],
                    write: [Heat],
                    write_optional: [Grade, Label, Luck],
                    read_resources: [Clock, Script],
                    add: [Total, Low],
                    emit: [Ping, Kept],
                    output: Vec<u64>,
                    dependencies: [Beat],
                }
                system Gauge {
                    parallelism: $($other)*,
                    read: [Id, Heat],
                    read_any: [Team],
                    read_resources: [Clock, Script, Roster],
                    accumulate: [Load, Grade],
                    add: [Total],
                    emit: [Ping, Whisper, Hit],
                    dependencies: [Write],
                }
                system Probe {
                    run_if: |mode: &Mode| mode.0 & 1 != 0,
                    parallelism: $($third)*,
                    read: [Id, Heat],
                    without: [Tag],
                    read_resources: [Clock, Script, Roster],
                    accumulate: [Load, Extra],
                    add: [Total, Low],
                    emit: [Ping, Kept, Hit],
                    dependencies: [Write],
                }
                system Source {
                    run_if: |mode: &Mode| mode.0 & 2 != 0,
                    parallelism: $($split)*,
                    read: [Id, Grade],
                    read_resources: [Clock, Script],
                    output: ecs_core::Stream<u64>,
                    dependencies: [Write],
                }
                system Sink { streams: [Source], write_resources: [Sunk] }
                // These three share their events among their subtasks.
                system Back {
                    parallelism: $($third)*,
                    on: [Echo],
                    emit: [Ping],
                    read_resources: [Clock, Script],
                    dependencies: [Beat],
                }
                system Answer {
                    run_if: |mode: &Mode| mode.0 & 4 != 0,
                    parallelism: $($split)*,
                    on: [Ping],
                    emit: [Echo],
                    read_resources: [Clock, Script],
                    output: Vec<u64>,
                }
                system Hear {
                    run_if: |mode: &Mode| mode.0 & 8 != 0,
                    on: [Ping, Kept, Whisper],
                    output: Vec<u64>,
                }
                system Watch { parallelism: $($other)*, on: [Hit], output: Vec<u64> }
                system Receive {
                    parallelism: $($third)*,
                    on: [Hit],
                    emit: [Reply],
                    read: [Id],
                    write: [Heat],
                    write_optional: [Grade],
                    read_resources: [Clock, Script],
                    output: Vec<u64>,
                    dependencies: [Source],
                }
                system Replies {
                    parallelism: $($other)*,
                    on: [Reply],
                    write: [Team],
                    dependencies: [Receive],
                }
                system Fresh {
                    parallelism: $($split)*,
                    read: [Id, Grade],
                    changed: [Grade],
                    added: [Grade],
                    output: Vec<u64>,
                    dependencies: [Receive],
                }
                system Stale {
                    run_if: |mode: &Mode| mode.0 & 16 != 0,
                    parallelism: $($other)*,
                    read: [Id, Grade],
                    without: [Tag],
                    changed: [Grade],
                    output: Vec<u64>,
                    dependencies: [Fresh],
                }
                system Losses {
                    run_if: |mode: &Mode| mode.0 & 4 != 0,
                    removed: [Grade, Label, Tag],
                    output: Vec<u64>,
                    dependencies: [Receive],
                }
                query Same { read: [Id, Team], index: by_key(|team: &Team| -> u64 { team.0 % TEAMS }) }
                system Meet {
                    parallelism: $($third)*,
                    queries: [Same],
                    read: [Id],
                    write: [Heat],
                    read_resources: [Clock, Script],
                    dependencies: [Replies, Stale],
                }
                system Wear {
                    run_if: |mode: &Mode| mode.0 & 8 != 0,
                    parallelism: $($third)*,
                    expire: Extra,
                    without: [Tag],
                    dependencies: [Meet],
                }
                system Alter {
                    parallelism: $($split)*,
                    read: [Id],
                    read_resources: [Clock, Script, Roster, Stock],
                    despawn,
                    spawn: [
                        (Id, Heat), (Heat, Id, Grade), (Grade, Id, Label, Tag), Full,
                        FromTemplate<Tested, (Id,)>,
                    ],
                    insert: [Grade, Label, Tag],
                    remove: [Grade, Label, Tag],
                    accumulate: [Load],
                    dependencies: [Meet, Losses],
                }
                system Shift {
                    run_if: |mode: &Mode| mode.0 & 32 != 0,
                    parallelism: $($other)*,
                    read: [Id],
                    read_resources: [Clock, Script, Roster],
                    spawn: [(Id, Team)],
                    insert: [Team, Extra],
                    remove: [Team, Extra],
                    accumulate: [Load, Heat],
                    dependencies: [Wear],
                }
                system Bind {
                    parallelism: $($other)*,
                    read: [Id],
                    relations: [ChildOf, Likes],
                    link: [Likes, ChildOf],
                    read_resources: [Clock, Script, Roster],
                    output: Vec<u64>,
                    dependencies: [Meet],
                }
                system Renew {
                    parallelism: $($third)*,
                    read: [Id],
                    update: [Heat, Grade],
                    read_resources: [Clock, Script],
                    dependencies: [Alter, Shift, Bind],
                }
                system Meddle {
                    parallelism: $($split)*,
                    read: [Id],
                    defer,
                    read_resources: [Clock, Script],
                    dependencies: [Renew],
                }
                system Roll {
                    sequential,
                    read: [Id],
                    write: [Heat],
                    despawn,
                    spawn: [(Heat, Id, Grade), (Grade, Id, Label, Tag)],
                    insert: [Grade, Label, Tag],
                    remove: [Grade, Label, Tag],
                    read_resources: [Clock, Script, Roster],
                    dependencies: [Meddle],
                }
                system Chosen {
                    opt_in,
                    parallelism: $($other)*,
                    read: [Id],
                    write: [Heat],
                    read_resources: [Clock, Script],
                    dependencies: [Roll],
                }
                system Late {
                    parallelism: $($third)*,
                    sees: [Alter.spawn],
                    read: [Id, Grade],
                    changed: [Grade],
                    accumulate: [Load],
                    read_resources: [Clock, Script],
                    despawn,
                    spawn: [(Id, Team)],
                    emit: [Echo],
                    output: Vec<u64>,
                    dependencies: [Chosen],
                }
                system LateLosses {
                    removed: [Extra, Grade],
                    output: Vec<u64>,
                    dependencies: [Late],
                }
                system Report {
                    inputs: [Write, Hear, Watch, Receive, Fresh, Stale, Late, Losses, LateLosses],
                    write_resources: [Log],
                }
            }

            #[path = "changes.rs"]
            mod changes;
            #[path = "driven.rs"]
            mod driven;
            #[path = "queues.rs"]
            mod queues;
            #[path = "values.rs"]
            mod values;

            use changes::{Alter, Bind, Meddle, Renew, Roll, Shift};
            use queues::{Answer, Back, Hear, Receive, Replies, Watch};
            use values::{
                Beat, Losses, Chosen, Fresh, Gauge, Late, Meet, LateLosses, Probe, Report, Sink, Source, Stale,
                Write,
            };

            pub(crate) struct Stock(Template<Tested>);

            pub(crate) fn stock() -> Template<Tested> {
                Template::new((Heat(7), Team(3), Label("stock".to_owned())))
            }

            /// The program, and the number of the execution.
            fn now<'w, N>(resources: &Resources<'w, Tested, N>) -> (&'w Script, u64)
            where
                N: SystemName<Tested> + ReadsResource<Script, Tested> + ReadsResource<Clock, Tested>,
            {
                (resources.get::<Script>(), resources.get::<Clock>().0)
            }
        }
    };
}

everything! {
    /// Columns.
    columns, after_step, [split_every(64)] [split_evenly(3)] [none],
    {
        component Id, Heat, Grade, Team, Luck, Load, Label;
        component Tag: empty;
        component Extra: expires(0);
    }
}

everything! {
    /// Interleaved buffers, and a storage of the user's.
    groups, after_step, [split_evenly(cores)] [none] [split_every(64)],
    {
        component (Id, Heat, Grade): contiguous_buffer;
        component (Team, Luck, Load): contiguous_buffer;
        component Label, Tag: contiguous_buffer;
        component Extra: storage(List<Extra>), expires(0);
    }
}

everything! {
    /// Maps and sparse sets.
    maps, after_step, [none] [split_every(64)] [split_evenly(5)],
    {
        component Id: sparse_set;
        component Heat, Grade: hash_map;
        component Team: sparse_set;
        component Luck, Load, Label: hash_map;
        component Tag: empty;
        component Extra: expires(0), sparse_set;
    }
}

everything! {
    /// Columns, with refreshes in the middle of a step.
    phased, refresh_before_dependents, [split_evenly(3)] [split_every(64)] [none_below_threshold(20, split_evenly(4))],
    {
        component Id, Heat, Grade, Team, Luck;
        component Load: sparse_set;
        component Label;
        component Tag: empty;
        component Extra: hash_map, expires(0);
    }
}

everything! {
    /// All kinds of storage, with refreshes in the middle of a step.
    mixed, refresh_before_dependents, [none] [split_evenly(2)] [split_every(64)],
    {
        component (Id, Heat): contiguous_buffer;
        component Grade: sparse_set;
        component (Team, Luck, Load): contiguous_buffer;
        component Label: hash_map;
        component Tag: contiguous_buffer;
        component Extra: storage(List<Extra>), expires(0);
    }
}
