//! Where an execution starts, and the errors of an execution.

use super::Failure;
use std::fmt;

/// The nodes that an execution starts from (thesis chapter 10.3.1.1).
///
/// ```
/// use std::sync::Mutex;
///
/// use ecs_core::scheduler::{Dag, Inline, Outcome, Scheduler, Sequential, StartNodes};
///
/// let dag = Dag::new::<_, usize>(&[vec![], vec![0], vec![]])?;
/// let ran = Mutex::new(Vec::new());
/// let mut scheduler = Sequential::new(&dag);
/// scheduler.execute(StartNodes::Nodes(&[0]), &Inline, &|node| {
///     ran.lock().unwrap().push(node);
///     Outcome::Done
/// })?;
/// assert_eq!(ran.into_inner()?, [0, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartNodes<'a> {
    /// Every node without dependencies: the whole graph is executed.
    All,
    /// These nodes and all nodes reachable from them. A start does not wait for its own dependencies, and
    /// nothing waits for a node that is not reachable. The nodes must be
    /// [independent](super::Dag::independent).
    Nodes(&'a [usize]),
}

/// Why a list of nodes cannot start an execution.
///
/// ```
/// use ecs_core::scheduler::{Dag, StartError};
///
/// let dag = Dag::new::<_, usize>(&[vec![], vec![0]])?;
/// assert_eq!(dag.independent(&[0, 1]), Err(StartError::Reachable { start: 1, from: 0 }));
/// # Ok::<(), ecs_core::scheduler::DagError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StartError {
    /// The graph has `len` nodes, and `start` is not one of them.
    Unknown {
        /// The start at fault.
        start: usize,
        /// The number of nodes.
        len: usize,
    },
    /// `start` is listed more than once.
    Repeated {
        /// The start at fault.
        start: usize,
    },
    /// `start` depends, directly or not, on `from`, which is a start too.
    Reachable {
        /// The start at fault.
        start: usize,
        /// A start that it is reachable from.
        from: usize,
    },
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { start, len } => {
                write!(f, "cannot start from node {start}: there are {len} nodes")
            }
            Self::Repeated { start } => write!(f, "node {start} is listed twice as a start"),
            Self::Reachable { start, from } => {
                write!(f, "cannot start from node {start}: it is reached from node {from} anyway")
            }
        }
    }
}

impl std::error::Error for StartError {}

/// Why an execution did not run all of its nodes.
///
/// ```
/// use ecs_core::scheduler::{Dag, ExecuteError, Inline, Outcome, Scheduler, Sequential, StartNodes};
///
/// let mut scheduler = Sequential::new(&Dag::new::<_, usize>(&[vec![]])?);
/// let failed = scheduler.execute(StartNodes::All, &Inline, &|_| panic!("a node"));
/// assert!(matches!(failed, Err(ExecuteError::Failed(failure)) if failure.message() == Some("a node")));
/// # Ok::<(), ecs_core::scheduler::DagError>(())
/// ```
#[derive(Debug)]
pub enum ExecuteError {
    /// The starts were refused. Nothing ran.
    Starts(StartError),
    /// A node failed. Nodes that had started have finished; the rest did not run.
    Failed(Failure),
}

impl fmt::Display for ExecuteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Starts(error) => error.fmt(f),
            Self::Failed(failure) => failure.fmt(f),
        }
    }
}

impl std::error::Error for ExecuteError {}

impl From<StartError> for ExecuteError {
    fn from(error: StartError) -> Self {
        Self::Starts(error)
    }
}

impl From<Failure> for ExecuteError {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}
