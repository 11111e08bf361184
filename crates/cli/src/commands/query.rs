//! `haggle query`: what an analyst learns from a publication, next to the truth.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{bail, ensure};
use clap::{Args, ValueEnum};
use haggle::numerals::{grouped, thousands};
use haggle::queries::{
    FileQueries, QueriedPublication, Query, QueryAnswer, QueryAsk, QueryDomain, QueryError,
    QueryResult, RandomQueries, SelectedRecords, WorkloadOverSchemes, WorkloadReport,
    read_workload,
};
use haggle::{Ask, Choice, Engine, Scheme, Way};

use super::publish::FailingRecords;
use crate::Output;
use crate::args::{Opening, PrivacyArgs, ProjectArgs};
use crate::progress::WorkBar;
use crate::text::table;

/// How many values of a target are printed; all are in the JSON.
const SHOWN: usize = 12;

/// What an analyst learns from a scheme or from a published file, next to the truth
#[derive(Debug, Args)]
pub(crate) struct QueryArgs {
    #[command(flatten)]
    project: ProjectArgs,
    /// Which records: such as 'age < 25 and (race = White or sex in (Female, "not stated"))'
    condition: Option<String>,
    /// The column whose distribution among these records is asked for
    #[arg(long, value_name = "COLUMN")]
    of: Option<String>,
    /// A column for each of whose recorded values the query is asked, too
    #[arg(long, value_name = "COLUMN")]
    group_by: Option<String>,
    /// The scheme, such as 1,0,1; nothing is suppressed unless a threshold is named
    #[arg(long, value_name = "SCHEME")]
    scheme: Option<Scheme>,
    /// The strategy whose recoding is asked, such as mondrian, instead of a scheme
    #[arg(long, value_name = "NAME", conflicts_with = "scheme")]
    strategy: Option<String>,
    #[command(flatten)]
    privacy: PrivacyArgs,
    /// What is published of suppressed records (default: drop)
    #[arg(long, value_enum, conflicts_with = "every_scheme")]
    suppress: Option<FailingRecords>,
    /// Which recorded values a published value may stand for (default: occurring)
    #[arg(long, value_enum, conflicts_with_all = ["workload", "random"])]
    domain: Option<PossibleValues>,
    /// The project behind a published file, for its hierarchies, its counts and the truth
    #[arg(long, value_name = "PROJECT")]
    with_project: Option<String>,
    /// A file of queries, one on each line: a condition, or JSON such as {"condition": "age < 25", "of": "race"}
    #[arg(long, value_name = "FILE", conflicts_with_all = ["condition", "of", "group_by", "random"])]
    workload: Option<PathBuf>,
    /// Ask this many random range queries
    #[arg(long, value_name = "N", conflicts_with_all = ["condition", "group_by"])]
    random: Option<usize>,
    /// How many quasi-identifiers each random query restricts
    #[arg(long, value_name = "N", default_value_t = 2, requires = "random", conflicts_with_all = ["condition", "workload", "group_by"])]
    dimensions: usize,
    /// The share of all combinations of values that each random query selects
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, requires = "random", conflicts_with_all = ["condition", "workload", "group_by"])]
    selectivity: f64,
    /// The seed of random queries
    #[arg(long, value_name = "SEED", default_value_t = 1, requires = "random", conflicts_with_all = ["condition", "workload", "group_by"])]
    seed: u64,
    /// Compare every scheme by the mean error of the workload's counts, answered as nc, cc or ic
    #[arg(long, value_name = "ANSWER", conflicts_with_all = ["scheme", "strategy", "of"])]
    every_scheme: Option<String>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum PossibleValues {
    Occurring,
    Leaves,
}

