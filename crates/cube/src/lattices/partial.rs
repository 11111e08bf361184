//! The partial lattice: some schemes of every height are annotated in advance, the others not at
//! all.
//!
//! After A. Pilalidou, *On-line negotiation for privacy preserving data publishing*, thesis,
//! University of Ioannina 2010, chapter 5. A selection strategy chooses the schemes.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use haggle_model::{ExceededMemory, Problem, Progress, Scheme, Space};
use rayon::prelude::*;

use crate::counts::climb::climbed;
use crate::counts::cube::{Cells, Marginal, any_width};
use crate::lattices::annotate::{Limits, Observe};
use crate::lattices::consistency;
use crate::lattices::full::AnnotationCost;
use crate::lattices::lattice::{Annotated, Lattice};
use crate::lattices::table::{GroupSizes, Rows, StatisticTable};
use crate::lattices::tally::{Annotation, Tallies};
use crate::{Column, Cube, Error, Histograms, OnDemand, Statistic};

/// The cells of this many heights are kept, because a scheme's nearest lower one may be some levels
/// below.
const HEIGHTS: usize = 4;

/// A lattice that annotates only some schemes.
///
/// Nothing can be concluded from them about the others, so searches visit every annotated scheme
/// and prune nothing.
#[derive(Debug)]
pub struct PartialLattice {
    cube: Arc<Cube>,
    space: Space,
    /// The annotated schemes by height, each in the order of levels.
    schemes: Vec<Vec<Scheme>>,
    /// The position of each scheme in the tables: by height, then by levels.
    positions: HashMap<Scheme, usize>,
    tables: Vec<Arc<StatisticTable>>,
    sizes: Option<GroupSizes>,
    /// A scheme that was annotated for one question.
    extra: Option<(Scheme, Annotated<'static>)>,
    work: AnnotationCost,
}

impl PartialLattice {
    /// Annotates these schemes of the cube; with `rows`, so that statistics can be joined.
    /// `progress` receives the schemes that are done and can cancel the work.
    pub fn build(
        cube: Arc<Cube>,
        schemes: &[Scheme],
        statistics: &[&dyn Statistic],
        rows: bool,
        limits: Limits,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        let schemes = by_height(&cube.space(), schemes)?;
        let climb = PartialBuild {
            cube: &cube,
            schemes: &schemes,
            limits,
            progress,
            used: 0.into(),
            touches: 0.into(),
        };
        let (tables, sizes) = climb.tables(statistics, rows)?;
        let touches = climb.touches.into_inner();
        let mut lattice = Self::from_tables(cube, schemes, tables);
        lattice.sizes = sizes;
        lattice.work.touches = touches;
        Ok(lattice)
    }

    fn from_tables(
        cube: Arc<Cube>,
        schemes: Vec<Vec<Scheme>>,
        tables: Vec<Arc<StatisticTable>>,
    ) -> Self {
        let positions: HashMap<Scheme, usize> =
            schemes.iter().flatten().cloned().zip(0..).collect();
        let work = AnnotationCost { schemes: positions.len(), touches: 0 };
        let (space, sizes, extra) = (cube.space(), None, None);
        Self { cube, space, schemes, positions, tables, sizes, extra, work }
    }

    /// Builds the lattice read from a file; `None` if its parts contradict each other.
    pub(crate) fn from_parts(
        cube: Cube,
        columns: Vec<Column>,
        histograms: Vec<Histograms>,
        schemes: &[Scheme],
    ) -> Option<Self> {
        let by_height = by_height(&cube.space(), schemes).ok()?;
        let tables = consistency::tables(&cube, columns, histograms, schemes.len())?;
        let in_order = by_height.iter().flatten().eq(schemes);
        in_order.then(|| Self::from_tables(cube.into(), by_height, tables))
    }

    /// The counted base groups.
    pub fn cube(&self) -> &Arc<Cube> {
        &self.cube
    }

    /// The annotated schemes, by height and then by levels.
    pub fn schemes(&self) -> impl Iterator<Item = &Scheme> {
        self.schemes.iter().flatten()
    }

    /// The table of each statistic, by the position of a scheme among [`schemes`](Self::schemes).
    pub fn tables(&self) -> &[Arc<StatisticTable>] {
        &self.tables
    }

