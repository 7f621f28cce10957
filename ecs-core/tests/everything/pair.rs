//! Runs a program in a world, and the first time beside the model: the two are compared after each act.

use std::collections::{HashMap, HashSet};

use ecs_core::settings::{EntityLimit, Settings};
use ecs_core::signature::StagedChanges;
use ecs_core::{Addressed, Cloneable, Entity, Snapshot, StepError, Threads, World};

use super::driver::{Everything, OUTPUTS, follow, perform};
use super::model::{Being, Course, Model};
use super::parts::*;
use super::program::*;
use super::support::caught;

/// By key, what is linked to an entity, in the order of iteration.
type Ends = HashMap<u64, Vec<(Entity, u64)>>;

/// A run of a program, by act.
#[derive(Default)]
pub(crate) struct Trace {
    /// All bits after the act, hashed.
    pub(crate) bits: Vec<u64>,
    /// The entities that the act chooses from.
    rosters: Vec<Vec<(u64, Entity)>>,
}

/// Runs the program beside the model; or, as it has been run elsewhere before, by itself.
pub(crate) fn run<D: Everything, S: Settings>(
    threads: Threads,
    program: &Program,
    before: Option<&Trace>,
) -> Trace {
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
        roster: Vec::new(),
        beside: before.is_none().then(|| Beside::new(course)),
    };
    let mut slots = [pair.save(), pair.save()];
    let mut trace = Trace::default();
    for (n, act) in program.acts.iter().enumerate() {
        pair.roster = match (before, &pair.beside) {
            (Some(before), _) => before.rosters[n].clone(),
            (None, beside) => beside.as_ref().map(Beside::roster).unwrap_or_default(),
        };
        pair.act(act, &mut slots);
        pair.compare(&format!("act {n}: {act:?}"));
        trace.bits.push(pair.bits());
        trace.rosters.push(pair.roster.clone());
    }
    if let Some(Beside { drawn, .. }) = pair.beside {
        let numbers: HashSet<u64> = drawn.values().copied().collect();
        assert_eq!(numbers.len(), drawn.len(), "two draws are the same");
    }
    trace
}

/// What is saved.
struct Saved<D: Cloneable> {
    snapshot: Snapshot<D>,
    hash: u64,
    model: Option<Model>,
}

/// A world, and what it is compared with.
struct Pair<'p, D: Everything, S: Settings> {
    program: &'p Program,
    threads: Threads,
    world: World<D, S>,
    /// The entities that the act chooses from, with their keys.
    roster: Vec<(u64, Entity)>,
    beside: Option<Beside>,
}

/// The model, and what it learns from the world.
struct Beside {
    model: Model,
    /// What was drawn for an entity: by seed, execution and handle.
    drawn: HashMap<(u64, u64, Entity), u64>,
    /// The entities that were alive at the last comparison, by key.
    known: HashMap<u64, Entity>,
}

