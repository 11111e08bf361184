//! Adds records to a cube and deletes records from it, without the original table.
//!
//! The old cells get new codes, what was added is added and what was deleted is subtracted. Then
//! hierarchies are reduced to the remaining values, as after a scan.

use haggle_model::{QuasiIdentifier, Watched};

use crate::counts::cells::{Cell, sort_and_merge};
use crate::counts::count::{CountedPart, pack};
use crate::counts::cube::{Cells, Cube, Marginal, any_width};
use crate::counts::key::{Key, KeyField, KeyLayout, Width};

/// The error for deleting records that the cube does not have: how many, at least.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotThere(pub u64);

/// The counts after changes, with codes of which some may no longer occur.
///
/// Each watched attribute is counted separately. So the cube can check that a deleted record exists
/// by its quasi-identifiers and each watched value, but not by all watched values together.
#[derive(Debug)]
pub struct Changed {
    marginals: Vec<Marginal>,
    /// The values of each attribute and then of each watched one that has values.
    values: Vec<usize>,
    attributes: usize,
    records: u64,
    unit: Option<usize>,
}

/// For each attribute and then each watched one, the new code of each old code. For a watched
/// attribute the code after its last value means that a record has no value.
pub type Recode = Vec<Vec<u32>>;

impl Cube {
    /// Returns the counts with some records added and then some deleted. `values` is the number of
    /// values of each attribute and each watched one in the new codes, `recode` maps the cube's own
    /// codes to them.
    ///
    /// ```
    /// use haggle_cube::{Counter, Cube, NotThere, CountedPart};
    /// use haggle_model::{Hierarchy, QuasiIdentifier};
    ///
    /// let sex = || QuasiIdentifier { name: "sex".into(), hierarchy: Hierarchy::flat(["f", "m"]) };
    /// let part = |codes: &[u32]| {
    ///     let mut counter = Counter::new(1, 0);
    ///     codes.iter().for_each(|&code| counter.add(&[code]));
    ///     CountedPart { counter, recode: vec![vec![0, 1]] }
    /// };
    /// let cube = Cube::of(vec![sex()], Vec::new(), &[part(&[0, 1, 1])]);
    /// let same = vec![vec![0, 1]];
    /// let changed = cube.changed(&[2], &same, &[part(&[0])], &[part(&[1])]).unwrap();
    /// let changed = changed.into_cube(vec![sex()], Vec::new(), &same);
    /// assert_eq!(changed, Cube::of(vec![sex()], Vec::new(), &[part(&[0, 0, 1])]));
    /// let gone = cube.changed(&[2], &same, &[], &[part(&[0, 0])]);
    /// assert_eq!(gone.unwrap_err(), NotThere(1));
    /// ```
    pub fn changed(
        &self,
        values: &[usize],
        recode: &Recode,
        added: &[CountedPart],
        deleted: &[CountedPart],
    ) -> Result<Changed, NotThere> {
        let attributes = self.attributes().len();
        let marginal = |i: usize| {
            let layout = layout(values, attributes, i, |unknown| {
                let old = self.marginals[i].layout.unknown.is_some();
                let parts = added.iter().chain(deleted);
                old || parts.filter_map(|part| part.recode.get(attributes + i)).any(unknown)
            });
            let (old, w) = (&self.marginals[i], layout.width);
            let cells = match w {
                Width::Word => Cells::Word(merged(old, &layout, i, recode, added, deleted)?),
                Width::Double => Cells::Double(merged(old, &layout, i, recode, added, deleted)?),
                Width::Any => Cells::Any(merged(old, &layout, i, recode, added, deleted)?),
            };
            Ok(Marginal { layout, cells })
        };
        let marginals = (0..self.marginals.len()).map(marginal).collect::<Result<_, NotThere>>()?;
        let count =
            |parts: &[CountedPart]| parts.iter().map(|part| part.counter.records()).sum::<u64>();
        Ok(Changed {
            marginals,
            values: values.to_vec(),
            attributes,
            records: self.records() + count(added) - count(deleted),
            unit: self.unit(),
        })
    }
}

impl Changed {
    /// How many records there are.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Returns which codes still occur, by attribute and then by watched one.
    pub fn occurring(&self) -> Vec<Vec<bool>> {
        let mut occurring: Vec<Vec<bool>> =
            self.values.iter().map(|&values| vec![false; values]).collect();
        for (i, Marginal { layout, cells }) in self.marginals.iter().enumerate() {
            let fields = layout.fields.iter().enumerate();
            let value = (self.attributes + i < self.values.len())
                .then_some((self.attributes + i, &layout.value));
            let fields: Vec<_> = fields.chain(value).collect();
            any_width!(cells, cells => for cell in cells {
                for &(column, &field) in &fields {
                    if let Some(occurs) = occurring[column].get_mut(cell.key.get(field) as usize) {
                        *occurs = true;
                    }
                }
            });
        }
        occurring
    }

