//! How a program verifies a published file: step by step, with a default for everything.

use std::path::PathBuf;

use haggle_api::Ask;
use haggle_assess::{Assessment, Inspection, Verdict};
use haggle_cube::Limits;
use haggle_model::Error;
use haggle_project::Project;

/// A published file that is about to be verified; see [`verify`].
#[derive(Debug, Clone)]
#[must_use]
pub struct Verification {
    file: PathBuf,
    request: Ask,
    project: Option<Project>,
    qi: Option<Vec<String>>,
    sensitive: Option<Vec<String>>,
    memory: usize,
}

/// Starts verifying a published file. What its columns mean comes from the names given, else from
/// the project, else from the manifest next to the file.
///
/// ```
/// # let folder = std::env::temp_dir().join(format!("haggle-verification-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # let out = folder.join("out.csv");
/// std::fs::write(&out, "age,race\n20-29,any\n20-29,any\n30-39,any\n30-39,any\n")?;
/// let verdict = haggle::verify(&out).qi(["age", "race"]).against(&haggle::Request::k(2)).run()?;
/// assert!(verdict.holds);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn verify(file: impl Into<PathBuf>) -> Verification {
    Verification {
        file: file.into(),
        request: Ask::default(),
        project: None,
        qi: None,
        sensitive: None,
        memory: Limits::default().memory,
    }
}

impl Verification {
    /// Names the request whose thresholds must hold. The other thresholds of a project are added.
    pub fn against(mut self, request: &Ask) -> Self {
        self.request = request.clone();
        self
    }

    /// Names the project behind the file.
    pub fn project(mut self, project: &Project) -> Self {
        self.project = Some(project.clone());
        self
    }

    /// Names the quasi-identifiers.
    pub fn qi<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.qi = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Names the sensitive attributes.
    pub fn sensitive<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.sensitive = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Limits the memory for counting, in bytes.
    pub fn memory(mut self, bytes: usize) -> Self {
        self.memory = bytes;
        self
    }

    /// Says whether every group passes every threshold.
    pub fn run(self) -> Result<Verdict, Error> {
        let request = self.request.clone();
        let inspection = self.open()?;
        inspection.verify(&inspection.with_other_thresholds(&request).privacy)
    }

    /// Measures every statistic of the file; no request is needed.
    pub fn assess(self) -> Result<Assessment, Error> {
        self.open()?.assess()
    }

    fn open(self) -> Result<Inspection, Error> {
        let Self { file, project, qi, sensitive, memory, .. } = self;
        Inspection::open(&file, project.as_ref(), qi, sensitive, memory)
    }
}
