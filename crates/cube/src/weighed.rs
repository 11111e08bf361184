//! A payload's sums over the groups that a threshold keeps, for every scheme.

use std::sync::Arc;

use haggle_model::{Scheme, Space};
use rayon::prelude::*;

use crate::annotate::{Limits, Observe, Task, annotate};
use crate::cells::{Carried, Cell, Extra, for_each_group, generalize, read_codes};
use crate::cube::{Marginal, any_width};
use crate::key::{Key, Layout};
use crate::payload::{Generalized, Kept, Loss, Payload};
use crate::table::Table;
use crate::{Cube, Error, Group, Histogram, Statistic};

/// For each bin of a statistic's histograms, a payload summed over the groups of this bin and all
/// stronger ones: what a threshold keeps is one look.
#[derive(Debug)]
pub struct Weighed {
    table: Arc<Table>,
    width: usize,
    sums: Vec<f64>,
    nothing: Vec<f64>,
}

impl Weighed {
    /// Weighs every group of every scheme by a payload, behind the statistic's table.
    pub fn new(
        cube: &Cube,
        table: Arc<Table>,
        statistic: &dyn Statistic,
        payload: &dyn Payload,
        limits: Limits,
    ) -> Result<Self, Error> {
        let space = cube.space();
        let weighing = Weighing { table: &table, statistic, payload, space: &space };
        let schemes = match (statistic.column().watches, payload.watches()) {
            (Some(one), Some(other)) if one != other => Ok(weighing.apart(cube)),
            (one, other) => weighing.together(cube, one.or(other).unwrap_or(0), limits),
        }?;
        let width = payload.width();
        let nothing = vec![0.0; width];
        Ok(Self { width, sums: schemes.concat(), nothing, table })
    }

    /// The payload of what the scheme at this position keeps, if so many of its bins fail.
    pub fn kept(&self, position: usize, failing: usize) -> &[f64] {
        let bins = self.table.histograms.range(position);
        let bin = bins.start + failing;
        if bin >= bins.end {
            return &self.nothing;
        }
        &self.sums[bin * self.width..(bin + 1) * self.width]
    }

    /// The loss of the scheme at this position, if so many of its bins fail.
    pub fn loss(&self, loss: &dyn Loss, scheme: &Scheme, position: usize, failing: usize) -> f64 {
        let histogram = self.table.histograms.get(position);
        let groups = histogram.bins().skip(failing).map(|bin| bin.groups).sum();
        let suppressed = histogram.suppressed_by(failing);
        let records = histogram.records() - suppressed;
        loss.loss(&Kept { scheme, sums: self.kept(position, failing), groups, records, suppressed })
    }

    /// The table that it stands behind.
    pub fn table(&self) -> &Arc<Table> {
        &self.table
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.sums)
    }
}

/// Weighing one payload behind one statistic.
struct Weighing<'a> {
    table: &'a Table,
    statistic: &'a dyn Statistic,
    payload: &'a dyn Payload,
    space: &'a Space,
}

impl Weighing<'_> {
    fn histogram(&self, scheme: &Scheme) -> Histogram<'_> {
        self.table.histograms.get(self.space.index(scheme))
    }

    /// Both look at the same groups: one pass of roll-ups.
    fn together(
        &self,
        cube: &Cube,
        watched: usize,
        limits: Limits,
    ) -> Result<Vec<Box<[f64]>>, Error> {
        let hierarchies = cube.hierarchies();
        let task = Task {
            space: self.space,
            hierarchies: &hierarchies,
            limits,
            progress: &|_| (),
            used: 0.into(),
            touches: 0.into(),
        };
        let Marginal { layout, cells } = &cube.marginals[watched];
        any_width!(cells, cells => {
            if self.payload.carries() {
                let base = carrying(cells, layout, &self.space.bottom(), self.payload);
                return annotate(&base, layout, self, &task);
            }
            annotate(cells, layout, self, &task)
        })
    }

    /// They watch different attributes: each scheme's groups are made twice, in the same order.
    fn apart(&self, cube: &Cube) -> Vec<Box<[f64]>> {
        let all = self.space.all();
        let schemes: Vec<Scheme> = all.heights().flat_map(|height| all.at_height(height)).collect();
        let mut weighed = vec![Box::default(); schemes.len()];
        let one = |scheme: &Scheme| {
            let mut bins = Vec::new();
            let histogram = self.histogram(scheme);
            let watched = self.statistic.column().watches.unwrap_or(0);
            cube.for_each_group(scheme, watched, |_, group| {
                bins.push(histogram.bin(self.statistic.of(group)));
            });
            let mut sums = Sums::new(self.payload.width(), histogram.bins().len());
            let mut bins = bins.into_iter();
            cube.for_each_generalized(scheme, self.payload, |group| {
                sums.add(bins.next().expect("the same groups"), self.payload, group);
            });
            (self.space.index(scheme), sums.kept())
        };
        let found: Vec<(usize, Box<[f64]>)> = schemes.par_iter().map(one).collect();
        for (index, sums) in found {
            weighed[index] = sums;
        }
        weighed
    }
}

