//! A payload's sums over the groups that a threshold keeps, for every scheme.
//!
//! A measure gives each group numbers that add up. So the scheme of least loss and the exact front
//! are passes over bins.

use std::sync::Arc;

use haggle_model::{Cache, Capacity, Progress, Scheme, Silent, Space};
use rayon::prelude::*;

use crate::counts::cells::{Carried, Cell, Extra, for_each_group, generalize, read_codes};
use crate::counts::cube::{Marginal, any_width};
use crate::counts::key::{Key, KeyLayout};
use crate::groups::payload::{CodeMeaning, Generalized, KeptGroups, Loss, Payload, rounded};
use crate::lattices::annotate::{AnnotationTask, Limits, Observe, annotate};
use crate::lattices::table::StatisticTable;
use crate::{Cube, Error, Group, Histogram, Statistic};

/// For each bin of a statistic's histograms, a payload summed over the groups of this bin and all
/// stronger ones, so that the total of what a threshold keeps is a single lookup.
#[derive(Debug)]
pub struct Weighed {
    table: Arc<StatisticTable>,
    width: usize,
    sums: Vec<f64>,
    /// Where the sums of each scheme begin, in bins.
    starts: Vec<usize>,
    nothing: Vec<f64>,
    /// The groups of each scheme.
    groups: Vec<u64>,
    /// The losses of every scheme by the bits of earlier thresholds.
    losses: Cache<u64, [f64]>,
}

/// The losses of this many thresholds are cached.
const KEPT_LOSSES: usize = 16;

impl Weighed {
    /// Weighs every group of every scheme by a payload, aligned with the statistic's table.
    pub fn new(
        cube: &Cube,
        table: Arc<StatisticTable>,
        statistic: &dyn Statistic,
        payload: &dyn Payload,
        limits: Limits,
    ) -> Result<Self, Error> {
        Self::with_progress(cube, table, statistic, payload, limits, &Silent)
    }

    /// Weighs groups like [`new`](Self::new); `progress` receives the schemes that are done and can
    /// cancel the work.
    pub fn with_progress(
        cube: &Cube,
        table: Arc<StatisticTable>,
        statistic: &dyn Statistic,
        payload: &dyn Payload,
        limits: Limits,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        let space = cube.space();
        let weighing =
            AlignedWeighing { table: &table, statistic, payload, space: &space, progress };
        let schemes = match (statistic.column().watches, payload.watches()) {
            (Some(one), Some(other)) if one != other => weighing.apart(cube),
            (one, other) => weighing.together(cube, one.or(other).unwrap_or(0), limits),
        }?;
        let schemes: Option<Vec<Box<[f64]>>> = schemes.into_iter().collect();
        let schemes = schemes.ok_or_else(|| {
            let what = "the lattice's histograms are not those of its groups";
            Error::new(what, "build the lattice again")
        })?;
        let width = payload.width();
        let nothing = vec![0.0; width];
        let groups = (0..schemes.len()).map(|i| table.histogram(i).groups()).collect();
        let starts = (0..schemes.len()).scan(0, |next, position| {
            let start = *next;
            *next += table.bins(position);
            Some(start)
        });
        let (starts, sums) = (starts.collect(), schemes.concat());
        Ok(Self { width, sums, starts, nothing, groups, losses: Cache::default(), table })
    }

    /// Returns the payload of what the scheme at this position keeps, if this many of its bins
    /// fail.
    pub fn kept(&self, position: usize, failing: usize) -> &[f64] {
        if failing >= self.table.bins(position) {
            return &self.nothing;
        }
        let bin = self.starts[position] + failing;
        &self.sums[bin * self.width..(bin + 1) * self.width]
    }

    /// Returns the loss of the scheme at this position, if this many of its bins fail.
    pub fn loss(&self, loss: &dyn Loss, scheme: &Scheme, position: usize, failing: usize) -> f64 {
        loss.compared(&self.keeps(scheme, position, failing))
    }

