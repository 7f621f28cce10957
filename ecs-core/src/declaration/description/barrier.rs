//! The refreshes between phases: what forces each, which systems go on over it, and which wait though they need not see it.

use core::fmt;

use crate::signature::check::ancestors::{Ancestors, ancestors};
use crate::signature::{
    Barrier as Between, Declaration, Effect, Full, Held, Phases, StagedChanges, Tables, barriers,
    late_effect,
};

/// A refresh between two phases of an execution.
///
/// It applies what systems have staged before the systems run that see it. It waits for all systems of earlier phases, or, if it
/// only changes components of existing entities, for all but those that [go on](Self::goes_on). Those stage nothing and name
/// none of these components. A system that it [holds up](Self::held_up) could do without it.
///
/// [`Display`](fmt::Display) prints all of it.
///
/// ```
/// use ecs_core::description::Description;
/// # use ecs_core::{Entity, world};
/// # struct Heat(u32);
/// # struct Burning;
/// # struct Water(f32);
/// # struct Depth(f32);
/// world! {
///     world Village { staged_changes: refresh_before_dependents }
///     component Heat, Water, Depth;
///     component Burning: empty;
///     system Ignite {
///         insert: [Burning],
///         each: |house: Entity, _: &Heat, effects| effects.insert(house, Burning),
///     }
///     system Burn { with: [Burning], dependencies: [Ignite], each: |heat: &mut Heat| heat.0 += 1 }
///     system Flow { each: |water: &mut Water| water.0 *= 0.5 }
///     system Rain {
///         without: [Burning],
///         each: |depth: &mut Depth| depth.0 += 0.1,
///     }
/// }
///
/// let village = Description::of::<Village>();
/// let [barrier] = village.barriers() else { unreachable!() };
/// assert_eq!(barrier.causes()[0].to_string(), "`Burn` sees `insert: [Burning]` of `Ignite`");
/// assert_eq!(barrier.goes_on(), ["Flow"]);
/// assert_eq!(barrier.held_up()[0].system(), "Rain");
/// assert_eq!(barrier.held_up()[0].reason(), "it names `Burning`, which changes");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Barrier {
    phase: usize,
    causes: Vec<Cause>,
    waits_for_all: Option<String>,
    goes_on: Vec<&'static str>,
    held_up: Vec<HeldUp>,
}

/// Why a refresh is where it is: a system sees what another one has staged. See [`Barrier`].
///
/// ```
/// use ecs_core::description::Description;
/// # use ecs_core::{Entity, world};
/// # struct Heat(u32);
/// world! {
///     world Village;
///     component Heat;
///     system Rot { despawn, each: |house: Entity, _: &Heat, effects| effects.despawn(house) }
///     system Warm { sees: [Rot.despawn], each: |heat: &mut Heat| heat.0 += 1 }
/// }
/// let village = Description::of::<Village>();
/// let cause = &village.barriers()[0].causes()[0];
/// assert_eq!((cause.source(), cause.effect(), cause.seer()), ("Rot", "despawn", "Warm"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    source: &'static str,
    effect: String,
    seer: &'static str,
}

/// A system that a refresh waits for, though neither needs the other. See [`Barrier`].
///
/// ```
/// use ecs_core::description::Description;
/// # use ecs_core::{Entity, world};
/// # struct Heat(u32);
/// # struct Water(f32);
/// world! {
///     world Village;
///     component Heat, Water;
///     system Rot { despawn, each: |house: Entity, _: &Heat, effects| effects.despawn(house) }
///     system Warm { sees: [Rot.despawn], each: |heat: &mut Heat| heat.0 += 1 }
///     system Flow { each: |water: &mut Water| water.0 *= 0.5 }
/// }
/// let village = Description::of::<Village>();
/// let held_up = &village.barriers()[0].held_up()[0];
/// assert_eq!(held_up.system(), "Flow");
/// assert!(held_up.reason().ends_with("`Rot` says `despawn`, so rows are freed or taken"));
/// assert!(held_up.help().ends_with("or insert a tag instead"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldUp {
    system: &'static str,
    reason: String,
    help: String,
}

