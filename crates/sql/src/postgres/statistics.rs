//! What the database keeps for planning its queries, read from its catalog alone.

use haggle_cube::{ColumnStatistics, DatabaseStatistics, Dependency, JointStatistics};
use haggle_model::Error;
use tokio_postgres::Row;

use super::session::PostgresSession;
use crate::database::Database;
use crate::engine::SqlColumn;

/// Returns the estimated number of records of a table; negative if there is no estimate.
pub(super) fn estimate(session: &PostgresSession<'_>, table: &str) -> Result<f64, Error> {
    let sql = "SELECT reltuples::float8 FROM pg_class WHERE oid = $1::text::regclass";
    Ok(session.rows(sql, &[&table])?.first().map_or(-1.0, |row| row.get(0)))
}

/// Where each part of a table is stored, how large it is and how many records were ever changed in it.
const STAMP: &str = "SELECT string_agg(concat_ws(':', c.oid, c.relfilenode, pg_relation_size(c.oid), \
    s.n_tup_ins, s.n_tup_upd, s.n_tup_del), ',' ORDER BY c.oid) \
    FROM (SELECT $1::text::regclass AS part UNION SELECT relid FROM pg_partition_tree($1::text::regclass)) \
    parts JOIN pg_class c ON c.oid = part AND c.relkind IN ('r', 'm', 'p') \
    LEFT JOIN pg_stat_all_tables s ON s.relid = c.oid";

/// Returns a text that changes when the table does, as far as the database counts changes: within some
/// seconds. Views have none.
pub(super) fn stamp(
    session: &PostgresSession<'_>,
    database: &Database,
) -> Result<Option<String>, Error> {
    let rows = session.rows(STAMP, &[&database.source()])?;
    Ok(rows.first().and_then(|row| row.get(0)))
}

/// Returns the statistics as they are; the table itself is not read.
pub(super) fn all(
    session: &PostgresSession<'_>,
    database: &Database,
) -> Result<DatabaseStatistics, Error> {
    let records = estimate(session, database.source())?;
    let columns = columns(database, session, records)?;
    Ok(DatabaseStatistics { records: records.max(0.0), columns, joint: joint(database, session)? })
}

fn columns(
    database: &Database,
    session: &PostgresSession<'_>,
    records: f64,
) -> Result<Vec<ColumnStatistics>, Error> {
    let sql = "SELECT s.attname::text, s.null_frac::float8, s.n_distinct::float8, \
               s.most_common_vals::text::text[], s.most_common_freqs::float8[], \
               s.histogram_bounds::text::text[] \
               FROM pg_stats s JOIN pg_class c ON c.relname = s.tablename \
               JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = s.schemaname \
               WHERE c.oid = $1::text::regclass AND NOT s.inherited";
    let one = |row: &Row| {
        let name: String = row.get(0);
        let distinct: f64 = row.get(2);
        let kind = database.columns().iter().find(|column| column.name == name);
        let text = |value: &Option<String>| shown(value.as_deref().unwrap_or_default(), kind);
        let values: Option<Vec<Option<String>>> = row.get(3);
        let shares: Option<Vec<f64>> = row.get(4);
        let bounds: Option<Vec<Option<String>>> = row.get(5);
        let common = values.unwrap_or_default();
        ColumnStatistics {
            name,
            nulls: row.get(1),
            // A negative number is a share of the records.
            distinct: Some(if distinct < 0.0 { -distinct * records } else { distinct })
                .filter(|n| *n > 0.0),
            common: common.iter().map(text).zip(shares.unwrap_or_default()).collect(),
            bounds: bounds.unwrap_or_default().iter().map(text).collect(),
        }
    };
    Ok(session.rows(sql, &[&database.source()])?.iter().map(one).collect())
}

/// A value of the catalog as a cast to text would show it.
fn shown(value: &str, column: Option<&SqlColumn>) -> String {
    match (column.map(|column| column.kind.as_str()), value) {
        (Some("boolean"), "t") => "true".into(),
        (Some("boolean"), "f") => "false".into(),
        _ => value.trim().into(),
    }
}

fn joint(
    database: &Database,
    session: &PostgresSession<'_>,
) -> Result<Vec<JointStatistics>, Error> {
    let sql = "SELECT s.attnames::text[], ARRAY(SELECT unnest(s.most_common_vals))::text[], \
               s.most_common_freqs, s.dependencies::text \
               FROM pg_stats_ext s JOIN pg_class c ON c.relname = s.tablename \
               JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = s.schemaname \
               WHERE c.oid = $1::text::regclass ORDER BY s.statistics_name";
    let numbers = numbers(database, session)?;
    let one = |row: &Row| {
        let columns: Vec<String> = row.get(0);
        let values: Option<Vec<Option<String>>> = row.get(1);
        let shares: Option<Vec<f64>> = row.get(2);
        let kind = |name: &String| database.columns().iter().find(|column| column.name == *name);
        let combination = |values: &[Option<String>]| {
            let values = values.iter().zip(&columns);
            values.map(|(value, name)| Some(shown(value.as_deref()?, kind(name)))).collect()
        };
        let values = values.unwrap_or_default();
        let common = values.chunks_exact(columns.len().max(1)).map(combination);
        let dependencies: Option<String> = row.get(3);
        JointStatistics {
            common: common.zip(shares.unwrap_or_default()).collect(),
            dependencies: dependencies.map_or_else(Vec::new, |text| depend(&text, &numbers)),
            columns,
        }
    };
    Ok(session.rows(sql, &[&database.source()])?.iter().map(one).collect())
}

/// The columns by the numbers that the catalog has for them.
fn numbers(
    database: &Database,
    session: &PostgresSession<'_>,
) -> Result<Vec<(i16, String)>, Error> {
    let sql = "SELECT attnum, attname::text FROM pg_attribute \
               WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped";
    let rows = session.rows(sql, &[&database.source()])?;
    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}

/// Dependencies as the catalog writes them: `{"3 => 5": 0.981667, "3, 4 => 5": 1.0}`.
fn depend(text: &str, columns: &[(i16, String)]) -> Vec<Dependency> {
    let name = |number: &str| {
        let number: i16 = number.trim().parse().ok()?;
        columns.iter().find(|(own, _)| *own == number).map(|(_, name)| name.clone())
    };
    let one = |part: &str| {
        let (sides, rest) = part.split_once('"')?;
        let (from, to) = sides.split_once("=>")?;
        let degree = rest.trim_start_matches(':').split([',', '}']).next()?.trim().parse().ok()?;
        let from: Option<Vec<String>> = from.split(',').map(name).collect();
        Some(Dependency { from: from?, to: name(to)?, degree })
    };
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('"') {
        rest = &rest[start + 1..];
        found.extend(one(rest));
        rest = rest.find('"').map_or("", |end| &rest[end + 1..]);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_are_read_as_the_catalog_writes_them() {
        let columns = [(1, "zip".to_owned()), (2, "city".to_owned()), (4, "state".to_owned())];
        let found = depend("{\"1 => 2\": 1.000000, \"1, 2 => 4\": 0.5, \"9 => 1\": 0.1}", &columns);
        assert_eq!(found.len(), 2);
        assert_eq!(
            (found[0].from.as_slice(), found[0].to.as_str(), found[0].degree),
            (&["zip".to_owned()][..], "city", 1.0)
        );
        assert_eq!((found[1].from.len(), found[1].degree), (2, 0.5));
    }
}
