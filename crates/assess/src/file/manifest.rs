//! What goes with a publication: a public manifest, and a private one from which it can be repeated.

mod policy;

use std::collections::BTreeMap;
use std::path::Path;

use haggle_api::{Ask, Threshold};
use haggle_data::{Input, InputFile, Missing, OnMissing};
use haggle_model::{Error, ErrorKind, Level, Problem, Recoding, Silent};
use haggle_project::Project;
use haggle_project::facts::AllStated;
use haggle_project::files::manifest_path;
use serde::{Deserialize, Serialize};

use crate::anatomy::SensitiveTable;
use crate::distance::PublishedDistance;

/// The version of the format of manifests that this haggle writes. Version 1, of haggle 0.1.0, did
/// not name itself.
pub const FORMAT: u32 = 2;
/// The name of the private manifest in its folder.
pub const POLICY: &str = "policy.json";
/// What the private manifest says of itself.
pub const PRIVATE: &str =
    "Private: it holds values and counts of the data. Keep it as secret as the data.";

fn first_format() -> u32 {
    1
}

/// What everybody may know of a publication. It follows from the published records and from what
/// the curator stated: whatever else was suppressed or dropped, it would be the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the manifest's format.
    #[serde(default = "first_format")]
    pub version: u32,
    /// The version of haggle.
    pub haggle: String,
    /// The published file, or table of a database.
    pub output: OutputFile,
    /// What was applied.
    pub recoding: Recoding,
    /// The quasi-identifiers with their levels and published values.
    pub attributes: Vec<PublishedAttribute>,
    /// The sensitive attributes.
    pub sensitive: Vec<String>,
    /// The columns that the promise holds over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub promise_over: Vec<String>,
    /// The columns that were published as recorded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unchanged: Vec<String>,
    /// The column that names the persons, if it was published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// What was measured in the written file, by model; models that compare groups with the whole
    /// are measured by the file alone.
    pub guarantees: BTreeMap<String, Threshold>,
    /// What was promised, with every word settled on, as `--privacy` takes it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub promises: Vec<String>,
    /// By sensitive attribute, how far apart its values are; t-closeness is measured by that.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub distances: BTreeMap<String, PublishedDistance>,
    /// Whether suppressed records are in the file, with `*` in every quasi-identifier. If not, such
    /// records are a group like any other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stars: Option<bool>,
    /// Whether sizes are of persons.
    #[serde(default)]
    pub persons: bool,
    /// Fields that are just this are missing and match nothing; empty where missing is a value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unmatched: Vec<String>,
    /// Whether text that spreadsheets take for formulas has a `'` before it in the file. Values here
    /// are without it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub spreadsheet_safe: bool,
    /// The table of sensitive values, where the publication is two tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anatomy: Option<SensitiveTable>,
}

/// A published file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutputFile {
    /// Its name.
    pub file: String,
    /// Its SHA-256; a table in a database has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sha256: String,
    /// The records in it.
    pub records: u64,
}

/// A quasi-identifier as published.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PublishedAttribute {
    /// Its name.
    pub name: String,
    /// The lowest level at which its published values are as they are, if all of them have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u8>,
    /// The values that occur, by the number that they begin with, then as text.
    pub values: Vec<String>,
}

