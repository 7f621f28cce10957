//! Relations of many to many: random programs that link, unlink, despawn and move entities do what a model by plain maps says, on
//! any threads.

mod links;
mod model;
mod set;
mod values;

use ecs_core::scheduler::{AtomicCounter, Delayed, Shuffled};
use ecs_core::settings::{Allow, Config, Dynamic, Settings};
use ecs_core::{Entity, StateHash, StepError, Threads, World, world};
use proptest::prelude::*;

use super::support::{cases, every_kind, mix, three};
use model::{Links, Model};

/// Entities with it have other rows than those without.
#[derive(Clone, Debug, StateHash)]
struct Tag;

/// What the entity stages in the next step.
#[derive(Clone, Debug, Default, StateHash)]
struct Orders(Vec<Order>);

/// Computed from the links of the entity.
#[derive(Clone, Debug, Default, PartialEq, StateHash)]
struct Seen(u64);

/// One change.
#[derive(Clone, Debug, PartialEq, StateHash)]
pub(crate) enum Order {
    /// The number of the relation, the source, the target and the value.
    Link(u8, Entity, Entity, u64),
    Unlink(u8, Entity, Entity),
    /// The child, and the parent, which comes before it.
    Adopt(Entity, Entity),
    Despawn(Entity),
    Tag(Entity),
    Untag(Entity),
}

#[derive(Clone, Debug, StateHash)]
struct Likes(u64);
#[derive(Clone, Debug, StateHash)]
struct Needs(u64);
#[derive(Clone, Debug, StateHash)]
struct Holds(u64);
struct ChildOf;

world! {
    world Village { rows: by_archetype, staged_changes: refresh_before_dependents }
    component Seen: contiguous_buffer;
    component Orders: hash_map;
    component Tag: empty;
    relation Likes: many_to_many, on_despawn: detach;
    relation Needs: many_to_many, on_despawn: despawn;
    relation ChildOf: one_to_many, on_despawn: despawn;
    relation Holds: many_to_many, on_despawn: forbid;

    system Look {
        parallelism: split_every(64),
        relations: [Likes, Needs],
        write: [Seen],
        run: |data| for (entity, seen) in data.own.query::<(Entity, &mut Seen)>() {
            let effects = &data.effects;
            let mut sum = 0;
            for (target, likes) in effects.targets::<Likes>(entity) {
                let back = effects.get_link::<Likes>(target, entity).map_or(0, |likes| likes.0);
                sum = mix(sum ^ likes.0) ^ back;
            }
            for (_, needs) in effects.sources::<Needs>(entity) {
                sum = mix(sum ^ needs.0);
            }
            seen.0 = sum;
        },
    }
    system Stage {
        parallelism: split_every(64),
        read: [Orders],
        link: [Holds, Likes, ChildOf, Needs],
        despawn,
        insert: [Tag],
        remove: [Tag],
        run: |data| for (orders,) in data.own.query::<(&Orders,)>() {
            for order in &orders.0 {
                let effects = &mut data.effects;
                match *order {
                    Order::Link(0, a, b, value) => effects.insert_link(a, b, Likes(value)),
                    Order::Link(1, a, b, value) => effects.insert_link(a, b, Needs(value)),
                    Order::Link(_, a, b, value) => effects.insert_link(a, b, Holds(value)),
                    Order::Unlink(0, a, b) => effects.remove_link::<Likes>(a, b),
                    Order::Unlink(1, a, b) => effects.remove_link::<Needs>(a, b),
                    Order::Unlink(_, a, b) => effects.remove_link::<Holds>(a, b),
                    Order::Adopt(child, parent) => effects.relink::<ChildOf>(child, parent),
                    Order::Despawn(entity) => effects.despawn(entity),
                    Order::Tag(entity) => effects.insert(entity, Tag),
                    Order::Untag(entity) => effects.remove::<Tag>(entity),
                }
            }
        },
    }
}

/// Something that a program does. Numbers stand for entities.
#[derive(Clone, Debug)]
enum Action {
    Spawn(Vec<bool>),
    Step(Vec<(u16, Change)>),
    /// All like one, and it likes all.
    Star(u16),
    /// Outside of systems.
    Direct(u8, u16, u16, u64),
    DespawnDirectly(u16),
    Save,
    Restore,
    Clone,
}

