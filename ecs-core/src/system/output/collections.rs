//! Outputs of the standard library's types.
//!
//! Lists concatenate. Sets and maps do not: the same key may be in the outputs of two subtasks, where one
//! subtask would have it once. Hash tables have no order. A fixed hasher does not help: the order also depends
//! on the capacity, hence on earlier steps.

use core::hash::{BuildHasher, Hash};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, VecDeque};

use super::Output;
use crate::component::ThreadSafe;

/// Types with a `clear` that keeps their memory, if they can.
macro_rules! cleared {
    ($([$($generics:tt)*] $t:ty, $concatenates:literal, $ordered:literal;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> Output for $t {
            const CONCATENATES: bool = $concatenates;
            const ORDERED: bool = $ordered;

            fn reset(&mut self) {
                self.clear();
            }
        }
    )*};
}

cleared! {
    [T: ThreadSafe] Vec<T>, true, true;
    [T: ThreadSafe] VecDeque<T>, true, true;
    [] String, true, true;
    [T: Ord + ThreadSafe] BinaryHeap<T>, false, true;
    [T: Ord + ThreadSafe] BTreeSet<T>, false, true;
    [K: Ord + ThreadSafe, V: ThreadSafe] BTreeMap<K, V>, false, true;
    [T: Eq + Hash + ThreadSafe, S: BuildHasher + Default + ThreadSafe] HashSet<T, S>, false, false;
    [K: Eq + Hash + ThreadSafe, V: ThreadSafe, S: BuildHasher + Default + ThreadSafe]
        HashMap<K, V, S>, false, false;
}

#[diagnostic::do_not_recommend]
impl<T: ThreadSafe> Output for Option<T> {}

/// The boxed output is reset in place.
#[diagnostic::do_not_recommend]
impl<T: Output> Output for Box<T> {
    const CONCATENATES: bool = T::CONCATENATES;
    const ORDERED: bool = T::ORDERED;

    fn reset(&mut self) {
        (**self).reset();
    }
}

/// Each element is reset in place. Arrays do not concatenate, as their length is fixed.
#[diagnostic::do_not_recommend]
impl<T: Output, const N: usize> Output for [T; N]
where
    Self: Default,
{
    const ORDERED: bool = T::ORDERED;

    fn reset(&mut self) {
        self.iter_mut().for_each(T::reset);
    }
}

/// Each element is reset in place. Tuples do not concatenate, as there is no order between the items of their
/// elements.
macro_rules! tuples {
    ($($t:ident $at:tt)*) => {
        tuples!(@ [] $($t $at)*);
    };
    (@ [$($t:ident $at:tt)*] $next:ident $next_at:tt $($rest:tt)*) => {
        #[diagnostic::do_not_recommend]
        impl<$($t: Output,)* $next: Output> Output for ($($t,)* $next,) {
            const ORDERED: bool = $($t::ORDERED &&)* $next::ORDERED;

            fn reset(&mut self) {
                $(self.$at.reset();)*
                self.$next_at.reset();
            }
        }

        tuples!(@ [$($t $at)* $next $next_at] $($rest)*);
    };
    (@ [$($done:tt)*]) => {};
}

tuples!(A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7);

#[cfg(test)]
mod tests {
    use super::*;

    type Nested = (Vec<u32>, [String; 2], Box<VecDeque<u8>>, HashMap<u32, u32>);

    #[test]
    fn memory_is_kept_in_whatever_is_nested() {
        let mut output: Nested = (
            vec![1; 100],
            ["a".repeat(100), String::new()],
            Box::new([7; 50].into()),
            HashMap::new(),
        );
        output.3.extend((0..100).map(|n| (n, n)));
        let (lists, map) = ((output.0.as_ptr(), output.1[0].as_ptr()), output.3.capacity());
        output.reset();
        assert_eq!((output.0.as_ptr(), output.1[0].as_ptr()), lists);
        assert_eq!(output.3.capacity(), map);
        let made = Nested::default();
        assert_eq!(output, made);
    }

    #[test]
    fn lists_concatenate_and_sets_do_not() {
        fn concatenates<O: Output>() -> bool {
            O::CONCATENATES
        }
        assert!(concatenates::<Vec<u32>>() && concatenates::<Box<VecDeque<String>>>());
        assert!(!concatenates::<BTreeSet<u32>>() && !concatenates::<HashMap<u32, u32>>());
        assert!(!concatenates::<(Vec<u32>, Vec<u32>)>() && !concatenates::<[Vec<u32>; 2]>());
    }

    #[test]
    fn hash_tables_have_no_order_nor_has_what_consists_of_one() {
        fn ordered<O: Output>() -> bool {
            O::ORDERED
        }
        type Map = HashMap<u32, u32>;
        assert!(ordered::<Vec<u32>>() && ordered::<(BTreeMap<u32, u32>, [BTreeSet<u8>; 3])>());
        assert!(!ordered::<Map>() && !ordered::<HashSet<u8>>() && !ordered::<Box<Map>>());
        assert!(!ordered::<[Map; 2]>() && !ordered::<(u32, Map)>() && !ordered::<(Map, u32)>());
    }
}