    /// The standard error of that loss, if it is an estimate.
    pub fn standard_error(
        &self,
        loss: &dyn Loss,
        scheme: &Scheme,
        position: usize,
        failing: usize,
    ) -> Option<f64> {
        loss.standard_error(&self.keeps(scheme, position, failing)).map(rounded)
    }

    fn keeps<'a>(&'a self, scheme: &'a Scheme, position: usize, failing: usize) -> KeptGroups<'a> {
        let histogram = self.table.histogram(position);
        let failed: u64 = histogram.bins().take(failing).map(|bin| bin.groups).sum();
        let groups = self.groups[position] - failed;
        let suppressed = histogram.suppressed_by(failing);
        let records = histogram.records() - suppressed;
        let sums = self.kept(position, failing);
        KeptGroups { levels: scheme.into(), sums, groups, records, suppressed }
    }

    /// Returns the loss of every scheme at a threshold, by its index; cached for the next request
    /// with this threshold.
    pub fn losses(&self, loss: &dyn Loss, space: &Space, threshold: f64) -> Arc<[f64]> {
        let one = |position: usize| {
            let failing = self.table.histogram(position).failing(threshold);
            self.loss(loss, &space.scheme(position), position, failing)
        };
        let losses = || {
            let losses: Vec<f64> = (0..self.groups.len()).into_par_iter().map(one).collect();
            losses.into()
        };
        let capacity = Capacity::entries(KEPT_LOSSES);
        self.losses.get_or_compute(&threshold.to_bits(), &capacity, losses)
    }

    /// Returns the table that the sums are aligned with.
    pub fn table(&self) -> &Arc<StatisticTable> {
        &self.table
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.sums)
    }
}

/// The weighing of one payload, aligned with one statistic.
struct AlignedWeighing<'a> {
    table: &'a StatisticTable,
    statistic: &'a dyn Statistic,
    payload: &'a dyn Payload,
    space: &'a Space,
    progress: &'a dyn Progress,
}

impl AlignedWeighing<'_> {
    fn histogram(&self, scheme: &Scheme) -> Histogram<'_> {
        self.table.histogram(self.space.index(scheme))
    }

    /// Both need the same groups: one pass of roll-ups.
    fn together(
        &self,
        cube: &Cube,
        watched: usize,
        limits: Limits,
    ) -> Result<Vec<SchemeSums>, Error> {
        let hierarchies = cube.hierarchies();
        let task = AnnotationTask {
            space: self.space,
            hierarchies: &hierarchies,
            limits,
            progress: self.progress,
            used: 0.into(),
            touches: 0.into(),
            low_memory: None,
        };
        let Marginal { layout, cells } = &cube.marginals[watched];
        let mut schemes = vec![SchemeSums::default(); self.space.size().unwrap_or(0)];
        let mut keep = |index: usize, sums: SchemeSums| {
            let bytes = Self::bytes(&sums);
            schemes[index] = sums;
            bytes
        };
        any_width!(cells, cells => {
            if self.payload.carries() {
                let base = carrying(cells, layout, &self.space.bottom(), self.payload);
                annotate(&base, layout, self, &task, &mut keep)
            } else {
                annotate(cells, layout, self, &task, &mut keep)
            }
        })?;
        Ok(schemes)
    }

    /// They watch different attributes: each scheme's groups are computed twice, in the same order.
    fn apart(&self, cube: &Cube) -> Result<Vec<SchemeSums>, Error> {
        let all = self.space.whole();
        let schemes: Vec<Scheme> = all.heights().flat_map(|height| all.at_height(height)).collect();
        let mut weighed = vec![SchemeSums::default(); schemes.len()];
        let one = |scheme: &Scheme| {
            let mut bins = Vec::new();
            let histogram = self.histogram(scheme);
            let watched = self.statistic.column().watches.unwrap_or(0);
            cube.for_each_group(scheme, watched, |_, group| {
                bins.push(histogram.exact_bin(self.statistic.of(group)));
            });
            let mut sums = BinSums::new(self.payload.width(), histogram.bins().len());
            let mut bins = bins.into_iter();
            cube.for_each_generalized(scheme, self.payload, |group| {
                sums.add(bins.next().expect("the same groups"), self.payload, group);
            });
            let wanted = self.progress.step(1).is_continue();
            wanted.then(|| (self.space.index(scheme), sums.kept())).ok_or_else(Error::cancelled)
        };
        let found: Vec<(usize, SchemeSums)> =
            schemes.par_iter().map(one).collect::<Result<_, _>>()?;
        for (index, sums) in found {
            weighed[index] = sums;
        }
        Ok(weighed)
    }
}

