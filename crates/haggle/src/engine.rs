//! The engine: a table's annotated lattice, and every question that it answers.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use haggle_cube::store::Stored;
use haggle_cube::{Bin, Cube, FullLattice, Histogram, Lattice, Limits, Weighed};
use haggle_model::Scheme;
use haggle_privacy::Facts;
use haggle_search::optimize::{Ranked, optimize};
use haggle_search::{Request, negotiate, study};
use serde::Serialize;

use crate::answer::{Answer, Wording};
use crate::ask::{Ask, Defaults, within_top};
use crate::criterion::{Criterion, plain, unit};
use crate::facts::{AllStated, facts};
use crate::freshness::Fingerprint;
use crate::lattice_file::{self, Note, Saved};
use crate::loss::{Judge, Judged as Losing, Judging};
use crate::on_demand::{Form, Lattices, Way};
use crate::partial::{Partial, PartialKnown, Selected};
use crate::survey::{some_and_each_once, survey};
use crate::tables::{Judged, Tables};
use crate::update::Changes;
use crate::words::{Example, Frequencies};
use crate::{Error, Project, VERSION};

/// Is told how far long work has come.
pub trait Progress: Sync {
    /// Some work of so many steps begins.
    fn start(&self, what: &str, steps: u64);
    /// So many steps more are done.
    fn advance(&self, steps: u64);
    /// The work is done.
    fn finish(&self);
    /// Whether the work is no longer wanted. It then stops soon, with [`Error::Cancelled`].
    fn cancelled(&self) -> bool {
        false
    }
    /// So many steps more are done; whether to go on.
    fn step(&self, steps: usize) -> ControlFlow<()> {
        self.advance(steps as u64);
        if self.cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Progress that nobody watches.
#[derive(Debug, Clone, Copy)]
pub struct Silent;

impl Progress for Silent {
    fn start(&self, _: &str, _: u64) {}
    fn advance(&self, _: u64) {}
    fn finish(&self) {}
}

/// What may be chosen when an engine is opened.
pub struct Options<'a> {
    /// The quasi-identifiers, in order; the project's own choice if not given.
    pub qi: Option<Vec<String>>,
    /// Bytes for counts, cells and histograms.
    pub memory: usize,
    /// Who is told of progress.
    pub progress: &'a dyn Progress,
    /// Whether a stored lattice may be used.
    pub stored: bool,
    /// Whether every scheme is annotated beforehand.
    pub way: Way,
    /// Of a partial lattice: whether the scheme of a request's maximum levels is annotated when asked,
    /// so that what gives under them is exact.
    pub annotate_maximum: bool,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            qi: None,
            memory: Limits::default().memory,
            progress: &Silent,
            stored: true,
            way: Way::Full,
            annotate_maximum: false,
        }
    }
}

/// What building a lattice took.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Built {
    /// The schemes annotated.
    pub schemes: usize,
    /// The records counted.
    pub records: u64,
    /// The groups of the base scheme.
    pub base_groups: usize,
    /// The cells that roll-ups read.
    pub touches: u64,
    /// Reading and counting the data.
    pub scan_millis: u64,
    /// Annotating every scheme.
    pub annotate_millis: u64,
    /// All of it.
    pub millis: u64,
    /// Which schemes were annotated, if not all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partial: Option<PartialKnown>,
}

/// The cost of a threshold at one height.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HeightStudy {
    /// The height.
    pub height: u32,
    /// How many schemes have it.
    pub schemes: u64,
    /// The fewest records suppressed by one of them.
    pub least: u64,
    /// The mean over them.
    pub mean: f64,
    /// The most records suppressed by one of them.
    pub most: u64,
}

/// One scheme's histogram of a model's statistic.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SchemeHistogram {
    /// The model.
    pub model: &'static str,
    /// The number that the statistic is compared with.
    pub parameter: &'static str,
    /// The groups of the scheme.
    pub groups: u64,
    /// The values with their groups and records, weakest first.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<crate::schema::HistogramBin>))]
    pub bins: Vec<Bin>,
}

