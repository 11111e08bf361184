//! Publishing in two tables that are joined by group: planned, written, and proved from both files.
//!
//! Quasi-identifiers are published as recorded, so nothing is promised about the size of groups that
//! look alike. What is promised is the diversity of the sensitive values of every group: which of
//! them belongs to which record of the group is not published.

use haggle_api::{Ask, PublishOutcome, Threshold};
use haggle_cube::{Group, ValueCount};
use haggle_data::sinks::{Sink, Spreadsheet, TextRows};
use haggle_data::{Streamed, Suppress};
use haggle_engine::Engine;
use haggle_engine::criterion::Criterion;
use haggle_model::{Error, Level, Progress};
use haggle_output::{Staged, Transaction};
use haggle_privacy::{Facts, Target};
use haggle_project::facts;
use haggle_project::files::sensitive_path;

use super::prove::{ProvedFile, broken};
use super::{PublishOptions, PublishWork};
use crate::accounting::{Standing, TableColumn};
use crate::anatomy::{COUNT, SensitiveTable, TwoTables};
use crate::manifest;
use crate::measure::Measured;
use crate::verify::failing;

mod anatomize;

use anatomize::{ValueGroups, anatomize, slots};

/// The groups of a publication in two tables.
pub(super) struct AnatomyPlan {
    /// The sensitive attribute.
    attribute: String,
    /// Its position among the watched attributes.
    pub(super) position: usize,
    /// The column that joins the tables.
    pub(super) group: String,
    /// By group, the values in it.
    groups: ValueGroups,
    /// By value, the numbers of the groups that its records take.
    pub(super) slots: Vec<Vec<u32>>,
}

/// Plans groups that keep the promise; or says why there are none.
pub(super) fn plan(
    engine: &Engine,
    options: &PublishOptions<'_>,
    criteria: &[Criterion],
) -> Result<Result<AnatomyPlan, PublishOutcome>, Error> {
    refuse(options)?;
    engine.needs_recorded("a publication in two tables")?;
    if engine.cube().unit().is_some() {
        let what = "groups of two tables are counted in records, and the project counts persons";
        return Err(Error::new(what, "publish one table, or a table with one record per person"));
    }
    let facts = sensitive(engine, criteria)?;
    if facts.counts.iter().sum::<u64>() != engine.records() {
        let what = format!(
            "some records have no value of '{}', so no group can have it",
            facts.target.name
        );
        return Err(Error::new(
            what,
            "leave out records with missing values, or make missing a value",
        ));
    }
    let seed = options.order.seed().unwrap_or_else(rand::random);
    let most = facts.counts.iter().copied().max().unwrap_or(1).max(1);
    let largest = (engine.records() / most) as usize;
    for l in 2..=largest {
        let Some(groups) = anatomize(&facts.counts, l, seed) else { break };
        if groups.iter().all(|group| criteria.iter().all(|c| c.passes(&counted(group).group()))) {
            let slots = slots(&groups, facts.counts.len(), seed);
            let Target { position, name } = facts.target.clone();
            return Ok(Ok(AnatomyPlan {
                attribute: name,
                position,
                group: group_column(engine, options.progress),
                groups,
                slots,
            }));
        }
    }
    let why = "finds no groups that are as diverse as asked for: a sensitive value is too frequent; ask for less";
    Ok(Err(PublishOutcome::NotFound { strategy: "anatomy".into(), why }))
}

/// Refuses what has no meaning for two tables.
fn refuse(options: &PublishOptions<'_>) -> Result<(), Error> {
    let Ask { levels, optimize, relax_height, .. } = &options.ask;
    let refused = [
        ("a relaxation of the height has", relax_height.is_some()),
        ("maximum levels have", levels.is_some()),
        ("a loss measure has", optimize.is_some()),
        ("stars for suppressed records have", options.suppress == Suppress::Star),
        ("a flag of suppressed records has", options.flag.is_some()),
    ];
    match refused.iter().find(|(_, is_asked)| *is_asked) {
        None => Ok(()),
        Some((what, _)) => {
            let what = format!("{what} no effect where nothing is generalized or suppressed");
            Err(Error::new(what, "leave it out, or publish one table"))
        }
    }
}

