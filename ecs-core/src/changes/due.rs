//! Values that are staged before they can be made, since they hold handles that the refresh gives.

/// The places of values that are due, in the order in which they will be made.
#[derive(Debug)]
pub(super) struct Due<P> {
    places: Vec<P>,
    /// How many of them have been made.
    made: usize,
}

impl<P: Copy + Ord> Due<P> {
    pub(super) const fn new() -> Self {
        Self { places: Vec::new(), made: 0 }
    }

    /// Adds a place whose value is due. O(1), amortized.
    pub(super) fn push(&mut self, place: P) {
        self.places.push(place);
    }

    /// The place of the next value, which is made now.
    ///
    /// # Panics
    /// If no value is due.
    pub(super) fn next(&mut self) -> P {
        let place = *self.rest().first().expect("a value is due");
        self.made += 1;
        place
    }

    /// The places of the values that are due still.
    pub(super) fn rest(&self) -> &[P] {
        &self.places[self.made..]
    }

    /// The same, ascending. No value can be made after that.
    pub(super) fn rest_sorted(&mut self) -> &[P] {
        let rest = &mut self.places[self.made..];
        rest.sort_unstable();
        rest
    }

    /// Asserts that no value is due.
    ///
    /// # Panics
    /// If one is.
    pub(super) fn assert_none(&self) {
        assert!(self.made == self.places.len(), "a staged value was not made");
    }

    /// Forgets all places.
    pub(super) fn clear(&mut self) {
        self.places.clear();
        self.made = 0;
    }
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;

    #[test]
    fn values_are_made_in_order() {
        let mut due = Due::new();
        due.assert_none();
        for place in [5, 3, 9] {
            due.push(place);
        }
        assert_eq!((due.next(), due.rest().to_vec()), (5, vec![3, 9]));
        due.push(1);
        assert!(catch_unwind(|| due.assert_none()).is_err());
        assert_eq!(due.rest_sorted(), [1, 3, 9]);
        for _ in 0..3 {
            due.next();
        }
        due.assert_none();
        due.clear();
        assert!(due.rest().is_empty());
        assert!(catch_unwind(move || due.next()).is_err());
    }
}