impl SchemeHistogram {
    pub(crate) fn of(criterion: &Criterion, histogram: Histogram<'_>) -> Self {
        Self {
            model: criterion.model.id,
            parameter: criterion.numbers[0].parameter.name,
            groups: histogram.groups(),
            bins: histogram.bins().collect(),
        }
    }
}

/// A table's annotated lattice, ready to answer.
#[derive(Debug)]
pub struct Engine {
    /// Without a table where not every scheme is annotated.
    lattice: FullLattice,
    form: Form,
    annotate_maximum: bool,
    memory: usize,
    /// What is counted beside the table, and what not.
    changes: Changes,
    /// What is known of the sensitive attributes.
    facts: Vec<Facts>,
    stated: AllStated,
    /// The tables of models that no lattice carries beforehand.
    tables: Tables,
    defaults: Defaults,
    built: Built,
    fingerprint: Fingerprint,
    notice: Option<String>,
    /// Counted when first asked for.
    frequencies: OnceLock<Frequencies>,
}

impl Engine {
    /// The engine of a project: from its stored lattice if that is fresh, else from its data.
    pub fn open(project: &Project, options: &Options<'_>) -> Result<Self, Error> {
        let mut notice = None;
        if let Some(path) = project.lattice_path().filter(|path| options.stored && path.exists()) {
            match Self::stored(project, &path, options)? {
                Ok(engine) => return Ok(engine),
                Err(why) => notice = Some(why),
            }
        }
        let engine = Self::from_data(project, options)?;
        let notice = notice.or_else(|| engine.notice.clone());
        Ok(Self { notice, ..engine })
    }

    /// The engine of a lattice file alone; no data is needed.
    pub fn load(path: &Path, options: &Options<'_>) -> Result<Self, Error> {
        let start = Instant::now();
        let (lattice, note) = lattice_file::load(path)?;
        Self::from_stored(lattice, note, options, start)
    }

    /// Opens a project or a lattice file, whichever the name stands for.
    pub fn open_any(name: &str, options: &Options<'_>) -> Result<Self, Error> {
        let path = Path::new(name);
        let mut start = [0; 8];
        let is_lattice = path.is_file()
            && std::fs::File::open(path)
                .and_then(|mut file| std::io::Read::read_exact(&mut file, &mut start))
                .is_ok()
            && lattice_file::is_lattice(&start);
        if is_lattice || path.extension().is_some_and(|extension| extension == "lattice") {
            return match beside(path) {
                Some(project) => Self::open(&project, options),
                None => Self::load(path, options),
            };
        }
        Self::open(&Project::open(name)?, options)
    }

    /// The stored lattice's engine, or why it cannot be used.
    fn stored(
        project: &Project,
        path: &Path,
        options: &Options<'_>,
    ) -> Result<Result<Self, String>, Error> {
        let start = Instant::now();
        let unusable = |why: &str| {
            Ok(Err(format!("{} is not used: {why}; `haggle build` writes it anew", path.display())))
        };
        let (lattice, note) = match lattice_file::load(path) {
            Ok(loaded) => loaded,
            Err(error) => {
                let what: Vec<_> = error.into_problems().into_iter().map(|p| p.what).collect();
                return unusable(&what.join("; "));
            }
        };
        if let Some(why) = note.fingerprint.stale(project)? {
            if note.changes.is_none() {
                return unusable(why);
            }
            let changes = note.changes.words();
            return unusable(&format!("{why}, and is taken to have its changes, too ({changes})"));
        }
        let qi = options.qi.clone().unwrap_or_else(|| project.default_qi());
        if positions(lattice_file::cube(&lattice), &qi).is_none() {
            let why = "it does not have all the quasi-identifiers asked for";
            if !note.changes.is_none() {
                let what = format!(
                    "{}: {why}, and only it counts {}",
                    path.display(),
                    note.changes.words()
                );
                return Err(Error::new(
                    what,
                    "make these changes in the data, too, and build it anew",
                ));
            }
            return unusable(why);
        }
        let note = Note { defaults: project.defaults.clone(), ..note };
        let options = Options { qi: Some(qi), ..*options };
        Self::from_stored(lattice, note, &options, start).map(Ok)
    }

