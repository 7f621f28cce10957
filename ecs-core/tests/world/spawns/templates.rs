//! Templates: what is spawned from them is what a tuple would spawn, wherever bundles are spawned.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use ecs_core::settings::{Allow, AtomicCounter, ByArchetype, Config, Fixed};
use ecs_core::{
    Bundle, BundleSink, Entity, FromTemplate, StateHash, StepError, Template, World, world,
};

use crate::support::{Counted, Ledger, caught, every_kind, fail};

#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
struct Health(u32);
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
struct Speed(u8);
#[derive(Clone, Debug, PartialEq, StateHash)]
struct Name(String);
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
struct Rank(u64);
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
struct Chief;
type Ranked = FromTemplate<Camp, (Rank, Health)>;

struct Orc(Template<Camp>);

fn orc() -> Template<Camp> {
    Template::new((Health(10), Speed(3), Name("orc".into())))
}

world! {
    world Camp {}
    component (Health, Speed): contiguous_buffer;
    component Name: hash_map;
    component Rank: sparse_set;
    component Chief: empty;
    resource Orc: transient = Orc(orc());
    bundle Scout { Speed, Health }

    /// Each entity with a rank below 40 has two followers.
    system Follow {
        parallelism: split_every(64),
        spawn: [Ranked, Template<Camp>],
        each: |rank: &Rank, orc: &Orc, effects| {
            if rank.0 < 40 {
                let orc = &orc.0;
                effects.spawn(orc.with((Rank(rank.0 + 100), Health(7))));
                effects.spawn_batch([orc.clone(), orc.clone()]);
            }
        },
    }
    system Muster {
        sequential,
        spawn: [Template<Camp>],
        read_resources: [Orc],
        dependencies: [Follow],
        run: |data| {
            let orc = data.resources.get::<Orc>().0.clone();
            let mut now = data.now();
            let spawned = now.spawn(orc);
            assert!(now.is_alive(spawned));
        },
    }
}

/// The same by hand.
type Parts = (Health, Speed, Name);

fn parts() -> Parts {
    (Health(10), Speed(3), Name("orc".into()))
}

/// A bundle whose components are not known.
struct Promoted;

impl Bundle<Camp> for Promoted {
    fn put(self, sink: &mut BundleSink<'_, Camp>) {
        sink.put(Health(99));
        sink.put(Chief);
    }
}

#[test]
fn spawns_are_those_of_a_tuple() {
    let (mut world, mut other) = (World::<Camp>::new(), World::<Camp>::new());
    // By the world.
    assert_eq!(world.spawn(orc()), other.spawn(parts()));
    let spawned = world.spawn_batch((0..100).map(|n| orc().with((Health(n),))));
    let expected = other.spawn_batch((0..100).map(|n| (Health(n), Speed(3), Name("orc".into()))));
    assert_eq!(spawned, expected);
    assert_eq!(world.state_hash(), other.state_hash());
    // By a step and a deferred function: replaced, added, and both.
    let deferred = Template::<Camp>::new(Scout { speed: Speed(9), health: Health(1) });
    world
        .step(|step| {
            step.spawn(orc().with((Speed(5), Chief)));
            step.spawn(orc().with(Promoted));
            step.spawn(deferred.with((Rank(4),)).clone());
            step.spawn(deferred.with(orc()));
            step.spawn(Template::default());
            step.spawn_batch(vec![deferred.clone(); 70]);
        })
        .unwrap();
    other
        .step(|step| {
            step.spawn((Health(10), Speed(5), Name("orc".into()), Chief));
            step.spawn((Health(99), Speed(3), Name("orc".into()), Chief));
            step.spawn((Health(1), Speed(9), Rank(4)));
            step.spawn(parts());
            step.spawn(());
            step.spawn_batch(vec![(Health(1), Speed(9)); 70]);
        })
        .unwrap();
    assert_eq!(world.state_hash(), other.state_hash());
    assert_eq!(world.entity_count(), 176);
}

#[test]
fn systems_spawn_from_templates_on_any_threads() {
    let mut expected = None;
    for threads in every_kind() {
        let mut world = World::<Camp>::on(threads);
        world.spawn_batch((0..300).map(|n| (Rank(n),)));
        world.tick().unwrap();
        let found = world.iter::<(&Rank, &Health, &Speed, &Name)>().map(|(rank, health, ..)| {
            assert_eq!(*health, Health(7));
            rank.0
        });
        assert!(found.eq(100..140));
        let without = world.iter::<(&Health, &Speed, &Name)>().without::<Rank>();
        assert!(without.filter(|(health, ..)| **health == Health(10)).count() == 81);
        world.tick().unwrap();
        let hash = world.state_hash();
        assert_eq!(*expected.get_or_insert(hash), hash);
    }
}

