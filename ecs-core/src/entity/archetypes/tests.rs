//! Tests of rows by archetype over several pages: spawns one by one and in batches, checked against
//! the invariants.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;
use crate::entity::row_ranges::all_rows;
use crate::entity::{Entities, Entity};
use crate::parallel::Workers;

/// The keys of the archetypes that are created.
const KEYS: [u64; 4] = [0, 7, 8, 9];

/// The changes of one step.
#[derive(Clone, Debug)]
struct Turn {
    /// Spawns, as archetypes and numbers of entities.
    spawns: Vec<(usize, usize)>,
    /// Despawns of each archetype: `(n, m)` for every row whose number is below `m` modulo `n`.
    despawns: [(usize, usize); 4],
    /// A batch of spawns that fails after some of them.
    lost: (usize, usize, usize),
}

fn turn() -> impl Strategy<Value = Turn> {
    let spawns =
        proptest::collection::vec((0..4_usize, prop_oneof![0..90_usize, 3000..9000_usize]), 0..4);
    let despawns = core::array::from_fn(|_| (1..9_usize, 0..9_usize));
    (spawns, despawns, (0..4_usize, 0..5000_usize, 0..5000_usize))
        .prop_map(|(spawns, despawns, lost)| Turn { spawns, despawns, lost })
}

fn by_archetype() -> Entities {
    Entities { archetypes: Archetypes::new(true, 0), ..Entities::dynamic(0) }
}

/// Allocates rows and frees those without an entity again.
fn lose(entities: &mut Entities, (archetype, count, kept): (usize, usize, usize)) -> Vec<usize> {
    let archetype = entities.archetypes.of(KEYS[archetype]);
    let before = entities.checkpoint(archetype);
    let mut blocks = Vec::new();
    let count = entities.allocate(archetype, count, 0, &mut blocks, &Workers::inline());
    for allocated in &mut blocks {
        let stay =
            crate::rows::lowest(allocated.rows, kept.saturating_sub(allocated.first as usize));
        entities.withdraw(allocated.block as usize, allocated.rows & !stay);
        allocated.rows = stay;
    }
    entities.shorten(before);
    entities.count_spawns(archetype, kept.min(count));
    all_rows(&blocks)
}

/// Checks the invariants of the rows of all archetypes.
fn check(entities: &Entities, living: &BTreeMap<usize, (usize, Entity)>) {
    assert_eq!(entities.count(), living.len());
    let Archetypes { list, of_page, .. } = &entities.archetypes;
    assert_ne!(of_page.last(), Some(&FREE));
    for (number, archetype) in list.iter().enumerate() {
        let all = |&page: &usize| of_page[page] as usize == number;
        let pages: Vec<usize> = (0..of_page.len()).filter(all).collect();
        assert!(archetype.pages.iter().map(|&page| page as usize).eq(pages));
        let rows = living.iter().filter(|(_, (other, _))| *other == number);
        assert_eq!(rows.clone().count(), archetype.count);
        let positions = rows.map(|(row, _)| {
            let page = archetype
                .pages
                .binary_search(&((row / PAGE_ROWS) as u32))
                .expect("a page of its archetype");
            assert_eq!(archetype.row(page * PAGE_ROWS + row % PAGE_ROWS), *row);
            page * PAGE_ROWS + row % PAGE_ROWS
        });
        assert_eq!(positions.max().map_or(0, |last| last + 1), archetype.end);
    }
    for (&row, &(_, entity)) in living {
        assert_eq!((entities.rows()[row], entities.row(entity)), (entity, Some(row)));
    }
    let rows = entities.rows().iter().filter(|entity| !entity.is_never());
    let indices: BTreeSet<u32> = rows.map(|entity| entity.index()).collect();
    let with_index = entities.rows().len() - entities.without_index;
    assert_eq!(indices.len(), with_index, "an index belongs to one row");
    assert_eq!(
        entities.slots.len(),
        with_index + entities.spare.len(),
        "and each to a row, or it is spare"
    );
}

