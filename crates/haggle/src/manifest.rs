//! What goes with a publication: a public manifest, and a private one from which it can be repeated.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use haggle_data::{Input, InputFile, Missing, OnMissing};
use haggle_model::Recoding;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::ask::Ask;
use crate::criterion::Threshold;
use crate::facts::AllStated;
use crate::verify::manifest_path;
use crate::{Error, Problem};

/// What everybody may know of a publication. Nothing in it helps an attacker: no digest of the
/// input, no seed, no word on what was suppressed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
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
    /// Its level, if all of its values have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u8>,
    /// Its most general level.
    pub top: u8,
    /// The values that occur.
    pub values: Vec<String>,
}

/// What only the curator may know: enough to repeat the publication on other data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PrivateManifest {
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
pub(crate) fn combinations_csv(names: &[&str], combinations: &[Combination]) -> Vec<u8> {
    let mut rows = haggle_data::sinks::Rows::default();
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
    /// What counts as missing in the published file.
    pub(crate) fn missing(&self) -> Missing {
        let policy =
            if self.unmatched.is_empty() { OnMissing::Value } else { OnMissing::Unmatched };
        Missing { marks: self.unmatched.clone(), policy }
    }

    /// The manifest beside a published file, if there is one.
    pub fn beside(file: &Path) -> Result<Option<Self>, Error> {
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

fn read<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<T, Error> {
    let bytes = std::fs::read(path).map_err(Error::io(path))?;
    serde_json::from_slice(&bytes).map_err(|error| {
        Problem::new("this is not a manifest of haggle, or it is damaged")
            .file(path)
            .line(error.line() as u64)
            .fix("name the file that `haggle publish` wrote")
            .into()
    })
}

/// A manifest as the bytes of its file.
pub(crate) fn bytes(manifest: &impl Serialize) -> Vec<u8> {
    let mut bytes = serde_json::to_vec_pretty(manifest).expect("a manifest is plain data");
    bytes.push(b'\n');
    bytes
}

/// The SHA-256 of a file, as sha256sum prints it.
pub(crate) fn sha256(path: &Path) -> Result<String, Error> {
    let mut digest = Sha256::new();
    let mut file = std::fs::File::open(path).map_err(Error::io(path))?;
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer).map_err(Error::io(path))? {
            0 => return Ok(hexadecimal(&digest.finalize())),
            n => digest.update(&buffer[..n]),
        }
    }
}

/// The SHA-256 of each file of an input, which may be embedded.
pub(crate) fn input_sha256(input: &Input) -> Result<Vec<String>, Error> {
    let one = |file: &InputFile| {
        if file.name().is_file() {
            sha256(file.name())
        } else {
            Ok(hexadecimal(&Sha256::digest(file.read()?)))
        }
    };
    input.parts().iter().map(one).collect()
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
