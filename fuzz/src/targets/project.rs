//! Project files.

use std::path::Path;

use haggle::{Ask, Project};

use super::Verdict;
use crate::properties::refused_by;

pub(super) fn check(input: &[u8]) -> Verdict {
    let text = String::from_utf8_lossy(input);
    let project = match Project::from_text(&text, Path::new("")) {
        Ok(project) => project,
        Err(error) => return refused_by(error, input),
    };
    let chosen = project.default_qi();
    let distinct: std::collections::BTreeSet<_> = chosen.iter().collect();
    assert_eq!(distinct.len(), chosen.len(), "a quasi-identifier is listed twice");
    let json = serde_json::to_string(project.defaults()).expect("defaults are plain data");
    let read: Ask = serde_json::from_str(&json).unwrap_or_else(|e| panic!("{e}: {json}"));
    assert_eq!(&read, project.defaults(), "defaults survive JSON");
    Verdict::Accepted
}
