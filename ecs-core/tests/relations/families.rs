//! Children of templates: spawning a template makes the same world as spawning and linking its family by hand, wherever
//! templates are spawned, on any threads.

use ecs_core::scheduler::AtomicCounter;
use ecs_core::settings::{Allow, ByArchetype, Config, Fixed, Settings};
use ecs_core::{
    Bundle, BundleSink, Defer, Effects, Entity, FromTemplate, LimitReached, PendingEntity,
    StateHash, StepError, Template, Threads, World, world,
};
use proptest::prelude::*;

use super::support::{Counted, Ledger, cases, caught, every_kind, fail, mix};

#[derive(Clone, Debug, PartialEq, StateHash)]
struct Health(u32);
#[derive(Clone, Debug, PartialEq, StateHash)]
struct Angle(f32);
#[derive(Clone, Debug, PartialEq, StateHash)]
struct Label(&'static str);
#[derive(Clone, Debug, PartialEq, StateHash)]
struct Size(u8);
#[derive(Clone, Debug, PartialEq, StateHash)]
struct Order(u32);
#[derive(Clone, Debug, PartialEq, StateHash)]
struct Of(Entity);

struct ChildOf;
struct Follows;

/// Whether the systems do by hand what a template does.
struct ByHand(bool);

world! {
    world Field {}
    component (Health, Size): contiguous_buffer;
    component Angle, Order, Of;
    component Label: hash_map;
    relation ChildOf: one_to_many, on_despawn: despawn;
    relation Follows: one_to_many, on_despawn: detach;
    resource ByHand: transient = ByHand(false);

    template Tank {
        Health(10),
        children: ChildOf [Turret, Wheel, Wheel],
        Label("tank"),
        children: Follows [Scout],
    }
    template Turret { Angle(0.5), Health(3) }
    template Wheel { Size(4), children: ChildOf [Nut, Nut, Nut,] }
    template Nut { Size(1) }
    /// It has the components of a nut, and is one of a batch with those of systems.
    template Scout { Size(9), children: ChildOf [] }

    /// Each order is a family or several.
    system Recruit {
        parallelism: split_every(64),
        spawn: [Tank, Turret, Wheel],
        insert: [Order, Of],
        despawn,
        link: [ChildOf, Follows],
        each: |entity: Entity, order: &Order, by_hand: &ByHand, effects| {
            let way = order.0 % 6;
            let healths = order.0..order.0 + if way == 1 || way == 3 { order.0 % 25 } else { 1 };
            let tanks: Vec<Tank> = healths.map(wounded).collect();
            let spawned = match way {
                _ if by_hand.0 => family_by_hand(effects, tanks),
                0 => {
                for tank in tanks {
                    effects.spawn(tank);
                }
                Vec::new()
            }
                1 => {
                    effects.spawn_batch(tanks);
                    Vec::new()
                }
                2 => tanks.into_iter().map(|tank| effects.spawn_pending(tank)).collect(),
                3 => effects.spawn_pending_batch(tanks).iter().collect(),
                _ => {
                    let health = order.0;
                    vec![effects.spawn_with(entity, move |_| wounded(health))]
                }
            };
            if way == 2 || way == 3 {
                for tank in &spawned {
                    effects.insert(*tank, Order(1000));
                }
            }
            // Spawns are then visible before entities are despawned.
            if let Some(tank) = spawned.first()
                && way >= 2
                && order.0 % 31 == 4
            {
                effects.insert_with(entity, *tank, Of);
            }
            if order.0.is_multiple_of(5) {
                effects.despawn(entity);
            }
        },
    }
    system Late {
        parallelism: split_every(64),
        dependencies: [Recruit],
        defer,
        each: |order: &Order, by_hand: &ByHand, effects| {
            let (order, by_hand) = (order.0, by_hand.0);
            if order % 50 == 7 {
                effects.defer(move |defer| drop(spawn_at_once(defer, order, by_hand)));
            }
        },
    }
    system Muster {
        sequential,
        dependencies: [Late],
        spawn: [Tank, Turret, Wheel],
        link: [ChildOf, Follows],
        read_resources: [ByHand],
        run: |data| {
            let by_hand = data.resources.get::<ByHand>().0;
            let tanks = || (0..20).map(wounded);
            if !by_hand {
                let mut now = data.now();
                let tank = now.spawn(wounded(5));
                let tanks = now.spawn_batch(tanks());
                assert!(tanks.len() == 20 && !tanks.clone().any(|other| other == tank));
                return;
            }
            let mut links: Vec<(bool, Entity, Entity)> = Vec::new();
            for tanks in [vec![wounded(5)], tanks().collect()] {
                let mut now = data.now();
                let roots: Vec<Entity> = tanks.into_iter().map(|tank| now.spawn(parts(tank))).collect();
                let mut wheels = Vec::new();
                links.extend(roots.iter().map(|root| (true, now.spawn(turret()), *root)));
                for root in &roots {
                    wheels.extend([(); 2].map(|()| now.spawn((Size(4),))));
                    links.extend(wheels[wheels.len() - 2..].iter().map(|wheel| (true, *wheel, *root)));
                }
                for wheel in wheels {
                    links.extend([(); 3].map(|()| (true, now.spawn((Size(1),)), wheel)));
                }
                links.extend(roots.iter().map(|root| (false, now.spawn((Size(9),)), *root)));
            }
            for (is_child, one, other) in links {
                if is_child {
                    data.effects.link::<ChildOf>(one, other);
                } else {
                    data.effects.link::<Follows>(one, other);
                }
            }
        },
    }
}

/// A tank with another health.
fn wounded(health: u32) -> Tank {
    Tank { health: Health(health), ..Tank::default() }
}

fn parts(tank: Tank) -> (Health, Label) {
    (tank.health, tank.label)
}

fn turret() -> (Angle, Health) {
    (Angle(0.5), Health(3))
}

/// The number of entities that are spawned with a tank.
const FAMILY: usize = 1 + 1 + 2 * (1 + 3) + 1;

/// The families of these tanks, as a system stages them.
fn family_by_hand<'w>(
    effects: &mut Effects<'w, Field, Recruit>,
    tanks: Vec<Tank>,
) -> Vec<PendingEntity<'w>> {
    let tanks: Vec<_> = tanks.into_iter().map(|tank| effects.spawn_pending(parts(tank))).collect();
    for tank in &tanks {
        let turret = effects.spawn_pending(turret());
        effects.link::<ChildOf>(turret, *tank);
    }
    let mut wheels = Vec::new();
    for tank in &tanks {
        for _ in 0..2 {
            let wheel = effects.spawn_pending((Size(4),));
            effects.link::<ChildOf>(wheel, *tank);
            wheels.push(wheel);
        }
    }
    for wheel in wheels {
        for _ in 0..3 {
            let nut = effects.spawn_pending((Size(1),));
            effects.link::<ChildOf>(nut, wheel);
        }
    }
    for tank in &tanks {
        let scout = effects.spawn_pending((Size(9),));
        effects.link::<Follows>(scout, *tank);
    }
    tanks
}

