//! The known word that a user meant by another one, for "did you mean" messages.

extern crate alloc;

use alloc::vec;
use alloc::vec::Vec;

/// The candidate with the least edit distance to `word`, ignoring case. The distance must be at most a third of
/// the length of the longer of the two.
#[must_use]
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let mut least = usize::MAX;
    let mut closest = None;
    for candidate in candidates {
        let distance = distance(&word, &candidate.to_lowercase());
        if distance < least && distance <= candidate.chars().count().max(word.len()) / 3 {
            (least, closest) = (distance, Some(candidate));
        }
    }
    closest
}

/// The number of characters to insert, remove, replace or swap with the next one to make one word of the other, where
/// none changes twice: the optimal string alignment. O(length²).
fn distance(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    // The rows of the table are prefixes of `from`, its columns prefixes of `to`.
    let mut table = vec![(0..=to.len()).collect::<Vec<_>>()];
    for (i, a) in from.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in to.iter().enumerate() {
            let replaced = table[i][j] + usize::from(a != b);
            let mut least = replaced.min(table[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *a == to[j - 1] && from[i - 1] == *b {
                least = least.min(table[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        table.push(row);
    }
    table[from.len()][to.len()]
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
            ("ca", "abc", 3),
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
