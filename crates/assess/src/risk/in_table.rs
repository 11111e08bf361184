//! The risk of a scheme or another recoding of a counted table, before it is published.

use std::path::PathBuf;

use haggle_api::privacy::k_asked;
use haggle_api::risk::{ColumnRisk, RiskAsk, RiskReport, SensitiveRisk};
use haggle_api::{Ask, Choice};
use haggle_cube::{Applied, Base};
use haggle_engine::criterion::Criterion;
use haggle_engine::failing::Failing;
use haggle_engine::instant::summary_prior;
use haggle_engine::recoded::Recoded;
use haggle_engine::{Engine, InstantOptions};
use haggle_inference::attacks::{Attack, AttackLimits, CountedTable, Situation};
use haggle_inference::belief::{JointPrior, Prior};
use haggle_inference::risk::CodedRows;
use haggle_inference::{JointCounts, PublishedGroups, Suppression};
use haggle_model::{Error, ErrorKind, Scheme, Watched};
use haggle_privacy::Facts;

use super::population::Population;
use super::priors::PriorSources;
use super::promise::Thresholds;
use super::sizes::KnownPopulation;
use super::together::{Applications, applied};
use super::{RiskInputs, columns, sensitive, sizes};
use crate::examined::{AppliedGroups, criteria, examined};
use crate::publications::Publications;

/// The recoding that a report is about.
pub struct ExaminedRecoding<'e> {
    /// The recoding.
    pub recoded: Recoded<'e>,
    /// The groups that are suppressed.
    pub failing: Failing,
    /// The thresholds that they fail.
    pub criteria: Vec<Criterion>,
}

/// Reports what a scheme, or what a strategy finds, tells an attacker who knows quasi-identifiers,
/// and returns it. Without thresholds nothing is suppressed; without a scheme it is the answer to the
/// thresholds, or the data as recorded.
pub fn risk<'e>(
    engine: &'e Engine,
    request: &Ask,
    ask: &RiskAsk,
    inputs: &RiskInputs<'_>,
) -> Result<(RiskReport, ExaminedRecoding<'e>), Error> {
    let attacks = sensitive::chosen(&ask.attacks)?;
    let privacy = &request.or(engine.defaults()).privacy;
    let limits = sensitive::limits(ask, k_asked(privacy))?;
    let table = TableUnderScheme::of(engine, request, ask, inputs)?;
    let report = |facts| table.attacked(facts, &attacks, limits, ask, inputs);
    let reports = table.sensitive(ask)?.into_iter().map(report).collect::<Result<_, _>>()?;
    let report = table.report(ask, inputs, reports)?;
    let TableUnderScheme { recoded, failing, criteria, .. } = table;
    Ok((report, ExaminedRecoding { recoded, failing, criteria }))
}

/// Returns which recoding is meant; without thresholds, the data as recorded.
fn choice(engine: &Engine, request: &Ask, ask: &RiskAsk) -> Result<Choice, Error> {
    Ok(match ask.choice()? {
        Choice::Answer if request.privacy.is_empty() => {
            Choice::Scheme(engine.cube().space().bottom())
        }
        choice => choice,
    })
}

/// A table under a scheme.
struct TableUnderScheme<'e> {
    engine: &'e Engine,
    base: Base,
    applied: Applied,
    kept: Vec<bool>,
    scheme: Option<Scheme>,
    recoded: Recoded<'e>,
    failing: Failing,
    criteria: Vec<Criterion>,
    earlier: Applications,
    /// The recorded publications that cannot be applied to the table.
    unjudged: u64,
}

impl<'e> TableUnderScheme<'e> {
    /// Applies the scheme that is meant; only thresholds of the request suppress records.
    fn of(
        engine: &'e Engine,
        request: &Ask,
        ask: &RiskAsk,
        inputs: &RiskInputs<'_>,
    ) -> Result<Self, Error> {
        engine.needs_recorded("risk")?;
        let criteria = criteria(engine, &request.or(engine.defaults()))?;
        let choice = choice(engine, request, ask)?;
        let recoded = examined(engine, request, &choice, &criteria, inputs.progress)?;
        let leaves_out = !request.privacy.is_empty() || ask.strategy.is_some();
        let failing = recoded.failing(if leaves_out { &criteria } else { &[] });
        let AppliedGroups { base, applied: parts, kept } = AppliedGroups::of(&recoded, &failing);
        let scheme = recoded.levels().cloned();
        let (earlier, unjudged) = match engine.project() {
            Some(project) => applied(engine, &base, &Publications::of(project))?,
            None => (Vec::new(), 0),
        };
        let applied = parts;
        Ok(Self {
            engine,
            base,
            applied,
            kept,
            scheme,
            recoded,
            failing,
            criteria,
            earlier,
            unjudged,
        })
    }

