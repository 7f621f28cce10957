//! The naive model: maps and lists, and one system after the other.
//!
//! `systems.rs` and `readers.rs` have what each system does, `changes.rs` the refresh, `bonds.rs` relations, `queue.rs`,
//! `tracking.rs` and `removed.rs` what readers have read.

mod bonds;
mod changes;
mod queue;
mod readers;
mod removed;
#[path = "../../world/model/rows.rs"]
mod rows;
mod systems;
mod tracking;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use ecs_core::Entity;
use ecs_core::signature::Phases;

use crate::parts::{SYSTEMS, at, label_of, lasting, value_of};
use crate::program::{Part, Rule};
use bonds::Bonds;
use changes::Staged;
use queue::Queue;
use removed::Removed;
use rows::{Archetype, Rows};
use tracking::News;

/// An entity.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Being {
    /// Identifies it in the model. (Two entities can have the same `Id`.)
    pub(crate) key: u64,
    /// Unknown until the world is compared.
    pub(crate) entity: Option<Entity>,
    pub(crate) id: u64,
    pub(crate) heat: Option<u64>,
    pub(crate) grade: Option<u64>,
    pub(crate) team: Option<u64>,
    pub(crate) luck: Option<u64>,
    /// In which execution the random number was drawn that is yet to be learned from the world.
    pub(crate) drawn: Option<u64>,
    pub(crate) label: Option<String>,
    pub(crate) tag: bool,
    pub(crate) extra: Option<u64>,
    pub(crate) load: Option<Vec<u64>>,
    /// What has been accumulated for it while it was pending.
    pub(crate) owed: Option<Vec<u64>>,
    /// Whether it is spawned from a template, of which the library does not know the components before.
    pub(crate) from_template: bool,
    /// Whether a sequential system has despawned it: its row is not free before the refresh.
    pub(crate) gone: bool,
}

impl Being {
    /// What an entity has that is spawned with the bundle.
    pub(crate) fn of(bundle: usize, id: u64) -> Self {
        let (heat, grade, team) = (value_of(id, 1), value_of(id, 2), value_of(id, 3));
        let this = Self { id, ..Self::default() };
        match bundle {
            0 => Self { heat: Some(heat), ..this },
            1 => Self { heat: Some(heat), grade: Some(grade), ..this },
            2 => Self { grade: Some(grade), label: Some(label_of(id).0), tag: true, ..this },
            3 => Self {
                heat: Some(heat),
                grade: Some(grade),
                team: Some(team),
                luck: Some(0),
                extra: Some(lasting(id)),
                ..this
            },
            _ => Self {
                heat: Some(7),
                team: Some(3),
                label: Some("stock".to_owned()),
                from_template: true,
                ..this
            },
        }
    }

    /// The components.
    fn mask(&self) -> Archetype {
        let Self { heat, grade, team, luck, label, tag, extra, load, .. } = self;
        let all = [
            true,
            heat.is_some(),
            grade.is_some(),
            team.is_some(),
            luck.is_some(),
            label.is_some(),
            *tag,
            extra.is_some(),
            load.is_some(),
        ];
        all.into_iter().rev().fold(0, |mask, is_there| mask << 1 | Archetype::from(is_there))
    }

    fn has(&self, part: Part) -> bool {
        match part {
            Part::Grade => self.grade.is_some(),
            Part::Team => self.team.is_some(),
            Part::Label => self.label.is_some(),
            Part::Tag => self.tag,
            Part::Extra => self.extra.is_some(),
            Part::Load => self.load.is_some(),
        }
    }

    /// Whether it has what the system requires.
    fn has_required(&self, system: usize) -> bool {
        use at::*;
        match system {
            WRITE | GAUGE | PROBE | RECEIVE | MEET | ROLL | CHOSEN => self.heat.is_some(),
            SOURCE | FRESH | STALE | LATE => self.grade.is_some(),
            RENEW => self.heat.is_some() && self.grade.is_some(),
            REPLIES | SAME => self.team.is_some(),
            WEAR => self.extra.is_some(),
            ALTER | SHIFT | BIND | MEDDLE => true,
            _ => false,
        }
    }

    fn matches(&self, system: usize) -> bool {
        let excluded = matches!(system, at::PROBE | at::STALE | at::WEAR) && self.tag;
        self.has_required(system) && !excluded
    }
}

/// When refreshes happen, as the declaration says.
#[derive(Clone, Copy)]
pub(crate) struct Course {
    pub(crate) phases: &'static Phases,
    /// Whether an execution begins with a refresh.
    pub(crate) refreshes_first: bool,
    pub(crate) by_archetype: bool,
}