impl Cube {
    /// Calls `visit` with every group of a scheme as a payload sees it, with what the payload
    /// carries.
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

/// Returns the base cells with what a payload carries; that of each base group is in its first
/// cell.
fn carrying<K: Key>(
    cells: &[Cell<K>],
    layout: &KeyLayout,
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

/// Builds a group as a payload sees it.
pub(crate) fn generalized<'a, K: Key, E: Extra>(
    scheme: &'a Scheme,
    cells: &[Cell<K, E>],
    layout: &KeyLayout,
    group: &'a Group<'_>,
    codes: &'a mut Vec<u32>,
) -> Generalized<'a> {
    read_codes(cells, layout, codes);
    let mut carried = [0.0; 3];
    for cell in cells {
        carried.add(&cell.extra.numbers());
    }
    let place = CodeMeaning::Scheme(scheme);
    Generalized { place, codes, records: group.records, values: group.values, carried }
}

impl Observe for AlignedWeighing<'_> {
    type Scratch = Vec<u32>;
    type Observation = SchemeSums;

    fn scratch(&self) -> Vec<u32> {
        Vec::new()
    }

    fn see<K: Key, E: Extra>(
        &self,
        scheme: &Scheme,
        cells: &[Cell<K, E>],
        layout: &KeyLayout,
        codes: &mut Vec<u32>,
    ) -> SchemeSums {
        let histogram = self.histogram(scheme);
        let mut sums = BinSums::new(self.payload.width(), histogram.bins().len());
        for_each_group(cells, layout, |cells, group| {
            let bin = histogram.exact_bin(self.statistic.of(group));
            sums.add(bin, self.payload, &generalized(scheme, cells, layout, group, codes));
        });
        sums.kept()
    }

    fn bytes(seen: &SchemeSums) -> usize {
        seen.as_ref().map_or(0, |sums| size_of_val(&**sums))
    }
}

/// A scheme's sums from each bin on; `None` if a group has no bin.
type SchemeSums = Option<Box<[f64]>>;

/// A payload's sums by bin.
struct BinSums {
    width: usize,
    numbers: Vec<f64>,
    by_bin: Vec<f64>,
    every_group_has_a_bin: bool,
}

impl BinSums {
    fn new(width: usize, bins: usize) -> Self {
        let (numbers, by_bin) = (vec![0.0; width], vec![0.0; width * bins]);
        Self { width, numbers, by_bin, every_group_has_a_bin: true }
    }

    fn add(&mut self, bin: Option<usize>, payload: &dyn Payload, group: &Generalized<'_>) {
        let Some(bin) = bin else {
            self.every_group_has_a_bin = false;
            return;
        };
        payload.measure(group, &mut self.numbers);
        let sums = &mut self.by_bin[bin * self.width..(bin + 1) * self.width];
        sums.iter_mut().zip(&self.numbers).for_each(|(sum, number)| *sum += number);
    }

    /// The sums from each bin on.
    fn kept(mut self) -> SchemeSums {
        for i in (self.width..self.by_bin.len()).rev() {
            self.by_bin[i - self.width] += self.by_bin[i];
        }
        self.every_group_has_a_bin.then(|| self.by_bin.into())
    }
}