proptest! {
    #![proptest_config(crate::entity::few_cases())]

    #[test]
    fn archetypes_have_pages_of_their_own(turns in proptest::collection::vec(turn(), 1..9)) {
        let (mut one, mut many) = (by_archetype(), by_archetype());
        let mut living: BTreeMap<usize, (usize, Entity)> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        for turn in &turns {
            let before = many.hash();
            prop_assert!(lose(&mut many, (turn.lost.0, turn.lost.1, 0)).is_empty());
            prop_assert_eq!(many.hash(), before, "no entity was spawned");
            for &(archetype, count) in &turn.spawns {
                let (archetype, in_one) = (many.archetypes.of(KEYS[archetype]), one.archetypes.of(KEYS[archetype]));
                let mut blocks = Vec::new();
                prop_assert_eq!(many.allocate(archetype, count, 0, &mut blocks, &Workers::inline()), count);
                many.count_spawns(archetype, count);
                let rows = all_rows(&blocks);
                prop_assert!(rows.is_sorted());
                for &row in &rows {
                    many.occupy(row);
                    let (entity, created) = one.create(in_one).unwrap();
                    prop_assert_eq!((entity, created), (many.rows()[row], row));
                    prop_assert!(seen.insert(entity), "a handle comes once");
                    prop_assert!(living.insert(row, (archetype, entity)).is_none());
                }
            }
            living.retain(|&row, (archetype, _)| {
                let (n, m) = turn.despawns[*archetype];
                let despawned = row % n < m && many.alive().contains(row);
                if despawned {
                    one.reclaim_row(row);
                    many.reclaim_row(row);
                }
                !despawned
            });
            let (mut moves, mut others) = (Vec::new(), Vec::new());
            many.refill(|from, to| moves.push((from, to)));
            one.refill(|from, to| others.push((from, to)));
            prop_assert_eq!(&moves, &others);
            for (from, to) in moves {
                let who = living.remove(&from).unwrap();
                prop_assert!(living.insert(to, who).is_none());
            }
            for archetype in &many.archetypes.list {
                prop_assert!(archetype.end <= archetype.count + 2 * archetype.spawned);
                prop_assert!(archetype.pages.len() >= archetype.needed());
            }
            check(&many, &living);
            let released = many.take_released_pages();
            prop_assert_eq!(&released, &one.take_released_pages());
            let is_free = |page: &usize| many.archetypes.of_page.get(*page).is_none_or(|owner| *owner == FREE);
            let empty = |&page: &usize| living.range(page * PAGE_ROWS..).next().is_none_or(|(&row, _)| row / PAGE_ROWS > page);
            prop_assert!(released.iter().filter(|page| is_free(page)).all(empty));
            prop_assert!(!exceed_margin(many.archetypes.of_page.iter().filter(|owner| **owner == FREE).count(), many.archetypes.pages().1));
            let (used, owned) = many.archetypes.pages();
            prop_assert!(!exceed_margin(owned - used, used));
            let hash = many.hash();
            for entities in [&mut many, &mut one] {
                entities.refill(|from, to| unreachable!("{from} has moved to {to} in the second refill"));
            }
            prop_assert_eq!(many.hash(), hash, "a second refill changes nothing");
            prop_assert!(many.take_released_pages().is_empty());
            one.take_released_pages();
            let unused = many.archetypes.list[0].pages.len() - many.archetypes.list[0].needed();
            prop_assert!(unused <= 1);
            check(&many, &living);
            one.spawned.drain().for_each(drop);
            prop_assert_eq!(one.hash(), many.hash());
            one.begin_step();
            many.begin_step();
            // A copy behaves like the original; a world without archetypes accepts all entities.
            let mut copy = by_archetype();
            lose(&mut copy, turn.lost);
            copy.copy(&many);
            check(&copy, &living);
            prop_assert_eq!(copy.hash(), many.hash());
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
        let mut entities = by_archetype();
        let mut count = 0;
        for Turn { lost, .. } in turns {
            let rows = lose(&mut entities, lost);
            for &row in &rows {
                entities.occupy(row);
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
fn the_last_pages_move_to_free_pages() {
    let mut entities = by_archetype();
    let archetypes = KEYS.map(|key| entities.archetypes.of(key));
    let mut living = BTreeMap::new();
    for turn in 0..10 {
        for archetype in archetypes {
            let mut blocks = Vec::new();
            let count = if turn == 9 { 100 } else { PAGE_ROWS };
            entities.allocate(archetype, count, 0, &mut blocks, &Workers::inline());
            for row in all_rows(&blocks) {
                entities.occupy(row);
                living.insert(row, (archetype, entities.rows()[row]));
            }
        }
    }
    entities.begin_step();
    // Archetype 0 keeps its rows from page 20 on, which are five pages, and archetype 3 keeps its ten pages.
    let is_despawned = |row: usize, archetype: usize| {
        archetype == archetypes[1]
            || archetype == archetypes[2]
            || archetype == archetypes[0] && row < 20 * PAGE_ROWS
    };
    living.retain(|&row, (archetype, _)| {
        let despawned = is_despawned(row, *archetype);
        if despawned {
            entities.reclaim_row(row);
        }
        !despawned
    });
    let mut refill = |entities: &mut Entities| {
        let mut moves = 0;
        entities.refill(|from, to| {
            moves += 1;
            let moved = living.remove(&from).expect("an entity moves");
            assert!(living.insert(to, moved).is_none(), "to a free row");
        });
        entities.begin_step();
        check(entities, &living);
        moves
    };
    // Gaps of archetype 0 take four pages and a bit; then the last pages move.
    assert!(refill(&mut entities) > 4 * PAGE_ROWS + 100);
    // Archetype 0 keeps no empty page, as it had several.
    assert_eq!(entities.archetypes.pages(), (15, 15));
    assert_eq!(entities.archetypes.of_page.len(), 15);
    assert!(entities.page_count() <= 16);
    let released = entities.take_released_pages();
    assert!((16..40).all(|page| released.contains(&page)));
    assert_eq!(refill(&mut entities), 0, "once is enough");
    assert!(entities.take_released_pages().is_empty());
    // New entities go on behind those that were moved.
    let (entity, row) = entities.create(archetypes[3]).unwrap();
    living.insert(row, (archetypes[3], entity));
    check(&entities, &living);
}

#[test]
fn the_number_of_archetypes_is_limited() {
    let mut entities = by_archetype();
    for key in 0..MOST as u64 {
        let archetype = entities.archetypes.of(key);
        assert_eq!(entities.create(archetype).unwrap().1, key as usize * PAGE_ROWS);
    }
    assert_eq!(
        entities.relocate(0, 12_345, |_| true),
        Some(MOST * PAGE_ROWS),
        "the last archetype"
    );
    assert_eq!(entities.archetypes.of(23_456), 0);
    assert_eq!(entities.relocate(PAGE_ROWS, 23_456, |_| true), None);
    assert_eq!(entities.relocate(PAGE_ROWS, 2, |_| false), None, "no memory");
    assert_eq!(entities.relocate(PAGE_ROWS, 2, |_| true), Some(2 * PAGE_ROWS + 1));
}

#[test]
fn archetypes_without_entities_are_forgotten() {
    let mut entities = by_archetype();
    let survivor = entities.archetypes.of(1);
    let (who, _) = entities.create(survivor).unwrap();
    for key in 2..10 * MOST as u64 {
        let archetype = entities.archetypes.of(key);
        let (_, row) = entities.create(archetype).unwrap();
        entities.reclaim_row(row);
        entities.refill(|_, _| unreachable!("each is alone"));
        entities.take_released_pages();
        entities.begin_step();
        let Archetypes { list, by_key, .. } = &entities.archetypes;
        assert!(list.len() <= MOST + 10 && by_key.len() + 1 == list.len());
        assert!(by_key.iter().all(|&(key, archetype)| list[archetype as usize].key == key));
    }
    let row = entities.row(who).unwrap();
    assert_eq!(entities.key_of_page(row / PAGE_ROWS), 1);
    let survivor = entities.archetypes.of(1);
    assert_eq!(entities.create(survivor).unwrap().1, row + 1);
}
