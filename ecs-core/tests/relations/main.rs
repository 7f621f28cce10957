//! Relations: random programs that link, relink, despawn and move entities do what a model by plain maps says, on any
//! threads; and systems that go along a relation come to parents before their children.

mod families;
mod large;
mod many;
mod model;
mod order;
mod pending;
mod policies;
mod runs;
#[path = "../world/support.rs"]
mod support;

use ecs_core::scheduler::{Delayed, Shuffled};
use ecs_core::settings::{Allow, Config, Dynamic, Settings};
use ecs_core::{Entity, StateHash, StepError, Threads, World, world};
use proptest::prelude::*;

use model::Model;
use support::{cases, every_kind, mix, three};

#[derive(Clone, Debug, StateHash)]
struct Own(u64);

/// Computed from the parent's.
#[derive(Clone, Debug, PartialEq, StateHash)]
struct Sum(u64);

/// Entities with it have other rows than those without.
#[derive(Clone, Debug, StateHash)]
struct Tag;

/// What the entity stages in the next step.
#[derive(Clone, Debug, Default, StateHash)]
struct Orders(Vec<Order>);

/// One change.
#[derive(Clone, Debug, PartialEq, StateHash)]
pub(crate) enum Order {
    /// The number of the relation, the child, the parent, and whether another parent is replaced.
    Link(u8, Entity, Entity, bool),
    Unlink(u8, Entity),
    Despawn(Entity),
    Tag(Entity),
    Untag(Entity),
    Shrink(Entity),
}

struct ChildOf;
struct Follows;
struct Guards;

/// An entity that a system came to, with its parent.
#[derive(Clone, Debug, PartialEq, StateHash)]
struct Came(Entity, Option<Entity>);

world! {
    world Forest { rows: by_archetype, staged_changes: refresh_before_dependents }
    component Own, Sum: contiguous_buffer;
    component Orders: hash_map;
    component Tag: empty;
    relation ChildOf: one_to_many, on_despawn: despawn;
    relation Follows: one_to_many, on_despawn: detach;
    relation Guards: one_to_many, on_despawn: forbid;
    event Came;

    system Stage {
        parallelism: split_every(64),
        read: [Orders],
        link: [Guards, ChildOf, Follows],
        despawn,
        insert: [Tag],
        remove: [Tag, Sum],
        run: |data| for (orders,) in data.own.query::<(&Orders,)>() {
            for order in &orders.0 {
                let effects = &mut data.effects;
                match *order {
                    Order::Link(0, child, parent, false) => effects.link::<ChildOf>(child, parent),
                    Order::Link(0, child, parent, true) => effects.relink::<ChildOf>(child, parent),
                    Order::Link(1, child, parent, false) => effects.link::<Follows>(child, parent),
                    Order::Link(1, child, parent, true) => effects.relink::<Follows>(child, parent),
                    Order::Link(_, child, parent, false) => effects.link::<Guards>(child, parent),
                    Order::Link(_, child, parent, true) => effects.relink::<Guards>(child, parent),
                    Order::Unlink(0, child) => effects.unlink::<ChildOf>(child),
                    Order::Unlink(1, child) => effects.unlink::<Follows>(child),
                    Order::Unlink(_, child) => effects.unlink::<Guards>(child),
                    Order::Despawn(entity) => effects.despawn(entity),
                    Order::Tag(entity) => effects.insert(entity, Tag),
                    Order::Untag(entity) => effects.remove::<Tag>(entity),
                    Order::Shrink(entity) => effects.remove::<Sum>(entity),
                }
            }
        },
    }
    system Propagate {
        parallelism: split_evenly(3),
        dependencies: [Stage],
        after_parent: ChildOf,
        read: [Own],
        write: [Sum],
        emit: [Came],
        run: |data| data.for_after_parent::<(Entity, &Sum)>(|one, parent, effects| {
            one.sum.0 = mix(parent.map_or(0, |(_, sum)| sum.0) ^ one.own.0);
            effects.emit(Came(one.entity, parent.map(|(entity, _)| entity)));
        }),
    }
}

/// Something that a program does. Numbers stand for living entities.
#[derive(Clone, Debug)]
enum Action {
    Spawn(Vec<(u64, bool, bool)>),
    Step(Vec<(u16, Change)>),
    /// All get the same parent, or each the one before it.
    Bush(u16),
    Chain,
    /// Outside of systems.
    Direct(u8, u16, u16),
    DespawnDirectly(u16),
    Save,
    Restore,
    Clone,
}