/// The expected state of the world.
#[derive(Clone)]
pub(crate) struct Model {
    course: Course,
    rows: Rows,
    pub(crate) beings: BTreeMap<usize, Being>,
    /// Where each of them is.
    places: HashMap<u64, usize>,
    keys: u64,
    /// The entities of each system.
    own: Vec<Vec<u64>>,
    /// The entities that `Chosen` is subscribed to.
    chosen: BTreeSet<u64>,
    requests: Vec<(u64, bool)>,
    pub(crate) clock: u64,
    pub(crate) mode: u64,
    pub(crate) sunk: u64,
    pub(crate) log: u64,
    pub(crate) total: u64,
    pub(crate) low: u64,
    pub(crate) ping: Queue<u64>,
    pub(crate) kept: Queue<u64>,
    pub(crate) echo: Queue<u64>,
    pub(crate) whisper: Queue<u64>,
    /// Each with the key of its receiver.
    pub(crate) hit: Queue<(u64, u64)>,
    pub(crate) reply: Queue<(u64, u64)>,
    /// Whether it is unknown what is left of the transient event until the next step.
    pub(crate) forgot_whispers: bool,
    pub(crate) outputs: Vec<Vec<u64>>,
    news: News,
    removed: Removed,
    pub(crate) bonds: Bonds,
    pub(crate) seed: u64,
    pub(crate) executions: u64,
    /// Whether the step has executed systems.
    begun: bool,
    staged: Vec<Vec<Staged>>,
    /// The keys of those that are despawned at the refresh.
    marked: BTreeSet<u64>,
    dirty: bool,
    /// Despawned entities, to be chosen like others.
    pub(crate) dead: Vec<(u64, Entity)>,
}

impl Model {
    pub(crate) fn new(course: Course) -> Self {
        Self {
            course,
            rows: Rows::new(course.by_archetype),
            beings: BTreeMap::new(),
            places: HashMap::new(),
            keys: 0,
            own: vec![Vec::new(); SYSTEMS],
            chosen: BTreeSet::new(),
            requests: Vec::new(),
            clock: 0,
            mode: 0,
            sunk: 0,
            log: 0,
            total: 0,
            low: u64::MAX,
            ping: Queue::default(),
            kept: Queue::default(),
            echo: Queue::default(),
            whisper: Queue::default(),
            hit: Queue::default(),
            reply: Queue::default(),
            forgot_whispers: false,
            outputs: vec![Vec::new(); SYSTEMS],
            news: News::default(),
            removed: Removed::default(),
            bonds: Bonds::default(),
            seed: 9,
            executions: 0,
            begun: false,
            staged: vec![Vec::new(); SYSTEMS],
            marked: BTreeSet::new(),
            dirty: false,
            dead: Vec::new(),
        }
    }

    pub(crate) fn begin_step(&mut self) {
        self.begun = false;
        self.bonds.refused = Default::default();
        self.rows.begin_step();
    }

    /// The step emits two events.
    pub(crate) fn emit(&mut self, event: u64) {
        self.ping.emit(event, self.begun);
        self.echo.emit(event, self.begun);
    }

    /// The step sends a message.
    pub(crate) fn send(&mut self, to: u64, message: u64) {
        self.hit.emit((to, message), self.begun);
    }

    /// The entity with this key, unless it is not alive.
    fn being(&mut self, key: u64) -> Option<&mut Being> {
        let row = self.places.get(&key)?;
        self.beings.get_mut(row).filter(|being| !being.gone)
    }

    fn is_alive(&mut self, key: u64) -> bool {
        self.being(key).is_some()
    }

    /// Executes these systems, in the order of the declaration, which is one that the dependencies allow.
    pub(crate) fn execute(&mut self, rules: &[Vec<Rule>], roster: &[u64], systems: &[usize]) {
        self.executions += 1;
        if !std::mem::replace(&mut self.begun, true) {
            self.forgot_whispers = false;
            self.ping.begin(0);
            self.kept.begin(2);
            self.echo.begin(0);
            self.whisper.begin(0);
            self.hit.begin(0);
            self.reply.begin(0);
        }
        let Course { phases, mut refreshes_first, .. } = self.course;
        for phase in 0..phases.count() {
            let now: Vec<usize> =
                systems.iter().copied().filter(|system| phases.phase(*system) == phase).collect();
            if now.is_empty() {
                continue;
            }
            if phases.begins_with_refresh(phase) || std::mem::take(&mut refreshes_first) {
                if self.is_changed() {
                    self.refresh();
                }
            } else {
                self.narrow();
            }
            refreshes_first = false;
            self.removed.publish();
            let mode = self.mode;
            for system in now {
                self.outputs[system].clear();
                if runs_in(system, mode) {
                    self.run(system, rules, roster);
                }
            }
        }
    }

    /// Takes from the systems what the step has taken from entities.
    fn narrow(&mut self) {
        let mut own = std::mem::take(&mut self.own);
        for (system, own) in own.iter_mut().enumerate() {
            own.retain(|key| self.being(*key).is_some_and(|being| being.has_required(system)));
        }
        self.chosen = own[at::CHOSEN].iter().copied().collect();
        self.own = own;
    }
}

/// Whether the condition of the system holds.
fn runs_in(system: usize, mode: u64) -> bool {
    let conditional = [at::PROBE, at::SOURCE, at::ANSWER, at::HEAR, at::STALE, at::SHIFT];
    if system == at::LOSSES {
        return mode & 4 != 0;
    }
    if system == at::WEAR {
        return mode & 8 != 0;
    }
    let bit = conditional.iter().position(|one| *one == system);
    bit.is_none_or(|bit| mode >> bit & 1 != 0)
}
