//! Several statistics of every scheme together, in little space: groups that are in the same bin of
//! each of them are counted as one class.

use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::lattices::table::{GroupSizes, Order, Rows, StatisticTable};

/// The classes of every scheme. Verdicts on classes are verdicts on their groups, and their sizes add
/// up to those of the groups.
#[derive(Debug, Deserialize)]
pub(crate) struct Classes {
    /// The positions of the joined tables in their lattice.
    tables: Vec<usize>,
    /// For each of these tables the bin of each class.
    bins: Vec<Rows>,
    sizes: GroupSizes,
}

/// Tables that can be joined, with a row for each class, and the classes' sizes.
#[derive(Debug, Clone)]
pub struct JoinedTables {
    /// The tables.
    pub tables: Vec<Arc<StatisticTable>>,
    /// How many records each class has.
    pub sizes: Arc<GroupSizes>,
}

/// [`Classes`] to be written.
#[derive(Debug, Serialize)]
pub(crate) struct StoredClasses<'a> {
    tables: Vec<usize>,
    bins: Vec<&'a Rows>,
    sizes: &'a GroupSizes,
}

impl JoinedTables {
    /// Returns the classes for a lattice with another order of attributes.
    pub(crate) fn reordered(&self, order: &Order) -> Self {
        let tables = self.tables.iter().map(|table| table.reordered(order)).collect();
        Self { tables, sizes: self.sizes.clone() }
    }

    /// What is stored with the tables of the lattice.
    pub(crate) fn stored(&self, among: &[Arc<StatisticTable>]) -> Option<StoredClasses<'_>> {
        let position = |own: &Arc<StatisticTable>| {
            among.iter().position(|table| table.column() == own.column())
        };
        let tables = self.tables.iter().map(position).collect::<Option<_>>()?;
        let bins = self.tables.iter().map(|table| table.all_rows()).collect::<Option<_>>()?;
        Some(StoredClasses { tables, bins, sizes: &self.sizes })
    }
}

/// The classes of one scheme: the bin of each by table, and its records.
struct SchemeClasses {
    bins: Vec<Vec<u32>>,
    sizes: Vec<u64>,
}

impl SchemeClasses {
    fn join(rows: &[&[u32]], sizes: &[u64]) -> Self {
        let mut class_of = vec![0_u32; sizes.len()];
        for rows in rows {
            let mut found = FxHashMap::default();
            for (class, &bin) in class_of.iter_mut().zip(*rows) {
                let next = found.len() as u32;
                *class = *found.entry((*class, bin)).or_insert(next);
            }
        }
        let mut classes = Self { bins: vec![Vec::new(); rows.len()], sizes: Vec::new() };
        for (group, (&class, &size)) in class_of.iter().zip(sizes).enumerate() {
            // Classes are numbered in the order of their first groups.
            if class as usize == classes.sizes.len() {
                classes.bins.iter_mut().zip(rows).for_each(|(bins, rows)| bins.push(rows[group]));
                classes.sizes.push(0);
            }
            classes.sizes[class as usize] += size;
        }
        classes
    }
}

impl Classes {
    /// The classes of tables with rows, which are at these positions of a lattice, and of the groups'
    /// sizes.
    pub(crate) fn join(
        all: &[Arc<StatisticTable>],
        sizes: &GroupSizes,
        tables: Vec<usize>,
    ) -> Option<Self> {
        let merged = |scheme: usize| {
            let rows: Option<Vec<&[u32]>> = all.iter().map(|table| table.rows(scheme)).collect();
            Some(SchemeClasses::join(&rows?, sizes.get(scheme)))
        };
        let schemes = 0..all.first()?.stored().len();
        let found: Option<Vec<SchemeClasses>> = schemes.into_par_iter().map(merged).collect();
        let mut classes =
            Self { bins: vec![Rows::default(); tables.len()], sizes: Rows::default(), tables };
        for scheme in found? {
            classes.sizes.push(&scheme.sizes);
            classes.bins.iter_mut().zip(&scheme.bins).for_each(|(rows, bins)| rows.push(bins));
        }
        Some(classes)
    }

    /// The tables with a row for each class; `None` if the classes contradict the tables.
    pub(crate) fn joined(self, tables: &[Arc<StatisticTable>]) -> Option<JoinedTables> {
        let Self { tables: positions, bins, sizes } = self;
        let own = positions.iter().map(|&position| tables.get(position));
        let own: Vec<&Arc<StatisticTable>> = own.collect::<Option<_>>()?;
        let fits = own.len() == bins.len()
            && own.iter().zip(&bins).all(|(table, bins)| agrees(table, bins, &sizes));
        let with_rows = |(table, bins): (&Arc<StatisticTable>, Rows)| table.with_rows(bins);
        fits.then(|| JoinedTables {
            tables: own.into_iter().zip(bins).map(with_rows).collect(),
            sizes: sizes.into(),
        })
    }
}

/// Whether the classes of every scheme have as many records in each bin as its histogram.
fn agrees(table: &StatisticTable, bins: &Rows, sizes: &GroupSizes) -> bool {
    let schemes = table.stored().len();
    let agrees = |scheme: usize| {
        let (bins, sizes) = (bins.checked(scheme)?, sizes.checked(scheme)?);
        let histogram = table.histogram(scheme);
        let mut records = vec![0_u64; histogram.bins().len()];
        for (&bin, &size) in bins.iter().zip(sizes) {
            let records = records.get_mut(bin as usize)?;
            *records = records.checked_add(size)?;
        }
        let same = histogram.bins().zip(records).all(|(bin, records)| bin.records == records);
        Some(bins.len() == sizes.len() && same)
    };
    bins.len() == schemes
        && sizes.len() == schemes
        && (0..schemes).all(|scheme| agrees(scheme) == Some(true))
}
