//! The known word that is most similar to a mistyped one, for "did you mean" messages.

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