    /// The stored lattice, or another over its own cube: of some quasi-identifiers, or annotated in
    /// another way.
    fn from_stored(
        stored: Stored,
        note: Note,
        options: &Options<'_>,
        start: Instant,
    ) -> Result<Self, Error> {
        let cube = lattice_file::cube(&stored).clone();
        let selected = note.selected.clone();
        let (names, qi) = (names(&cube), options.qi.as_ref());
        let had = if qi.is_some_and(|qi| names != *qi) {
            let qi = qi.map_or(&[][..], Vec::as_slice);
            some_and_each_once(qi, &names.join(", "))?;
            let positions = positions(&cube, qi).ok_or_else(|| {
                let what = format!("the lattice file does not have all of: {}", qi.join(", "));
                Error::new(what, format!("choose from: {}", names.join(", ")))
            })?;
            had(cube.select(&positions).into(), &note.stated, options)?
        } else {
            match (stored, options.way, selected) {
                (Stored::Full(lattice), Way::Auto | Way::Full, _) => Had::of(lattice, Form::Full),
                (Stored::Partial(lattice), Way::Auto, Some(selected)) => {
                    Had::bare(cube, Form::Partial(Partial::of(lattice, selected).into()))
                }
                _ => had(cube, &note.stated, options)?,
            }
        };
        let times = Times { start, scan_millis: 0, annotate_millis: 0 };
        Self::made(had, note, options, &times)
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
        let had = had(cube.into(), &note.stated, &Options { way, qi: None, ..*options })?;
        let annotate_millis = changed.elapsed().as_millis() as u64;
        let times = Times { start, scan_millis: 0, annotate_millis };
        Self::made(had, note, options, &times)
    }

    /// An engine of what was annotated.
    fn made(had: Had, note: Note, options: &Options<'_>, times: &Times) -> Result<Self, Error> {
        let Note { stated, defaults, fingerprint, changes, .. } = note;
        let changed = (!changes.is_none())
            .then(|| format!("the lattice is the data with {}", changes.words()));
        Ok(Self {
            facts: facts(had.lattice.cube(), &stated)?,
            changes,
            built: measured(&had, times),
            tables: Tables::new(options.memory),
            lattice: had.lattice,
            form: had.form,
            annotate_maximum: options.annotate_maximum,
            memory: options.memory,
            stated,
            defaults,
            fingerprint,
            notice: had.notice.or(changed),
            frequencies: OnceLock::new(),
        })
    }

    /// The engine from the data itself: one scan, then every scheme.
    fn from_data(project: &Project, options: &Options<'_>) -> Result<Self, Error> {
        let start = Instant::now();
        let qi = options.qi.clone().unwrap_or_else(|| project.default_qi());
        let input = project.input()?;
        options.progress.start("reading", input.bytes().unwrap_or(0));
        let survey = survey(project, &qi, options.memory, &|bytes| options.progress.step(bytes));
        options.progress.finish();
        let mut survey = survey?;
        let stated = std::mem::take(&mut survey.stated);
        let fingerprint = Fingerprint::of(project, survey.scanned.digest())?;
        let cube = survey.into_cube(project);
        let scanned = Instant::now();
        let had = had(cube.into(), &stated, options)?;
        let times = Times {
            start,
            scan_millis: (scanned - start).as_millis() as u64,
            annotate_millis: scanned.elapsed().as_millis() as u64,
        };
        let (defaults, version) = (project.defaults.clone(), VERSION.into());
        let (selected, changes) = (None, Changes::default());
        let note = Note { version, fingerprint, defaults, stated, selected, changes };
        Self::made(had, note, options, &times)
    }

