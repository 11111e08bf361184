//! Every question to an engine, as its methods; each is answered in the module that it names.

use haggle_api::{
    Ask, BoxesReport, BuildEstimate, Comparison, CrossTable, ExactOptimum, Example, Front,
    GroupingStudy, HeightStudy, InstantAsk, LatticeOverview, MeasureSpec, PairsFront, Pinned,
    ProjectOverview, SchemeHistogram, SchemesReport, Study, Updated, Weakened, Why,
};
use haggle_cube::Costs;
use haggle_model::{Error, Progress, Scheme};
use haggle_project::Project;

use crate::answer::thresholds;
use crate::lattice::estimate;
use crate::search::{compare, pareto, strategies};
use crate::study::{cross_table, grouping, overview, pinned, schemes, studies, why};
use crate::{ChangeFiles, CompareOptions, Engine, FrontAxes, Options, instant, update};

impl Engine {
    /// The cost of a threshold at every height under the maximum levels.
    pub fn study(&self, ask: &Ask) -> Result<Vec<HeightStudy>, Error> {
        studies::study(self, ask)
    }

    /// Computes the cost of a threshold at every height of the whole lattice, unless the request
    /// states levels, with the request in full and the account of the records.
    pub fn study_in_full(&self, ask: &Ask) -> Result<Study, Error> {
        studies::study_in_full(self, ask)
    }

    /// One scheme's histogram of the model asked for.
    pub fn histogram(&self, ask: &Ask, scheme: &Scheme) -> Result<SchemeHistogram, Error> {
        studies::histogram(self, ask, scheme)
    }

    /// Ranks the attributes by grouping power: the smallest group that each one makes alone.
    ///
    /// ```
    /// use haggle::{Engine, Project};
    ///
    /// let engine = Engine::builder(&Project::demo()).qi(["race", "age"]).open()?;
    /// let ranked = engine.grouping()?.attributes;
    /// assert_eq!((ranked[0].attribute.as_str(), ranked[0].smallest), ("age", 1));
    /// assert_eq!((ranked[1].attribute.as_str(), ranked[1].smallest), ("race", 231));
    /// # Ok::<(), haggle::Error>(())
    /// ```
    pub fn grouping(&self) -> Result<GroupingStudy, Error> {
        self.needs_recorded("a ranking by grouping power")?;
        Ok(grouping::grouping(self))
    }

    /// What every attribute looks like under a scheme.
    pub fn examples(&self, scheme: &Scheme) -> Result<Vec<Example>, Error> {
        studies::examples(self, scheme)
    }

    /// The request with the whole lattice in view, unless it states levels of its own: a study is
    /// not bound by what the project asks for.
    pub fn over_all_levels(&self, ask: &Ask) -> Ask {
        studies::over_all_levels(self, ask)
    }

    /// The scheme that is meant: the one named; else the exact answer, else what more suppression
    /// would give.
    pub fn named_or_best(&self, ask: &Ask, scheme: Option<&Scheme>) -> Result<Scheme, Error> {
        studies::named_or_best(self, ask, scheme)
    }

    /// Counts a project's data and says what annotating every scheme will take, without doing it.
    ///
    /// ```
    /// # use haggle::{Engine, Options, Project};
    /// let project = Project::open("demo:adult")?;
    /// let estimate = Engine::estimate(&project, &Options::default())?;
    /// assert_eq!((estimate.schemes, estimate.base_groups), (3600, 15_537));
    /// assert!(estimate.looked_at < 200);
    /// # Ok::<(), haggle::Error>(())
    /// ```
    pub fn estimate(project: &Project, options: &Options<'_>) -> Result<BuildEstimate, Error> {
        estimate::estimate(project, options)
    }

    /// What a project is, with what its lattice knows of the data.
    ///
    /// ```
    /// use haggle::{Engine, Options, Project};
    ///
    /// let project = Project::open("demo:adult")?;
    /// let engine = Engine::open(&project, &Options::default())?;
    /// let overview = engine.project_overview(&project);
    /// assert_eq!((overview.name.as_str(), overview.records), ("adult", 30_162));
    /// assert_eq!(overview.sensitive, ["hours-per-week"]);
    /// # Ok::<(), haggle::Error>(())
    /// ```
    pub fn project_overview(&self, project: &Project) -> ProjectOverview {
        overview::project_overview(self, project)
    }

    /// What the lattice is.
    ///
    /// ```
    /// # use haggle::{Engine, Options, Project};
    /// # let project = Project::open("demo:adult")?;
    /// let engine = Engine::open(&project, &Options::default())?;
    /// let overview = engine.overview();
    /// assert_eq!(overview.schemes, 3600);
    /// let age = &overview.attributes[0];
    /// assert_eq!(age.levels[usize::from(age.top)].examples[0], "*");
    /// # Ok::<(), haggle::Error>(())
    /// ```
    pub fn overview(&self) -> LatticeOverview {
        overview::overview(self)
    }

