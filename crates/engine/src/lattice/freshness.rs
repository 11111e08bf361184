//! Whether a stored lattice still belongs to the project: what it was made from, as digests.

use std::path::Path;
use std::time::Duration;

use haggle_data::Input;
use haggle_model::{Error, Role, Silent};
use haggle_project::Project;
use haggle_project::project::Definition;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3Default;

/// File systems tell changes apart that are as far apart as this.
const SETTLED: Duration = Duration::from_secs(3);

/// What a lattice was made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Fingerprint {
    /// A digest of the data files' bytes.
    pub(crate) data: u64,
    /// The data files' size, and what the file system says of their last change: if both still hold,
    /// they are not read again.
    pub(crate) bytes: u64,
    pub(crate) changed: Option<u64>,
    /// A digest of roles, options and missing-value policy.
    pub(crate) definition: u64,
    /// A digest of the hierarchies.
    pub(crate) hierarchies: u64,
}

impl Fingerprint {
    /// The fingerprint of a project before its data is read: what changes while it is read has
    /// changed since.
    pub(crate) fn before_reading(project: &Project) -> Result<Self, Error> {
        let input = match project.data.remote {
            Some(_) => None,
            None => Some(project.input(&Silent)?),
        };
        Ok(Self {
            data: 0,
            bytes: input.as_ref().map_or(Ok(0), Input::bytes)?,
            changed: input.and_then(|input| input.changed()),
            definition: definition(project),
            hierarchies: hierarchies(project)?,
        })
    }

    /// Adds the digest of the data, once it was read.
    pub(crate) fn of_data(self, data: u64) -> Self {
        Self { data, ..self }
    }

    /// What changed since the lattice in this file was made, in words; `None` if it is fresh.
    pub(crate) fn stale(
        &self,
        project: &Project,
        lattice: &Path,
    ) -> Result<Option<&'static str>, Error> {
        if self.definition != definition(project) {
            return Ok(Some("the project file's data section or attributes changed"));
        }
        if self.hierarchies != hierarchies(project)? {
            return Ok(Some("a hierarchy changed"));
        }
        if project.data.remote.is_some() {
            return Ok(Some("the table in the database may have changed"));
        }
        let input = project.input(&Silent)?;
        let untouched = self.changed.is_some()
            && self.changed == input.changed()
            && is_settled(&input, lattice);
        if self.bytes != input.bytes()? || (!untouched && self.data != input.digest()?) {
            return Ok(Some("the data changed"));
        }
        Ok(None)
    }
}

/// Whether a lattice was written so long after the last change of its data that another change would
/// show.
fn is_settled(input: &Input, lattice: &Path) -> bool {
    let written = std::fs::metadata(lattice).and_then(|found| found.modified()).ok();
    let apart =
        written.zip(input.last_change()).map(|(written, last)| written.duration_since(last));
    apart.is_some_and(|apart| apart.is_ok_and(|apart| apart > SETTLED))
}

fn definition(project: &Project) -> u64 {
    let mut digest = Xxh3Default::new();
    let mut text = |text: &str| {
        digest.update(text.as_bytes());
        digest.update(&[0]);
    };
    let data = &project.data;
    data.paths.iter().for_each(|path| text(&path.to_string_lossy()));
    data.remote.iter().for_each(|remote| text(remote.table()));
    text(&format!("{:?} {:?} {:?}", data.options, data.missing, data.unit));
    for attribute in project.attributes.iter().filter(|a| counts(a.role)) {
        text(&format!("{} {:?} {:?}", attribute.name, attribute.role, attribute.sensitive));
    }
    digest.digest()
}

fn counts(role: Role) -> bool {
    matches!(role, Role::QuasiIdentifier | Role::Sensitive)
}

fn hierarchies(project: &Project) -> Result<u64, Error> {
    let mut digest = Xxh3Default::new();
    for attribute in project.attributes.iter().filter(|a| counts(a.role)) {
        digest.update(attribute.name.as_bytes());
        match &attribute.hierarchy {
            None => (),
            Some(Definition::File(path)) => digest.update(&project.origin.read(path)?),
            Some(Definition::Rule(rule)) => digest.update(format!("{rule:?}").as_bytes()),
        }
        if let Some(matrix) = &attribute.sensitive.matrix {
            digest.update(&project.origin.read(matrix)?);
        }
        digest.update(&[0]);
    }
    Ok(digest.digest())
}

#[cfg(test)]
#[path = "../../tests/unit/freshness.rs"]
mod tests;
