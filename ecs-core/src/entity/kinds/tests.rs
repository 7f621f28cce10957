//! Rows by kind, of several pages each: one by one and many at once, against what must hold of them.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::super::metadata::Entities;
use super::super::{Allotted, Entity};
use super::*;
use crate::scheduler::Workers;

/// Kinds that are created, by their keys.
const KEYS: [u64; 4] = [0, 7, 8, 9];

/// What happens in a step.
#[derive(Clone, Debug)]
struct Turn {
    /// Births, as kinds and numbers of them.
    births: Vec<(usize, usize)>,
    /// Who dies, of each kind: `(n, m)` for every row whose number is below `m` modulo `n`.
    deaths: [(usize, usize); 4],
    /// Births that fail, after some of them.
    lost: (usize, usize, usize),
}

fn turn() -> impl Strategy<Value = Turn> {
    let births =
        proptest::collection::vec((0..4_usize, prop_oneof![0..90_usize, 3000..9000_usize]), 0..4);
    let deaths = core::array::from_fn(|_| (1..9_usize, 0..9_usize));
    (births, deaths, (0..4_usize, 0..5000_usize, 0..5000_usize))
        .prop_map(|(births, deaths, lost)| Turn { births, deaths, lost })
}

fn deaths_of(
    entities: &Entities,
    living: &BTreeMap<usize, (usize, Entity)>,
    turn: &Turn,
) -> Vec<usize> {
    let dies = |(&row, &(kind, _)): (&usize, &(usize, Entity))| {
        let (n, m) = turn.deaths[kind];
        (row % n < m && entities.alive().contains(row)).then_some(row)
    };
    living.iter().filter_map(dies).collect()
}

fn rows_of(blocks: &[Allotted]) -> Vec<usize> {
    let bits = |a: &Allotted| {
        let (block, rows) = (a.block as usize, a.rows);
        (0..BLOCK_ROWS)
            .filter(move |bit| rows >> bit & 1 == 1)
            .map(move |bit| block * BLOCK_ROWS + bit)
    };
    blocks.iter().flat_map(bits).collect()
}

fn hash(entities: &Entities) -> u64 {
    let mut hasher = StateHasher::new();
    entities.state_hash(&mut hasher);
    hasher.finish()
}

fn by_kind() -> Entities {
    Entities { kinds: Kinds::new(true, 0), ..Entities::dynamic(0) }
}

/// Rows that were allotted and whose entities are not to be.
fn lose(entities: &mut Entities, (kind, count, kept): (usize, usize, usize)) -> Vec<usize> {
    let kind = entities.kinds.of(KEYS[kind]);
    let before = entities.lengths(kind);
    let mut blocks = Vec::new();
    let count = entities.allot(kind, count, 0, &mut blocks, &Workers::inline());
    for allotted in &mut blocks {
        let stay =
            crate::storage::lowest(allotted.rows, kept.saturating_sub(allotted.first as usize));
        entities.withdraw(allotted.block as usize, allotted.rows & !stay);
        allotted.rows = stay;
    }
    entities.shorten(before);
    entities.count_births(kind, kept.min(count));
    rows_of(&blocks)
}

