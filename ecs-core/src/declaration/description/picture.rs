//! The graph as a picture: in the language of Graphviz, and in that of Mermaid, which many forges render within
//! Markdown.

use core::fmt;
use core::iter::once;

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
        let begin =
            |phase| format!("subgraph cluster_phase_{phase} {{\n        label=\"phase {phase}\";");
        let node = |system: &SystemDescription| {
            let borders = if system.is_single_subtask() { "" } else { ", peripheries=2" };
            let label = label(system, "\\n", escape_dot);
            format!("s{} [label=\"{label}\"{borders}];", system.index())
        };
        let graph = fmt::from_fn(|out| {
            writeln!(out, "digraph \"{}\" {{", escape_dot(self.name()))?;
            writeln!(out, "    node [shape=box, fontname=\"sans-serif\"];")?;
            writeln!(out, "    edge [fontname=\"sans-serif\", fontsize=10];")?;
            self.write_nodes(out, begin, node, "}")?;
            for edge in self.edges() {
                let style = if edge.is_implied() { ", style=dotted" } else { "" };
                let (from, to, kind) = (edge.from(), edge.to(), edge.kind());
                writeln!(out, "    s{from} -> s{to} [label=\"{kind}\"{style}];")?;
            }
            writeln!(out, "}}")
        });
        graph.to_string()
    }

    /// The graph as a Mermaid flowchart.
    ///
    /// It has the content of [`to_dot`](Self::to_dot), in the same order. A box with two borders is a
    /// system that may be split over subtasks. A dotted arrow is an order that also follows from others.
    #[must_use]
    pub fn to_mermaid(&self) -> String {
        let begin = |phase| format!("subgraph phase_{phase}[\"phase {phase}\"]");
        let node = |system: &SystemDescription| {
            let (open, close) = if system.is_single_subtask() { ("[", "]") } else { ("[[", "]]") };
            let label = label(system, "<br/>", escape_mermaid);
            format!("s{}{open}\"{label}\"{close}", system.index())
        };
        let graph = fmt::from_fn(|out| {
            writeln!(out, "flowchart TD")?;
            self.write_nodes(out, begin, node, "end")?;
            for edge in self.edges() {
                let arrow = if edge.is_implied() { "-.->" } else { "-->" };
                writeln!(out, "    s{} {arrow}|{}| s{}", edge.from(), edge.kind(), edge.to())?;
            }
            Ok(())
        });
        graph.to_string()
    }

    /// Writes the nodes; if there are several phases, each between its begin and the end.
    fn write_nodes(
        &self,
        out: &mut fmt::Formatter<'_>,
        begin: impl Fn(usize) -> String,
        node: impl Fn(&SystemDescription) -> String,
        end: &str,
    ) -> fmt::Result {
        if self.phase_count() == 1 {
            return self.systems().iter().try_for_each(|s| writeln!(out, "    {}", node(s)));
        }
        for phase in 0..self.phase_count() {
            writeln!(out, "    {}", begin(phase))?;
            for system in self.systems().iter().filter(|system| system.phase() == phase) {
                writeln!(out, "        {}", node(system))?;
            }
            writeln!(out, "    {end}")?;
        }
        Ok(())
    }
}

/// The lines of a node.
fn label(system: &SystemDescription, separator: &str, escape: fn(&str) -> String) -> String {
    let facts = system.facts();
    let lines = once(system.name()).chain(facts.iter().map(String::as_str));
    lines.map(escape).collect::<Vec<_>>().join(separator)
}

/// Escapes the text for use within quotes.
fn escape_dot(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], "\\n")
}

/// Escapes the text for use within quotes. Mermaid interprets entities that begin with `#` there, as well as
/// Markdown and HTML.
fn escape_mermaid(text: &str) -> String {
    let character = |character: char| match character {
        '\n' | '\r' => "<br/>".to_owned(),
        '"' | '#' | '&' | '<' | '>' | '\\' | '`' | '*' | '~' => {
            format!("#{};", u32::from(character))
        }
        other => other.to_string(),
    };
    text.chars().map(character).collect()
}

#[cfg(test)]
mod tests {
    use super::{escape_dot, escape_mermaid};

    #[test]
    fn names_cannot_leave_their_quotes() {
        assert_eq!(escape_dot(r#"a "b" \"#), r#"a \"b\" \\"#);
        assert_eq!(escape_dot("two\nlines"), r"two\nlines");
        assert_eq!(escape_dot("Vec<Größe>"), "Vec<Größe>");
        assert_eq!(escape_mermaid("a \"b\""), "a #34;b#34;");
        assert_eq!(escape_mermaid("#quot; &amp; `x`"), "#35;quot; #38;amp; #96;x#96;");
        assert_eq!(escape_mermaid("Vec<Größe>\n"), "Vec#60;Größe#62;<br/>");
    }
}