    /// Runs the attacks on one sensitive attribute, and computes beliefs.
    fn attacked(
        &self,
        facts: &Facts,
        attacks: &[&'static Attack],
        limits: AttackLimits,
        ask: &RiskAsk,
        inputs: &RiskInputs<'_>,
    ) -> Result<SensitiveRisk, Error> {
        let (watched, position) = (self.watched(facts), facts.target.position);
        let joint = JointCounts::of(self.engine.cube(), Some(position));
        let groups = self.groups(&joint);
        let population = self.population(inputs, Some(watched))?;
        let persons = population.as_ref().map(|population| population.by_group(&groups));
        let promise = Thresholds { criteria: &self.criteria, base: &self.base, watched: position };
        let table = Some(self.counted(facts, &promise));
        let (groups, persons) = (&groups, persons.as_deref());
        let situation = Situation { groups, column: 0, facts, limits, population: persons, table };
        let sources = PriorSources {
            attributes: self.engine.cube().attributes(),
            watched,
            facts,
            population: population.as_ref(),
            inputs,
            project: self.engine.project(),
            table: &|| Ok(JointPrior::of_table(&joint, 0)),
            summary: &|id| self.summary(facts, id, inputs),
        };
        sensitive::reported(&situation, attacks, &targets(&joint), &sources, ask)
    }

    fn population(
        &self,
        inputs: &RiskInputs<'_>,
        watched: Option<&Watched>,
    ) -> Result<Option<Population>, Error> {
        let (project, attributes) = (self.engine.project(), self.engine.cube().attributes());
        let read =
            |file: &PathBuf| Population::read(file, project, attributes, watched, inputs.memory);
        inputs.population.as_ref().map(read).transpose()
    }

    fn watched(&self, facts: &Facts) -> &Watched {
        &self.engine.cube().watched()[facts.target.position]
    }

    fn summary(
        &self,
        facts: &Facts,
        id: &str,
        inputs: &RiskInputs<'_>,
    ) -> Result<Box<dyn Prior>, Error> {
        let project = self.engine.project().ok_or_else(|| {
            Error::new("a summary needs the project's data", "name the project, not a lattice file")
        })?;
        let qi = Some(self.engine.attributes().into_iter().map(String::from).collect());
        let (summary, memory) = (id.to_owned(), inputs.memory);
        let progress = inputs.progress;
        let options = InstantOptions { qi, summary, memory, progress, ..InstantOptions::default() };
        summary_prior(project, self.engine.cube(), self.watched(facts), &options)
    }

    /// The sensitive attributes that are asked about.
    fn sensitive(&self, ask: &RiskAsk) -> Result<Vec<&Facts>, Error> {
        let all = self.engine.facts();
        let Some(on) = &ask.on else { return Ok(all.iter().collect()) };
        let found = all.iter().find(|facts| facts.target.name == *on);
        found.map(|facts| vec![facts]).ok_or_else(|| {
            let names: Vec<&str> = all.iter().map(|facts| facts.target.name.as_str()).collect();
            let what = format!("there is no sensitive attribute '{on}'");
            let fix = format!("choose from: {}", names.join(", "));
            Error::of_kind(ErrorKind::NotFound, what, fix)
        })
    }

    fn groups<'j>(&self, joint: &'j JointCounts) -> PublishedGroups<'j> {
        PublishedGroups::of(joint, &self.applied, |part| self.kept[part], Suppression::Dropped)
    }

    fn counted<'t>(&'t self, facts: &Facts, promise: &'t Thresholds<'t>) -> CountedTable<'t> {
        CountedTable {
            attributes: self.engine.cube().attributes(),
            base: &self.base,
            watched: facts.target.position,
            applied: &self.applied,
            kept: &self.kept,
            scheme: self.scheme.as_ref(),
            promise: (!self.criteria.is_empty()).then_some(promise),
            earlier: &self.earlier,
            unjudged: self.unjudged,
        }
    }

    /// The published groups by code. Where persons are counted, they are who could be picked out.
    fn rows(&self) -> CodedRows {
        let unit = self.engine.cube().unit();
        let mut rows = CodedRows::new(self.engine.attributes());
        self.applied.for_each_group(&self.base, unit.unwrap_or(0), |part, group| {
            if self.kept[part] {
                let size = if unit.is_some() { group.values.len() as u64 } else { group.records };
                rows.add(self.applied.codes(part), size);
            }
        });
        rows
    }

    fn report(
        &self,
        ask: &RiskAsk,
        inputs: &RiskInputs<'_>,
        sensitive: Vec<SensitiveRisk>,
    ) -> Result<RiskReport, Error> {
        let rows = self.rows();
        let values = |(position, _)| {
            let mut values = Vec::new();
            self.applied.for_each_group(&self.base, position, |part, group| {
                values.extend(self.kept[part].then(|| group.values.to_vec()));
            });
            values
        };
        let values: Vec<_> = self.engine.cube().sensitive().map(values).collect();
        let known = match self.population(inputs, None)? {
            Some(population) => {
                let joint = JointCounts::of(self.engine.cube(), None);
                let persons = population.by_group(&self.groups(&joint));
                let groups = rows.records().iter().copied().zip(persons).collect();
                KnownPopulation::Counted(groups, population.persons)
            }
            None => KnownPopulation::by_fraction(ask.sampling_fraction)?,
        };
        Ok(RiskReport {
            scheme: self.scheme.clone(),
            quasi_identifiers: self.engine.attributes().into_iter().map(String::from).collect(),
            records: self.engine.records() - self.failing.records,
            suppressed: Some(self.failing.records),
            groups: rows.len() as u64,
            risk: sizes::measured(&rows, &values, &known, ask),
            columns: self.columns(ask, inputs)?,
            whole: None,
            sensitive,
        })
    }

    fn columns(&self, ask: &RiskAsk, inputs: &RiskInputs<'_>) -> Result<Option<ColumnRisk>, Error> {
        let qi: Vec<String> = self.engine.attributes().into_iter().map(String::from).collect();
        let Some(project) = self.engine.project() else { return Ok(None) };
        columns::of_project(project, &qi, ask.key_size, inputs.memory, inputs.progress).map(Some)
    }
}

/// Every record with a known sensitive value is a target.
pub(super) fn targets(joint: &JointCounts) -> sensitive::Targets {
    let values = joint.columns()[0].values.len();
    let known = |row: usize| {
        let known = joint.values(row).iter().filter(|v| (v.codes[0] as usize) < values);
        known.map(|value| value.count).sum()
    };
    let rows = (0..joint.len()).map(|row| (joint.codes(row).to_vec(), known(row)));
    rows.filter(|(_, records)| *records > 0).collect()
}