/// What must hold of the rows of all kinds.
fn check(entities: &Entities, living: &BTreeMap<usize, (usize, Entity)>) {
    assert_eq!(entities.count(), living.len());
    let Kinds { list, of_page, .. } = &entities.kinds;
    assert_ne!(of_page.last(), Some(&FREE));
    for (number, kind) in list.iter().enumerate() {
        let all = |&page: &usize| of_page[page] as usize == number;
        let pages: Vec<usize> = (0..of_page.len()).filter(all).collect();
        assert!(kind.pages.iter().map(|&page| page as usize).eq(pages));
        let rows = living.iter().filter(|(_, (other, _))| *other == number);
        assert_eq!(rows.clone().count(), kind.count);
        let positions = rows.map(|(row, _)| {
            let page =
                kind.pages.binary_search(&((row / PAGE_ROWS) as u32)).expect("a page of its kind");
            assert_eq!(kind.row(page * PAGE_ROWS + row % PAGE_ROWS), *row);
            page * PAGE_ROWS + row % PAGE_ROWS
        });
        assert_eq!(positions.max().map_or(0, |last| last + 1), kind.end);
    }
    for (&row, &(_, entity)) in living {
        assert_eq!((entities.rows()[row], entities.row(entity)), (entity, Some(row)));
    }
    let indices: BTreeSet<u32> = entities.rows().iter().map(|entity| entity.index()).collect();
    assert_eq!(indices.len(), entities.rows().len(), "an index belongs to one row");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..Default::default() })]

    #[test]
    fn kinds_keep_to_their_pages(turns in proptest::collection::vec(turn(), 1..9)) {
        let (mut one, mut many) = (by_kind(), by_kind());
        let mut living: BTreeMap<usize, (usize, Entity)> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        for turn in &turns {
            let before = hash(&many);
            prop_assert!(lose(&mut many, (turn.lost.0, turn.lost.1, 0)).is_empty());
            prop_assert_eq!(hash(&many), before, "nobody was born");
            for &(kind, count) in &turn.births {
                let (kind, in_one) = (many.kinds.of(KEYS[kind]), one.kinds.of(KEYS[kind]));
                let mut blocks = Vec::new();
                prop_assert_eq!(many.allot(kind, count, 0, &mut blocks, &Workers::inline()), count);
                many.count_births(kind, count);
                let rows = rows_of(&blocks);
                prop_assert!(rows.is_sorted());
                for &row in &rows {
                    many.settle(row);
                    let (entity, created) = one.create(in_one).unwrap();
                    prop_assert_eq!((entity, created), (many.rows()[row], row));
                    prop_assert!(seen.insert(entity), "a handle comes once");
                    prop_assert!(living.insert(row, (kind, entity)).is_none());
                }
            }
            for row in deaths_of(&many, &living, turn) {
                one.reclaim(row / BLOCK_ROWS, 1 << (row % BLOCK_ROWS));
                many.reclaim(row / BLOCK_ROWS, 1 << (row % BLOCK_ROWS));
                living.remove(&row);
            }
            let (mut moves, mut others) = (Vec::new(), Vec::new());
            many.refill(|from, to| moves.push((from, to)));
            one.refill(|from, to| others.push((from, to)));
            prop_assert_eq!(&moves, &others);
            for (from, to) in moves {
                let who = living.remove(&from).unwrap();
                prop_assert!(living.insert(to, who).is_none());
            }
            for kind in &many.kinds.list {
                prop_assert!(kind.end <= kind.count + 2 * kind.born);
                prop_assert!(kind.pages.len() >= kind.end.div_ceil(PAGE_ROWS));
            }
            check(&many, &living);
            let surplus = many.take_surplus();
            prop_assert_eq!(&surplus, &one.take_surplus());
            let empty = |&page: &usize| living.range(page * PAGE_ROWS..).next().is_none_or(|(&row, _)| row / PAGE_ROWS > page);
            prop_assert!(surplus.iter().all(empty));
            let used: usize = many.kinds.list.iter().map(|kind| kind.end.div_ceil(PAGE_ROWS)).sum();
            let owned: usize = many.kinds.list.iter().map(Kind::page_count).sum();
            prop_assert!(owned <= used + used / 8 + 2);
            let of_nobody = many.kinds.list[0].page_count() - many.kinds.list[0].end.div_ceil(PAGE_ROWS);
            prop_assert!(of_nobody <= 1);
            check(&many, &living);
            one.newborn.drain().for_each(drop);
            prop_assert_eq!(hash(&one), hash(&many));
            one.begin_step();
            many.begin_step();
            // A copy goes on like the original; a world without kinds takes everybody over.
            let mut copy = by_kind();
            lose(&mut copy, turn.lost);
            copy.copy(&many);
            check(&copy, &living);
            prop_assert_eq!(hash(&copy), hash(&many));
            std::mem::swap(&mut copy, &mut many);
            let mut united = Entities::dynamic(0);
            united.copy(&many);
            for &(_, entity) in living.values() {
                prop_assert_eq!(united.row(entity), many.row(entity));
            }
            united.refill(|_, _| ());
            prop_assert_eq!(united.rows().len(), living.len());
            prop_assert!((0..living.len()).all(|row| united.alive().contains(row)));
        }
    }

    #[test]
    fn some_are_kept(turns in proptest::collection::vec(turn(), 1..5)) {
        let mut entities = by_kind();
        let mut count = 0;
        for Turn { lost, .. } in turns {
            let rows = lose(&mut entities, lost);
            for &row in &rows {
                entities.settle(row);
            }
            count += rows.len();
            prop_assert_eq!(rows.len(), lost.1.min(lost.2));
            prop_assert_eq!(entities.count(), count);
            entities.refill(|_, _| unreachable!("there are no gaps"));
            entities.begin_step();
        }
    }
}

