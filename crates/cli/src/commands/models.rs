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
}

impl ModelsArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Output> {
        let Some(name) = &self.name else {
            return Ok(if self.json { super::json(&MODELS)? } else { list() }.into());
        };
        let Some(model) = find_model(name) else {
            bail!("there is no privacy model '{name}'\n    fix: `haggle models` lists them");
        };
        Ok(if self.json { super::json(model)? } else { explain(model) }.into())
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
