//! Clones and hashes that are of another value, panic, or change from call to call.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use attacks::support::{caught, fail};
use ecs_core::generated::{
    CloneComponent, CloneResource, ComponentClone, ComponentHash, HasNoSize, HashComponent,
    HashResource, HashSystem, ResourceClone,
};
use ecs_core::{Data, StateHash, StateHasher, System, Threads, World, world};

use super::counted::{Counted, Living};

/// The behaviour of clones and hashes in the first world; one test sets it.
static WAY: AtomicUsize = AtomicUsize::new(0);

/// A value whose clone is another value, or none, and whose hash differs each time.
#[derive(Debug)]
struct Odd(Counted, Living);

impl Odd {
    fn new(number: u64, living: &Living) -> Self {
        Self(living.value(number), living.clone())
    }
}

impl Clone for Odd {
    fn clone(&self) -> Self {
        match WAY.load(Relaxed) {
            1 => Self::new(1000 + self.0.0, &self.1),
            2 if self.0.0 == 70 => fail("clone"),
            3 => {
                // In the middle it steps a world and clones it.
                WAY.store(0, Relaxed);
                let mut inner = filled(&self.1, 2);
                inner.tick().unwrap();
                drop(inner.clone());
                WAY.store(3, Relaxed);
                Self(self.0.clone(), self.1.clone())
            }
            _ => Self(self.0.clone(), self.1.clone()),
        }
    }

    fn clone_from(&mut self, other: &Self) {
        match WAY.load(Relaxed) {
            // Copies nothing, or half.
            4 => {}
            5 => self.1 = other.1.clone(),
            6 if other.0.0 % 50 == 40 => fail("clone_from"),
            _ => *self = other.clone(),
        }
    }
}

impl StateHash for Odd {
    fn state_hash(&self, hasher: &mut StateHasher) {
        static CALLS: AtomicUsize = AtomicUsize::new(0);
        match WAY.load(Relaxed) {
            7 => CALLS.fetch_add(1, Relaxed).state_hash(hasher),
            8 => fail("hash"),
            _ => self.0.0.state_hash(hasher),
        }
    }
}

world! {
    world Saved {}
    component Odd: contiguous_buffer;
    resource Held;
    system Own { write: [Odd], output: Vec<u8> }
}

#[derive(Clone, Default, StateHash)]
struct Held(Option<Odd>);
#[derive(Clone, Default, StateHash)]
struct Own(Option<Odd>);

impl System<Saved> for Own {
    fn process(&self, data: &mut Data<'_, Saved, Self>) {
        data.own.for_entities(|e| e.odd.0.0 += 1);
    }
}

fn filled(living: &Living, count: u64) -> World<Saved> {
    let mut world = World::<Saved>::on(Threads::Inline);
    world.resource_mut::<Held>().0 = Some(Odd::new(1, living));
    world.system_mut::<Own>().0 = Some(Odd::new(2, living));
    world
        .step(|step| {
            step.spawn_batch((0..count).map(|n| (Odd::new(n, living),)));
        })
        .unwrap();
    world
}

fn numbers(world: &World<Saved>) -> Vec<u64> {
    let mut all = Vec::new();
    for odd in world.iter::<&Odd>() {
        all.push(odd.0.0);
    }
    all
}

#[test]
fn clones_that_lie() {
    for way in 0..9 {
        let living = Living::default();
        WAY.store(0, Relaxed);
        let mut world = filled(&living, 100);
        let mut later = filled(&living, 90);
        later.tick().unwrap();
        let mut snapshot = later.snapshot();
        WAY.store(way, Relaxed);
        let panics = [
            caught(|| drop(world.clone())),
            caught(|| drop(world.snapshot())),
            caught(|| world.snapshot_into(&mut snapshot)),
            caught(|| later.restore(&snapshot).unwrap()),
            caught(|| _ = world.state_hash()),
        ];
        let is_known = |panic: &String| {
            ["clone", "clone_from", "hash"].contains(&panic.as_str())
                || panic.contains("is incomplete")
        };
        assert!(panics.iter().flatten().all(is_known), "{panics:?}");
        // The original world is unchanged.
        assert_eq!(numbers(&world), (0..100).collect::<Vec<_>>());
        // The other world has the values that the clones had, and nothing else; it still works.
        let known = |n: &u64| n % 1000 < 101;
        assert!(numbers(&later).iter().all(known), "{way}: {:?}", numbers(&later));
        WAY.store(0, Relaxed);
        world.snapshot_into(&mut snapshot);
        later.restore(&snapshot).unwrap();
        assert_eq!(numbers(&later), numbers(&world), "{way}");
        let twin = world.clone();
        assert_eq!(
            (later.state_hash(), twin.state_hash()),
            (world.state_hash(), world.state_hash()),
            "{way}"
        );
        for world in [&mut world, &mut later] {
            world.tick().unwrap();
            assert_eq!(numbers(world), (1..101).collect::<Vec<_>>());
        }
        drop((world, later, twin, snapshot));
        assert_eq!(living.count(), 0, "{way}");
    }
}

