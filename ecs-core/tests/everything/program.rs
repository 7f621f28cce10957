//! Random programs: what each system does, as a list of rules, and what happens to the world, as a list of acts.

use core::fmt;

use proptest::collection::vec;
use proptest::prelude::*;

use super::parts::{NAMES, SYSTEMS, at};
use super::support::mix;

/// A program. Its `Debug` is one line for each system that does something, and one for each act.
#[derive(Clone)]
pub(crate) struct Program {
    /// By system.
    pub(crate) rules: Vec<Vec<Rule>>,
    pub(crate) acts: Vec<Act>,
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f)?;
        for (name, rules) in NAMES.iter().zip(&self.rules).filter(|(_, rules)| !rules.is_empty()) {
            writeln!(f, "    {name}: {rules:?}")?;
        }
        for (n, act) in self.acts.iter().enumerate() {
            writeln!(f, "    act {n}: {act:?}")?;
        }
        Ok(())
    }
}

/// A system does this with one in `one_in` of its entities.
#[derive(Clone, Copy)]
pub(crate) struct Rule {
    pub(crate) one_in: u64,
    pub(crate) salt: u64,
    pub(crate) does: Does,
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} (1 in {}, {})", self.does, self.one_in, self.salt)
    }
}

impl Rule {
    /// What happens to the entity at this time, with a random number.
    pub(crate) fn fires(&self, id: u64, clock: u64) -> Option<(Does, u64)> {
        let dice = mix(id ^ mix(clock ^ self.salt));
        dice.is_multiple_of(self.one_in).then(|| (self.does, mix(dice)))
    }
}

/// A component that may come and go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Part {
    Grade,
    Team,
    Label,
    Tag,
    Extra,
    Load,
}

/// A component that systems accumulate into.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Sum {
    Heat,
    Grade,
    Extra,
    Load,
}

/// One thing that a system does. A system is given only what it declares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Does {
    // In place.
    Heat,
    Grade,
    SameGrade,
    Label,
    Draw,
    // To resources, events, messages and readers.
    Total,
    Low,
    Ping,
    Kept,
    Echo,
    Whisper,
    Hit,
    Reply,
    Output,
    // Staged, or at once in a sequential system.
    Insert(Part),
    InsertOther(Part),
    InsertMany,
    Remove(Part),
    RemoveMany,
    Despawn,
    DespawnOther,
    Spawn(usize),
    UpdateHeat,
    UpdateGrade,
    Accumulate(Sum),
    /// Accumulates into the entity that it spawns.
    SpawnLoaded,
    Defer(Deferred),
    Bond(Bond),
}

/// A change of the links between two entities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Bond {
    /// Of `ChildOf`. The younger one is the child, so that there are no cycles.
    Link,
    Relink,
    Unlink,
    /// Of `Likes`.
    Insert,
    Remove,
}

/// All of them.
pub(crate) const BONDS: [Bond; 5] =
    [Bond::Link, Bond::Relink, Bond::Unlink, Bond::Insert, Bond::Remove];

/// What a deferred function does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Deferred {
    Despawn,
    Insert,
    Remove,
    Spawn,
    SpawnAndDespawn,
    Grade,
    Accumulate,
    Emit,
    Subscribe,
    Mode,
}