    /// Whether [`save`](Self::save) may write there, to be asked before long work.
    pub fn check_writable(path: &Path) -> Result<(), Error> {
        lattice_file::check_writable(path)
    }

    /// Writes the lattice, whole or not at all; never over a file that is no lattice.
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        let (lattice, selected) = match &self.form {
            Form::OnDemand(_) => {
                return Err(self.needs_all("a lattice file needs schemes that are annotated"));
            }
            Form::Full => (Saved::Full(&self.lattice), None),
            Form::Partial(some) => (Saved::Partial(&some.lattice), Some(some.selected.clone())),
        };
        let note = Note {
            selected,
            changes: self.changes,
            version: VERSION.into(),
            fingerprint: self.fingerprint.clone(),
            defaults: self.defaults.clone(),
            stated: self.stated.clone(),
        };
        lattice_file::save(lattice, &note, path)
    }

    /// What making this engine took.
    pub fn built(&self) -> &Built {
        &self.built
    }

    /// Something the user should know of how the engine was made.
    pub fn notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    /// What is counted beside the table, and what not.
    pub fn changed_since(&self) -> Changes {
        self.changes
    }

    /// The quasi-identifiers, in the order of a scheme's levels.
    pub fn attributes(&self) -> Vec<&str> {
        names(self.lattice.cube())
    }

    /// A digest of the data that was counted.
    pub(crate) fn data_digest(&self) -> u64 {
        self.fingerprint.data
    }

    /// The counted groups that everything is answered from.
    pub fn cube(&self) -> &Cube {
        self.lattice.cube()
    }

    /// How many records were counted.
    pub fn records(&self) -> u64 {
        self.lattice.records()
    }

    /// What is asked unless told otherwise.
    pub fn defaults(&self) -> &Defaults {
        &self.defaults
    }

    /// The most general scheme.
    pub fn top(&self) -> &Scheme {
        self.lattice.space().top()
    }

    /// How often the recorded values occur.
    pub(crate) fn frequencies(&self) -> &Frequencies {
        self.frequencies.get_or_init(|| Frequencies::of(self.cube()))
    }

    /// What is known of the sensitive attributes.
    pub(crate) fn facts(&self) -> &[Facts] {
        &self.facts
    }

    /// What the project states of its sensitive attributes.
    pub(crate) fn stated(&self) -> &AllStated {
        &self.stated
    }

    /// The privacy of a request on this table, within reach of its values.
    pub(crate) fn criteria(&self, ask: &Ask) -> Result<Vec<Criterion>, Error> {
        let criteria = self.criteria_of(ask)?;
        criteria.iter().try_for_each(Criterion::within_reach)?;
        Ok(criteria)
    }

    /// The same, whether within reach or not.
    pub(crate) fn criteria_of(&self, ask: &Ask) -> Result<Vec<Criterion>, Error> {
        let unit = unit(self.cube());
        Criterion::all(&ask.privacy, &self.facts, unit.as_ref())
    }

    /// A lattice that carries the privacy of a request; its tables are made if nobody asked before.
    pub(crate) fn judged(&self, ask: &Ask) -> Result<(Judged, Vec<Criterion>), Error> {
        self.all_annotated("this question")?;
        self.tables.judged(&self.lattice, self.criteria(ask)?, &Silent)
    }

    /// Makes what a request needs beyond the lattice, and what weighing by these measures needs;
    /// questions then find it. Only this tells of its progress and can be given up.
    ///
    /// ```
    /// # use haggle::{Ask, Engine, Options, Privacy, Project, Silent};
    /// # let project = Project::open("demo:adult")?;
    /// let qi = Some(vec!["age".into(), "race".into()]);
    /// let engine = Engine::open(&project, &Options { qi, ..Options::default() })?;
    /// let ask = Ask { privacy: vec![Privacy::of("t-closeness", 0.2)], ..Ask::default() };
    /// engine.prepare(&ask, &["lm".parse()?], &Silent)?;
    /// assert!(engine.is_quick(&ask));
    /// # Ok::<(), haggle::Error>(())
    /// ```
    pub fn prepare(
        &self,
        ask: &Ask,
        measures: &[Judge],
        progress: &dyn Progress,
    ) -> Result<(), Error> {
        if !matches!(self.form, Form::Full) {
            return Ok(()); // schemes are counted as the question touches them, or were selected
        }
        let ask = ask.or(&self.defaults);
        let (judged, criteria) =
            self.tables.judged(&self.lattice, self.criteria(&ask)?, progress)?;
        for judge in measures {
            let judging = judge.on(self.cube(), &self.facts)?;
            for (criterion, required) in criteria.iter().zip(&judged.requirements) {
                let column = required.column;
                self.weighed_by(&judged, criterion, column, judge, &judging, progress)?;
            }
        }
        Ok(())
    }

    /// The measures that [`ask`](Self::ask) weighs by.
    pub fn measures(&self, ask: &Ask) -> Vec<Judge> {
        ask.or(&self.defaults).optimize.into_iter().collect()
    }

    /// Whether a request is answered in less than the blink of an eye: one model whose table is
    /// there, and no loss to weigh. A request that makes no sense is refused as quickly.
    pub fn is_quick(&self, ask: &Ask) -> bool {
        if !matches!(self.form, Form::Full) {
            return false;
        }
        let ask = ask.or(&self.defaults);
        let known = |criteria: Vec<Criterion>| {
            criteria.len() == 1 && self.tables.has(&self.lattice, &criteria)
        };
        ask.optimize.is_none() && self.criteria(&ask).map_or(true, known)
    }

    /// Which schemes are annotated.
    pub(crate) fn form(&self) -> &Form {
        &self.form
    }

    /// Whether the scheme of the maximum levels is annotated for a question.
    pub(crate) fn annotates_maximum(&self) -> bool {
        self.annotate_maximum
    }

    /// The counted groups, to be held longer.
    pub(crate) fn shared_cube(&self) -> &Arc<Cube> {
        self.lattice.cube()
    }

    /// Bytes that may be used.
    pub(crate) fn memory(&self) -> usize {
        self.memory
    }

    /// An error if not every scheme is annotated, naming what needs that.
    fn all_annotated(&self, what: &str) -> Result<(), Error> {
        match self.form {
            Form::Full => Ok(()),
            _ => Err(self.needs_all(&format!("{what} needs every scheme"))),
        }
    }

    /// Answers a request.
    pub fn ask(&self, ask: &Ask) -> Result<Answer, Error> {
        if !matches!(self.form, Form::Full) {
            return self.ask_while(ask, &|_| true);
        }
        let ask = ask.or(&self.defaults);
        let (judged, criteria) = self.judged(&ask)?;
        let request = ask.request(&judged)?;
        let wording = Wording::new(self.attributes(), &criteria, &request);
        if let Some(judge) = &ask.optimize {
            let judging = judge.on(self.cube(), &self.facts)?;
            let judging = (judge, &judging);
            let (best, micros) = self.best(judging, ask.top, &judged, &criteria, &request)?;
            let error = |scheme: &Scheme| {
                let estimate = judging.1.entry.estimate;
                estimate.then(|| judging.1.of_groups(self.cube(), scheme, &criteria).1)?
            };
            if !best.is_empty() {
                return Ok(wording.ranked(&best, &judge.to_string(), error, micros));
            }
        }
        let start = Instant::now();
        let found = negotiate(&judged.lattice, &request)?;
        let micros = start.elapsed().as_micros() as u64;
        Ok(wording.answer(found, micros))
    }

    /// The best schemes by a measure, and how long the search took in microseconds.
    fn best(
        &self,
        (judge, judging): (&Judge, &Judging),
        top: Option<usize>,
        judged: &Judged,
        criteria: &[Criterion],
        request: &Request,
    ) -> Result<(Vec<Ranked>, u64), Error> {
        let weighed = criteria.iter().zip(&judged.requirements);
        let weighed = weighed
            .map(|(criterion, r)| self.weighed(judged, criterion, r.column, judge, judging))
            .collect::<Result<Vec<_>, _>>()?;
        let start = Instant::now();
        let (space, loss) = (judged.lattice.space(), judging.loss.as_ref());
        let alone = weighed.iter().zip(&judged.requirements);
        let losses = alone.map(|(weighed, r)| weighed.losses(loss, space, r.threshold)).collect();
        let losses = Losing { lattice: &judged.lattice, judging, criteria, losses };
        let best = optimize(&judged.lattice, request, &losses, top.unwrap_or(1).max(1))?;
        Ok((best, start.elapsed().as_micros() as u64))
    }

    /// A measure weighed behind a criterion's table; made if nobody asked before.
    pub(crate) fn weighed(
        &self,
        judged: &Judged,
        criterion: &Criterion,
        column: usize,
        judge: &Judge,
        judging: &Judging,
    ) -> Result<Arc<Weighed>, Error> {
        self.weighed_by(judged, criterion, column, judge, judging, &Silent)
    }

    fn weighed_by(
        &self,
        judged: &Judged,
        criterion: &Criterion,
        column: usize,
        judge: &Judge,
        judging: &Judging,
        progress: &dyn Progress,
    ) -> Result<Arc<Weighed>, Error> {
        let id = format!("{}|{judge}", judged.lattice.column(column).id);
        self.tables.weighed(id, progress, |limits| {
            progress.start(&format!("weighing by {judge}"), self.built.schemes as u64);
            let step = |done| progress.step(done);
            let weighed = judging.weigh(&judged.lattice, criterion, column, limits, &step);
            progress.finish();
            weighed
        })
    }

    /// The cost of a threshold at every height under the maximum levels.
    pub fn study(&self, ask: &Ask) -> Result<Vec<HeightStudy>, Error> {
        let ask = ask.or(&self.defaults);
        let (judged, _) = self.judged(&ask)?;
        let request = ask.request(&judged)?;
        let part = self.lattice.space().under(&request.caps);
        let heights = study::study(&judged.lattice, &part, &request.requirements)?;
        Ok(heights
            .into_iter()
            .map(|study::HeightCost { height, schemes, least, mean, most }| HeightStudy {
                height,
                schemes,
                least,
                mean,
                most,
            })
            .collect())
    }

    /// One scheme's histogram of the model asked for.
    pub fn histogram(&self, ask: &Ask, scheme: &Scheme) -> Result<SchemeHistogram, Error> {
        let scheme = self.scheme(scheme)?;
        let ask = ask.or(&self.defaults);
        let (judged, criteria) = self.judged(&ask)?;
        let [criterion] = criteria.as_slice() else {
            let fix = "ask for the histogram of each model alone";
            return Err(Error::new("a histogram is of one model", fix));
        };
        Ok(SchemeHistogram::of(criterion, judged.lattice.annotate(&scheme)?.histogram(0)))
    }

    /// What every attribute looks like under a scheme.
    pub fn examples(&self, scheme: &Scheme) -> Result<Vec<Example>, Error> {
        Ok(self.frequencies().examples(self.cube(), &self.scheme(scheme)?))
    }

    /// The scheme, if it is one of this lattice.
    pub(crate) fn scheme(&self, scheme: &Scheme) -> Result<Scheme, Error> {
        let names = self.attributes();
        if scheme.levels().len() != names.len() {
            let what = format!(
                "the scheme has {} levels for {} quasi-identifiers",
                scheme.levels().len(),
                names.len()
            );
            return Err(Error::new(what, format!("give one for each of: {}", names.join(", "))));
        }
        within_top(scheme, self.top(), &names)
    }
}

