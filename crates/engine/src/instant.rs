//! Instant anonymization of a project's table: predicted from a summary, then counted.

use haggle_api::{
    Account, Amount, Ask, By, CountedScheme, Defaults, ExactOptimum, InstantAnswer, InstantAsk,
    InstantPlan, Levels, MeasureSpec, Predicted, PredictedScheme, Privacy, SummaryReport,
};
use haggle_cube::{Loss, Source};
use haggle_data::sinks::TextRows;
use haggle_data::{Look, TableSource};
use haggle_instant::{
    Counting, ExpectedLoss, Goal, Needs, Planning, PredictionOptions, PredictionRule, Summary,
    SummaryKind, Trial, count, plan, predict, verify,
};
use haggle_model::{Error, Level, Progress, Remedy, Scheme, Silent, Space, Watched};
use haggle_project::Project;
use haggle_search::order::loss_order;
use rayon::prelude::*;

use crate::Engine;

mod known;
mod measure;
mod prediction;
mod prior;
mod relaxed;
mod statistics;

use known::TableFacts;
use measure::{ExpectedMeasure, watched};

pub use prior::summary_prior;
pub(crate) use statistics::statistics_of;

/// How a summary is made.
pub struct InstantOptions<'a> {
    /// The quasi-identifiers, in order; the project's own choice if not given.
    pub qi: Option<Vec<String>>,
    /// The summary, by its name in the catalog.
    pub summary: String,
    /// How many records a sample has.
    pub sample: usize,
    /// The seed of the sample.
    pub seed: u64,
    /// How many more records are drawn that nothing is learned from, to judge the summary by.
    pub hold_out: usize,
    /// Bytes for counting groups.
    pub memory: usize,
    /// Receives progress.
    pub progress: &'a dyn Progress,
}

impl Default for InstantOptions<'_> {
    fn default() -> Self {
        Self {
            qi: None,
            summary: "histogram".into(),
            sample: 10_000,
            seed: 1,
            hold_out: 0,
            memory: usize::MAX,
            progress: &Silent,
        }
    }
}

/// The probability that suffices by default.
const ENOUGH: f64 = 0.8;

/// A table known by a summary, and its source.
///
/// ```
/// use haggle::{Ask, Privacy, Project};
/// use haggle::search::{Instant, InstantAsk, InstantOptions};
///
/// let project = Project::open("demo:adult")?;
/// let ask = InstantAsk {
///     ask: Ask { privacy: vec![Privacy::new("k-anonymity", 60.0)], ..Ask::default() },
///     ..InstantAsk::default()
/// };
/// let qi = Some(vec!["age".into(), "race".into(), "workclass".into()]);
/// let mut instant = Instant::open(&project, &ask, &InstantOptions { qi, ..InstantOptions::default() })?;
/// let answer = instant.find(&ask, &haggle::Silent)?;
/// assert!(answer.scheme.is_some() && answer.scans >= 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Instant {
    kind: &'static SummaryKind,
    summary: Box<dyn Summary>,
    source: TableSource,
    /// Passes that the summary took.
    passes: u64,
    /// The sensitive attribute that is watched, if one is asked about.
    sensitive: Option<Watched>,
    held_out: Vec<u32>,
    /// How many records the pass that made the summary dropped, where it read all of them.
    dropped: Option<u64>,
    defaults: Defaults,
}

