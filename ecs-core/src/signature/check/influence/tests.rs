//! The validation over small tables, compared with the calculus: two systems are refused exactly if the changes that
//! they may stage do not commute there (definition 4.2), and never if they influence different components
//! (corollary 4.8).

use core_ecs_model::{Entity, Label, Mutation, Value, influence, safety};

use super::super::ancestors::ancestors;
use super::super::residual::tests::{BLANK, with_room};
use super::*;

const LABELS: [Label; 2] = [Label("A"), Label("B")];
/// An entity whose handle every system has.
const KNOWN: Entity = Entity(0);

/// Every combination of effects on two components, each on none, one of them, or both; updates where a
/// system may have them.
fn signatures() -> Vec<SystemSignature> {
    const LISTS: [&[usize]; 3] = [&[], &[0], &[0, 1]];
    let mut all = Vec::new();
    for number in 0..3_usize.pow(3) * 8 {
        let list = |digit: u32| LISTS[number / 3_usize.pow(digit) % 3];
        let flags = number / 27;
        let flag = |bit: usize| flags >> bit & 1 == 1;
        let mut system = BLANK.insert(list(0)).remove(list(1)).write(list(2));
        system.declared.despawn = flag(0);
        system.declared.bundles = if flag(1) { &[None] } else { &[] };
        system.declared.defer = flag(2);
        all.push(system);
        if system.declared.insert.is_empty() && system.declared.write.is_empty() {
            all.push(system.update(&[0]));
        }
    }
    all
}

/// One effect that a system may have, on the known entity or on a fresh one.
struct Deed {
    mutation: Mutation,
    /// Whether it is a write or an update, which applies only to a component that exists.
    replaces: bool,
}

/// Each effect that the system may have. `value` distinguishes its values from those of others. Despawns are left
/// out: a despawned entity is gone after all other staged changes, in any order.
fn deeds(system: &SystemSignature, value: i64, refreshes: bool) -> Vec<Deed> {
    let system = &system.declared;
    let attach = |component: usize| Mutation::Attach(LABELS[component], KNOWN, Value::Int(value));
    let detach = |component: usize| Mutation::Detach(LABELS[component], KNOWN);
    let mut staged: Vec<Mutation> = system.insert.iter().copied().map(attach).collect();
    staged.extend(system.remove.iter().copied().map(detach));
    if system.spawns() {
        staged.push(Mutation::new(move |e| Mutation::Attach(LABELS[0], e, Value::Int(value))));
    }
    if system.defer {
        staged
            .extend((0..LABELS.len()).flat_map(|component| [attach(component), detach(component)]));
    }
    // Without refreshes in between, all writes come before all staged changes.
    let written = if refreshes { system.write } else { &[] };
    let written = written.iter().copied().map(attach);
    let replacing = written.chain(system.update.iter().copied().map(attach));
    let replacing = replacing.map(|mutation| Deed { mutation, replaces: true });
    let staged = staged.into_iter().map(|mutation| Deed { mutation, replaces: false });
    replacing.chain(staged).collect()
}

/// Whether both orders of the two have the same result.
fn commute(one: &Deed, other: &Deed) -> bool {
    let commute = safety::commute(&one.mutation, &other.mutation);
    let [a, b] = [one, other].map(|deed| influence::of_mutation(&deed.mutation));
    assert!(commute || !a.is_disjoint(&b), "lemma 4.6");
    // In the calculus a new value restores a removed component; here it finds nothing to replace.
    let is_detach = |deed: &Deed| matches!(deed.mutation, Mutation::Detach(..));
    let lost = (one.replaces && is_detach(other)) || (other.replaces && is_detach(one));
    // Two writes, or a write and an update, are ECS0032; the refresh checks two updates.
    commute || lost || (one.replaces && other.replaces)
}

#[test]
fn refused_is_what_does_not_commute() {
    with_room(|| {
        let all = signatures();
        let (mut refused, mut accepted) = (0, 0);
        for refreshes in [false, true] {
            for (number, one) in all.iter().enumerate() {
                for other in &all[..=number] {
                    let systems = [*one, *other];
                    let order = ancestors(&systems);
                    let conflict = first_conflict(&systems, &order, refreshes);
                    let (left, right) = (deeds(one, 1, refreshes), deeds(other, 2, refreshes));
                    let expected = left.iter().any(|a| right.iter().any(|b| !commute(a, b)));
                    assert_eq!(conflict.is_some(), expected, "{refreshes}: {systems:#?}");
                    *(if expected { &mut refused } else { &mut accepted }) += 1;
                    // Corollary 4.8.
                    let apart = one.influence().is_disjoint(&other.influence());
                    assert!(
                        !(expected && apart) || one.declared.defer || other.declared.defer,
                        "{systems:#?}"
                    );
                    // No ordered pair is in conflict.
                    let ordered = [*one, other.after(&[0])];
                    assert_eq!(first_conflict(&ordered, &ancestors(&ordered), refreshes), None);
                }
            }
        }
        assert!(refused > 1_000 && accepted > 1_000, "{refused}, {accepted}");
    });
}

#[test]
fn accumulations_need_an_order_with_other_changes_only() {
    with_room(|| {
        let one = BLANK.accumulate(&[0, 1]);
        for (other, expected) in [
            (BLANK.accumulate(&[1, 2]), [None, None]),
            (BLANK.insert(&[2]), [None, None]),
            (BLANK.read(&[1]), [None, None]),
            (BLANK.insert(&[1]), [Some(1), Some(1)]),
            (BLANK.remove(&[1]), [Some(1), Some(1)]),
            (BLANK.update(&[0]), [Some(0), Some(0)]),
            (BLANK.write(&[0]), [None, Some(0)]),
        ] {
            for (refreshes, expected) in [false, true].into_iter().zip(expected) {
                for systems in [[one, other], [other, one]] {
                    let conflict = first_conflict(&systems, &ancestors(&systems), refreshes);
                    assert_eq!(conflict.map(|conflict| conflict.component), expected.map(Some));
                    let ordered = [systems[0], systems[1].after(&[0])];
                    assert_eq!(first_conflict(&ordered, &ancestors(&ordered), refreshes), None);
                }
            }
        }
    });
}

#[test]
fn a_refresh_must_not_part_updates() {
    with_room(|| {
        let rule = StagedChanges::RefreshBeforeDependents;
        let parted =
            |systems: &[SystemSignature]| parted_updates(systems, rule, &ancestors(systems));
        let one = BLANK.update(&[0, 1]);
        // 1 inserts what 2 reads, so there is a refresh before 2.
        let insert = BLANK.insert(&[5]);
        let other = BLANK.update(&[1]).read(&[5]).after(&[1]);
        assert_eq!(parted(&[one, insert, other]), Some([0, 2]));
        assert_eq!(parted(&[one, insert.after(&[0]), other]), None, "in order");
        assert_eq!(parted(&[one.after(&[1]).with(&[5]), insert, other]), None, "in one phase");
        assert_eq!(parted(&[one.without(&[5]), insert, other]), None, "filters tell them apart");
        assert_eq!(parted(&[BLANK.update(&[0]), insert, other]), None, "other components");
        assert_eq!(parted(&[BLANK.read(&[1]), insert, other]), None);
    });
}