impl QueryArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Output> {
        if is_published_file(&self.project.project) {
            return self.answered(&self.on_file()?);
        }
        ensure!(
            self.with_project.is_none(),
            "--with-project names the project behind a published file, and this is a project\n    \
             fix: leave it out"
        );
        let way = Way::OnDemand;
        let engine = self.project.engine_by(&Opening { way, ..Opening::default() })?;
        match self.queries(&engine)? {
            None => self.answered(&haggle::queries::query(
                &engine,
                &self.publication()?,
                &self.ask(),
                &WorkBar::default(),
            )?),
            Some(queries) if self.every_scheme.is_some() => self.over_schemes(&engine, &queries),
            Some(queries) => {
                let report = haggle::queries::workload(
                    &engine,
                    &self.publication()?,
                    &queries,
                    &WorkBar::default(),
                )?;
                let json = self.project.json;
                Ok(if json { super::json(&report)? } else { workload_words(&report) }.into())
            }
        }
    }

    fn answered(&self, answer: &QueryAnswer) -> anyhow::Result<Output> {
        let text = if self.project.json { super::json(answer)? } else { words(answer)? };
        Ok(text.into())
    }

    fn on_file(&self) -> anyhow::Result<QueryAnswer> {
        ensure!(
            self.scheme.is_none()
                && self.strategy.is_none()
                && self.workload.is_none()
                && self.random.is_none()
                && self.every_scheme.is_none(),
            "a published file has no schemes\n    fix: leave out --scheme, --strategy and workloads, or ask the project"
        );
        ensure!(
            self.suppress.is_none() && (self.domain.is_none() || self.with_project.is_some()),
            "what a published file suppresses is done, and which values occur is known only of a table\n    \
             fix: leave out --suppress, and name the project behind the file for --domain"
        );
        ensure!(
            self.privacy.list().is_empty(),
            "thresholds do not change a published file\n    fix: leave them out, or use haggle verify"
        );
        let project = self.with_project.as_ref().map(|project| {
            let args = ProjectArgs { project: project.clone(), ..self.project.clone() };
            args.engine_by(&Opening { way: Way::OnDemand, ..Opening::default() })
        });
        let (engine, file) = (project.transpose()?, Path::new(&self.project.project));
        let memory = self.project.memory;
        let queries = FileQueries::open(file, engine.as_ref(), self.project.qi(), memory)?;
        Ok(queries.answer(&self.ask(), &WorkBar::default())?)
    }

    fn ask(&self) -> QueryAsk {
        let domain = match self.domain {
            None | Some(PossibleValues::Occurring) => QueryDomain::Occurring,
            Some(PossibleValues::Leaves) => QueryDomain::Leaves,
        };
        QueryAsk {
            condition: self.condition.clone().unwrap_or_default(),
            of: self.of.clone(),
            group_by: self.group_by.clone(),
            domain,
        }
    }

    fn thresholds(&self) -> Ask {
        Ask { privacy: self.privacy.list(), only: true, ..Ask::default() }
    }

    fn publication(&self) -> anyhow::Result<QueriedPublication> {
        let recoding = match (&self.scheme, &self.strategy) {
            (Some(scheme), _) => Choice::Scheme(scheme.clone()),
            (None, Some(strategy)) => Choice::Strategy(strategy.clone()),
            (None, None) => {
                bail!("which scheme is asked?\n    fix: name it, such as --scheme 1,0,1");
            }
        };
        let suppressed = self.suppress.map(Into::into).unwrap_or_default();
        ensure!(
            self.suppress.is_none() || !self.privacy.list().is_empty(),
            "nothing is suppressed without a threshold\n    fix: name one with --k, --l or --privacy, or leave out --suppress"
        );
        Ok(QueriedPublication { recoding, ask: self.thresholds(), suppressed })
    }

    /// The queries of a workload, if one is asked for.
    fn queries(&self, engine: &Engine) -> anyhow::Result<Option<Vec<Query>>> {
        if let Some(file) = &self.workload {
            return Ok(Some(read_workload(file)?));
        }
        let Some(queries) = self.random else {
            ensure!(
                self.every_scheme.is_none(),
                "--every-scheme compares schemes by a workload\n    fix: name one with --workload or --random"
            );
            return Ok(None);
        };
        let &Self { dimensions, selectivity, seed, .. } = self;
        let random = RandomQueries { queries, dimensions, selectivity, seed };
        let conditions = random.draw(engine.cube().attributes())?.into_iter();
        Ok(Some(conditions.map(|condition| Query { condition, target: self.of.clone() }).collect()))
    }

    fn over_schemes(&self, engine: &Engine, queries: &[Query]) -> anyhow::Result<Output> {
        let conditions: Vec<_> = queries.iter().map(|query| query.condition.clone()).collect();
        let answer = self.every_scheme.as_deref().unwrap_or("ic");
        let found = haggle::queries::over_schemes(
            engine,
            &self.thresholds(),
            &conditions,
            answer,
            &WorkBar::default(),
        )?;
        Ok(if self.project.json { super::json(&found)? } else { schemes_words(&found) }.into())
    }
}

/// Whether a name is that of a data file: not of a project, its folder or a lattice.
fn is_published_file(name: &str) -> bool {
    let path = Path::new(name);
    let extension = path.extension().and_then(|extension| extension.to_str());
    path.is_file() && !matches!(extension, Some("toml" | "lattice"))
}

fn number(value: f64) -> String {
    grouped(value, if value.fract() == 0.0 { 0 } else { 3 })
}

