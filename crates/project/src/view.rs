//! A hierarchy for display: its levels, its tree with the records below each value, its rows.

use std::path::Path;

use haggle_api::{Branch, HierarchyView};
use haggle_cube::Cube;
use haggle_model::{Error, Hierarchy, Level, Progress, Role, UNMATCHED};
use haggle_output::{NewFile, Readers};

use crate::Project;
use crate::project::Attribute;
use crate::survey::{Survey, survey};

impl Project {
    /// The hierarchy of a quasi-identifier as it is used, over the data of the project.
    pub fn hierarchy(
        &self,
        attribute: &str,
        progress: &dyn Progress,
    ) -> Result<HierarchyView, Error> {
        let sensitive =
            self.attributes.iter().find(|a| a.name == attribute && a.hierarchy.is_some());
        if let Some(sensitive) = sensitive.filter(|a| a.role == Role::Sensitive) {
            return self.hierarchy_of_sensitive(sensitive);
        }
        let name = attribute.to_owned();
        let Survey { attributes, scanned, .. } = survey(self, &[name], usize::MAX, progress)?;
        let cube = scanned.into_cube(attributes);
        let source = self.attributes.iter().find(|a| a.name == attribute).map(Attribute::source);
        let hierarchy = &cube.attributes()[0].hierarchy;
        let levels = (0..=hierarchy.top().into()).map(|level: u8| hierarchy.matched(level.into()));
        let path = |code: u32| hierarchy.path(code).map(str::to_owned).collect();
        Ok(HierarchyView {
            attribute: attribute.into(),
            source: source.unwrap_or_default(),
            levels: levels.collect(),
            tree: tree(hierarchy, &records(&cube)),
            rows: (0..hierarchy.matched(Level::RECORDED) as u32).map(path).collect(),
        })
    }
}

impl Project {
    /// Returns the hierarchy of a sensitive attribute that has one.
    fn hierarchy_of_sensitive(&self, attribute: &Attribute) -> Result<HierarchyView, Error> {
        let (facts, _) = self.facts(usize::MAX)?;
        let facts = facts.iter().find(|facts| facts.target.name == attribute.name);
        let known = facts.and_then(|facts| Some((facts, facts.hierarchy.as_ref()?)));
        let (facts, (hierarchy, codes)) = known.expect("a hierarchy that was stated and is sound");
        let mut records = vec![0; hierarchy.len(Level::RECORDED)];
        for (&code, &count) in codes.iter().zip(&facts.counts) {
            records[code as usize] += count;
        }
        let path = |code: u32| hierarchy.path(code).map(str::to_owned).collect();
        Ok(HierarchyView {
            attribute: attribute.name.clone(),
            source: attribute.source(),
            levels: (0..=u8::from(hierarchy.top())).map(|l| hierarchy.len(l.into())).collect(),
            tree: branches(hierarchy, &records).swap_remove(0),
            rows: (0..hierarchy.len(Level::RECORDED) as u32).map(path).collect(),
        })
    }
}

/// The records of each recorded value of a cube's only attribute.
fn records(cube: &Cube) -> Vec<u64> {
    let mut records = vec![0; cube.attributes()[0].hierarchy.len(Level::RECORDED)];
    cube.for_each_group(&cube.space().bottom(), 0, |codes, group| {
        records[codes[0] as usize] += group.records;
    });
    records
}

/// Builds the top and all below it; values that match nothing are one branch next to the others.
fn tree(hierarchy: &Hierarchy, records: &[u64]) -> Branch {
    let (known, missing) = records.split_at(hierarchy.matched(Level::RECORDED));
    let mut top = branches(hierarchy, known).swap_remove(0);
    if !missing.is_empty() {
        let records = missing.iter().sum();
        top.records += records;
        let missing = Branch { label: UNMATCHED.into(), level: 0, records, below: Vec::new() };
        // First, because the end of a long list is cut off where it is shown.
        top.below.insert(0, missing);
    }
    top
}

/// The top, and below it everything; made from the bottom up.
fn branches(hierarchy: &Hierarchy, records: &[u64]) -> Vec<Branch> {
    let leaf = |(code, &records): (u32, &u64)| Branch {
        label: hierarchy.label(code, Level::RECORDED).into(),
        level: 0,
        records,
        below: Vec::new(),
    };
    let mut branches: Vec<Branch> = (0..).zip(records).map(leaf).collect();
    for level in 0..hierarchy.top().into() {
        let parents = hierarchy.parents(level.into());
        let above = Level::from(level).up();
        let mut next: Vec<Branch> = (0..hierarchy.matched(above) as u32)
            .map(|code| hierarchy.label(code, above).to_owned())
            .map(|label| Branch { label, level: level + 1, records: 0, below: Vec::new() })
            .collect();
        for (branch, &parent) in branches.into_iter().zip(parents) {
            let parent = &mut next[parent as usize];
            parent.records += branch.records;
            parent.below.push(branch);
        }
        branches = next;
    }
    branches
}

/// Writes a hierarchy as a file, whole or not at all; an existing one is replaced only if `force`
/// allows it. Its values were recorded, so that only its owner can read it.
pub fn save_hierarchy(view: &HierarchyView, path: &Path, force: bool) -> Result<(), Error> {
    let file = NewFile { path, noun: "hierarchy", replaces: force };
    file.write(view.to_file().as_bytes(), Readers::Owner)
}