    /// Returns the exact front of the model asked for, whose threshold varies, against a loss measure.
    ///
    /// ```
    /// use haggle::{Engine, Project, Request};
    ///
    /// let engine = Engine::builder(&Project::demo()).qi(["age", "race"]).open()?;
    /// let front = engine.pareto(&Request::k(10), "lm")?;
    /// assert!(front.points.windows(2).all(|pair| pair[0].loss > pair[1].loss));
    /// # Ok::<(), haggle::Error>(())
    /// ```
    pub fn pareto<M>(&self, ask: &Ask, measure: M) -> Result<Front, Error>
    where
        M: TryInto<MeasureSpec>,
        Error: From<M::Error>,
    {
        self.front(ask, &measure.try_into()?, FrontAxes::Loss)
    }

    /// Returns the same front on the chosen axes.
    pub fn front(&self, ask: &Ask, spec: &MeasureSpec, axes: FrontAxes) -> Result<Front, Error> {
        pareto::exact_front(self, ask, spec, axes)
    }

    /// Returns the points of the front with the least loss at some thresholds, without annotating
    /// every scheme.
    ///
    /// ```
    /// # use haggle::{Ask, Engine, Options, Privacy, Project, Silent, Way};
    /// # let project = Project::open("demo:adult")?;
    /// let options = Options { way: Way::OnDemand, ..Options::default() };
    /// let engine = Engine::open(&project, &options)?;
    /// let ask = Ask { privacy: vec![Privacy::new("k-anonymity", 5.0)], ..Ask::default() };
    /// let front = engine.front_at(&ask, &"lm".parse()?, &[5.0, 10.0, 20.0], &Silent)?;
    /// assert!(front.points.windows(2).all(|pair| pair[0].loss > pair[1].loss));
    /// # Ok::<(), haggle::Error>(())
    /// ```
    pub fn front_at(
        &self,
        ask: &Ask,
        spec: &MeasureSpec,
        thresholds: &[f64],
        progress: &dyn Progress,
    ) -> Result<Front, Error> {
        pareto::front_at(self, ask, spec, thresholds, progress)
    }

    /// The exact front of the two models asked for (their thresholds vary), losing at most so much.
    pub fn pareto_of_two(
        &self,
        ask: &Ask,
        spec: &MeasureSpec,
        max_loss: f64,
    ) -> Result<PairsFront, Error> {
        pareto::two::pareto_of_two(self, ask, spec, max_loss)
    }

    /// What every scheme suppresses at the thresholds asked for, by its index: levels in order, the
    /// last attribute's changing fastest.
    ///
    /// ```
    /// # use haggle::{Ask, Engine, Options, Privacy, Project};
    /// # let project = Project::open("demo:adult")?;
    /// let qi = Some(vec!["age".into(), "race".into(), "workclass".into()]);
    /// let engine = Engine::open(&project, &Options { qi, ..Options::default() })?;
    /// let ask = Ask { privacy: vec![Privacy::new("k-anonymity", 3.0)], ..Ask::default() };
    /// let suppressed = engine.suppressed(&ask)?;
    /// assert_eq!((suppressed.len(), suppressed[0]), (60, 554));
    /// # Ok::<(), haggle::Error>(())
    /// ```
    pub fn suppressed(&self, ask: &Ask) -> Result<Costs, Error> {
        self.needs_recorded("what every scheme suppresses")?;
        pinned::suppressed(self, ask)
    }

    /// Describes one scheme in detail, at the thresholds asked for.
    pub fn pinned(&self, ask: &Ask, scheme: &Scheme) -> Result<Pinned, Error> {
        pinned::pinned(self, ask, scheme)
    }

    /// What some schemes suppress and lose at the thresholds asked for, in the order given. Where
    /// schemes are annotated on demand, only these are.
    ///
    /// ```
    /// use haggle::{Engine, MeasureSpec, Project, Request};
    ///
    /// let engine = Engine::builder(&Project::demo()).qi(["age", "race", "workclass"]).open()?;
    /// let schemes = ["0,0,0", "1,1,0"].map(|levels| levels.parse().unwrap());
    /// let report = engine.schemes(&Request::k(10), &schemes, &MeasureSpec::plain())?;
    /// assert_eq!((report.schemes[1].height, report.schemes[1].suppressed), (2, 170));
    /// # Ok::<(), haggle::Error>(())
    /// ```
    pub fn schemes(
        &self,
        ask: &Ask,
        schemes: &[Scheme],
        spec: &MeasureSpec,
    ) -> Result<SchemesReport, Error> {
        schemes::schemes(self, ask, schemes, spec)
    }

