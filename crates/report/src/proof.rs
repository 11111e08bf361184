//! A published file that is read again.

use std::path::{Path, PathBuf};

use haggle_assess::{AttainedAlone, Inspection, Manifest, PublishedRecords};
use haggle_engine::Engine;
use haggle_model::{Error, Recoding, Scheme};

use crate::types::Proof;

/// A published file that was read again.
pub(crate) struct PublishedFile {
    pub(crate) path: PathBuf,
    pub(crate) inspection: Inspection,
    sha256: String,
    /// Whether it is the file of its manifest; it may have none.
    is_of_manifest: bool,
    /// The levels that its manifest names.
    pub(crate) levels: Option<Scheme>,
}

impl PublishedFile {
    /// Opens a published file.
    pub(crate) fn open(engine: &Engine, path: &Path) -> Result<Self, Error> {
        let qi = engine.attributes().into_iter().map(String::from).collect();
        let inspection = Inspection::open(path, engine.project(), Some(qi), None, engine.memory())?;
        let manifest = Manifest::next_to(path)?;
        let sha256 = haggle_output::sha256(path).map_err(Error::io(path))?;
        let is_same = |manifest: &Manifest| manifest.output.sha256 == sha256;
        let is_of_manifest = manifest.as_ref().is_none_or(is_same);
        let levels = manifest.and_then(|manifest| match manifest.recoding {
            Recoding::Levels { scheme } => Some(scheme),
            _ => None,
        });
        Ok(Self { path: path.into(), inspection, sha256, is_of_manifest, levels })
    }

    /// What is reported of the file, whose records were measured.
    pub(crate) fn proof(&self, records: &PublishedRecords, found: &AttainedAlone) -> Proof {
        Proof {
            file: self.path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            sha256: self.sha256.clone(),
            records: records.records(),
            groups: records.groups(),
            holds: found.holds && self.is_of_manifest,
        }
    }
}
