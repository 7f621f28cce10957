//! A description formatted as a table.

use core::fmt;

use super::{ComponentDescription, Description, SystemDescription};
use crate::signature::StagedChanges;

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = match self.staged_changes() {
            StagedChanges::AfterStep => "after the step",
            StagedChanges::RefreshBeforeDependents => "before dependents",
            StagedChanges::Deny => "after the step, seen by no later system of the step",
        };
        writeln!(f, "world {}, staged changes show {shown}", self.name())?;
        let component = |c: &ComponentDescription| {
            let [name, size, align] = value(c.name(), c.size(), c.align());
            [name, size, align, c.storage().to_string()]
        };
        let components: Vec<_> = self.components().iter().map(component).collect();
        columns(f, ["component", "bytes", "align", "storage"], &components)?;
        let resources = self.resources().iter();
        let resources: Vec<_> = resources.map(|r| value(r.name(), r.size(), r.align())).collect();
        columns(f, ["resource", "bytes", "align"], &resources)?;
        let systems: Vec<_> = self.systems().iter().map(|system| self.row(system)).collect();
        let heads = ["system", "phase", "level", "split", "after", "what it does"];
        columns(f, heads, &systems)?;
        for barrier in self.barriers() {
            write!(f, "\n{barrier}")?;
        }
        let path = self.critical_path();
        let names: Vec<_> = path.systems().iter().map(|&s| self.systems()[s].name()).collect();
        let (length, work) = (path.length(), path.work());
        writeln!(f, "\ncritical path, {length} of {work}: {}", names.join(" -> "))
    }
}

impl Description {
    fn row(&self, system: &SystemDescription) -> [String; 6] {
        let waits_for = self.reduced_edges().filter(|edge| edge.to() == system.index());
        let waits_for: Vec<_> = waits_for.map(|edge| self.systems()[edge.from()].name()).collect();
        let split = if system.is_single_subtask() { "none" } else { system.parallelism() };
        [
            system.name().to_owned(),
            system.phase().to_string(),
            system.level().to_string(),
            split.to_owned(),
            waits_for.join(", "),
            system.facts().join("; "),
        ]
    }
}

fn value(name: &str, size: usize, align: usize) -> [String; 3] {
    [name.to_owned(), size.to_string(), align.to_string()]
}

/// An empty line, a head and rows, with each column as wide as its content. Nothing if there are no rows.
fn columns<const N: usize>(
    f: &mut fmt::Formatter<'_>,
    heads: [&str; N],
    rows: &[[String; N]],
) -> fmt::Result {
    if rows.is_empty() {
        return Ok(());
    }
    let mut widths = heads.map(|head| head.chars().count());
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let line = |cells: [&str; N]| {
        let cells = cells.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    writeln!(f, "\n{}", line(heads))?;
    rows.iter().try_for_each(|row| writeln!(f, "{}", line(row.each_ref().map(String::as_str))))
}
