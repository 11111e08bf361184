//! A hierarchy to look at: its levels, its tree with the records below each value, its rows.

use std::path::Path;

use haggle_cube::Cube;
use haggle_model::{Hierarchy, Level, Role, UNMATCHED};
use serde::Serialize;

use crate::atomic::write_new;
use crate::project::Attribute;
use crate::survey::{Survey, survey, unstopped};
use crate::{Error, Project};

/// A hierarchy as it is used, with the records that lie below each of its values.
///
/// ```
/// let project = haggle::Project::open("demo:adult")?;
/// let race = project.hierarchy("race", &|_| ())?;
/// assert_eq!(race.source, "hierarchies/race.csv");
/// assert_eq!((race.tree.label.as_str(), race.tree.records), ("*", 30_162));
/// assert_eq!(race.rows[0].len(), race.levels.len());
/// # Ok::<(), haggle::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HierarchyView {
    /// The attribute.
    pub attribute: String,
    /// Where the hierarchy comes from.
    pub source: String,
    /// How many values each level has, from the values as recorded to the top.
    pub levels: Vec<usize>,
    /// The tree from the top down.
    pub tree: Branch,
    /// A row for each recorded value, as a hierarchy file has them.
    #[serde(skip)]
    pub rows: Vec<Vec<String>>,
}

/// A value of a level and what lies below it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Branch {
    /// The value.
    pub label: String,
    /// Its level.
    pub level: u8,
    /// The records with a value below this one, missing values handled as the project says.
    pub records: u64,
    /// The values of the next lower level that belong to it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schema(no_recursion))]
    pub below: Vec<Branch>,
}

impl HierarchyView {
    /// The hierarchy as a file: `;` between levels, a row for each value.
    pub fn to_file(&self) -> String {
        let line = |row: &Vec<String>| {
            let fields: Vec<String> = row.iter().map(|label| field(label)).collect();
            fields.join(";") + "\n"
        };
        self.rows.iter().map(line).collect()
    }

    /// Writes that file, whole or not at all; over an old one only if `force` allows it.
    pub fn save(&self, path: &Path, force: bool) -> Result<(), Error> {
        write_new(path, self.to_file().as_bytes(), force)
    }
}

/// A label as a field, quoted where a reader would split it.
fn field(label: &str) -> String {
    if label.is_empty() || label.contains([';', '"', '\n', '\r']) {
        return format!("\"{}\"", label.replace('"', "\"\""));
    }
    label.into()
}

impl Project {
    /// The hierarchy of a quasi-identifier as it is used, over the data of the project.
    pub fn hierarchy(
        &self,
        attribute: &str,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<HierarchyView, Error> {
        let sensitive =
            self.attributes.iter().find(|a| a.name == attribute && a.hierarchy.is_some());
        if let Some(sensitive) = sensitive.filter(|a| a.role == Role::Sensitive) {
            return self.hierarchy_of_sensitive(sensitive);
        }
        let name = attribute.to_owned();
        let Survey { attributes, scanned, .. } =
            survey(self, &[name], usize::MAX, &unstopped(progress))?;
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
    /// The same for a sensitive attribute that has one.
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

/// The top and all below it; what matches nothing is one branch beside the others.
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
