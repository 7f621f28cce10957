//! Systems that stage nothing go along a relation by runs of siblings: with any storage, with holes, over pages, and with parents
//! that are no entities of the system.

use ecs_core::{Entity, World, world};
use proptest::prelude::*;

use super::support::{cases, every_kind, mix};

struct Id(u64);
struct Flat(u64);
struct Mixed(u64);
struct Other(u16);
struct Hashed(u64);
/// What only some entities have.
struct Part(u64);
struct Below;

world! {
    world Siblings {}
    component Id, Flat, Part: contiguous_buffer;
    component (Other, Mixed): contiguous_buffer;
    component Hashed: hash_map;
    relation Below: one_to_many, on_despawn: detach;

    system Flats {
        parallelism: split_evenly(3),
        after_parent: Below,
        read: [Id],
        write: [Flat],
        run: |data| data.for_after_parent::<(&Id, &Flat)>(|one, parent, _| {
            one.flat.0 = below(one.id, parent.map(|(id, flat)| id.0 ^ flat.0));
        }),
    }
    system MixedOnes {
        parallelism: split_evenly(3),
        after_parent: Below,
        read: [Id, Other],
        write: [Mixed],
        run: |data| data.for_after_parent::<(&Mixed, &Id)>(|one, parent, _| {
            one.mixed.0 = below(one.id, parent.map(|(mixed, id)| id.0 ^ mixed.0));
            assert_eq!(one.other.0, one.id.0 as u16, "another one's");
        }),
    }
    system HashedOnes {
        parallelism: split_evenly(3),
        after_parent: Below,
        read: [Id],
        write: [Hashed],
        run: |data| data.for_after_parent::<(&Hashed, &Id)>(|one, parent, _| {
            one.hashed.0 = below(one.id, parent.map(|(hashed, id)| id.0 ^ hashed.0));
        }),
    }
    system Parts {
        parallelism: split_evenly(3),
        after_parent: Below,
        read: [Id],
        write: [Part],
        run: |data| data.for_after_parent::<(&Part, &Id)>(|one, parent, _| {
            one.part.0 = below(one.id, parent.map(|(part, id)| id.0 ^ part.0));
        }),
    }
}

fn below(id: &Id, parent: Option<u64>) -> u64 {
    mix(id.0 ^ parent.unwrap_or(77))
}

/// Some nodes side by side.
#[derive(Clone, Debug)]
struct Segment {
    length: usize,
    /// Which of the nodes before are their parents, in turns.
    parents: Vec<u32>,
    have_part: bool,
    /// One node in this number is despawned; none if it is below 2.
    gap: usize,
}

fn segments(longest: usize) -> impl Strategy<Value = Vec<Segment>> {
    let segment =
        (1..longest, proptest::collection::vec(any::<u32>(), 1..3), any::<bool>(), 0..90_usize);
    let segment = segment.prop_map(|(length, parents, have_part, gap)| Segment {
        length,
        parents,
        have_part,
        gap,
    });
    proptest::collection::vec(segment, 1..9)
}

/// Goes along the tree of these segments on all threads, and compares with a loop over nodes.
fn check(segments: &[Segment], reversed: bool) {
    let mut parents: Vec<Option<usize>> = Vec::new();
    let mut nodes: Vec<&Segment> = Vec::new();
    for segment in segments {
        let first = nodes.len();
        for at in 0..segment.length {
            let parent = segment.parents[at % segment.parents.len()] as usize;
            parents.push((first > 0).then(|| parent % first));
            nodes.push(segment);
        }
    }
    let is_gone = |node: usize| nodes[node].gap > 1 && node.is_multiple_of(nodes[node].gap);
    for threads in every_kind() {
        let mut world = World::<Siblings>::on(threads);
        let spawn = |node: usize| {
            let id = node as u64 * 3;
            (Id(id), Flat(0), Other(id as u16), Mixed(0), Hashed(0))
        };
        let count = nodes.len();
        let order = |row: usize| if reversed { count - 1 - row } else { row };
        let spawned = world.spawn_batch((0..count).map(|row| spawn(order(row))));
        let entity = |node: usize| spawned[order(node)];
        world
            .step(|step| {
                for node in 0..count {
                    if let Some(parent) = parents[node] {
                        step.link::<Below>(entity(node), entity(parent));
                    }
                    if nodes[node].have_part {
                        step.insert(entity(node), Part(0)).unwrap();
                    }
                }
            })
            .unwrap();
        for node in (0..count).filter(|node| is_gone(*node)) {
            world.despawn(entity(node));
        }
        world.tick().unwrap();
        let mut expected: Vec<[Option<u64>; 2]> = Vec::new();
        for node in 0..count {
            let id = Id(node as u64 * 3);
            let above = parents[node].filter(|parent| !is_gone(*parent));
            let value = |which: usize| {
                let above =
                    above.and_then(|parent| Some((parent as u64 * 3) ^ expected[parent][which]?));
                below(&id, above)
            };
            let part = nodes[node].have_part.then(|| value(1));
            expected.push([Some(value(0)), part]);
        }
        for node in (0..count).filter(|node| !is_gone(*node)) {
            let entity: Entity = entity(node);
            let [all, part] = expected[node];
            assert_eq!(world.get::<Flat>(entity).map(|flat| flat.0), all, "node {node}");
            assert_eq!(world.get::<Mixed>(entity).map(|mixed| mixed.0), all, "node {node}");
            assert_eq!(world.get::<Hashed>(entity).map(|hashed| hashed.0), all, "node {node}");
            assert_eq!(world.get::<Part>(entity).map(|part| part.0), part, "node {node}");
        }
    }
}

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn each_entity_gets_what_a_loop_computes(
        segments in segments(150),
        reversed in any::<bool>(),
    ) {
        check(&segments, reversed);
    }
}

#[test]
fn runs_go_over_blocks_and_end_with_pages() {
    let siblings =
        |length, parent, gap| Segment { length, parents: vec![parent], have_part: gap != 97, gap };
    let all = [siblings(70, 0, 0), siblings(9_000, 65, 0), siblings(5_000, 65, 97)];
    for reversed in [false, true] {
        check(&all, reversed);
    }
}
