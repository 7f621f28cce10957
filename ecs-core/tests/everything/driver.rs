//! Runs a program in a world beside the model, and compares the two after each act.

use std::collections::{HashMap, HashSet};

use ecs_core::settings::{EntityLimit, Settings};
use ecs_core::signature::{Phases, StagedChanges};
use ecs_core::{
    Addressed, Cloneable, Defer, Entity, HasComponent, HasEvent, HasResource, Hashable, Snapshot,
    Step, Threads, World,
};

use super::model::{Being, Course, Model};
use super::parts::*;
use super::program::*;
use super::support::{caught, mix};

/// A world of all features.
pub(crate) trait Everything:
    Cloneable
    + Hashable
    + HasComponent<Id>
    + HasComponent<Heat>
    + HasComponent<Grade>
    + HasComponent<Team>
    + HasComponent<Luck>
    + HasComponent<Label>
    + HasComponent<Tag>
    + HasComponent<Extra>
    + HasResource<Clock>
    + HasResource<Mode>
    + HasResource<Sunk>
    + HasResource<Log>
    + HasResource<Total>
    + HasResource<Low>
    + HasResource<Script>
    + HasResource<Roster>
    + HasEvent<Ping>
    + HasEvent<Kept>
    + HasEvent<Echo>
    + HasEvent<Whisper>
    + HasEvent<Addressed<Hit>>
    + HasEvent<Addressed<Reply>>
{
    const PHASED: &'static Phases;

    fn run<S: Settings>(step: &mut Step<'_, Self, S>, run: Run);

    fn spawn(defer: &mut Defer<'_, Self>, bundle: usize, id: u64, batch: bool);

    fn subscribe(defer: &mut Defer<'_, Self>, entity: Entity, on: bool);

    /// Of the systems at [`OUTPUTS`].
    fn outputs<S: Settings>(world: &World<Self, S>) -> [Vec<u64>; OUTPUTS.len()];

    /// Of the systems.
    fn names() -> Vec<&'static str>;
}

/// The systems with outputs that can be read after the step.
pub(crate) const OUTPUTS: [usize; 8] = [
    at::WRITE, at::HEAR, at::WATCH, at::RECEIVE, at::FRESH, at::STALE, at::LATE, at::ANSWER,
];

/// What is saved: the state of the world, its hash, and the model.
struct Saved<D: Cloneable> {
    snapshot: Snapshot<D>,
    hash: u64,
    model: Model,
}

/// A world and its model.
struct Pair<'p, D: Everything, S: Settings> {
    program: &'p Program,
    threads: Threads,
    world: World<D, S>,
    model: Model,
    /// What was drawn for an entity: by seed, execution and handle.
    drawn: HashMap<(u64, u64, Entity), u64>,
    /// The entities that were alive at the last comparison, by key.
    known: HashMap<u64, Entity>,
}

/// Runs the program. Returns the hash of the state after each act.
pub(crate) fn run<D: Everything, S: Settings>(threads: Threads, program: &Program) -> Vec<u64> {
    assert_eq!(D::names(), NAMES);
    let course = Course {
        phases: D::PHASED,
        refreshes_first: matches!(D::STAGED_CHANGES, StagedChanges::RefreshBeforeDependents),
        by_archetype: <S::Limit as EntityLimit>::BY_ARCHETYPE,
    };
    let mut pair = Pair::<D, S> {
        program,
        world: World::on(threads.clone()),
        threads,
        model: Model::new(course),
        drawn: HashMap::new(),
        known: HashMap::new(),
    };
    let mut slots = [pair.save(), pair.save()];
    let mut hashes = Vec::with_capacity(program.acts.len());
    for (n, act) in program.acts.iter().enumerate() {
        pair.act(act, &mut slots);
        pair.compare(&format!("act {n}: {act:?}"));
        hashes.push(pair.world.state_hash());
    }
    let values: HashSet<u64> = pair.drawn.values().copied().collect();
    assert_eq!(values.len(), pair.drawn.len(), "two draws are the same");
    hashes
}

impl<D: Everything, S: Settings> Pair<'_, D, S> {
    fn save(&self) -> Saved<D> {
        Saved {
            snapshot: self.world.snapshot(),
            hash: self.world.state_hash(),
            model: self.model.clone(),
        }
    }

    fn restore(&mut self, saved: &Saved<D>) {
        self.world.restore(&saved.snapshot).expect("room");
        assert_eq!(self.world.state_hash(), saved.hash, "what is restored is what was saved");
        self.model = saved.model.clone();
        // Transient events stay in the world.
        self.model.forgot_whispers = true;
        // Handles that are younger than what was saved will be given to others.
        self.known = self.living();
    }

    fn act(&mut self, act: &Act, slots: &mut [Saved<D>; 2]) {
        match act {
            Act::Step(events) => self.step(events),
            Act::Again(events) => {
                let before = self.save();
                self.step(events);
                let hash = self.world.state_hash();
                self.compare("the first time");
                self.restore(&before);
                self.step(events);
                assert_eq!(self.world.state_hash(), hash, "a step from the same state");
            }
            Act::Panic(system, slot) => {
                let before = self.save();
                self.prepare(Some(*system));
                let _ = caught(|| self.world.tick());
                // It goes on, even so.
                self.prepare(None);
                self.world.tick().expect("room");
                self.restore(slots.get(*slot).unwrap_or(&before));
            }
            Act::Emit(n) => {
                self.world.emit(Ping(*n));
                self.world.emit(Kept(*n));
                self.model.begin_step();
                self.model.ping.push_later(*n);
                self.model.kept.push_later(*n);
            }
            Act::Send(one, n) => {
                if let Some((key, to)) = self.roster().get(*one % self.roster().len().max(1)) {
                    self.world.send(*to, Hit(*n));
                    self.model.hit.push_later((*key, *n));
                }
            }
            Act::Mode(mode) => {
                self.world.resource_mut::<Mode>().0 = *mode;
                self.model.mode = *mode;
            }
            Act::Seed(seed) => {
                self.world.set_seed(*seed);
                (self.model.seed, self.model.executions) = (*seed, 0);
            }
            Act::Save(slot) => {
                let Saved { snapshot, hash, model } = &mut slots[*slot];
                self.world.snapshot_into(snapshot);
                (*hash, *model) = (self.world.state_hash(), self.model.clone());
            }
            Act::Restore(slot) => self.restore(&slots[*slot]),
            Act::Clone => {
                self.world = self.world.clone();
                self.model.forgot_whispers = true;
            }
            Act::Elsewhere => {
                let saved = self.save();
                self.world = World::on(self.threads.clone());
                self.restore(&saved);
            }
        }
    }

    /// Entities to be chosen from, with their keys: living ones in their order, then despawned ones.
    fn roster(&self) -> Vec<(u64, Entity)> {
        let living = self.model.beings.values();
        let living = living.map(|being| (being.key, being.entity.expect("it was compared")));
        living.chain(self.model.dead.iter().copied()).collect()
    }

    /// Gives the systems the program.
    fn prepare(&mut self, panics: Option<usize>) {
        let rules = self.program.rules.clone();
        *self.world.resource_mut::<Script>() = Script { rules, panics };
        let roster = self.roster();
        self.world.resource_mut::<Roster>().0 = roster;
    }

    /// One step of both.
    fn step(&mut self, events: &[Event]) {
        self.prepare(None);
        let roster = self.roster();
        let keys: Vec<u64> = roster.iter().map(|(key, _)| *key).collect();
        let Self { world, model, program, .. } = self;
        model.begin_step();
        let stepped = world.step(|step| {
            for event in events {
                perform(step, &roster, *event);
            }
        });
        assert_eq!(stepped, Ok(()));
        for event in events {
            follow(model, &program.rules, &keys, *event);
        }
        model.refresh();
    }

    /// Compares the two, and learns what only the world knows: handles of new entities, and random numbers.
    fn compare(&mut self, what: &str) {
        type Terms<'a> = (
            (Entity, &'a Id, Option<&'a Heat>, Option<&'a Grade>, Option<&'a Team>),
            (Option<&'a Luck>, Option<&'a Label>, Option<&'a Tag>, Option<&'a Extra>),
        );
        let Self { world, model, drawn, .. } = self;
        let (seed, executions) = (model.seed, model.executions);
        let mut beings = model.beings.values_mut();
        for ((entity, id, heat, grade, team), (luck, label, tag, extra)) in world.iter::<Terms<'_>>()
        {
            let Some(being) = beings.next() else { panic!("{what}: more entities than expected") };
            if being.drawn
                && let Some(luck) = luck
            {
                being.drawn = false;
                being.luck = Some(luck.0);
                let known = *drawn.entry((seed, executions, entity)).or_insert(luck.0);
                assert_eq!(known, luck.0, "{what}: the number of {entity:?}");
            }
            let found = Being {
                key: being.key,
                entity: Some(*being.entity.get_or_insert(entity)),
                id: id.0,
                heat: heat.map(|heat| heat.0),
                grade: grade.map(|grade| grade.0),
                team: team.map(|team| team.0),
                luck: luck.map(|luck| luck.0),
                label: label.map(|label| label.0.clone()),
                tag: tag.is_some(),
                extra: extra.map(|extra| extra.0),
                ..Being::default()
            };
            assert_eq!((&found, found.entity), (&*being, Some(entity)), "{what}: world, model");
        }
        if let Some(being) = beings.next() {
            panic!("{what}: the world lacks {being:?}");
        }
        self.compare_the_rest(what);
        self.know();
    }

    fn compare_the_rest(&self, what: &str) {
        let Self { world, model, .. } = self;
        if std::env::var("DBG").is_ok() {
            eprintln!("{what} phases {:?}", (0..SYSTEMS).map(|s| (NAMES[s], D::PHASED.phase(s), D::PHASED.begins_with_refresh(D::PHASED.phase(s)))).collect::<Vec<_>>());
            eprintln!("world {:?}\nmodel {:?}", world.iter::<(Entity, &Id, Option<&Grade>)>().map(|(e,i,g)| (e,i.0,g.map(|g|g.0))).collect::<Vec<_>>(), D::outputs(world));
        }
        let resources = |[clock, mode, sunk, log, total, low]: [u64; 6]| {
            format!("clock {clock} mode {mode} sunk {sunk} log {log} total {total} low {low}")
        };
        let found = resources([
            world.resource::<Clock>().0,
            world.resource::<Mode>().0,
            world.resource::<Sunk>().0,
            world.resource::<Log>().0,
            world.resource::<Total>().0,
            world.resource::<Low>().0,
        ]);
        let Model { clock, mode, sunk, log, total, low, .. } = *model;
        for (system, output) in OUTPUTS.into_iter().zip(D::outputs(world)) {
            let (name, expected) = (NAMES[system], &model.outputs[system]);
            assert_eq!(&output, expected, "{what}: output of {name}");
        }
        let events = [
            (world.events::<Ping>().map(|one| one.0).collect::<Vec<_>>(), &model.ping, "Ping"),
            (world.events::<Kept>().map(|one| one.0).collect(), &model.kept, "Kept"),
            (world.events::<Echo>().map(|one| one.0).collect(), &model.echo, "Echo"),
            (world.events::<Whisper>().map(|one| one.0).collect(), &model.whisper, "Whisper"),
        ];
        for (found, expected, name) in events {
            if name != "Whisper" || !model.forgot_whispers {
                assert_eq!(found, expected.all().collect::<Vec<_>>(), "{what}: {name}");
            }
        }
        let hits = world.events::<Addressed<Hit>>().map(|hit| hit.message.0);
        assert!(hits.eq(model.hit.all().map(|(_, hit)| hit)), "{what}: Hit");
        let replies = world.events::<Addressed<Reply>>().map(|reply| reply.message.0);
        assert!(replies.eq(model.reply.all().map(|(_, reply)| reply)), "{what}: Reply");
        assert_eq!(found, resources([clock, mode, sunk, log, total, low]), "{what}: resources");
        assert_eq!(world.seed(), model.seed);
        for (_, entity) in &model.dead {
            assert!(!world.is_alive(*entity), "{what}: {entity:?} lives again");
        }
    }

    fn living(&self) -> HashMap<u64, Entity> {
        let living = self.model.beings.values();
        living.map(|being| (being.key, being.entity.expect("it was compared"))).collect()
    }

    /// Notes who is alive, and who is not any more.
    fn know(&mut self) {
        let living = self.living();
        let known = std::mem::replace(&mut self.known, living).into_iter();
        let mut dead: Vec<(u64, Entity)> =
            known.filter(|(key, _)| !self.known.contains_key(key)).collect();
        dead.sort_unstable_by_key(|(key, _)| *key);
        let all = &mut self.model.dead;
        all.extend(dead);
        all.drain(..all.len().saturating_sub(6));
    }
}

