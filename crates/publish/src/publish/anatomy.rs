//! Publishing in two tables that are joined by group: which groups there are.
//!
//! Quasi-identifiers are published as recorded, so nothing is promised about the size of groups that
//! look alike. What is promised is the diversity of the sensitive values of every group: which of
//! them belongs to which record of the group is not published.

use haggle_api::{Ask, PublishOutcome};
use haggle_cube::{Group, ValueCount};
use haggle_data::Suppress;
use haggle_engine::Engine;
use haggle_engine::criterion::Criterion;
use haggle_model::{Error, Progress};
use haggle_privacy::{Facts, Target};

use super::{Choice, PublishOptions, PublishWork};
use crate::accounting::{Standing, TableColumn};

mod anatomize;

use anatomize::{ValueGroups, anatomize, slots};

/// The groups of a publication in two tables.
pub(super) struct AnatomyPlan {
    /// The sensitive attribute.
    pub(super) attribute: String,
    /// Its position among the watched attributes.
    pub(super) position: usize,
    /// The column that joins the tables.
    pub(super) group: String,
    /// By group, the values in it.
    pub(super) groups: ValueGroups,
    /// By value, the numbers of the groups that its records take.
    pub(super) slots: Vec<Vec<u32>>,
}

/// Plans groups that keep the promise, where the publication is two tables; or says why there are
/// none.
pub(super) fn plan(
    engine: &Engine,
    options: &PublishOptions<'_>,
    criteria: &[Criterion],
) -> Result<Result<Option<AnatomyPlan>, PublishOutcome>, Error> {
    if options.choice != Choice::Anatomy {
        return Ok(Ok(None));
    }
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
            let Target { position, name: attribute } = facts.target.clone();
            let group = group_column(engine, options.progress);
            return Ok(Ok(Some(AnatomyPlan { attribute, position, group, groups, slots })));
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
pub(super) struct CountedValues(pub(super) Vec<ValueCount>);

impl CountedValues {
    fn group(&self) -> Group<'_> {
        let records = self.0.iter().map(|value| value.count).sum();
        Group { records, values: &self.0 }
    }
}

pub(super) fn counted(group: &[u32]) -> CountedValues {
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
}
