//! `haggle risk`: what a publication tells an attacker.

mod words;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use clap::Args;
use haggle::inference::{RiskAsk, RiskInputs, RiskReport};
use haggle::publishing::Inspection;
use haggle::{Project, Scheme};

use crate::Output;
use crate::args::{Opening, ProjectArgs, ThresholdArgs, parse_size};
use crate::progress::Quiet;

/// What a publication tells an attacker: how far people can be picked out, which attacks succeed, and what is believed
#[derive(Debug, Args)]
pub(crate) struct RiskArgs {
    /// A project (haggle.toml, its folder, a lattice file, demo:adult), or a published file
    subject: String,
    /// The project behind a published file
    project: Option<String>,
    #[command(flatten)]
    thresholds: ThresholdArgs,
    /// The scheme, such as 1,0,1 (default: the answer to the thresholds, else the data as recorded)
    #[arg(long, value_name = "SCHEME")]
    scheme: Option<Scheme>,
    /// The strategy whose recoding is examined, instead of a scheme
    #[arg(long, value_name = "NAME", conflicts_with = "scheme")]
    strategy: Option<String>,
    /// Quasi-identifiers to use, in this order
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    qi: Option<Vec<String>>,
    /// The sensitive attribute (default: all)
    #[arg(long, value_name = "ATTRIBUTE")]
    on: Option<String>,
    /// Records with a higher risk than this are counted
    #[arg(long, value_name = "P", default_value_t = RiskAsk::default().threshold)]
    threshold: f64,
    /// A table of the population that the published one is a part of
    #[arg(long, value_name = "FILE", conflicts_with = "sampling_fraction")]
    population: Option<PathBuf>,
    /// The share of the population that the table holds, such as 0.05
    #[arg(long, value_name = "F")]
    sampling_fraction: Option<f64>,
    /// An attack to run, by name; may be repeated (default: all)
    #[arg(long, value_name = "NAME")]
    attack: Vec<String>,
    /// What the attacker knows: marginal, stated, table, population, summary:ID or conditionals:FILE
    #[arg(long, value_name = "PRIOR", default_value = "marginal")]
    prior: String,
    /// A person whom the attacker knows, such as age=34,sex=Male
    #[arg(long, value_name = "A=V,…")]
    target: Option<String>,
    /// A sensitive value that the attacker can rule out for that person; may be repeated
    #[arg(long, value_name = "VALUE", requires = "target")]
    rule_out: Vec<String>,
    /// How much more or less the attacker believes in a value of that person, such as flu=0.5; may be
    /// repeated
    #[arg(long, value_name = "VALUE=FACTOR", requires = "target", value_parser = parse_factor)]
    alpha: Vec<(String, f64)>,
    #[command(flatten)]
    limits: LimitArgs,
    /// Memory for counting
    #[arg(long, value_name = "SIZE", default_value = "4GB", value_parser = parse_size)]
    memory: usize,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

/// From where on something counts as exposed.
#[derive(Debug, Args)]
struct LimitArgs {
    /// A belief above 1 - DELTA is a positive disclosure
    #[arg(long, default_value_t = RiskAsk::default().delta)]
    delta: f64,
    /// A belief below EPSILON is a negative disclosure
    #[arg(long, default_value_t = RiskAsk::default().epsilon)]
    epsilon: f64,
    /// Below this a value was unlikely
    #[arg(long, default_value_t = RiskAsk::default().rho1)]
    rho1: f64,
    /// Above this an unlikely value has become likely
    #[arg(long, default_value_t = RiskAsk::default().rho2)]
    rho2: f64,
    /// How far a belief must move for an attack to succeed
    #[arg(long, default_value_t = RiskAsk::default().moved)]
    moved: f64,
    /// How many sensitive values an attacker may be able to rule out
    #[arg(long, value_name = "N", default_value_t = RiskAsk::default().known_values)]
    known_values: usize,
    /// The part of a scale within which sensitive values are similar
    #[arg(long, default_value_t = RiskAsk::default().similar)]
    similar: f64,
    /// The standard deviation of a suspicion, in classes
    #[arg(long, default_value_t = RiskAsk::default().width)]
    width: f64,
    /// How many quasi-identifiers an attacker knows at most
    #[arg(long, value_name = "L", default_value_t = RiskAsk::default().knows)]
    knows: usize,
    /// The largest sets of columns that are searched for those that single people out
    #[arg(long, value_name = "N", default_value_t = RiskAsk::default().key_size)]
    key_size: usize,
}

impl RiskArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Output> {
        let report = if self.is_file() { self.of_file()? } else { self.of_project()? };
        let text = if self.json { super::json(&report)? } else { words::words(&report) };
        Ok(text.into())
    }

