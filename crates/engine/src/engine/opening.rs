//! How an engine comes about: from a stored lattice, from data, or from both; and how it is stored.

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use haggle_api::{Ask, Changes, VERSION};
use haggle_cube::{AnnotationCost, Cube, FullLattice, Limits, OnDemand, store};
use haggle_model::{Error, ErrorKind};
use haggle_project::Project;
use haggle_project::facts::{AllStated, facts};
use haggle_project::files::is_lattice;
use haggle_project::survey::{GeneralSurvey, some_and_each_once};

use super::{Built, Engine, EngineSource, Progress, Silent, names};
use crate::criteria::criterion::{plain, unit};
use crate::criteria::start::{counted, needs_recorded, not_offered, starts_as_asked};
use crate::lattice::cheaper::CheaperWay;
use crate::lattice::freshness::Fingerprint;
use crate::lattice::lattice_file;
use crate::lattice::lattice_file::Note;
use crate::lattice::partial::{Partial, Selected};
use crate::lattice::store::{AnnotatedSchemes, LatticeStore, or_on_demand};
use crate::lattice::tables::Tables;
use crate::options::{Options, Way};
use crate::recoding::results::Results;

impl Engine {
    /// Opens an engine from a project, a lattice file, or what a name stands for;
    /// [`builder`](Self::builder) does the same step by step.
    pub fn open<'a>(
        source: impl Into<EngineSource<'a>>,
        options: &Options<'_>,
    ) -> Result<Self, Error> {
        match source.into() {
            EngineSource::Project(project) => Self::from_project(project, options),
            EngineSource::LatticeFile(path) => Self::from_file(path, options),
            EngineSource::Name(name) => match lattice_named(name) {
                None => Self::from_project(&Project::open(name)?, options),
                Some(path) => match project_of(path) {
                    Some(project) => Self::from_project(&project, options),
                    None => Self::from_file(path, options),
                },
            },
        }
    }

    /// The engine of a project: from its stored lattice if that is fresh, else from its data.
    fn from_project(project: &Project, options: &Options<'_>) -> Result<Self, Error> {
        let (mut notice, at_hand) = (None, Some(Box::new(project.clone())));
        if let Some(path) = project.lattice_path().filter(|path| options.stored && path.exists()) {
            match Self::stored(project, &path, options)? {
                Ok(engine) => return Ok(Self { project: at_hand, ..engine }),
                Err(why) => notice = Some(why),
            }
        }
        let engine = Self::from_data(project, options)?;
        let notice = notice.or_else(|| engine.notice.clone());
        Ok(Self { notice, project: at_hand, ..engine })
    }

    /// The engine of a lattice file alone; no data is needed.
    fn from_file(path: &Path, options: &Options<'_>) -> Result<Self, Error> {
        let start = Instant::now();
        let (lattice, note) = lattice_file::load(path)?;
        if !starts_as_asked(lattice.cube(), options) {
            let what = format!("{} was counted from other levels on", path.display());
            return Err(Error::new(what, "build it again, or ask it without levels to count from"));
        }
        Self::from_stored(lattice, note, options, start)
    }

    /// The stored lattice's engine, or why it cannot be used.
    fn stored(
        project: &Project,
        path: &Path,
        options: &Options<'_>,
    ) -> Result<Result<Self, String>, Error> {
        let start = Instant::now();
        let unusable = |why: &str| {
            Ok(Err(format!("{} is not used: {why}; build the lattice again", path.display())))
        };
        let (lattice, note) = match lattice_file::load(path) {
            Ok(loaded) => loaded,
            Err(error) => {
                let what: Vec<_> = error.into_problems().into_iter().map(|p| p.what).collect();
                return unusable(&what.join("; "));
            }
        };
        if let Some(why) = note.fingerprint.stale(project, path)? {
            if note.changes.is_none() {
                return unusable(why);
            }
            let changes = note.changes.words();
            return unusable(&format!("{why}, and is taken to have its changes, too ({changes})"));
        }
        let qi = options.qi.clone().unwrap_or_else(|| project.default_qi());
        if positions(lattice.cube(), &qi).is_none() {
            let why = "it does not have all the quasi-identifiers asked for";
            if !note.changes.is_none() {
                let what = format!(
                    "{}: {why}, and only it counts {}",
                    path.display(),
                    note.changes.words()
                );
                let fix = "make these changes in the data, too, and build it anew";
                return Err(Error::of_kind(ErrorKind::DataChanged, what, fix));
            }
            return unusable(why);
        }
        if !starts_as_asked(lattice.cube(), options) {
            return unusable("it was counted from other levels on");
        }
        let note = Note { defaults: project.defaults.clone(), ..note };
        let options = Options { qi: Some(qi), from_level: options.from_level.clone(), ..*options };
        Self::from_stored(lattice, note, &options, start).map(Ok)
    }

    /// The stored lattice, or another over its own cube: of some quasi-identifiers, or annotated in
    /// another way.
    fn from_stored(
        stored: LatticeStore,
        note: Note,
        options: &Options<'_>,
        start: Instant,
    ) -> Result<Self, Error> {
        let cube = stored.cube().clone();
        let (names, qi) = (names(&cube), options.qi.as_ref());
        let built = if qi.is_some_and(|qi| names != *qi) {
            let qi = qi.map_or(&[][..], Vec::as_slice);
            some_and_each_once(qi, &names.join(", "))?;
            let positions = positions(&cube, qi).ok_or_else(|| {
                let what = format!("the lattice file does not have all of: {}", qi.join(", "));
                let fix = format!("choose from: {}", names.join(", "));
                Error::of_kind(ErrorKind::NotFound, what, fix)
            })?;
            build_lattice(cube.select(&positions).into(), &note.stated, options)?
        } else if stored.serves(options.way) {
            stored
        } else {
            build_lattice(cube.clone(), &note.stated, options)?
        };
        let times = Times { start, scan_millis: 0, annotate_millis: 0 };
        Self::from_parts(built, note, options, &times)
    }

    /// The engine of a cube that was changed, annotated as the stored lattice was.
    pub(crate) fn of_changed(
        cube: Cube,
        note: Note,
        options: &Options<'_>,
        start: Instant,
    ) -> Result<Self, Error> {
        let selection = note.selected.as_ref().map(Selected::selection).transpose()?;
        let way = selection.map_or(Way::Full, Way::Partial);
        let changed = Instant::now();
        let options = &Options { way, qi: None, from_level: None, ..*options };
        let built = build_lattice(cube.into(), &note.stated, options)?;
        let annotate_millis = changed.elapsed().as_millis() as u64;
        let times = Times { start, scan_millis: 0, annotate_millis };
        Self::from_parts(built, note, options, &times)
    }

    /// The engine of some of this engine's records, counted in `cube`, in the memory that this one
    /// leaves, or at least half of it.
    pub fn of_part(&self, cube: Cube) -> Result<Self, Error> {
        let left = self.memory.saturating_sub(self.annotated_bytes() + self.cube().bytes());
        let memory = left.max(self.memory / 2);
        let options = Options { memory, ..Options::default() };
        let start = Instant::now();
        let built = build_lattice(cube.into(), &self.stated, &options)?;
        let note = Note {
            version: lattice_file::FORMAT,
            haggle: VERSION.into(),
            fingerprint: self.fingerprint.clone(),
            defaults: self.defaults.clone(),
            stated: self.stated.clone(),
            selected: None,
            changes: Changes::default(),
            dropped: 0,
        };
        let times = Times { start, scan_millis: 0, annotate_millis: 0 };
        Self::from_parts(built, note, &options, &times)
    }

    /// An engine of what was annotated.
    fn from_parts(
        built: LatticeStore,
        note: Note,
        options: &Options<'_>,
        times: &Times,
    ) -> Result<Self, Error> {
        let Note { stated, defaults, fingerprint, changes, dropped, .. } = note;
        let changed = (!changes.is_none())
            .then(|| format!("the lattice is the data with {}", changes.words()));
        let general = built.cube().start().map(|start| not_offered(built.cube(), start));
        Ok(Self {
            facts: facts(built.cube(), &stated)?,
            changes,
            dropped,
            built: measured(&built, times),
            tables: Tables::new(options.memory).into(),
            original: None,
            notice: built.notice.clone().or(changed).or(general),
            store: built.with_fallback(options),
            annotate_maximum: options.annotate_maximum,
            memory: options.memory,
            stated,
            defaults,
            fingerprint,
            project: None,
            frequencies: OnceLock::new(),
            results: Results::default(),
        })
    }

    /// The engine from the data itself: one scan, then every scheme.
    fn from_data(project: &Project, options: &Options<'_>) -> Result<Self, Error> {
        let start = Instant::now();
        let qi = options.qi.clone().unwrap_or_else(|| project.default_qi());
        let input = project.input(options.progress)?;
        let fingerprint = Fingerprint::before_reading(project);
        options.progress.start("reading", input.bytes().unwrap_or(0));
        let counted = counted(project, &qi, options);
        options.progress.finish();
        let GeneralSurvey { cube, stated, digest, dropped } = counted?;
        let fingerprint = fingerprint?.of_data(digest);
        let scanned = Instant::now();
        let built = build_lattice(cube.into(), &stated, options)?;
        let times = Times {
            start,
            scan_millis: (scanned - start).as_millis() as u64,
            annotate_millis: scanned.elapsed().as_millis() as u64,
        };
        let (defaults, version) = (project.defaults.clone(), lattice_file::FORMAT);
        let haggle = VERSION.into();
        let (selected, changes) = (None, Changes::default());
        let note =
            Note { version, haggle, fingerprint, defaults, stated, selected, changes, dropped };
        Self::from_parts(built, note, options, &times)
    }

    /// Whether [`save`](Self::save) may write there, to be asked before long work.
    pub fn check_writable(path: &Path) -> Result<(), Error> {
        lattice_file::check_writable(path)
    }

    /// Makes what joins the project's thresholds if there are several, where memory allows it, so that
    /// a [saved](Self::save) lattice has it.
    pub fn join_thresholds(&self, progress: &dyn Progress) -> Result<(), Error> {
        let ask = Ask::default().or(&self.defaults);
        if !self.criteria(&ask).is_ok_and(|criteria| criteria.len() > 1) {
            return Ok(());
        }
        match self.prepare(&ask, &[], progress) {
            Err(error) if error.kind() == ErrorKind::OutOfMemory => Ok(()),
            prepared => prepared,
        }
    }

    /// The lattice with what joins the project's thresholds.
    fn joined(&self) -> Option<FullLattice> {
        let lattice = self.store.tables()?;
        let criteria = self.criteria(&Ask::default().or(&self.defaults)).ok()?;
        let several = Some(criteria).filter(|criteria| criteria.len() > 1)?;
        self.tables.joined(lattice, &several)
    }

    /// Writes the lattice, whole or not at all; never over a file that is no lattice. What joins
    /// the project's thresholds is in it.
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        if self.is_reordered() {
            let fix = "save the lattice of the order in which it was annotated";
            return Err(Error::new("this lattice is another one in another order", fix));
        }
        self.join_thresholds(&Silent)?;
        let note = Note {
            selected: self.store.selected().map(|some| some.selected.clone()),
            changes: self.changes,
            dropped: self.dropped,
            version: lattice_file::FORMAT,
            haggle: VERSION.into(),
            fingerprint: self.fingerprint.clone(),
            defaults: self.defaults.clone(),
            stated: self.stated.clone(),
        };
        let note = note.to_bytes();
        let bytes = match self.store.annotated() {
            AnnotatedSchemes::Full(lattice) if !lattice.tables().is_empty() => {
                store::encode(self.joined().as_ref().unwrap_or(lattice), &note)
            }
            AnnotatedSchemes::Partial(some) => store::encode_partial(&some.lattice, &note),
            AnnotatedSchemes::Full(_) | AnnotatedSchemes::OnDemand => {
                return Err(self.needs_all("a lattice file needs schemes that are annotated"));
            }
        };
        lattice_file::save(&bytes, path)
    }
}