/// The project whose own lattice file this is, so that a stale one is noticed.
fn beside(lattice: &Path) -> Option<Project> {
    let folder = lattice.parent().filter(|folder| !folder.as_os_str().is_empty());
    let project = folder.unwrap_or(Path::new(".")).join("haggle.toml");
    let project = Project::open(project.to_str().filter(|_| project.is_file())?).ok()?;
    project.input().and_then(|input| Ok(input.bytes()?)).ok()?; // without the data, as it was built
    let own = project.lattice_path()?;
    (own.canonicalize().ok()? == lattice.canonicalize().ok()?).then_some(project)
}

fn names(cube: &Cube) -> Vec<&str> {
    cube.attributes().iter().map(|attribute| attribute.name.as_str()).collect()
}

/// Where these quasi-identifiers stand in a cube, if it has them all.
fn positions(cube: &Cube, qi: &[String]) -> Option<Vec<usize>> {
    let names = names(cube);
    qi.iter().map(|name| names.iter().position(|n| n == name)).collect()
}

/// A lattice as it was annotated, and what the user should know of that.
struct Had {
    lattice: FullLattice,
    form: Form,
    notice: Option<String>,
}

impl Had {
    fn of(lattice: FullLattice, form: Form) -> Self {
        Self { lattice, form, notice: None }
    }

