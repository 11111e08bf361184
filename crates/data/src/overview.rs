//! One cheap pass: how often each value occurs, and some records drawn at random.

use crate::counting::{Look, Marginals, Plan, Scanned};
use crate::scan::scan_into;
use crate::{Error, Table, in_database};

/// Reads the table once, without counting its groups; `sample` records are drawn.
///
/// ```
/// use haggle_data::{CsvOptions, Input, Look, Missing, Plan, Table, overview};
///
/// let input = Input::embedded("people.csv", b"age;sex\n37;f\n37;f\n41;m\n");
/// let table = Table::open(input, &CsvOptions::default())?;
/// let plan = Plan { counted: vec![0, 1], watched: vec![], checked: vec![0, 1], missing: Missing::default() };
/// let seen = overview(&table, &plan, Look::Whole, 2, 1, &haggle_model::Silent)?;
/// assert_eq!((seen.kept(), seen.values(1).dictionary.len()), (3, 2));
/// # Ok::<(), haggle_data::Error>(())
/// ```
pub fn overview(
    table: &Table,
    plan: &Plan,
    look: Look,
    sample: usize,
    seed: u64,
    progress: &dyn haggle_model::Progress,
) -> Result<Scanned<Marginals>, Error> {
    if let Some(database) = table.database() {
        return in_database::look(database, table, plan, (look, sample, seed), progress);
    }
    let columns = plan.coded().count();
    let tally = || Marginals::new(columns, sample, seed);
    scan_into(table, plan, usize::MAX, progress, &tally)
}
