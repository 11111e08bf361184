//! Checks that a lattice read from a file is consistent, so that every question about it has an
//! answer.
//!
//! A checksum proves that a file was not damaged, not who wrote it. This does not check whether
//! each histogram is the one that its scheme's groups have: that would mean annotating again. Where
//! groups are compared with histograms, a difference is an error ([`crate::Weighed`]).

use std::collections::HashSet;
use std::sync::Arc;

use haggle_model::Level;

use crate::counts::cells::{Cell, read_codes};
use crate::counts::cube::{AnyWidth, Marginal, any_width};
use crate::counts::key::{Key, KeyLayout, Width};
use crate::lattices::table::StatisticTable;
use crate::{Column, Cube, Histograms};

/// Returns whether a cube fits its own hierarchies, and all its marginals have the same groups.
pub(crate) fn is_consistent(cube: &Cube) -> bool {
    let domains: Vec<usize> = cube.hierarchies().iter().map(|h| h.len(Level::RECORDED)).collect();
    let values = |i: usize| cube.watched().get(i).map_or(1, |watched| watched.values.len());
    let fits = |(i, marginal): (usize, &Marginal)| {
        let unknown = marginal.layout.unknown.is_some() && !cube.watched().is_empty();
        marginal.layout == KeyLayout::new(&domains, values(i), unknown)
            && has_records(marginal, &domains, values(i), cube.records())
    };
    cube.marginals.len() == cube.watched().len().max(1)
        && cube.unit().is_none_or(|unit| unit < cube.watched().len())
        && cube.start().is_none_or(|start| cube.space().contains(start))
        && have_names_of_their_own(cube)
        && cube.marginals.iter().enumerate().all(fits)
        && have_the_same_groups(&cube.marginals)
}

/// The tables of a cube's lattice; `None` if they do not fit it or each other.
pub(crate) fn tables(
    cube: &Cube,
    columns: Vec<Column>,
    histograms: Vec<Histograms>,
    schemes: usize,
) -> Option<Vec<Arc<StatisticTable>>> {
    let fits = |(column, histograms): (&Column, &Histograms)| {
        column.watches.is_none_or(|watched| watched < cube.watched().len())
            && column.comparison == histograms.comparison()
            && histograms.are_consistent(schemes, cube.records())
    };
    let consistent = columns.len() == histograms.len()
        && columns.iter().zip(&histograms).all(fits)
        && have_as_many_groups(&histograms, schemes, cube.base_groups());
    let table = |(column, histograms)| StatisticTable::new(column, histograms, None);
    consistent.then(|| columns.into_iter().zip(histograms).map(table).collect())
}

/// Returns whether every statistic counted the same number of groups of a scheme, at most that of
/// the base.
fn have_as_many_groups(histograms: &[Histograms], schemes: usize, base_groups: usize) -> bool {
    let groups = |histograms: &Histograms, position: usize| histograms.get(position).groups();
    (0..schemes).all(|position| {
        let mut each = histograms.iter().map(|histograms| groups(histograms, position));
        each.next()
            .is_none_or(|first| first <= base_groups as u64 && each.all(|groups| groups == first))
    })
}

fn have_names_of_their_own(cube: &Cube) -> bool {
    let mut names = HashSet::new();
    let mut watched_names = HashSet::new();
    cube.attributes().iter().all(|attribute| names.insert(&attribute.name))
        && cube.watched().iter().all(|watched| watched_names.insert(&watched.name))
}

/// Returns whether a marginal has sorted cells of valid codes that add up to the number of records.
fn has_records(marginal: &Marginal, domains: &[usize], values: usize, records: u64) -> bool {
    let codes = values + usize::from(marginal.layout.unknown.is_some());
    let limits: Vec<usize> = domains.iter().copied().chain([codes]).collect();
    let same_width = matches!(
        (&marginal.cells, marginal.layout.width),
        (AnyWidth::Word(_), Width::Word)
            | (AnyWidth::Double(_), Width::Double)
            | (AnyWidth::Any(_), Width::Any)
    );
    same_width
        && any_width!(&marginal.cells, cells => {
            cells.is_sorted_by(|a, b| a.key < b.key)
                && cells.iter().all(|cell| is_known(cell, &marginal.layout, &limits))
                && sum(cells) == Some(records)
        })
}

/// Returns whether a cell has records, valid codes, and nothing else in its key.
fn is_known<K: Key>(cell: &Cell<K>, layout: &KeyLayout, limits: &[usize]) -> bool {
    let fields = || layout.fields.iter().chain([&layout.value]).copied();
    let is_plain = || {
        let mut plain = K::empty(layout);
        fields().for_each(|field| plain.set(field, cell.key.get(field)));
        plain == cell.key
    };
    cell.count > 0
        && cell.key.fits(layout)
        && fields().zip(limits).all(|(field, &limit)| (cell.key.get(field) as usize) < limit)
        && is_plain()
}

/// Returns whether the marginals count the same groups with the same records, whatever they watch.
fn have_the_same_groups(marginals: &[Marginal]) -> bool {
    marginals.windows(2).all(|pair| {
        let (one, other) = (&pair[0], &pair[1]);
        any_width!(&one.cells, cells => {
            any_width!(&other.cells, others => {
                agree((cells.as_slice(), &one.layout), (others.as_slice(), &other.layout))
            })
        })
    })
}

fn agree<K: Key, L: Key>(one: (&[Cell<K>], &KeyLayout), other: (&[Cell<L>], &KeyLayout)) -> bool {
    let (mut codes, mut other_codes) = (Vec::new(), Vec::new());
    let mut same = |(group, others): (&[Cell<K>], &[Cell<L>])| {
        read_codes(group, one.1, &mut codes);
        read_codes(others, other.1, &mut other_codes);
        codes == other_codes && records(group) == records(others)
    };
    groups(one.0, one.1).count() == groups(other.0, other.1).count()
        && groups(one.0, one.1).zip(groups(other.0, other.1)).all(&mut same)
}

/// The cells of each group.
fn groups<'a, K: Key>(
    cells: &'a [Cell<K>],
    layout: &'a KeyLayout,
) -> impl Iterator<Item = &'a [Cell<K>]> {
    cells.chunk_by(|a, b| a.key.agrees_through(&b.key, layout.last))
}

fn records<K>(group: &[Cell<K>]) -> u64 {
    group.iter().map(|cell| cell.count).sum()
}

/// Returns how many records cells have; `None` if a number of 64 bits cannot hold it, as in a
/// lattice that was tampered with.
fn sum<K>(cells: &[Cell<K>]) -> Option<u64> {
    cells.iter().try_fold(0_u64, |sum, cell| sum.checked_add(cell.count))
}
