//! Pending entities: random programs with spawned entities as targets and in values give what a naive model gives, and
//! the same bits on any threads, for any split and in any schedule.

mod living;
mod plan;
#[path = "../world/support.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod support;
mod trouble;
mod uses;

use std::collections::BTreeMap;

use ecs_core::scheduler::{Delayed, Shuffled};
use ecs_core::settings::{
    Allow, AtomicCounter, ByArchetype, Config, Disallow, Dynamic, Sequential, Settings,
};
use ecs_core::{Bundle, BundleSink, Entity, PendingEntity, StateHash, Threads, World, world};
use proptest::prelude::*;

use plan::{Bundled, Op, plan};
use support::{cases, every_kind, mix};

/// What the model knows an entity by.
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
struct Label(u64);

#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
struct Health(u64);

#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
struct Mark(u64);

/// In external storage.
#[derive(Clone, Debug, PartialEq, StateHash)]
struct Name(String);

/// Entities with it run the program.
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
struct Peer(Entity);

#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
struct Owner(Entity);

/// The sum of all messages that the entity has received.
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
struct Heard(u64);

#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
struct Note {
    value: u64,
    about: Option<Entity>,
}

/// All events, in order.
#[derive(Clone, Debug, Default, StateHash)]
struct Log(u64);

#[derive(Clone, Debug, Default, StateHash)]
struct Step(u64);

#[derive(Clone, Copy, Debug, StateHash)]
struct Said(u64, Entity);

/// A bundle of a type of its own, whose components are put one by one.
struct Custom(u64);

impl Bundle<Colony> for Custom {
    fn put(self, sink: &mut BundleSink<'_, Colony>) {
        sink.put(Label(self.0));
        sink.put(Mark(self.0));
        if self.0.is_multiple_of(2) {
            sink.put(Heard(0));
            sink.put(Name(self.0.to_string()));
        }
    }
}

/// Stages what the entity's plan says.
macro_rules! act {
    ($system:literal, $entity:ident, $label:ident, $effects:ident, $step:ident) => {{
        let mut born: Vec<PendingEntity<'_>> = Vec::new();
        for op in plan($label.0, $step.0, $system) {
            let target = |n: usize, born: &Vec<PendingEntity<'_>>| {
                n.checked_sub(1).map(|n| n % born.len().max(1))
            };
            match op {
                Op::Spawn(Bundled::Small, label) => {
                    born.push($effects.spawn_pending((Label(label), Health(label))));
                }
                Op::Spawn(Bundled::Full, label) => {
                    born.push($effects.spawn_pending((
                        Label(label),
                        Health(label),
                        Peer($entity),
                        Heard(0),
                    )));
                }
                Op::Spawn(Bundled::Custom, label) => {
                    born.push($effects.spawn_pending(Custom(label)))
                }
                Op::Plain(label) => $effects.spawn((Label(label), Health(label))),
                Op::Batch(label, count) => {
                    let labels = (0..count).map(|n| (Label(label ^ n), Health(n)));
                    let batch = $effects.spawn_pending_batch(labels);
                    assert_eq!(batch.len(), count as usize);
                    born.extend(batch.iter());
                }
                Op::SpawnWith(at, label) => match target(at, &born)
                    .and_then(|n| born.get(n).copied())
                {
                    Some(of) => {
                        born.push(
                            $effects.spawn_with(of, move |of| (Label(label), Heard(0), Owner(of))),
                        );
                    }
                    None => {
                        let of = $entity;
                        born.push(
                            $effects.spawn_with(of, move |of| (Label(label), Heard(0), Owner(of))),
                        );
                    }
                },
                Op::SpawnPeers(at, label) => {
                    let of = target(at, &born).and_then(|n| born.get(n).copied());
                    if let (Some(of), Some(&first)) = (of, born.first()) {
                        born.push($effects.spawn_with([first, of], move |[first, of]| {
                            (Label(label), Health(1), Peer(first), Heard(0), Owner(of))
                        }));
                    }
                }
                op => {
                    let one = op
                        .target()
                        .and_then(|at| target(at, &born))
                        .and_then(|n| born.get(n).copied());
                    let other = op
                        .source()
                        .and_then(|at| target(at, &born))
                        .and_then(|n| born.get(n).copied());
                    /// The rest, for any mix of living and pending entities.
                    macro_rules! rest {
                        ($one:expr, $other:expr) => {{
                            let (one, other) = ($one, $other);
                            match op {
                                Op::Insert(_, n) => {
                                    $effects.insert_many(one, (Mark(n), Name(n.to_string())))
                                }
                                Op::Remove(_) => $effects.remove::<Mark>(one),
                                Op::RemoveMany(_) => $effects.remove_many::<(Name, Owner)>(one),
                                Op::InsertWith(..) => $effects.insert_with(one, other, Owner),
                                Op::InsertOwner(_) => $effects.insert(one, Owner($entity)),
                                Op::Update(_, n) => $effects.update(one, Health(n)),
                                Op::UpdateWith(..) => $effects.update_with(one, other, Peer),
                                Op::Despawn(_) => $effects.despawn(one),
                                Op::Send(_, value) => {
                                    $effects.send(one, Note { value, about: None })
                                }
                                Op::SendWith(_, _, value) => {
                                    $effects.send_with(one, other, move |about| Note {
                                        value,
                                        about: Some(about),
                                    })
                                }
                                Op::Emit(_, value) => {
                                    $effects.emit_with(other, move |about| Said(value, about))
                                }
                                _ => {}
                            }
                        }};
                    }
                    match (one, other) {
                        (Some(one), Some(other)) => rest!(one, other),
                        (Some(one), None) => rest!(one, $entity),
                        (None, Some(other)) => rest!($entity, other),
                        (None, None) => rest!($entity, $entity),
                    }
                    if let (Op::Subscribe(_), Some(one)) = (op, one) {
                        $effects.subscribe::<Chosen>(one);
                    }
                }
            }
        }
    }};
}