/// A tank and a batch of tanks, in a step or a deferred function.
fn spawn_at_once(defer: &mut Defer<'_, Field>, seed: u32, by_hand: bool) -> Vec<Entity> {
    let batch = || (0..seed % 40).map(|n| wounded(seed + n));
    if !by_hand {
        let mut tanks = vec![defer.spawn(wounded(seed))];
        tanks.extend(defer.spawn_batch(batch()));
        return tanks;
    }
    let mut all = Vec::new();
    for tanks in [vec![wounded(seed)], batch().collect()] {
        let tanks: Vec<_> = tanks.into_iter().map(|tank| defer.spawn(parts(tank))).collect();
        for tank in &tanks {
            let turret = defer.spawn(turret());
            defer.link::<ChildOf>(turret, *tank);
        }
        let mut wheels = Vec::new();
        for tank in &tanks {
            for _ in 0..2 {
                let wheel = defer.spawn((Size(4),));
                defer.link::<ChildOf>(wheel, *tank);
                wheels.push(wheel);
            }
        }
        for wheel in wheels {
            for _ in 0..3 {
                let nut = defer.spawn((Size(1),));
                defer.link::<ChildOf>(nut, wheel);
            }
        }
        for tank in &tanks {
            let scout = defer.spawn((Size(9),));
            defer.link::<Follows>(scout, *tank);
        }
        all.extend(tanks);
    }
    all
}