#[test]
fn a_template_is_a_value() {
    let mut first = orc();
    let second = first.clone();
    first.insert(Rank(3));
    first.insert(Health(1));
    assert!(first.remove::<Speed>() && !first.remove::<Speed>() && !first.contains::<Speed>());
    assert_eq!((first.get::<Health>(), first.get::<Rank>()), (Some(&Health(1)), Some(&Rank(3))));
    assert_eq!((second.get::<Health>(), second.get::<Rank>()), (Some(&Health(10)), None));
    assert_eq!(second.get::<Speed>(), Some(&Speed(3)));
    assert_eq!(format!("{first:?}"), r#"Template {"Health", "Name", "Rank"}"#);
    assert!(format!("{:?}", first.with((Chief,))).contains("Rank"));
}

#[test]
fn entities_lie_by_archetype_in_the_end() {
    type Sorted = Config<ByArchetype<0>, Allow, AtomicCounter>;
    let mut world = World::<Camp, Sorted>::new();
    world
        .step(|step| {
            for n in 0..200 {
                step.spawn(orc().with((Rank(50 + n), Health(n as u32))));
                step.spawn((Speed(1),));
            }
        })
        .unwrap();
    let ranks = world.iter::<(&Rank, &Health, &Speed, &Name)>().map(|(rank, ..)| rank.0);
    assert!(ranks.eq(50..250));
}

#[test]
fn a_full_world_is_the_error_of_the_step() {
    type Narrow = Config<Fixed<2>, Allow, AtomicCounter>;
    let mut world = World::<Camp, Narrow>::new();
    assert!(world.spawn(orc()).is_ok());
    let full = world.step(|step| step.spawn_batch(vec![orc(); 2]).len());
    assert_eq!(full, Err(StepError::LimitReached { limit: 2, lost: 2 }));
    assert!(world.spawn(orc().with((Chief,))).is_ok() && world.spawn(orc()).is_err());
}

/// A value that counts its clones and drops.
struct Held(Counted);

/// The clone with this number panics.
static FAILS: AtomicU32 = AtomicU32::new(u32::MAX);

impl Clone for Held {
    fn clone(&self) -> Self {
        if FAILS.fetch_sub(1, Relaxed) == 0 {
            fail("clone");
        }
        Self(self.0.clone())
    }
}

world! {
    world Guarded {}
    component Held: contiguous_buffer;
    component Rank: contiguous_buffer;
    resource Source: transient = Source(Template::default());
    system Spawn {
        with: [Rank],
        spawn: [Template<Guarded>],
        read_resources: [Source],
        each: |_, effects, resources| effects.spawn(resources.get::<Source>().0.clone()),
    }
}

struct Source(Template<Guarded>);

#[test]
fn every_clone_is_dropped_also_if_one_panics() {
    let ledger = Ledger::default();
    let held = |ledger: &Ledger| Template::<Guarded>::new((Held(ledger.make()), Rank(1)));
    {
        let template = held(&ledger);
        let mut world = World::<Guarded>::new();
        world.spawn_batch(vec![template.clone(); 5]);
        assert_eq!((ledger.made(), ledger.living()), (6, 6), "one for each entity");
        // What is replaced is not cloned.
        world.spawn(template.with((Held(ledger.make()),)));
        assert_eq!(ledger.made(), 7);
        world.resource_mut::<Source>().0 = template;
        world.tick().unwrap();
        assert_eq!((ledger.made(), world.entity_count()), (13, 12));

        for at in 0..3 {
            let entities = world.entity_count();
            FAILS.store(at, Relaxed);
            let template = world.resource::<Source>().0.clone();
            assert_eq!(caught(|| world.spawn_batch(vec![template.clone(); 4]).len()), "clone");
            FAILS.store(u32::MAX, Relaxed);
            assert_eq!(world.entity_count(), entities, "none of the batch");
            assert_eq!(ledger.living(), entities + 1);
        }
        // At the refresh: the others are spawned, and the world can be used further.
        FAILS.store(3, Relaxed);
        assert_eq!(caught(|| world.tick()), "clone");
        FAILS.store(u32::MAX, Relaxed);
        assert_eq!(ledger.living(), world.iter::<&Held>().count() + 1);
        world.tick().unwrap();
        assert_eq!(ledger.living(), world.iter::<&Held>().count() + 1);
        // A change of shared values clones them.
        let (mut one, other) = (held(&ledger), held(&ledger));
        let shared = one.clone();
        let before = ledger.made();
        one.insert(Rank(5));
        assert_eq!(ledger.made(), before + 1);
        drop((shared, other));
        one.insert(Rank(6));
        assert_eq!(ledger.made(), before + 1);
        let entity: Entity = world.spawn(one);
        assert_eq!(world.get(entity), Some(&Rank(6)));
    }
    assert_eq!(ledger.living(), 0);
}