    /// Builds the cube over these hierarchies and watched values; `recode` maps the codes. A code
    /// that does not occur may map to anything.
    pub fn into_cube(
        self,
        attributes: Vec<QuasiIdentifier>,
        watched: Vec<Watched>,
        recode: &Recode,
    ) -> Cube {
        let domains = attributes.iter().map(|a| a.hierarchy.len(0.into()));
        let values: Vec<usize> = domains.chain(watched.iter().map(|w| w.values.len())).collect();
        let quasi = attributes.len();
        let marginal = |(i, old): (usize, &Marginal)| {
            let layout = layout(&values, quasi, i, |_| has_unknown(old));
            let cells = match layout.width {
                Width::Word => Cells::Word(recoded(old, &layout, i, recode)),
                Width::Double => Cells::Double(recoded(old, &layout, i, recode)),
                Width::Any => Cells::Any(recoded(old, &layout, i, recode)),
            };
            Marginal { layout, cells }
        };
        let marginals = self.marginals.iter().enumerate().map(marginal).collect();
        let cube = Cube::new(attributes, watched, self.records, marginals);
        match self.unit {
            Some(unit) => cube.counting(unit),
            None => cube,
        }
    }
}

/// Returns the layout of the marginal at a position; `is_unknown` says which codes mean that a
/// record has no value.
fn layout(
    values: &[usize],
    attributes: usize,
    position: usize,
    any_unknown: impl FnOnce(&dyn Fn(&Vec<u32>) -> bool) -> bool,
) -> KeyLayout {
    let watched = values.get(attributes + position).copied();
    let count = watched.unwrap_or(1);
    let unknown =
        watched.is_some() && any_unknown(&|codes: &Vec<u32>| codes.contains(&(count as u32)));
    KeyLayout::new(&values[..attributes], count, unknown)
}

/// Whether some records have no value.
fn has_unknown(marginal: &Marginal) -> bool {
    let Some(unknown) = marginal.layout.unknown else { return false };
    any_width!(&marginal.cells, cells => {
        cells.iter().any(|cell| cell.key.get(marginal.layout.value) == unknown)
    })
}

/// Returns a marginal's cells in other codes, sorted.
fn recoded<K: Key>(
    Marginal { layout: old, cells }: &Marginal,
    layout: &KeyLayout,
    position: usize,
    recode: &Recode,
) -> Vec<Cell<K>> {
    let fields = old.fields.iter().zip(&layout.fields).zip(recode);
    let value = recode.get(old.fields.len() + position);
    let value = value.map(|codes| ((&old.value, &layout.value), codes));
    let fields: Vec<_> = fields.chain(value).collect();
    let mut new: Vec<Cell<K>> = any_width!(cells, cells => {
        cells.iter().map(|cell| Cell {
            key: rekeyed(&cell.key, layout, &fields),
            count: cell.count,
            extra: (),
        }).collect()
    });
    sort_and_merge(&mut new);
    new
}

/// Converts a key to another layout and other codes.
fn rekeyed<J: Key, K: Key>(
    old: &J,
    layout: &KeyLayout,
    fields: &[((&KeyField, &KeyField), &Vec<u32>)],
) -> K {
    let mut key = K::empty(layout);
    for ((from, to), codes) in fields {
        key.set(**to, codes[old.get(**from) as usize]);
    }
    key
}

/// Merges old cells with added ones and subtracts the deleted ones.
fn merged<K: Key>(
    old: &Marginal,
    layout: &KeyLayout,
    position: usize,
    recode: &Recode,
    added: &[CountedPart],
    deleted: &[CountedPart],
) -> Result<Vec<Cell<K>>, NotThere> {
    let mut cells: Vec<Cell<K>> = recoded(old, layout, position, recode);
    cells.extend(pack(added, position, layout));
    sort_and_merge(&mut cells);
    let mut not_there = 0;
    for gone in pack::<K>(deleted, position, layout) {
        let place = cells.binary_search_by(|cell| cell.key.cmp(&gone.key)).ok();
        let count = place.map_or(0, |place| cells[place].count);
        not_there += gone.count.saturating_sub(count);
        if let Some(place) = place {
            cells[place].count = count.saturating_sub(gone.count);
        }
    }
    cells.retain(|cell| cell.count > 0);
    if not_there > 0 { Err(NotThere(not_there)) } else { Ok(cells) }
}
