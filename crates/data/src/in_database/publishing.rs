//! Publishing within the database: a table that is shown only once what was written has been proved.

use std::path::PathBuf;

use haggle_cube::Counter;
use haggle_model::{ErrorKind, Problem, Progress, Remedy};
use haggle_sql::{
    Access, Database, Gaps, Recode, RecodedColumn, SqlColumn, SqlEngine, SqlTarget, StagedTable,
    number, shown,
};

use super::counting::grouped_by;
use super::scheme::unknown;
use crate::counting::{Plan, Scanned};
use crate::{Error, Input, OnMissing, PublishedColumns, RecordRecoding, Suppress, Table};

/// A publication into a table of the same database.
#[derive(Debug)]
pub struct InDatabase<'a> {
    /// What is published.
    pub publication: &'a RecordRecoding<'a>,
    /// The names of the published columns.
    pub names: &'a [String],
    /// The table to be made.
    pub target: &'a str,
    /// Whether records are put into a random order.
    pub shuffled: bool,
}

/// A table that was written and can still be taken back: it is not visible to others under its name
/// before it is committed, and dropping it leaves nothing behind.
pub struct TableDraft<'p> {
    session: Box<dyn SqlEngine + 'p>,
    progress: &'p dyn Progress,
    staged: StagedTable,
    table: Table,
    name: PathBuf,
    is_committed: bool,
}

impl RecordRecoding<'_> {
    /// Returns what is published of a table as SQL. `source` is the table, or a query in parentheses.
    pub fn to_sql<'r>(
        &'r self,
        table: &Table,
        source: &str,
        names: &[String],
        is_shuffled: bool,
    ) -> Recode<'r> {
        let name = |column: usize| table.columns()[column].clone();
        // What a file holds is text, whatever it is loaded as elsewhere.
        let is_text = |column: &String| {
            let columns = table.database().map_or(&[][..], Database::columns);
            columns.iter().find(|known| known.name == *column).is_none_or(SqlColumn::is_text)
        };
        let column = |(place, published): (usize, &PublishedColumns)| match published {
            PublishedColumns::Copied(column) => {
                let column = name(*column);
                RecodedColumn::AsRecorded { is_text: is_text(&column), column }
            }
            PublishedColumns::Recoded { column, position } => {
                RecodedColumn::Recoded { column: name(*column), position: *position }
            }
            PublishedColumns::Mapped { column, mapping } => {
                let pairs = mapping.iter().map(|(value, label)| (value.as_ref(), label.as_ref()));
                RecodedColumn::Mapped { column: name(*column), relation: shown(place, pairs) }
            }
            // Groups are numbered record by record, which only files are.
            PublishedColumns::Flag | PublishedColumns::Group => RecodedColumn::Flag,
        };
        let columns = self.columns.iter().enumerate().map(column).zip(names.iter().cloned());
        Recode {
            source: source.to_owned(),
            columns: columns.collect(),
            recoder: &self.recoder,
            failing: self.failing.iter().map(AsRef::as_ref).collect(),
            keeps_stars: self.suppress == Suppress::Star,
            gaps: Gaps {
                marks: &self.missing.marks,
                label: self.missing.label(),
                checked: self.checked.iter().map(|&column| name(column)).collect(),
                are_values: self.missing.policy == OnMissing::Value,
            },
            is_shuffled,
        }
    }
}

impl<'p> TableDraft<'p> {
    /// Writes the table of a publication, until `progress` is cancelled.
    pub fn write(
        table: &Table,
        what: &InDatabase<'_>,
        progress: &'p dyn Progress,
    ) -> Result<Self, Error> {
        let Some(database) = table.database() else {
            let problem = Problem::new("the data is not in a database").file(table.input().name());
            return Err(problem.fix("publish into a file instead").into());
        };
        let target = SqlTarget::parse(what.target).ok_or_else(|| {
            Problem::new("this is not a name of a table")
                .fix("write schema.name, such as public.adult_k10")
        })?;
        let recode = what.publication.to_sql(table, database.source(), what.names, what.shuffled);
        let session = database.session(Access::Writes, progress)?;
        session.begin()?;
        for relation in recode.relations() {
            session.upload(&relation)?;
        }
        let staged = session.stage(&target, &recode.query(&database.sql()))?;
        let written = Self::begin(session, progress, staged, database)?;
        written.check(what, database)?;
        Ok(written)
    }

    fn begin(
        session: Box<dyn SqlEngine + 'p>,
        progress: &'p dyn Progress,
        staged: StagedTable,
        database: &Database,
    ) -> Result<Self, Error> {
        let columns = session.columns(&staged.written_as)?;
        let seen = database.with_source(&staged.written_as, columns);
        let table = Table::open(Input::database(seen), &crate::CsvOptions::default())?;
        let name = database.name().to_owned();
        Ok(Self { session, progress, staged, table, name, is_committed: false })
    }

    /// How many records were written.
    pub fn written(&self) -> u64 {
        self.staged.records
    }

    /// The written table; only [`scan`](Self::scan) can read it yet.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Counts what was written, as the session sees it.
    pub fn scan(&self, plan: &Plan, memory: usize) -> Result<Scanned, Error> {
        let database = self.table.database().expect("a draft is in a database");
        let counter = Counter::new(plan.counted.len(), plan.watched.len());
        grouped_by(self.session.as_ref(), database, &self.table, plan, memory, counter)
    }

    /// Returns how many of its records are unique over these columns.
    pub fn unique(&self, columns: &[String]) -> Result<u64, Error> {
        let sql = self.table.database().expect("a draft is in a database").sql();
        let columns: Vec<String> =
            columns.iter().map(|name| sql.field(&sql.identifier(name))).collect();
        let query = format!(
            "SELECT count(*) FROM (SELECT 1 AS one FROM {} GROUP BY {} HAVING count(*) = 1) alone",
            self.staged.written_as,
            columns.join(", ")
        );
        number(self.session.as_ref(), &query)
    }

    /// Returns an event by which [`Database::happened`] can later decide whether this draft was
    /// committed.
    pub fn event(&self) -> Result<String, Error> {
        self.session.event(&self.staged)
    }

    /// Makes the table visible to all.
    pub fn commit(mut self) -> Result<(), Error> {
        self.is_committed = true;
        self.session.commit(&self.staged)
    }

    /// Checks that every recoded value was known.
    fn check(&self, what: &InDatabase<'_>, database: &Database) -> Result<(), Error> {
        let sql = database.sql();
        for (published, title) in what.publication.columns.iter().zip(what.names) {
            if !matches!(published, PublishedColumns::Recoded { .. }) {
                continue;
            }
            let missing = format!(
                "SELECT count(*) FROM {} WHERE {} IS NULL",
                self.staged.written_as,
                sql.identifier(title)
            );
            if number(self.session.as_ref(), &missing)? == 0 {
                continue;
            }
            if what.publication.recoder.combinations().is_some() {
                let changed = Problem::new("the data changed since it was counted");
                let changed = changed.of_kind(ErrorKind::DataChanged).file(database.name());
                return Err(changed.fix(Remedy::PublishAgain).into());
            }
            return Err(unknown(database, title));
        }
        Ok(())
    }
}

impl Drop for TableDraft<'_> {
    fn drop(&mut self) {
        if !self.is_committed
            && let Err(left) = self.session.abandon(&self.staged)
        {
            self.progress.warn(&left.to_string());
        }
    }
}

impl std::fmt::Debug for TableDraft<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TableDraft").field("name", &self.name).finish_non_exhaustive()
    }
}
