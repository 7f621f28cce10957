//! The systems that all worlds of the family have.

use core_ecs_model::Label;
use core_ecs_model::program::{Members, Spec};

use crate::components::{KEY, LABEL_F, LABEL_X, LABEL_Y, LABEL_Z};

/// The effect of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// Owned update: overwrites `X` of own entities.
    Update,
    /// Owned update that is staged: overwrites `X` of own entities at the refresh.
    Renew,
    /// Deferred update of entities that have an `X`: overwrites `X` of any entities.
    Replace,
    /// Owned insert: adds `Y` to own entities, which have none.
    Gain,
    /// Deferred insert: adds `Z` or `F` to any entities.
    Give,
    /// Owned remove: takes `Y` from own entities.
    Lose,
    /// Deferred remove: takes `Z` or `F` from any entities.
    Take,
    /// Creates entities, of two bundles.
    Create,
    /// Despawns any entities.
    Despawn,
}

impl Kind {
    /// All kinds, in the order of [`NAMES`].
    pub(crate) const ALL: [Self; 9] = [
        Self::Update,
        Self::Renew,
        Self::Replace,
        Self::Gain,
        Self::Give,
        Self::Lose,
        Self::Take,
        Self::Create,
        Self::Despawn,
    ];

    /// The kind of the system with this number.
    pub(crate) fn of(system: usize) -> Self {
        Self::ALL[system / 3]
    }

    /// The components that own entities have, do not have, and may have, without the filter.
    fn lists(self) -> [&'static [Label]; 3] {
        match self {
            Self::Update | Self::Renew => [&[KEY, LABEL_X], &[], &[]],
            Self::Replace | Self::Despawn => [&[KEY], &[], &[LABEL_Y]],
            Self::Gain => [&[KEY], &[LABEL_Y], &[LABEL_X]],
            Self::Give => [&[KEY], &[], &[LABEL_X]],
            Self::Lose => [&[KEY, LABEL_Y], &[], &[]],
            Self::Take => [&[KEY], &[], &[]],
            Self::Create => [&[KEY, LABEL_Z], &[], &[]],
        }
    }
}

/// The systems: of each kind one without a filter, one with `F` and one without `F`.
#[rustfmt::skip]
pub(crate) const NAMES: [&str; 27] = [
    "Update", "UpdateWith", "UpdateWithout",
    "Renew", "RenewWith", "RenewWithout",
    "Replace", "ReplaceWith", "ReplaceWithout",
    "Gain", "GainWith", "GainWithout",
    "Give", "GiveWith", "GiveWithout",
    "Lose", "LoseWith", "LoseWithout",
    "Take", "TakeWith", "TakeWithout",
    "Create", "CreateWith", "CreateWithout",
    "Despawn", "DespawnWith", "DespawnWithout",
];

/// The number of the system with this name.
pub(crate) fn number(name: &str) -> usize {
    NAMES.iter().position(|known| *known == name).expect("a system of the family")
}

/// The lists of the system with this number, without effects.
pub(crate) fn lists(system: usize) -> Spec {
    let [incl, excl, anyway] = Kind::of(system).lists().map(<[Label]>::to_vec);
    let mut spec = Spec { incl, excl, anyway, ..Spec::default() };
    match system % 3 {
        0 => {}
        1 => spec.incl.push(LABEL_F),
        _ => spec.excl.push(LABEL_F),
    }
    spec
}

/// The queries of the systems that go over pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Partners {
    /// All entities.
    All,
    /// Entities with `X` and `F`.
    Bearers,
    /// Entities without `Z`.
    Lacking,
}

impl Partners {
    /// The query of the system with this number. Each kind has each query.
    pub(crate) fn of(system: usize) -> Self {
        [Self::All, Self::Bearers, Self::Lacking][(system / 3 + system % 3) % 3]
    }

    /// The query for the model.
    pub(crate) fn lists(self) -> Members {
        let (incl, excl, anyway): (&[Label], &[Label], &[Label]) = match self {
            Self::All => (&[KEY], &[], &[LABEL_Y]),
            Self::Bearers => (&[KEY, LABEL_X, LABEL_F], &[], &[]),
            Self::Lacking => (&[KEY], &[LABEL_Z], &[]),
        };
        Members { incl: incl.to_vec(), excl: excl.to_vec(), anyway: anyway.to_vec() }
    }
}
