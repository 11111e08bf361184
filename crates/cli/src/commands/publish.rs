//! `haggle publish`: write the anonymized table, proved from what was written.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use haggle::{
    EarlierPublication, Engine, Formulas, Options, Order, PrivateManifest, Project,
    PublicationReport, PublishOptions, PublishOutcome, Recipe, Scheme, SingleValued, Suppress, Way,
};

use crate::Output;
use crate::args::{ProjectArgs, RequestArgs, parse_seconds};
use crate::commands::ask::{AskArgs, WayArgs};
use crate::plot::PlotArgs;
use crate::progress::Bar;
use crate::text::{counted, percent, thresholds};

/// So many earlier publications are named.
const LISTED: usize = 3;

/// What becomes of records whose group fails.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Suppressed {
    /// They are left out.
    Drop,
    /// They are kept with * in every quasi-identifier, if they keep the promise as a group.
    Star,
}

/// Write the anonymized table, read it again, and prove the promise from what was written
#[derive(Debug, Args)]
pub(crate) struct PublishArgs {
    #[command(flatten)]
    project: ProjectArgs,
    #[command(flatten)]
    request: RequestArgs,
    /// The scheme to apply, such as 1,1,0; without one, the exact answer to the request
    #[arg(long, value_name = "SCHEME", conflicts_with = "levels")]
    scheme: Option<Scheme>,
    /// Publish what a strategy finds, such as mondrian or m-instant:summary=bayes; see haggle compare (default: the lattice's answer)
    #[arg(long, value_name = "STRATEGY", conflicts_with = "scheme")]
    strategy: Option<String>,
    /// How long the strategy may search, in seconds (default: until it is done)
    #[arg(long, value_name = "SECONDS", requires = "strategy", value_parser = parse_seconds)]
    patience: Option<Duration>,
    /// Give suppressed records a second chance at higher levels
    #[arg(long, conflicts_with = "strategy")]
    refine: bool,
    /// The file to write
    #[arg(short, long, value_name = "FILE", required_unless_present = "table")]
    output: Option<PathBuf>,
    /// The table to make within the project's own database
    #[arg(long, value_name = "SCHEMA.NAME", conflicts_with_all = ["output", "private", "seed"])]
    table: Option<String>,
    /// Write the public manifest of that table into this file
    #[arg(long, value_name = "FILE", requires = "table")]
    manifest: Option<PathBuf>,
    /// What becomes of records whose group fails
    #[arg(long, value_enum, default_value = "drop")]
    suppress: Suppressed,
    /// Add a column of this name that says which records were suppressed
    #[arg(long, value_name = "NAME")]
    flag: Option<String>,
    /// Write the records in a random order, which is the default
    #[arg(long)]
    shuffle: bool,
    /// Write the records in the random order of this seed, to get it again; keep it secret
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Keep the order of the table; two releases that keep it can be joined by row number
    #[arg(long, conflicts_with_all = ["shuffle", "seed"])]
    keep_order: bool,
    /// Write a ' before text that spreadsheets take for a formula
    #[arg(long, conflicts_with = "table")]
    spreadsheet_safe: bool,
    /// Write the private manifest and the value mappings into this folder; keep it secret
    #[arg(long, value_name = "FOLDER")]
    private: Option<PathBuf>,
    /// Repeat an earlier publication on this data: its policy.json
    #[arg(long, value_name = "FILE", conflicts_with_all = ["scheme", "strategy", "refine", "levels", "qi", "k", "l", "privacy"])]
    policy: Option<PathBuf>,
}