/// The sensitive attribute that all promises are about.
fn sensitive<'e>(engine: &'e Engine, criteria: &[Criterion]) -> Result<&'e Facts, Error> {
    let other = criteria.iter().find(|c| !c.model.sensitive || c.model.published_level.is_some());
    if let Some(criterion) = other {
        let what = format!(
            "quasi-identifiers are published as recorded, so {} cannot be promised",
            criterion.label
        );
        return Err(Error::new(what, "promise the diversity of one sensitive attribute only"));
    }
    let mut watched: Vec<usize> =
        criteria.iter().filter_map(|c| c.judge().column().watches).collect();
    watched.dedup();
    let found = match watched[..] {
        [position] => engine.facts().iter().find(|facts| facts.target.position == position),
        _ => None,
    };
    found.ok_or_else(|| {
        let what = "the promises are about several sensitive attributes";
        Error::new(what, "promise the diversity of one of them")
    })
}

/// A name that no column has.
fn group_column(engine: &Engine, progress: &dyn Progress) -> String {
    let known = engine.project().and_then(|project| project.table(progress).ok());
    let is_free = |name: &String| known.as_ref().is_none_or(|table| table.column(name).is_none());
    let names = ["group".to_owned()].into_iter().chain((2..).map(|n| format!("group_{n}")));
    names.into_iter().find(is_free).expect("there are always more names")
}

/// The values of a group, counted.
struct CountedValues(Vec<ValueCount>);

impl CountedValues {
    fn group(&self) -> Group<'_> {
        let records = self.0.iter().map(|value| value.count).sum();
        Group { records, values: &self.0 }
    }
}

fn counted(group: &[u32]) -> CountedValues {
    let mut codes = group.to_vec();
    codes.sort_unstable();
    let count = |same: &[u32]| ValueCount { code: same[0], count: same.len() as u64 };
    CountedValues(codes.chunk_by(|a, b| a == b).map(count).collect())
}

