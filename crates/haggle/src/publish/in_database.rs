//! Publishing into a table of the same database: written, counted, proved, and only then
//! committed.

use std::path::PathBuf;

use haggle_data::{Draft, InDatabase, Publication, Streamed, Suppress};
use haggle_model::Problem;

use super::{Failing, PublicationReport, PublishOptions, PublishOutcome, Work};
use crate::{Engine, Error, Project};

impl Engine {
    /// Publishes the project's table into another one of its database. Nobody sees the new table
    /// before its promise is proved, and nothing is left of it if it is not.
    pub fn publish_table(
        &self,
        project: &Project,
        table: &str,
        options: &PublishOptions<'_>,
    ) -> Result<PublishOutcome, Error> {
        if project.data.remote.is_none() {
            let what = "the project's data is in no database";
            return Err(Error::new(what, "publish into a file with -o"));
        }
        self.publish_by(project, options, |work, failing| work.run_in_database(failing, table))
    }
}

impl Work<'_> {
    fn run_in_database(&self, failing: Failing, target: &str) -> Result<PublicationReport, Error> {
        let table = self.project.table()?;
        let columns = self.columns(&table)?;
        let names = self.names(&table, &columns);
        let publication = Publication {
            columns,
            recoder: self.recoder(),
            failing: failing.groups,
            suppress: self.options.suppress,
            checked: self.checked(&table),
            missing: self.project.data.missing.clone(),
        };
        let shuffled = self.options.seed.is_some();
        let what = InDatabase { publication: &publication, names: &names, target, shuffled };
        let draft = Draft::write(&table, &what)?;
        let expected = match self.options.suppress {
            Suppress::Drop => self.engine.records() - failing.records,
            Suppress::Star => self.engine.records(),
        };
        let changed = || {
            let problem = Problem::new("the data changed since it was counted");
            problem.file(table.input().name()).fix("publish again; nothing was written")
        };
        if draft.written() != expected {
            return Err(changed().into());
        }
        let streamed = Streamed { written: expected, suppressed: failing.records, digest: 0 };
        let measured =
            self.measure_by(draft.table(), |plan| draft.scan(plan, self.options.memory))?;
        if measured.groups() != self.planned(&publication.failing).groups {
            return Err(changed().into());
        }
        let proof = self.prove(measured, streamed, &publication.failing)?;
        draft.commit()?;
        Ok(self.report(PathBuf::from(target), None, None, streamed, proof))
    }
}