/// What the system with this index may do.
fn allowed(system: usize) -> Vec<Does> {
    use Deferred as F;
    use Does::*;
    use Part as P;
    let parts = [P::Grade, P::Label, P::Tag];
    let changes = || parts.into_iter().flat_map(|part| [Insert(part), Remove(part)]);
    match system {
        at::WRITE => {
            vec![Heat, Grade, SameGrade, Label, Draw, Total, Low, Ping, Kept, Output, Heat, Grade]
        }
        at::GAUGE => {
            vec![Ping, Whisper, Hit, Total, Accumulate(Sum::Load), Accumulate(Sum::Grade)]
        }
        at::PROBE => {
            vec![Ping, Kept, Hit, Total, Low, Accumulate(Sum::Load), Accumulate(Sum::Extra)]
        }
        at::SOURCE | at::FRESH | at::STALE => vec![Output],
        at::BACK => vec![Ping],
        at::ANSWER => vec![Echo],
        at::RECEIVE => vec![Grade, Reply, Output],
        at::MEET | at::CHOSEN => vec![Heat],
        at::ALTER => {
            let more = [
                Despawn,
                DespawnOther,
                InsertMany,
                RemoveMany,
                InsertOther(P::Tag),
                InsertOther(P::Grade),
                Accumulate(Sum::Load),
            ];
            changes().chain(more).chain((0..5).map(Spawn)).collect()
        }
        at::SHIFT => vec![
            Insert(P::Team),
            Insert(P::Extra),
            Remove(P::Team),
            Remove(P::Extra),
            InsertOther(P::Extra),
            Accumulate(Sum::Load),
            Accumulate(Sum::Heat),
            SpawnLoaded,
            Spawn(0),
        ],
        at::BIND => BONDS.map(Bond).into_iter().chain([Bond(self::Bond::Insert), Output]).collect(),
        at::RENEW => vec![UpdateHeat, UpdateGrade],
        at::MEDDLE => [
            F::Despawn,
            F::Insert,
            F::Remove,
            F::Spawn,
            F::SpawnAndDespawn,
            F::Grade,
            F::Accumulate,
            F::Emit,
            F::Subscribe,
            F::Mode,
        ]
        .map(Defer)
        .into(),
        at::ROLL => changes()
            .chain([Heat, Despawn, DespawnOther, InsertOther(P::Label), Spawn(1), Spawn(2)])
            .collect(),
        at::LATE => vec![Echo, Despawn, Spawn(3), Output, Accumulate(Sum::Load)],
        _ => Vec::new(),
    }
}

/// What happens to a world.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    /// A step.
    Step(Vec<Event>),
    /// A step, then the state before it, then the same step.
    Again(Vec<Event>),
    /// A step in which a system panics; then the state of this snapshot, or the state before the step if there is none.
    Panic(usize, usize),
    /// Between steps: an event, and a message to the entity at this position.
    Emit(u64),
    Send(usize, u64),
    Mode(u64),
    Seed(u64),
    Save(usize),
    Restore(usize),
    /// The world goes on as a clone of itself, or as another one that takes its state.
    Clone,
    Elsewhere,
    /// It goes on as another one that loads its save.
    Load,
}

/// What happens in a step. A number picks one of the entities at its beginning.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Event {
    Run(Run),
    Spawn {
        bundle: usize,
        count: u64,
        salt: u64,
        batch: bool,
    },
    Despawn(usize),
    Insert(usize, Part),
    Remove(usize, Part),
    /// Borrows it mutably.
    Grade(usize),
    Accumulate(usize),
    Subscribe(usize, bool),
    Emit(u64),
    Send(usize, u64),
    Mode(u64),
    Bond(Bond, usize, usize),
}

/// Which systems an execution runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Run {
    All,
    FromBack,
    FromReceive,
    FromAlter,
    OnlyReaders,
    OnlyWriters,
}

impl Run {
    /// The systems that it runs: those named, and for a chain those that come after them.
    pub(crate) fn systems(self) -> Vec<usize> {
        use at::*;
        match self {
            Self::All => (0..SYSTEMS).collect(),
            Self::FromBack => vec![BACK, ANSWER, HEAR, REPORT],
            Self::FromReceive => {
                vec![
                    RECEIVE,
                    REPLIES,
                    FRESH,
                    STALE,
                    LOSSES,
                    SAME,
                    MEET,
                    WEAR,
                    ALTER,
                    SHIFT,
                    BIND,
                    RENEW,
                    MEDDLE,
                    ROLL,
                    CHOSEN,
                    LATE,
                    LATE_LOSSES,
                    REPORT,
                ]
            }
            Self::FromAlter => vec![ALTER, RENEW, MEDDLE, ROLL, CHOSEN, LATE, LATE_LOSSES, REPORT],
            Self::OnlyReaders => vec![HEAR, WATCH, LOSSES, REPORT],
            Self::OnlyWriters => vec![WRITE, FRESH, REPLIES],
        }
    }
}

