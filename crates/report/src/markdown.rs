//! A report as Markdown.

use crate::document::{sections, subtitle, title};
use crate::sections::{Element, ReportSection};
use crate::types::PublicationDossier;

/// Formats a report as Markdown with tables. Pictures are left out: their numbers are in tables.
pub(crate) fn text(report: &PublicationDossier) -> String {
    let sections: String = sections(report).iter().map(section).collect();
    format!("# {}\n\n{}\n{sections}", escaped(&title(report)), escaped(&subtitle(report)))
}

fn section(section: &ReportSection) -> String {
    let blocks: String = section.blocks.iter().map(block).collect();
    format!("\n## {}\n{blocks}", escaped(section.title))
}

fn block(block: &Element) -> String {
    match block {
        Element::Paragraph(text) => format!("\n{}\n", escaped(text)),
        Element::Facts(facts) => {
            let fact = |(name, value): &(String, String)| {
                format!("- {}: {}\n", escaped(name), escaped(value))
            };
            format!("\n{}", facts.iter().map(fact).collect::<String>())
        }
        Element::Table { head, rows } => {
            let line = |cells: &Vec<String>| {
                let cells: Vec<String> = cells.iter().map(|cell| escaped(cell)).collect();
                format!("| {} |\n", cells.join(" | "))
            };
            let rule = format!("|{}\n", "---|".repeat(head.len()));
            let rows: String = rows.iter().map(line).collect();
            format!("\n{}{rule}{rows}", line(head))
        }
        Element::Picture(_) => String::new(),
    }
}

/// Text without anything that Markdown would take for markup.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '|' | '*' | '_' | '`' | '[' | ']' | '<' | '>' | '#' => {
                escaped.push('\\');
                escaped.push(c);
            }
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_the_data_are_no_markup() {
        for (label, expected) in [
            ("20-29", "20-29"),
            ("*", "\\*"),
            ("a|b", "a\\|b"),
            ("[x](y)", "\\[x\\](y)"),
            ("<b>", "\\<b\\>"),
            ("one\ntwo", "one two"),
        ] {
            assert_eq!(escaped(label), expected);
        }
    }

    #[test]
    fn a_table_has_a_rule_below_its_head_and_a_line_for_each_row() {
        let cells = |cells: &[&str]| cells.iter().map(|&cell| cell.into()).collect::<Vec<String>>();
        let rows = vec![cells(&["age", "1|2"]), cells(&["zip", "0"])];
        let table = Element::Table { head: cells(&["column", "unique"]), rows };
        let expected = "\n| column | unique |\n|---|---|\n| age | 1\\|2 |\n| zip | 0 |\n";
        assert_eq!(block(&table), expected);
    }
}
