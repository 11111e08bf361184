//! Two files that are joined by group: the records, and how often each sensitive value occurs in
//! each group.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use haggle_api::{PublicationReport, PublishOutcome, PublishedAnatomy, Threshold};
use haggle_cube::ValueCount;
use haggle_data::sinks::{Sink, TextRows};
use haggle_data::{Streamed, Table};
use haggle_engine::criterion::Criterion;
use haggle_model::{Error, Level};
use haggle_output::{Staged, Transaction};
use haggle_privacy::Target;
use haggle_project::facts;
use haggle_project::files::sensitive_path;

use super::file::FileDestination;
use super::{Destination, MeasuredRecords, WrittenRecords};
use crate::anatomy::{COUNT, SensitiveTable, TwoTables};
use crate::manifest;
use crate::measure::Measured;
use crate::publish::PublishWork;
use crate::publish::anatomy::{AnatomyPlan, counted};
use crate::publish::columns::PlannedRecords;
use crate::publish::prove::{ProvedFile, broken};
use crate::verify::failing;

/// A file of records, and a file of sensitive values next to it.
pub(super) struct TwoTableFiles<'a> {
    work: &'a PublishWork<'a>,
    plan: &'a AnatomyPlan,
    records: FileDestination<'a>,
    /// Where the table of sensitive values goes.
    path: PathBuf,
    counts: Option<Staged>,
}

impl<'a> TwoTableFiles<'a> {
    pub(super) fn new(work: &'a PublishWork<'a>, output: &'a Path, plan: &'a AnatomyPlan) -> Self {
        let (records, path) = (FileDestination::new(work, output), sensitive_path(output));
        Self { work, plan, records, path, counts: None }
    }

    fn counts(&self) -> Result<&Staged, Error> {
        self.counts.as_ref().ok_or_else(broken)
    }
}

impl Destination for TwoTableFiles<'_> {
    fn stage(&mut self) -> Result<(), Error> {
        self.records.stage()?;
        self.counts = Some(self.records.stage_also(&self.path)?);
        Ok(())
    }

    fn write(&mut self, table: &Table, records: PlannedRecords<'_>) -> Result<Streamed, Error> {
        let streamed = self.records.write(table, records)?;
        let names = [self.plan.group.clone(), self.plan.attribute.clone(), COUNT.to_owned()];
        let mut sink = self.records.sink(self.counts()?, &names)?;
        let chunk = sink.encoder().encode(self.work.sensitive_rows(self.plan))?;
        sink.write(chunk)?;
        sink.finish()?;
        Ok(streamed)
    }

    fn measure(&self, written: &WrittenRecords) -> Result<Option<MeasuredRecords>, Error> {
        let (file, streamed) = (self.records.file()?, written.streamed);
        let proof = self.work.prove_anatomy(self.plan, file, self.counts()?, streamed)?;
        let measured = self.records.measured(proof, streamed.written)?;
        let anatomy = SensitiveTable {
            file: self.path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            sha256: manifest::sha256(self.counts()?.path())?,
            group: self.plan.group.clone(),
            attribute: self.plan.attribute.clone(),
            exact: self.work.engine.attributes().into_iter().map(String::from).collect(),
        };
        Ok(Some(MeasuredRecords { anatomy: Some(anatomy), ..measured }))
    }

    fn commit(&mut self, written: WrittenRecords) -> Result<PublishOutcome, Error> {
        let anatomy = written.proved.as_ref().and_then(|proved| proved.manifest.anatomy.clone());
        let (SensitiveTable { sha256, group, attribute, exact, .. }, counts) =
            anatomy.zip(self.counts.take()).ok_or_else(broken)?;
        let seal = |transaction: &mut Transaction| transaction.seal(counts, sha256);
        let report = self.records.commit_with(written, seal)?;
        let (promise_over, sensitive) = (vec![group.clone()], self.path.clone());
        let anatomy = Some(PublishedAnatomy { sensitive, attribute, group, exact });
        let recoding = "anatomy";
        let report = PublicationReport { recoding, scheme: None, promise_over, anatomy, ..report };
        Ok(PublishOutcome::Published(report.into()))
    }

    fn undo(&mut self) {
        self.counts = None;
        self.records.undo();
    }
}

impl PublishWork<'_> {
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
    fn prove_anatomy(
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
            looks: BTreeSet::new(),
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
        let facts = facts::resolve(target, known.values.clone(), known.counts.clone(), &stated)?;
        let written = measured.cube().watched()[0].values.values();
        let codes: Option<Vec<u32>> = written.map(|value| facts.values.code(value)).collect();
        let measured = measured.judged_by(0, codes.ok_or_else(broken)?);
        let criteria = Criterion::all(&self.ask.privacy, &[facts], None)?;
        Ok((measured, criteria))
    }

    /// The values of each quasi-identifier that records have, all of which are published.
    fn recorded_values(&self) -> Vec<BTreeSet<String>> {
        let cube = self.engine.cube();
        let mut values = vec![BTreeSet::new(); cube.attributes().len()];
        cube.for_each_group(&cube.space().bottom(), 0, |codes, _| {
            let sides = values.iter_mut().zip(cube.attributes()).zip(codes);
            for ((values, attribute), &code) in sides {
                values.insert(attribute.hierarchy.shown(code, Level::RECORDED).to_owned());
            }
        });
        values
    }
}
