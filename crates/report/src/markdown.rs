//! A report as Markdown.

use crate::document::{Element, ReportSection, sections, subtitle, title};
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
