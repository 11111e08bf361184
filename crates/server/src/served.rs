//! The project that is served, opened again when one of its files changes; another one may take its
//! place.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use haggle::Project;
use haggle::reports::Columns;
use tokio::sync::OnceCell;

use crate::engines::Engines;
use crate::failure::Failure;
use crate::instants::Instants;

/// How often files are checked for changes, at most.
const CHECK_INTERVAL: Duration = Duration::from_millis(500);

/// A project with everything that was computed from it.
pub(crate) struct OpenProject {
    pub(crate) project: Arc<Project>,
    pub(crate) engines: Arc<Engines>,
    pub(crate) instants: Instants,
    /// The columns of the data, read once.
    pub(crate) columns: OnceCell<Columns>,
}

impl OpenProject {
    fn new(project: Project, memory: usize) -> io::Result<Self> {
        let project = Arc::new(project);
        let engines = Engines::new(project.clone(), memory)?;
        let instants = Instants::new(project.clone(), memory);
        Ok(Self { project, engines, instants, columns: OnceCell::new() })
    }
}

/// What a project is opened with, now and after each change.
#[derive(Clone)]
pub(crate) struct OpenOptions {
    /// The quasi-identifiers; the project's own choice if not given.
    pub(crate) qi: Option<Vec<String>>,
    /// Bytes for each lattice.
    pub(crate) memory: usize,
}

/// The project that is served, or its problems.
pub(crate) struct ServedProject {
    current: Mutex<Current>,
    /// What was served before another project took its place.
    first: Mutex<Option<Current>>,
}

/// A project as its files were at one moment.
struct Current {
    options: OpenOptions,
    /// Grows whenever a file changed.
    version: u64,
    /// The project file; none for the embedded project.
    file: Option<PathBuf>,
    opened: Result<Arc<OpenProject>, Failure>,
    /// The files that are checked for changes.
    files: Vec<PathBuf>,
    stamps: Vec<Stamp>,
    checked: Instant,
}

/// Size and time of a file; none where there is no file.
type Stamp = Option<(u64, Option<SystemTime>)>;

impl ServedProject {
    /// Serves a project, or reports why there is none.
    pub(crate) fn new(project: Result<Project, haggle::Error>, options: OpenOptions) -> Self {
        let current = Mutex::new(Current::open(None, project, options));
        Self { current, first: Mutex::default() }
    }

    /// Reports the problems of a project file until they are solved.
    pub(crate) fn unreadable(file: &Path, problems: haggle::Error, options: OpenOptions) -> Self {
        let current = Mutex::new(Current::open(Some(file), Err(problems), options));
        Self { current, first: Mutex::default() }
    }

    /// The project as its files are now.
    pub(crate) fn current(&self) -> Result<Arc<OpenProject>, Failure> {
        self.checked().opened.clone()
    }

    /// A number that grows whenever a file of the project changed.
    pub(crate) fn version(&self) -> u64 {
        self.checked().version
    }

    /// The project as it was when files were last checked.
    pub(crate) fn last(&self) -> Option<Arc<OpenProject>> {
        lock(&self.current).opened.clone().ok()
    }