/// What only the curator may know: enough to repeat the publication on other data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PrivateManifest {
    /// Says that it is private.
    #[serde(default)]
    pub note: String,
    /// The version of the manifest's format.
    #[serde(default = "first_format")]
    pub version: u32,
    /// The public manifest.
    pub public: Manifest,
    /// The SHA-256 of each input file.
    pub input_sha256: Vec<String>,
    /// What was asked.
    pub asked: Ask,
    /// Records read.
    #[serde(default)]
    pub read: u64,
    /// Records left out because a value was missing.
    #[serde(default)]
    pub dropped: u64,
    /// Records that were counted: those read without those left out for a missing value.
    pub records: u64,
    /// Records suppressed.
    pub suppressed: u64,
    /// What was asked to be done with suppressed records: `drop` or `star`.
    pub suppress: String,
    /// Records published with `*` in every quasi-identifier.
    #[serde(default)]
    pub starred: u64,
    /// Models that suppressed records would have failed as a group of their own, so that they were
    /// dropped although stars were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stars_failed: Vec<String>,
    /// The name of the flag column, if there is one.
    pub flag: Option<String>,
    /// The columns that were named to be published as recorded.
    #[serde(default)]
    pub as_recorded: Vec<String>,
    /// The seed of the random order; none if the order of the table was kept, or the database
    /// chose one.
    pub seed: Option<u64>,
    /// By attribute, the published value of each recorded one.
    pub mapping: BTreeMap<String, BTreeMap<String, String>>,
    /// What was applied, in full; without it, what the public manifest says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recoding: Option<Recoding>,
    /// What each recorded combination was published as, where values depend on each other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub combinations: Vec<Combination>,
    /// By sensitive attribute, how many input records have each value.
    pub reference: BTreeMap<String, BTreeMap<String, u64>>,
    /// What was promised, as `--privacy` takes it.
    #[serde(default)]
    pub promises: Vec<String>,
    /// What was attained against the input, by model.
    #[serde(default)]
    pub attained: BTreeMap<String, Threshold>,
    /// What the project stated of its sensitive attributes.
    #[serde(default)]
    pub stated: AllStated,
}

/// A recorded combination of quasi-identifiers and what it was published as.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Combination {
    /// The recorded values.
    pub recorded: Vec<String>,
    /// The published ones.
    pub published: Vec<String>,
}

/// Combinations as a CSV file: the recorded values, then the published ones.
pub fn combinations_csv(names: &[&str], combinations: &[Combination]) -> Vec<u8> {
    let mut rows = haggle_data::sinks::TextRows::default();
    let published: Vec<String> = names.iter().map(|name| format!("published {name}")).collect();
    names.iter().copied().chain(published.iter().map(AsRef::as_ref)).for_each(|n| rows.field(n));
    rows.end();
    for Combination { recorded, published } in combinations {
        recorded.iter().chain(published).for_each(|value| rows.field(value));
        rows.end();
    }
    rows.to_csv()
}

impl Manifest {
    /// What it states of the sensitive attributes.
    pub(crate) fn stated(&self) -> AllStated {
        self.distances.iter().map(|(name, distance)| (name.clone(), distance.stated())).collect()
    }

    /// What counts as missing in the published file.
    pub(crate) fn missing(&self) -> Missing {
        let policy =
            if self.unmatched.is_empty() { OnMissing::Value } else { OnMissing::Unmatched };
        Missing { marks: self.unmatched.clone(), policy }
    }

    /// By quasi-identifier, the level of its values, where all of them have one.
    pub(crate) fn levels(&self) -> BTreeMap<String, Level> {
        let level = |a: &PublishedAttribute| Some((a.name.clone(), Level::from(a.level?)));
        self.attributes.iter().filter_map(level).collect()
    }

    /// The manifest next to a published file, if there is one.
    pub fn next_to(file: &Path) -> Result<Option<Self>, Error> {
        let path = manifest_path(file);
        if !path.is_file() {
            return Ok(None);
        }
        read(&path).map(Some)
    }
}

impl PrivateManifest {
    /// A private manifest from its file.
    pub fn open(path: &Path) -> Result<Self, Error> {
        read(path)
    }
}