impl Barrier {
    getters! {
        /// The phase that it comes before.
        phase: usize = phase;
        /// Which systems see what of which others, in the order of declaration of those that see.
        causes: &[Cause] = &causes;
        /// The systems that go on while it is made and while those behind it run. In executions of all systems, on several
        /// threads, if nothing else was changed or staged before the phases in question.
        goes_on: &[&'static str] = &goes_on;
        /// The systems that are waited for without need. One that every system behind the refresh depends on is not among them.
        held_up: &[HeldUp] = &held_up;
    }

    /// Why it waits for all systems of earlier phases, if it does so whatever they are.
    pub fn waits_for_all(&self) -> Option<&str> {
        self.waits_for_all.as_deref()
    }
}

impl Cause {
    getters! {
        /// The system that stages the effect.
        source: &'static str = source;
        /// The effect, as declared: `insert: [Tag]`.
        effect: &str = &effect;
        /// The system that sees it.
        seer: &'static str = seer;
    }
}

impl HeldUp {
    getters! {
        /// The system.
        system: &'static str = system;
        /// Why it does not go on.
        reason: &str = &reason;
        /// The declaration that would let it.
        help: &str = &help;
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { source, effect, seer } = self;
        write!(f, "`{seer}` sees `{effect}` of `{source}`")
    }
}

impl fmt::Display for HeldUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { system, reason, help } = self;
        write!(f, "holds up `{system}`: {reason}\n    help: {help}")
    }
}

impl fmt::Display for Barrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "refresh before phase {}", self.phase)?;
        self.causes.iter().try_for_each(|cause| writeln!(f, "  {cause}"))?;
        if let Some(reason) = &self.waits_for_all {
            writeln!(f, "  waits for all: {reason}")?;
        }
        if !self.goes_on.is_empty() {
            writeln!(f, "  goes on: {}", self.goes_on.join(", "))?;
        }
        self.held_up.iter().try_for_each(|held_up| writeln!(f, "  {held_up}"))
    }
}

/// Gives indices their names.
struct Names<'a>(Tables<'a>);

/// The barriers of a declaration.
pub(super) fn describe<D: Declaration>(phases: &Phases) -> Vec<Barrier> {
    let tables = Tables::of::<D>();
    let ancestors = const { &ancestors(D::SYSTEMS) };
    let all = barriers(tables, phases);
    all.iter().map(|between| describe_one(&Names(tables), phases, ancestors, between)).collect()
}

fn describe_one(
    names: &Names<'static>,
    phases: &Phases,
    ancestors: &Ancestors,
    between: &Between,
) -> Barrier {
    let systems = names.0.systems;
    let causes = causes(names, phases, ancestors, between.phase);
    let name = |&s: &usize| systems[s].name;
    let works = |&&s: &&usize| !systems[s].is_idle() && !systems[s].declared.stage;
    let waits_for_all = between.full.map(|full| names.of_full(full).0);
    // What all systems behind the refresh depend on would be waited for anyway.
    let behind = || (0..systems.len()).filter(|&s| phases.phase(s) == between.phase);
    let delays = |s: usize| behind().any(|other| !ancestors[other].contains(s));
    let held = between.held.iter().filter(|&&(s, _)| delays(s));
    let mut held_up: Vec<HeldUp> = held.map(|&(s, held)| names.held_up(s, held)).collect();
    let is_cause = |s: usize| causes.iter().any(|cause| cause.source == systems[s].name);
    for &s in between.stagers.iter().filter(|&&s| !is_cause(s) && delays(s)) {
        held_up.push(HeldUp {
            system: systems[s].name,
            reason: "what it stages is applied, though nothing behind the refresh sees it"
                .to_owned(),
            help: format!(
                "leave the effects of `{}` to a system behind the refresh",
                systems[s].name
            ),
        });
    }
    Barrier {
        phase: between.phase,
        causes,
        waits_for_all,
        goes_on: between.over.iter().filter(works).map(name).collect(),
        held_up,
    }
}

/// Which systems of the phase see what of systems in the phases since the refresh before.
fn causes(
    names: &Names<'static>,
    phases: &Phases,
    ancestors: &Ancestors,
    phase: usize,
) -> Vec<Cause> {
    let Tables { systems, staged_changes, .. } = names.0;
    let first = (0..phase).rev().find(|&phase| phases.begins_with_refresh(phase)).unwrap_or(0);
    let of_phase = |range: core::ops::Range<usize>| {
        (0..systems.len()).filter(move |&s| range.contains(&phases.phase(s)))
    };
    let mut causes = Vec::new();
    for seer in of_phase(phase..phase + 1) {
        for source in of_phase(first..phase).filter(|&source| ancestors[seer].contains(source)) {
            let says = systems[seer].declared.sees.contains(&source);
            let effect = late_effect(systems, &systems[source], &systems[seer]);
            let effect = match effect {
                Some(effect)
                    if says || staged_changes == StagedChanges::RefreshBeforeDependents =>
                {
                    names.effect(effect)
                }
                None if says => "sees".to_owned(),
                _ => continue,
            };
            causes.push(Cause { source: systems[source].name, effect, seer: systems[seer].name });
        }
    }
    causes
}