/// The path of a lattice file, if a name stands for one.
fn lattice_named(name: &str) -> Option<&Path> {
    let path = Path::new(name);
    let mut start = [0; 8];
    let has_lattice = path.is_file()
        && std::fs::File::open(path)
            .and_then(|mut file| std::io::Read::read_exact(&mut file, &mut start))
            .is_ok()
        && is_lattice(&start);
    let is_named_so = || path.extension().is_some_and(|extension| extension == "lattice");
    (has_lattice || is_named_so()).then_some(path)
}

/// The project whose own lattice file this is, so that a stale one is noticed.
fn project_of(lattice: &Path) -> Option<Project> {
    let folder = lattice.parent().filter(|folder| !folder.as_os_str().is_empty());
    let project = folder.unwrap_or(Path::new(".")).join("haggle.toml");
    let project = Project::open(project.to_str().filter(|_| project.is_file())?).ok()?;
    // Without the data the lattice stands for itself, as it was built; data that is refused does not
    // become absent by that.
    let is_there = project.input(&Silent).and_then(|input| input.bytes()).is_ok();
    if !is_there && project.matched_publication().is_none() {
        return None;
    }
    let own = project.lattice_path()?;
    (own.canonicalize().ok()? == lattice.canonicalize().ok()?).then_some(project)
}