    /// Whether a table is named, not a project or a lattice file.
    fn is_file(&self) -> bool {
        let path = Path::new(&self.subject);
        let ends = |ending: &str| path.extension().is_some_and(|e| e.eq_ignore_ascii_case(ending));
        self.project.is_some() || path.is_file() && !ends("toml") && !ends("haggle")
    }

    fn of_file(&self) -> anyhow::Result<RiskReport> {
        let project = self.project.as_deref().map(Project::open).transpose()?;
        let file = Path::new(&self.subject);
        let inspection =
            Inspection::open(file, project.as_ref(), self.qi.clone(), None, self.memory)?;
        let request = self.thresholds.ask()?;
        Ok(inspection.risk(&request, &self.ask()?, &self.inputs())?)
    }

    fn of_project(&self) -> anyhow::Result<RiskReport> {
        let (project, qi, memory) = (self.subject.clone(), self.qi.clone(), self.memory);
        let project = ProjectArgs { project, qi, memory, json: self.json };
        let engine = project.engine_by(&Opening::default())?;
        let mut request = self.thresholds.ask()?;
        if !request.privacy.is_empty() {
            request = engine.with_other_thresholds(&request);
        }
        ProjectArgs::answer(&engine, &request, self.ask()?)
    }

    fn inputs(&self) -> RiskInputs<'static> {
        let (population, memory) = (self.population.clone(), self.memory);
        RiskInputs { population, files: true, memory, progress: &Quiet }
    }

    fn ask(&self) -> anyhow::Result<RiskAsk> {
        let LimitArgs { delta, epsilon, rho1, rho2, moved, .. } = self.limits;
        let LimitArgs { known_values, similar, width, knows, key_size, .. } = self.limits;
        Ok(RiskAsk {
            scheme: self.scheme.clone(),
            strategy: self.strategy.clone(),
            threshold: self.threshold,
            population: self.population.clone(),
            sampling_fraction: self.sampling_fraction,
            attacks: self.attack.clone(),
            on: self.on.clone(),
            prior: self.prior.clone(),
            target: self.target.as_deref().map(parse_target).transpose()?.unwrap_or_default(),
            rule_out: self.rule_out.clone(),
            alpha: factors(&self.alpha)?,
            least_group: None,
            delta,
            epsilon,
            rho1,
            rho2,
            moved,
            known_values,
            similar,
            width,
            knows,
            key_size,
        })
    }
}

/// Parses `flu=0.5`.
fn parse_factor(text: &str) -> anyhow::Result<(String, f64)> {
    let (value, factor) = text.rsplit_once('=').context("write --alpha as in flu=0.5")?;
    let factor = factor.trim().parse().context("the factor is not a number, such as 0.5")?;
    Ok((value.trim().to_owned(), factor))
}

/// The factors by value, each of which is stated once.
fn factors(stated: &[(String, f64)]) -> anyhow::Result<BTreeMap<String, f64>> {
    let factors: BTreeMap<String, f64> = stated.iter().cloned().collect();
    ensure!(factors.len() == stated.len(), "--alpha states a value twice");
    Ok(factors)
}

/// Parses `age=34,sex=Male`; a value may contain a comma if no `=` follows it.
fn parse_target(text: &str) -> anyhow::Result<BTreeMap<String, String>> {
    let mut target = BTreeMap::new();
    let mut last: Option<String> = None;
    for part in text.split(',') {
        match (part.split_once('='), &last) {
            (Some((name, value)), _) => {
                let name = name.trim().to_owned();
                let twice = target.insert(name.clone(), value.trim().to_owned()).is_some();
                ensure!(!twice, "--target states '{name}' twice");
                last = Some(name);
            }
            (None, Some(name)) => {
                let value = target.get_mut(name).context("a name was read before")?;
                *value += &format!(",{part}");
            }
            (None, None) => bail!("write --target as in age=34,sex=Male"),
        }
    }
    Ok(target)
}
