//! The groups of a publication as readers of it see them, recorded to be compared with those of
//! later ones.

use std::collections::BTreeMap;

use haggle_cube::Group;
use haggle_model::Watched;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// The most groups that are recorded, so that a record stays within some megabytes.
const MOST_GROUPS: usize = 1 << 17;

/// The most bytes of published values that are recorded.
const MOST_BYTES: usize = 4 << 20;

/// The records of a group, and a digest of their sensitive values.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GroupCount {
    /// The records.
    pub records: u64,
    /// A sum of hashes of the sensitive values: that of two groups is the sum of theirs.
    pub values: u64,
}

impl GroupCount {
    /// Adds what another group has.
    pub(crate) fn add(&mut self, other: Self) {
        self.records += other.records;
        self.values = self.values.wrapping_add(other.values);
    }

    /// Adds the values of a sensitive attribute.
    pub fn add_values(&mut self, attribute: &Watched, group: &Group<'_>) {
        for value in group.values {
            let text = format!("{}\0{}", attribute.name, attribute.values.value(value.code));
            let hash = xxh3_64(text.as_bytes()).wrapping_mul(value.count);
            self.values = self.values.wrapping_add(hash);
        }
    }
}

/// Groups by their published values.
pub type ShownGroups = BTreeMap<Vec<String>, GroupCount>;

/// The groups of a publication, with every published value written once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupCounts {
    /// The sensitive attributes whose values are in the digests.
    sensitive: Vec<String>,
    /// By quasi-identifier, its published values.
    labels: Vec<Vec<String>>,
    /// Group by group, the position of the value of each quasi-identifier.
    codes: Vec<u32>,
    /// By group, its records.
    records: Vec<u64>,
    /// By group, a digest of its sensitive values.
    values: Vec<u64>,
}

impl GroupCounts {
    /// The groups of a publication with this many quasi-identifiers; none if there are too many.
    pub fn from_groups(groups: &ShownGroups, width: usize, sensitive: Vec<String>) -> Option<Self> {
        if groups.len() > MOST_GROUPS {
            return None;
        }
        let mut known: Vec<FxHashMap<&str, u32>> = vec![FxHashMap::default(); width];
        let mut labels: Vec<Vec<String>> = vec![Vec::new(); width];
        let mut codes = Vec::with_capacity(groups.len() * width);
        for (i, label) in groups.keys().flat_map(|shown| shown.iter().enumerate()) {
            let code = *known[i].entry(label.as_str()).or_insert_with(|| {
                labels[i].push(label.clone());
                labels[i].len() as u32 - 1
            });
            codes.push(code);
        }
        if labels.iter().flatten().map(String::len).sum::<usize>() > MOST_BYTES {
            return None;
        }
        let records = groups.values().map(|group| group.records).collect();
        let values = groups.values().map(|group| group.values).collect();
        Some(Self { sensitive, labels, codes, records, values })
    }

    /// The sensitive attributes whose values are in the digests.
    pub(crate) fn sensitive(&self) -> &[String] {
        &self.sensitive
    }

    /// The groups by the values of some quasi-identifiers, named by position. None if the record is
    /// damaged.
    pub(crate) fn over(&self, positions: &[usize]) -> Option<ShownGroups> {
        let width = self.labels.len();
        let fits = self.codes.len() == self.records.len() * width
            && self.records.len() == self.values.len();
        if !fits || width == 0 {
            return None;
        }
        let counts = self.records.iter().zip(&self.values);
        let mut groups = ShownGroups::new();
        for (codes, (&records, &values)) in self.codes.chunks_exact(width).zip(counts) {
            let label = |&i: &usize| self.labels.get(i)?.get(codes[i] as usize).cloned();
            let shown: Vec<String> = positions.iter().map(label).collect::<Option<_>>()?;
            groups.entry(shown).or_default().add(GroupCount { records, values });
        }
        Some(groups)
    }
}