/// Where these quasi-identifiers stand in a cube, if it has them all.
fn positions(cube: &Cube, qi: &[String]) -> Option<Vec<usize>> {
    let names = names(cube);
    qi.iter().map(|name| names.iter().position(|n| n == name)).collect()
}

/// How long the steps took.
struct Times {
    start: Instant,
    scan_millis: u64,
    annotate_millis: u64,
}

/// Annotates a lattice as the options ask for: in full, in part or on demand.
fn build_lattice(
    cube: Arc<Cube>,
    stated: &AllStated,
    options: &Options<'_>,
) -> Result<LatticeStore, Error> {
    let full = || annotate(cube.clone(), stated, options).map(LatticeStore::full);
    let cheaper = CheaperWay::of(options);
    match &options.way {
        Way::Partial(selection) => {
            needs_recorded(&cube, "a partial lattice")?;
            Partial::build(cube, selection, stated, options).map(LatticeStore::partial)
        }
        Way::Full => full(),
        Way::Auto if !cheaper.allows_full(&cube) => on_demand(cube, options),
        Way::OnDemand => on_demand(cube, options),
        // Its tables are made once it is known which of them the question needs.
        Way::Auto if !cheaper.annotates_beforehand() => {
            Ok(LatticeStore::full(FullLattice::of_tables(cube, Vec::new(), None)))
        }
        Way::Auto => or_on_demand(&cube, options.memory, full, |limit| {
            let notice = format!(
                "annotating all schemes takes more than {limit} MB, so they are annotated on demand"
            );
            let mut store = LatticeStore::on_demand(cube.clone());
            store.notice = Some(notice);
            Ok(store)
        }),
    }
}