/// Reads a manifest of this format or an older one.
fn read<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<T, Error> {
    let bytes = std::fs::read(path).map_err(Error::io(path))?;
    let parsed = serde_json::from_slice(&bytes);
    match (parsed, format(&bytes)) {
        (_, Some(newer)) if newer > u64::from(FORMAT) => {
            let what =
                format!("this manifest has version {newer}, and this haggle reads up to {FORMAT}");
            Err(Problem::new(what)
                .of_kind(ErrorKind::Unsupported)
                .file(path)
                .fix("use the haggle that wrote it, or a newer one")
                .into())
        }
        (Ok(manifest), _) => Ok(manifest),
        (Err(_), Some(older)) if older < u64::from(FORMAT) => {
            let what =
                format!("this manifest has version {older}, and lacks what this haggle needs");
            Err(Problem::new(what)
                .of_kind(ErrorKind::Unsupported)
                .file(path)
                .fix("publish again, or use the haggle that wrote it")
                .into())
        }
        (Err(error), _) => Err(Problem::new("this is not a manifest of haggle, or it is damaged")
            .file(path)
            .line(error.line() as u64)
            .fix("name the file that was written with a publication")
            .into()),
    }
}

/// The version of a manifest, if it looks like one.
fn format(bytes: &[u8]) -> Option<u64> {
    let value: serde_json::Value = serde_json::from_slice(bytes).ok()?;
    let manifest = value.get("output").or(value.get("public"))?;
    manifest.is_object().then(|| value.get("version").map_or(Some(1), serde_json::Value::as_u64))?
}

/// A manifest of any version, as plain JSON.
fn value(path: &Path) -> Option<serde_json::Value> {
    let bytes = std::fs::read(path).ok()?;
    format(&bytes).and_then(|_| serde_json::from_slice(&bytes).ok())
}

/// Whether this is a public manifest that names this file.
pub fn names(manifest: &Path, file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    value(manifest).is_some_and(|manifest| manifest["output"]["file"] == *name)
}

/// Whether this is a public manifest that names this file as its table of sensitive values.
pub fn names_sensitive(manifest: &Path, file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    value(manifest).is_some_and(|manifest| manifest["anatomy"]["file"] == *name)
}

/// Whether this is a public manifest.
pub fn is_public(path: &Path) -> bool {
    value(path).is_some_and(|manifest| manifest["output"]["file"].is_string())
}

/// The attributes that a private manifest has mappings of, if it is one.
pub fn mapped(path: &Path) -> Option<Vec<String>> {
    let policy = value(path).filter(|policy| policy["public"].is_object())?;
    Some(policy["mapping"].as_object()?.keys().cloned().collect())
}

/// The name of the file with an attribute's mapping. Different attributes have different files.
pub fn mapping_file(attribute: &str) -> String {
    let plain = |c: char| !matches!(c, '/' | '\\' | '%' | ':') && !c.is_control();
    let encoded = |c: char| {
        if plain(c) { c.to_string() } else { format!("%{:02X}", u32::from(c)) }
    };
    format!("mapping-{}.csv", attribute.chars().map(encoded).collect::<String>())
}

/// A manifest as the bytes of its file.
pub fn bytes(manifest: &impl Serialize) -> Vec<u8> {
    let mut bytes = serde_json::to_vec_pretty(manifest).expect("a manifest is plain data");
    bytes.push(b'\n');
    bytes
}

/// The SHA-256 of a file, as sha256sum prints it.
pub fn sha256(path: &Path) -> Result<String, Error> {
    haggle_output::sha256(path).map_err(Error::io(path))
}

/// Returns the SHA-256 of each input file of a project; none of a table in a database.
pub fn input_hashes(project: &Project) -> Result<Vec<String>, Error> {
    if project.is_in_database() {
        return Ok(Vec::new());
    }
    input_sha256(&project.input(&Silent)?)
}

/// The SHA-256 of each file of an input, which may be embedded.
pub fn input_sha256(input: &Input) -> Result<Vec<String>, Error> {
    let one = |file: &InputFile| {
        if file.name().is_file() {
            sha256(file.name())
        } else {
            haggle_output::sha256_from(file.reader()?).map_err(Error::io(file.name()))
        }
    };
    input.parts().iter().map(one).collect()
}

#[cfg(test)]
#[path = "../../tests/unit/manifest.rs"]
mod tests;
