//! `haggle publish`: write the anonymized table, proved from what was written.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::ensure;
use clap::{Args, ValueEnum};
use haggle::publishing::{
    EngineFiles, PrivateManifest, PublishOptions, PublishOutcome, PublishRequest, PublishTarget,
    Refusal, Replace, SuppressedRecords,
};
use haggle::{
    Ask, CancelAt, Engine, Options, Progress, Project, PublicationForm, PublicationReport,
    RecodingChoice, Relaxations, Scheme, WithDeadline,
};
use serde::Serialize;

use crate::Output;
use crate::args::{OptimizeArgs, ProjectArgs, RequestArgs, StartArgs, output_file, parse_seconds};
use crate::columns::column_table;
use crate::commands::ask::AnswerWording;
use crate::progress::WorkBar;
use crate::time_limit::{full_touches, is_cancelled, search_until};

mod chosen;
mod order;
mod statements;
mod wording;

use chosen::ChosenBy;
use order::OrderArgs;
use statements::StatementArgs;
use wording::{together_words, words};

/// What happens to records whose group fails.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum FailingRecords {
    /// They are left out.
    Drop,
    /// They are kept with * in every quasi-identifier, if they keep the promise as a group.
    Star,
}

impl From<FailingRecords> for SuppressedRecords {
    fn from(failing: FailingRecords) -> Self {
        match failing {
            FailingRecords::Drop => Self::Drop,
            FailingRecords::Star => Self::Star,
        }
    }
}

/// In which form the data is published.
#[derive(Debug, Args)]
struct FormArgs {
    /// Group suppressed records again at higher levels
    #[arg(long, conflicts_with = "strategy")]
    refine: bool,
    /// Publish the smallest and largest recorded values of boxes as their ends, not cuts between
    /// boxes; for research, because an extreme may be that of one person
    #[arg(long, requires = "strategy")]
    tight: bool,
    /// Publish two tables that are joined by group: quasi-identifiers as recorded, and the sensitive
    /// values of each group, in a file next to the output. Promises diversity, never k
    #[arg(long, conflicts_with_all = ["scheme", "strategy", "refine", "table", "policy"])]
    anatomy: bool,
}

/// Write the anonymized table, read it again, and prove the promise from what was written
#[derive(Debug, Args)]
pub(crate) struct PublishArgs {
    #[command(flatten)]
    project: ProjectArgs,
    #[command(flatten)]
    start: StartArgs,
    #[command(flatten)]
    request: RequestArgs,
    #[command(flatten)]
    optimize: OptimizeArgs,
    /// The scheme to apply, such as 1,1,0; without one, the exact answer to the request
    #[arg(long, value_name = "SCHEME", conflicts_with = "levels")]
    scheme: Option<Scheme>,
    /// Publish what a strategy finds, such as mondrian or m-instant:summary=bayes; see haggle compare (default: the lattice's answer)
    #[arg(long, value_name = "STRATEGY", conflicts_with = "scheme")]
    strategy: Option<String>,
    /// Publish the best found within this many seconds from the start, or nothing
    #[arg(long, alias = "patience", value_name = "SECONDS", value_parser = parse_seconds)]
    time_limit: Option<Duration>,
    #[command(flatten)]
    form: FormArgs,
    /// The file to write; or parquet:PATH, which a database with an ADBC driver writes by itself
    #[arg(short, long, value_name = "FILE", required_unless_present = "table", value_parser = output_file())]
    output: Option<PathBuf>,
    /// Replace files that are not earlier publications; never the project's own, its data, devices or pipes
    #[arg(long)]
    force: bool,
    /// The table to make within the project's own database
    #[arg(long, value_name = "SCHEMA.NAME", conflicts_with_all = ["output", "private", "seed"])]
    table: Option<String>,
    /// Write the public manifest of that table, or of files that a database writes, into this file
    #[arg(long, value_name = "FILE")]
    manifest: Option<PathBuf>,
    /// Columns to publish as recorded although they would be dropped: quasi-identifiers that the
    /// request leaves out, nearly unique columns (default: `as_recorded` in the project)
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    as_recorded: Option<Vec<String>>,
    /// What happens to records whose group fails (default: drop)
    #[arg(long, value_enum)]
    suppress: Option<FailingRecords>,
    /// Add a column of this name that says which records were suppressed
    #[arg(long, value_name = "NAME")]
    flag: Option<String>,
    #[command(flatten)]
    statements: StatementArgs,
    #[command(flatten)]
    order: OrderArgs,
    /// Write a ' before text that spreadsheets take for a formula
    #[arg(long, conflicts_with = "table")]
    spreadsheet_safe: bool,
    /// Write the private manifest and the value mappings into this folder; keep it secret
    #[arg(long, value_name = "FOLDER")]
    private: Option<PathBuf>,
    /// Repeat an earlier publication on this data: its policy.json
    #[arg(long, value_name = "FILE", conflicts_with_all = ["scheme", "strategy", "refine", "levels", "qi", "k", "l", "privacy", "optimize", "suppress"])]
    policy: Option<PathBuf>,
}

