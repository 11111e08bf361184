//! `haggle models`: the privacy models that can be asked for.

use anyhow::bail;
use clap::Args;
use haggle::{MODELS, Model, find_model};

use crate::Output;

/// List the privacy models, or explain one
#[derive(Debug, Args)]
pub(crate) struct ModelsArgs {
    /// The model to explain
    name: Option<String>,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
    /// Print the manual page
    #[arg(long, requires = "name", conflicts_with = "json")]
    markdown: bool,
}

impl ModelsArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Output> {
        let Some(name) = &self.name else {
            return Ok(if self.json { super::json(&MODELS)? } else { list() }.into());
        };
        let Some(model) = find_model(name) else {
            bail!("there is no privacy model '{name}'\n    fix: `haggle models` lists them");
        };
        Ok(match (self.json, self.markdown) {
            (true, _) => super::json(model)?,
            (_, true) => manual_page(model),
            _ => explain(model),
        }
        .into())
    }
}

fn list() -> String {
    let width = MODELS.iter().map(|model| model.id.len()).max().unwrap_or(0);
    MODELS.iter().map(|model| format!("{:<width$}  {}\n", model.id, model.definition)).collect()
}

fn explain(model: &Model) -> String {
    let parameters: String = model
        .parameters
        .iter()
        .map(|p| format!("  {}: {}; {}\n", p.name, p.meaning, p.range()))
        .collect();
    format!(
        "{} ({})\n\n{}\n\n  {}\n\nParameters\n{parameters}\nExample\n  {}\n\nSource\n  {}\n",
        model.title, model.id, model.definition, model.formula, model.example, model.citation
    )
}

fn manual_page(model: &Model) -> String {
    let row = |p: &haggle::Parameter| format!("| `{}` | {} | {} |\n", p.name, p.meaning, p.range());
    let mut parameters: String = model.parameters.iter().map(row).collect();
    if model.sensitive {
        parameters += "| `on` | the sensitive attribute | needed where there are several |\n";
    }
    format!(
        "# {}\n\n`{}`\n\n{}\n\n    {}\n\n| parameter | meaning | range |\n|---|---|---|\n{parameters}\n\
         **Example.** {}\n\n**Source.** {}\n",
        model.title, model.id, model.definition, model.formula, model.example, model.citation
    )
}