    /// Without the tables of every scheme.
    fn bare(cube: Arc<Cube>, form: Form) -> Self {
        Self::of(FullLattice::of_tables(cube, Vec::new(), None), form)
    }
}

/// How long the steps took.
struct Times {
    start: Instant,
    scan_millis: u64,
    annotate_millis: u64,
}

/// A lattice annotated in full, in part or on demand.
fn had(cube: Arc<Cube>, stated: &AllStated, options: &Options<'_>) -> Result<Had, Error> {
    if let Way::Partial(selection) = &options.way {
        let partial = Partial::build(cube.clone(), selection, stated, options)?;
        return Ok(Had::bare(cube, Form::Partial(partial.into())));
    }
    if !options.way.is_full(cube.space().size()) {
        return Ok(Had::bare(cube, Form::OnDemand(Lattices::default())));
    }
    match annotate(cube.clone(), stated, options)? {
        Err(haggle_cube::Error::Memory { limit, .. }) if options.way == Way::Auto => {
            let notice = Some(format!(
                "annotating all schemes takes more than {limit} MB, so they are annotated on demand"
            ));
            Ok(Had { notice, ..Had::bare(cube, Form::OnDemand(Lattices::default())) })
        }
        lattice => Ok(Had::of(lattice?, Form::Full)),
    }
}

