//! `haggle hierarchy`: how an attribute's values become general, shown, exported, proposed or
//! repaired.

use std::path::PathBuf;

use anyhow::ensure;
use clap::{Args, Subcommand};
use haggle::Project;
use haggle::reports::{HierarchyView, MergedValues, RepairedHierarchy};
use haggle::setup::Suggestion;
use serde_json::json;

use crate::Output;
use crate::progress::Quiet;
use crate::text::thousands;
use crate::tree::{levels, tree};

/// Show, export, suggest or repair how an attribute's values become general
#[derive(Debug, Args)]
pub(crate) struct HierarchyArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Show(ShowArgs),
    Export(ExportArgs),
    Suggest(SuggestArgs),
    Repair(RepairArgs),
}

/// The tree of values, with the records below each
#[derive(Debug, Args)]
struct ShowArgs {
    #[command(flatten)]
    of: AttributeArgs,
    /// Show every value, however many there are; JSON always has them
    #[arg(long, conflicts_with = "json")]
    all: bool,
}

/// The hierarchy as a file: a row for each value, `;` between levels
#[derive(Debug, Args)]
struct ExportArgs {
    #[command(flatten)]
    of: AttributeArgs,
    /// Where to write it (default, and -: standard output)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long, requires = "output")]
    force: bool,
}

/// A hierarchy that suits the values, to paste into the project
#[derive(Debug, Args)]
struct SuggestArgs {
    #[command(flatten)]
    of: AttributeArgs,
}

/// The hierarchy with values merged where they are more uncertain than the value above them
#[derive(Debug, Args)]
struct RepairArgs {
    #[command(flatten)]
    of: AttributeArgs,
    /// Where to write it (default, and -: standard output)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long, requires = "output")]
    force: bool,
}

#[derive(Debug, Args)]
struct AttributeArgs {
    /// A haggle.toml, its folder, or demo:adult
    project: String,
    /// The attribute
    attribute: String,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

impl AttributeArgs {
    fn view(&self) -> anyhow::Result<HierarchyView> {
        Ok(Project::open(&self.project)?.hierarchy(&self.attribute, &Quiet)?)
    }
}

impl HierarchyArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Output> {
        match &self.action {
            Action::Show(args) => args.run(),
            Action::Export(args) => args.run(),
            Action::Suggest(args) => args.run(),
            Action::Repair(args) => args.run(),
        }
    }
}

impl ShowArgs {
    fn run(&self) -> anyhow::Result<Output> {
        let view = self.of.view()?;
        if self.of.json {
            return Ok(super::json(&view)?.into());
        }
        let text = format!(
            "{}: {}\n{}: {}.\n\n{}",
            view.attribute,
            view.source,
            crate::text::counted(view.tree.records, "record"),
            levels(&view.levels),
            tree(&view.tree, self.all)
        );
        Ok(text.into())
    }
}

impl ExportArgs {
    fn run(&self) -> anyhow::Result<Output> {
        let view = self.of.view()?;
        let output = self.output.as_ref().filter(|path| path.as_os_str() != "-");
        ensure!(
            !self.force || output.is_some(),
            "--force replaces a file, and standard output is not one\n    \
             fix: leave it out, or name a file"
        );
        if let Some(path) = output {
            haggle::setup::save_hierarchy(&view, path, self.force)?;
        }
        let text = match (output, self.of.json) {
            (None, false) => view.to_file(),
            (None, true) => {
                super::json(&json!({ "attribute": view.attribute, "rows": view.rows }))?
            }
            (Some(path), true) => super::json(&json!({
                "attribute": view.attribute, "file": path, "values": view.rows.len(),
            }))?,
            (Some(path), false) => {
                let values = thousands(view.rows.len() as u64);
                format!("Wrote {values} rows to {}.\n", path.display())
            }
        };
        Ok(text.into())
    }
}

impl SuggestArgs {
    fn run(&self) -> anyhow::Result<Output> {
        let project = Project::open(&self.of.project)?;
        let suggestion = project.suggest(&self.of.attribute, &Quiet)?;
        let text = if self.of.json { super::json(&suggestion)? } else { paste(&suggestion) };
        Ok(text.into())
    }
}

impl RepairArgs {
    fn run(&self) -> anyhow::Result<Output> {
        let repaired = haggle::setup::repair_hierarchy(&self.of.view()?);
        let output = self.output.as_ref().filter(|path| path.as_os_str() != "-");
        if let Some(path) = output {
            haggle::setup::save_hierarchy(&repaired.hierarchy, path, self.force)?;
        }
        let RepairedHierarchy { merged, hierarchy } = &repaired;
        let text = match (output, self.of.json) {
            (_, true) => super::json(&json!({
                "attribute": hierarchy.attribute, "merged": merged, "levels": hierarchy.levels,
                "file": output, "rows": hierarchy.rows,
            }))?,
            (None, false) => format!("{}\n{}", merges(&repaired), hierarchy.to_file()),
            (Some(path), false) => {
                let values = thousands(hierarchy.rows.len() as u64);
                format!("{}\nWrote {values} rows to {}.\n", merges(&repaired), path.display())
            }
        };
        Ok(text.into())
    }
}

/// What was merged, in sentences.
fn merges(repaired: &RepairedHierarchy) -> String {
    let attribute = &repaired.hierarchy.attribute;
    if repaired.merged.is_empty() {
        return format!("{attribute}: no value is more uncertain than the value above it.\n");
    }
    let line = |merged: &MergedValues| {
        let MergedValues { level, values, into, entropy, above } = merged;
        let values = values.join("' and '");
        format!(
            "  level {level}: '{values}' become '{into}' ({entropy:.3} bits, {above:.3} above)\n"
        )
    };
    let lines: String = repaired.merged.iter().map(line).collect();
    let merged = crate::text::counted(repaired.merged.len() as u64, "merge");
    format!(
        "{attribute}: {merged}, because values were more uncertain than the value above.\n{lines}"
    )
}

/// The suggestion as TOML, with the reason as a comment.
fn paste(suggestion: &Suggestion) -> String {
    format!("# {}: {}.\n{}\n", suggestion.attribute, suggestion.why, suggestion.toml())
}