impl<D: Everything, S: Settings> Pair<'_, D, S> {
    fn save(&self) -> Saved<D> {
        let model = self.beside.as_ref().map(|beside| beside.model.clone());
        Saved { snapshot: self.world.snapshot(), hash: self.world.state_hash(), model }
    }

    fn restore(&mut self, saved: &Saved<D>) {
        self.world.restore(&saved.snapshot).expect("room");
        assert_eq!(self.world.state_hash(), saved.hash, "what is restored is what was saved");
        if let (Some(beside), Some(model)) = (&mut self.beside, &saved.model) {
            beside.restore(model);
        }
    }

    fn model(&mut self) -> Option<&mut Model> {
        self.beside.as_mut().map(|beside| &mut beside.model)
    }

    fn act(&mut self, act: &Act, slots: &mut [Saved<D>; 2]) {
        match act {
            Act::Step(events) => self.step(events),
            Act::Again(events) => {
                let before = self.save();
                self.step(events);
                let bits = self.bits();
                self.compare("the first time");
                self.restore(&before);
                self.step(events);
                assert_eq!(self.bits(), bits, "a step from the same state");
            }
            Act::Panic(system, slot) => {
                let before = self.save();
                self.prepare(Some(*system));
                let _ = caught(|| self.world.tick());
                // It goes on, even so.
                self.prepare(None);
                let stepped = self.world.tick();
                assert!(matches!(stepped, Ok(()) | Err(StepError::Refused { .. })), "{stepped:?}");
                self.restore(slots.get(*slot).unwrap_or(&before));
            }
            Act::Emit(n) => {
                self.world.emit(Ping(*n));
                self.world.emit(Kept(*n));
                if let Some(model) = self.model() {
                    model.ping.push_later(*n);
                    model.kept.push_later(*n);
                }
            }
            Act::Send(one, n) => {
                let one = self.roster.get(*one % self.roster.len().max(1)).copied();
                if let Some((key, to)) = one {
                    self.world.send(to, Hit(*n));
                    self.model().into_iter().for_each(|model| model.hit.push_later((key, *n)));
                }
            }
            Act::Mode(mode) => {
                self.world.resource_mut::<Mode>().0 = *mode;
                self.model().into_iter().for_each(|model| model.mode = *mode);
            }
            Act::Seed(seed) => {
                self.world.set_seed(*seed);
                if let Some(model) = self.model() {
                    (model.seed, model.executions) = (*seed, 0);
                }
            }
            Act::Save(slot) => {
                let model = self.model().cloned();
                let saved = &mut slots[*slot];
                self.world.snapshot_into(&mut saved.snapshot);
                (saved.hash, saved.model) = (self.world.state_hash(), model);
            }
            Act::Restore(slot) => self.restore(&slots[*slot]),
            Act::Clone => {
                self.world = self.world.clone();
                self.model().into_iter().for_each(|model| model.forgot_whispers = true);
            }
            Act::Elsewhere => {
                let saved = self.save();
                self.world = World::on(self.threads.clone());
                self.restore(&saved);
            }
            Act::Load => self.load(),
        }
    }

    /// Goes on as another world that loads the save of this one.
    fn load(&mut self) {
        let (hash, mut save) = (self.world.state_hash(), Vec::new());
        self.world.save(&mut save).expect("memory takes it");
        self.world = World::on(self.threads.clone());
        self.world.load(&save).expect("a save");
        assert_eq!(self.world.state_hash(), hash, "what is loaded is what was saved");
        let mut again = Vec::new();
        self.world.save(&mut again).expect("memory takes it");
        assert!(again == save, "what is loaded is saved in the same way");
        if let Some(model) = self.model() {
            // Neither transient events nor outputs are saved.
            model.forgot_whispers = true;
            model.outputs.iter_mut().for_each(Vec::clear);
        }
    }

    /// Gives the systems the program.
    fn prepare(&mut self, panics: Option<usize>) {
        let rules = self.program.rules.clone();
        *self.world.resource_mut::<Script>() = Script { rules, panics };
        self.world.resource_mut::<Roster>().0.clone_from(&self.roster);
    }

    /// One step of both.
    fn step(&mut self, events: &[Event]) {
        self.prepare(None);
        let Self { world, roster, program, beside, .. } = self;
        let stepped = world.step(|step| {
            for event in events {
                perform(step, roster, *event);
            }
        });
        if let Some(Beside { model, .. }) = beside {
            let keys: Vec<u64> = roster.iter().map(|(key, _)| *key).collect();
            model.bonds.handles = roster.iter().copied().collect();
            model.begin_step();
            for event in events {
                follow(model, &program.rules, &keys, *event);
            }
            model.refresh();
        }
        let refused = world.refused::<ChildOf>().len() + world.refused_links::<Likes>().len();
        match stepped {
            Ok(()) => assert_eq!(refused, 0),
            Err(StepError::Refused { .. }) => assert!(refused > 0),
            Err(other) => panic!("{other}"),
        }
    }

    /// All bits of the state, and of the outputs, hashed.
    fn bits(&self) -> u64 {
        let mut bits = self.world.state_hash();
        for output in D::outputs(&self.world) {
            fold(&mut bits, output.len() as u64);
            for value in output {
                fold(&mut bits, value);
            }
        }
        bits
    }

    fn compare(&mut self, what: &str) {
        if let Some(beside) = &mut self.beside {
            beside.compare(&self.world, what);
        }
    }
}