/// Steps with all ways to spawn, with despawns between them, and snapshots in the middle. Returns the hashes.
fn run<S: Settings>(threads: Threads, by_hand: bool, seed: u64) -> Vec<u64> {
    let mut world = World::<Field, S>::on(threads.clone());
    world.resource_mut::<ByHand>().0 = by_hand;
    let mut hashes = Vec::new();
    let orders = (0..150).map(|n| (Order(mix(seed ^ n) as u32 % 1000),));
    world.spawn_batch(orders);
    let mut snapshot = None;
    for round in 0..4 {
        let seed = mix(seed ^ (round + 1000)) as u32;
        let result = world.step(|step| {
            let tanks = spawn_at_once(step, seed, by_hand);
            // A tank that is despawned in the same step takes its family with it.
            step.despawn(tanks[0]);
            let others: Vec<Entity> = tanks.iter().skip(1).step_by(3).copied().collect();
            for tank in others {
                step.despawn(tank);
            }
            if round % 2 == 0 {
                step.execute_systems();
            }
        });
        assert_eq!(result, Ok(()));
        hashes.push(world.state_hash());
        if round == 1 {
            snapshot = Some((world.snapshot(), hashes.len()));
        }
    }
    let (snapshot, from) = snapshot.expect("it was made");
    let mut again = World::<Field, S>::on(threads);
    again.resource_mut::<ByHand>().0 = by_hand;
    again.restore(&snapshot).unwrap();
    assert_eq!(again.state_hash(), hashes[from - 1]);
    let mut tanks: Vec<Entity> = again.iter::<(Entity, &Label)>().map(|(tank, _)| tank).collect();
    assert!(tanks.len() > 10);
    tanks.truncate(10);
    for tank in tanks {
        let before = again.entity_count();
        let family = 1 + again.children::<ChildOf>(tank).count();
        assert_eq!(family, 4);
        again.despawn(tank);
        // The scout stays.
        assert_eq!(again.entity_count(), before - (FAMILY - 1));
        hashes.push(again.state_hash());
    }
    hashes
}

#[test]
fn families_are_those_of_spawns_and_links_by_hand_on_any_threads() {
    type Sorted = Config<ByArchetype<0>, Allow, AtomicCounter>;
    let (mut plain, mut sorted) = (None, None);
    for threads in every_kind() {
        for by_hand in [true, false] {
            let hashes =
                run::<<Field as ecs_core::Declaration>::Settings>(threads.clone(), by_hand, 11);
            assert_eq!(
                *plain.get_or_insert_with(|| hashes.clone()),
                hashes,
                "{threads:?} {by_hand}"
            );
            let hashes = run::<Sorted>(threads.clone(), by_hand, 12);
            assert_eq!(
                *sorted.get_or_insert_with(|| hashes.clone()),
                hashes,
                "{threads:?} {by_hand}"
            );
        }
    }
}

proptest! {
    #![proptest_config(cases(8))]
    #[test]
    fn random_families(seed: u64, at in 0_usize..6) {
        let threads = every_kind().swap_remove(at);
        let by_hand = run::<<Field as ecs_core::Declaration>::Settings>(Threads::Inline, true, seed);
        let of_templates = run::<<Field as ecs_core::Declaration>::Settings>(threads, false, seed);
        prop_assert_eq!(by_hand, of_templates);
    }
}

/// The parts of a family, found by its links, in the order of templates: those of a tank.
fn assert_family(world: &World<Field, impl Settings>, tank: Entity) {
    let children: Vec<Entity> = world.children::<ChildOf>(tank).collect();
    assert_eq!(children.len(), 3);
    let turrets = children.iter().filter(|child| world.get(**child) == Some(&Angle(0.5)));
    assert_eq!(turrets.count(), 1);
    for wheel in children.iter().filter(|child| world.get(**child) == Some(&Size(4))) {
        let nuts = world.children::<ChildOf>(*wheel);
        assert_eq!(nuts.filter(|nut| world.get(*nut) == Some(&Size(1))).count(), 3);
    }
    let scouts: Vec<Entity> = world.children::<Follows>(tank).collect();
    assert_eq!((scouts.len(), world.get(scouts[0])), (1, Some(&Size(9))));
}

