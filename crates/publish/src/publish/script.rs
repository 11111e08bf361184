//! A publication as SQL for an engine that haggle does not connect to: written into a file, run by
//! somebody else, proved there.

use std::path::{Path, PathBuf};

use haggle_api::{ColumnPlan, PublishOutcome, Treatment};
use haggle_cube::{Group, ValueCount};
use haggle_data::PublishedColumns;
use haggle_engine::Engine;
use haggle_engine::criterion::Criterion;
use haggle_model::{ANY, Error, Problem};
use haggle_output::{Readers, Transaction};
use haggle_project::Project;
use haggle_sql::{DbtModel, Dialect, ExpectedGroups, Promise, Recode, Script, Sql, TableName};
use serde::Serialize;

use super::columns::PlannedRecords;
use super::{Choice, Failing, PublicationPlace, PublishOptions, PublishWork, publish_by};

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

/// What statements are written, and for which engine.
#[derive(Debug)]
pub struct SqlOptions<'a> {
    /// The engine's dialect.
    pub dialect: &'static dyn Dialect,
    /// The form.
    pub form: SqlForm,
    /// The table that is published, as the engine names it; by default that of the project.
    pub source: Option<&'a str>,
    /// The table to be made; by default the published one's name with `_published`.
    pub target: Option<&'a str>,
}

/// The statements that were written.
#[derive(Debug, Clone, Serialize)]
pub struct SqlReport {
    /// The files.
    pub files: Vec<PathBuf>,
    /// The dialect's name.
    pub dialect: &'static str,
    /// How many records will be published, if the data stays as it is.
    pub records: u64,
    /// How many records will be suppressed.
    pub suppressed: u64,
    /// What is promised.
    pub promised: String,
    /// Columns that will be dropped.
    pub dropped: Vec<String>,
}

/// Writes the statements that publish a table in some engine; nothing is published yet.
pub fn publish_sql(
    engine: &Engine,
    project: &Project,
    what: &SqlOptions<'_>,
    options: &PublishOptions<'_>,
) -> Result<Result<SqlReport, PublishOutcome>, Error> {
    if options.choice == Choice::Anatomy {
        let what = "two tables that are joined by group can only be written into files";
        return Err(Error::new(what, "publish into files"));
    }
    // A place that cannot be written to is reported before long work.
    drop(Transaction::begin(&options.output)?);
    publish_by(engine, project, options, |work, failing| work.write_sql(failing, what))
        .map(|done| done.map(|settled| settled.result))
}

/// The table that is published, as the engine names it: without a name, that of the project's
/// database, or of its file.
fn source(project: &Project, what: &SqlOptions<'_>) -> Result<TableName, Error> {
    let own = project.data.remote.as_ref().map(|remote| remote.table().to_owned());
    let file = || {
        let file = project.data.paths.first()?.file_name()?.to_str()?;
        Some(format!("\"{}\"", file.split('.').next()?.replace('"', "\"\"")))
    };
    let name = what.source.map(str::to_owned).or(own).or_else(file);
    table_name(&name.unwrap_or_default())
}

/// The table to be made.
fn target(what: &SqlOptions<'_>, source: &TableName) -> Result<TableName, Error> {
    what.target.map_or_else(|| Ok(source.with_suffix("_published")), table_name)
}

fn table_name(name: &str) -> Result<TableName, Error> {
    TableName::parse(name).ok_or_else(|| {
        let fix = "write schema.name; quote parts that hold dots or blanks";
        Problem::new("this is not a name of a table").fix(fix).into()
    })
}