fn id_of(salt: u64, n: u64) -> u64 {
    mix(salt << 20 ^ n)
}

fn perform<D: Everything, S: Settings>(
    step: &mut Step<'_, D, S>,
    roster: &[(u64, Entity)],
    event: Event,
) {
    let pick = |one: usize| roster.get(one % roster.len().max(1)).map(|(_, entity)| *entity);
    match event {
        Event::Run(run) => D::run(step, run),
        Event::Spawn { bundle, count, salt, batch } => {
            (0..count).for_each(|n| D::spawn(step, bundle, id_of(salt, n), batch));
        }
        Event::Despawn(one) => pick(one).into_iter().for_each(|entity| step.despawn(entity)),
        Event::Insert(one, part) => {
            let Some(entity) = pick(one) else { return };
            let y = one as u64;
            let _ = match part {
                Part::Grade => step.insert(entity, Grade(value_of(y, 2))).map(|_| ()),
                Part::Team => step.insert(entity, Team(value_of(y, 3))).map(|_| ()),
                Part::Label => step.insert(entity, label_of(y)).map(|_| ()),
                Part::Tag => step.insert(entity, Tag).map(|_| ()),
                Part::Extra => step.insert(entity, Extra(value_of(y, 4))).map(|_| ()),
            };
        }
        Event::Remove(one, part) => {
            let Some(entity) = pick(one) else { return };
            match part {
                Part::Grade => drop(step.remove::<Grade>(entity)),
                Part::Team => drop(step.remove::<Team>(entity)),
                Part::Label => drop(step.remove::<Label>(entity)),
                Part::Tag => drop(step.remove::<Tag>(entity)),
                Part::Extra => drop(step.remove::<Extra>(entity)),
            }
        }
        Event::Grade(one) => {
            if let Some(grade) = pick(one).and_then(|entity| step.get_mut::<Grade>(entity)) {
                fold(&mut grade.0, one as u64);
            }
        }
        Event::Subscribe(one, on) => {
            pick(one).into_iter().for_each(|entity| D::subscribe(step, entity, on));
        }
        Event::Emit(n) => {
            step.emit(Ping(n));
            step.emit(Echo(n));
        }
        Event::Send(one, n) => pick(one).into_iter().for_each(|entity| step.send(entity, Hit(n))),
        Event::Mode(mode) => step.resource_mut::<Mode>().0 = mode,
    }
}

/// The same in the model.
fn follow(model: &mut Model, rules: &[Vec<Rule>], roster: &[u64], event: Event) {
    let pick = |one: usize| roster.get(one % roster.len().max(1)).copied();
    match event {
        Event::Run(run) => model.execute(rules, roster, &run.systems()),
        Event::Spawn { bundle, count, salt, .. } => (0..count).for_each(|n| {
            model.create(Being::of(bundle, id_of(salt, n)));
        }),
        Event::Despawn(one) => pick(one).into_iter().for_each(|key| model.mark(key)),
        Event::Insert(one, part) => {
            pick(one).into_iter().for_each(|key| model.insert(key, part, one as u64));
        }
        Event::Remove(one, part) => {
            pick(one).into_iter().for_each(|key| model.remove(key, part));
        }
        Event::Grade(one) => {
            pick(one).into_iter().for_each(|key| model.write_grade(key, one as u64));
        }
        Event::Subscribe(one, on) => {
            pick(one).into_iter().for_each(|key| model.subscribe(key, on));
        }
        Event::Emit(n) => model.emit(n),
        Event::Send(one, n) => pick(one).into_iter().for_each(|key| model.send(key, n)),
        Event::Mode(mode) => model.mode = mode,
    }
}