world! {
    world Colony {}
    component Label, Mark, Peer: contiguous_buffer;
    component (Health, Heard): contiguous_buffer;
    component Owner: sparse_set;
    component Name: hash_map;
    resource Step, Log;
    event Note: addressed;
    event Said;

    system Chosen { opt_in, each: |health: &mut Health| health.0 = health.0.wrapping_add(1) }
    system First {
        dependencies: [Chosen],
        parallelism: split_every(64),
        with: [Peer],
        spawn: [
            (Label, Health), (Label, Health, Peer, Heard), (Label, Heard, Owner),
            (Label, Health, Peer, Heard, Owner), Custom,
        ],
        insert: [Mark, Name, Owner],
        remove: [Mark, Name, Owner],
        update: [Health, Peer],
        emit: [Note, Said],
        despawn,
        each: |entity: Entity, label: &Label, effects, step: &Step| act!(1, entity, label, effects, step),
    }
    system Second {
        dependencies: [First],
        parallelism: split_evenly(cores),
        with: [Peer],
        spawn: [
            Custom, (Label, Health, Peer, Heard, Owner), (Label, Heard, Owner),
            (Label, Health, Peer, Heard), (Label, Health),
        ],
        insert: [Mark, Name, Owner],
        remove: [Mark, Name, Owner],
        update: [Health, Peer],
        emit: [Note, Said],
        despawn,
        each: |entity: Entity, label: &Label, effects, step: &Step| act!(2, entity, label, effects, step),
    }
    system Hear {
        parallelism: split_every(128),
        on: [Note],
        read_any: [Label],
        write: [Heard],
        run: |data| {
            let labels = data.effects.read_any::<Label>();
            data.for_messages::<Note>(|one, notes, _| for note in notes {
                let about = note.about.map(|about| labels.get(about).map_or(0, |label| label.0));
                one.heard.0 = one.heard.0.wrapping_add(heard(note.value, about));
            });
        },
    }
    system Listen {
        on: [Said, Note],
        run: |effects, log: &mut Log| {
            for said in effects.events::<Said>() {
                log.0 = mix(log.0 ^ said.0 ^ u64::from(said.1.index()));
            }
            for note in effects.events::<ecs_core::Addressed<Note>>() {
                log.0 = mix(log.0 ^ note.message.value ^ u64::from(note.to.index()));
            }
        },
    }
}

/// What a message adds. `about` is the label of the entity in it, or 0 if that is not alive.
fn heard(value: u64, about: Option<u64>) -> u64 {
    mix(value ^ mix(about.unwrap_or(1)))
}

/// An entity of the model, which names others by their labels.
#[derive(Clone, Debug, Default, PartialEq)]
struct Model {
    health: Option<u64>,
    mark: Option<u64>,
    name: Option<u64>,
    peer: Option<u64>,
    owner: Option<u64>,
    heard: Option<u64>,
    chosen: bool,
}

#[derive(Clone, Debug, Default)]
struct Models {
    all: BTreeMap<u64, Model>,
    /// Messages for the next step: receiver, value, and the entity in it.
    later: Vec<(u64, u64, Option<u64>)>,
}

