//! `haggle update`: records added to a stored lattice and deleted from it, without reading the data again.

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use haggle::publishing::{UpdateRevealed, revealed_by_update};
use haggle::reports::Updated;
use haggle::search::ChangeFiles;
use haggle::{Engine, Options, Project, Way};

use crate::Output;
use crate::args::{output_file, parse_size};
use crate::progress::WorkBar;
use crate::text::{counted, thousands};

/// Add records to a stored lattice and delete some, without reading the data again
#[derive(Debug, Args)]
pub(crate) struct UpdateArgs {
    /// A haggle.toml or its folder, whose lattice was built
    project: String,
    /// A file of records to add, written as the project's data is; may be repeated
    #[arg(long, value_name = "FILE")]
    add: Vec<PathBuf>,
    /// A file of records to delete, each as often as it is named; may be repeated
    #[arg(long, value_name = "FILE")]
    delete: Vec<PathBuf>,
    /// Where to write the lattice (default: where it was)
    #[arg(short, long, value_name = "FILE", value_parser = output_file())]
    output: Option<PathBuf>,
    /// Memory for counting and annotating
    #[arg(long, value_name = "SIZE", default_value = "4GB", value_parser = parse_size)]
    memory: usize,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

impl UpdateArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Output> {
        if self.add.is_empty() && self.delete.is_empty() {
            bail!("there is nothing to change\n    fix: name a file with --add or --delete");
        }
        let project = Project::open(&self.project)?;
        let path = self.output.clone().or_else(|| project.lattice_path());
        if let Some(path) = &path {
            Engine::check_writable(path)?;
        }
        let bar = WorkBar::default();
        let options =
            Options { memory: self.memory, progress: &bar, way: Way::Full, ..Options::default() };
        let files = ChangeFiles { add: self.add.clone(), delete: self.delete.clone() };
        let (engine, mut updated) = Engine::updated(&project, &files, &options)?;
        let before = Engine::open(&project, &options)?;
        updated.revealed = revealed_by_update(&project, &before, &engine)?;
        if let Some(path) = &path {
            engine.save(path).context("the lattice is not stored")?;
        }
        Ok(if self.json { super::json(&updated)? } else { words(&updated) }.into())
    }
}

fn words(updated: &Updated) -> String {
    let dropped = match updated.dropped {
        0 => String::new(),
        n => format!(" ({} with missing values left out)", counted(n, "record")),
    };
    format!(
        "{} added, {} deleted{dropped}: {} in {}; {} annotated anew in {} ms.\n\
         The lattice is now that of the data with {} added and {} deleted. Questions are answered from it; \
         publishing needs the same changes in the data.\n",
        counted(updated.added, "record"),
        thousands(updated.deleted),
        counted(updated.records, "record"),
        counted(updated.base_groups as u64, "group"),
        counted(updated.schemes as u64, "scheme"),
        updated.annotate_millis,
        counted(updated.changes.added, "record"),
        thousands(updated.changes.deleted),
    ) + &updated.revealed.iter().filter(|one| one.below > 0).map(warning).collect::<String>()
}

/// What comparing a publication with its repetition would reveal.
fn warning(revealed: &UpdateRevealed) -> String {
    let UpdateRevealed { output, time, promises, added, deleted, below } = revealed;
    format!(
        "Warning: {output} was published on {}. Published again with the same recoding, the two \
         differ in {}, of which {} do not keep {} on their own: subtracting one from the other \
         shows them. Change more records at once, or publish with a coarser scheme.\n",
        time.split('T').next().unwrap_or_default(),
        counted(added + deleted, "record"),
        thousands(*below),
        promises.join(", "),
    )
}