impl Cube {
    /// Shows every group of a scheme as a payload sees it, with what the payload carries.
    pub fn for_each_generalized(
        &self,
        scheme: &Scheme,
        payload: &dyn Payload,
        mut visit: impl FnMut(&Generalized<'_>),
    ) {
        let Marginal { layout, cells } = &self.marginals[payload.watches().unwrap_or(0)];
        let hierarchies = self.hierarchies();
        let mut codes = Vec::new();
        any_width!(cells, cells => {
            let base = carrying(cells, layout, &self.space().bottom(), payload);
            let cells = generalize(&base, layout, &hierarchies, scheme.levels());
            for_each_group(&cells, layout, |cells, group| {
                visit(&generalized(scheme, cells, layout, group, &mut codes));
            });
        });
    }
}

/// The base cells with what a payload carries, each base group's in its first cell.
fn carrying<K: Key>(
    cells: &[Cell<K>],
    layout: &Layout,
    bottom: &Scheme,
    payload: &dyn Payload,
) -> Vec<Cell<K, Carried>> {
    let mut carrying = Vec::with_capacity(cells.len());
    let mut codes = Vec::new();
    for_each_group(cells, layout, |cells, group| {
        let base = generalized(bottom, cells, layout, group, &mut codes);
        let mut extra = if payload.carries() { payload.carried(&base) } else { [0.0; 3] };
        for cell in cells {
            let (key, count) = (cell.key.clone(), cell.count);
            carrying.push(Cell { key, count, extra: std::mem::take(&mut extra) });
        }
    });
    carrying
}

/// A group as a payload sees it.
fn generalized<'a, K: Key, E: Extra>(
    scheme: &'a Scheme,
    cells: &[Cell<K, E>],
    layout: &Layout,
    group: &'a Group<'_>,
    codes: &'a mut Vec<u32>,
) -> Generalized<'a> {
    read_codes(cells, layout, codes);
    let mut carried = [0.0; 3];
    for cell in cells {
        carried.add(&cell.extra.numbers());
    }
    Generalized { scheme, codes, records: group.records, values: group.values, carried }
}

impl Observe for Weighing<'_> {
    type Scratch = Vec<u32>;
    type Seen = Box<[f64]>;

    fn scratch(&self) -> Vec<u32> {
        Vec::new()
    }

    fn see<K: Key, E: Extra>(
        &self,
        scheme: &Scheme,
        cells: &[Cell<K, E>],
        layout: &Layout,
        codes: &mut Vec<u32>,
    ) -> Box<[f64]> {
        let histogram = self.histogram(scheme);
        let mut sums = Sums::new(self.payload.width(), histogram.bins().len());
        for_each_group(cells, layout, |cells, group| {
            let bin = histogram.bin(self.statistic.of(group));
            sums.add(bin, self.payload, &generalized(scheme, cells, layout, group, codes));
        });
        sums.kept()
    }

    fn bytes(seen: &Box<[f64]>) -> usize {
        size_of_val(&**seen)
    }
}

/// A payload's sums by bin.
struct Sums {
    width: usize,
    numbers: Vec<f64>,
    by_bin: Vec<f64>,
}

impl Sums {
    fn new(width: usize, bins: usize) -> Self {
        Self { width, numbers: vec![0.0; width], by_bin: vec![0.0; width * bins] }
    }

    fn add(&mut self, bin: usize, payload: &dyn Payload, group: &Generalized<'_>) {
        payload.of(group, &mut self.numbers);
        let sums = &mut self.by_bin[bin * self.width..(bin + 1) * self.width];
        sums.iter_mut().zip(&self.numbers).for_each(|(sum, number)| *sum += number);
    }

    /// The sums from each bin on.
    fn kept(mut self) -> Box<[f64]> {
        for i in (self.width..self.by_bin.len()).rev() {
            self.by_bin[i - self.width] += self.by_bin[i];
        }
        self.by_bin.into()
    }
}
