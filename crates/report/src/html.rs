//! A report as one page of HTML that needs nothing else.

use crate::document::{sections, subtitle, title};
use crate::sections::{Element, ReportSection};
use crate::types::PublicationDossier;
use haggle_api::ReportForm;

/// Tables with at most this many rows stay on one printed page.
const SMALL: usize = 16;
const STYLE: &str = include_str!("report.css");

/// Formats a report as a page. It is valid XML as well, refers to nothing outside and runs nothing.
pub(crate) fn page(report: &PublicationDossier) -> String {
    let (title, sections) = (escaped(&title(report)), sections(report));
    let class = match report.form {
        ReportForm::Public => "public",
        ReportForm::Private => "private",
    };
    let links: String = sections
        .iter()
        .map(|one| format!("<li><a href=\"#{}\">{}</a></li>", one.id, escaped(one.title)))
        .collect();
    let body: String = sections.iter().map(section).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body class=\"{class}\">\n\
         <header>\n<h1>{title}</h1>\n<p>{}</p>\n</header>\n<nav><ul>{links}</ul></nav>\n\
         <main>\n{body}</main>\n</body>\n</html>\n",
        escaped(&subtitle(report)),
    )
}

fn section(one: &ReportSection) -> String {
    let blocks: String = one.blocks.iter().map(block).collect();
    format!("<section id=\"{}\">\n<h2>{}</h2>\n{blocks}</section>\n", one.id, escaped(one.title))
}

fn block(block: &Element) -> String {
    match block {
        Element::Paragraph(text) => format!("<p>{}</p>\n", escaped(text)),
        Element::Facts(facts) => {
            let fact = |(name, value): &(String, String)| {
                format!("<dt>{}</dt><dd>{}</dd>\n", escaped(name), escaped(value))
            };
            format!("<dl>\n{}</dl>\n", facts.iter().map(fact).collect::<String>())
        }
        Element::Table { head, rows } => table(head, rows),
        Element::Picture(svg) => format!("<figure>{svg}</figure>\n"),
    }
}

fn table(head: &[String], rows: &[Vec<String>]) -> String {
    let numeric: Vec<bool> = (0..head.len())
        .map(|column| !rows.is_empty() && rows.iter().all(|row| is_number(&row[column])))
        .collect();
    let line = |name: &str, cells: &[String]| {
        let cells = cells.iter().zip(&numeric).enumerate();
        let cells = cells.map(|(column, (cell, &number))| {
            let class = match (number, column) {
                (true, _) => " class=\"number\"",
                (false, 0) => " class=\"name\"",
                _ => "",
            };
            format!("<{name}{class}>{}</{name}>", escaped(cell))
        });
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let is_plain = head.iter().all(String::is_empty);
    let head =
        if is_plain { String::new() } else { format!("<thead>\n{}</thead>\n", line("th", head)) };
    let body: String = rows.iter().map(|row| line("td", row)).collect();
    let class = if rows.len() <= SMALL { " class=\"small\"" } else { "" };
    format!("<table{class}>\n{head}<tbody>\n{body}</tbody>\n</table>\n")
}

fn is_number(cell: &str) -> bool {
    let digits = cell.trim_end_matches(" %").replace(',', "");
    digits.parse::<f64>().is_ok() || ["none", "not checked", "not measured"].contains(&cell)
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // XML has no place for other control characters.
            c if c.is_control() && !matches!(c, '\n' | '\t') => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}
