//! Entities that are spawned one by one in a step, which the library completes together.

use ecs_core::settings::{Allow, AtomicCounter, ByArchetype, Config, Dynamic, Fixed, Settings};
use ecs_core::{
    Bundle, BundleSink, Defer, Entity, StateHash, StateHasher, Step, Threads, World, world,
};
use proptest::prelude::*;

#[derive(Clone, Debug, PartialEq)]
struct Name(String);
#[derive(Clone, Debug, PartialEq)]
struct Age(u64);
#[derive(Clone, Debug, PartialEq)]
struct Guest;

impl StateHash for Name {
    fn state_hash(&self, hasher: &mut StateHasher) {
        self.0.state_hash(hasher);
    }
}

impl StateHash for Age {
    fn state_hash(&self, hasher: &mut StateHasher) {
        self.0.state_hash(hasher);
    }
}

impl StateHash for Guest {
    fn state_hash(&self, _: &mut StateHasher) {}
}

world! {
    world Inn;
    component Name, Age;
    component Guest: sparse_set;
    bundle Stranger { Name, Age }
    system Grow { each: |age: &mut Age| age.0 += 1 }
}

/// What happens in a step.
#[derive(Clone, Debug)]
enum Deed {
    /// Entities with the same components come, one by one.
    Spawn {
        kind: u8,
        count: usize,
    },
    /// Something happens to the entity with this number, if it is there.
    Rename(usize),
    Age(usize),
    Forget(usize),
    Despawn(usize),
}

fn deeds() -> impl Strategy<Value = Vec<Vec<Deed>>> {
    let one = 0..400_usize;
    let deed = prop_oneof![
        4 => (0..5_u8, 0..90_usize).prop_map(|(kind, count)| Deed::Spawn { kind, count }),
        1 => one.clone().prop_map(Deed::Rename),
        1 => one.clone().prop_map(Deed::Age),
        1 => one.clone().prop_map(Deed::Forget),
        3 => one.prop_map(Deed::Despawn),
    ];
    proptest::collection::vec(proptest::collection::vec(deed, 0..12), 1..8)
}

fn spawn<S: Settings>(step: &mut Step<'_, Inn, S>, kind: u8, n: u64) -> Entity {
    let (name, age) = (Name(n.to_string()), Age(n));
    match kind {
        0 => step.spawn((name,)),
        1 => step.spawn((name, age)),
        2 => step.spawn(Stranger { name, age }),
        3 => step.spawn((age, Guest)),
        _ => step.spawn(()),
    }
}

/// Does the deeds, and looks at the world after each spawn if it is `curious`. Returns all handles, and the hash of the world
/// after each step.
fn run<S: Settings>(steps: &[Vec<Deed>], curious: bool) -> (Vec<Entity>, Vec<u64>) {
    let mut world = World::<Inn, S>::on(Threads::Inline);
    let (mut all, mut hashes) = (Vec::new(), Vec::new());
    for deeds in steps {
        let _ = world.step(|step| {
            for deed in deeds {
                match *deed {
                    Deed::Spawn { kind, count } => {
                        for n in 0..count as u64 {
                            let before = curious.then(|| step.entity_count());
                            let entity = spawn(step, kind, n);
                            if let Some(before) = before {
                                let there = usize::from(step.is_alive(entity));
                                assert_eq!(step.entity_count(), before + there);
                                let is_named = kind < 3 && there == 1;
                                assert_eq!(step.contains::<Name>(entity), is_named);
                            }
                            all.push(entity);
                        }
                    }
                    Deed::Rename(at) => {
                        if let Some(name) = all.get(at).and_then(|&e| step.get_mut::<Name>(e)) {
                            name.0.push('!');
                        }
                    }
                    Deed::Age(at) => {
                        let _ = all.get(at).map(|&entity| step.insert(entity, Age(at as u64)));
                    }
                    Deed::Forget(at) => {
                        let _ = all.get(at).map(|&entity| step.remove::<Name>(entity));
                    }
                    Deed::Despawn(at) => all.get(at).into_iter().for_each(|&e| step.despawn(e)),
                }
            }
        });
        hashes.push(world.state_hash());
        let _ = world.tick();
        hashes.push(world.state_hash());
    }
    for &entity in all.iter().filter(|&&entity| world.is_alive(entity)) {
        if let Some(Name(name)) = world.get::<Name>(entity) {
            assert!(name.trim_end_matches('!').parse::<u64>().is_ok());
        }
    }
    (all, hashes)
}

proptest! {
    #[test]
    fn whether_anybody_looks_makes_no_difference(steps in deeds()) {
        type With<L> = Config<L, Allow, AtomicCounter>;
        prop_assert_eq!(run::<With<Dynamic<0>>>(&steps, false), run::<With<Dynamic<0>>>(&steps, true));
        prop_assert_eq!(run::<With<Fixed<150>>>(&steps, false), run::<With<Fixed<150>>>(&steps, true));
        let by_archetype = run::<With<ByArchetype<16>>>;
        prop_assert_eq!(by_archetype(&steps, false), by_archetype(&steps, true));
    }
}