#[derive(Clone, Debug)]
enum Change {
    Link(u8, u16, u16, u64),
    /// Of an entity that may be dead.
    LinkAny(u8, u16, u16, bool),
    Unlink(u8, u16, u16),
    Adopt(u16, u16),
    Despawn(u16),
    Tag(u16),
    Untag(u16),
}

fn change() -> impl Strategy<Value = Change> {
    let n = any::<u16>;
    // Few entities have many links.
    let few = || prop_oneof![0..5_u16, n()];
    let value = any::<u32>().prop_map(u64::from);
    let relation = || prop_oneof![6 => Just(0_u8), 2 => Just(1), 2 => Just(2)];
    prop_oneof![
        12 => (relation(), few(), few(), value).prop_map(|(r, a, b, v)| Change::Link(r, a, b, v)),
        1 => (relation(), n(), n(), any::<bool>()).prop_map(|(r, a, b, s)| Change::LinkAny(r, a, b, s)),
        4 => (relation(), few(), few()).prop_map(|(r, a, b)| Change::Unlink(r, a, b)),
        1 => (n(), n()).prop_map(|(a, b)| Change::Adopt(a, b)),
        1 => n().prop_map(Change::Despawn),
        2 => n().prop_map(Change::Tag),
        2 => n().prop_map(Change::Untag),
    ]
}

fn action() -> impl Strategy<Value = Action> {
    let n = any::<u16>;
    let value = any::<u32>().prop_map(u64::from);
    prop_oneof![
        2 => proptest::collection::vec(any::<bool>(), 0..60).prop_map(Action::Spawn),
        1 => Just(Action::Spawn(vec![true; 200])),
        8 => proptest::collection::vec((n(), change()), 0..100).prop_map(Action::Step),
        1 => n().prop_map(Action::Star),
        2 => (0_u8..3, n(), n(), value).prop_map(|(r, a, b, v)| Action::Direct(r, a, b, v)),
        2 => n().prop_map(Action::DespawnDirectly),
        1 => Just(Action::Save),
        1 => Just(Action::Restore),
        1 => Just(Action::Clone),
    ]
}

/// The living entities, in the order of iteration.
fn living<S: Settings>(world: &World<Village, S>) -> Vec<Entity> {
    world.iter::<Entity>().collect()
}

/// Whether the result of a step is what the relations' lists say.
fn check_refused<S: Settings>(
    world: &World<Village, S>,
    model: &Model,
    result: Result<(), StepError>,
) {
    let refused = [
        world.refused_links::<Likes>(),
        world.refused_links::<Needs>(),
        world.refused_links::<Holds>(),
    ];
    assert_eq!(refused.map(<[_]>::to_vec), model.refused, "what is refused");
    assert!(world.refused::<ChildOf>().is_empty());
    let first = (0..3).find(|&number| !refused[number].is_empty());
    match (result, first) {
        (Ok(()), None) => {}
        (Err(StepError::Refused { relation, refused: one, count }), Some(number)) => {
            assert_eq!(relation, ["Likes", "Needs", "Holds"][number]);
            assert_eq!((one, count), (refused[number][0], refused[number].len()));
        }
        (result, first) => panic!("{result:?}, though the first list with a refusal is {first:?}"),
    }
}

