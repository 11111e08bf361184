//! The parts of a report, before it becomes a page or Markdown.

use haggle_api::{BeforeAfter, Threshold};
use haggle_model::numerals::{number, thousands};

/// How many values of one attribute are listed.
const LISTED: usize = 40;

/// A part of a section.
pub(crate) enum Element {
    Paragraph(String),
    /// Names with values.
    Facts(Vec<(String, String)>),
    Table {
        head: Vec<String>,
        rows: Vec<Vec<String>>,
    },
    /// A picture as SVG.
    Picture(String),
}

/// A section with its heading.
pub(crate) struct ReportSection {
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    pub(crate) blocks: Vec<Element>,
}

pub(crate) fn section(
    id: &'static str,
    title: &'static str,
    blocks: Vec<Element>,
) -> ReportSection {
    ReportSection { id, title, blocks }
}

pub(crate) fn paragraph(text: impl Into<String>) -> Element {
    Element::Paragraph(text.into())
}

pub(crate) fn table(head: &[&str], rows: Vec<Vec<String>>) -> Element {
    Element::Table { head: head.iter().map(|&cell| cell.to_owned()).collect(), rows }
}

pub(crate) fn fact(name: &str, value: impl Into<String>) -> (String, String) {
    (name.into(), value.into())
}

/// A threshold as text.
pub(crate) fn threshold(threshold: &Threshold) -> String {
    match serde_json::to_value(threshold) {
        Ok(serde_json::Value::Number(value)) => value.as_f64().map_or(value.to_string(), number),
        Ok(value) => value.to_string().replace(['"', '{', '}'], "").replace(':', " = "),
        Err(_) => String::new(),
    }
}

/// A number before and after, as text.
pub(crate) fn pair(pair: BeforeAfter) -> [String; 2] {
    [pair.before, pair.after].map(|value| format!("{value:.3}"))
}

/// The first values, and how many more there are.
pub(crate) fn listed(values: &[String]) -> String {
    let first = values.iter().take(LISTED).cloned().collect::<Vec<_>>().join(", ");
    match values.len().saturating_sub(LISTED) {
        0 => first,
        more => format!("{first} and {} more", thousands(more as u64)),
    }
}
