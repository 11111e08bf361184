//! The columns of a publication: counted as they would be published, decided on, and written.

use haggle_api::privacy::k_asked;
use haggle_api::{ColumnAccount, ColumnPlan, Treatment};
use haggle_data::{
    PublishedColumns, RecordRecoding, Streamed, Table, publish as stream, published_groups,
};
use haggle_inference::shadows::{Hidden, HiddenFields};
use haggle_model::{Dictionary, Error, ErrorKind, Level, Problem, Problems, QuasiIdentifier};
use rustc_hash::FxHashMap;

use super::PublishWork;
use crate::accounting;
use crate::accounting::{
    ColumnTally, Decision, ProfileLayout, Profiler, Standing, Statements, TableColumn, TallyLimits,
    decide,
};

/// The share of the memory that profiling may take, because the counted groups are there as well.
pub(super) const MEMORY_SHARE: usize = 4;

/// What is done to every record.
pub(super) struct PlannedRecords<'a> {
    pub(super) publication: RecordRecoding<'a>,
    /// The names of the published columns.
    pub(super) names: Vec<String>,
    /// What the profiling scan saw.
    pub(super) profiled: Streamed,
}

impl PublishWork<'_> {
    /// Decides what becomes of each column from the records that would be published.
    pub(super) fn planned_columns<'w>(
        &'w self,
        table: &Table,
    ) -> Result<(PlannedRecords<'w>, ColumnPlan), Error> {
        let subjects = self.subjects(table)?;
        let mut publication = RecordRecoding {
            columns: Vec::new(),
            recoder: self.recoded.recoder(),
            distinguished_by: self.distinguished_by(table),
            groups: self.anatomy.as_ref().map(|anatomy| anatomy.slots.as_slice()),
            failing: &self.failing.groups,
            suppress: self.stars.suppress(),
            checked: self.project.checked(table),
            missing: self.project.data.missing.clone(),
        };
        let layout = self.layout(table, &subjects);
        publication.columns = self.profiled(table, &subjects);
        let (tally, streamed) = self.profile(table, &publication, &layout)?;
        let mut plan = decide(&Decision {
            subjects: &subjects,
            layout: &layout,
            tally: &tally,
            hidden: self.hidden(&subjects),
            is_mapped: &|name| self.mapped(name).is_some(),
            k: self.k(),
            max_below_k: self.project.publish.max_below_k,
            max_below_k_jointly: self.project.publish.max_below_k_jointly,
            fixed: self.options.columns.as_deref(),
            progress: self.options.progress,
        });
        self.check_cancelled()?;
        check_fixed(&plan, self.options.columns.as_deref())?;
        if self.anatomy.is_some() {
            let negotiated = |c: &&mut ColumnAccount| c.treatment == Treatment::Generalized;
            let exact = plan.columns.iter_mut().filter(negotiated);
            exact.for_each(|column| column.treatment = Treatment::Unchanged);
        }
        publication.columns = self.published(table, &subjects, &plan)?;
        let names = self.names(table, &publication.columns);
        Ok((PlannedRecords { publication, names, profiled: streamed }, plan))
    }

    /// Counts the records that would be published: by the database that has them, where it can;
    /// else one by one.
    pub(super) fn profile(
        &self,
        table: &Table,
        publication: &RecordRecoding<'_>,
        layout: &ProfileLayout,
    ) -> Result<(ColumnTally, Streamed), Error> {
        let mut counted = Profiler::counted(layout);
        let mut add = |fields: &[&str], records| counted.add(fields, records);
        if let Some(streamed) =
            published_groups(table, publication, &mut add, self.options.progress)?
        {
            return Ok((counted.tally, streamed));
        }
        let mut profiler = Profiler::new(layout.clone());
        let progress = self.options.progress;
        progress.start("looking at every column", table.input().bytes().unwrap_or(0));
        let streamed = stream(table, publication, &mut profiler, progress);
        progress.finish();
        Ok((profiler.into_tally(), streamed?))
    }

    /// The column by which records with the same quasi-identifiers are distinguished: the watched
    /// one, where they may be published differently.
    fn distinguished_by(&self, table: &Table) -> Option<(usize, &Dictionary)> {
        let watched = match &self.anatomy {
            Some(anatomy) => self.engine.cube().watched().get(anatomy.position),
            None => self.engine.cube().watched().first(),
        };
        let is_needed = self.anatomy.is_some() || self.recoded.splits_records();
        let watched = watched.filter(|_| is_needed)?;
        Some((table.column(&watched.name)?, &watched.values))
    }

    /// Below how many records a value singles people out.
    pub(super) fn k(&self) -> u64 {
        k_asked(&self.ask.privacy).unwrap_or(accounting::DEFAULT_K)
    }

    /// The columns of the table and how each stands to the request.
    fn subjects(&self, table: &Table) -> Result<Vec<TableColumn>, Error> {
        let named = self.options.as_recorded.as_ref();
        let as_recorded = named.unwrap_or(&self.project.publish.as_recorded);
        let unknown = as_recorded.iter().filter(|name| table.column(name).is_none());
        let problem = |name: &String| {
            let what = format!("there is no column '{name}' to publish as recorded");
            let problem = Problem::new(what).of_kind(ErrorKind::NotFound);
            problem.file(table.input().name()).fix("name a column of the data")
        };
        let keep = self.project.publish.unknown_in_keep(table, &self.project.file);
        Problems::check(unknown.map(problem).chain(keep).collect())?;
        let qi = self.engine.attributes();
        let changed = |name: &&String| qi.contains(&name.as_str()) || self.mapped(name).is_some();
        if let Some(name) = named.and_then(|named| named.iter().find(changed)) {
            let what = format!("'{name}' is generalized, so it cannot be published as recorded");
            return Err(Error::new(what, "leave it out of the request, or out of this list"));
        }
        let statements = Statements::new(self.project, table, &qi, as_recorded, &self.ask);
        let subjects = table.columns().iter().map(|name| statements.subject(name));
        self.separated(subjects.collect())
    }

    /// The attributes that are not published as recorded, and their positions.
    fn changed(&self) -> impl Iterator<Item = (usize, &QuasiIdentifier)> {
        let is_changed = |position: &usize| match self.recoded.levels() {
            Some(scheme) => scheme.level(*position) > Level::RECORDED,
            None => true,
        };
        let attributes = self.engine.cube().attributes().iter().enumerate();
        attributes.filter(move |(position, _)| is_changed(position))
    }

    /// The attributes of which less is published than was recorded: those that change, then the
    /// quasi-identifiers that are dropped.
    fn hidden<'s>(&'s self, subjects: &'s [TableColumn]) -> Vec<Hidden<'s>> {
        let changed = self
            .changed()
            .map(|(_, a)| Hidden { name: a.name.as_str(), hierarchy: Some(&a.hierarchy) });
        let dropped = subjects.iter().filter(|subject| subject.is_dropped_quasi_identifier());
        let dropped = dropped.map(|s| Hidden { name: s.name.as_str(), hierarchy: None });
        changed.chain(dropped).collect()
    }

    /// What is counted: each column as it would be published, then the recorded values of the
    /// attributes that change, then the person.
    fn profiled(&self, table: &Table, subjects: &[TableColumn]) -> Vec<PublishedColumns> {
        let column = |(column, subject): (usize, &TableColumn)| match subject.standing {
            Standing::Negotiated(position) => PublishedColumns::Recoded { column, position },
            // Something has to stand in for values that cannot be read.
            _ if !subject.is_readable => PublishedColumns::Flag,
            _ => self.unchanged(column, &subject.name),
        };
        let recorded = self.changed().filter_map(|(_, a)| table.column(&a.name));
        let person = self.person(table);
        let more = recorded.chain(person).map(PublishedColumns::Copied);
        subjects.iter().enumerate().map(column).chain(more).collect()
    }

    fn layout(&self, table: &Table, subjects: &[TableColumn]) -> ProfileLayout {
        let columns = subjects.len();
        let free: Vec<usize> = (0..columns).filter(|&column| subjects[column].is_free()).collect();
        let is_negotiated =
            |column: &usize| matches!(subjects[*column].standing, Standing::Negotiated(_));
        let negotiated = (0..columns).filter(is_negotiated).collect();
        let changed = self.changed().enumerate().map(|(i, (_, attribute))| HiddenFields {
            published: table.column(&attribute.name),
            recorded: columns + i,
        });
        let dropped = (0..columns).filter(|&column| subjects[column].is_dropped_quasi_identifier());
        let dropped = dropped.map(|recorded| HiddenFields { published: None, recorded });
        let hidden: Vec<HiddenFields> = changed.chain(dropped).collect();
        let records = self.published_records();
        let bytes = self.options.memory / MEMORY_SHARE;
        let sampled = sampled(subjects, &hidden);
        let limits = TallyLimits::within(bytes, columns, free.len(), sampled.len());
        // No more than records / k values can have k records; each of the others singles out one.
        let distinct = records / self.k() + self.project.publish.max_below_k.of(records);
        let person = self.person(table).map(|_| columns + self.changed().count());
        let limits = TallyLimits { distinct, ..limits };
        let whole = Vec::new();
        ProfileLayout { columns, free, negotiated, sampled, whole, hidden, person, limits }
    }

    fn person(&self, table: &Table) -> Option<usize> {
        table.column(self.project.data.unit.as_ref()?)
    }

    /// A column that is not recoded: its values, or what is shown for them.
    fn unchanged(&self, column: usize, name: &str) -> PublishedColumns {
        match self.mapped(name) {
            Some(mapping) => PublishedColumns::Mapped { column, mapping },
            None => PublishedColumns::Copied(column),
        }
    }

    /// The columns that are published, in the order of the table.
    fn published(
        &self,
        table: &Table,
        subjects: &[TableColumn],
        plan: &ColumnPlan,
    ) -> Result<Vec<PublishedColumns>, Error> {
        let flag = self.options.flag.as_ref();
        let refuse = |what: String| Err(Error::new(what, "give the flag column another name"));
        match flag {
            Some(flag) if table.column(flag).is_some() => {
                return refuse(format!("the table already has a column '{flag}'"));
            }
            Some(flag) if flag.trim().is_empty() => {
                return refuse("the flag column has no name".into());
            }
            _ => {}
        }
        let column = |(column, subject): (usize, &TableColumn)| match subject.standing {
            Standing::Negotiated(position) => Some(PublishedColumns::Recoded { column, position }),
            _ if plan.columns[column].treatment == Treatment::Dropped => None,
            _ => Some(self.unchanged(column, &subject.name)),
        };
        let columns = subjects.iter().enumerate().filter_map(column);
        let group = self.anatomy.as_ref().map(|_| PublishedColumns::Group);
        Ok(columns.chain(flag.map(|_| PublishedColumns::Flag)).chain(group).collect())
    }

    /// What is published for each value of a sensitive attribute that is shown at a level.
    pub(super) fn mapped(&self, name: &str) -> Option<FxHashMap<Box<str>, Box<str>>> {
        let mut shown = self.engine.facts().iter().zip(&self.shown);
        let (facts, level) = shown.find(|(facts, _)| facts.target.name == name)?;
        let ((hierarchy, codes), level) = (facts.hierarchy.as_ref()?, (*level)?);
        let label = |code: u32| hierarchy.label(hierarchy.ancestor(code, level), level);
        let pairs = facts.values.values().zip(codes);
        Some(pairs.map(|(value, &code)| (value.into(), label(code).into())).collect())
    }

    fn names(&self, table: &Table, columns: &[PublishedColumns]) -> Vec<String> {
        let name = |published: &PublishedColumns| match published {
            PublishedColumns::Copied(column)
            | PublishedColumns::Recoded { column, .. }
            | PublishedColumns::Mapped { column, .. } => table.columns()[*column].clone(),
            PublishedColumns::Flag => self.options.flag.clone().unwrap_or_default(),
            PublishedColumns::Group => {
                self.anatomy.as_ref().map_or(String::new(), |anatomy| anatomy.group.clone())
            }
        };
        columns.iter().map(name).collect()
    }
}

