//! The commands, one file each.

use clap::Subcommand;

use crate::Output;

mod ask;
mod assess;
mod build;
mod check;
mod compare;
mod demo;
mod generate;
mod hierarchy;
mod init;
mod instant;
mod measures;
mod models;
mod pareto;
mod publish;
mod query;
mod questions;
mod report;
mod risk;
mod security;
mod serve;
mod strategies;
mod study;
mod tour;
mod update;
mod utility;
mod verify;
mod why;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Init(init::InitArgs),
    Ask(ask::AskArgs),
    Study(study::StudyArgs),
    Why(why::WhyArgs),
    Query(query::QueryArgs),
    Utility(utility::UtilityArgs),
    Security(security::SecurityArgs),
    Publish(Box<publish::PublishArgs>),
    Verify(verify::VerifyArgs),
    Assess(assess::AssessArgs),
    Risk(risk::RiskArgs),
    Report(report::ReportArgs),
    Build(build::BuildArgs),
    Update(update::UpdateArgs),
    Check(check::CheckArgs),
    Hierarchy(hierarchy::HierarchyArgs),
    Pareto(pareto::ParetoArgs),
    Compare(compare::CompareArgs),
    Instant(instant::InstantArgs),
    Models(models::ModelsArgs),
    Measures(measures::MeasuresArgs),
    Strategies(strategies::StrategiesArgs),
    Questions(questions::QuestionsArgs),
    Serve(serve::ServeArgs),
    Demo(demo::DemoArgs),
    Tour(tour::TourArgs),
    Generate(generate::GenerateArgs),
}

impl Command {
    /// Whether it serves others until it is stopped, and has its own answer to Ctrl-C.
    pub(crate) fn serves(&self) -> bool {
        matches!(self, Self::Serve(_) | Self::Demo(_))
    }

    pub(crate) fn run(&self) -> anyhow::Result<Output> {
        match self {
            Self::Init(args) => args.run(),
            Self::Ask(args) => args.run(),
            Self::Study(args) => args.run(),
            Self::Why(args) => args.run(),
            Self::Query(args) => args.run(),
            Self::Utility(args) => args.run(),
            Self::Security(args) => args.run(),
            Self::Publish(args) => args.run(),
            Self::Verify(args) => args.run(),
            Self::Assess(args) => args.run(),
            Self::Risk(args) => args.run(),
            Self::Report(args) => args.run(),
            Self::Build(args) => args.run(),
            Self::Update(args) => args.run(),
            Self::Check(args) => args.run(),
            Self::Hierarchy(args) => args.run(),
            Self::Pareto(args) => args.run(),
            Self::Compare(args) => args.run(),
            Self::Instant(args) => args.run(),
            Self::Models(args) => args.run(),
            Self::Measures(args) => args.run(),
            Self::Strategies(args) => args.run(),
            Self::Questions(args) => args.run(),
            Self::Serve(args) => args.run(),
            Self::Demo(args) => args.run(),
            Self::Tour(args) => args.run(),
            Self::Generate(args) => args.run(),
        }
    }
}

/// A value as one line of JSON.
fn json(value: &impl serde::Serialize) -> anyhow::Result<String> {
    Ok(serde_json::to_string(value)? + "\n")
}