impl PublishWork<'_> {
    fn write_sql(&self, failing: &Failing, what: &SqlOptions<'_>) -> Result<SqlReport, Error> {
        if self.recoded.splits_records() {
            let what = "records with the same recorded values are published differently here, which SQL cannot do";
            return Err(Error::new(what, "publish into a file, or choose another strategy"));
        }
        let source = source(self.project, what)?;
        let target = target(what, &source)?;
        let table = self.project.table(self.options.progress)?;
        let PlannedRecords { mut publication, names, plan, .. } =
            self.planned_columns(&table, failing)?;
        self.together(failing, &plan)?;
        (self.options.on_columns)(&plan);
        if !publication.missing.marks.iter().any(String::is_empty) {
            // An engine says itself where a value is missing.
            publication.missing.marks.push(String::new());
        }
        let shuffled = self.options.order.seed().is_some();
        let name = source.sql(&Sql::of(what.dialect));
        let recode = publication.to_sql(&table, &name, &names, shuffled);
        let promise = self.promise(failing, &publication.columns, &names, what.form)?;
        let files = match what.form {
            SqlForm::Script => self.write_script(what, &recode, &promise, &target)?,
            SqlForm::Dbt => self.write_model(what, &recode, &promise, &target)?,
        };
        let written = match self.stars.suppress() {
            haggle_data::Suppress::Drop => self.engine.records() - failing.records,
            haggle_data::Suppress::Star => self.engine.records(),
        };
        Ok(SqlReport {
            files,
            dialect: what.dialect.id(),
            records: written,
            suppressed: failing.records,
            promised: self.promised_words(),
            dropped: dropped(&plan),
        })
    }

    fn promised_words(&self) -> String {
        let one = |criterion: &Criterion| {
            let threshold = criterion.numbers.first().map_or(0.0, |number| number.value);
            format!("{} {threshold}", criterion.label)
        };
        self.criteria.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    fn write_script(
        &self,
        what: &SqlOptions<'_>,
        recode: &Recode<'_>,
        promise: &Promise,
        target: &TableName,
    ) -> Result<Vec<PathBuf>, Error> {
        let words = self.promised_words();
        let script = Script { dialect: what.dialect, recode, promise, target, words: &words };
        let output = &self.options.output;
        self.write_private(output, vec![(output.clone(), script.text())])
    }

    fn write_model(
        &self,
        what: &SqlOptions<'_>,
        recode: &Recode<'_>,
        promise: &Promise,
        target: &TableName,
    ) -> Result<Vec<PathBuf>, Error> {
        let name = target.last();
        let model = DbtModel { dialect: what.dialect, recode, promise, name };
        model.check()?;
        let folder = &self.options.output;
        for part in ["models", "tests"] {
            let part = folder.join(part);
            std::fs::create_dir_all(&part).map_err(Error::io(&part))?;
        }
        let file = folder.join("models").join(format!("{name}.sql"));
        let test = folder.join("tests").join(format!("{name}_keeps_its_promise.sql"));
        self.write_private(&file.clone(), vec![(file, model.model()), (test, model.test())])
    }

    /// Writes files that only their owner reads: all of them or none.
    fn write_private(
        &self,
        first: &Path,
        files: Vec<(PathBuf, String)>,
    ) -> Result<Vec<PathBuf>, Error> {
        let mut transaction = Transaction::begin(first)?;
        for (path, text) in &files {
            self.sql_place(path).check_script(self.project)?;
            transaction.write(path, text.as_bytes(), Readers::Owner)?;
        }
        transaction.commit()?;
        Ok(files.into_iter().map(|(path, _)| path).collect())
    }

    fn sql_place<'p>(&self, output: &'p Path) -> PublicationPlace<'p> {
        let replace = self.options.replace;
        PublicationPlace { output, sensitive: None, private: None, replace }
    }

    /// What the published table must be. A model runs on data that changes, so its promise is about
    /// groups as they will be, where SQL can say it; a script's is also about those that were counted.
    fn promise(
        &self,
        failing: &Failing,
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
            promise.groups.push(self.expected(failing, None, 0));
        }
        let watched = self.engine.cube().watched();
        for position in counted {
            let name = watched.get(position).map(|watched| watched.name.clone());
            if let Some(name) = name.filter(|name| names.contains(name)) {
                promise.groups.push(self.expected(failing, Some(name), position));
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
    fn expected(&self, failing: &Failing, also: Option<String>, watched: usize) -> ExpectedGroups {
        let shown = also.as_ref().map(|name| ShownValues {
            values: &self.engine.cube().watched()[watched].values,
            mapped: self.mapped(name),
        });
        let mut rows = std::collections::BTreeMap::<Vec<String>, u64>::new();
        let mut add = |labels: Vec<String>, group: &Group<'_>| match &shown {
            None => *rows.entry(labels).or_default() += group.records,
            Some(shown) => {
                for ValueCount { code, count, .. } in group.values {
                    let mut labels = labels.clone();
                    labels.push(shown.label(*code));
                    *rows.entry(labels).or_default() += *count;
                }
            }
        };
        self.for_each_published(watched, failing, |codes, group| {
            add(self.recoded.labels(codes), group);
        });
        if self.stars.records() > 0 {
            let stars = vec![ANY.to_owned(); self.engine.attributes().len()];
            add(stars, &self.recoded.starred(failing, watched).group());
        }
        ExpectedGroups { also, rows: rows.into_iter().collect() }
    }
}

/// The published texts of a watched attribute's values.
struct ShownValues<'a> {
    values: &'a haggle_model::Dictionary,
    mapped: Option<rustc_hash::FxHashMap<Box<str>, Box<str>>>,
}

impl ShownValues<'_> {
    fn label(&self, code: u32) -> String {
        let value = self.values.value(code);
        let mapped = self.mapped.as_ref().and_then(|mapped| mapped.get(value));
        mapped.map_or(value, AsRef::as_ref).to_owned()
    }
}

/// What SQL can say of a group.
enum Least {
    Records(u64),
    Values(String, u64),
}

fn dropped(plan: &ColumnPlan) -> Vec<String> {
    let dropped = plan.columns.iter().filter(|column| column.treatment == Treatment::Dropped);
    dropped.map(|column| column.name.clone()).collect()
}
