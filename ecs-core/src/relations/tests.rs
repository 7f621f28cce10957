//! Random changes of a relation, compared with a naive model.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;

/// The number of rows.
const ROWS: usize = 150;

#[derive(Clone, Debug)]
enum Change {
    /// Children and parents, in order.
    Batch(Vec<(usize, Option<usize>)>),
    Remove {
        rows: Vec<usize>,
        descendants: bool,
    },
    Move(usize, usize),
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let row = 0..ROWS;
    let link = (row.clone(), proptest::option::weighted(0.9, row.clone()));
    let change = prop_oneof![
        4 => proptest::collection::vec(link, 0..40).prop_map(Change::Batch),
        1 => (proptest::collection::vec(row.clone(), 1..6), any::<bool>())
            .prop_map(|(rows, descendants)| Change::Remove { rows, descendants }),
        2 => (row.clone(), row).prop_map(|(from, to)| Change::Move(from, to)),
    ];
    proptest::collection::vec(change, 1..30)
}

/// The parent of each row that has one.
type Parents = BTreeMap<usize, usize>;

/// The cycle on which the row is, if it is on one.
fn cycle_of(parents: &Parents, row: usize) -> Option<BTreeSet<usize>> {
    let mut cycle = BTreeSet::new();
    let mut at = row;
    while cycle.insert(at) {
        at = *parents.get(&at)?;
    }
    (at == row).then_some(cycle)
}

/// Makes a batch of changes, and returns the numbers of those that are refused.
fn batch(parents: &mut Parents, changes: &[(usize, Option<usize>)]) -> BTreeSet<usize> {
    let before = parents.clone();
    let mut last = BTreeMap::new();
    for (order, &(child, parent)) in changes.iter().enumerate() {
        last.insert(child, order);
        match parent {
            Some(parent) => parents.insert(child, parent),
            None => parents.remove(&child),
        };
    }
    let mut refused = BTreeSet::new();
    loop {
        let cycles: BTreeSet<_> = (0..ROWS).filter_map(|row| cycle_of(parents, row)).collect();
        if cycles.is_empty() {
            return refused;
        }
        for cycle in cycles {
            let new = cycle.iter().filter(|row| before.get(row) != parents.get(row));
            let row = new.max_by_key(|row| last[row]).expect("a new link");
            refused.insert(last[row]);
            match before.get(row) {
                Some(&parent) => parents.insert(*row, parent),
                None => parents.remove(row),
            };
        }
    }
}

/// The rows as masks, and the blocks that have some.
fn masks(rows: &BTreeSet<usize>) -> (Vec<u64>, Vec<u32>) {
    let mut masks = vec![0; ROWS.div_ceil(64)];
    for row in rows {
        masks[row / 64] |= 1 << (row % 64);
    }
    let blocks = (0..masks.len() as u32).filter(|block| masks[*block as usize] != 0).collect();
    (masks, blocks)
}

proptest! {
    #[test]
    fn a_forest_is_what_a_map_of_parents_says(changes in changes()) {
        let (mut forest, mut parents) = (Forest::default(), Parents::new());
        for change in changes {
            match change {
                Change::Batch(changes) => {
                    let changes: Vec<_> =
                        changes.into_iter().filter(|(child, parent)| Some(*child) != *parent).collect();
                    for (order, &(child, parent)) in changes.iter().enumerate() {
                        forest.change(child, parent, order);
                    }
                    let mut refused = BTreeSet::new();
                    forest.finish(&mut |order, child, parent| {
                        assert_eq!(changes[order], (child, Some(parent)));
                        assert!(refused.insert(order));
                    });
                    prop_assert_eq!(refused, batch(&mut parents, &changes));
                }
                Change::Remove { rows, descendants } => {
                    let mut rows: BTreeSet<usize> = rows.into_iter().collect();
                    let (mut dead, mut blocks) = masks(&rows);
                    if descendants {
                        forest.add_descendants(&mut dead, &mut blocks);
                        loop {
                            let more = parents.iter().filter(|(_, parent)| rows.contains(parent));
                            let more: Vec<usize> = more.map(|(child, _)| *child).collect();
                            let before = rows.len();
                            rows.extend(more);
                            if rows.len() == before {
                                break;
                            }
                        }
                        blocks.sort_unstable();
                        prop_assert_eq!((&dead, &blocks), (&masks(&rows).0, &masks(&rows).1));
                    }
                    forest.remove_all(&dead, &blocks);
                    parents.retain(|child, parent| !rows.contains(child) && !rows.contains(parent));
                }
                Change::Move(from, to) => {
                    if from == to {
                        continue;
                    }
                    // Links that the row has end: there is no entity.
                    parents.retain(|child, parent| *child != to && *parent != to);
                    forest.move_row(from, to);
                    let moved = |row| if row == from { to } else { row };
                    let all = core::mem::take(&mut parents);
                    parents = all.into_iter().map(|(child, parent)| (moved(child), moved(parent))).collect();
                }
            }
            forest.check();
            prop_assert!(forest.links().eq(parents.iter().map(|(child, parent)| (*child, *parent))));
            prop_assert_eq!(forest.is_empty(), parents.is_empty());
        }
    }
}

#[test]
fn a_long_chain_needs_no_stack_and_turns_round_in_one_batch() {
    let count = 200_000;
    let mut forest = Forest::default();
    for row in 1..count {
        forest.change(row, Some(row - 1), row);
    }
    forest.finish(&mut |_, _, _| panic!("no cycle"));
    assert_eq!((forest.level(count - 1), forest.levels().len()), (count - 1, count - 1));
    // Each intermediate state would have a cycle.
    forest.change(0, Some(1), 0);
    for row in 1..count {
        forest.change(row, (row + 1 < count).then_some(row + 1), row);
    }
    forest.finish(&mut |_, _, _| panic!("no cycle"));
    assert_eq!((forest.level(0), forest.level(count - 1)), (count - 1, 0));
    let mut masks = vec![0; count.div_ceil(64)];
    let mut blocks = vec![(count as u32 - 1) / 64];
    masks[(count - 1) / 64] = 1 << ((count - 1) % 64);
    forest.add_descendants(&mut masks, &mut blocks);
    assert_eq!(masks.iter().map(|rows| rows.count_ones() as usize).sum::<usize>(), count);
    forest.remove_all(&masks, &blocks);
    assert!(forest.is_empty() && forest.levels().is_empty());
}