fn rules() -> impl Strategy<Value = Vec<Vec<Rule>>> {
    (0..SYSTEMS)
        .map(|system| {
            let allowed = allowed(system);
            let most = allowed.len().min(4);
            let rule = (0..allowed.len().max(1), prop_oneof![1..4_u64, 3..20_u64], 0..1000_u64);
            let rule = rule.prop_map(move |(which, one_in, salt)| {
                let does = allowed.get(which).copied().unwrap_or(Does::Output);
                // Fewer than half of the entities are despawned, and fewer are spawned.
                let rare = match does {
                    Does::Despawn | Does::DespawnOther | Does::Spawn(_) | Does::SpawnLoaded => 5,
                    Does::Defer(Deferred::Despawn | Deferred::Spawn) => 4,
                    _ => 1,
                };
                Rule { one_in: one_in * rare, salt, does }
            });
            vec(rule, 0..=most)
        })
        .collect::<Vec<_>>()
}

fn part() -> impl Strategy<Value = Part> {
    prop_oneof![
        Just(Part::Grade),
        Just(Part::Team),
        Just(Part::Label),
        Just(Part::Tag),
        Just(Part::Extra),
        Just(Part::Load)
    ]
}

fn run() -> impl Strategy<Value = Run> {
    prop_oneof![
        5 => Just(Run::All),
        1 => Just(Run::FromBack),
        1 => Just(Run::FromReceive),
        1 => Just(Run::FromAlter),
        1 => Just(Run::OnlyReaders),
        1 => Just(Run::OnlyWriters),
    ]
}

fn event() -> impl Strategy<Value = Event> {
    let one = || 0..1000_usize;
    prop_oneof![
        6 => run().prop_map(Event::Run),
        2 => (0..5_usize, prop_oneof![1..5_u64, 1..80_u64], any::<u16>(), any::<bool>()).prop_map(
            |(bundle, count, salt, batch)| Event::Spawn { bundle, count, salt: salt.into(), batch }
        ),
        1 => one().prop_map(Event::Despawn),
        1 => (one(), part()).prop_map(|(one, part)| Event::Insert(one, part)),
        1 => (one(), part()).prop_map(|(one, part)| Event::Remove(one, part)),
        1 => one().prop_map(Event::Grade),
        1 => one().prop_map(Event::Accumulate),
        2 => (one(), prop::bool::weighted(0.8)).prop_map(|(one, on)| Event::Subscribe(one, on)),
        1 => (0..1000_u64).prop_map(Event::Emit),
        1 => (one(), 0..1000_u64).prop_map(|(one, n)| Event::Send(one, n)),
        1 => (0..64_u64).prop_map(Event::Mode),
        2 => (0..BONDS.len(), one(), one())
            .prop_map(|(bond, one, other)| Event::Bond(BONDS[bond], one, other)),
    ]
}

fn act() -> impl Strategy<Value = Act> {
    let tick = || Act::Step(vec![Event::Run(Run::All)]);
    prop_oneof![
        4 => vec(event(), 0..6).prop_map(Act::Step),
        3 => Just(tick()),
        1 => vec(event(), 1..4).prop_map(Act::Again),
        1 => (0..SYSTEMS, 0..3_usize).prop_map(|(system, slot)| Act::Panic(system, slot)),
        1 => (0..1000_u64).prop_map(Act::Emit),
        1 => (0..1000_usize, 0..1000_u64).prop_map(|(one, n)| Act::Send(one, n)),
        1 => (0..64_u64).prop_map(Act::Mode),
        1 => (0..4_u64).prop_map(Act::Seed),
        1 => (0..2_usize).prop_map(Act::Save),
        1 => (0..2_usize).prop_map(Act::Restore),
        1 => Just(Act::Clone),
        1 => Just(Act::Elsewhere),
        1 => Just(Act::Load),
    ]
}

/// Programs. Each begins with some entities, and conditions that mostly hold.
pub(crate) fn program() -> impl Strategy<Value = Program> {
    let spawns = vec((0..5_usize, prop_oneof![1..8_u64, 10..90_u64]), 1..5);
    (rules(), spawns, prop_oneof![Just(63), 0..64_u64], vec(act(), 1..10)).prop_map(
        |(rules, spawns, mode, mut acts)| {
            let spawns = spawns.into_iter().enumerate().map(|(n, (bundle, count))| Event::Spawn {
                bundle,
                count,
                salt: n as u64 + (1 << 20),
                batch: n % 2 == 0,
            });
            let begin = spawns.chain([Event::Mode(mode), Event::Run(Run::All)]).collect();
            acts.insert(0, Act::Step(begin));
            Program { rules, acts }
        },
    )
}
