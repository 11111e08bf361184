//! What would be published, counted by the database: equal records come once, with their number.

use haggle_model::Progress;
use haggle_sql::{Access, SqlRow, number};

use crate::{Error, RecordRecoding, Streamed, Table};

/// The most different records that are taken from a database. Where there are more, reading all
/// records costs no more.
const MOST_GROUPS: u64 = 1_000_000;

/// Calls `visit` with the fields of each different published record and how many there are. `None`
/// if the table is not in a database that groups them, or if nearly all of its records are
/// different: then some were visited, and all must be read.
pub fn published_groups(
    table: &Table,
    publication: &RecordRecoding<'_>,
    visit: &mut dyn FnMut(&[&str], u64),
    progress: &dyn Progress,
) -> Result<Option<Streamed>, Error> {
    let by_record = publication.recoder.shares().is_some() || publication.groups.is_some();
    let Some(database) =
        table.database().filter(|database| database.groups_records() && !by_record)
    else {
        return Ok(None);
    };
    let columns = publication.columns.len();
    let names: Vec<String> = (0..columns).map(|i| format!("c{i}")).collect();
    let recode = publication.to_sql(table, database.source(), &names, false);
    let session = database.session(Access::Reads, progress)?;
    let (mut written, mut groups) = (0, 0);
    let grouped = session.for_each(&recode.groups(&database.sql()), &mut |row: &dyn SqlRow| {
        let fields: Vec<&str> = (0..columns).map(|i| row.text(i).unwrap_or_default()).collect();
        let records = row.integer(columns).unwrap_or(0).unsigned_abs();
        (written, groups) = (written + records, groups + 1);
        visit(&fields, records);
        if groups > MOST_GROUPS { Err(Error::cancelled()) } else { Ok(()) }
    });
    match grouped {
        Err(error) if error.is_cancelled() && groups > MOST_GROUPS => return Ok(None),
        other => other?,
    }
    let dropped = number(session.as_ref(), &recode.left_out(&database.sql()))?;
    Ok(Some(Streamed { written, dropped, ..Streamed::default() }))
}