impl Models {
    /// One step: each system on the entities of its beginning, then all that they have staged, one by one.
    fn step(&mut self, now: u64) {
        for one in self.all.values_mut().filter(|one| one.chosen) {
            one.health = one.health.map(|health| health.wrapping_add(1));
        }
        let acting: Vec<u64> = self
            .all
            .iter()
            .filter(|(_, one)| one.peer.is_some() && one.health.is_some())
            .map(|(label, _)| *label)
            .collect();
        let mut dead = Vec::new();
        let mut notes = std::mem::take(&mut self.later);
        let alive = self.all.clone();
        for system in [1, 2] {
            for &own in &acting {
                self.act(own, plan(own, now, system), &mut dead, &mut notes);
            }
        }
        for (to, value, about) in notes {
            // Read before the refresh: by those, and about those, that were alive before.
            let about = about.map(|about| if alive.contains_key(&about) { about } else { 0 });
            if let Some(sum) =
                alive.get(&to).and(self.all.get_mut(&to)).and_then(|one| one.heard.as_mut())
            {
                *sum = sum.wrapping_add(heard(value, about));
            }
        }
        for label in dead {
            self.all.remove(&label);
        }
        for one in self.all.values_mut() {
            one.chosen &= one.health.is_some();
        }
    }

    fn act(
        &mut self,
        own: u64,
        plan: Vec<Op>,
        dead: &mut Vec<u64>,
        notes: &mut Vec<(u64, u64, Option<u64>)>,
    ) {
        let mut born: Vec<u64> = Vec::new();
        for op in plan {
            let named = |at: usize| match at.checked_sub(1) {
                Some(n) if !born.is_empty() => born[n % born.len()],
                _ => own,
            };
            let one = op.target().map_or(own, named);
            let other = op.source().map_or(own, named);
            let mut spawn = |label, model| {
                assert!(self.all.insert(label, model).is_none(), "labels are different");
                born.push(label);
            };
            match op {
                Op::Spawn(Bundled::Small, label) => {
                    spawn(label, Model { health: Some(label), ..Model::default() });
                }
                Op::Spawn(Bundled::Full, label) => {
                    let (health, peer, heard) = (Some(label), Some(own), Some(0));
                    spawn(label, Model { health, peer, heard, ..Model::default() });
                }
                Op::Spawn(Bundled::Custom, label) => {
                    let even = label % 2 == 0;
                    let (heard, name) = (even.then_some(0), even.then_some(label));
                    spawn(label, Model { mark: Some(label), heard, name, ..Model::default() });
                }
                Op::Plain(label) => {
                    let model = Model { health: Some(label), ..Model::default() };
                    self.all.insert(label, model);
                }
                Op::Batch(label, count) => {
                    for n in 0..count {
                        spawn(label ^ n, Model { health: Some(n), ..Model::default() });
                    }
                }
                Op::SpawnWith(..) => {
                    let Op::SpawnWith(_, label) = op else { unreachable!() };
                    let (owner, heard) = (Some(one), Some(0));
                    spawn(label, Model { owner, heard, ..Model::default() });
                }
                Op::SpawnPeers(at, label) => {
                    if let (Some(&first), 1..) = (born.first(), at) {
                        born.push(label);
                        let (health, peer) = (Some(1), Some(first));
                        let (heard, owner) = (Some(0), Some(one));
                        let model = Model { health, peer, owner, heard, ..Model::default() };
                        self.all.insert(label, model);
                    }
                }
                Op::Despawn(_) => dead.push(one),
                Op::Send(_, value) if one == own => notes.push((one, value, None)),
                Op::Send(_, value) => self.later.push((one, value, None)),
                Op::SendWith(_, _, value) => self.later.push((one, value, Some(other))),
                Op::Emit(..) => {}
                op => {
                    let model = self.all.get_mut(&one).expect("it dies at the end");
                    match op {
                        Op::Insert(_, n) => (model.mark, model.name) = (Some(n), Some(n)),
                        Op::Remove(_) => model.mark = None,
                        Op::RemoveMany(_) => (model.name, model.owner) = (None, None),
                        Op::InsertWith(..) => model.owner = Some(other),
                        Op::InsertOwner(_) => model.owner = Some(own),
                        Op::Update(_, n) => model.health = model.health.map(|_| n),
                        Op::UpdateWith(..) => model.peer = model.peer.map(|_| other),
                        Op::Subscribe(_) if one != own => model.chosen = true,
                        _ => {}
                    }
                }
            }
        }
    }
}