#[test]
fn a_value_of_a_template_has_its_children() {
    let tank = Template::<Field>::new(Tank::default());
    assert_eq!(format!("{tank:?}"), r#"Template {"Health", "Label"} and 10 more"#);
    assert_eq!(tank.children::<ChildOf>().count(), 3);
    let wheel = tank.children::<ChildOf>().nth(2).expect("the second wheel");
    assert_eq!((wheel.get(), wheel.children::<ChildOf>().count()), (Some(&Size(4)), 3));
    let bare = tank.clone().without_children::<ChildOf>();
    assert_eq!((bare.children::<ChildOf>().count(), bare.children::<Follows>().count()), (0, 1));
    let lone = bare.without_children::<Follows>();
    assert_eq!(format!("{lone:?}"), r#"Template {"Health", "Label"}"#);
    let platoon = lone.with_children::<Follows>([tank.clone(), tank.clone()]);

    let (mut world, mut other) = (World::<Field>::new(), World::<Field>::new());
    let leader = world.spawn(platoon.with((Health(99),)));
    assert_eq!(world.entity_count(), 1 + 2 * FAMILY);
    assert_eq!((world.get(leader), world.get(leader)), (Some(&Health(99)), Some(&Label("tank"))));
    let followers: Vec<Entity> = world.children::<Follows>(leader).collect();
    for tank in &followers {
        assert_family(&world, *tank);
    }
    // Parents before children, each child before its own children, and these before the next child.
    let by_hand = |step: &mut Defer<'_, Field>, root: Entity| {
        let turret = step.spawn(turret());
        step.link::<ChildOf>(turret, root);
        for _ in 0..2 {
            let wheel = step.spawn((Size(4),));
            for _ in 0..3 {
                let nut = step.spawn((Size(1),));
                step.link::<ChildOf>(nut, wheel);
            }
            step.link::<ChildOf>(wheel, root);
        }
        let scout = step.spawn((Size(9),));
        step.link::<Follows>(scout, root);
    };
    let tank_by_hand = |step: &mut Defer<'_, Field>, root: Option<Entity>| {
        let tank = step.spawn((Health(10), Label("tank")));
        by_hand(step, tank);
        if let Some(root) = root {
            step.link::<Follows>(tank, root);
        }
    };
    other
        .step(|step| {
            let leader = step.spawn((Health(99), Label("tank")));
            (0..2).for_each(|_| tank_by_hand(step, Some(leader)));
        })
        .unwrap();
    assert_eq!(world.state_hash(), other.state_hash());
    // Of a batch, first all roots.
    let spawned = world.spawn_batch(vec![tank.clone(); 70]);
    other
        .step(|step| {
            let tanks: Vec<Entity> =
                step.spawn_batch(vec![(Health(10), Label("tank")); 70]).collect();
            for tank in tanks {
                by_hand(step, tank);
            }
        })
        .unwrap();
    assert_eq!(world.state_hash(), other.state_hash());
    for tank in &spawned {
        assert_family(&world, *tank);
    }
    // A bundle that puts one.
    let bundled = world.spawn(Led(tank));
    other.step(|step| tank_by_hand(step, None)).unwrap();
    other.insert(bundled, Order(7)).unwrap();
    assert_eq!(world.state_hash(), other.state_hash());
    assert_family(&world, bundled);
    world.despawn(bundled);
    assert!(!world.is_alive(bundled) && world.entity_count() == 1 + 72 * FAMILY + 1);
}

/// A bundle that puts a template.
struct Led(Template<Field>);

impl Bundle<Field> for Led {
    fn put(self, sink: &mut BundleSink<'_, Field>) {
        sink.put(Order(7));
        self.0.put(sink);
    }
}

mod values {
    //! Values of templates, by systems.

    use super::*;

    #[derive(Clone, Debug, PartialEq, StateHash)]
    pub(super) struct Rank(pub(super) u32);
    #[derive(Clone, Debug, PartialEq, StateHash)]
    pub(super) struct Seen(Entity);
    pub(super) struct Kept(pub(super) Template<Camp>);
    pub(super) type Ranked = FromTemplate<Camp, (Rank,)>;