/// Runs the program beside the model. Returns the hash after each action.
fn run<S: Settings<Limit = Dynamic<0>>>(
    mut world: World<Village, S>,
    program: &[Action],
) -> Vec<u64> {
    let (mut model, mut saved) = (Model::default(), None);
    let mut known: Vec<Entity> = Vec::new();
    let mut hashes = Vec::new();
    for action in program {
        let all = living(&world);
        let pick = |number: u16| all[usize::from(number) % all.len()];
        match action {
            Action::Spawn(tagged) => {
                let spawned = world.step(|step| {
                    let spawn = |&tagged: &bool| {
                        let entity = step.spawn((Seen(0), Orders::default()));
                        if tagged {
                            step.insert(entity, Tag).unwrap();
                        }
                        entity
                    };
                    tagged.iter().map(spawn).collect::<Vec<_>>()
                });
                known.extend(spawned.unwrap());
                model.refused = Default::default();
            }
            _ if all.is_empty() => {}
            Action::Step(changes) => {
                for (by, change) in changes {
                    let any = |number: u16| known[usize::from(number) % known.len()];
                    let order = match *change {
                        Change::Link(r, a, b, value) => Order::Link(r, pick(a), pick(b), value),
                        Change::LinkAny(r, a, b, true) => Order::Link(r, any(a), pick(b), 7),
                        Change::LinkAny(r, a, b, false) => Order::Link(r, pick(a), any(b), 7),
                        Change::Unlink(r, a, b) => Order::Unlink(r, pick(a), pick(b)),
                        Change::Adopt(a, b) => {
                            // Parents were spawned before their children, so none is on a cycle. (Rows change their order.)
                            let spawned = |&entity: &Entity| {
                                known.iter().position(|&one| one == entity).expect("it is known")
                            };
                            let mut both = [pick(a), pick(b)];
                            both.sort_by_key(spawned);
                            let [parent, child] = both;
                            if parent == child {
                                continue;
                            }
                            Order::Adopt(child, parent)
                        }
                        Change::Despawn(a) => Order::Despawn(pick(a)),
                        Change::Tag(a) => Order::Tag(pick(a)),
                        Change::Untag(a) => Order::Untag(pick(a)),
                    };
                    world.get_mut::<Orders>(pick(*by)).unwrap().0.push(order);
                }
                step(&mut world, &mut model);
            }
            Action::Star(middle) => {
                let middle = pick(*middle);
                for &entity in &all {
                    let orders = [(entity, middle, 3), (middle, entity, 4)];
                    let orders = orders.map(|(a, b, value)| Order::Link(0, a, b, value));
                    world.get_mut::<Orders>(entity).unwrap().0.extend(orders);
                }
                step(&mut world, &mut model);
            }
            &Action::Direct(relation, source, target, value) => {
                let [source, target] = [source, target].map(pick);
                let result = match (relation, world.get_link_mut::<Likes>(source, target)) {
                    // In place.
                    (0, Some(likes)) if value % 2 == 0 => {
                        likes.0 = value;
                        world.step(|_| ())
                    }
                    (0, _) => world.insert_link(source, target, Likes(value)),
                    (1, _) => world.step(|step| step.insert_link(source, target, Needs(value))),
                    _ => world.insert_link(source, target, Holds(value)),
                };
                model.apply(&all, &[Order::Link(relation, source, target, value)]);
                check_refused(&world, &model, result);
            }
            Action::DespawnDirectly(entity) => {
                let entity = pick(*entity);
                let done = world.despawn(entity);
                model.apply(&all, &[Order::Despawn(entity)]);
                assert_eq!(done, !world.is_alive(entity));
            }
            Action::Save => saved = Some((world.snapshot(), model.clone(), known.clone())),
            Action::Restore => {
                if let Some((snapshot, then, then_known)) = &saved {
                    world.restore(snapshot).unwrap();
                    (model, known) = (then.clone(), then_known.clone());
                }
            }
            Action::Clone => {
                let hash = world.state_hash();
                world = world.clone();
                assert_eq!(world.state_hash(), hash);
            }
        }
        check_links(&world, &model, action);
        hashes.push(world.state_hash());
    }
    hashes
}

/// A step with all systems.
fn step<S: Settings>(world: &mut World<Village, S>, model: &mut Model) {
    let before = living(world);
    let orders = before.iter().flat_map(|entity| world.get::<Orders>(*entity).unwrap().0.clone());
    let orders: Vec<Order> = orders.collect();
    let seen: Vec<Seen> = before.iter().map(|&entity| seen(&before, model, entity)).collect();
    let result = world.tick();
    model.apply(&before, &orders);
    check_refused(world, model, result);
    for (entity, seen) in before.iter().zip(seen) {
        assert!(world.get::<Seen>(*entity).is_none_or(|found| *found == seen));
    }
    for entity in living(world) {
        world.get_mut::<Orders>(entity).unwrap().0.clear();
    }
}