#[test]
fn several_threads_may_look_at_once() {
    let mut world = World::<Inn>::on(Threads::Inline);
    for round in 0..20 {
        let looked = world.step(|step| {
            let spawned: Vec<_> = (0..100).map(|n| spawn(step, 1, n)).collect();
            let step: &Defer<'_, Inn> = step;
            let look = || {
                let ages = spawned.iter().map(|&entity| step.get::<Age>(entity).unwrap().0);
                assert!(ages.eq(0..100));
                assert_eq!(step.entity_count(), (round + 1) * 100);
            };
            std::thread::scope(|scope| {
                let threads = [(); 4].map(|()| scope.spawn(look));
                // The end of a scope orders, too, but ThreadSanitizer does not see it (`.ci/tsan.suppressions`).
                for thread in threads {
                    thread.join().expect("it has looked");
                }
            });
        });
        looked.unwrap();
    }
}

#[test]
fn a_panic_leaves_all_that_came_before_it() {
    let mut world = World::<Inn>::on(Threads::Inline);
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _ = world.step(|step| {
            (0..77).for_each(|n| {
                spawn(step, 1, n);
            });
            panic!("enough");
        });
    }));
    assert!(panic.is_err());
    assert_eq!((world.entity_count(), world.iter::<(&Name, &Age)>().count()), (77, 77));
    world.tick().unwrap();
    let mut ages = Vec::new();
    world.iter::<&Age>().for_each(|age| ages.push(age.0));
    assert!(ages.into_iter().eq(1..=77));
}

/// It says that it has the components of a tuple, and puts another one.
struct Liar(u64);

impl Bundle<Inn> for Liar {
    const FACTS: ecs_core::generated::BundleFacts = <(Name, Age) as Bundle<Inn>>::FACTS;

    fn put(self, sink: &mut BundleSink<'_, Inn>) {
        sink.put(Age(self.0));
    }
}

/// It passes the row for its components on to a tuple of others.
struct Forger(u64);

impl Bundle<Inn> for Forger {
    const FACTS: ecs_core::generated::BundleFacts = <(Name, Age) as Bundle<Inn>>::FACTS;

    fn put(self, sink: &mut BundleSink<'_, Inn>) {
        sink.put(Age(self.0));
    }

    fn spawn(
        self,
        row: ecs_core::generated::NewRow<'_, Inn>,
    ) -> Result<Entity, ecs_core::LimitReached> {
        <(Age,) as Bundle<Inn>>::spawn((Age(self.0),), row)
    }
}

#[test]
fn a_bundle_that_says_the_wrong_components_has_those_that_it_puts() {
    let mut world = World::<Inn>::on(Threads::Inline);
    let spawned = world.step(|step| {
        let mut all = Vec::new();
        for n in 0..40 {
            all.push(step.spawn((Name(n.to_string()), Age(n))));
            all.push(step.spawn(Liar(n)));
            all.push(step.spawn(Liar(n)));
            all.push(step.spawn(Forger(n)));
            all.push(step.spawn(Forger(n)));
        }
        all
    });
    for (number, entity) in spawned.unwrap().into_iter().enumerate() {
        assert_eq!(world.contains::<Name>(entity), number % 5 == 0);
        assert_eq!(world.get::<Age>(entity).unwrap().0, number as u64 / 5);
    }
}

/// It says that it has a component of another world, whose number this one does not have.
struct Stray(u64);

struct Far<const N: usize>;

world! {
    world Elsewhere;
    component Far<0> as Far0, Far<1> as Far1, Far<2> as Far2, Far<3> as Far3;
}

impl Bundle<Inn> for Stray {
    const FACTS: ecs_core::generated::BundleFacts = <(Far<3>,) as Bundle<Elsewhere>>::FACTS;

    fn put(self, sink: &mut BundleSink<'_, Inn>) {
        sink.put(Age(self.0));
    }
}

#[test]
fn a_bundle_that_says_components_of_another_world_fails_and_the_world_goes_on() {
    let mut world = World::<Inn>::on(Threads::Inline);
    for round in 1..=3 {
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _ = world.step(|step| {
                for n in 0..9 {
                    step.spawn(Stray(n));
                }
            });
        }));
        assert!(panic.is_err());
        let ages = world.iter::<&Age>().count();
        assert_eq!((world.entity_count(), ages), (round * 3, round * 3));
        world.tick().unwrap();
    }
}

#[test]
fn a_block_of_rows_that_gives_none_is_left_out() {
    let mut world =
        World::<Inn, Config<ByArchetype<16>, Allow, AtomicCounter>>::on(Threads::Inline);
    // Both have a page, of which the first is nearly full: rows that follow lie behind that of the others.
    world.spawn_batch((0..4_092).map(|n| (Name(n.to_string()), Age(n))));
    world.spawn_batch((0..5).map(|n| (Age(n),)));
    let stepped = world.step(|step| {
        // The last one of these takes the last row of the page, and the liar none of those behind it.
        for n in 0..4 {
            step.spawn((Name(n.to_string()), Age(n)));
        }
        step.spawn(Liar(7));
    });
    stepped.unwrap();
    assert_eq!((world.entity_count(), world.iter::<(&Name, &Age)>().count()), (4_102, 4_096));
    assert_eq!(world.iter::<&Age>().count(), 4_102);
}
