//! Several publications of the same table are intersected.
//!
//! S. R. Ganta, S. P. Kasiviswanathan, A. Smith, *Composition Attacks and Auxiliary Information in
//! Data Privacy* (2008). A person in one group of each publication is among the records that these
//! groups have in common. The promise is judged on those, as if records could be linked across
//! publications: an upper bound. Persons whose groups have only one sensitive value in common are
//! exposed without any link. Records that were suppressed in a publication are not narrowed by it.

use std::collections::BTreeMap;

use haggle_cube::Applied;

use super::{Attack, CountedTable, Finding, Situation, WorstGroup};

pub(super) const ATTACK: Attack = Attack {
    id: "composition",
    title: "composition attack",
    definition: "The records that the person's groups in all publications of the table have in common do not keep the promise.",
    citation: "S. R. Ganta, S. P. Kasiviswanathan, A. Smith: Composition Attacks and Auxiliary Information in Data Privacy. KDD 2008",
    run,
};

fn run(situation: &Situation<'_>) -> Result<Finding, String> {
    let table = situation.table.ok_or("it needs the table behind the publication")?;
    if table.earlier.is_empty() {
        return Err(match table.unjudged {
            0 => "no earlier publication of the table is recorded".into(),
            n => format!("of {n} earlier publications none can be applied to these attributes"),
        });
    }
    let promise = table.promise.ok_or("no promise is stated")?;
    let common = common_records(&table);
    let mut positions = vec![None; table.applied.len()];
    let kept = (0..table.applied.len()).filter(|&part| table.kept[part]);
    kept.enumerate().for_each(|(position, part)| positions[part] = Some(position));
    let (mut finding, mut certain) = (Finding::default(), 0);
    for (groups, rows) in &common {
        let count =
            |rows: &[u32]| rows.iter().map(|&r| table.base.records(r as usize)).sum::<u64>();
        let records = count(rows);
        if let Some(position) = positions[groups[0] as usize].filter(|_| !promise.holds(rows)) {
            let values = super::describe(situation.groups, position);
            let all = count(table.applied.rows(groups[0] as usize));
            let why = format!("{records} records remain in common");
            finding.add(WorstGroup { values, exposed: records, records: all, why });
        }
        certain += if possible_values(&table, groups) == 1 { records } else { 0 };
    }
    let unjudged = match table.unjudged {
        0 => String::new(),
        n => format!(" and {n} that are not judged"),
    };
    let note = format!(
        "earlier publications of {} recodings{unjudged}; {certain} records have one possible value \
         left even if records cannot be linked",
        table.earlier.len()
    );
    Ok(finding.noting(note))
}

/// No group of a publication: the records were suppressed in it.
pub const SUPPRESSED: u32 = u32::MAX;

/// Returns the base groups that share their group in every publication, by those groups. Each
/// publication is the group of every base group; what the first one suppresses is left out.
fn in_common(publications: &[Vec<u32>]) -> BTreeMap<Vec<u32>, Vec<u32>> {
    let mut common: BTreeMap<Vec<u32>, Vec<u32>> = BTreeMap::new();
    for (row, _) in publications[0].iter().enumerate().filter(|(_, part)| **part != SUPPRESSED) {
        let groups = publications.iter().map(|parts| parts[row]).collect();
        common.entry(groups).or_default().push(row as u32);
    }
    common
}

/// Returns the part of each base group in a recoding, of which some parts are kept.
pub fn parts_of_rows(applied: &Applied, kept: &[bool], rows: usize) -> Vec<u32> {
    let mut parts = vec![SUPPRESSED; rows];
    for part in (0..applied.len()).filter(|&part| kept[part]) {
        applied.rows(part).iter().for_each(|&row| parts[row as usize] = part as u32);
    }
    parts
}

/// The base groups that share their group in every publication of a table.
fn common_records(table: &CountedTable<'_>) -> BTreeMap<Vec<u32>, Vec<u32>> {
    let of = |applied: &Applied, kept: &[bool]| parts_of_rows(applied, kept, table.base.len());
    let earlier = table.earlier.iter().map(|(applied, kept)| of(applied, kept));
    let publications: Vec<Vec<u32>> =
        std::iter::once(of(table.applied, table.kept)).chain(earlier).collect();
    in_common(&publications)
}

/// How many sensitive values all the groups have in common.
fn possible_values(table: &CountedTable<'_>, groups: &[u32]) -> usize {
    let mut merger = table.base.merger(table.watched);
    let publications = std::iter::once(table.applied).chain(table.earlier.iter().map(|e| &e.0));
    let mut common: Option<Vec<u32>> = None;
    for (applied, &part) in publications.zip(groups).filter(|(_, part)| **part != SUPPRESSED) {
        let group = merger.merge(applied.rows(part as usize).iter().copied());
        let here: Vec<u32> = group.values.iter().map(|value| value.code).collect();
        let both = |known: Vec<u32>| known.into_iter().filter(|c| here.contains(c)).collect();
        common = Some(common.map_or_else(|| here.clone(), both));
    }
    common.map_or(0, |values| values.len())
}
