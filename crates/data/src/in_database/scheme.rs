//! The groups of one scheme, counted within the database.

use haggle_cube::{CountedPart, Counter};
use haggle_model::{ErrorKind, Level, Problem, Progress, QuasiIdentifier, Remedy, Scheme, Watched};
use haggle_sql::{Access, Database, Relation, RelationColumn};

use super::counting::{alike, check, counts, query};
use crate::coding::Values;
use crate::counting::{Plan, watched_code};
use crate::{Error, Table};

/// The groups of a scheme: the values' general codes are joined to the table, and the database
/// groups by them.
pub(crate) fn count(
    database: &Database,
    table: &Table,
    plan: &Plan,
    attributes: &[QuasiIdentifier],
    scheme: &Scheme,
    memory: usize,
    progress: &dyn Progress,
) -> Result<(CountedPart, Vec<Watched>, u64), Error> {
    check(plan, database)?;
    let session = database.session(Access::Reads, progress)?;
    let query = query(database, plan);
    let (quasi, columns) = (attributes.len(), query.coded.len());
    let levels = attributes.iter().zip(scheme.levels());
    let maps: Vec<Relation> = levels.map(|(attribute, &level)| map(attribute, level)).collect();
    let mut counter = Counter::new(quasi, plan.watched.len());
    let (mut values, mut dropped) = (vec![Values::default(); columns - quasi], 0);
    session.for_each(&query.generalized(&maps), &mut |row| {
        let (gap, records) = (row.boolean(columns), row.integer(columns + 1).unwrap_or(0));
        if !counts(plan, gap, records, database)? {
            dropped += records.cast_unsigned();
            return Ok(());
        }
        let mut codes = Vec::with_capacity(columns);
        for (i, attribute) in attributes.iter().enumerate() {
            let code = row.integer(i).ok_or_else(|| unknown(database, &attribute.name))?;
            codes.push(code as u32);
        }
        for (i, values) in values.iter_mut().enumerate() {
            codes.push(values.code(row.text(quasi + i).unwrap_or_default(), 1));
        }
        counter.add_many(&codes, alike(records, database)?);
        if counter.bytes() > memory {
            return Err(too_many_groups(database));
        }
        Ok(())
    })?;
    let names = plan.watched.iter().map(|&column| table.columns()[column].clone());
    let watched: Vec<Watched> = names
        .zip(&values)
        .map(|(name, values)| Watched { name, values: values.dictionary.sorted() })
        .collect();
    let domains = attributes.iter().zip(scheme.levels()).map(|(a, &level)| a.hierarchy.len(level));
    let domains: Vec<usize> = domains.collect();
    let own = values.iter().zip(&watched).map(|(values, watched)| {
        let codes = values.dictionary.values();
        codes.filter_map(|value| watched_code(&watched.values, value)).collect()
    });
    let general = domains.iter().map(|&size| (0..size as u32).collect());
    let recode = general.chain(own).collect();
    Ok((CountedPart { counter, recode }, watched, dropped))
}

fn too_many_groups(database: &Database) -> Error {
    let what = "counting the groups of this scheme needs more memory than allowed";
    let fix = Remedy::RaiseMemory("or count from higher levels".into());
    Problem::new(what).of_kind(ErrorKind::OutOfMemory).file(database.name()).fix(fix).into()
}

/// The general code of each recorded value.
fn map(attribute: &QuasiIdentifier, level: Level) -> Relation {
    let hierarchy = &attribute.hierarchy;
    let recorded = 0..hierarchy.len(0.into()) as u32;
    let values = recorded.map(|code| hierarchy.label(code, 0.into()).to_owned()).collect();
    let codes = hierarchy.ancestors(level).to_vec();
    let columns = vec![
        ("v".to_owned(), RelationColumn::Text(values)),
        ("c".to_owned(), RelationColumn::Code(codes)),
    ];
    Relation::new("haggle_map", columns)
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