/// Runs the program beside the model. Returns the hash after each step.
fn run<S: Settings>(mut world: World<Colony, S>, seed: u64, count: u64, steps: u64) -> Vec<u64> {
    let mut models = Models::default();
    let labels: Vec<u64> = (0..count).map(|n| mix(seed ^ mix(n)) | 1).collect();
    let mut before = None;
    for &label in &labels {
        let bundle = (Label(label), Health(label), Heard(0));
        let one = world.step(|step| step.spawn(bundle)).unwrap();
        let peer = before.unwrap_or(one);
        world.insert(one, Peer(peer)).unwrap();
        let peer = world.get::<Label>(peer).map(|label| label.0);
        let model = Model { health: Some(label), heard: Some(0), peer, ..Model::default() };
        models.all.insert(label, model);
        before = Some(one);
    }
    let mut hashes = Vec::new();
    for now in 0..steps {
        *world.resource_mut() = Step(now);
        world.tick().unwrap();
        models.step(now);
        compare(&mut world, &models);
        hashes.push(world.state_hash());
        if now == steps / 2 {
            // A copy goes on with the same bits.
            let copy = world.snapshot();
            world.tick().unwrap();
            world.restore(&copy).unwrap();
        }
    }
    hashes
}

fn compare<S: Settings>(world: &mut World<Colony, S>, models: &Models) {
    let found: Vec<(Entity, Label)> =
        world.iter::<(Entity, &Label)>().map(|(entity, label)| (entity, *label)).collect();
    assert_eq!(world.entity_count(), models.all.len());
    assert_eq!(found.len(), models.all.len());
    let chosen: Vec<bool> = world
        .step(|step| found.iter().map(|(one, _)| step.is_subscribed::<Chosen>(*one)).collect())
        .unwrap();
    for ((entity, label), chosen) in found.into_iter().zip(chosen) {
        let label_of = |entity| world.get::<Label>(entity).map_or(0, |label| label.0);
        let found = Model {
            health: world.get::<Health>(entity).map(|health| health.0),
            mark: world.get::<Mark>(entity).map(|mark| mark.0),
            name: world.get::<Name>(entity).map(|name| name.0.parse().unwrap()),
            peer: world.get::<Peer>(entity).map(|peer| label_of(peer.0)),
            owner: world.get::<Owner>(entity).map(|owner| label_of(owner.0)),
            heard: world.get::<Heard>(entity).map(|heard| heard.0),
            chosen,
        };
        // What names a dead entity finds nothing.
        let living = |label: u64| if models.all.contains_key(&label) { label } else { 0 };
        let mut expected = models.all[&label.0].clone();
        expected.peer = expected.peer.map(living);
        expected.owner = expected.owner.map(living);
        assert_eq!(found, expected, "{label:?}");
    }
}

type Under<I, S> = Config<Dynamic<0>, I, S>;
type Apart<I, S> = Config<ByArchetype<0>, I, S>;

proptest! {
    #![proptest_config(cases(16))]
    #[test]
    fn programs_agree_with_the_model_on_any_threads(
        seed in any::<u64>(),
        count in prop_oneof![1_u64..70, 60_u64..400],
        steps in 1_u64..6,
    ) {
        let expected = run(World::<Colony>::on(Threads::Inline), seed, count, steps);
        for threads in every_kind() {
            prop_assert_eq!(&run(World::<Colony>::on(threads), seed, count, steps), &expected);
        }
        let three = support::three;
        let sequential = World::<Colony, Under<Disallow, Sequential>>::on(three());
        prop_assert_eq!(&run(sequential, seed, count, steps), &expected);
        let alone = World::<Colony, Under<Disallow, AtomicCounter>>::on(three());
        prop_assert_eq!(&run(alone, seed, count, steps), &expected);
        let shuffled = World::<Colony, Under<Allow, Shuffled>>::on(three());
        prop_assert_eq!(&run(shuffled, seed, count, steps), &expected);
        let delayed = World::<Colony, Under<Allow, Delayed>>::on(three());
        prop_assert_eq!(&run(delayed, seed, count, steps), &expected);
        // Rows are others, and so are handles; which they are depends on no thread either.
        let apart = run(World::<Colony, Apart<Allow, Shuffled>>::on(three()), seed, count, steps);
        let other = World::<Colony, Apart<Disallow, Sequential>>::on(Threads::Inline);
        prop_assert_eq!(run(other, seed, count, steps), apart);
    }
}