impl Instant {
    /// Makes the summary; of the request only the model matters here.
    pub fn open(
        project: &Project,
        ask: &InstantAsk,
        options: &InstantOptions<'_>,
    ) -> Result<Self, Error> {
        let kind = summary_of(&options.summary)?;
        if project.data.unit.is_some() {
            let what = "persons with several records cannot be predicted";
            return Err(Error::unsupported(what, Remedy::AskLattice));
        }
        let qi = options.qi.clone().unwrap_or_else(|| project.default_qi());
        let sensitive = watched(project, &ask.ask.or(&project.defaults), kind)?;
        let known = match kind.needs {
            Needs::Overview => {
                TableFacts::by_a_pass(project, &qi, sensitive.as_deref(), Look::Whole, options)?
            }
            Needs::Sample => {
                TableFacts::by_a_pass(project, &qi, sensitive.as_deref(), Look::Sample, options)?
            }
            Needs::Statistics => {
                TableFacts::by_statistics(project, &qi, sensitive.as_deref(), options.progress)?
            }
        };
        let TableFacts { basis, table, plan, passes, held_out, dropped } = known;
        let attributes = basis.attributes.clone();
        Ok(Self {
            kind,
            summary: kind.build(&basis)?,
            source: TableSource::new(table, plan, attributes, options.memory),
            passes,
            sensitive: basis.sensitive,
            held_out,
            dropped,
            defaults: project.defaults.clone(),
        })
    }

    /// A name for what [`open`](Self::open) would make with the same options: requests with the same
    /// can share it. Refuses what no such summary can predict.
    pub fn known_as(project: &Project, ask: &InstantAsk, qi: &[String]) -> Result<String, Error> {
        let kind = summary_of(&InstantOptions::default().summary)?;
        let sensitive = watched(project, &ask.ask.or(&project.defaults), kind)?;
        Ok(format!("{qi:?} with {sensitive:?}"))
    }

    /// The quasi-identifiers, in the order of a scheme's levels.
    pub fn attributes(&self) -> Vec<&str> {
        self.source.attributes().iter().map(|a| a.name.as_str()).collect()
    }

    /// How many records there are, or are believed to be.
    pub fn records(&self) -> u64 {
        self.summary.records() as u64
    }

    /// What the summary is.
    pub fn summary(&self) -> SummaryReport {
        SummaryReport { id: self.kind.id, scans: self.passes, records: self.records() }
    }

    /// What is predicted of every scheme; the data is not read.
    pub fn predict(&self, ask: &InstantAsk) -> Result<Vec<PredictedScheme>, Error> {
        let ExpectedMeasure { spec, loss } = self.measure(&self.full(ask))?;
        let Planning { goal, how, may_suppress, .. } =
            self.planning(ask, loss.as_ref(), &Silent)?;
        let (summary, space) = (self.summary.as_ref(), self.space());
        let kept_if = may_suppress.then_some(goal);
        let losses = ExpectedLoss::new(summary, kept_if, how, loss.as_ref());
        let one = |index: usize| {
            let scheme = space.scheme(index);
            let predicted = predict(summary, &scheme, goal, &how)?;
            let expected = losses.of_scheme(&scheme, &predicted)?;
            let predicted = Predicted::new(&predicted, &spec, expected);
            Ok(PredictedScheme { height: scheme.height(), scheme, predicted })
        };
        (0..space.size().unwrap_or(0)).into_par_iter().map(one).collect()
    }

    /// The schemes worth counting, best first; the data is not read.
    pub fn plan(&self, ask: &InstantAsk) -> Result<InstantPlan, Error> {
        let ExpectedMeasure { spec, loss } = self.measure(&self.full(ask))?;
        let found = plan(self.summary.as_ref(), &self.planning(ask, loss.as_ref(), &Silent)?)?;
        Ok(InstantPlan::new(&found, &spec))
    }

    /// Counts one scheme in one scan, so that its figures are exact.
    pub fn count_scheme(
        &mut self,
        ask: &InstantAsk,
        scheme: &Scheme,
        progress: &dyn Progress,
    ) -> Result<CountedScheme, Error> {
        let Ask { top, relax_height, .. } = &ask.ask;
        Ask::refuse(&[("top", top.is_some()), ("relax_height", relax_height.is_some())])?;
        let full = self.full(ask);
        let goal = self.goal(&full)?;
        if !self.space().contains(scheme) {
            let names = self.attributes().join(", ");
            return Err(Error::new(
                format!("{scheme} is not a scheme of these attributes"),
                format!("give a level for each of: {names}"),
            ));
        }
        let ExpectedMeasure { spec, loss } = self.measure(&full)?;
        let counting = self.counting(ask, goal, loss.as_ref(), progress);
        let trial = count(&mut self.source, scheme, &counting)?;
        Ok(CountedScheme::new(&trial, goal, &spec))
    }

