//! The code of every fault, which has a page in `ecs-core/docs/errors`.

use ecs_rules::Kind;

use super::fault::Fault;
use super::states::StateFault;
use super::tracking::TrackingFault;

impl Fault {
    /// The code: 0-9 are about syntax, 10-19 about names and values, 20-29 about one system,
    /// 30-39 about relations between systems, 40-44 about sets, 45-49 about streams, 96-98 about queries,
    /// 99 and 100 about effects and resources, 113 and 115 about rights, 122 to 124 and 158 about events, 128 and 129 about
    /// components that expire, 130 about conditions, 132 and 133 about states, 150 to 154 about tracked components, 144, 161 and 162 about relations between entities.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Syntax(_) => "ECS0001",
            Self::NoWorld => "ECS0002",
            Self::SecondWorld => "ECS0003",
            Self::UnknownItem { .. } => "ECS0004",
            Self::UnknownKey { .. } => "ECS0005",
            Self::SecondKey { .. } => "ECS0006",
            Self::Conditional => "ECS0007",
            Self::Visibility => "ECS0008",
            Self::BesideCode { .. } => "ECS0009",
            Self::SecondName { .. }
            | Self::SecondStage { .. }
            | Self::TakenName { .. }
            | Self::OfState(StateFault::Twice { .. }) => "ECS0010",
            Self::UnknownName { kind: Kind::Component, .. } | Self::Unnamed { .. } => "ECS0011",
            Self::UnknownName { kind: Kind::System, .. } | Self::NotAQuery { .. } => "ECS0012",
            Self::UnknownName { kind: Kind::Resource, .. } => "ECS0013",
            Self::OfBundle { fault, .. } => fault.code(),
            Self::UnknownStorage { .. } => "ECS0014",
            Self::SharedStorage { .. } => "ECS0019",
            Self::UnknownSetting { .. } => "ECS0015",
            Self::UnknownStrategy { .. } => "ECS0016",
            Self::OutOfRange { .. } => "ECS0017",
            Self::TooMany { .. } => "ECS0018",
            Self::ListedTwice { .. } => "ECS0020",
            Self::Contradiction { .. } => "ECS0021",
            Self::SharedResource { .. } => "ECS0022",
            Self::ParallelExclusive { .. }
            | Self::ParallelConsumer { .. }
            | Self::SharedEvents { .. } => "ECS0023",
            Self::IdleThreshold { .. } => "ECS0024",
            Self::FixedByArchetype => "ECS0029",
            Self::MixedEffects { .. } => "ECS0025",
            Self::UnknownStage { .. } => "ECS0028",
            Self::NoSet => "ECS0040",
            Self::StrangeHeader { .. } => "ECS0041",
            Self::IncludedTwice { .. } => "ECS0042",
            Self::UnknownInOrder { .. } => "ECS0043",
            Self::SelfDependency { .. } => "ECS0030",
            Self::Cycle { .. } => "ECS0031",
            Self::Conflict { .. } | Self::WritesIndexed { .. } => "ECS0032",
            Self::OrderContradiction { .. } => "ECS0033",
            Self::ImpliedOrder { .. } => "ECS0034",
            Self::Residual(_) => "ECS0035",
            Self::UnknownEffect(_) => "ECS0099",
            Self::NotCommutative { .. } => "ECS0100",
            Self::NotAnEvent { .. } => "ECS0122",
            Self::UnusedEvent { .. } => "ECS0123",
            Self::EventIndex { .. } => "ECS0158",
            Self::NotARelation { .. } => "ECS0161",
            Self::BesideParents { .. } => "ECS0162",
            Self::NoParents { .. } => "ECS0144",
            Self::NotExpiring { .. } => "ECS0128",
            Self::NeverExpires { .. } => "ECS0129",
            Self::ReadInBatches { .. } => "ECS0124",
            Self::OfTracking(TrackingFault::Reference { .. }) => "ECS0150",
            Self::OfTracking(TrackingFault::NotAccessed { .. }) => "ECS0151",
            Self::OfTracking(TrackingFault::OverMarks { .. }) => "ECS0152",
            Self::OfTracking(TrackingFault::BesideEach { .. }) => "ECS0154",
            Self::Influence { .. } | Self::PartedUpdates { .. } => "ECS0036",
            Self::BesideSequential { .. } | Self::SequentialStream { .. } => "ECS0027",
            Self::AtOnce { .. } => "ECS0037",
            Self::MeetsItself { .. } => "ECS0038",
            Self::RefreshBeforeUse { .. } => "ECS0039",
            Self::UnknownIndex { .. } | Self::UntypedIndex { .. } => "ECS0096",
            Self::BetweenUsers { .. } => "ECS0097",
            Self::NotShown { .. } => "ECS0098",
            Self::IdleUnordered { .. } | Self::NoStream { .. } => "ECS0045",
            Self::SeveralStreams { .. }
            | Self::SharedStream { .. }
            | Self::StreamsInARow { .. } => "ECS0046",
            Self::StreamInOrder { .. } | Self::StreamCycle { .. } => "ECS0047",
            Self::RefreshInStream { .. } => "ECS0048",
            Self::Undeclared { .. } => "ECS0113",
            Self::UnusedRight { .. } => "ECS0115",
            Self::Condition { .. } => "ECS0130",
            Self::OfState(StateFault::Unknown { .. } | StateFault::AsValue { .. }) => "ECS0132",
            Self::OfState(StateFault::Beside { .. }) => "ECS0133",
        }
    }
}
