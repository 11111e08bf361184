//! A hierarchy file that was pasted as text, as groups of values level by level.

use std::path::Path;

use haggle_api::setup::{HierarchyRule, LabelledGroup};
use haggle_data::parse_hierarchy;
use haggle_model::{Error, Hierarchy, Level};

/// Reads rows as a hierarchy file has them; the result needs no file next to the project.
pub(super) fn rule(column: &str, text: &str) -> Result<Option<HierarchyRule>, Error> {
    let hierarchy = parse_hierarchy(column, Path::new("the pasted text"), text.as_bytes())?;
    let top: u8 = hierarchy.top().into();
    let levels: Vec<_> = (1..top).map(|level| groups(&hierarchy, level)).collect();
    if levels.is_empty() {
        return Ok(None);
    }
    Ok(Some(HierarchyRule::Groups { levels, order: None, rest: None }))
}

/// The values of a level, each with the values below it.
fn groups(hierarchy: &Hierarchy, level: u8) -> Vec<LabelledGroup> {
    let below = Level::from(level - 1);
    let label = |code: usize| hierarchy.label(code as u32, level.into()).to_owned();
    let group = |code: usize| LabelledGroup { label: label(code), members: Vec::new() };
    let mut groups: Vec<_> = (0..hierarchy.len(level.into())).map(group).collect();
    for (code, &parent) in (0..).zip(hierarchy.parents(below)) {
        groups[parent as usize].members.push(hierarchy.label(code, below).to_owned());
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pasted_file_becomes_groups_of_groups() {
        let text = "Ulm;South;DE;*\nBonn;West;DE;*\nParis;Seine;FR;*\n";
        let Some(HierarchyRule::Groups { levels, .. }) = rule("town", text).unwrap() else {
            panic!("no groups")
        };
        let named: Vec<Vec<&str>> =
            levels.iter().map(|l| l.iter().map(|g| g.label.as_str()).collect()).collect();
        assert_eq!(levels.len(), 2);
        let mut countries = named[1].clone();
        countries.sort_unstable();
        assert_eq!(countries, ["DE", "FR"]);
        let germany = levels[1].iter().find(|group| group.label == "DE").unwrap();
        let mut members = germany.members.clone();
        members.sort_unstable();
        assert_eq!(members, ["South", "West"]);
    }

    #[test]
    fn values_and_a_star_are_no_rule_and_nonsense_is_refused() {
        assert_eq!(rule("sex", "f;*\nm;*\n").unwrap(), None);
        assert!(rule("sex", "").is_err());
        assert!(rule("sex", "f;x;*\nf;y;*\n").is_err());
    }
}