    /// Returns the same schemes with these columns only, in this order, if the lattice has them all
    /// and keeps no rows.
    pub fn columns(&self, columns: &[&Column]) -> Option<Self> {
        let find = |column: &&Column| self.tables.iter().find(|table| table.column() == *column);
        let tables: Option<Vec<Arc<StatisticTable>>> =
            columns.iter().map(|column| find(column).cloned()).collect();
        let chosen = Self::from_tables(self.cube.clone(), self.schemes.clone(), tables?);
        self.sizes.is_none().then_some(Self { work: self.work, ..chosen })
    }

    /// Returns the cost of annotating; no touches for a lattice that was loaded.
    pub fn work(&self) -> AnnotationCost {
        self.work
    }

    /// Returns the same lattice with one more scheme, annotated with the statistics of its columns.
    /// A scheme that is annotated already changes nothing.
    pub fn with(
        &self,
        scheme: &Scheme,
        statistics: Vec<Box<dyn Statistic>>,
        limits: Limits,
    ) -> Result<Self, Error> {
        let (cube, tables) = (self.cube.clone(), self.tables.clone());
        let mut more = Self::from_tables(cube.clone(), self.schemes.clone(), tables);
        more.sizes.clone_from(&self.sizes);
        more.work = self.work;
        if !self.positions.contains_key(scheme) && self.space.contains(scheme) {
            let alone = OnDemand::new(cube, statistics, self.sizes.is_some(), limits);
            let annotated = alone.annotate(scheme)?.into_alone();
            more.extra = annotated.map(|annotated| (scheme.clone(), annotated));
            let height = &mut more.schemes[scheme.height() as usize];
            let place = height.partition_point(|other| other < scheme);
            height.insert(place, scheme.clone());
        }
        Ok(more)
    }
}

impl Lattice for PartialLattice {
    fn space(&self) -> &Space {
        &self.space
    }

    fn records(&self) -> u64 {
        self.cube.records()
    }

    fn column(&self, position: usize) -> &Column {
        self.tables[position].column()
    }

    fn annotate(&self, scheme: &Scheme) -> Result<Annotated<'_>, Error> {
        if let Some((_, annotated)) = self.extra.as_ref().filter(|(extra, _)| extra == scheme) {
            return Ok(annotated.clone());
        }
        let position = self.positions.get(scheme).ok_or_else(|| {
            let what = format!("the partial lattice does not have the scheme {scheme}");
            Error::unsupported(what, "choose one that is annotated")
        })?;
        Ok(Annotated::among(&self.tables, self.sizes.as_ref(), *position))
    }

    fn annotated_at(&self, height: u32) -> Option<&[Scheme]> {
        Some(self.schemes.get(height as usize).map_or(&[], Vec::as_slice))
    }
}

/// Sorts the schemes by height, each height in the order of levels, without duplicates.
fn by_height(space: &Space, schemes: &[Scheme]) -> Result<Vec<Vec<Scheme>>, Error> {
    let mut heights = vec![Vec::new(); space.top().height() as usize + 1];
    for scheme in schemes {
        if !space.contains(scheme) {
            return Err(Problem::new(format!("{scheme} is not a scheme of this cube")).into());
        }
        heights[scheme.height() as usize].push(scheme.clone());
    }
    for height in &mut heights {
        height.sort_unstable();
        height.dedup();
    }
    Ok(heights)
}

/// Annotates the schemes height by height, each from the smallest lower one whose cells are still
/// in memory.
struct PartialBuild<'a> {
    cube: &'a Cube,
    schemes: &'a [Vec<Scheme>],
    limits: Limits,
    progress: &'a dyn Progress,
    used: AtomicUsize,
    touches: AtomicU64,
}

/// The cells of the schemes of a height.
type Layer = Vec<(Scheme, Cells)>;

