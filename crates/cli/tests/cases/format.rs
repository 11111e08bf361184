//! The parts of a case file.

use std::fmt::Write as _;

/// A section: the word after `---`, the rest of that line, and the lines below.
pub(super) struct Section {
    pub(super) kind: String,
    pub(super) rest: String,
    pub(super) body: String,
}

/// A case file: what it shows, then its sections.
pub(super) struct CaseFile(pub(super) Vec<Section>);

impl CaseFile {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut sections: Vec<Section> = Vec::new();
        let mut title = String::new();
        for line in text.lines() {
            match (line.strip_prefix("--- "), sections.last_mut()) {
                (Some(head), _) => {
                    let (kind, rest) = head.split_once(' ').unwrap_or((head, ""));
                    let (kind, rest) = (kind.to_owned(), rest.trim().to_owned());
                    sections.push(Section { kind, rest, body: String::new() });
                }
                (None, Some(section)) => writeln!(section.body, "{line}").unwrap(),
                (None, None) => title += line,
            }
        }
        if title.trim().is_empty() {
            return Err("the first lines say what the case shows".into());
        }
        Ok(Self(sections))
    }
}

/// The project file of `--- project q, r | s`: these quasi-identifiers without a hierarchy and these
/// sensitive attributes, with more lines of `[data]`.
pub(super) fn project(names: &str, data: &str) -> String {
    let (quasi_identifiers, sensitive) = names.split_once('|').unwrap_or((names, ""));
    let mut text = format!("[data]\npath = \"d.csv\"\n{data}");
    for (names, role) in [(quasi_identifiers, "quasi-identifier"), (sensitive, "sensitive")] {
        for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            write!(text, "\n[[attribute]]\nname = \"{name}\"\nrole = \"{role}\"\n").unwrap();
        }
    }
    text
}

/// The table of `--- records`: a line that ends in `×3` stands for three.
pub(super) fn records(body: &str) -> Result<String, String> {
    let mut table = String::new();
    for line in body.lines() {
        let (record, times) = line.rsplit_once(" ×").unwrap_or((line, "1"));
        let times: usize = times.trim().parse().map_err(|_| format!("{line}: how often?"))?;
        table += &format!("{record}\n").repeat(times);
    }
    Ok(table)
}