/// A lattice whose schemes are annotated as questions touch them; an error if memory is too little for
/// a single one.
fn on_demand(cube: Arc<Cube>, options: &Options<'_>) -> Result<LatticeStore, Error> {
    OnDemand::check_limits(&cube, Limits { memory: options.memory })?;
    Ok(LatticeStore::on_demand(cube))
}

/// A lattice with the statistics that every lattice carries.
fn annotate(
    cube: Arc<Cube>,
    stated: &AllStated,
    options: &Options<'_>,
) -> Result<FullLattice, Error> {
    let schemes = cube.space().size().unwrap_or(usize::MAX) as u64;
    let unit = unit(&cube);
    let statistics = plain(&facts(&cube, stated)?, unit.as_ref(), |model| model.stored);
    let marginals = cube.watched().len().max(1) as u64;
    let limits = Limits { memory: options.memory };
    options.progress.start("annotating", schemes.saturating_mul(marginals));
    let mut lattice = FullLattice::build(cube.clone(), &statistics, limits, options.progress);
    options.progress.finish();
    let exceeds = |error: &Error| error.kind() == ErrorKind::OutOfMemory;
    if options.way == Way::Full && lattice.as_ref().is_err_and(exceeds) {
        options.progress.start("annotating in little memory", schemes.saturating_mul(marginals));
        lattice = FullLattice::build_in_little_memory(cube, &statistics, limits, options.progress);
        options.progress.finish();
    }
    lattice
}

fn measured(built: &LatticeStore, times: &Times) -> Built {
    let AnnotationCost { schemes, touches } = built.work();
    Built {
        schemes,
        records: built.cube().records(),
        base_groups: built.cube().base_groups(),
        touches,
        scan_millis: times.scan_millis,
        annotate_millis: times.annotate_millis,
        millis: times.start.elapsed().as_millis() as u64,
        partial: built.selected().map(Partial::known),
    }
}
