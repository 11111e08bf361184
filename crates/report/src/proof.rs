//! The published file: its promise is measured again, and the report is about its groups.

use std::path::{Path, PathBuf};

use haggle_api::Ask;
use haggle_engine::Engine;
use haggle_model::{Error, Recoding, Scheme};
use haggle_publish::{FileRecoding, Inspection, Manifest, Verdict};

use crate::types::Proof;

/// A published file that was read again.
pub(crate) struct Checked {
    pub(crate) path: PathBuf,
    pub(crate) inspection: Inspection,
    pub(crate) proof: Proof,
    pub(crate) verdict: Verdict,
    /// The scheme of its manifest.
    pub(crate) scheme: Option<Scheme>,
}

/// Reads a published file and measures its promise.
pub(crate) fn checked(engine: &Engine, file: &Path, request: &Ask) -> Result<Checked, Error> {
    let qi = engine.attributes().into_iter().map(String::from).collect();
    let inspection = Inspection::open(file, engine.project(), Some(qi), None, engine.memory())?;
    let verdict = inspection.verify(&request.privacy)?;
    let scheme = Manifest::next_to(file)?.and_then(|manifest| match manifest.recoding {
        Recoding::Levels { scheme } => Some(scheme),
        _ => None,
    });
    let proof = Proof {
        file: file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        sha256: haggle_output::sha256(file).map_err(Error::io(file))?,
        records: verdict.records,
        groups: verdict.groups,
        holds: verdict.is_yes(),
        attained: verdict.attained.iter().cloned().collect(),
    };
    Ok(Checked { path: file.into(), inspection, proof, verdict, scheme })
}

impl Checked {
    /// Returns whether the file has just the groups that a request leaves of a scheme.
    pub(crate) fn is_planned(
        &self,
        engine: &Engine,
        request: &Ask,
        found: &FileRecoding<'_>,
    ) -> Result<bool, Error> {
        let FileRecoding { recoded, suppressed } = found;
        if recoded.levels().is_none() || self.verdict.starred > 0 {
            return Ok(false);
        }
        Ok(recoded.failing(&engine.criteria(request)?).groups == suppressed.groups)
    }
}
