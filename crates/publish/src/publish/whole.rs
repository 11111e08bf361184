//! How many records are unique over all columns that would be published, before anything is.

use haggle_api::{Ask, Treatment, WholeRecords};
use haggle_engine::Engine;
use haggle_model::Error;
use haggle_project::Project;

use super::columns::{MEMORY_SHARE, PlannedRecords};
use super::settle::shown;
use super::stars::Stars;
use super::{PublishOptions, PublishWork};
use crate::accounting::ProfileLayout;
use crate::publications::Publications;
use haggle_assess::risk::ExaminedRecoding;

/// Counts the records that no other one equals over all columns that are not sensitive, if this
/// recoding were published as the project says.
pub(crate) fn whole_records(
    engine: &Engine,
    project: &Project,
    examined: ExaminedRecoding<'_>,
    ask: &Ask,
    memory: usize,
) -> Result<WholeRecords, Error> {
    let ExaminedRecoding { recoded, failing, criteria } = examined;
    let ask = ask.or(engine.defaults());
    let options = PublishOptions { memory, ..PublishOptions::new("", ask.clone()) };
    let shown = shown(engine, &criteria)?;
    let work = PublishWork {
        engine,
        project,
        publications: Publications::of(project),
        earlier: Vec::new(),
        recorded: 0,
        options: &options,
        ask,
        criteria,
        shown,
        recoded,
        stars: Stars::NotAsked,
        search_stopped: false,
        failing,
        anatomy: None,
    };
    work.whole()
}

impl PublishWork<'_> {
    fn whole(&self) -> Result<WholeRecords, Error> {
        let memory = self.options.memory;
        let table = self.project.table(self.options.progress)?.within(memory);
        let (records, plan) = self.planned_columns(&table)?;
        let PlannedRecords { mut publication, names, .. } = records;
        let sensitive = self.sensitive();
        let mut names = names.iter();
        publication.columns.retain(|_| names.next().is_some_and(|name| !sensitive.contains(name)));
        let columns = publication.columns.len();
        let whole = (0..columns).collect();
        let layout = ProfileLayout::of_columns(columns, whole, memory / MEMORY_SHARE);
        let (tally, _) = self.profile(&table, &publication, &layout)?;
        let (unique, estimated) = tally.unique_as_a_whole();
        let mut unchanged = plan.named(Treatment::Unchanged);
        unchanged.retain(|name| !sensitive.contains(name));
        Ok(WholeRecords { unchanged, unique, records: plan.records, estimated })
    }
}
