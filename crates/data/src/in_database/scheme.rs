//! The groups of one scheme, counted within the database.

use haggle_cube::{Counted, CountedPart, Counter};
use haggle_model::{Problem, QuasiIdentifier, Scheme};

use super::counting::{TableView, alike, check, counts};
use crate::coding::Values;
use crate::counting::{Plan, watched_code};
use crate::database::{Database, DatabaseSession};
use crate::{Error, OnMissing, Table};

/// The groups of a scheme: the values' general codes are joined to the table, and the database
/// groups by them.
pub(crate) fn count(
    database: &Database,
    table: &Table,
    plan: &Plan,
    attributes: &[QuasiIdentifier],
    scheme: &Scheme,
) -> Result<(Counted, u64), Error> {
    check(plan, database)?;
    let session = DatabaseSession::open(database, false)?;
    let view = TableView { database, plan, sample: String::new() };
    let (quasi, columns) = (attributes.len(), view.columns());
    let (mut joins, mut keys, mut maps) = (String::new(), Vec::new(), Vec::new());
    for (i, (attribute, &level)) in attributes.iter().zip(scheme.levels()).enumerate() {
        let hierarchy = &attribute.hierarchy;
        let labels = (0..hierarchy.len(0.into()) as u32).map(|c| hierarchy.label(c, 0.into()));
        let labels: Vec<String> = labels.map(str::to_owned).collect();
        let codes: Vec<i32> = hierarchy.ancestors(level).iter().map(|&c| c.cast_signed()).collect();
        let (a, b) = (3 + 2 * i, 4 + 2 * i);
        joins += &format!(
            " LEFT JOIN unnest(${a}::text[], ${b}::int4[]) AS m{i}(v, c) ON m{i}.v = q.f{i}"
        );
        keys.push(format!("CASE WHEN gap AND {} THEN 0 ELSE m{i}.c END", drops(plan)));
        maps.push((labels, codes));
    }
    keys.extend(
        (quasi..columns)
            .map(|i| format!("CASE WHEN gap AND {} THEN '' ELSE f{i} END", drops(plan))),
    );
    let by: Vec<String> = (1..=columns + 1).map(|i| i.to_string()).collect();
    let sql = format!(
        "SELECT {}, gap, sum(n)::int8 FROM ({}) q{joins} GROUP BY {}",
        keys.join(", "),
        view.sql(),
        by.join(", ")
    );
    let (marks, label) = (&plan.missing.marks, plan.missing.label());
    let mut parameters: Vec<&(dyn tokio_postgres::types::ToSql + Sync)> = vec![marks, &label];
    for (labels, codes) in &maps {
        parameters.push(labels);
        parameters.push(codes);
    }
    let mut counter = Counter::new(quasi, plan.watched.len());
    let (mut values, mut dropped) = (vec![Values::default(); columns - quasi], 0);
    session.for_each(&sql, &parameters, &mut |row| {
        let (gap, records) = (row.get::<_, bool>(columns), row.get::<_, i64>(columns + 1));
        if !counts(plan, gap, records, database)? {
            dropped += records.cast_unsigned();
            return Ok(());
        }
        let mut codes = Vec::with_capacity(columns);
        for (i, attribute) in attributes.iter().enumerate() {
            let code: Option<i32> = row.get(i);
            codes.push(code.ok_or_else(|| unknown(database, &attribute.name))? as u32);
        }
        for (i, values) in values.iter_mut().enumerate() {
            codes.push(values.code(row.get(quasi + i), 1));
        }
        counter.add_many(&codes, alike(records, database)?);
        Ok(())
    })?;
    let names = plan.watched.iter().map(|&column| table.columns()[column].clone());
    let watched: Vec<haggle_model::Watched> = names
        .zip(&values)
        .map(|(name, values)| haggle_model::Watched { name, values: values.dictionary.sorted() })
        .collect();
    let domains = attributes.iter().zip(scheme.levels()).map(|(a, &level)| a.hierarchy.len(level));
    let domains: Vec<usize> = domains.collect();
    let own = values.iter().zip(&watched).map(|(values, watched)| {
        let codes = values.dictionary.values();
        codes.filter_map(|value| watched_code(&watched.values, value)).collect()
    });
    let general = domains.iter().map(|&size| (0..size as u32).collect());
    let recode = general.chain(own).collect();
    Ok((Counted::of(&domains, watched, &[CountedPart { counter, recode }]), dropped))
}

fn drops(plan: &Plan) -> bool {
    plan.missing.policy != OnMissing::Value
}

/// The error for a value that was not known before.
pub(super) fn unknown(database: &Database, attribute: &str) -> Error {
    let what = format!(
        "'{attribute}' has a value that its hierarchy or the summary does not know: the table \
         changed, or its statistics are old"
    );
    let fix =
        "run ANALYZE on the table or choose the summary histogram; add values to the hierarchy";
    Problem::new(what).file(database.name()).fix(fix).into()
}