impl Beside {
    fn new(course: Course) -> Self {
        Self { model: Model::new(course), drawn: HashMap::new(), known: HashMap::new() }
    }

    fn restore(&mut self, model: &Model) {
        self.model = model.clone();
        // Transient events stay in the world.
        self.model.forgot_whispers = true;
        // Handles that are younger than what was saved will be given to others.
        self.known = self.living().collect();
    }

    /// Entities to be chosen from, with their keys: living ones in their order, then despawned ones.
    fn roster(&self) -> Vec<(u64, Entity)> {
        self.living().chain(self.model.dead.iter().copied()).collect()
    }

    fn living(&self) -> impl Iterator<Item = (u64, Entity)> + '_ {
        let living = self.model.beings.values();
        living.map(|being| (being.key, being.entity.expect("it was compared")))
    }

    /// Compares the two, and learns what only the world knows: handles of new entities, and random numbers.
    fn compare<D: Everything, S: Settings>(&mut self, world: &World<D, S>, what: &str) {
        self.compare_entities(world, what);
        self.compare_events(world, what);
        self.compare_links(world, what);
        for (system, output) in OUTPUTS.into_iter().zip(D::outputs(world)) {
            let (name, expected) = (NAMES[system], &self.model.outputs[system]);
            assert_eq!(&output, expected, "{what}: the output of `{name}`");
        }
        let Model { clock, mode, sunk, log, total, low, seed, .. } = self.model;
        assert_eq!(world.resource::<Clock>().0, clock, "{what}");
        assert_eq!(world.resource::<Mode>().0, mode, "{what}");
        assert_eq!(world.resource::<Sunk>().0, sunk, "{what}: what came through the stream");
        assert_eq!(world.resource::<Log>().0, log, "{what}: the outputs that `Report` has read");
        assert_eq!(world.resource::<Total>().0, total, "{what}");
        assert_eq!(world.resource::<Low>().0, low, "{what}");
        assert_eq!(world.seed(), seed, "{what}");
        let known = std::mem::take(&mut self.known);
        self.known = self.living().collect();
        let mut dead: Vec<(u64, Entity)> =
            known.into_iter().filter(|(key, _)| !self.known.contains_key(key)).collect();
        dead.sort_unstable_by_key(|(key, _)| *key);
        let all = &mut self.model.dead;
        all.extend(dead);
        all.drain(..all.len().saturating_sub(6));
        for (_, entity) in all {
            assert!(!world.is_alive(*entity), "{what}: {entity:?} lives again");
        }
    }

    fn compare_entities<D: Everything, S: Settings>(&mut self, world: &World<D, S>, what: &str) {
        type Terms<'a> = (
            (Entity, &'a Id, Option<&'a Heat>, Option<&'a Grade>, Option<&'a Team>),
            (Option<&'a Luck>, Option<&'a Label>, Option<&'a Tag>),
            (Option<&'a Extra>, Option<&'a Load>),
        );
        let Self { model, drawn, .. } = self;
        let seed = model.seed;
        let mut beings = model.beings.values_mut();
        for (some, others, more) in world.iter::<Terms<'_>>() {
            let (entity, id, heat, grade, team) = some;
            let (luck, label, tag) = others;
            let (extra, load) = more;
            let Some(being) = beings.next() else { panic!("{what}: {entity:?} is one too many") };
            if let (Some(execution), Some(luck)) = (being.drawn, luck) {
                (being.drawn, being.luck) = (None, Some(luck.0));
                let before = *drawn.entry((seed, execution, entity)).or_insert(luck.0);
                assert_eq!(luck.0, before, "{what}: the random number of {entity:?}");
            }
            let found = Being {
                key: being.key,
                entity: Some(entity),
                id: id.0,
                heat: heat.map(|heat| heat.0),
                grade: grade.map(|grade| grade.0),
                team: team.map(|team| team.0),
                luck: luck.map(|luck| luck.0),
                label: label.map(|label| label.0.clone()),
                tag: tag.is_some(),
                extra: extra.map(|extra| extra.0),
                load: load.map(|load| load.0.clone()),
                ..Being::default()
            };
            being.entity.get_or_insert(entity);
            assert_eq!(&found, being, "{what}: in the world (left) and in the model");
        }
        if let Some(being) = beings.next() {
            panic!("{what}: the world lacks {being:?}");
        }
    }

    fn compare_links<D: Everything, S: Settings>(&self, world: &World<D, S>, what: &str) {
        let Self { model, .. } = self;
        assert_eq!(world.refused::<ChildOf>(), model.bonds.refused[0], "{what}: refused");
        assert_eq!(world.refused_links::<Likes>(), model.bonds.refused[1], "{what}: refused");
        let living: Vec<(u64, Entity)> = self.living().collect();
        let mut ends = [Ends::new(), Ends::new(), Ends::new()];
        for &(key, entity) in &living {
            let parent = model.bonds.parents.get(&key).copied();
            if let Some(parent) = parent {
                ends[0].entry(parent).or_default().push((entity, 0));
            }
            for &(other, of_other) in &living {
                if let Some(value) = model.bonds.likes.get(&(key, other)) {
                    ends[1].entry(key).or_default().push((of_other, *value));
                    ends[2].entry(other).or_default().push((entity, *value));
                }
            }
        }
        let handles: HashMap<u64, Entity> = living.iter().copied().collect();
        for (key, entity) in living {
            let parent = model.bonds.parents.get(&key).map(|parent| handles[parent]);
            assert_eq!(world.parent::<ChildOf>(entity), parent, "{what}: the parent of {entity:?}");
            let [children, targets, sources] =
                ends.each_mut().map(|ends| ends.remove(&key).unwrap_or_default());
            let found = world.children::<ChildOf>(entity).map(|child| (child, 0));
            assert_eq!(found.collect::<Vec<_>>(), children, "{what}: children of {entity:?}");
            let found = world.targets::<Likes>(entity).map(|(to, likes)| (to, likes.0));
            assert_eq!(found.collect::<Vec<_>>(), targets, "{what}: targets of {entity:?}");
            let found = world.sources::<Likes>(entity).map(|(from, likes)| (from, likes.0));
            assert_eq!(found.collect::<Vec<_>>(), sources, "{what}: sources of {entity:?}");
        }
    }

    fn compare_events<D: Everything, S: Settings>(&self, world: &World<D, S>, what: &str) {
        let Self { model, .. } = self;
        let mut queues = vec![
            ("Ping", world.events::<Ping>().map(|one| one.0).collect::<Vec<_>>(), &model.ping),
            ("Kept", world.events::<Kept>().map(|one| one.0).collect(), &model.kept),
            ("Echo", world.events::<Echo>().map(|one| one.0).collect(), &model.echo),
        ];
        if !model.forgot_whispers {
            let whispers = world.events::<Whisper>().map(|one| one.0).collect();
            queues.push(("Whisper", whispers, &model.whisper));
        }
        for (name, found, expected) in queues {
            assert_eq!(found, expected.all().collect::<Vec<_>>(), "{what}: the events `{name}`");
        }
        let hits: Vec<u64> = world.events::<Addressed<Hit>>().map(|one| one.message.0).collect();
        let expected: Vec<u64> = model.hit.all().map(|(_, hit)| hit).collect();
        assert_eq!(hits, expected, "{what}: the messages `Hit`");
        let replies = world.events::<Addressed<Reply>>().map(|one| one.message.0);
        let expected: Vec<u64> = model.reply.all().map(|(_, reply)| reply).collect();
        assert_eq!(replies.collect::<Vec<_>>(), expected, "{what}: the messages `Reply`");
    }
}
