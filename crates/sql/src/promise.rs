//! What a published table must be, as queries that return no rows if it is.

use crate::dialect::Sql;
use crate::relation::{Relation, RelationColumn};

/// The groups that were counted: their labels, the values of one more column if any, and records.
#[derive(Debug, Clone, Default)]
pub struct ExpectedGroups {
    /// A sensitive column whose values are counted within each group.
    pub also: Option<String>,
    /// Labels by quasi-identifier, then the value of that column; and the records.
    pub rows: Vec<(Vec<String>, u64)>,
}

/// What a published table must be.
#[derive(Debug, Clone, Default)]
pub struct Promise {
    /// The published quasi-identifiers.
    pub quasi_identifiers: Vec<String>,
    /// The fewest records that a group may have.
    pub least_records: Option<u64>,
    /// The fewest different values of a column that a group may have.
    pub least_values: Vec<(String, u64)>,
    /// The groups that there must be.
    pub groups: Vec<ExpectedGroups>,
}

/// A query that returns no rows if all is well, and what is wrong if it does.
#[derive(Debug)]
pub(crate) struct Check {
    pub(crate) query: String,
    /// Without quotes.
    pub(crate) message: &'static str,
}

impl Promise {
    /// The checks of a table, which is named as SQL.
    pub(crate) fn checks(&self, sql: &Sql<'_>, table: &str) -> Vec<Check> {
        let checks = PromiseChecks { sql, table, promise: self };
        let mut all = vec![Check {
            query: checks.unknown(),
            message: "a value is not known to its hierarchy: the data changed since it was counted",
        }];
        let expected = self.groups.iter().map(|groups| Check {
            query: checks.differing(groups),
            message: "the groups are not those that were counted: the data changed",
        });
        all.extend(expected);
        all.extend(self.least_records.map(|least| Check {
            query: checks.below("count(*)", least),
            message: "the promise does not hold: a group has too few records",
        }));
        all.extend(self.least_values.iter().map(|(column, least)| Check {
            query: checks.below(&format!("count(DISTINCT {})", checks.field(column)), *least),
            message: "the promise does not hold: a group has too few sensitive values",
        }));
        all
    }
}

struct PromiseChecks<'a> {
    sql: &'a Sql<'a>,
    table: &'a str,
    promise: &'a Promise,
}

impl PromiseChecks<'_> {
    fn field(&self, column: &str) -> String {
        self.sql.field(&self.sql.identifier(column))
    }

    fn fields(&self) -> Vec<String> {
        self.promise.quasi_identifiers.iter().map(|name| self.field(name)).collect()
    }

    /// Records with a value that no mapping knew.
    fn unknown(&self) -> String {
        let names = self.promise.quasi_identifiers.iter();
        let missing: Vec<String> =
            names.map(|name| format!("{} IS NULL", self.sql.identifier(name))).collect();
        format!("SELECT 1 AS one FROM {} WHERE {}", self.table, missing.join(" OR "))
    }

    /// Groups in which something is less than it must be.
    fn below(&self, what: &str, least: u64) -> String {
        format!(
            "SELECT 1 AS one FROM {} GROUP BY {} HAVING {what} < {least}",
            self.table,
            self.fields().join(", ")
        )
    }

    /// Groups that are there and should not, or should and are not, or have other records.
    fn differing(&self, groups: &ExpectedGroups) -> String {
        let mut fields = self.fields();
        fields.extend(groups.also.as_ref().map(|column| self.field(column)));
        let names: Vec<String> = (0..fields.len()).map(|i| format!("g{i}")).collect();
        let renamed: Vec<String> =
            fields.iter().zip(&names).map(|(field, name)| format!("{field} AS {name}")).collect();
        let expected = self.sql.rows(&subtracted(groups, &names));
        let counted = self.sql.count("count(*)");
        format!(
            "SELECT 1 AS one FROM (SELECT {names}, n FROM ({expected}) AS expected UNION ALL SELECT \
             {}, {counted} AS n FROM {} GROUP BY {}) AS both_sides GROUP BY {names} HAVING sum(n) <> 0",
            renamed.join(", "),
            self.table,
            fields.join(", "),
            names = names.join(", "),
        )
    }
}

/// The expected groups, whose records are taken off those that there are.
fn subtracted(groups: &ExpectedGroups, names: &[String]) -> Relation {
    let column = |(i, name): (usize, &String)| {
        let labels = groups.rows.iter().map(|(labels, _)| labels[i].clone()).collect();
        (name.clone(), RelationColumn::Text(labels))
    };
    let records = groups.rows.iter().map(|(_, records)| -records.cast_signed()).collect();
    let columns = names.iter().enumerate().map(column);
    let columns = columns.chain([("n".to_owned(), RelationColumn::Count(records))]).collect();
    Relation::new("haggle_expected", columns)
}
