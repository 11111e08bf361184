//! What the fields of a profiled record are, and how much is kept of them.

use haggle_inference::shadows::HiddenFields;

/// Roughly what a counted value takes, in bytes, and a combination or a record of the sample as well
/// as its fields.
const BYTES_PER_ENTRY: usize = 64;
/// What a field of a combination takes.
const BYTES_PER_FIELD: usize = 8;
/// What a field of the sample takes, with the number that it may be.
const BYTES_PER_SAMPLED: usize = 32;
/// However many columns there are, each may have this many different values.
const FEWEST_ENTRIES: usize = 1024;
/// However little memory there is, each kind of count has this many bytes.
const FEWEST_BYTES: usize = 1 << 18;
/// However wide records are, this many combinations and sampled records are kept.
const FEWEST_RECORDS: usize = 16;
/// The most records by which columns that determine others are found.
const MOST_SAMPLED: usize = 100_000;

/// What the fields of a profiled record are.
#[derive(Debug, Clone)]
pub struct ProfileLayout {
    /// The first fields are the table's columns, as they would be published.
    pub columns: usize,
    /// Columns that are published unchanged if they single nobody out.
    pub free: Vec<usize>,
    /// The quasi-identifiers, as published.
    pub negotiated: Vec<usize>,
    /// Fields that are compared in sets, in rising order: columns that may be published, and what
    /// the hidden attributes are.
    pub sampled: Vec<usize>,
    /// Fields over which whole records are compared.
    pub whole: Vec<usize>,
    /// The attributes of which less is published than was recorded.
    pub hidden: Vec<HiddenFields>,
    /// The field that names the person.
    pub person: Option<usize>,
    /// How much is kept.
    pub limits: TallyLimits,
}

impl ProfileLayout {
    /// Columns that are counted alone, and over some of them whole records.
    pub fn of_columns(columns: usize, whole: Vec<usize>, memory: usize) -> Self {
        Self {
            columns,
            free: Vec::new(),
            negotiated: Vec::new(),
            sampled: Vec::new(),
            whole,
            hidden: Vec::new(),
            person: None,
            limits: TallyLimits::within(memory, columns, 0, 0),
        }
    }
}

/// How much one thread may keep.
#[derive(Debug, Clone, Copy)]
pub struct TallyLimits {
    /// Different values of a column.
    pub values: usize,
    /// Combinations of free columns, with and without the quasi-identifiers.
    pub combinations: usize,
    /// Different records that columns are compared by.
    pub sample: usize,
    /// A free column with more different values than this is nearly unique for sure.
    pub distinct: u64,
}

impl TallyLimits {
    /// What fits into this many bytes, shared by all threads: values of columns, combinations of
    /// free columns with and without quasi-identifiers, and sampled records take a quarter each.
    pub fn within(bytes: usize, columns: usize, free: usize, sampled: usize) -> Self {
        let quarter = (bytes / rayon::current_num_threads().max(1) / 4).max(FEWEST_BYTES);
        let combination = BYTES_PER_ENTRY + BYTES_PER_FIELD * free;
        let sampled = BYTES_PER_ENTRY + BYTES_PER_SAMPLED * sampled;
        Self {
            values: (quarter / BYTES_PER_ENTRY / columns.max(1)).max(FEWEST_ENTRIES),
            combinations: (quarter / combination).max(FEWEST_RECORDS),
            sample: (quarter / sampled).clamp(FEWEST_RECORDS, MOST_SAMPLED),
            distinct: u64::MAX,
        }
    }
}
