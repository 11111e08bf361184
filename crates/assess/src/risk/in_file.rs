//! The risk of a published file, whose cells may mix levels.

use haggle_api::Ask;
use haggle_api::privacy::k_asked;
use haggle_api::risk::{ReidentificationRisk, RiskAsk, RiskReport, SensitiveRisk};
use haggle_cube::query::ValueSet;
use haggle_cube::{Cube, Group, ValueCount};
use haggle_inference::attacks::{Attack, AttackLimits, Situation};
use haggle_inference::belief::JointPrior;
use haggle_inference::risk::CodedRows;
use haggle_inference::{JointCounts, PublishedGroups};
use haggle_model::{Error, Problem, QuasiIdentifier, Silent, Watched};
use haggle_privacy::{Facts, StatedConditional};
use haggle_project::survey::survey;
use haggle_project::{Project, facts};

use super::population::Population;
use super::priors::PriorSources;
use super::sizes::KnownPopulation;
use super::{RiskInputs, columns, in_table, sensitive, sizes};
use crate::Inspection;
use crate::anatomy::must_be_one_table;
use crate::measure::in_no_field;

impl Inspection {
    /// Reports what the file tells an attacker. With a project, its hierarchies say which recorded
    /// values the cells stand for and its records are the targets; without one, cells are values.
    pub fn risk(
        &self,
        request: &Ask,
        ask: &RiskAsk,
        inputs: &RiskInputs<'_>,
    ) -> Result<RiskReport, Error> {
        if ask.scheme.is_some() || ask.strategy.is_some() {
            let what = "a file is published as it is: no scheme can be applied to it";
            return Err(Error::new(what, "leave out the scheme, or name the project"));
        }
        must_be_one_table(self.sensitive_table(), "the risk")?;
        let attacks = sensitive::chosen(&ask.attacks)?;
        let limits = sensitive::limits(ask, k_asked(&request.privacy))?;
        let measured = self.measured()?;
        let cube = measured.cube();
        let all = facts::facts(cube, &self.stated_of(cube)?)?;
        let behind = self.behind(inputs)?;
        let (behind, known) = behind.as_ref().map(|(cube, known)| (cube, known.as_slice())).unzip();
        let known = known.unwrap_or_default();
        let inspection = Some(self);
        let file = File { inspection, cube, behind, known, limits, inputs };
        let asked = |facts: &&Facts| ask.on.as_ref().is_none_or(|on| facts.target.name == *on);
        let reports = all.into_iter().map(|facts| file.with_reference(facts)).collect::<Vec<_>>();
        let reports: Result<Vec<SensitiveRisk>, Error> = reports
            .iter()
            .filter(asked)
            .map(|facts| file.sensitive(facts, &attacks, ask))
            .collect();
        file.report(self, ask, reports?)
    }

    /// The counted table of the project behind the file, with what is known of its sensitive
    /// attributes.
    fn behind(&self, inputs: &RiskInputs<'_>) -> Result<Option<(Cube, Vec<Facts>)>, Error> {
        let Some(project) = self.project() else { return Ok(None) };
        let mut survey = survey(project, self.qi(), inputs.memory, &Silent)?;
        let stated = std::mem::take(&mut survey.stated);
        let cube = survey.into_cube(project);
        let known = facts::facts(&cube, &stated)?;
        Ok(Some((cube, known)))
    }
}

/// A file that is examined, or the records of one, of which nothing else is known.
struct File<'f> {
    inspection: Option<&'f Inspection>,
    cube: &'f Cube,
    /// The table that it was made from.
    behind: Option<&'f Cube>,
    /// What is known of the sensitive attributes of that table.
    known: &'f [Facts],
    limits: AttackLimits,
    inputs: &'f RiskInputs<'f>,
}