    /// What every scheme loses at the thresholds asked for, by its index, as
    /// [`suppressed`](Self::suppressed) orders them. A request for several models is refused: then every
    /// scheme would have to be counted anew.
    ///
    /// ```
    /// use haggle::{Engine, MeasureSpec, Project, Request};
    ///
    /// let engine = Engine::builder(&Project::demo()).qi(["age", "race", "workclass"]).open()?;
    /// let losses = engine.losses_of_all(&Request::k(10), &MeasureSpec::plain())?;
    /// assert_eq!((losses.len(), losses[59]), (60, 1.0)); // at the top nothing is left
    /// # Ok::<(), haggle::Error>(())
    /// ```
    pub fn losses_of_all(
        &self,
        ask: &Ask,
        spec: &MeasureSpec,
    ) -> Result<std::sync::Arc<[f64]>, Error> {
        schemes::losses_of_all(self, ask, spec)
    }

    /// Counts records, and those that a scheme suppresses, by the recorded values of one attribute or
    /// two: quasi-identifiers, or one of them sensitive.
    ///
    /// ```
    /// use haggle::{Engine, Project, Request};
    ///
    /// let engine = Engine::builder(&Project::demo()).qi(["age", "race", "workclass"]).open()?;
    /// let table = engine.cross_table(&Request::k(10), &"1,1,0".parse().unwrap(), &["race"])?;
    /// assert_eq!(table.records.iter().sum::<u64>(), 30_162);
    /// assert_eq!(table.suppressed.iter().sum::<u64>(), 170);
    /// # Ok::<(), haggle::Error>(())
    /// ```
    pub fn cross_table(
        &self,
        ask: &Ask,
        scheme: &Scheme,
        by: &[&str],
    ) -> Result<CrossTable, Error> {
        self.needs_recorded("a cross-table")?;
        cross_table::cross_table(self, ask, scheme, by)
    }

    /// The request with the other thresholds of the project, as
    /// [`Project::with_other_thresholds`] has it.
    pub fn with_other_thresholds(&self, ask: &Ask) -> Ask {
        thresholds::with_other_thresholds(self, ask)
    }

    /// A request in full: every threshold with all its parameters, its attribute and options, the limit
    /// in records, and a maximum level for each quasi-identifier. It can be asked as it stands.
    ///
    /// ```
    /// # use haggle::{Ask, Engine, Options, Project};
    /// # let project = Project::open("demo:adult")?;
    /// let qi = Some(vec!["age".into(), "race".into()]);
    /// let engine = Engine::open(&project, &Options { qi, ..Options::default() })?;
    /// let asked = serde_json::to_value(engine.asked(&Ask::default())?)?;
    /// assert_eq!(asked["privacy"][0], serde_json::json!({"model": "k-anonymity", "k": 5}));
    /// assert_eq!((&asked["max_suppressed"], &asked["levels"]["age"]), (&301.into(), &4.into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn asked(&self, ask: &Ask) -> Result<Ask, Error> {
        thresholds::asked(self, ask)
    }

    /// The thresholds of the project that a request does not have, or has weaker.
    pub fn weakened(&self, ask: &Ask) -> Result<Vec<Weakened>, Error> {
        thresholds::weakened(self, ask)
    }

    /// What a scheme suppresses for the privacy asked for, and why.
    pub fn why(&self, ask: &Ask, scheme: &Scheme, spec: &MeasureSpec) -> Result<Why, Error> {
        self.needs_recorded("why records are suppressed")?;
        why::why(self, ask, scheme, spec)
    }

    /// Every strategy on the same request.
    pub fn compare(&self, ask: &Ask, options: &CompareOptions<'_>) -> Result<Comparison, Error> {
        self.needs_recorded("a comparison of strategies")?;
        compare::compare(self, ask, options)
    }

    /// The engine of a project's stored lattice with some records added and then some deleted, as if the
    /// table had been so from the beginning. Nothing is written; see [`save`](Self::save).
    pub fn updated(
        project: &Project,
        files: &ChangeFiles,
        options: &Options<'_>,
    ) -> Result<(Self, Updated), Error> {
        update::updated(project, files, options)
    }

    /// M-INSTANT with a summary and a threshold of one's own.
    pub fn instant_boxes(
        &self,
        ask: &Ask,
        summary: &str,
        threshold: f64,
    ) -> Result<BoxesReport, Error> {
        self.needs_recorded("a search for boxes")?;
        strategies::boxes::instant_boxes(self, ask, summary, threshold)
    }

    /// The exact optimum of a request by the general loss, which instant answers are compared with.
    pub fn optimum(&self, ask: &InstantAsk) -> Result<Option<ExactOptimum>, Error> {
        instant::optimum(self, ask)
    }
}