    world! {
        pub(super) world Camp {}
        component Health: contiguous_buffer;
        component Rank, Seen;
        component Label: hash_map;
        relation ChildOf: one_to_many, on_despawn: despawn;
        resource Kept: transient = Kept(Template::default());
        template Boss { Rank(50), Label("boss"), children: ChildOf [Guard, Guard] }
        template Guard { Health(5) }
        system Call {
            parallelism: split_every(64),
            spawn: [Ranked, Template<Camp>, Boss, Guard],
            link: [ChildOf],
            insert: [Seen],
            despawn,
            each: |entity: Entity, rank: &Rank, kept: &Kept, effects| {
                let template = &kept.0;
                match rank.0 {
                    0..10 => effects.spawn(template.with((Rank(rank.0 + 1000),))),
                    10..20 => effects.spawn_batch(vec![template.clone(); 3]),
                    20..30 => {
                        let spawned = effects.spawn_pending(template.clone());
                        effects.insert_with(entity, spawned, Seen);
                        if rank.0 == 25 {
                            effects.despawn(spawned);
                        }
                    }
                    30..40 => {
                        // The family of a pending entity is despawned with it.
                        let boss = effects.spawn_pending(Boss::default());
                        effects.despawn(boss);
                    }
                    _ => {}
                }
            },
        }
        system Gather {
            sequential,
            dependencies: [Call],
            spawn: [Template<Camp>],
            read_resources: [Kept],
            run: |data| {
                let kept = data.resources.get::<Kept>().0.clone();
                let mut now = data.now();
                let one = now.spawn(kept.clone());
                assert!(now.is_alive(one));
                assert_eq!(now.spawn_batch(vec![kept; 2]).len(), 2);
            },
        }
    }

    /// With three levels: 1 + 2 + 2 entities.
    pub(super) fn kept() -> Template<Camp> {
        let leaf = Template::new((Label("leaf"),));
        let twig = Template::new((Label("twig"),)).with_children::<ChildOf>([leaf]);
        Template::new((Health(1), Label("root"))).with_children::<ChildOf>([twig.clone(), twig])
    }
}

#[test]
fn systems_spawn_values_with_children_on_any_threads() {
    use values::{Boss, Camp, Kept, Rank, kept};
    let mut expected = None;
    for threads in every_kind() {
        for spread in [1, 40] {
            let mut world = World::<Camp>::on(threads.clone());
            world.resource_mut::<Kept>().0 = kept();
            // The same entities, over one subtask or over many.
            world.spawn_batch(
                (0..40 * spread).map(|n| (Rank(if n % spread == 0 { n / spread } else { 77 }),)),
            );
            world.tick().unwrap();
            let roots = world.iter::<(Entity, &Label)>().filter(|(_, label)| label.0 == "root");
            let roots: Vec<Entity> = roots.map(|(root, _)| root).collect();
            assert_eq!(roots.len(), 10 + 3 * 10 + 9 + 3);
            for root in &roots {
                let twigs: Vec<Entity> = world.children::<ChildOf>(*root).collect();
                assert_eq!(twigs.len(), 2);
                for twig in twigs {
                    let mut leaves = world.children::<ChildOf>(twig);
                    assert_eq!(world.get::<Label>(leaves.next().unwrap()), Some(&Label("leaf")));
                }
            }
            assert_eq!(world.entity_count() as u32, 40 * spread + 5 * roots.len() as u32);
            if spread == 40 {
                let hash = world.state_hash();
                assert_eq!(*expected.get_or_insert(hash), hash);
            }
            for root in roots {
                world.despawn(root);
            }
            assert_eq!(world.entity_count() as u32, 40 * spread);
            let boss = world.spawn(Boss::default());
            assert_eq!(world.children::<ChildOf>(boss).count(), 2);
        }
    }
}

#[test]
fn a_family_is_spawned_as_a_whole_or_not_at_all() {
    type Narrow = Config<Fixed<30>, Allow, AtomicCounter>;
    let mut world = World::<Field, Narrow>::new();
    let value = Template::<Field>::new(Tank::default());
    let lost = |lost| Err::<Entity, _>(LimitReached { limit: 30, lost });
    assert!(world.spawn(Tank::default()).is_ok() && world.spawn(value.clone()).is_ok());
    assert_eq!(world.entity_count(), 22);
    assert_eq!(world.spawn(Tank::default()), lost(11));
    assert_eq!(world.spawn(value.clone()), lost(11));
    assert_eq!(world.spawn(value.with((Order(1),))), lost(11));
    assert_eq!(world.spawn_batch([Wheel::default(), Wheel::default()]).map(|all| all.len()), Ok(2));
    for _ in 0..2 {
        world.despawn(world.iter::<(Entity, &Size)>().find(|(_, size)| size.0 == 4).unwrap().0);
    }
    assert_eq!(world.spawn_batch([(); 4].map(|()| Wheel::default())).err(), lost(16).err());
    assert_eq!(world.spawn_batch(vec![value.clone(); 2]).err(), lost(22).err());
    let before = world.state_hash();
    let step = world.step(|step| {
        let none = step.spawn(value.clone());
        assert!(!step.is_alive(none));
        assert_eq!(step.spawn_batch([value.clone()]).len(), 0);
    });
    assert_eq!(step, Err(StepError::LimitReached { limit: 30, lost: 22 }));
    assert_eq!(world.state_hash(), before);
    // The children that are put by another bundle find no room.
    assert_eq!(world.spawn(Led(value.clone())), lost(3));
    assert_eq!(world.remaining_capacity(), 0);
}

