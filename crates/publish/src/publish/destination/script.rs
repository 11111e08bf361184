//! SQL for a database that haggle does not connect to: written into files, run by somebody else,
//! proved there.

use std::path::PathBuf;

use haggle_api::{PublishOutcome, SqlReport, Treatment};
use haggle_cube::{Group, ValueCount};
use haggle_data::{PublishedColumns, Streamed, Table};
use haggle_engine::criterion::Criterion;
use haggle_model::{ANY, Error, Problem};
use haggle_output::{Readers, Transaction};
use haggle_project::Project;
use haggle_sql::{DbtModel, Dialect, ExpectedGroups, Promise, Recode, Script, Sql, TableName};

use super::{Destination, WrittenRecords};
use crate::publish::columns::PlannedRecords;
use crate::publish::place::PublicationPlace;
use crate::publish::{Choice, PublishOptions, PublishWork};

/// The most rows of expected groups that are written into a file.
const MOST_EXPECTED: usize = 200_000;

/// In which form statements are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SqlForm {
    /// One file with all statements in order.
    Script,
    /// A folder with a dbt model and its test.
    Dbt,
}

/// What statements are written, and for which database.
#[derive(Debug, Clone)]
pub struct SqlScript {
    /// The file to write, or the folder of a dbt model.
    pub output: PathBuf,
    /// The database's dialect.
    pub dialect: &'static dyn Dialect,
    /// The form.
    pub form: SqlForm,
    /// The table that is published, as the database names it; by default that of the project.
    pub source: Option<String>,
    /// The table to be made; by default the published one's name with `_published`.
    pub target: Option<String>,
}

impl SqlScript {
    /// The table that is published, as the database names it: without a name, that of the project's
    /// database, or of its file.
    fn source(&self, project: &Project) -> Result<TableName, Error> {
        let own = project.data.remote.as_ref().map(|remote| remote.table().to_owned());
        let file = || {
            let file = project.data.paths.first()?.file_name()?.to_str()?;
            Some(format!("\"{}\"", file.split('.').next()?.replace('"', "\"\"")))
        };
        table_name(&self.source.clone().or(own).or_else(file).unwrap_or_default())
    }

    /// The table to be made.
    fn target(&self, source: &TableName) -> Result<TableName, Error> {
        self.target.as_deref().map_or_else(|| Ok(source.with_suffix("_published")), table_name)
    }

    /// The files and their texts.
    fn files(
        &self,
        recode: &Recode<'_>,
        promise: &Promise,
        target: &TableName,
        words: &str,
    ) -> Result<Vec<(PathBuf, String)>, Error> {
        let Self { output, dialect, .. } = self;
        match self.form {
            SqlForm::Script => {
                let script = Script { dialect: *dialect, recode, promise, target, words };
                Ok(vec![(output.clone(), script.text())])
            }
            SqlForm::Dbt => {
                let name = target.last();
                let model = DbtModel { dialect: *dialect, recode, promise, name };
                model.check()?;
                let file = output.join("models").join(format!("{name}.sql"));
                let test = output.join("tests").join(format!("{name}_keeps_its_promise.sql"));
                Ok(vec![(file, model.model()), (test, model.test())])
            }
        }
    }
}

fn table_name(name: &str) -> Result<TableName, Error> {
    TableName::parse(name).ok_or_else(|| {
        let fix = "write schema.name; quote parts that hold dots or blanks";
        Problem::new("this is not a name of a table").fix(fix).into()
    })
}

/// Refuses what cannot be published by a script.
pub(super) fn check(script: &SqlScript, options: &PublishOptions<'_>) -> Result<(), Error> {
    if options.choice == Choice::Anatomy {
        let what = "two tables that are joined by group can only be written into files";
        return Err(Error::unsupported(what, "publish into files"));
    }
    // A place that cannot be written to is reported before long work.
    Transaction::begin(&script.output).map(drop)
}

/// Files of statements, which only their owner reads.
pub(super) struct ScriptFiles<'a> {
    work: &'a PublishWork<'a>,
    script: &'a SqlScript,
    files: Vec<(PathBuf, String)>,
}

impl<'a> ScriptFiles<'a> {
    pub(super) fn new(work: &'a PublishWork<'a>, script: &'a SqlScript) -> Self {
        Self { work, script, files: Vec::new() }
    }
}

