//! The graph in the language of Mermaid, which many forges render within Markdown.

use core::fmt;

use super::label::facts;
use super::{Description, SystemDescription};

impl Description {
    /// The graph as a Mermaid flowchart.
    ///
    /// It has the content of [`to_dot`](Self::to_dot), in the same order. A box with two borders is a
    /// system that may be split over subtasks. A dotted arrow is an order that also follows from others.
    #[must_use]
    pub fn to_mermaid(&self) -> String {
        Mermaid(self).to_string()
    }

    fn write_mermaid(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "flowchart TD")?;
        if self.phase_count() == 1 {
            self.systems().iter().try_for_each(|system| write_node(out, "    ", system))?;
        } else {
            for phase in 0..self.phase_count() {
                writeln!(out, "    subgraph phase_{phase}[\"phase {phase}\"]")?;
                for system in self.systems().iter().filter(|system| system.phase() == phase) {
                    write_node(out, "        ", system)?;
                }
                writeln!(out, "    end")?;
            }
        }
        for edge in self.edges() {
            let arrow = if edge.is_implied() { "-.->" } else { "-->" };
            writeln!(out, "    s{} {arrow}|{}| s{}", edge.from(), edge.kind(), edge.to())?;
        }
        Ok(())
    }
}

/// Formats the graph.
struct Mermaid<'a>(&'a Description);

impl fmt::Display for Mermaid<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write_mermaid(f)
    }
}

fn write_node(
    out: &mut fmt::Formatter<'_>,
    indent: &str,
    system: &SystemDescription,
) -> fmt::Result {
    let (open, close) = if system.is_single_subtask() { ("[", "]") } else { ("[[", "]]") };
    let mut lines = vec![escape(system.name())];
    lines.extend(facts(system).iter().map(|fact| escape(fact)));
    writeln!(out, "{indent}s{}{open}\"{}\"{close}", system.index(), lines.join("<br/>"))
}

/// Escapes the text for use within quotes. Mermaid interprets entities that begin with `#` there, as well as
/// Markdown and HTML.
fn escape(text: &str) -> String {
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
    use super::escape;

    #[test]
    fn names_cannot_leave_their_quotes() {
        assert_eq!(escape("a \"b\""), "a #34;b#34;");
        assert_eq!(escape("#quot; &amp; `x`"), "#35;quot; #38;amp; #96;x#96;");
        assert_eq!(escape("Vec<Größe>\n"), "Vec#60;Größe#62;<br/>");
    }
}
