//! The known word that a user meant by another one, for "did you mean" messages.

use strsim::osa_distance;

/// The candidate with the least edit distance to `word`, ignoring case. The distance must be at most a third of
/// the length of the longer of the two.
pub(crate) fn closest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let word = word.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| (osa_distance(&word, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance <= candidate.chars().count().max(word.len()) / 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Each key, and words for it in other libraries or in plain English.
const SYNONYMS: [(&str, &[&str]); 13] = [
    ("dependencies", &["after", "depends", "depends_on", "dependency", "run_after", "runs_after"]),
    ("before", &["run_before", "runs_before"]),
    ("read", &["reads", "ref", "get", "access", "components"]),
    ("write", &["writes", "mut", "mutate", "modifies", "read_write"]),
    ("without", &["exclude", "excludes", "not", "none_of"]),
    ("with", &["filter", "require", "requires", "has", "all_of"]),
    ("despawn", &["kill", "kills", "destroy", "delete", "despawns"]),
    ("spawn", &["create", "creates", "spawns"]),
    ("insert", &["attach", "inserts"]),
    ("remove", &["detach", "removes"]),
    ("read_resources", &["res", "resources", "resource", "reads_resources"]),
    ("write_resources", &["res_mut", "resources_mut", "resource_mut", "writes_resources"]),
    ("parallelism", &["parallel", "par", "threads", "par_iter", "inner_parallelism"]),
];

/// The key among `keys` that the word means elsewhere.
pub(crate) fn synonym<'a>(word: &str, keys: &[&'a str]) -> Option<&'a str> {
    let (key, _) = SYNONYMS.iter().find(|(_, words)| words.contains(&word))?;
    keys.iter().copied().find(|known| known == key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (a, b, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("velocity", "velocity", 0),
            ("velocty", "velocity", 1),
            ("veloctiy", "velocity", 1),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(osa_distance(a, b), expected, "{a} {b}");
            assert_eq!(osa_distance(b, a), expected, "{b} {a}");
        }
    }

    #[test]
    fn synonyms_stand_for_one_key_and_are_none() {
        let mut all: Vec<&str> =
            SYNONYMS.iter().flat_map(|(_, words)| words.iter().copied()).collect();
        let keys: Vec<&str> = SYNONYMS.iter().map(|(key, _)| *key).collect();
        assert!(all.iter().all(|word| !keys.contains(word)));
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
        assert_eq!(synonym("after", &keys), Some("dependencies"));
        assert_eq!(synonym("after", &["before"]), None);
        assert_eq!(synonym("priority", &keys), None);
    }

    #[test]
    fn the_closest_wins_and_strangers_are_not_offered() {
        let known = ["Position", "Velocity", "A"];
        assert_eq!(closest("Positoin", known), Some("Position"));
        assert_eq!(closest("velocity", known), Some("Velocity"));
        assert_eq!(closest("a", known), Some("A"));
        assert_eq!(closest("B", known), None);
        assert_eq!(closest("Acceleration", known), None);
        assert_eq!(closest("x", []), None);
    }
}
