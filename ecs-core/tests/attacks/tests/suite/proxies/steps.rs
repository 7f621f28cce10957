//! Steps and deferred functions: every critical operation on two worlds, one within the other.

use std::mem::swap;

use ecs_core::{Defer, Entity, World};

use super::nest::{
    COUNT, Edit, Key, Late, Log, Nest, Slot, Stamp, Tag, Text, entities, on_all_threads, tags,
    texts,
};

/// Performs each operation on both worlds, in alternation.
fn interleave(
    mine: &mut Defer<'_, Nest>,
    yours: &mut Defer<'_, Nest>,
    of_mine: &[Entity],
    of_yours: &[Entity],
) {
    swap(mine.resource_mut::<Log>(), yours.resource_mut::<Log>());
    swap(mine.system_mut::<Edit>(), yours.system_mut::<Edit>());
    let (a, b) = (of_mine[5], of_yours[6]);
    swap(mine.get_mut::<Text>(a).unwrap(), yours.get_mut::<Text>(b).unwrap());
    let text = mine.remove::<Text>(of_mine[7]).unwrap();
    let text = yours.insert(of_yours[8], text).unwrap().unwrap();
    assert!(mine.insert(of_mine[7], text).unwrap().is_none());
    mine.despawn(of_mine[0]);
    yours.despawn(of_yours[1]);
    let of_batch: Vec<Entity> = {
        // The handles of one world are in use while the other one is changed.
        let created = mine.spawn_batch((0..100).map(|n| (Key(n),)));
        let others = yours.spawn_batch((0..100).map(|n| (Tag(format!("late {n}")), Key(n))));
        created.zip(others).flat_map(<[Entity; 2]>::from).collect()
    };
    assert_eq!(of_batch.len(), 200);
    assert!(mine.is_alive(of_batch[0]) && yours.is_alive(of_batch[1]));
}

fn check(mine: &World<Nest>, yours: &World<Nest>, stamps: [&str; 2]) {
    let text = |stamp: &str, n: usize| format!("{stamp} {n}");
    let expected = |own: &str, other: &str, despawned: usize, swapped: [(usize, usize); 2]| {
        let name = |n: usize| match swapped.iter().find(|(at, _)| *at == n) {
            Some(&(_, from)) => text(other, from),
            None => text(own, n),
        };
        (0..COUNT).filter(|&n| n != despawned).map(name).collect::<Vec<_>>()
    };
    assert_eq!(texts(mine), expected(stamps[0], stamps[1], 0, [(5, 6), (7, 8)]));
    assert_eq!(texts(yours), expected(stamps[1], stamps[0], 1, [(6, 5), (8, 7)]));
    assert_eq!((mine.entity_count(), yours.entity_count()), (COUNT + 99, COUNT + 99));
    assert_eq!((tags(mine).len(), tags(yours).len()), (COUNT - 1, COUNT + 99));
    assert_eq!(mine.system::<Edit>().0, format!("{} state", stamps[1]));
    assert_eq!(yours.system::<Edit>().0, format!("{} state", stamps[0]));
    assert_eq!(mine.resource::<Stamp>().0, stamps[0]);
}

#[test]
fn steps_are_interleaved() {
    on_all_threads(|mut outer, mut inner| {
        let (of_outer, of_inner) = (entities(&outer), entities(&inner));
        outer
            .step(|yours| {
                inner
                    .step(|mine| {
                        interleave(mine, yours, &of_inner, &of_outer);
                        yours.execute_systems();
                        mine.execute_systems();
                    })
                    .unwrap();
            })
            .unwrap();
        check(&inner, &outer, ["inner", "outer"]);
    });
}

#[test]
fn deferred_functions_are_interleaved() {
    on_all_threads(|mut outer, inner| {
        let (of_outer, of_inner) = (entities(&outer), entities(&inner));
        let inner = std::sync::Arc::new(Slot::new(inner));
        let theirs = std::sync::Arc::clone(&inner);
        let job = Slot::new(move |yours: &mut Defer<'_, Nest>| {
            let mut world = theirs.take().unwrap();
            world.step(|mine| interleave(mine, yours, &of_inner, &of_outer)).unwrap();
            theirs.put(world);
        });
        outer
            .step(|step| {
                step.execute_with(|systems| {
                    systems.for_subtasks::<Late>(|_, data| data.effects.defer(job.take().unwrap()))
                });
            })
            .unwrap();
        check(&inner.take().unwrap(), &outer, ["inner", "outer"]);
    });
}

#[test]
fn worlds_and_snapshots_change_places() {
    on_all_threads(|mut outer, mut inner| {
        let (mut before, hashes) = (outer.snapshot(), [outer.state_hash(), inner.state_hash()]);
        let mut of_inner = inner.snapshot();
        // In the middle of a step of each world, which shows that their internal state is separate.
        outer
            .step(|step| {
                step.spawn((Text("outer new".into()),));
                inner
                    .step(|step| {
                        step.spawn((Text("inner new".into()),));
                        swap(&mut before, &mut of_inner);
                    })
                    .unwrap();
            })
            .unwrap();
        swap(&mut outer, &mut inner);
        assert_eq!(texts(&outer).last().unwrap(), "inner new");
        // The names moved with the worlds; the snapshots are swapped, too.
        outer.restore(&of_inner).unwrap();
        inner.restore(&before).unwrap();
        assert_eq!([outer.state_hash(), inner.state_hash()], hashes);
        assert!(texts(&outer).iter().all(|text| text.starts_with("outer")));
        outer.tick().unwrap();
        inner.tick().unwrap();
        assert!(tags(&inner).iter().all(|text| text.starts_with("inner")));
    });
}
