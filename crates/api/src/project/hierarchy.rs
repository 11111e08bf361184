//! A hierarchy to look at.

use serde::Serialize;

/// A hierarchy as it is used, with the records that lie below each of its values.
///
/// ```
/// let project = haggle::Project::open("demo:adult")?;
/// let race = project.hierarchy("race", &haggle::Silent)?;
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

/// A hierarchy in which no value is more uncertain than the value above it, and what was merged.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RepairedHierarchy {
    /// What was merged, in order.
    pub merged: Vec<MergedValues>,
    /// The repaired hierarchy.
    #[serde(flatten)]
    pub hierarchy: HierarchyView,
}

/// Two values that became one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MergedValues {
    /// Their level.
    pub level: u8,
    /// The two values.
    pub values: Vec<String>,
    /// What they are called now.
    pub into: String,
    /// The entropy of the recorded values below the one that was too uncertain, in bits.
    pub entropy: f64,
    /// The entropy below the value above both.
    pub above: f64,
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
}

/// A label as a field, quoted where a reader would split it.
fn field(label: &str) -> String {
    if label.is_empty() || label.contains([';', '"', '\n', '\r']) {
        return format!("\"{}\"", label.replace('"', "\"\""));
    }
    label.into()
}
