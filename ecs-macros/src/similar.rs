//! The known word that is most similar to a mistyped one, for "did you mean" messages.

/// The candidate with the least edit distance to `word`, ignoring case. The distance must be at most a third of
/// the length of the longer of the two.
pub(crate) fn closest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let word = word.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| (distance(&word, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance <= candidate.chars().count().max(word.len()) / 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The number of insertions, deletions, substitutions and swaps of adjacent letters that turn `a` into `b`.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    // `rows[i][j]`: the distance between the first `i` letters of `a` and the first `j` of `b`.
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let substituted = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let mut best = substituted.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(rows[i - 2][j - 2] + 1);
                }
                best
            };
        }
    }
    rows[a.len()][b.len()]
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
            assert_eq!(distance(a, b), expected, "{a} {b}");
            assert_eq!(distance(b, a), expected, "{b} {a}");
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
