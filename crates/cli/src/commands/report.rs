//! `haggle report`: what is said about a publication, for its readers or for the officer's file.

use std::path::PathBuf;

use clap::Args;
use haggle::queries::read_workload;
use haggle::report::{ReportAsk, ReportFile, ReportForm, gather};
use haggle::{Ask, Scheme};

use super::utility::MiningArgs;
use crate::Output;
use crate::args::{Opening, OptimizeArgs, ProjectArgs, RequestArgs, output_file};
use crate::progress::WorkBar;

/// Write a report on a publication: guarantees, loss, risk and attacks of what is published; with --private, of the table as well
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    project: ProjectArgs,
    #[command(flatten)]
    request: RequestArgs,
    #[command(flatten)]
    optimize: OptimizeArgs,
    /// The scheme, such as 1,0,1 (default: that of the published file, else the answer to the request)
    #[arg(long, value_name = "SCHEME")]
    scheme: Option<Scheme>,
    /// The published file, which the report is then about: its promise is measured again, and its hash is reported
    #[arg(long, value_name = "FILE")]
    published: Option<PathBuf>,
    /// The report: .html, .md or .json
    #[arg(short, long, value_name = "FILE", value_parser = output_file())]
    output: PathBuf,
    /// Replace a file that is there
    #[arg(long)]
    force: bool,
    /// For the officer's file: adds all that needs the table, such as suppression, queries, models and the front
    #[arg(long)]
    private: bool,
    /// A file of queries for the private report, as haggle query reads it (default: 500 random ranges)
    #[arg(long, value_name = "FILE")]
    workload: Option<PathBuf>,
    #[command(flatten)]
    mining: MiningArgs,
}

impl ReportArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Output> {
        let file = ReportFile::at(&self.output)?.replacing(self.force);
        file.check()?;
        let engine = self.project.engine_by(&Opening::default())?;
        let request = Ask { optimize: self.optimize.optimize.clone(), ..self.request.ask()? };
        let ask = ReportAsk {
            request: engine.with_other_thresholds(&request),
            utility: self.mining.ask(self.scheme.clone()),
            queries: self.workload.as_deref().map(read_workload).transpose()?,
            published: self.published.clone(),
            form: if self.private { ReportForm::Private } else { ReportForm::Public },
        };
        let report = gather(&engine, &ask, &WorkBar::default())?;
        file.write(&report)?;
        if self.project.json {
            return Ok(super::json(&report)?.into());
        }
        let form = if self.private { "private" } else { "public" };
        Ok(format!("Wrote the {form} report to {}.\n", self.output.display()).into())
    }
}