    /// Plans, then counts the best candidates until as many as were asked for keep their promise.
    /// If none does and it is asked how to relax the maximum levels, candidates beyond them are
    /// counted as well. At the deadline, predicting stops with what was found, and no further scan
    /// begins.
    pub fn find(
        &mut self,
        ask: &InstantAsk,
        progress: &dyn Progress,
    ) -> Result<InstantAnswer, Error> {
        let full = self.full(ask);
        let ExpectedMeasure { spec, loss } = self.measure(&full)?;
        let before = self.source.scans();
        let start = std::time::Instant::now();
        let planning = self.planning(ask, loss.as_ref(), progress)?;
        let goal = planning.goal;
        let plan = plan(self.summary.as_ref(), &planning)?;
        let plan_micros = start.elapsed().as_micros() as u64;
        let counting = self.counting(ask, goal, loss.as_ref(), progress);
        let found = verify(&mut self.source, &plan.candidates, &counting)?;
        let ranked = ranked(&found.confirmed, &found.trials);
        let most_scans = counting.most_scans - found.trials.len();
        let relaxed = match full.relax_height {
            Some(how) if ranked.is_empty() => {
                let counting = Counting { wanted: 1, most_scans, ..counting };
                Some(self.relaxed(how.into(), &planning, &counting)?)
            }
            _ => None,
        };
        let relaxed_stopped = relaxed.as_ref().is_some_and(|relaxed| relaxed.stopped);
        let counted = |trial: &Trial| CountedScheme::new(trial, goal, &spec);
        let chosen = ranked.first().map(|&i| (&plan.candidates[i], &found.trials[i]));
        let beyond = relaxed.iter().flat_map(|relaxed| &relaxed.trials);
        let trials = found.trials.iter().chain(beyond).map(counted).collect();
        Ok(InstantAnswer {
            scheme: chosen.map(|(candidate, _)| candidate.scheme.clone()),
            levels: chosen.map(|(c, _)| self.levels(&c.scheme)).unwrap_or_default(),
            scans: self.source.scans() - before,
            summary: self.summary(),
            asked: self.in_full(&full, counting.limit)?,
            account: self.account(chosen.map(|(_, trial)| trial)),
            limit: counting.limit,
            plan: InstantPlan::brief(&plan),
            predicted: chosen.map(|(c, _)| Predicted::new(&c.predicted, &spec, c.loss)),
            attained: chosen.map(|(_, trial)| counted(trial)),
            runners_up: ranked.iter().skip(1).map(|&i| counted(&found.trials[i])).collect(),
            relaxations: relaxed.map(|relaxed| relaxed.reported(counted)),
            trials,
            stopped: !plan.complete || found.stopped || relaxed_stopped,
            optimum: None,
            plan_micros,
            micros: start.elapsed().as_micros() as u64,
        })
    }

    /// The request with gaps filled from the project.
    fn full(&self, ask: &InstantAsk) -> Ask {
        ask.ask.or(&self.defaults)
    }

