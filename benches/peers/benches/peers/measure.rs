//! The measurements for the tables: one cell after the other, several times over.

use crate::cell::{self, Plan};
use crate::contenders::{BY_HAND, Contender, LIBRARY};
use crate::quiet::{Probes, Rounds};
use crate::rows::{Row, Summary};

/// A form of a contender, and what the rounds of each run say.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) contender: &'static str,
    pub(crate) form: &'static str,
    pub(crate) is_idiomatic: bool,
    runs: Vec<Rounds>,
}

impl Cell {
    /// The figure of the cell, the least of the medians: what disturbs a run makes it longer.
    pub(crate) fn figure(&self) -> f64 {
        self.best().median
    }

    /// The share of the rounds that count, from 0 to 1, in the run with the least median.
    pub(crate) fn share(&self) -> f64 {
        self.best().share
    }

    fn best(&self) -> &Rounds {
        let best = self.runs.iter().min_by(|one, other| one.median.total_cmp(&other.median));
        best.expect("it was measured")
    }

    /// The greatest of the medians.
    pub(crate) fn greatest(&self) -> f64 {
        self.runs.iter().map(|rounds| rounds.median).fold(0.0, f64::max)
    }
}

/// A row with all its cells.
pub(crate) struct Measured {
    pub(crate) row: Row,
    pub(crate) cells: Vec<Cell>,
    summary: Option<Summary>,
}

/// Which forms are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compared {
    /// The one that each library's own documentation shows first.
    Idiomatic,
    /// The fastest of each library.
    Best,
}

impl Measured {
    /// The cells of a row, not yet measured.
    ///
    /// # Panics
    /// If a contender has forms, and not exactly one of them is idiomatic.
    fn new(row: Row, contenders: &[Contender]) -> Self {
        let mut cells = Vec::new();
        for &(contender, forms) in contenders {
            let forms = forms(row);
            let idiomatic = forms.iter().filter(|form| form.is_idiomatic).count();
            assert_eq!(idiomatic, usize::from(!forms.is_empty()), "{}: {contender}", row.name);
            cells.extend(forms.into_iter().map(|form| Cell {
                contender,
                form: form.name,
                is_idiomatic: form.is_idiomatic,
                runs: Vec::new(),
            }));
        }
        Self { row, cells, summary: None }
    }

    /// Measures each cell once more.
    ///
    /// # Panics
    /// If the worlds differ.
    fn measure(&mut self, plan: Plan, probes: &mut Probes) {
        for cell in &mut self.cells {
            let least = probes.least();
            let report = cell::report(self.row, cell.contender, cell.form, plan, least);
            let expected = *self.summary.get_or_insert(report.summary);
            let (contender, form) = (cell.contender, cell.form);
            assert_eq!(report.summary, expected, "{}: {contender}, {form}", self.row.name);
            probes.add(report.rounds.probe);
            cell.runs.push(report.rounds);
        }
    }

    /// A contender's cell.
    pub(crate) fn cell(&self, contender: &str, compared: Compared) -> Option<&Cell> {
        self.fastest(compared, |name| name == contender)
    }

    /// The fastest cell of the other libraries.
    pub(crate) fn peer(&self, compared: Compared) -> Option<&Cell> {
        self.fastest(compared, |name| name != LIBRARY && name != BY_HAND)
    }

    fn fastest(&self, compared: Compared, which: impl Fn(&str) -> bool) -> Option<&Cell> {
        let is_compared = |cell: &&Cell| {
            which(cell.contender) && (cell.is_idiomatic || compared == Compared::Best)
        };
        let cells = self.cells.iter().filter(is_compared);
        cells.min_by(|one, other| one.figure().total_cmp(&other.figure()))
    }
}

/// Measures all cells once, then again, as often as the plan says, so that the runs of a cell lie apart in time. Progress
/// goes to the standard error.
pub(crate) fn all(rows: &[Row], contenders: &[Contender], plan: Plan) -> Vec<Measured> {
    let mut measured: Vec<_> = rows.iter().map(|&row| Measured::new(row, contenders)).collect();
    let cells = measured.iter().map(|measured| measured.cells.len()).sum::<usize>() * plan.runs;
    let (mut done, mut probes) = (0, Probes::new());
    for run in 1..=plan.runs {
        for measured in &mut measured {
            measured.measure(plan, &mut probes);
            done += measured.cells.len();
            eprintln!("{done} / {cells} cells: run {run}, {}", measured.row.name);
        }
    }
    measured
}
