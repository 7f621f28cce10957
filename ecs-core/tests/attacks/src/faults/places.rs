//! The kinds of places at which the library calls user code.

macro_rules! places {
    ($($name:ident = $text:literal;)*) => {
        $(
            #[doc = concat!("A call of user code: ", $text, ".")]
            pub const $name: &str = $text;
        )*

        /// All of them.
        pub const ALL: &[&str] = &[$($text),*];
    };
}

places! {
    STEP = "the closure of a step";
    PROCESS = "System::process";
    BEFORE_SUBTASKS = "System::execute, before the subtasks";
    AFTER_SUBTASKS = "System::execute, after the subtasks";
    ENTITIES = "the closure of for_entities";
    RUNS = "the closure of for_runs";
    ROLL = "the closure of roll";
    ROLL_PAIRS = "the closure of roll_pairs";
    PAIRS = "the closure of for_pairs";
    KEYS = "the closure that gives keys to join";
    JOIN = "the closure of join";
    INDEX_KEY = "Index::key";
    OVERRIDE = "for_subtasks of an execution";
    DETAILED = "detailed of an execution";
    DETAILED_INSTANCE = "detailed_instance of an execution";
    ADAPTER = "ForSubtasks::process";
    INSTANCE_ADAPTER = "ForInstance::execute";
    OUTPUTS = "the closure of for_outputs";
    STRATEGY_OF_SUBTASKS = "Strategy::subtasks";
    MAKE_SCHEDULER = "the closure of with_scheduler";
    SCHEDULER_NEW = "Scheduler::new";
    SCHEDULER_EXECUTE = "Scheduler::execute";
    SUBTASK_ORDER = "Scheduler::subtask_order";
    DEFERRED = "a deferred function";
    ON_SUBSCRIBE = "the function of a subscription";
    ON_UNSUBSCRIBE = "the function of an unsubscription";
    ON_RECLAIM = "the function of a reclamation";
    SEND = "a producer of a stream";
    RECEIVE = "a consumer of a stream";
    NEXT = "Iterator::next";
    SIZE_HINT = "Iterator::size_hint";
    INTO_ITER = "IntoIterator::into_iter";
    PUT = "Bundle::put";
    MERGE = "Accumulate::accumulate";
    OUTPUT_DEFAULT = "Default::default of an output";
    OUTPUT_RESET = "Output::reset";
    RESOURCE_DEFAULT = "Default::default of a resource";
    RESOURCE_INITIAL = "the expression of a resource";
    SYSTEM_DEFAULT = "Default::default of a system";
    SYSTEM_INITIAL = "the expression of a system's state";
    STORAGE_NEW = "StorageStrategy::new";
    STORAGE_FIXED = "StorageStrategy::fixed";
    STORAGE_INSERT = "StorageStrategy::insert";
    STORAGE_GET = "StorageStrategy::get";
    STORAGE_REMOVE = "StorageStrategy::remove";
    CLONE_OF_COMPONENT = "Clone::clone of a component";
    CLONE_FROM_OF_COMPONENT = "Clone::clone_from of a component";
    CLONE_OF_RESOURCE = "Clone::clone of a resource";
    CLONE_FROM_OF_RESOURCE = "Clone::clone_from of a resource";
    CLONE_OF_STATE = "Clone::clone of a system's state";
    CLONE_FROM_OF_STATE = "Clone::clone_from of a system's state";
    CLONE_OF_OUTPUT = "Clone::clone of an output";
    CLONE_FROM_OF_OUTPUT = "Clone::clone_from of an output";
    HASH_OF_COMPONENT = "StateHash::state_hash of a component";
    HASH_OF_RESOURCE = "StateHash::state_hash of a resource";
    HASH_OF_STATE = "StateHash::state_hash of a system's state";
    LOOK = "the closure of World::for_each";
    LOOK_AT_SOME = "the closure of World::for_each_of";
    DROP_IN_BUFFER = "the drop of a component in a buffer of its own";
    DROP_INTERLEAVED = "the drop of a component in a buffer of several";
    DROP_IN_SPARSE_SET = "the drop of a component in a sparse set";
    DROP_IN_HASH_MAP = "the drop of a component in a hash map";
    DROP_IN_STRATEGY = "the drop of a component in a strategy of the user's";
    DROP_OF_STAGED = "the drop of a component that was never read";
    DROP_WITHOUT_ROOM = "the drop of a component of a bundle without room";
    DROP_OF_UPDATE = "the drop of the value of an update";
    DROP_OF_CAPTURE = "the drop of what a deferred function has captured";
    DROP_OF_CALLBACK = "the drop of what another closure has captured";
    DROP_OF_ITERATOR = "the drop of an iterator";
    DROP_OF_ITEM = "the drop of an item of a stream";
    DROP_OF_OUTPUT = "the drop of an output";
    DROP_OF_RESOURCE = "the drop of a resource";
    DROP_OF_STATE = "the drop of a system's state";
    DROP_OF_STRATEGY = "the drop of a storage strategy";
    DROP_OF_SCHEDULER = "the drop of a scheduler";
    DROP_OF_PAYLOAD = "the drop of what a panic carries";
}