impl PartialBuild<'_> {
    /// Builds the statistics' tables and the groups' sizes, with one climb for each watched
    /// attribute.
    fn tables(
        &self,
        statistics: &[&dyn Statistic],
        rows: bool,
    ) -> Result<(Vec<Arc<StatisticTable>>, Option<GroupSizes>), Error> {
        let mut tables: Vec<Option<Arc<StatisticTable>>> =
            statistics.iter().map(|_| None).collect();
        let mut sizes: Option<GroupSizes> = None;
        for (watched, marginal) in self.cube.marginals.iter().enumerate() {
            let watches = |p: usize| statistics[p].column().watches.unwrap_or(0) == watched;
            let mine: Vec<usize> = (0..statistics.len()).filter(|&p| watches(p)).collect();
            if mine.is_empty() {
                continue;
            }
            let here: Vec<&dyn Statistic> = mine.iter().map(|&p| statistics[p]).collect();
            let seen = self.annotate(marginal, &Tallies { statistics: &here, rows })?;
            for (i, &position) in mine.iter().enumerate() {
                tables[position] = Some(self.table(here[i], &seen, i, rows));
            }
            if rows && sizes.is_none() {
                let mut all = Rows::default();
                for scheme in &seen {
                    all.push(&scheme.sizes);
                }
                sizes = Some(all);
            }
        }
        Ok((tables.into_iter().flatten().collect(), sizes))
    }

    /// Collects one statistic's table from the annotations of all schemes.
    fn table(
        &self,
        statistic: &dyn Statistic,
        seen: &[Annotation],
        position: usize,
        rows: bool,
    ) -> Arc<StatisticTable> {
        let column = statistic.column().clone();
        let mut histograms = Histograms::new(column.comparison, self.cube.records());
        let mut all = rows.then(Rows::default);
        for tallied in seen.iter().map(|scheme| &scheme.histograms[position]) {
            histograms.push(tallied);
            if let Some(all) = &mut all {
                all.push(&tallied.rows);
            }
        }
        StatisticTable::new(column, histograms, all)
    }

    /// Annotates every scheme, in order.
    fn annotate(
        &self,
        marginal: &Marginal,
        tallies: &Tallies<'_>,
    ) -> Result<Vec<Annotation>, Error> {
        let mut kept: VecDeque<Layer> = VecDeque::new();
        let mut all = Vec::new();
        for schemes in self.schemes {
            let see = |scheme: &Scheme| self.see(scheme, marginal, tallies, &kept);
            let made: Vec<(Cells, Annotation)> =
                schemes.par_iter().map(see).collect::<Result<_, _>>()?;
            let (cells, seen): (Vec<Cells>, Vec<Annotation>) = made.into_iter().unzip();
            all.extend(seen);
            kept.push_back(schemes.iter().cloned().zip(cells).collect());
            if kept.len() > HEIGHTS
                && let Some(lowest) = kept.pop_front()
            {
                self.give_back(&lowest);
            }
        }
        for layer in &kept {
            self.give_back(layer);
        }
        Ok(all)
    }

    fn see(
        &self,
        scheme: &Scheme,
        Marginal { layout, cells: base }: &Marginal,
        tallies: &Tallies<'_>,
        kept: &VecDeque<Layer>,
    ) -> Result<(Cells, Annotation), Error> {
        let bottom = Space::of(self.cube.hierarchies()).bottom();
        let lower = kept.iter().flatten().filter(|(lower, _)| lower.is_under(scheme));
        let nearest = lower.min_by_key(|(_, cells)| cells.len());
        let (from, lower) = nearest.map_or((&bottom, base), |(from, cells)| (from, cells));
        let cells = climbed(lower, layout, &self.cube.hierarchies(), from, scheme);
        let seen = any_width!(&cells, cells => {
            tallies.see(scheme, cells, layout, &mut tallies.scratch())
        });
        self.touches.fetch_add(lower.len() as u64, Relaxed);
        // In the end the annotations of all schemes are copied into one table.
        self.take(cells.bytes() + 2 * Tallies::bytes(&seen), scheme.height())?;
        if self.progress.step(1).is_break() {
            return Err(Error::cancelled());
        }
        Ok((cells, seen))
    }

    /// Counts bytes as used; fails if that exceeds the limit.
    fn take(&self, bytes: usize, height: u32) -> Result<(), Error> {
        if self.used.fetch_add(bytes, Relaxed) + bytes <= self.limits.memory {
            return Ok(());
        }
        let schemes = self.schemes.iter().map(Vec::len).sum();
        Err(ExceededMemory { schemes, limit: self.limits.memory >> 20, height }.into())
    }

    fn give_back(&self, layer: &Layer) {
        let bytes = layer.iter().map(|(_, cells)| cells.bytes()).sum();
        self.used.fetch_sub(bytes, Relaxed);
    }
}