    /// How the candidates of a request are counted.
    fn counting<'l>(
        &self,
        ask: &InstantAsk,
        goal: Goal,
        loss: &'l dyn Loss,
        progress: &'l dyn Progress,
    ) -> Counting<'l> {
        let full = self.full(ask);
        let wanted = full.top.unwrap_or(1).max(1);
        let (limit, most_scans) = (self.limit(&full), ask.max_scans);
        Counting { goal, limit, loss, wanted, most_scans, progress }
    }

    /// What became of the records, as far as the table was read: what the last scan dropped, or the
    /// pass that made the summary.
    fn account(&self, found: Option<&Trial>) -> Option<Account> {
        let dropped = self.source.dropped().or(self.dropped)?;
        let counted = found.map_or_else(|| self.records(), |trial| trial.records);
        let account = Account::from_counts(dropped, counted);
        Some(found.map_or(account, |trial| account.suppressing(trial.suppressed)))
    }

    /// A request in full: the threshold by its name and attribute, the limit, a maximum for each level.
    fn in_full(&self, ask: &Ask, limit: u64) -> Result<Ask, Error> {
        let (names, space) = (self.attributes(), self.space());
        let top = || Ok(space.top().clone());
        let caps =
            ask.levels.as_ref().map_or_else(top, |levels| levels.under(space.top(), &names))?;
        let levels = names.iter().zip(caps.levels());
        let levels = levels.map(|(name, &level)| ((*name).to_owned(), level.into())).collect();
        let diverse = matches!(goal(ask)?, Goal::L(_));
        let on = self.sensitive.as_ref().filter(|_| diverse).map(|watched| watched.name.clone());
        let one = |one: Privacy| Privacy { on: one.on.clone().or_else(|| on.clone()), ..one };
        Ok(Ask {
            privacy: ask.spelled_out().privacy.into_iter().map(one).collect(),
            levels: Some(Levels::ByName(levels)),
            max_suppressed: Some(Amount::Records(limit)),
            ..ask.clone()
        })
    }

    /// The mean logarithm of the probability of the records that nothing was learned from; what
    /// the summary takes to be impossible counts as one in a thousand times as many records.
    pub fn held_out_likelihood(&self) -> f64 {
        let columns = self.source.attributes().len() + usize::from(self.sensitive.is_some());
        let least = 1e-3 / self.summary.records().max(1.0);
        let base = self.space().bottom();
        let quasi = self.source.attributes().len();
        let rows = self.held_out.chunks_exact(columns);
        let likelihood = |row: &[u32]| {
            let sensitive = row.get(quasi).copied();
            self.summary.probability(&base, &row[..quasi], sensitive).max(least).ln()
        };
        rows.clone().map(likelihood).sum::<f64>() / rows.len().max(1) as f64
    }

    /// A table drawn from the summary, as comma-separated text with a header: of people who do not
    /// exist, but are spread as the summary says.
    pub fn synthesize(&self, records: usize, seed: u64) -> String {
        use rand::SeedableRng;
        let mut random = rand::rngs::StdRng::seed_from_u64(seed);
        let attributes = self.source.attributes();
        let mut rows = TextRows::default();
        let sensitive = self.sensitive.iter().map(|watched| watched.name.as_str());
        self.attributes().into_iter().chain(sensitive).for_each(|name| rows.field(name));
        rows.end();
        for _ in 0..records {
            for (column, code) in self.summary.draw(&mut random).into_iter().enumerate() {
                match (attributes.get(column), &self.sensitive) {
                    (Some(a), _) => rows.field(a.hierarchy.label(code, Level::RECORDED)),
                    (None, Some(watched)) => rows.field(watched.values.value(code)),
                    (None, None) => {}
                }
            }
            rows.end();
        }
        String::from_utf8(rows.to_csv()).expect("labels are text")
    }

    fn levels(&self, scheme: &Scheme) -> std::collections::BTreeMap<String, Level> {
        let names = self.attributes().into_iter().map(String::from);
        names.zip(scheme.levels().iter().copied()).collect()
    }

    fn space(&self) -> Space {
        Space::of(self.source.attributes().iter().map(|a| &a.hierarchy))
    }

    fn limit(&self, ask: &Ask) -> u64 {
        ask.max_suppressed.map_or(0, |limit| limit.of(self.records()))
    }

    /// What every group must be: the one model that is asked for.
    fn goal(&self, ask: &Ask) -> Result<Goal, Error> {
        let goal = goal(ask)?;
        if matches!(goal, Goal::L(_)) && self.sensitive.is_none() {
            let fix = "open it with a request for frequency-l-diversity";
            return Err(Error::new("the summary watches no sensitive attribute", fix));
        }
        Ok(goal)
    }

    fn planning<'l>(
        &self,
        ask: &InstantAsk,
        loss: &'l dyn Loss,
        progress: &'l dyn Progress,
    ) -> Result<Planning<'l>, Error> {
        let full = self.full(ask);
        if full.top == Some(0) {
            return Err(Error::new("'top' is the number of best schemes", "ask for at least 1"));
        }
        let goal = self.goal(&full)?;
        let limit = self.limit(&full) as f64;
        let rule = match ask.by {
            By::Limit if limit > 0.0 => PredictionRule::Expectation(limit),
            By::Limit => PredictionRule::Probability(ENOUGH),
            By::Probability(least) => PredictionRule::Probability(least),
            // The published experiments allow one expected record where none may be suppressed.
            By::Expectation(most) => PredictionRule::Expectation(most.unwrap_or(limit.max(1.0))),
        };
        let enough = if let PredictionRule::Probability(least) = rule { least } else { ENOUGH };
        let how = PredictionOptions {
            predictor: ask.predictor,
            enough,
            optimizations: ask.optimizations,
            progress,
        };
        let names = self.attributes();
        let space = self.space();
        let under = full.levels.as_ref().map(|levels| levels.under(space.top(), &names));
        let (under, may_suppress) = (under.transpose()?, limit > 0.0);
        Ok(Planning { goal, rule, how, under, loss, may_suppress })
    }
}

