//! `haggle build`: annotate schemes once and store the lattice in a file.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use haggle::reports::{BuildEstimate, Built};
use haggle::{Engine, Project, Way};

use crate::Output;
use crate::args::{ProjectArgs, StartArgs, output_file};
use crate::partial::{EstimatorArg, Share};
use crate::progress::WorkBar;
use crate::text::{counted, thousands};

/// Annotate every scheme and store the lattice in a file, so that questions need no data
#[derive(Debug, Args)]
pub(crate) struct BuildArgs {
    #[command(flatten)]
    project: ProjectArgs,
    #[command(flatten)]
    start: StartArgs,
    /// Where to write the lattice (default: haggle.lattice next to the project file)
    #[arg(short, long, value_name = "FILE", value_parser = output_file())]
    output: Option<PathBuf>,
    /// Annotate only this percentage of each height (at least two schemes), such as 5%
    #[arg(long, value_name = "P%")]
    partial: Option<Share>,
    /// What chooses the schemes of a partial lattice
    #[arg(
        long,
        value_name = "NAME",
        default_value = "lambda",
        requires = "partial",
        conflicts_with = "estimate"
    )]
    estimator: EstimatorArg,
    /// Estimate how many schemes, touches, seconds and bytes it would take, and build nothing
    #[arg(long, conflicts_with_all = ["output", "partial"])]
    estimate: bool,
}

impl BuildArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Output> {
        let project = Project::open(&self.project.project)?;
        let bar = WorkBar::default();
        let from_level = self.start.from_level.clone();
        let options = haggle::Options { from_level, ..self.project.options(&bar) };
        if self.estimate {
            let estimate = Engine::estimate(&project, &options)?;
            return Ok(if self.project.json {
                super::json(&estimate)?
            } else {
                expected(&estimate)
            }
            .into());
        }
        let path = self.output.clone().or_else(|| project.lattice_path());
        if let Some(path) = &path {
            Engine::check_writable(path)?;
        }
        let selection = self.partial.map(|share| self.estimator.selection(share)).transpose()?;
        let way = selection.map_or(Way::Full, Way::Partial);
        let options = haggle::Options { stored: false, way, ..options };
        let engine = Engine::open(&project, &options)?;
        if let Some(path) = &path {
            engine.join_thresholds(options.progress)?;
            engine.save(path).context("the lattice is not stored")?;
        }
        let built = engine.built();
        Ok(if self.project.json { super::json(built)? } else { words(built, path) }.into())
    }
}

fn words(built: &Built, path: Option<PathBuf>) -> String {
    let kept = match path {
        Some(path) => format!("Stored in {}.", path.display()),
        None => "Not stored: the embedded project has no folder; name a file with -o.".into(),
    };
    let annotated = match &built.partial {
        Some(partial) => format!(
            "{} of {} selected by {} ({}% of each height) and",
            counted(built.schemes as u64, "scheme"),
            thousands(partial.of as u64),
            partial.estimator,
            partial.percent
        ),
        None => counted(built.schemes as u64, "scheme"),
    };
    format!(
        "{} in {}; {annotated} annotated with their histograms.\n\
         Reading took {} ms, annotating {} ms ({} cells rolled up). {kept}\n",
        counted(built.records, "record"),
        counted(built.base_groups as u64, "group"),
        built.scan_millis,
        built.annotate_millis,
        thousands(built.touches),
    )
}

/// What a build would take, in words.
fn expected(estimate: &BuildEstimate) -> String {
    let megabytes = |bytes: u64| thousands(bytes.div_ceil(1_000_000));
    let on_demand = if estimate.full_by_default {
        ""
    } else {
        "This is too much to annotate beforehand: `haggle ask` annotates schemes as a question touches them, \
         and `haggle build --partial 5%` a selection.\n"
    };
    format!(
        "{} in {} were counted in {:.1} s.\n\
         To annotate: {} schemes, about {} group touches, {:.1} s at {:.1} ns each on this machine now, \
         {} MB of histograms, a file of {} MB.\n\
         Estimated from {} schemes; expect it within a factor of two.\n{on_demand}",
        counted(estimate.records, "record"),
        counted(estimate.base_groups as u64, "group"),
        estimate.scan_seconds,
        thousands(estimate.schemes),
        thousands(estimate.touches),
        estimate.annotate_seconds,
        estimate.nanoseconds_per_touch,
        megabytes(estimate.bytes),
        megabytes(estimate.file_bytes),
        estimate.looked_at,
    )
}
