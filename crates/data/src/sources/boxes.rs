//! Tables that count boxes: each record is put into its box while it is read.

use haggle_cube::{BoxSource, BoxTally, CountedBox, Counting, Proposed, ValueCount};
use haggle_model::{Progress, QuasiIdentifier, Scheme, Space};

use super::{General, check};
use crate::coding::Values;
use crate::counting::{Plan, Tally, watched_code};
use crate::scan::scan_into;
use crate::{Error, Table, in_database};

/// A table that counts boxes in one scan and counts its own scans.
///
/// Values of the plan's watched attributes are reported by the codes that a cube of the same table
/// has. A database hands out its recorded combinations with their counts, as it does for a cube.
pub struct TableBoxes<'a> {
    table: Table,
    plan: Plan,
    attributes: &'a [QuasiIdentifier],
    memory: usize,
    watch: &'a dyn Progress,
    scans: u64,
    digest: u64,
}

impl std::fmt::Debug for TableBoxes<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "boxes of {}, scanned {} times", self.table.input().name().display(), self.scans)
    }
}

impl<'a> TableBoxes<'a> {
    /// The source of a table, whose quasi-identifiers are as the plan has them in order. `watch`
    /// receives the number of bytes read, and can stop a scan.
    pub fn new(
        table: Table,
        plan: Plan,
        attributes: &'a [QuasiIdentifier],
        memory: usize,
        watch: &'a dyn Progress,
    ) -> Self {
        Self { table, plan, attributes, memory, watch, scans: 0, digest: 0 }
    }

    /// A digest of the bytes that the last scan read, as a cube's scan has it.
    pub fn digest(&self) -> u64 {
        self.digest
    }
}

impl BoxSource for TableBoxes<'_> {
    type Error = Error;

    fn count(&mut self, boxes: &[Proposed]) -> Result<Vec<CountedBox>, Error> {
        self.scans += 1;
        let Self { table, plan, attributes, memory, watch, .. } = self;
        let recorded = Space::of(attributes.iter().map(|a| &a.hierarchy)).bottom();
        let counting = Counting::of(boxes);
        let watched = plan.watched.len();
        let tally = || InBoxes::new(attributes, &recorded, counting.tally(watched));
        let scanned = match table.database() {
            Some(database) => {
                in_database::grouped_into(database, table, plan, *memory, *watch, tally())?
            }
            None => scan_into(table, plan, *memory, *watch, &tally)?,
        };
        check(scanned.workers.iter().map(|worker| &worker.tally.general), table)?;
        self.digest = scanned.digest();
        let known = scanned.watched();
        let mut all = counting.tally(watched);
        for worker in scanned.workers {
            let own = &worker.values[attributes.len()..];
            all.take(worker.tally.boxes, |place, code| {
                let values = &known[place].values;
                let code = watched_code(values, own[place].dictionary.value(code))?;
                Some(code).filter(|&code| (code as usize) < values.len())
            });
        }
        Ok(all.counted())
    }

    fn scans(&self) -> u64 {
        self.scans
    }
}

/// Counts in boxes; the watched attributes' codes stay the thread's own.
struct InBoxes<'a> {
    general: General<'a>,
    boxes: BoxTally<'a>,
    codes: Vec<u32>,
    seen: u64,
}

impl<'a> InBoxes<'a> {
    fn new(attributes: &'a [QuasiIdentifier], recorded: &'a Scheme, boxes: BoxTally<'a>) -> Self {
        Self { general: General::new(attributes, recorded), boxes, codes: Vec::new(), seen: 0 }
    }
}

impl Tally for InBoxes<'_> {
    fn add(&mut self, codes: &[u32], values: &[Values], _: u64, records: u64) {
        self.seen += records;
        self.codes.clear();
        self.codes.extend_from_slice(codes);
        if self.general.recode(&mut self.codes, values) {
            let (codes, watched) = self.codes.split_at(self.general.known.len());
            let watched = watched.iter().map(|&code| ValueCount { code, count: records });
            self.boxes.add(codes, records, watched.enumerate());
        }
    }

    fn records(&self) -> u64 {
        self.seen
    }

    fn bytes(&self) -> usize {
        self.boxes.bytes()
    }
}