fn words(answer: &QueryAnswer) -> anyhow::Result<String> {
    let basis = &answer.basis;
    let mut text = result_words(&answer.result)?;
    for one in &answer.by_value {
        write!(text, "\n{}:\n{}", one.value, result_words(&one.result)?)?;
    }
    let from = match basis.probabilities.as_str() {
        "table" => "the counts of the table",
        _ => "equally likely values, because no table is known",
    };
    writeln!(text, "\nProbabilities come from {from}.")?;
    if let Some(how) = &basis.apportioned {
        writeln!(text, "The target is generalized: {how}.")?;
    }
    if !basis.as_recorded.is_empty() {
        writeln!(text, "As recorded: {}.", basis.as_recorded.join(", "))?;
    }
    if basis.scans > 0 {
        writeln!(
            text,
            "These columns were counted together by {} more scan of the data.",
            basis.scans
        )?;
    }
    if let Some(dropped) = basis.dropped.filter(|dropped| *dropped > 0) {
        writeln!(
            text,
            "{} suppressed records are left out of the answers, not of the truth.",
            thousands(dropped)
        )?;
    }
    Ok(text)
}

fn result_words(result: &QueryResult) -> anyhow::Result<String> {
    let mut text = format!(
        "{} groups satisfy the condition, {} more may in part.\n\n",
        thousands(result.groups.full),
        thousands(result.groups.partial)
    );
    let answers = [
        ("truth", result.truth.as_ref(), None),
        ("non-corrected", Some(&result.non_corrected), result.error.map(|e| e.non_corrected)),
        ("corrected", Some(&result.corrected), result.error.map(|e| e.corrected)),
        (
            "independently corrected",
            Some(&result.independently_corrected),
            result.error.map(|e| e.independently_corrected),
        ),
    ];
    let mut rows =
        vec![["", "records", "mean", "count error", "total variation"].map(String::from).to_vec()];
    for (name, records, error) in answers {
        rows.extend(records.map(|records| row(name, records, error)));
    }
    text += &table(&rows);
    if !result.non_corrected.values.is_empty() {
        write!(text, "\n{}", values(result))?;
    }
    if result.truth.as_ref().is_some_and(|truth| truth.total == 0.0) {
        text +=
            "\nNo record of the table satisfies the condition, so there is no error to report.\n";
    }
    Ok(text)
}

fn row(name: &str, records: &SelectedRecords, error: Option<QueryError>) -> Vec<String> {
    let optional = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.4}"));
    vec![
        name.into(),
        number(records.total),
        records.mean.map_or(String::new(), |mean| format!("{mean:.3}")),
        optional(error.map(|error| error.relative_count)),
        optional(error.and_then(|error| error.total_variation)),
    ]
}

/// The records by the most frequent values of the target.
fn values(result: &QueryResult) -> String {
    let mut order: Vec<(&String, f64)> =
        result.non_corrected.values.iter().map(|(value, &records)| (value, records)).collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    let of = |records: &SelectedRecords, value: &str| {
        number(records.values.get(value).copied().unwrap_or(0.0))
    };
    let head = ["value", "truth", "non-corrected", "corrected", "independently corrected"];
    let mut rows = vec![head.map(String::from).to_vec()];
    rows.extend(order.iter().take(SHOWN).map(|(value, _)| {
        vec![
            (*value).clone(),
            result.truth.as_ref().map_or(String::new(), |truth| of(truth, value)),
            of(&result.non_corrected, value),
            of(&result.corrected, value),
            of(&result.independently_corrected, value),
        ]
    }));
    table(&rows)
}

fn workload_words(report: &WorkloadReport) -> String {
    let head = ["answer", "mean count error", "median", "95th percentile", "mean total variation"];
    let mut rows = vec![head.map(String::from).to_vec()];
    rows.extend(report.errors.iter().map(|(answer, errors)| {
        let counts = errors.relative_count;
        let distance = errors.total_variation.map_or(String::new(), |e| format!("{:.4}", e.mean));
        let number = |value: f64| format!("{value:.4}");
        let name = answer.replace('_', "-");
        vec![
            name,
            number(counts.mean),
            number(counts.median),
            number(counts.percentile_95),
            distance,
        ]
    }));
    format!(
        "{} queries; {} of them select no record of the table and have no error.\n\n{}",
        thousands(report.queries),
        thousands(report.empty_truth),
        table(&rows)
    )
}

fn schemes_words(found: &WorkloadOverSchemes) -> String {
    let head = ["scheme", "suppressed", "mean count error", "median", "95th percentile"];
    let mut rows = vec![head.map(String::from).to_vec()];
    rows.extend(found.schemes.iter().take(SHOWN).map(|one| {
        let errors = one.relative_count;
        let number = |value: f64| format!("{value:.4}");
        vec![
            one.scheme.to_string(),
            thousands(one.suppressed),
            number(errors.mean),
            number(errors.median),
            number(errors.percentile_95),
        ]
    }));
    format!(
        "{} queries on {} schemes, the smallest mean error first.\n\n{}",
        thousands(found.queries),
        thousands(found.schemes.len() as u64),
        table(&rows)
    )
}
