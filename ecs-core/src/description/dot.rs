//! The graph in the language of Graphviz.

use core::fmt;

use super::label::facts;
use super::{Description, SystemDescription};

impl Description {
    /// The graph as a program for Graphviz's `dot`.
    ///
    /// A node is a system with its accesses. It has two borders if it may be split over subtasks.
    /// An edge leads from a system to one that waits for it, and names the key. It is dotted if the order also
    /// follows from others. If there are several phases, they are drawn as boxes. The same
    /// declaration always gives the same text.
    ///
    /// ```sh
    /// particles --graph dot | dot -Tsvg > graph.svg
    /// ```
    #[must_use]
    pub fn to_dot(&self) -> String {
        Dot(self).to_string()
    }

    fn write_dot(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "digraph \"{}\" {{", escape(self.name()))?;
        writeln!(out, "    node [shape=box, fontname=\"sans-serif\"];")?;
        writeln!(out, "    edge [fontname=\"sans-serif\", fontsize=10];")?;
        if self.phase_count() == 1 {
            self.systems().iter().try_for_each(|system| write_node(out, "    ", system))?;
        } else {
            for phase in 0..self.phase_count() {
                writeln!(out, "    subgraph cluster_phase_{phase} {{")?;
                writeln!(out, "        label=\"phase {phase}\";")?;
                for system in self.systems().iter().filter(|system| system.phase() == phase) {
                    write_node(out, "        ", system)?;
                }
                writeln!(out, "    }}")?;
            }
        }
        for edge in self.edges() {
            let style = if edge.is_implied() { ", style=dotted" } else { "" };
            let (from, to, kind) = (edge.from(), edge.to(), edge.kind());
            writeln!(out, "    s{from} -> s{to} [label=\"{kind}\"{style}];")?;
        }
        writeln!(out, "}}")
    }
}

/// Formats the graph.
struct Dot<'a>(&'a Description);

impl fmt::Display for Dot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write_dot(f)
    }
}

fn write_node(
    out: &mut fmt::Formatter<'_>,
    indent: &str,
    system: &SystemDescription,
) -> fmt::Result {
    let borders = if system.is_single_subtask() { "" } else { ", peripheries=2" };
    let mut lines = vec![escape(system.name())];
    lines.extend(facts(system).iter().map(|fact| escape(fact)));
    let label = lines.join("\\n");
    writeln!(out, "{indent}s{} [label=\"{label}\"{borders}];", system.index())
}

/// Escapes the text for use within quotes.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], "\\n")
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn names_cannot_leave_their_quotes() {
        assert_eq!(escape(r#"a "b" \"#), r#"a \"b\" \\"#);
        assert_eq!(escape("two\nlines"), r"two\nlines");
        assert_eq!(escape("Vec<Größe>"), "Vec<Größe>");
    }
}