#[derive(Clone, Debug)]
enum Change {
    Link(u8, u16, u16, bool),
    Unlink(u8, u16),
    Despawn(u16),
    Tag(u16),
    Untag(u16),
    Shrink(u16),
}

fn change() -> impl Strategy<Value = Change> {
    let n = any::<u16>;
    prop_oneof![
        8 => (0_u8..3, n(), n(), any::<bool>()).prop_map(|(r, a, b, again)| Change::Link(r, a, b, again)),
        1 => (0_u8..3, n()).prop_map(|(r, a)| Change::Unlink(r, a)),
        1 => n().prop_map(Change::Despawn),
        1 => n().prop_map(Change::Tag),
        1 => n().prop_map(Change::Untag),
        1 => n().prop_map(Change::Shrink),
    ]
}

fn action() -> impl Strategy<Value = Action> {
    let one = (any::<u32>().prop_map(u64::from), any::<bool>(), proptest::bool::weighted(0.9));
    let n = any::<u16>;
    prop_oneof![
        2 => proptest::collection::vec(one, 0..40).prop_map(Action::Spawn),
        1 => Just(Action::Spawn(vec![(7, false, true); 400])),
        8 => proptest::collection::vec((n(), change()), 0..60).prop_map(Action::Step),
        1 => n().prop_map(Action::Bush),
        1 => Just(Action::Chain),
        2 => (0_u8..3, n(), n()).prop_map(|(r, a, b)| Action::Direct(r, a, b)),
        1 => n().prop_map(Action::DespawnDirectly),
        1 => Just(Action::Save),
        1 => Just(Action::Restore),
        1 => Just(Action::Clone),
    ]
}

/// The living entities, in the order of iteration.
fn living<S: Settings>(world: &World<Forest, S>) -> Vec<Entity> {
    world.iter::<Entity>().collect()
}

/// Whether the result of a step is what the relations' lists say.
fn check_refused<S: Settings>(
    world: &World<Forest, S>,
    model: &Model,
    result: Result<(), StepError>,
) {
    let refused =
        [world.refused::<ChildOf>(), world.refused::<Follows>(), world.refused::<Guards>()];
    assert_eq!(refused.map(<[_]>::to_vec), model.refused, "what is refused");
    let names = ["ChildOf", "Follows", "Guards"];
    let first = (0..3).find(|&number| !refused[number].is_empty());
    match (result, first) {
        (Ok(()), None) => {}
        (Err(StepError::Refused { relation, refused: one, count }), Some(number)) => {
            assert_eq!((relation, count), (names[number], refused[number].len()));
            assert_eq!(one, refused[number][0]);
        }
        (result, first) => panic!("{result:?}, though the first list with a refusal is {first:?}"),
    }
}