/// A lattice with the statistics that every lattice carries.
fn annotate(
    cube: Arc<Cube>,
    stated: &AllStated,
    options: &Options<'_>,
) -> Result<Result<FullLattice, haggle_cube::Error>, Error> {
    let schemes = cube.space().size().unwrap_or(usize::MAX) as u64;
    let unit = unit(&cube);
    let statistics = plain(&facts(&cube, stated)?, unit.as_ref(), |model| model.stored);
    let marginals = cube.watched().len().max(1) as u64;
    options.progress.start("annotating", schemes.saturating_mul(marginals));
    let limits = Limits { memory: options.memory };
    let lattice =
        FullLattice::build(cube, &statistics, limits, &|done| options.progress.step(done));
    options.progress.finish();
    Ok(lattice)
}

fn measured(had: &Had, times: &Times) -> Built {
    let partial = match &had.form {
        Form::Partial(partial) => Some(partial),
        _ => None,
    };
    let work = partial.map_or(had.lattice.work(), |partial| partial.lattice.work());
    Built {
        schemes: work.schemes,
        records: had.lattice.records(),
        base_groups: had.lattice.cube().base_groups(),
        touches: work.touches,
        scan_millis: times.scan_millis,
        annotate_millis: times.annotate_millis,
        millis: times.start.elapsed().as_millis() as u64,
        partial: partial.map(|partial| partial.known()),
    }
}