/// The fields by which columns are compared with hidden attributes, in rising order; none if
/// nothing is hidden.
fn sampled(subjects: &[TableColumn], hidden: &[HiddenFields]) -> Vec<usize> {
    if hidden.is_empty() {
        return Vec::new();
    }
    let may_be_published =
        |column: &usize| subjects[*column].is_free() || subjects[*column].is_published_anyway();
    let columns = (0..subjects.len()).filter(may_be_published);
    let attributes =
        hidden.iter().flat_map(|fields| fields.published.into_iter().chain([fields.recorded]));
    let mut sampled: Vec<usize> = columns.chain(attributes).collect();
    sampled.sort_unstable();
    sampled.dedup();
    sampled
}

/// Fails if other columns would be published than a policy fixes.
fn check_fixed(plan: &ColumnPlan, fixed: Option<&[String]>) -> Result<(), Error> {
    let Some(fixed) = fixed else { return Ok(()) };
    let account = |name: &str| plan.columns.iter().find(|column| column.name == name);
    let is_published = |column: &ColumnAccount| column.treatment != Treatment::Dropped;
    let lacking = fixed.iter().filter_map(|name| match account(name) {
        None => Some(format!("the data has no column '{name}', which the policy publishes")),
        Some(column) if is_published(column) => None,
        Some(column) => {
            let why = column.explanation.as_deref().unwrap_or_default();
            Some(format!("the policy publishes '{name}', which would be dropped: {why}"))
        }
    });
    let published = plan.columns.iter().filter(|column| is_published(column));
    let more = published.filter(|column| !fixed.contains(&column.name)).map(|column| {
        format!("'{}' would be published, and the policy does not publish it", column.name)
    });
    let fix = "a policy fixes the columns: publish without it, or change what the project says of this column";
    let problem = |what| Problem::new(what).of_kind(ErrorKind::RefusedByPolicy).fix(fix);
    Ok(Problems::check(lacking.chain(more).map(problem).collect())?)
}