    fn checked(&self) -> MutexGuard<'_, Current> {
        let mut current = lock(&self.current);
        if current.is_due() && current.stamps != stamps(&current.files) {
            // What is under way was asked of the old project and ends by itself.
            let next = current.again();
            *current = next;
        }
        current
    }

    /// Serves another project from now on, with the quasi-identifiers that it names itself. What is
    /// under way was asked of the earlier one and ends by itself.
    pub(crate) fn replace(&self, project: Project) -> Result<(), Failure> {
        let mut current = lock(&self.current);
        let options = OpenOptions { qi: None, ..current.options.clone() };
        let next = Current::open(None, Ok(project), options);
        let next = Current { version: current.version + 1, ..next };
        next.opened.clone()?;
        let before = std::mem::replace(&mut *current, next);
        lock(&self.first).get_or_insert(before);
        Ok(())
    }

    /// Serves again what was served first.
    pub(crate) fn restore(&self) {
        let mut current = lock(&self.current);
        if let Some(first) = lock(&self.first).take() {
            *current = Current { version: current.version + 1, ..first };
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Current {
    /// A project at its first version; `file` is that of a project that cannot be read.
    fn open(
        file: Option<&Path>,
        project: Result<Project, haggle::Error>,
        options: OpenOptions,
    ) -> Self {
        let files = match &project {
            Ok(project) => project.files(),
            Err(_) => file.into_iter().map(Path::to_owned).collect(),
        };
        // Before the files are read, so that a change meanwhile is noticed.
        let (stamps, checked) = (stamps(&files), Instant::now());
        let file = files.first().cloned();
        let opened = opened(project, &options);
        Self { options, version: 0, file, opened, files, stamps, checked }
    }

    /// Reads the project again. A file with problems names no others, so that those which were
    /// checked before still are.
    fn again(&self) -> Self {
        let file = self.file.clone().unwrap_or_default();
        let project = Project::open(&file);
        let failed = project.is_err();
        let mut next = Self::open(Some(&file), project, self.options.clone());
        if failed {
            next.files.clone_from(&self.files);
            next.stamps = stamps(&next.files);
        }
        Self { version: self.version + 1, ..next }
    }

    /// Whether files are to be checked again; the caller that receives `true` must do it.
    fn is_due(&mut self) -> bool {
        let due = self.checked.elapsed() >= CHECK_INTERVAL;
        if due {
            self.checked = Instant::now();
        }
        due
    }
}

/// Opens a project with the quasi-identifiers and the memory asked for.
fn opened(
    project: Result<Project, haggle::Error>,
    options: &OpenOptions,
) -> Result<Arc<OpenProject>, Failure> {
    let project = project?;
    if let Some(qi) = &options.qi {
        project.check_quasi_identifiers(qi)?;
    }
    let project = project.with_default_qi(options.qi.clone());
    let opened = OpenProject::new(project, options.memory);
    opened.map(Arc::new).map_err(|_| Failure::internal())
}

fn stamps(files: &[PathBuf]) -> Vec<Stamp> {
    let stamp = |file: &PathBuf| {
        let metadata = Path::metadata(file).ok()?;
        Some((metadata.len(), metadata.modified().ok()))
    };
    files.iter().map(stamp).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROJECT: &str = "[data]\npath = \"people.csv\"\n\n[[attribute]]\nname = \"zip\"\n\
        role = \"quasi-identifier\"\nhierarchy = { prefix = [1] }\n";

    fn served(folder: &Path) -> ServedProject {
        let file = folder.join("haggle.toml");
        let options = OpenOptions { qi: None, memory: 1 << 28 };
        ServedProject::new(Project::open(&file), options)
    }

    fn wait_for_check() {
        std::thread::sleep(CHECK_INTERVAL + Duration::from_millis(50));
    }

    #[test]
    fn a_changed_file_is_read_again_and_its_problems_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        let write = |text: &str| std::fs::write(folder.path().join("haggle.toml"), text).unwrap();
        std::fs::write(folder.path().join("people.csv"), "zip\n12\n13\n").unwrap();
        write(PROJECT);
        let served = served(folder.path());
        assert!(served.current().is_ok());
        wait_for_check();
        assert_eq!(served.version(), 0, "nothing changed");
        write(&PROJECT.replace("role", "rule"));
        wait_for_check();
        let problems = served.current().err().unwrap().into_body().error.problems;
        let places: Vec<_> = problems.iter().map(|problem| problem.place.clone()).collect();
        assert!(places.iter().flatten().any(|place| place.contains("haggle.toml:6")), "{places:?}");
        assert_eq!(served.version(), 1);
        write(PROJECT);
        wait_for_check();
        assert!(served.current().is_ok());
        assert_eq!(served.version(), 2);
    }

    #[test]
    fn changed_data_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("haggle.toml"), PROJECT).unwrap();
        std::fs::write(folder.path().join("people.csv"), "zip\n12\n13\n").unwrap();
        let served = served(folder.path());
        assert_eq!(served.version(), 0);
        std::fs::write(folder.path().join("people.csv"), "zip\n12\n13\n14\n").unwrap();
        wait_for_check();
        assert_eq!(served.version(), 1);
    }
}