/// The confirmed candidates in the order of answers: by counted loss, height, suppressed records
/// and levels.
fn ranked(confirmed: &[usize], trials: &[Trial]) -> Vec<usize> {
    let mut ranked = confirmed.to_vec();
    ranked.sort_by(|&a, &b| {
        let (a, b) = (&trials[a], &trials[b]);
        loss_order((a.loss, a.suppressed, &a.scheme), (b.loss, b.suppressed, &b.scheme))
    });
    ranked
}

/// The exact optimum of a request, which instant answers are compared with: by the loss asked for,
/// or by the general one.
pub(crate) fn optimum(engine: &Engine, ask: &InstantAsk) -> Result<Option<ExactOptimum>, Error> {
    let full = ask.ask.or(engine.defaults());
    let optimize = Some(full.optimize.unwrap_or_else(MeasureSpec::plain));
    let max_suppressed = Some(full.max_suppressed.unwrap_or(Amount::Records(0)));
    let answer = engine.ask(&Ask { max_suppressed, optimize, top: None, ..ask.ask.clone() })?;
    Ok(answer.exact.map(|offer| ExactOptimum {
        suppressed: offer.suppressed,
        loss: offer.loss,
        scheme: offer.scheme,
    }))
}

/// The summary of this name; an error names all.
pub(crate) fn summary_of(id: &str) -> Result<&'static SummaryKind, Error> {
    haggle_instant::find(id).ok_or_else(|| {
        let known: Vec<&str> = haggle_instant::CATALOG.iter().map(|kind| kind.id).collect();
        let what = format!("there is no summary '{id}'");
        Error::new(what, format!("choose from: {}", known.join(", ")))
    })
}

/// The goal of a request: one threshold of a model that can be predicted.
fn goal(ask: &Ask) -> Result<Goal, Error> {
    let fix = "ask for one, such as k-anonymity=60 or frequency-l-diversity=2";
    let [one] = ask.privacy.as_slice() else {
        let asked: Vec<&str> = ask.privacy.iter().map(|one| one.model.as_str()).collect();
        let asked = if asked.is_empty() { "none".to_owned() } else { asked.join(" and ") };
        let what = format!("one privacy model is predicted at a time; asked for: {asked}");
        let fix = format!("{fix}; say 'only' where the project asks for another");
        return Err(Error::new(what, fix));
    };
    let (model, arguments) = one.resolve()?;
    let number = |name: &str| arguments.numbers.get(name).copied().unwrap_or_default();
    match model.id {
        "k-anonymity" => Ok(Goal::K(number("k").ceil() as u64)),
        "frequency-l-diversity" => Ok(Goal::L(number("l"))),
        other => Err(Error::new(format!("{other} cannot be predicted from a summary"), fix)),
    }
}