impl Names<'static> {
    fn system(&self, s: usize) -> &'static str {
        self.0.systems[s].name
    }

    fn component(&self, c: usize) -> &'static str {
        self.0.components[c].name()
    }

    fn effect(&self, effect: Effect) -> String {
        let (key, component) = match effect {
            Effect::Insert(c) => ("insert", Some(c)),
            Effect::Remove(c) => ("remove", Some(c)),
            Effect::Update(c) => ("update", Some(c)),
            Effect::Accumulate(c) => ("accumulate", Some(c)),
            Effect::Despawn => ("despawn", None),
            Effect::Spawn => ("spawn", None),
            Effect::Defer => ("defer", None),
        };
        component.map_or_else(|| key.to_owned(), |c| format!("{key}: [{}]", self.component(c)))
    }

    /// Why a refresh waits for all, and what would change that.
    fn of_full(&self, full: Full) -> (String, String) {
        match full {
            Full::Entities(s) => {
                let key = if self.0.systems[s].declared.despawn { "despawn" } else { "spawn" };
                let s = self.system(s);
                (
                    format!("`{s}` says `{key}`, so rows are freed or taken"),
                    format!(
                        "leave `{key}` to a system that no refresh follows, or insert a tag instead"
                    ),
                )
            }
            Full::Defers(s) => {
                let s = self.system(s);
                let why = format!("`{s}` says `defer`, and a deferred function may do anything");
                (
                    why,
                    format!(
                        "say what `{s}` stages instead of `defer`: `insert`, `remove`, `update` or `accumulate`"
                    ),
                )
            }
            Full::Sequential(s) => {
                let s = self.system(s);
                (
                    format!("`{s}` is `sequential`"),
                    format!("make `{s}` a system without `sequential`"),
                )
            }
            Full::Condition(s) => {
                let s = self.system(s);
                let why = format!("whether `{s}` runs is found out between phases");
                (
                    why,
                    format!("move `run_if`, `in` or `every` from `{s}` to systems of other phases"),
                )
            }
            Full::Contributes(s) => {
                let s = self.system(s);
                let why = format!(
                    "`{s}` adds to a resource, emits or reads events, sets a state, or uses a relation"
                );
                (
                    why,
                    format!(
                        "move what adds, emits, reads events, sets states or links from `{s}` to systems of other phases"
                    ),
                )
            }
            Full::Streams(s) => {
                let s = self.system(s);
                let why = format!("`{s}` is one end of a stream");
                (why, format!("give `{s}` an output that is no stream"))
            }
            Full::Updates(s, c) => {
                let (s, c) = (self.system(s), self.component(c));
                let why = format!("`{s}` and another system update `{c}`, and may conflict");
                (why, format!("let one system say `update: [{c}]`"))
            }
            Full::Tracked(s, c) => {
                let (s, c) = (self.system(s), self.component(c));
                let why = format!("`{s}` changes `{c}`, which is tracked");
                (why, format!("leave `{c}` out of `changed` and `added`"))
            }
        }
    }

    fn held_up(&self, s: usize, held: Held) -> HeldUp {
        let system = self.system(s);
        let (reason, help) = match held {
            Held::Full(full) => {
                let (reason, help) = self.of_full(full);
                (format!("the refresh waits for all, as {reason}"), help)
            }
            Held::Names(c) => {
                let c = self.component(c);
                let why = format!("it names `{c}`, which changes");
                (
                    why,
                    format!("leave `{c}` out of `{system}`, or do what needs it in another system"),
                )
            }
            Held::NamesThrough(q, c) => {
                let (q, c) = (self.system(q), self.component(c));
                let why = format!("its query `{q}` names `{c}`, which changes");
                (why, format!("leave `{c}` out of `{q}`, or give `{system}` a query without it"))
            }
            Held::Interleaved(c, other) => {
                let (c, other) = (self.component(c), self.component(other));
                let why = format!("`{c}` lies in one buffer with `{other}`, which changes");
                (why, format!("declare `component {other};` apart from `{c}`"))
            }
            Held::Reads(source) => {
                let source = self.system(source);
                let why = format!("it reads outputs of `{source}`, whose changes are applied");
                (why, format!("leave the changes of `{source}` to another system, or its outputs"))
            }
            Held::Index(q) => {
                let q = self.system(q);
                let why = format!("the index of its query `{q}` is valid up to the refresh");
                (why, format!("give `{system}` a query without an index"))
            }
        };
        HeldUp { system, reason, help }
    }
}
