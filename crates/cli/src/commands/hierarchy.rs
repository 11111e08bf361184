//! `haggle hierarchy`: how an attribute's values become general, shown, exported or proposed.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use haggle::Project;
use haggle::reports::HierarchyView;
use haggle::setup::Suggestion;
use serde_json::json;

use crate::Output;
use crate::text::thousands;
use crate::tree::{levels, tree};

/// Show, export or suggest how an attribute's values become general
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
}

/// The tree of values, with the records below each
#[derive(Debug, Args)]
struct ShowArgs {
    #[command(flatten)]
    of: AttributeArgs,
    /// Show every value, however many there are
    #[arg(long)]
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
        Ok(Project::open(&self.project)?.hierarchy(&self.attribute, &|_| ())?)
    }
}

impl HierarchyArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Output> {
        match &self.action {
            Action::Show(args) => args.run(),
            Action::Export(args) => args.run(),
            Action::Suggest(args) => args.run(),
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
        let suggestion = project.suggest(&self.of.attribute, &|_| ())?;
        let text = if self.of.json { super::json(&suggestion)? } else { paste(&suggestion) };
        Ok(text.into())
    }
}

/// The suggestion as TOML, with the reason as a comment.
fn paste(suggestion: &Suggestion) -> String {
    format!("# {}: {}.\n{}\n", suggestion.attribute, suggestion.why, suggestion.toml())
}
