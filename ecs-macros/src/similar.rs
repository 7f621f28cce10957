//! The known word that a user meant by another one, for "did you mean" messages.

pub(crate) use ecs_rules::closest;

/// A word of the declaration, and words for it in other libraries (bevy, flecs, hecs, legion, shipyard, specs) or in plain
/// English, in lower case and without underscores.
type Words = (&'static str, &'static [&'static str]);

/// Keys.
#[rustfmt::skip]
const KEYS: &[Words] = &[
    ("dependencies", &["after", "afterall", "depends", "dependson", "dependency", "deps", "dep", "follows",
        "runafter", "runsafter", "waitfor", "waitsfor"]),
    ("before", &["runbefore", "runsbefore", "beforeall", "precedes"]),
    ("read", &["reads", "ref", "get", "access", "accesses", "components", "component", "view", "views", "in", "query",
        "readstorage", "readcomponent", "readcomponents"]),
    ("write", &["writes", "mut", "mutable", "mutate", "mutates", "modify", "modifies", "readwrite", "refmut", "viewmut",
        "inout", "out", "writestorage", "writecomponent", "writecomponents"]),
    ("read_optional", &["optional", "option", "maybe", "tryread"]),
    ("without", &["exclude", "excludes", "excluding", "except", "not", "noneof", "lacks"]),
    ("with", &["filter", "filters", "require", "requires", "has", "having", "allof", "contains", "tags", "tag"]),
    ("despawn", &["kill", "kills", "destroy", "destroys", "delete", "deletes", "despawns", "despawnentity",
        "deleteentity"]),
    ("spawn", &["create", "creates", "spawns", "createentity", "spawnbatch"]),
    ("insert", &["attach", "inserts", "addcomponent", "addcomponents", "insertone"]),
    ("remove", &["detach", "removes", "removecomponent", "removecomponents", "removeone", "erase"]),
    ("read_resources", &["res", "resources", "resource", "readsresources", "readresource", "unique", "uniqueview",
        "singleton", "singletons", "globals"]),
    ("write_resources", &["resmut", "resourcesmut", "resourcemut", "writesresources", "writeresource", "uniqueviewmut"]),
    ("parallelism", &["parallel", "par", "threads", "pariter", "parforeach", "parjoin", "innerparallelism",
        "multithreaded", "batchsize", "batches"]),
    ("stage", &["inset", "set", "sets", "phase", "systemset", "workload", "stages", "schedule", "kind", "group"]),
    ("state", &["local", "locals", "ctx", "context", "init", "initial"]),
    ("output", &["outputs", "produces", "returns"]),
    ("inputs", &["input", "consumes"]),
    ("emit", &["eventwriter", "messagewriter", "emits", "sends", "send", "raises", "triggers"]),
    ("on", &["eventreader", "messagereader", "events", "event", "observes", "observe", "handles", "listens"]),
    ("link", &["links", "relate", "setparent", "addchild", "reparent"]),
    ("relations", &["readsrelations", "readlinks"]),
    ("after_parent", &["parentfirst", "topdown", "cascade", "propagate", "afterparents"]),
    ("run_if", &["if", "when", "condition", "conditions", "criteria", "runcriteria", "runwhen", "runsif", "onlyif",
        "enabled", "skipunless"]),
    ("streams", &["channel", "receives"]),
    ("defer", &["commands", "command", "commandbuffer", "cmd", "lazy", "lazyupdate", "deferred"]),
    ("sequential", &["immediate", "noreadonly", "mainthread", "singlethreaded", "threadlocal", "serial"]),
    ("exclusive", &["alone", "allstorages", "allstoragesviewmut"]),
    ("opt_in", &["manual"]),
    ("each", &["foreach", "iter", "perentity", "map"]),
    ("run", &["body", "fn", "func", "function", "code", "exec", "execute", "do", "process", "handler", "call",
        "system"]),
    ("entity_limit", &["capacity", "maxentities", "entities", "limit", "max", "maxentitycount"]),
    ("scheduler", &["executor", "executorkind", "dispatcher"]),
    ("staged_changes", &["applydeferred", "autosync", "sync", "flush"]),
    ("rows", &["layout"]),
    ("random", &["rng", "rand", "randomness", "dice"]),
    ("seed", &["rngseed", "randomseed"]),
];

/// First words of items.
const ITEMS: &[Words] = &[
    ("component", &["components", "comp", "tag", "marker", "archetype"]),
    ("resource", &["resources", "res", "unique", "singleton", "global"]),
    ("event", &["events", "message", "messages", "signal"]),
    ("template", &["templates", "prefab", "prefabs", "blueprint"]),
    ("relation", &["relations", "relationship", "hierarchy", "parent", "children"]),
    ("system", &["systems", "sys", "pipeline"]),
    ("query", &["queries", "view", "filter"]),
    ("order", &["chain", "after", "before"]),
    ("stages", &["stage", "schedule", "phases", "workload", "workloads"]),
    ("include", &["import", "plugin", "module", "addplugins"]),
];

/// What is said of components: storage strategies, access by name, and that they expire.
const STORAGES: &[Words] = &[
    (
        "contiguous_buffer",
        &["vec", "vecstorage", "densevecstorage", "dense", "table", "column", "buffer", "array"],
    ),
    ("sparse_set", &["sparse", "sparseset", "sparsestorage"]),
    ("hash_map", &["hash", "map", "hashmapstorage", "btree", "btreemap", "btreestorage"]),
    ("empty", &["null", "nullstorage", "tag", "marker", "zst", "unit"]),
    (
        "by_name",
        &["named", "name", "reflect", "reflected", "inspect", "inspectable", "editable", "text"],
    ),
    ("expires", &["expire", "expiring", "lifetime", "ttl", "timeout", "countdown", "timer"]),
];

/// Inner-parallelism strategies.
const STRATEGIES: &[Words] = &[
    ("none", &["sequential", "serial", "single", "singlethreaded", "off", "no", "disallow"]),
    (
        "split_evenly",
        &["parallel", "par", "pariter", "auto", "all", "cores", "threads", "allow", "evenly"],
    ),
    ("split_every", &["batch", "batches", "batchsize", "chunks", "chunksize", "every"]),
    ("none_below_threshold", &["threshold", "above", "from"]),
];

/// Values of settings.
const SETTINGS: &[Words] = &[
    ("dynamic", &["growing", "grow", "unlimited", "infinite", "initial", "none"]),
    ("fixed", &["max", "exact", "static", "constant", "capacity"]),
    ("allow", &["on", "yes", "parallel", "enable", "enabled"]),
    ("disallow", &["off", "no", "none", "forbid", "disable", "disabled"]),
    ("atomic_counter", &["multithreaded", "parallel", "rayon", "workstealing"]),
    ("sequential", &["singlethreaded", "serial", "simple"]),
    ("by_archetype", &["archetype", "archetypes", "table", "tables", "grouped"]),
    ("in_order", &["ordered", "sorted"]),
    ("refresh_before_dependents", &["refresh", "applydeferred", "autosync", "immediate"]),
    ("after_step", &["end", "endofstep", "late", "deferred"]),
    ("deny", &["error", "forbid", "refuse"]),
];

/// The candidate that the word means elsewhere.
fn synonym<'a>(word: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let word = word.to_lowercase().replace('_', "");
    for table in [KEYS, ITEMS, STORAGES, STRATEGIES, SETTINGS] {
        for (known, words) in table {
            if words.contains(&word.as_str()) && candidates.contains(known) {
                return Some(known);
            }
        }
    }
    None
}

/// The candidate that the word means: what other libraries call so, a similar word, or one that begins so.
pub(crate) fn meant<'a>(word: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let begun = || {
        let begins = |one: &&&str| word.len() > 2 && one.starts_with(word);
        candidates.iter().filter(begins).min_by_key(|one| one.len()).copied()
    };
    synonym(word, candidates).or_else(|| closest(word, candidates.iter().copied())).or_else(begun)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn synonyms_stand_for_one_word_and_are_none() {
        for table in [KEYS, ITEMS, STORAGES, STRATEGIES] {
            let words = table.iter().flat_map(|(_, words)| words.iter().copied());
            let mut all: Vec<&str> = words.collect();
            let known: Vec<&str> = table.iter().map(|(known, _)| *known).collect();
            assert!(all.iter().all(|word| !known.contains(word)));
            assert!(all.iter().all(|word| !word.contains('_') && *word == word.to_lowercase()));
            let count = all.len();
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), count);
        }
        let keys: Vec<&str> = KEYS.iter().map(|(key, _)| *key).collect();
        assert_eq!(synonym("after", &keys), Some("dependencies"));
        assert_eq!(synonym("after", &["before"]), None);
        assert_eq!(synonym("priority", &keys), None);
    }

    #[test]
    fn words_of_other_libraries() {
        let keys: Vec<&str> = KEYS.iter().map(|(key, _)| *key).collect();
        for (word, key) in [
            ("ResMut", "write_resources"),
            ("in_set", "stage"),
            ("Commands", "defer"),
            ("multi_threaded", "parallelism"),
            ("ReadStorage", "read"),
            ("ViewMut", "write"),
            ("UniqueView", "read_resources"),
            ("deps", "dependencies"),
            ("body", "run"),
            ("for_each", "each"),
            ("paral", "parallelism"),
        ] {
            assert_eq!(meant(word, &keys), Some(key), "{word}");
        }
        for (word, table, known) in [
            ("tag", ITEMS, "component"),
            ("singleton", ITEMS, "resource"),
            ("VecStorage", STORAGES, "contiguous_buffer"),
            ("NullStorage", STORAGES, "empty"),
            ("SparseSet", STORAGES, "sparse_set"),
            ("par_iter", STRATEGIES, "split_evenly"),
            ("batch_size", STRATEGIES, "split_every"),
        ] {
            let all: Vec<&str> = table.iter().map(|(known, _)| *known).collect();
            assert_eq!(meant(word, &all), Some(known), "{word}");
        }
        assert_eq!(meant("xyz", &keys), None);
        assert_eq!(meant("re", &["read_any"]), None);
    }
}