/// What the system `Look` finds.
fn seen(all: &[Entity], model: &Model, entity: Entity) -> Seen {
    let get = |number: usize, source, target| model.links[number].get(&(source, target)).copied();
    let mut sum = 0;
    for &target in all {
        if let Some(likes) = get(0, entity, target) {
            sum = mix(sum ^ likes) ^ get(0, target, entity).unwrap_or(0);
        }
    }
    for &source in all {
        if let Some(needs) = get(1, source, entity) {
            sum = mix(sum ^ needs);
        }
    }
    Seen(sum)
}

/// The links at one end, with what they are from the other end, in the order of iteration.
fn check_side(all: &[Entity], links: &Links, world: impl Fn(Entity, bool) -> Vec<(Entity, u64)>) {
    let place = |entity: &Entity| all.iter().position(|one| one == entity).expect("alive");
    let place: std::collections::BTreeMap<Entity, usize> =
        all.iter().map(|entity| (*entity, place(entity))).collect();
    let mut sides = [true, false].map(|_| std::collections::BTreeMap::<Entity, Vec<_>>::new());
    for (&(source, target), &value) in links {
        sides[0].entry(source).or_default().push((target, value));
        sides[1].entry(target).or_default().push((source, value));
    }
    for (number, side) in sides.iter_mut().enumerate() {
        for entity in all {
            let mut expected = side.remove(entity).unwrap_or_default();
            expected.sort_unstable_by_key(|(other, _)| place[other]);
            assert_eq!(world(*entity, number == 0), expected, "of {entity:?}");
        }
        assert!(side.is_empty(), "all links are of living entities");
    }
}

/// Whether the world's links are those of the model, in both directions.
fn check_links<S: Settings>(world: &World<Village, S>, model: &Model, action: &Action) {
    let all = living(world);
    for entity in &model.dead {
        assert!(!world.is_alive(*entity), "{entity:?} is alive after {action:?}");
    }
    let [likes, needs, holds] = &model.links;
    check_side(&all, likes, |entity, forward| {
        let linked =
            if forward { world.targets::<Likes>(entity) } else { world.sources::<Likes>(entity) };
        linked.map(|(other, likes)| (other, likes.0)).collect()
    });
    check_side(&all, needs, |entity, forward| {
        let linked =
            if forward { world.targets::<Needs>(entity) } else { world.sources::<Needs>(entity) };
        let mut back: Vec<_> = linked.rev().map(|(other, needs)| (other, needs.0)).collect();
        back.reverse();
        back
    });
    check_side(&all, holds, |entity, forward| {
        let linked =
            if forward { world.targets::<Holds>(entity) } else { world.sources::<Holds>(entity) };
        assert_eq!(linked.len(), linked.clone().count());
        linked.map(|(other, holds)| (other, holds.0)).collect()
    });
    for (child, parent) in &model.parents {
        assert_eq!(world.parent::<ChildOf>(*child), Some(*parent));
    }
    let mut sorted: Vec<_> = likes.iter().map(|(&(a, b), value)| (a, b, *value)).collect();
    let place: std::collections::BTreeMap<Entity, usize> =
        all.iter().enumerate().map(|(at, entity)| (*entity, at)).collect();
    sorted.sort_unstable_by_key(|(source, target, _)| (place[source], place[target]));
    assert!(world.links::<Likes>().map(|(a, b, likes)| (a, b, likes.0)).eq(sorted));
    for (&(source, target), value) in likes {
        assert_eq!(world.get_link::<Likes>(source, target).map(|likes| likes.0), Some(*value));
    }
}

type Under<S> = Config<Dynamic<0>, Allow, S>;

proptest! {
    #![proptest_config(cases(12))]
    #[test]
    fn programs_agree_with_the_model_on_any_threads(
        program in proptest::collection::vec(action(), 1..20),
    ) {
        let mut expected = None;
        for threads in every_kind() {
            let hashes = run(World::<Village, Under<AtomicCounter>>::on(threads), &program);
            prop_assert_eq!(expected.get_or_insert(hashes.clone()), &hashes);
        }
        for threads in [Threads::Inline, three()] {
            let shuffled = World::<Village, Under<Shuffled>>::on(threads.clone());
            prop_assert_eq!(&Some(run(shuffled, &program)), &expected);
            let delayed = World::<Village, Under<Delayed>>::on(threads);
            prop_assert_eq!(&Some(run(delayed, &program)), &expected);
        }
    }
}
