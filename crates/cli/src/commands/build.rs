//! `haggle build`: annotate every scheme once and keep the lattice in a file.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use haggle::{Built, Engine, Project};

use crate::Output;
use crate::args::ProjectArgs;
use crate::progress::Bar;
use crate::text::{counted, thousands};

/// Annotate every scheme and keep the lattice in a file, so that questions need no data
#[derive(Debug, Args)]
pub(crate) struct BuildArgs {
    #[command(flatten)]
    project: ProjectArgs,
    /// Where to write the lattice (default: haggle.lattice beside the project file)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl BuildArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Output> {
        let project = Project::open(&self.project.project)?;
        let bar = Bar::default();
        let path = self.output.clone().or_else(|| project.lattice_path());
        if let Some(path) = &path {
            Engine::check_writable(path)?;
        }
        let options = haggle::Options { stored: false, ..self.project.options(&bar) };
        let engine = Engine::open(&project, &options)?;
        if let Some(path) = &path {
            engine.save(path).context("the lattice is not kept")?;
        }
        let built = engine.built();
        Ok(if self.project.json { super::json(built)? } else { words(built, path) }.into())
    }
}

fn words(built: &Built, path: Option<PathBuf>) -> String {
    let kept = match path {
        Some(path) => format!("Kept in {}.", path.display()),
        None => "Not kept: the embedded project has no folder; name a file with -o.".into(),
    };
    format!(
        "{} in {}; {} annotated with their histograms.\n\
         Reading took {} ms, annotating {} ms ({} cells rolled up). {kept}\n",
        counted(built.records, "record"),
        counted(built.base_groups as u64, "group"),
        counted(built.schemes as u64, "scheme"),
        built.scan_millis,
        built.annotate_millis,
        thousands(built.touches),
    )
}