mod by_hand {
    //! Clones and hashes of a declared world's parts, written by hand: for a type without `Clone`, by another type's.

    use super::{
        CloneComponent, CloneResource, ComponentClone, ComponentHash, Data, HasNoSize,
        HashComponent, HashResource, HashSystem, ResourceClone, StateHasher, System, Threads,
        World, caught, world,
    };

    #[derive(Clone)]
    struct Text(String);
    /// A type without `Clone` and without a hash.
    struct Stiff(String);
    #[derive(Default)]
    struct Store(String);
    #[derive(Clone, Default)]
    struct Other(String);

    world! {
        world Hand {}
        component Text: contiguous_buffer;
        component Stiff: contiguous_buffer;
        resource Store;
        resource Other;
        system Own { write: [Text] }
    }

    #[derive(Clone, Default)]
    struct Own(u8);
    impl System<Hand> for Own {
        fn process(&self, data: &mut Data<'_, Hand, Self>) {
            data.own.for_entities(|e| e.text.0.push('!'));
        }
    }

    impl CloneComponent<'_, Hand> for Stiff {
        const CLONE: ComponentClone<Hand> = ComponentClone::of::<Text>();
    }

    impl CloneResource<'_, Hand, Store> for HasNoSize<false> {
        const CLONE: Option<ResourceClone<Hand>> = Some(ResourceClone::of::<Other>());
    }

    /// By the presence of itself, and of another component.
    impl HashComponent<'_, Hand, false> for Text {
        const HASH: ComponentHash<Hand> = ComponentHash::of_presence::<Self>();
    }

    impl HashComponent<'_, Hand, false> for Stiff {
        const HASH: ComponentHash<Hand> = ComponentHash::of_presence::<Text>();
    }

    macro_rules! unhashed {
        ($($name:ident <$($ty:ty),*>;)*) => {$(
            impl $name<'_, $($ty),*> for HasNoSize<false> {
                fn put(_: &unhashed!(@ $($ty),*), _: &mut StateHasher) {}
            }
        )*};
        (@ $ty:ty $(, $rest:ty)*) => { $ty };
    }

    unhashed! {
        HashResource<Store>;
        HashResource<Other>;
        HashSystem<Own, Own>;
    }

    #[test]
    fn parts_that_are_cloned_as_others() {
        let mut world = World::<Hand>::on(Threads::Inline);
        let entity = |n: u64| (Text(format!("text {n}")), Stiff(format!("stiff {n}")));
        world
            .step(|step| {
                step.spawn_batch((0..100).map(entity));
            })
            .unwrap();
        let hash = world.state_hash();
        let mut cloned = None;
        let panic = caught(|| cloned = Some(world.clone()));
        if let Some(mut cloned) = cloned {
            // A component that was not cloned is missing.
            for (text, stiff) in cloned.iter::<(&Text, Option<&Stiff>)>() {
                assert!(
                    text.0.starts_with("text")
                        && stiff.is_none_or(|stiff| stiff.0.starts_with("stiff"))
                );
            }
            cloned.tick().unwrap();
        } else {
            assert!(panic.is_some());
        }
        let panic = caught(|| {
            let snapshot = world.snapshot();
            world.restore(&snapshot).unwrap();
        });
        let mut left = 0;
        for (text, stiff) in world.iter::<(&Text, Option<&Stiff>)>() {
            assert!(
                text.0.starts_with("text")
                    && stiff.is_none_or(|stiff| stiff.0.starts_with("stiff"))
            );
            left += 1;
        }
        assert_eq!(left, 100, "{panic:?}");
        world.system_mut::<Own>().0 = 1;
        // Only entities are hashed.
        assert!(world.state_hash() == hash || panic.is_some());
        world.resource_mut::<Store>().0.push('x');
        world.resource_mut::<Other>().0.push('y');
        world.tick().unwrap();
    }
}