#[test]
fn what_systems_stage_without_room_is_reported() {
    use values::{Camp, Kept, Rank, kept};
    type Narrow = Config<Fixed<27>, Allow, AtomicCounter>;
    let mut world = World::<Camp, Narrow>::new();
    world.resource_mut::<Kept>().0 = kept();
    world.spawn_batch((9..11).map(|n| (Rank(n),))).unwrap();
    // 15 entities at once by `Gather`, then four roots with 16 descendants, of which 6 have room.
    assert_eq!(world.tick(), Err(StepError::LimitReached { limit: 27, lost: 10 }));
    assert_eq!(world.entity_count(), 27);
    let orphans = world.iter::<(Entity, &Label)>().filter(|(_, label)| label.0 == "leaf");
    assert!(orphans.map(|(leaf, _)| leaf).all(|leaf| world.parent::<ChildOf>(leaf).is_some()));
}

#[test]
fn a_child_can_be_linked_anew_in_the_step_that_spawns_it() {
    let mut world = World::<Field>::new();
    let depot = world.spawn((Order(1),));
    world
        .step(|step| {
            let first = step.spawn(Tank::default());
            let turret = step.spawn((Angle(1.0),));
            step.link::<ChildOf>(turret, first);
            // The family of the tank is linked first.
            let of_tank = step.iter::<(Entity, &Angle)>().next().unwrap().0;
            step.relink::<ChildOf>(of_tank, depot);
        })
        .unwrap();
    assert_eq!(world.children::<ChildOf>(depot).count(), 1);
    // A step that panics drops the links, as those that are staged by hand.
    let panics = |step: &mut Defer<'_, Field>| {
        step.spawn(Tank::default());
        step.spawn(Template::new(Tank::default()));
        fail("step");
    };
    assert_eq!(caught(|| world.step(|step| panics(step))), "step");
    assert_eq!(world.step(|_| ()), Ok(()));
    let tanks = world.iter::<(Entity, &Label)>().map(|(tank, _)| tank);
    let children = tanks.map(|tank| world.children::<ChildOf>(tank).count());
    assert_eq!(children.collect::<Vec<_>>(), [3, 0, 0]);
}

/// A value that counts its clones and drops, and makes one panic.
struct Held(Counted);

static FAILS: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(u32::MAX);

impl Clone for Held {
    fn clone(&self) -> Self {
        if FAILS.fetch_sub(1, std::sync::atomic::Ordering::Relaxed) == 0 {
            fail("clone");
        }
        Self(self.0.clone())
    }
}

struct Source(Template<Guarded>);

world! {
    world Guarded {}
    component Held: contiguous_buffer;
    component Order: contiguous_buffer;
    relation ChildOf: one_to_many, on_despawn: despawn;
    resource Source: transient = Source(Template::default());
    system Spawn {
        with: [Order],
        spawn: [Template<Guarded>],
        read_resources: [Source],
        each: |_, effects, resources| effects.spawn(resources.get::<Source>().0.clone()),
    }
}

