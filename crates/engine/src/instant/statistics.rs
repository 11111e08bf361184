//! What is known of a table from its database's statistics alone.

use haggle_cube::{ColumnStatistics, DatabaseStatistics};
use haggle_data::{Table, Values};
use haggle_instant::SummaryInput;
use haggle_model::{
    Dictionary, Error, ErrorKind, Hierarchy, Problem, Progress, QuasiIdentifier, Watched,
};
use haggle_project::Project;
use haggle_project::covering::{from_file, from_values, with_missing_value};
use haggle_project::project::Attribute;
use haggle_project::survey::plan as columns;

use super::TableFacts;

/// Whole numbers between the least and the greatest known one are filled in up to so many.
const FILLED: i64 = 100_000;

impl TableFacts {
    /// By the catalog of the database; the table is not looked at.
    pub(super) fn by_statistics(
        project: &Project,
        qi: &[String],
        sensitive: Option<&str>,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        let table = project.table(progress)?;
        let statistics = statistics_of(&table)?;
        let all = columns(project, &table, qi)?;
        let attributes: Vec<QuasiIdentifier> = qi
            .iter()
            .map(|name| attribute(project, &table, name, &statistics))
            .collect::<Result<_, Error>>()?;
        let position = sensitive.and_then(|name| table.column(name));
        let watched = sensitive
            .map(|name| {
                let values = known(name, &statistics, &table)?.dictionary.sorted();
                Ok::<Watched, Error>(Watched { name: name.into(), values })
            })
            .transpose()?;
        let plan = haggle_data::Plan { watched: position.into_iter().collect(), ..all };
        let basis = SummaryInput {
            attributes,
            sensitive: watched,
            overview: None,
            statistics: Some(statistics),
        };
        Ok(Self { basis, table, plan, passes: 0, held_out: Vec::new(), dropped: None })
    }
}

/// What the database of a table keeps for itself.
pub(crate) fn statistics_of(table: &Table) -> Result<DatabaseStatistics, Error> {
    let Some(database) = table.database() else {
        let what = "the project's data is not in a database that keeps statistics";
        return Err(Error::new(
            what,
            "choose the summary histogram, bayes, bayes-greedy or sample",
        ));
    };
    database.statistics()
}

fn attribute(
    project: &Project,
    table: &Table,
    name: &str,
    statistics: &DatabaseStatistics,
) -> Result<QuasiIdentifier, Error> {
    let found = project.attributes.iter().find(|a| a.name == *name);
    let attribute: &Attribute = found.ok_or_else(|| {
        let what = format!("'{name}' is not a quasi-identifier of this project");
        Error::of_kind(ErrorKind::NotFound, what, "name attributes of the project")
    })?;
    let hierarchy: Hierarchy = match from_file(project, attribute)? {
        // The statistics do not say whether a value is missing.
        Some(hierarchy) => with_missing_value(project, attribute, hierarchy)?,
        None => from_values(project, table, attribute, &known(name, statistics, table)?)?,
    };
    Ok(QuasiIdentifier { name: name.into(), hierarchy })
}

/// The values that the statistics name; of whole numbers also those between.
fn known(name: &str, statistics: &DatabaseStatistics, table: &Table) -> Result<Values, Error> {
    let column = statistics.columns.iter().find(|column| column.name == *name);
    let column = column.ok_or_else(|| {
        let what = format!("the database has no statistics about '{name}'");
        let problem = Problem::new(what).file(table.input().name());
        problem.fix("run ANALYZE on the table in the database, then try again")
    })?;
    let mut dictionary = Dictionary::default();
    for value in between(column).iter().filter(|value| !value.is_empty()) {
        dictionary.code_or_add(value);
    }
    let first_line = vec![1; dictionary.len()];
    Ok(Values { dictionary: dictionary.sorted(), first_line, missing: Vec::new() })
}

fn between(column: &ColumnStatistics) -> Vec<String> {
    let named: Vec<String> =
        column.common.iter().map(|(value, _)| value.clone()).chain(column.bounds.clone()).collect();
    let numbers: Result<Vec<i64>, _> = named.iter().map(|value| value.parse()).collect();
    let Ok(numbers) = numbers else { return named };
    match (numbers.iter().min(), numbers.iter().max()) {
        (Some(&least), Some(&most)) if most.saturating_sub(least) < FILLED => {
            (least..=most).map(|number| number.to_string()).collect()
        }
        _ => named,
    }
}