impl PublishArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Output> {
        // What is counted is what is published, even if others add records meanwhile.
        let project = Project::open(&self.project.project)?.at_this_moment()?;
        let policy = self.policy.as_deref().map(PrivateManifest::open).transpose()?;
        let bar = Bar::default();
        let qi =
            policy.as_ref().map(PrivateManifest::quasi_identifiers).or(self.project.qi.clone());
        let way = Way::Auto;
        let engine = Engine::open(&project, &Options { qi, way, ..self.project.options(&bar) })?;
        if let Some(notice) = engine.notice() {
            eprintln!("note: {notice}");
        }
        if let Some(partial) = engine.partial().filter(|_| self.scheme.is_none()) {
            eprintln!("note: the stored lattice is partial; {}", partial.meaning);
        }
        if let Some(policy) = &policy {
            engine.check_policy(policy)?;
        }
        let options = self.options(policy.as_ref(), &bar);
        let outcome = match &self.table {
            Some(table) => {
                engine.publish_table(&project, table, self.manifest.as_deref(), &options)?
            }
            None => engine.publish(&project, &options)?,
        };
        self.tell(&engine, &outcome, policy.is_some())
    }

    fn options<'a>(&self, policy: Option<&PrivateManifest>, bar: &'a Bar) -> PublishOptions<'a> {
        let asked = self.request.ask();
        let suppress = match self.suppress {
            Suppressed::Drop => Suppress::Drop,
            Suppressed::Star => Suppress::Star,
        };
        PublishOptions {
            output: self.output.clone().unwrap_or_default(),
            scheme: policy.and_then(PrivateManifest::scheme).or(self.scheme.as_ref()).cloned(),
            recipe: policy.map_or_else(
                || Recipe {
                    strategy: self.strategy.clone(),
                    refine: self.refine,
                    patience: self.patience,
                    ..Recipe::default()
                },
                PrivateManifest::recipe,
            ),
            ask: policy.map_or(asked.clone(), |policy| asked.or(&policy.thresholds())),
            suppress: policy.map_or(suppress, PrivateManifest::suppress),
            flag: self.flag.clone().or_else(|| policy.and_then(|policy| policy.flag.clone())),
            order: self.order(),
            formulas: policy.map_or(Formulas::Kept, PrivateManifest::formulas).max(self.formulas()),
            private: self.private.clone(),
            memory: self.project.memory,
            progress: bar,
        }
    }

    fn formulas(&self) -> Formulas {
        if self.spreadsheet_safe { Formulas::Escaped } else { Formulas::Kept }
    }

    fn order(&self) -> Order {
        match self.seed {
            _ if self.keep_order => Order::Kept,
            Some(seed) => Order::Random { seed },
            None => Order::random(),
        }
    }

    fn tell(
        &self,
        engine: &Engine,
        outcome: &PublishOutcome,
        again: bool,
    ) -> anyhow::Result<Output> {
        match outcome {
            PublishOutcome::Published(report) if self.project.json => {
                Ok(super::json(report)?.into())
            }
            PublishOutcome::Published(report) => Ok(words(report, engine.records(), again).into()),
            PublishOutcome::Nothing => {
                let text = "Not published: every group fails, so no record would be left. Choose a higher scheme or a weaker threshold.\n".to_owned();
                let text = if self.project.json {
                    super::json(
                        &serde_json::json!({ "published": false, "suppressed": engine.records() }),
                    )?
                } else {
                    text
                };
                Ok(Output { text, no: true })
            }
            PublishOutcome::NotFound { strategy, why } => {
                Ok(Output { text: format!("Not published: {strategy} {why}.\n"), no: true })
            }
            PublishOutcome::TooMany { suppressed, limit } => Ok(Output {
                text: format!(
                    "Not published: the scheme suppresses {}, and at most {limit} may be.\n",
                    counted(*suppressed, "record")
                ),
                no: true,
            }),
            PublishOutcome::NoScheme(_) => {
                let (project, request) = (self.project.clone(), self.request.clone());
                let ask = AskArgs {
                    project,
                    request,
                    requests: None,
                    way: WayArgs::default(),
                    csv: false,
                    plot: PlotArgs::default(),
                };
                let told = ask.answer(engine, &self.request.ask(), Instant::now())?;
                let text = if self.project.json {
                    told.text
                } else {
                    format!("Not published. {}", told.text)
                };
                Ok(Output { text, no: true })
            }
        }
    }
}