impl Destination for ScriptFiles<'_> {
    fn stage(&mut self) -> Result<(), Error> {
        self.work.refuse_split_records("SQL")?;
        self.script.target(&self.script.source(self.work.project)?).map(drop)
    }

    fn write(&mut self, table: &Table, records: PlannedRecords<'_>) -> Result<Streamed, Error> {
        let PlannedRecords { mut publication, names, profiled } = records;
        if !publication.missing.marks.iter().any(String::is_empty) {
            // A database says itself where a value is missing.
            publication.missing.marks.push(String::new());
        }
        let (work, script) = (self.work, self.script);
        let source = script.source(work.project)?;
        let name = source.sql(&Sql::of(script.dialect));
        let shuffled = work.options.order.seed().is_some();
        let recode = publication.to_sql(table, &name, &names, shuffled);
        let promise = work.promise(&publication.columns, &names, script.form)?;
        let target = script.target(&source)?;
        self.files = script.files(&recode, &promise, &target, &work.promised_words())?;
        Ok(work.expected(profiled))
    }

    fn commit(&mut self, written: WrittenRecords) -> Result<PublishOutcome, Error> {
        if self.script.form == SqlForm::Dbt {
            for folder in ["models", "tests"].map(|part| self.script.output.join(part)) {
                std::fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
            }
        }
        let first = self.files.first().map_or(&self.script.output, |(path, _)| path);
        let mut transaction = Transaction::begin(first)?;
        for (path, text) in &self.files {
            let place = PublicationPlace::of_one(path, self.work.options.replace);
            place.check_script(self.work.project)?;
            transaction.write(path, text.as_bytes(), Readers::Owner)?;
        }
        transaction.commit()?;
        Ok(PublishOutcome::Written(Box::new(SqlReport {
            files: self.files.drain(..).map(|(path, _)| path).collect(),
            dialect: self.script.dialect.id(),
            records: written.streamed.written,
            suppressed: written.streamed.suppressed,
            promised: self.work.promised_words(),
            dropped: written.plan.named(Treatment::Dropped),
        })))
    }

    fn undo(&mut self) {
        // Nothing is in any file before all of it is committed.
        self.files.clear();
    }
}

impl PublishWork<'_> {
    fn promised_words(&self) -> String {
        let one = |criterion: &Criterion| {
            let threshold = criterion.numbers.first().map_or(0.0, |number| number.value);
            format!("{} {threshold}", criterion.label)
        };
        self.criteria.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    /// What the published table must be. A model runs on data that changes, so its promise is about
    /// groups as they will be, where SQL can say it; a script's is also about those that were
    /// counted.
    fn promise(
        &self,
        columns: &[PublishedColumns],
        names: &[String],
        form: SqlForm,
    ) -> Result<Promise, Error> {
        let mut quasi_identifiers = vec![String::new(); self.engine.attributes().len()];
        for (column, name) in columns.iter().zip(names) {
            if let PublishedColumns::Recoded { position, .. } = column {
                quasi_identifiers[*position].clone_from(name);
            }
        }
        let mut promise = Promise { quasi_identifiers, ..Promise::default() };
        let mut counted: Vec<usize> = Vec::new();
        for criterion in &self.criteria {
            match self.least(criterion) {
                Some(Least::Records(least)) => promise.least_records = Some(least),
                Some(Least::Values(column, least)) => promise.least_values.push((column, least)),
                None => counted.push(criterion.watches()),
            }
        }
        counted.sort_unstable();
        counted.dedup();
        if form == SqlForm::Script || !counted.is_empty() {
            promise.groups.push(self.expected_groups(None, 0));
        }
        let watched = self.engine.cube().watched();
        for position in counted {
            let name = watched.get(position).map(|watched| watched.name.clone());
            if let Some(name) = name.filter(|name| names.contains(name)) {
                promise.groups.push(self.expected_groups(Some(name), position));
            }
        }
        if promise.groups.iter().map(|groups| groups.rows.len()).sum::<usize>() > MOST_EXPECTED {
            let what = "there are too many groups to list them in a script";
            return Err(Error::new(what, "choose higher levels or fewer quasi-identifiers"));
        }
        Ok(promise)
    }

    /// What SQL can say of a criterion by itself.
    fn least(&self, criterion: &Criterion) -> Option<Least> {
        let cube = self.engine.cube();
        if cube.unit().is_some() {
            return None;
        }
        let least = criterion.numbers.first()?.value.ceil() as u64;
        match criterion.model.id {
            "k-anonymity" => Some(Least::Records(least)),
            "distinct-l-diversity" => {
                let name = cube.watched().get(criterion.watches())?.name.clone();
                self.mapped(&name).is_none().then_some(Least::Values(name, least))
            }
            _ => None,
        }
    }

    /// The groups that there will be, with the values of a watched attribute if one is named.
    fn expected_groups(&self, also: Option<String>, watched: usize) -> ExpectedGroups {
        let shown = also.as_ref().map(|name| {
            let (values, mapped) =
                (&self.engine.cube().watched()[watched].values, self.mapped(name));
            move |code: u32| {
                let value = values.value(code);
                let label = mapped.as_ref().and_then(|mapped| mapped.get(value));
                label.map_or(value, AsRef::as_ref).to_owned()
            }
        });
        let mut rows = std::collections::BTreeMap::<Vec<String>, u64>::new();
        let mut add = |labels: Vec<String>, group: &Group<'_>| match &shown {
            None => *rows.entry(labels).or_default() += group.records,
            Some(shown) => {
                for ValueCount { code, count, .. } in group.values {
                    let mut labels = labels.clone();
                    labels.push(shown(*code));
                    *rows.entry(labels).or_default() += *count;
                }
            }
        };
        self.for_each_published(watched, |codes, group| {
            add(self.recoded.labels(codes), group);
        });
        if self.stars.records() > 0 {
            let stars = vec![ANY.to_owned(); self.engine.attributes().len()];
            add(stars, &self.recoded.starred(&self.failing, watched).group());
        }
        ExpectedGroups { also, rows: rows.into_iter().collect() }
    }
}

/// What SQL can say of a group.
enum Least {
    Records(u64),
    Values(String, u64),
}
