//! Joins by equal key, compared with naive loops; and when an index exists.

use std::collections::BTreeMap;

use ecs_core::joins::Index;
use ecs_core::{Data, Entity, StateHash, System, Threads, World, world};

use crate::{caught, every_kind, mix};

#[derive(Clone, Copy, StateHash)]
struct Team(u8);
#[derive(Clone, StateHash)]
struct Strength(u64);
#[derive(Clone, StateHash)]
struct Opponent(u8);

world! {
    world Match;
    component Team: contiguous_buffer;
    component Strength: sparse_set;
    component Opponent: contiguous_buffer;

    query Teams { read: [Team], read_optional: [Strength], index: ByTeam, parallelism: split_every(64) }
    query Pairs { read: [Team, Opponent], index: ByBoth, state: ByBoth { shift: 4 } }

    system Train { write: [Strength] }
    // The index is built after the systems that write what it reads.
    system Fight {
        parallelism: split_every(128),
        read: [Team, Opponent],
        queries: [Teams, Pairs],
        output: Vec<Fought>,
    }
    order Train -> Teams;
}

#[derive(Default)]
struct ByTeam;

impl Index for ByTeam {
    type Entry<'a> = TeamsEntry<'a>;
    type Key = u8;

    fn key(&self, member: TeamsEntry<'_>) -> u8 {
        member.team.0
    }
}

struct ByBoth {
    shift: u32,
}

impl Index for ByBoth {
    type Entry<'a> = PairsEntry<'a>;
    type Key = u32;

    fn key(&self, member: PairsEntry<'_>) -> u32 {
        u32::from(member.team.0) << self.shift | u32::from(member.opponent.0)
    }
}

/// Two entities that have met, and the strength of the second; or the number of pairs that are mutual opponents.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fought {
    Met(Entity, Entity, u64),
    Mutual(usize),
}

#[derive(Default)]
struct Train;
#[derive(Default)]
struct Fight;

impl System<Match> for Train {
    fn process(&self, data: &mut Data<'_, Match, Self>) {
        data.own.for_entities(|e| e.strength.0 += 1);
    }
}

impl System<Match> for Fight {
    fn process(&self, data: &mut Data<'_, Match, Self>) {
        let Data { own, effects, .. } = data;
        let teams = effects.lookup::<Teams, (Entity, &Team, Option<&Strength>)>();
        // A key that no entity has, and one that is given twice.
        own.query::<(Entity, &Opponent)>().join(
            teams,
            |(_, opponent)| [opponent.0, 255, opponent.0],
            |&mut (a, opponent), (b, team, strength)| {
                assert_eq!(opponent.0, team.0);
                let strength = strength.map_or(0, |strength| strength.0);
                effects.output().push(Fought::Met(a, b, strength));
            },
        );
        assert_eq!(teams.members().len(), teams.members().into_iter().count());
        let mut mutual = 0;
        data.own.query::<(&Team, &Opponent)>().join(
            data.effects.lookup::<Pairs, &Team>(),
            |(team, opponent)| [u32::from(opponent.0) << 4 | u32::from(team.0)],
            |(_, opponent), team| {
                assert_eq!(opponent.0, team.0);
                mutual += 1;
            },
        );
        data.effects.output().push(Fought::Mutual(mutual));
    }
}

fn filled(threads: Threads, count: u64) -> World<Match> {
    let mut world = World::<Match>::on(threads);
    world
        .step(|step| {
            for n in 0..count {
                let random = mix(n);
                let team = Team((random % 7) as u8);
                let opponent = Opponent((random >> 8) as u8 % 8);
                match random >> 16 & 3 {
                    0 => step.spawn((team, Strength(n))),
                    1 => step.spawn((team, opponent)),
                    _ => step.spawn((team, opponent, Strength(n))),
                };
            }
        })
        .unwrap();
    world
}

/// The entities that meet, and the number of pairs that are mutual opponents.
fn outcome(world: &mut World<Match>) -> (Vec<Fought>, usize) {
    let all: Vec<Fought> = world
        .step(|step| {
            step.execute_systems();
            step.outputs_of::<Fight>().flatten().copied().collect()
        })
        .unwrap();
    let mutual = all.iter().map(|f| if let Fought::Mutual(n) = f { *n } else { 0 }).sum();
    (all.into_iter().filter(|f| matches!(f, Fought::Met(..))).collect(), mutual)
}