/// What was applied: `[1,1,0]`, or `1,204 boxes by mondrian`.
fn under(report: &PublicationReport) -> String {
    if let Some(scheme) = &report.scheme {
        return scheme.to_string();
    }
    let by = report.strategy.as_ref().map_or(String::new(), |by| format!(" by {by}"));
    let kind = if report.recoding == "parts" { "levels by part" } else { report.recoding };
    format!("{kind}{by} ({})", counted(report.groups, "group"))
}

/// What became of suppressed records that were to be kept with stars.
fn stars(report: &PublicationReport) -> String {
    if report.starred > 0 {
        return format!(
            "{} with * in every quasi-identifier: suppressed, and proved as a group of their own.\n",
            counted(report.starred, "record")
        );
    }
    if report.stars_failed.is_empty() {
        return String::new();
    }
    format!(
        "Note: the suppressed records were dropped, not kept with *: as a group of their own they \
         fail {}.\n",
        report.stars_failed.join(", ")
    )
}

/// What the curator should know before the file is given to anybody.
fn warnings(report: &PublicationReport) -> String {
    let mut text = String::new();
    for SingleValued { attribute, groups, records, .. } in &report.single_valued {
        text += &format!(
            "Warning: {} ({}) with a single value of {attribute}: whoever is known to be in such a \
             group is known to have it. Ask for diversity as well, such as --l 2.\n",
            counted(*groups, "group"),
            counted(*records, "record"),
        );
    }
    if report.formulas > 0 {
        let what = counted(report.formulas, "field");
        text += &if report.spreadsheet_safe {
            format!("{what} that spreadsheets take for formulas: written with a ' before them.\n")
        } else {
            format!(
                "Note: {what} that spreadsheets take for formulas; --spreadsheet-safe writes a ' \
                 before them.\n"
            )
        };
    }
    text + &earlier(report)
}

/// Earlier publications, and whether this one was recorded.
fn earlier(report: &PublicationReport) -> String {
    let mut text = String::new();
    if !report.earlier.is_empty() {
        let one =
            |e: &EarlierPublication| format!("{} on {}", e.output, &e.time[..e.time.len().min(10)]);
        let last: Vec<String> = report.earlier.iter().rev().take(LISTED).map(one).collect();
        let more = report.earlier.len().saturating_sub(LISTED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        text += &format!(
            "{} of this table ({}{more}); what they reveal together is not checked.\n",
            counted(report.earlier.len() as u64, "earlier publication"),
            last.join(", "),
        );
    }
    if let Some(why) = &report.unrecorded {
        text += &format!("Note: this publication was not recorded: {why}.\n");
    }
    text
}

fn words(report: &PublicationReport, records: u64, again: bool) -> String {
    let mut text = format!(
        "Published {}: {} under {}; {} suppressed ({}).\n\
         Proved from the written {}: {} (promised {}).\n",
        report.output.display(),
        counted(report.records, "record"),
        under(report),
        counted(report.suppressed, "record"),
        percent(report.suppressed, records),
        if report.manifest.is_some() { "file" } else { "table" },
        thresholds(&report.attained),
        thresholds(&report.promised),
    );
    text += &stars(report);
    if let Some(manifest) = &report.manifest {
        text += &format!("Public manifest: {}\n", manifest.display());
    }
    if let Some(private) = &report.private {
        text += &format!("Private manifest: {} (keep it secret)\n", private.display());
    }
    if !report.as_recorded.is_empty() {
        text += &format!(
            "Note: {} published as recorded; the project calls them quasi-identifiers, but this \
             request does not name them.\n",
            report.as_recorded.join(", ")
        );
    }
    text += &warnings(report);
    if report.order == "kept" {
        text += "Warning: the records are in the order of the table. Two releases that keep it can be \
                 joined by row number, which gives back every record; publish without --keep-order.\n";
    }
    if again {
        text += "Warning: two releases about overlapping people reveal more together than each \
                 alone: a person who is in both can be found where the two groups meet. Publish \
                 only records of people who are not in the earlier release, or publish all of it anew.\n";
    }
    text
}