/// Runs the program beside the model. Returns the hash after each action.
fn run<S: Settings<Limit = Dynamic<0>>>(
    mut world: World<Forest, S>,
    program: &[Action],
) -> Vec<u64> {
    let (mut model, mut saved) = (Model::default(), None);
    let mut hashes = Vec::new();
    for action in program {
        let all = living(&world);
        let pick = |number: u16| all[usize::from(number) % all.len()];
        match action {
            Action::Spawn(bundles) => {
                world
                    .step(|step| {
                        for &(own, tagged, has_sum) in bundles {
                            let entity = step.spawn((Own(own), Orders::default()));
                            if has_sum {
                                step.insert(entity, Sum(0)).unwrap();
                            }
                            if tagged {
                                step.insert(entity, Tag).unwrap();
                            }
                        }
                    })
                    .unwrap();
                model.refused = Default::default();
            }
            _ if all.is_empty() => {}
            Action::Step(changes) => {
                for (by, change) in changes {
                    let order = match *change {
                        Change::Link(r, a, b, again) => Order::Link(r, pick(a), pick(b), again),
                        Change::Unlink(r, a) => Order::Unlink(r, pick(a)),
                        Change::Despawn(a) => Order::Despawn(pick(a)),
                        Change::Tag(a) => Order::Tag(pick(a)),
                        Change::Untag(a) => Order::Untag(pick(a)),
                        Change::Shrink(a) => Order::Shrink(pick(a)),
                    };
                    world.get_mut::<Orders>(pick(*by)).unwrap().0.push(order);
                }
                step(&mut world, &mut model);
            }
            Action::Bush(parent) => {
                for (number, entity) in all.iter().enumerate() {
                    let parent = if number < 2 { pick(*parent) } else { all[number % 2] };
                    let order = Order::Link(0, *entity, parent, true);
                    world.get_mut::<Orders>(*entity).unwrap().0.push(order);
                }
                step(&mut world, &mut model);
            }
            Action::Chain => {
                for pair in all.windows(2) {
                    let order = Order::Link(0, pair[1], pair[0], true);
                    world.get_mut::<Orders>(pair[1]).unwrap().0.push(order);
                }
                step(&mut world, &mut model);
            }
            Action::Direct(relation, child, parent) => {
                let [child, parent] = [*child, *parent].map(pick);
                let result = match relation {
                    0 => world.link::<ChildOf>(child, parent),
                    1 => world.relink::<Follows>(child, parent),
                    _ => world.step(|step| step.relink::<Guards>(child, parent)),
                };
                let order = Order::Link(*relation, child, parent, *relation > 0);
                model.apply(&all, &[order], &[]);
                check_refused(&world, &model, result);
            }
            Action::DespawnDirectly(entity) => {
                let entity = pick(*entity);
                let done = world.despawn(entity);
                model.apply(&all, &[], &[entity]);
                assert_eq!(done, !world.is_alive(entity));
            }
            Action::Save => saved = Some((world.snapshot(), model.clone())),
            Action::Restore => {
                if let Some((snapshot, then)) = &saved {
                    world.restore(snapshot).unwrap();
                    model = then.clone();
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
fn step<S: Settings>(world: &mut World<Forest, S>, model: &mut Model) {
    let before = living(world);
    let orders = before.iter().flat_map(|entity| world.get::<Orders>(*entity).unwrap().0.clone());
    let orders: Vec<Order> = orders.collect();
    let result = world.tick();
    let despawned = orders.iter().filter_map(|order| match order {
        Order::Despawn(entity) => Some(*entity),
        _ => None,
    });
    model.apply(&before, &orders, &despawned.collect::<Vec<_>>());
    check_refused(world, model, result);
    order::check(world, model);
    for entity in living(world) {
        world.get_mut::<Orders>(entity).unwrap().0.clear();
    }
}

/// Whether the world's links are those of the model, in both directions.
fn check_links<S: Settings>(world: &World<Forest, S>, model: &Model, action: &Action) {
    let all = living(world);
    for entity in &model.dead {
        assert!(!world.is_alive(*entity), "{entity:?} is alive after {action:?}");
    }
    for entity in &all {
        let parents = [
            world.parent::<ChildOf>(*entity),
            world.parent::<Follows>(*entity),
            world.parent::<Guards>(*entity),
        ];
        assert_eq!(parents, model.parents_of(*entity), "{entity:?} after {action:?}");
        assert!(!model.dead.contains(entity));
    }
    for (number, parents) in model.parents.iter().enumerate() {
        let mut children = std::collections::BTreeMap::<Entity, Vec<Entity>>::new();
        // In the order of iteration.
        for child in &all {
            if let Some(parent) = parents.get(child) {
                children.entry(*parent).or_default().push(*child);
            }
        }
        for entity in &all {
            let found = match number {
                0 => world.children::<ChildOf>(*entity),
                1 => world.children::<Follows>(*entity),
                _ => world.children::<Guards>(*entity),
            };
            let expected = children.get(entity).map_or(&[][..], Vec::as_slice);
            assert_eq!(found.len(), expected.len());
            assert!(found.eq(expected.iter().copied()), "children of {entity:?} after {action:?}");
        }
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
            let hashes = run(World::<Forest, Under<ecs_core::scheduler::AtomicCounter>>::on(threads), &program);
            prop_assert_eq!(expected.get_or_insert(hashes.clone()), &hashes);
        }
        for threads in [Threads::Inline, three()] {
            let shuffled = World::<Forest, Under<Shuffled>>::on(threads.clone());
            prop_assert_eq!(&Some(run(shuffled, &program)), &expected);
            let delayed = World::<Forest, Under<Delayed>>::on(threads);
            prop_assert_eq!(&Some(run(delayed, &program)), &expected);
        }
    }
}