#[test]
fn pages_of_the_dead_go_to_others_in_the_end() {
    let mut entities = by_kind();
    let kinds = KEYS.map(|key| entities.kinds.of(key));
    let mut rows = Vec::new();
    for _ in 0..40 {
        for kind in kinds {
            let mut blocks = Vec::new();
            entities.allot(kind, PAGE_ROWS, 0, &mut blocks, &Workers::inline());
            for row in rows_of(&blocks) {
                entities.settle(row);
            }
            rows.push((kind, blocks));
        }
    }
    assert!(entities.take_surplus().is_empty());
    for (_, blocks) in rows.iter().filter(|(kind, _)| *kind == kinds[1]) {
        for a in blocks {
            entities.reclaim(a.block as usize, a.rows);
        }
    }
    entities.begin_step();
    entities.refill(|_, _| unreachable!("nobody of the kind is left"));
    let surplus: Vec<usize> = (0..40).map(|n| 4 * n + 1).collect();
    assert_eq!(entities.take_surplus(), surplus);
    assert!(entities.take_surplus().is_empty());
    // Whoever comes takes them again, and the table of rows does not grow.
    let pages = entities.page_count();
    let new = entities.kinds.of(77);
    entities.allot(new, 40 * PAGE_ROWS, 0, &mut Vec::new(), &Workers::inline());
    assert_eq!(entities.page_count(), pages);
}

#[test]
fn there_are_only_so_many_kinds() {
    let mut entities = by_kind();
    for key in 0..MOST as u64 {
        let kind = entities.kinds.of(key);
        assert_eq!(entities.create(kind).unwrap().1, key as usize * PAGE_ROWS);
    }
    assert_eq!(entities.relocate(0, 12_345), Some(MOST * PAGE_ROWS), "the last kind");
    assert_eq!(entities.kinds.of(23_456), 0);
    assert_eq!(entities.relocate(PAGE_ROWS, 23_456), None);
    assert_eq!(entities.relocate(PAGE_ROWS, 2), Some(2 * PAGE_ROWS + 1));
}

#[test]
fn extinct_kinds_are_forgotten() {
    let mut entities = by_kind();
    let survivor = entities.kinds.of(1);
    let (who, _) = entities.create(survivor).unwrap();
    for key in 2..10 * MOST as u64 {
        let kind = entities.kinds.of(key);
        let (_, row) = entities.create(kind).unwrap();
        entities.reclaim(row / BLOCK_ROWS, 1 << (row % BLOCK_ROWS));
        entities.refill(|_, _| unreachable!("each is alone"));
        entities.take_surplus();
        entities.begin_step();
        let Kinds { list, by_key, .. } = &entities.kinds;
        assert!(list.len() <= MOST + 10 && by_key.len() + 1 == list.len());
        assert!(by_key.iter().all(|&(key, kind)| list[kind as usize].key == key));
    }
    let row = entities.row(who).unwrap();
    assert_eq!(entities.kinds.key_of_page(row / PAGE_ROWS), 1);
    let survivor = entities.kinds.of(1);
    assert_eq!(entities.create(survivor).unwrap().1, row + 1);
}
