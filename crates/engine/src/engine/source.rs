//! What an engine can be opened from.

use std::path::Path;

use haggle_project::Project;

/// What an engine is opened from.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum EngineSource<'a> {
    /// A project: its stored lattice if that is fresh, else its data.
    Project(&'a Project),
    /// A lattice file alone; no data is needed.
    LatticeFile(&'a Path),
    /// The name of a project or of a lattice file. A project's own lattice file stands for the
    /// project, so that a stale one is noticed.
    Name(&'a str),
}

impl<'a> From<&'a Project> for EngineSource<'a> {
    fn from(project: &'a Project) -> Self {
        Self::Project(project)
    }
}

impl<'a> From<&'a Path> for EngineSource<'a> {
    fn from(lattice_file: &'a Path) -> Self {
        Self::LatticeFile(lattice_file)
    }
}

impl<'a> From<&'a str> for EngineSource<'a> {
    fn from(name: &'a str) -> Self {
        Self::Name(name)
    }
}