impl PublishWork<'_> {
    /// Takes sensitive attributes out of the table of quasi-identifiers.
    pub(super) fn separated(
        &self,
        mut subjects: Vec<TableColumn>,
    ) -> Result<Vec<TableColumn>, Error> {
        if self.anatomy.is_none() {
            return Ok(subjects);
        }
        for subject in subjects.iter_mut().filter(|s| s.standing == Standing::Sensitive) {
            if subject.as_recorded {
                let what = format!(
                    "'{}' is sensitive, and would be next to quasi-identifiers",
                    subject.name
                );
                return Err(Error::new(what, "leave it out of this list, or publish one table"));
            }
            subject.standing = Standing::Separate;
        }
        Ok(subjects)
    }

    /// Writes the table of sensitive values, if there is one.
    pub(super) fn write_sensitive(
        &self,
        transaction: &mut Transaction,
    ) -> Result<Option<Staged>, Error> {
        let Some(plan) = &self.anatomy else { return Ok(None) };
        let path = sensitive_path(&self.options.output);
        let file = transaction.stage(&path, self.options.readers)?;
        let names = [plan.group.clone(), plan.attribute.clone(), COUNT.to_owned()];
        let mut sink = Spreadsheet::new(self.sink(&file, &names)?, self.options.formulas);
        let rows = self.sensitive_rows(plan);
        let chunk = sink.encoder().encode(rows)?;
        sink.write(chunk)?;
        sink.finish()?;
        Ok(Some(file))
    }

    fn sensitive_rows(&self, plan: &AnatomyPlan) -> TextRows {
        let values = &self.engine.cube().watched()[plan.position].values;
        let mut rows = TextRows::default();
        for (number, group) in plan.groups.iter().enumerate() {
            for ValueCount { code, count } in counted(group).0 {
                rows.field(&(number + 1).to_string());
                rows.field(values.value(code));
                rows.field(&count.to_string());
                rows.end();
            }
        }
        rows
    }

    /// Reads both files and proves the promise from them.
    pub(super) fn prove_anatomy(
        &self,
        plan: &AnatomyPlan,
        file: &Staged,
        counts: &Staged,
        streamed: Streamed,
    ) -> Result<ProvedFile, Error> {
        let (records, counts) = (self.written(file)?, self.written(counts)?);
        let tables = TwoTables {
            records: &records,
            counts: &counts,
            group: &plan.group,
            attribute: &plan.attribute,
        };
        let progress = self.options.progress;
        progress.start("proving", records.input().bytes().unwrap_or(0));
        let measured = tables.measured(self.options.memory, progress);
        progress.finish();
        let (measured, criteria) = self.judged_alone(plan, measured?)?;
        let judged: Vec<_> = criteria.iter().map(|criterion| (&measured, criterion)).collect();
        let holds = measured.records() == streamed.written && failing(&judged) == 0;
        let weakest = |criterion: &Criterion| -> Option<(String, Threshold)> {
            Some((criterion.label.clone(), criterion.threshold(0, measured.weakest(criterion)?)))
        };
        let attained: Option<Vec<_>> = criteria.iter().map(weakest).collect();
        let attained = attained.filter(|_| holds).ok_or_else(broken)?;
        let values = measured.cube().watched()[0].values.values().map(str::to_owned).collect();
        let sensitive = self.engine.facts().iter().map(|facts| {
            if facts.target.position == plan.position { Vec::clone(&values) } else { Vec::new() }
        });
        Ok(ProvedFile {
            // No record is left out, so the file's own distribution is the input's.
            reported: attained.clone(),
            promises: criteria.iter().map(Criterion::words).collect(),
            attained,
            occurring: self.recorded_values(),
            has_stars: false,
            sensitive: sensitive.collect(),
            looks: std::collections::BTreeSet::new(),
            groups: measured.count_groups(),
            single_valued: Vec::new(),
        })
    }

    /// The groups judged by the codes of the data, as the only attribute there is.
    fn judged_alone(
        &self,
        plan: &AnatomyPlan,
        measured: Measured,
    ) -> Result<(Measured, Vec<Criterion>), Error> {
        let known = self.engine.facts().iter().find(|f| f.target.position == plan.position);
        let known = known.ok_or_else(broken)?;
        let stated = self.settled().remove(&plan.attribute).unwrap_or_default();
        let target = Target { position: 0, name: plan.attribute.clone() };
        let facts = facts::of(target, known.values.clone(), known.counts.clone(), &stated)?;
        let written = measured.cube().watched()[0].values.values();
        let codes: Option<Vec<u32>> = written.map(|value| facts.values.code(value)).collect();
        let measured = measured.judged_by(0, codes.ok_or_else(broken)?);
        let criteria = Criterion::all(&self.ask.privacy, &[facts], None)?;
        Ok((measured, criteria))
    }

    /// The values of each quasi-identifier that records have, all of which are published.
    fn recorded_values(&self) -> Vec<std::collections::BTreeSet<String>> {
        let cube = self.engine.cube();
        let mut values = vec![std::collections::BTreeSet::new(); cube.attributes().len()];
        cube.for_each_group(&cube.space().bottom(), 0, |codes, _| {
            let sides = values.iter_mut().zip(cube.attributes()).zip(codes);
            for ((values, attribute), &code) in sides {
                values.insert(attribute.hierarchy.shown(code, Level::RECORDED).to_owned());
            }
        });
        values
    }

    /// What the manifest says of the table of sensitive values.
    pub(super) fn sensitive_table(&self, file: &Staged) -> Result<Option<SensitiveTable>, Error> {
        let Some(plan) = &self.anatomy else { return Ok(None) };
        let path = sensitive_path(&self.options.output);
        Ok(Some(SensitiveTable {
            file: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            sha256: manifest::sha256(file.path())?,
            group: plan.group.clone(),
            attribute: plan.attribute.clone(),
            exact: self.engine.attributes().into_iter().map(String::from).collect(),
        }))
    }

    /// Removes the table of sensitive values of an earlier publication of the same file, which this
    /// one does not replace.
    pub(super) fn remove_earlier_sensitive(
        &self,
        transaction: &mut Transaction,
    ) -> Result<(), Error> {
        let output = &self.options.output;
        let earlier = manifest::Manifest::next_to(output).ok().flatten();
        let earlier = earlier.and_then(|earlier| earlier.anatomy);
        let file = earlier.map(|table| output.with_file_name(table.file));
        match file.filter(|file| self.anatomy.is_none() && file.is_file()) {
            Some(file) => transaction.remove(&file),
            None => Ok(()),
        }
    }
}