fn naive(world: &World<Match>) -> (Vec<Fought>, usize) {
    let (mut teams, mut own) = (BTreeMap::<u8, Vec<(Entity, u64)>>::new(), Vec::new());
    for (entity, team, strength) in world.iter::<(Entity, &Team, Option<&Strength>)>() {
        let strength = strength.map_or(0, |strength| strength.0 + 1);
        teams.entry(team.0).or_default().push((entity, strength));
    }
    for (entity, team, opponent) in world.iter::<(Entity, &Team, &Opponent)>() {
        own.push((entity, team.0, opponent.0));
    }
    let mut met = Vec::new();
    for (entity, _, opponent) in &own {
        let team = teams.get(opponent).map_or(&[][..], Vec::as_slice);
        let team = || team.iter().map(|(other, strength)| Fought::Met(*entity, *other, *strength));
        met.extend(team().chain(team()));
    }
    let opponents =
        |a: u8, b: u8| own.iter().filter(move |(_, team, opponent)| (*team, *opponent) == (a, b));
    let mutual = own.iter().map(|(_, team, opponent)| opponents(*opponent, *team).count()).sum();
    (met, mutual)
}

#[test]
fn a_join_by_key_is_that_of_naive_loops_on_any_threads() {
    for threads in every_kind() {
        let mut world = filled(threads, 700);
        for round in 0..4 {
            let expected = naive(&world);
            assert!(round > 0 || expected.1 > 1000 && expected.0.len() > 10_000);
            assert!(outcome(&mut world) == expected);
            world
                .step(|step| {
                    for n in 0..200 {
                        step.spawn((Team((mix(n) % 9) as u8), Opponent(8), Strength(0)));
                    }
                    for (entity, ..) in expected.0.iter().step_by(911).filter_map(met) {
                        step.despawn(entity);
                    }
                })
                .unwrap();
        }
    }
}

fn met(fought: &Fought) -> Option<(Entity, Entity)> {
    if let Fought::Met(one, other, _) = fought { Some((*one, *other)) } else { None }
}

#[test]
fn many_members_are_grouped_side_by_side() {
    let hashes: Vec<u64> = every_kind()
        .into_iter()
        .map(|threads| {
            let mut world = World::<Match>::on(threads);
            world
                .step(|step| {
                    for n in 0..20_000 {
                        step.spawn((Team((n % 251) as u8), Strength(n)));
                    }
                    step.spawn((Team(1), Opponent(250)));
                })
                .unwrap();
            let expected = naive(&world);
            assert!(outcome(&mut world) == expected);
            world.state_hash()
        })
        .collect();
    assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:?}");
}

#[test]
fn a_chain_makes_the_indices_that_it_uses() {
    let mut world = filled(Threads::Inline, 100);
    let (before, expected) = (outcome(&mut world), naive(&world));
    assert_ne!(before, expected, "they train");
    let again: Vec<Fought> = world
        .step(|step| {
            step.execute_systems_from::<(Train, Pairs)>();
            step.outputs_of::<Fight>().flatten().copied().collect()
        })
        .unwrap();
    let again: Vec<Fought> = again.into_iter().filter(|f| met(f).is_some()).collect();
    assert_eq!(again, expected.0);
}

#[test]
fn a_clone_and_a_restored_world_make_their_own() {
    let mut world = filled(Threads::Inline, 300);
    outcome(&mut world);
    let (mut other, snapshot) = (world.clone(), world.snapshot());
    assert_eq!(world.state_hash(), other.state_hash());
    let expected = outcome(&mut world);
    assert_eq!(outcome(&mut other), expected);
    world.restore(&snapshot).unwrap();
    assert_eq!(outcome(&mut world), expected);
    assert_eq!(world.state_hash(), other.state_hash());
}

#[test]
fn an_overridden_index_is_missed() {
    let mut world = filled(Threads::Inline, 10);
    outcome(&mut world);
    let panic = caught(|| {
        world.step(|step| step.execute_with(|systems| systems.for_subtasks::<Teams>(|_, _| {})))
    });
    assert!(panic.contains("the index of the query `Teams` was not made"), "{panic}");
    // With code around the query, the index is built as usual.
    let executed = world.step(|step| {
        step.execute_with(|systems| {
            systems.detailed::<Teams>(|teams, executor| {
                assert_eq!(executor.entity_count(), 10);
                teams.execute(executor);
            })
        });
    });
    executed.unwrap();
}
