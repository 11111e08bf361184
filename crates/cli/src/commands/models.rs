//! `haggle models`: the privacy models that can be asked for.

use anyhow::bail;
use clap::Args;
use haggle::catalog::{MODELS, Merging, Model, find_model};

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

/// Every parameter with its meaning and its range.
fn arguments(model: &Model) -> Vec<[String; 3]> {
    let parameter = |p: &haggle::catalog::Parameter| {
        let may = if p.optional { ", or left out" } else { "" };
        [p.name.to_owned(), p.meaning.to_owned(), format!("{}{may}", p.range())]
    };
    let choice = |c: &haggle::catalog::ParameterOption| {
        [c.name.to_owned(), c.meaning.to_owned(), format!("one of {}", c.options.join(", "))]
    };
    let on = ["on", "the sensitive attribute", "needed where there are several"].map(String::from);
    let on = model.sensitive.then_some(on);
    model
        .parameters
        .iter()
        .map(parameter)
        .chain(model.choices.iter().map(choice))
        .chain(on)
        .collect()
}

/// What the project must state, and what merging groups does, in sentences.
fn notes(model: &Model) -> Vec<String> {
    let merging = match model.kind {
        Merging::UnionMonotone => {
            "A passing group merged with any other passes: more general schemes never suppress more."
        }
        Merging::Closed => {
            "Two passing groups merge into a passing one, but a failing one may make a passing one fail: with suppression allowed, a more general scheme may suppress more."
        }
        Merging::Free => {
            "Two passing groups may merge into a failing one: every scheme is evaluated."
        }
    };
    let states = model
        .states
        .iter()
        .map(|key| format!("The project states `{key}` of the sensitive attribute."));
    let reference = model.reference.then(|| {
        "Groups are compared with the whole input, after missing values were handled; `verify` compares with the project's data if the project is named, else with the file itself.".to_owned()
    });
    states.chain(reference).chain([merging.to_owned()]).collect()
}

fn explain(model: &Model) -> String {
    let arguments: String = arguments(model)
        .iter()
        .map(|[name, meaning, range]| format!("  {name}: {meaning}; {range}\n"))
        .collect();
    let notes: String =
        notes(model).iter().map(|note| format!("  {}\n", note.replace('`', "'"))).collect();
    format!(
        "{} ({})\n\n{}\n\n  {}\n\nParameters\n{arguments}\nNotes\n{notes}\nExample\n  {}\n\nAsk for it\n  {}\n\nSource\n  {}\n",
        model.title,
        model.id,
        model.definition,
        model.formula,
        model.example,
        asking(model),
        model.citation
    )
}

/// How a request names it.
fn asking(model: &Model) -> String {
    match model.parameters {
        [only] => format!("--privacy {}={}", model.id, only.sample()),
        _ => format!("--privacy {}:{}", model.id, model.example_arguments()),
    }
}

fn manual_page(model: &Model) -> String {
    let row =
        |[name, meaning, range]: &[String; 3]| format!("| `{name}` | {meaning} | {range} |\n");
    let rows: String = arguments(model).iter().map(row).collect();
    let notes: String = notes(model).iter().map(|note| format!("- {note}\n")).collect();
    format!(
        "# {}\n\n`{}`\n\n{}\n\n    {}\n\n| parameter | meaning | range |\n|---|---|---|\n{rows}\n\
         {notes}\n**Example.** {}\n\n**Ask for it.** `{}`\n\n**Source.** {}\n",
        model.title,
        model.id,
        model.definition,
        model.formula,
        model.example,
        asking(model),
        model.citation
    )
}
