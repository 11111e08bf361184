//! `haggle verify`: whether a file keeps a promise.

use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;
use haggle::publishing::{Inspection, Recovery, Reference};
use haggle::{Project, Verdict};

use crate::Output;
use crate::args::{ThresholdArgs, parse_size};
use crate::columns::other_columns;
use crate::text::{counted, thousands, thresholds};

/// Which file, and what its columns mean.
#[derive(Debug, Clone, Args)]
pub(crate) struct FileArgs {
    /// The file to check
    file: PathBuf,
    /// The project that says which columns are quasi-identifiers and sensitive
    project: Option<String>,
    /// The quasi-identifiers (default: those of the project, or of the manifest next to the file)
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    qi: Option<Vec<String>>,
    /// The sensitive attributes (default: those of the project, or of the manifest)
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    sensitive: Option<Vec<String>>,
    /// Memory for counting
    #[arg(long, value_name = "SIZE", default_value = "4GB", value_parser = parse_size)]
    memory: usize,
    /// Answer as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

impl FileArgs {
    pub(crate) fn open(&self) -> anyhow::Result<Inspection> {
        let project = self.project.as_deref().map(Project::open).transpose()?;
        let (qi, sensitive) = (self.qi.clone(), self.sensitive.clone());
        Ok(Inspection::open(&self.file, project.as_ref(), qi, sensitive, self.memory)?)
    }
}

/// Check a file against a promise: yes or no first, then the numbers
#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    file: FileArgs,
    #[command(flatten)]
    thresholds: ThresholdArgs,
}

impl VerifyArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Output> {
        let (ask, inspection) = (self.thresholds.ask()?, self.file.open()?);
        ensure!(
            !ask.only || inspection.has_project(),
            "--only leaves out the thresholds of a project, and none is named\n    \
             fix: leave it out, or name the project behind the file"
        );
        let verdict = inspection.verify(&inspection.with_other_thresholds(&ask).privacy)?;
        let text = if self.file.json { super::json(&verdict)? } else { words(&verdict) };
        Ok(Output::new(text, !verdict.is_yes()))
    }
}

fn words(verdict: &Verdict) -> String {
    let (asked, attained) = (thresholds(&verdict.asked), thresholds(&verdict.attained));
    let mut text = if verdict.holds && !verdict.is_yes() {
        let why = if verdict.recovery == Some(Recovery::Interrupted) {
            "its publication was interrupted"
        } else {
            "it is not the file that its manifest describes"
        };
        format!("No: {why}. As it is, {asked} holds; the weakest group has {attained}.\n")
    } else if verdict.holds {
        format!("Yes: {asked} holds; the weakest group has {attained}.\n")
    } else {
        format!(
            "No: {asked} does not hold for {}; the weakest group has {attained}.\n",
            counted(verdict.failing, "record")
        )
    };
    text += &match &verdict.anatomy {
        None => format!(
            "{} in {} over {}.\n",
            counted(verdict.records - verdict.starred, "record"),
            counted(verdict.groups, "group"),
            verdict.quasi_identifiers.join(", ")
        ),
        Some(table) => format!(
            "{} in {}, joined by {} with {}; published exactly: {}.\n",
            counted(verdict.records, "record"),
            counted(verdict.groups, "group"),
            table.group,
            table.file,
            table.exact.join(", ")
        ),
    };
    if verdict.starred > 0 {
        text += &format!(
            "{} more with * in every quasi-identifier: suppressed, and judged as a group of their own.\n",
            thousands(verdict.starred)
        );
    }
    for words in verdict.judged_by.iter().filter(|words| words.contains("distance=")) {
        text += &format!("Judged by {words}.\n");
    }
    match verdict.reference {
        Some(Reference::Project) => text += "Compared with the project's data.\n",
        Some(Reference::File) => {
            text += "Compared with the file's own distribution, which suppression may have shifted; \
                     name the project to compare with its data.\n";
        }
        None => {}
    }
    if let Some(unit) = &verdict.unit {
        text += &format!("Counted in persons: different values of {unit}.\n");
    }
    if let Some(unit) = &verdict.unit_absent {
        text += &format!(
            "Counted in records, not in persons: the file does not have the column {unit}.\n"
        );
    }
    text += &other_columns(&verdict.others, verdict.records);
    match verdict.manifest_matches {
        Some(true) => text += "The file is the one that its manifest describes.\n",
        Some(false) => {
            text += "The file is not the one that its manifest describes: it was changed, or \
                     replaced without its manifest. Publish it again.\n";
        }
        None => {}
    }
    text + recovery(verdict.recovery)
}

/// What was done about an interrupted publication.
fn recovery(recovery: Option<Recovery>) -> &'static str {
    match recovery {
        Some(Recovery::Completed) => {
            "A publication of this file had been interrupted; it was completed.\n"
        }
        Some(Recovery::Removed) => {
            "A publication of this file had been interrupted; what it had begun was removed.\n"
        }
        Some(Recovery::Interrupted) => {
            "A publication of this file was interrupted, and it cannot be completed from here. Run \
             this command as the user who published it, or publish again.\n"
        }
        Some(Recovery::Nothing) | None => "",
    }
}