#[test]
fn a_world_can_be_used_after_a_panic_among_children() {
    use std::sync::atomic::Ordering::Relaxed;
    let ledger = Ledger::default();
    {
        let held = || Template::<Guarded>::new((Held(ledger.make()),));
        let family =
            held().with_children::<ChildOf>([held(), held().with_children::<ChildOf>([held()])]);
        for at in 0..4 {
            let mut world = World::<Guarded>::new();
            FAILS.store(at, Relaxed);
            assert_eq!(caught(|| world.spawn(family.clone())), "clone");
            FAILS.store(u32::MAX, Relaxed);
            assert_eq!(world.iter::<&Held>().count() as u32, at);
            let whole = world.spawn(family.clone());
            assert_eq!(world.children::<ChildOf>(whole).count(), 2);
            world.despawn(whole);
            // At the refresh.
            world.spawn((Order(1),));
            world.resource_mut::<Source>().0 = family.clone();
            FAILS.store(at, Relaxed);
            assert_eq!(caught(|| world.tick()), "clone");
            FAILS.store(u32::MAX, Relaxed);
            let before = world.entity_count();
            world.tick().unwrap();
            assert_eq!(world.entity_count(), before + 4);
            assert_eq!(ledger.living(), world.iter::<&Held>().count() + 4);
        }
    }
    assert_eq!(ledger.living(), 0);
}

mod expressions {
    //! A template whose child panics when it is made.

    use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

    use super::*;

    pub(super) static FAILS: AtomicU32 = AtomicU32::new(u32::MAX);

    #[derive(Clone, Debug, PartialEq, StateHash)]
    pub(super) struct Value(pub(super) u32);

    fn value() -> Value {
        if FAILS.fetch_sub(1, Relaxed) == 0 {
            fail("value");
        }
        Value(7)
    }

    world! {
        pub(super) world Fragile {}
        component Value: contiguous_buffer;
        relation ChildOf: one_to_many, on_despawn: despawn;
        template Root { children: ChildOf [Leaf, Leaf, Leaf, Leaf, Leaf, Leaf, Leaf, Leaf] }
        template Leaf { Value: value() }
        system AtOnce {
            sequential,
            spawn: [Root, Leaf],
            link: [ChildOf],
            run: |data| {
                let mut now = data.now();
                now.spawn(Root::default());
                now.spawn_batch([Root::default()]);
            },
        }
        system Staged {
            spawn: [Root, Leaf],
            link: [ChildOf],
            run: |data| data.effects.spawn_batch([Root::default(), Root::default()]),
        }
    }
}

#[test]
fn a_world_can_be_used_after_a_value_of_a_child_panics() {
    use core::sync::atomic::Ordering::Relaxed;
    use expressions::{FAILS, Fragile, Root, Value};
    for at in 0..32 {
        let mut world = World::<Fragile>::new();
        let mut panics = |f: &mut dyn FnMut(&mut World<Fragile>), after| {
            let before = world.iter::<&Value>().count();
            FAILS.store(after, Relaxed);
            assert_eq!(caught(|| f(&mut world)), "value");
            FAILS.store(u32::MAX, Relaxed);
            let entities = world.entity_count();
            // Those before the panic are whole, and those of a batch do not exist.
            let values = world.iter::<&Value>().filter(|value| value.0 == 7).count();
            assert!(values - before <= after as usize && values <= entities);
            let root = world.spawn(Root::default());
            assert_eq!(
                (world.children::<ChildOf>(root).count(), world.entity_count()),
                (8, entities + 9)
            );
        };
        if at < 8 {
            panics(&mut |world| _ = world.spawn(Root::default()), at);
            panics(&mut |world| drop(world.spawn_batch([Root::default()])), at);
        }
        if at < 24 {
            let batch = || core::iter::repeat_with(Root::default).take(3);
            panics(&mut |world| drop(world.spawn_batch(batch())), at);
        }
        panics(&mut |world| world.tick().unwrap(), at);
    }
}

/// Clones share their children, so that a template of more entities than there are numbers is made in no time.
#[test]
fn more_descendants_than_numbers_are_too_many() {
    type Narrow = Config<Fixed<30>, Allow, AtomicCounter>;
    let leaf = || Template::<Field>::new((Size(1),));
    let doubled = |all: Template<Field>, _| leaf().with_children::<ChildOf>([all.clone(), all]);
    let all = (0..70).fold(leaf(), doubled).with_children::<Follows>([leaf(), leaf(), leaf()]);
    let mut world = World::<Field, Narrow>::new();
    assert!(world.spawn(all.clone()).is_err());
    assert!(world.spawn(all.with((Size(2),))).is_err());
    assert!(world.spawn_batch([all.clone(), all.clone()]).is_err());
    let parent = leaf().with_children::<Follows>([all.clone(), all]);
    assert!(world.step(|step| step.spawn(parent.clone())).is_err());
    assert!(world.spawn(parent).is_err());
    assert_eq!(world.entity_count(), 0);
}
