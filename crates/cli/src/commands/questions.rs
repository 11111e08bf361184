//! `haggle questions`: the catalog of questions that `ask --requests`, HTTP and Python answer.

use clap::Args;
use haggle::questions::{QuestionEntry, Questions};

use crate::Output;

/// The questions that `ask --requests`, HTTP and Python answer, with what each reveals
#[derive(Debug, Args)]
pub(crate) struct QuestionsArgs {
    /// One question: its fields and examples
    name: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl QuestionsArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Output> {
        let questions = Questions::default();
        let text = match (&self.name, self.json) {
            (Some(name), true) => super::json(questions.find(name)?)?,
            (Some(name), false) => described(questions.find(name)?),
            (None, true) => super::json(&questions.iter().collect::<Vec<_>>())?,
            (None, false) => listed(&questions),
        };
        Ok(Output::new(text, false))
    }
}

fn listed(questions: &Questions) -> String {
    let line = |entry: &QuestionEntry| {
        format!("{:<12} {:<8} {}\n", entry.id, entry.reveals.name(), entry.title)
    };
    format!("{:<12} {:<8} answers\n", "question", "reveals")
        + &questions.iter().map(line).collect::<String>()
}

fn described(entry: &QuestionEntry) -> String {
    let request = if entry.takes_request { ", with those of a request" } else { "" };
    let fields = (entry.fields)();
    let fields = if fields.is_empty() { "none".into() } else { fields.join(", ") };
    format!(
        "{}: {}.\nReveals: {}.\nFields: {fields}{request}.\nExamples:\n    {}\n",
        entry.id,
        entry.title,
        entry.reveals.name(),
        entry.examples.join("\n    ")
    )
}