impl File<'_> {
    fn project(&self) -> Option<&Project> {
        self.inspection.and_then(Inspection::project)
    }

    fn attributes(&self) -> &[QuasiIdentifier] {
        self.behind.unwrap_or(self.cube).attributes()
    }

    /// Facts with the counts of the table behind the file, which groups are compared with.
    fn with_reference(&self, facts: Facts) -> Facts {
        let facts = self.with_statements(self.with_attackers(facts));
        let Some((behind, watched)) = self.watched_behind(&facts) else { return facts };
        let mut counts = vec![0; facts.counts.len()];
        behind.for_each_group(behind.space().top(), watched, |_, group| {
            for value in group.values {
                let name = behind.watched()[watched].values.value(value.code);
                if let Some(code) = facts.values.code(name) {
                    counts[code as usize] += value.count;
                }
            }
        });
        Facts { counts, ..facts }
    }

    /// Facts with what the project states of attackers: the prior that depends on a quasi-identifier,
    /// and alpha.
    fn with_attackers(&self, facts: Facts) -> Facts {
        let Some(stated) = self.project().and_then(|project| project.stated(&facts.target.name))
        else {
            return facts;
        };
        let among = |stated: &StatedConditional, otherwise| stated.among(&facts.values, otherwise);
        let prior_given = stated.prior_given.as_ref().map(|prior| among(prior, 0.0));
        let alpha = stated.alpha.as_ref().map(|alpha| among(alpha, 1.0));
        Facts { prior_given, alpha, ..facts }
    }

    /// Facts with the values that may be disclosed and the classes of the table behind the file.
    fn with_statements(&self, facts: Facts) -> Facts {
        let Some(known) = self.known.iter().find(|k| k.target.name == facts.target.name) else {
            return facts;
        };
        let codes: Vec<Option<usize>> =
            facts.values.values().map(|value| Some(known.values.code(value)? as usize)).collect();
        let free = |code: &Option<usize>| code.is_some_and(|code| known.dont_care[code]);
        let dont_care = codes.iter().map(free).collect();
        let classes = known.classes.as_ref();
        let classes =
            classes.and_then(|all| codes.iter().map(|code| Some(all[(*code)?])).collect());
        Facts { dont_care, classes, ..facts }
    }

    /// The table behind the file, and the place of a sensitive attribute in it.
    fn watched_behind(&self, facts: &Facts) -> Option<(&Cube, usize)> {
        let behind = self.behind?;
        let place = behind.sensitive().find(|(_, watched)| watched.name == facts.target.name)?.0;
        Some((behind, place))
    }

    fn groups<'g>(
        &'g self,
        columns: &'g [Watched],
        position: usize,
    ) -> Result<PublishedGroups<'g>, Error> {
        let (cube, attributes, mut records) = (self.cube, self.attributes(), Vec::new());
        let Some(inspection) = self.inspection.filter(|_| self.behind.is_some()) else {
            cube.for_each_group(&cube.space().bottom(), position, |codes, group| {
                add(&mut records, &as_values(codes), group, columns);
            });
            return Ok(PublishedGroups::of_file(attributes, columns, records));
        };
        let visit = |_: &[u32], sides: Vec<ValueSet>, group: &Group<'_>| {
            add(&mut records, &sides, group, columns);
        };
        inspection.for_each_resolved(cube, attributes, position, visit).map_err(|name| {
            let what = format!("'{name}' has cells that its hierarchy does not explain");
            let fix = "name the project that the file was published from";
            Problem::new(what).file(inspection.table().input().name()).fix(fix)
        })?;
        Ok(PublishedGroups::of_file(attributes, columns, records))
    }

    fn sensitive(
        &self,
        facts: &Facts,
        attacks: &[&'static Attack],
        ask: &RiskAsk,
    ) -> Result<SensitiveRisk, Error> {
        let position = facts.target.position;
        let columns = [self.cube.watched()[position].clone()];
        let groups = self.groups(&columns, position)?;
        let population = self.population(Some(&columns[0]))?;
        let persons = population.as_ref().map(|population| population.by_group(&groups));
        let situation = Situation {
            groups: &groups,
            column: 0,
            facts,
            limits: self.limits,
            population: persons.as_deref(),
            table: None,
        };
        let sources = PriorSources {
            attributes: self.attributes(),
            watched: &columns[0],
            facts,
            population: population.as_ref(),
            inputs: self.inputs,
            project: self.project(),
            table: &|| self.joint(facts),
            summary: &|_| Err(no_summary()),
        };
        let behind = self.watched_behind(facts);
        let (cube, watched) = behind.unwrap_or((self.cube, position));
        let targets = in_table::targets(&JointCounts::from_cube(cube, Some(watched)));
        sensitive::reported(&situation, attacks, &targets, &sources, ask)
    }

    /// The joint distribution of the table behind the file, in the codes of the file's values.
    fn joint(&self, facts: &Facts) -> Result<JointPrior, Error> {
        let (behind, watched) = self.watched_behind(facts).ok_or_else(|| {
            let what = "the table behind the file is not known";
            Error::new(what, "name the project, or choose another prior")
        })?;
        let mut prior = JointPrior::of_persons(facts.values.len());
        behind.for_each_group(&behind.space().bottom(), watched, |codes, group| {
            for value in group.values {
                let name = behind.watched()[watched].values.value(value.code);
                if let Some(code) = facts.values.code(name) {
                    prior.add(codes, code, value.count as f64);
                }
            }
        });
        Ok(prior)
    }

    fn population(&self, watched: Option<&Watched>) -> Result<Option<Population>, Error> {
        let RiskInputs { population, memory, .. } = self.inputs;
        let read = |file: &std::path::PathBuf| {
            Population::read(file, self.project(), self.attributes(), watched, *memory)
        };
        population.as_ref().map(read).transpose()
    }

    fn report(
        &self,
        inspection: &Inspection,
        ask: &RiskAsk,
        sensitive: Vec<SensitiveRisk>,
    ) -> Result<RiskReport, Error> {
        let rows = rows(self.cube);
        let values = values(self.cube);
        let known = match self.population(None)? {
            Some(population) => {
                let groups = self.groups(&[], 0)?;
                let sizes = groups.groups().iter().map(|group| group.records);
                let groups = sizes.zip(population.by_group(&groups)).collect();
                KnownPopulation::Counted(groups, population.persons)
            }
            None => KnownPopulation::by_fraction(ask.sampling_fraction)?,
        };
        let table = inspection.table();
        let (qi, memory) = (inspection.qi(), self.inputs.memory);
        let largest = ask.key_size;
        let ranked =
            columns::of_table(table, table.columns(), &in_no_field(), qi, largest, memory)?;
        Ok(RiskReport {
            scheme: None,
            quasi_identifiers: qi.to_vec(),
            records: self.cube.records(),
            suppressed: None,
            groups: rows.len() as u64,
            risk: sizes::measured(&rows, &values, &known, ask),
            columns: Some(ranked),
            whole: Some(inspection.others(None)?.whole(self.cube.records())),
            sensitive,
        })
    }
}