impl PublishArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Output> {
        let (start, bar) = (Instant::now(), WorkBar::default());
        let timed = CancelAt::new(&bar, self.time_limit.and_then(|limit| start.checked_add(limit)));
        match self.publish(&timed, start) {
            Err(error) if timed.has_ended() && is_cancelled(&error) => self.out_of_time(),
            published => published,
        }
    }

    fn publish(&self, timed: &CancelAt<'_>, start: Instant) -> anyhow::Result<Output> {
        // What is counted is what is published, even if others add records meanwhile.
        let project = Project::open(&self.project.project)?.at_this_moment(timed)?;
        let policy = self.policy.as_deref().map(PrivateManifest::open).transpose()?;
        let qi =
            policy.as_ref().map(PrivateManifest::quasi_identifiers).or(self.project.qi.clone());
        let full_touches = full_touches(self.time_limit, 1);
        let from_level = self.start.from_level.clone();
        let common = self.project.options(timed);
        let options = Options { qi, full_touches, from_level, ..common };
        let engine = Engine::open(&project, &options)?;
        if let Some(notice) = engine.notice() {
            eprintln!("note: {notice}");
        }
        if let Some(partial) = engine.built().partial.as_ref().filter(|_| self.scheme.is_none()) {
            eprintln!("note: the stored lattice is partial; {}", partial.meaning);
        }
        if let Some(policy) = &policy {
            haggle::publishing::check_policy(&engine, policy)?;
        }
        let searching = WithDeadline::at(timed, search_until(start, self.time_limit));
        let ask = self.ask(&engine, policy.as_ref())?;
        let to = self.target(&project)?;
        let options = PublishOptions { to, ..self.options(ask, policy.as_ref(), &searching)? };
        match haggle::publishing::publish(&engine, &project, &options)? {
            PublishOutcome::Written(report) => self.statements.tell(&report, self.project.json),
            outcome => self.tell(&engine, outcome, &options.ask, policy.is_some()),
        }
    }

    /// Where the publication goes: into statements, into what the project's own engine writes (a
    /// table, or files), or into a file.
    fn target(&self, project: &Project) -> anyhow::Result<PublishTarget> {
        let output = self.output.as_deref().unwrap_or(Path::new(""));
        if let Some(script) = self.statements.script(output)? {
            return Ok(PublishTarget::Script(script));
        }
        let files = self.output.as_ref().and_then(|output| output.to_str());
        let files = files.filter(|files| EngineFiles::parse(files).is_some());
        let files = files.filter(|_| project.is_in_database());
        ensure!(
            files.is_none() || (self.private.is_none() && !self.order.has_seed()),
            "--private and --seed do not go with files that a database writes\n    fix: leave them out"
        );
        let target = self.table.as_deref().or(files);
        ensure!(
            target.is_some() || self.manifest.is_none(),
            "--manifest goes with --table, or with -o parquet:PATH of a database\n    fix: leave it out: the manifest of a file is written next to it"
        );
        let table = |name: &str| PublishTarget::table(name, self.manifest.as_deref());
        Ok(target.map_or_else(|| PublishTarget::File(output.to_owned()), table))
    }

    /// The request with the project's other thresholds; of a policy, with its own thresholds.
    fn ask(&self, engine: &Engine, policy: Option<&PrivateManifest>) -> anyhow::Result<Ask> {
        let request = &self.request;
        ensure!(
            self.optimize.optimize.is_none() || self.scheme.is_none() || self.form.refine,
            "--optimize has no effect on a scheme that is named\n    fix: leave it out, or add --refine"
        );
        let optimize = self.optimize.optimize.clone();
        match policy {
            Some(policy) => {
                let repeated = policy.thresholds();
                let max_suppressed = request.max_suppressed.or(repeated.max_suppressed);
                Ok(Ask { only: request.thresholds.only, max_suppressed, ..repeated })
            }
            None => Ok(engine.with_other_thresholds(&Ask { optimize, ..request.ask()? })),
        }
    }

    fn options<'a>(
        &self,
        ask: Ask,
        policy: Option<&PrivateManifest>,
        progress: &'a dyn Progress,
    ) -> anyhow::Result<PublishOptions<'a>> {
        let mut options = PublishOptions {
            replace: if self.force { Replace::Files } else { Replace::Publications },
            private: self.private.clone(),
            memory: self.project.memory,
            progress,
            on_columns: &|plan| crate::say(column_table(plan).trim_end()),
            on_together: &|together| crate::say(&together_words(together)),
            ..PublishOptions::of_request(self.publish_request(), ask)?
        };
        if let Some(policy) = policy {
            options.choice = policy.choice();
            options.columns = Some(policy.columns());
            options.suppress = policy.suppress();
            options.formulas = options.formulas.max(policy.formulas());
            options.as_recorded.get_or_insert_with(|| policy.as_recorded.clone());
            options.flag = options.flag.or_else(|| policy.flag.clone());
        }
        Ok(options)
    }

    /// What the flags describe.
    fn publish_request(&self) -> PublishRequest {
        let (keep_order, seed) = self.order.stated();
        let trimmed = |names: &Vec<String>| {
            let names = names.iter().map(|name| name.trim().to_owned());
            names.filter(|name| !name.is_empty()).collect()
        };
        let form =
            if self.form.anatomy { PublicationForm::Anatomy } else { PublicationForm::Table };
        PublishRequest {
            scheme: self.scheme.clone(),
            strategy: self.strategy(),
            refine: self.form.refine,
            form,
            as_recorded: self.as_recorded.as_ref().map(trimmed),
            suppress: self.suppress.map(Into::into).unwrap_or_default(),
            keep_order,
            seed,
            spreadsheet_safe: self.spreadsheet_safe,
            flag: self.flag.clone(),
            ..PublishRequest::default()
        }
    }

    /// The strategy with its options.
    fn strategy(&self) -> Option<String> {
        let strategy = self.strategy.as_ref()?;
        let mark = if strategy.contains(':') { ',' } else { ':' };
        let tight = if self.form.tight { format!("{mark}tight=true") } else { String::new() };
        Some(format!("{strategy}{tight}"))
    }

    fn tell(
        &self,
        engine: &Engine,
        outcome: PublishOutcome,
        ask: &Ask,
        again: bool,
    ) -> anyhow::Result<Output> {
        match outcome.into_report() {
            Ok(report) => self.published(&report, self.chosen_by(engine, ask, &report), again),
            Err(refusal) if self.project.json => {
                Ok(Output::new(super::json(&PublishResponse::refused(&refusal))?, true))
            }
            Err(refusal) => Ok(Output::new(self.refused(engine, &refusal, ask)?, true)),
        }
    }

    /// Reports what was published, and how it was chosen.
    fn published(
        &self,
        report: &PublicationReport,
        chosen: Option<ChosenBy>,
        again: bool,
    ) -> anyhow::Result<Output> {
        if self.project.json {
            return Ok(super::json(&PublishResponse::published(report, chosen))?.into());
        }
        let chosen = chosen.map_or(String::new(), |chosen| chosen.words());
        Ok(words(report, &chosen, again).into())
    }

    /// How the scheme was chosen, where the request left that open and time is not limited.
    fn chosen_by(
        &self,
        engine: &Engine,
        ask: &Ask,
        report: &PublicationReport,
    ) -> Option<ChosenBy> {
        let is_open = self.publish_request().recoding() == RecodingChoice::default();
        let is_open = is_open && self.policy.is_none();
        let has_time = self.time_limit.is_none() && engine.built().partial.is_none();
        (is_open && has_time).then(|| ChosenBy::explain(engine, ask, report)).flatten()
    }

    /// Reports that the time limit was reached.
    fn out_of_time(&self) -> anyhow::Result<Output> {
        let Err(refusal) = PublishOutcome::OutOfTime.into_report() else {
            unreachable!("it is a refusal")
        };
        let text = if self.project.json {
            super::json(&PublishResponse::refused(&refusal))?
        } else {
            format!("Not published: {}.\nRaise --time-limit.\n", refusal.reason)
        };
        Ok(Output::new(text, true))
    }

    /// Why nothing was published, and what to do.
    fn refused(&self, engine: &Engine, refusal: &Refusal, ask: &Ask) -> anyhow::Result<String> {
        if let Some(answer) = &refusal.answer {
            let ask = &ask.or(engine.defaults());
            let answer = AnswerWording { args: &self.project, engine, ask }.text(answer)?;
            return Ok(format!("Not published. {answer}"));
        }
        let fix = if refusal.weaker.is_empty() {
            ""
        } else {
            "To publish with only the thresholds named, weaker than the project's, add --only.\n"
        };
        Ok(format!("Not published: {}.\n{fix}", refusal.reason))
    }
}

/// The result of a publication, as JSON: the report, or the refusal.
#[derive(Serialize)]
struct PublishResponse<'a, T> {
    outcome: &'static str,
    published: bool,
    #[serde(flatten)]
    what: T,
    /// Those of the answer, where no scheme meets the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    relaxations: Option<&'a Relaxations>,
    /// How the scheme was chosen, where the request did not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    chosen: Option<ChosenBy>,
}

impl<'a> PublishResponse<'a, &'a PublicationReport> {
    fn published(what: &'a PublicationReport, chosen: Option<ChosenBy>) -> Self {
        Self { outcome: "published", published: true, what, relaxations: None, chosen }
    }
}

impl<'a> PublishResponse<'a, &'a Refusal> {
    fn refused(what: &'a Refusal) -> Self {
        let relaxations = what.answer.as_ref().map(|answer| &answer.relaxations);
        Self { outcome: "refused", published: false, what, relaxations, chosen: None }
    }
}