/// Measures the risk of the groups of a file, without a population.
pub(crate) fn risk_of_groups(cube: &Cube) -> ReidentificationRisk {
    sizes::measured(&rows(cube), &values(cube), &KnownPopulation::Unknown, &RiskAsk::default())
}

/// Runs every attack on the groups of a file, for readers who know nothing else: its cells are
/// values, and its records are the targets and the whole that groups are compared with.
pub(crate) fn attacks_on_groups(
    cube: &Cube,
    facts: &[Facts],
    k: Option<u64>,
) -> Result<Vec<SensitiveRisk>, Error> {
    let ask = RiskAsk::default();
    let limits = sensitive::limits(&ask, k)?;
    let attacks = sensitive::chosen(&ask.attacks)?;
    let inputs = &RiskInputs::default();
    let file = File { inspection: None, cube, behind: None, known: &[], limits, inputs };
    facts.iter().map(|facts| file.sensitive(facts, &attacks, &ask)).collect()
}

/// Cells as values of their own.
fn as_values(codes: &[u32]) -> Vec<ValueSet> {
    codes.iter().map(|&code| ValueSet::range(code..code + 1)).collect()
}

/// The groups of a file. Where persons are counted, they are who could be picked out.
fn rows(cube: &Cube) -> CodedRows {
    let (bottom, unit) = (cube.space().bottom(), cube.unit());
    let mut rows =
        CodedRows::new(cube.attributes().iter().map(|attribute| attribute.name.as_str()));
    cube.for_each_group(&bottom, unit.unwrap_or(0), |codes, group| {
        let size = if unit.is_some() { group.values.len() as u64 } else { group.records };
        rows.add(codes, size);
    });
    rows
}

/// The counts of the values of each sensitive attribute in each group.
fn values(cube: &Cube) -> Vec<Vec<Vec<ValueCount>>> {
    let bottom = cube.space().bottom();
    let values = |(position, _)| {
        let mut values = Vec::new();
        cube.for_each_group(&bottom, position, |_, group| values.push(group.values.to_vec()));
        values
    };
    cube.sensitive().map(values).collect()
}

/// Adds the records of a group by their sensitive value; those without one get the code after the
/// last.
fn add(
    records: &mut Vec<(Vec<ValueSet>, Vec<u32>, u64)>,
    sides: &[ValueSet],
    group: &Group<'_>,
    columns: &[Watched],
) {
    let Some(column) = columns.first() else {
        return records.push((sides.to_vec(), Vec::new(), group.records));
    };
    for value in group.values {
        records.push((sides.to_vec(), vec![value.code], value.count));
    }
    let missing = group.records - group.known();
    if missing > 0 {
        records.push((sides.to_vec(), vec![column.values.len() as u32], missing));
    }
}

fn no_summary() -> Error {
    let what = "a summary needs the table behind the file";
    Error::new(what, "ask about a scheme of the project instead")
}
