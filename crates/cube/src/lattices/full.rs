//! The full lattice: every scheme is annotated in advance.

use std::sync::Arc;

use haggle_model::{ExceededMemory, Progress, Scheme, Space};

use crate::counts::cube::{Marginal, any_width};
use crate::lattices::annotate::{AnnotationTask, Limits, LowMemoryPlan, annotate};
use crate::lattices::consistency;
use crate::lattices::joined::{Classes, JoinedTables};
use crate::lattices::lattice::{Annotated, Lattice};
use crate::lattices::table::{Costs, GroupSizes, Order, Rows, StatisticTable};
use crate::lattices::tally::{Annotation, Tallies};
use crate::{Column, Cube, Error, Histograms, Statistic};

/// A thread's buffers for rolling up hold at most this many times the cells of the base.
const BUFFERS: usize = 3;
/// If memory is short, the buffers of all threads may take one part in this many of it; otherwise a
/// single thread runs.
const FOR_BUFFERS: usize = 4;
/// Estimates of tables are raised by this fraction before the remaining memory is used for cells.
const ESTIMATE_SLACK: f64 = 0.15;

/// The cost of annotating a lattice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AnnotationCost {
    /// The number of schemes annotated.
    pub schemes: usize,
    /// The cells read by roll-ups, over all schemes; groups, if nothing is watched.
    pub touches: u64,
}

/// A lattice with an annotation for every scheme, and the cube it came from.
///
/// Tables are shared: [`tabulate`](Self::tabulate) builds a lattice over other statistics of the
/// same cube, and [`of_tables`](Self::of_tables) one of existing tables.
#[derive(Debug)]
pub struct FullLattice {
    cube: Arc<Cube>,
    space: Space,
    tables: Vec<Arc<StatisticTable>>,
    sizes: Option<Arc<GroupSizes>>,
    joined: Option<JoinedTables>,
    work: AnnotationCost,
}

impl FullLattice {
    /// Annotates every scheme of the cube with these statistics. `progress` receives the schemes
    /// that are done and can cancel the work.
    pub fn build(
        cube: Arc<Cube>,
        statistics: &[Box<dyn Statistic>],
        limits: Limits,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        let statistics: Vec<&dyn Statistic> = statistics.iter().map(AsRef::as_ref).collect();
        Self::tabulate(cube, &statistics, false, limits, progress)
    }

    /// Builds the same lattice in little more memory than the lattice itself takes. It takes
    /// longer: schemes whose cells do not fit are rolled up from the base groups.
    pub fn build_in_little_memory(
        cube: Arc<Cube>,
        statistics: &[Box<dyn Statistic>],
        limits: Limits,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        let statistics: Vec<&dyn Statistic> = statistics.iter().map(AsRef::as_ref).collect();
        annotatable(&cube.space(), statistics.len(), limits)?;
        let tables = cube.estimate(&statistics).bytes * (1.0 + ESTIMATE_SLACK);
        let alone = buffers(&cube, rayon::current_num_threads()) > limits.memory / FOR_BUFFERS;
        let threads = if alone { 1 } else { rayon::current_num_threads() };
        let limits = without_base(&cube, limits, threads);
        let cells = limits.memory.saturating_sub(tables as usize);
        let low_memory = LowMemoryPlan { cells, alone, used: 0.into() };
        Self::tabulate_within(cube, &statistics, false, limits, progress, Some(low_memory))
    }

    /// Builds the same lattice as [`build`](Self::build); with `rows`, each group's verdicts are
    /// kept, so that statistics can be joined.
    pub fn tabulate(
        cube: Arc<Cube>,
        statistics: &[&dyn Statistic],
        rows: bool,
        limits: Limits,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        let limits = without_base(&cube, limits, rayon::current_num_threads());
        Self::tabulate_within(cube, statistics, rows, limits, progress, None)
    }

    fn tabulate_within(
        cube: Arc<Cube>,
        statistics: &[&dyn Statistic],
        rows: bool,
        limits: Limits,
        progress: &dyn Progress,
        low_memory: Option<LowMemoryPlan>,
    ) -> Result<Self, Error> {
        let space = cube.space();
        let schemes = annotatable(&space, statistics.len(), limits)?;
        let hierarchies = cube.hierarchies();
        let task = AnnotationTask {
            space: &space,
            hierarchies: &hierarchies,
            limits,
            progress,
            used: 0.into(),
            touches: 0.into(),
            low_memory,
        };
        let (tables, sizes) = tables(&cube, statistics, rows, &task)?;
        let work = AnnotationCost { schemes, touches: task.touches.into_inner() };
        Ok(Self { sizes: sizes.map(Arc::new), tables, joined: None, space, cube, work })
    }

    /// Builds the lattice of existing tables for this cube, in this order, with the groups' sizes.
    pub fn of_tables(
        cube: Arc<Cube>,
        tables: Vec<Arc<StatisticTable>>,
        sizes: Option<Arc<GroupSizes>>,
    ) -> Self {
        let space = cube.space();
        let work = AnnotationCost { schemes: space.size().unwrap_or(0), touches: 0 };
        Self { cube, space, tables, sizes, joined: None, work }
    }

    /// Returns the same lattice with the tables of another one over the same cube, which has rows, so
    /// that questions find them joined already.
    pub fn with_joined(&self, other: &Self) -> Self {
        let mut tables = self.tables.clone();
        let mut positions = Vec::with_capacity(other.tables.len());
        for table in &other.tables {
            let known = tables.iter().position(|known| known.column() == table.column());
            positions.push(known.unwrap_or(tables.len()));
            if known.is_none() {
                tables.push(table.clone());
            }
        }
        let sizes = other.sizes.as_deref();
        let classes = sizes.and_then(|sizes| Classes::join(&other.tables, sizes, positions));
        let joined = classes.and_then(|classes| classes.joined(&tables));
        let (cube, space) = (self.cube.clone(), self.space.clone());
        Self { cube, space, tables, sizes: self.sizes.clone(), joined, work: self.work }
    }

    /// The tables that are joined already.
    pub fn joined(&self) -> Option<&JoinedTables> {
        self.joined.as_ref()
    }

    /// Returns the position in this lattice of each scheme over the attributes in another order.
    pub fn order(&self, positions: &[usize]) -> Order {
        let (tops, strides) = (self.space.top().levels(), self.space.strides());
        let top = Scheme::new(positions.iter().map(|&position| tops[position].into()));
        let other = Space::new(top);
        let own = |index: usize| {
            let levels = other.scheme(index);
            let steps = levels.levels().iter().zip(positions);
            steps.map(|(level, &position)| level.index() * strides[position]).sum::<usize>() as u32
        };
        (0..other.size().unwrap_or(0)).map(own).collect()
    }

    /// Returns the same lattice over its cube in another order of attributes; annotations are
    /// shared.
    pub fn reordered(&self, cube: Arc<Cube>, order: &Order) -> Self {
        let tables = self.tables.iter().map(|table| table.reordered(order)).collect();
        let joined = self.joined.as_ref().map(|joined| joined.reordered(order));
        Self { work: self.work, joined, ..Self::of_tables(cube, tables, self.sizes.clone()) }
    }

    /// Builds the lattice read from a file; `None` if its parts contradict each other.
    pub(crate) fn from_parts(
        cube: Cube,
        columns: Vec<Column>,
        histograms: Vec<Histograms>,
        classes: Option<Classes>,
    ) -> Option<Self> {
        let schemes = cube.space().size()?;
        let tables = consistency::tables(&cube, columns, histograms, schemes)?;
        let joined = match classes {
            Some(classes) => Some(classes.joined(&tables)?),
            None => None,
        };
        Some(Self { joined, ..Self::of_tables(cube.into(), tables, None) })
    }

    /// The counted base groups that every scheme was rolled up from.
    pub fn cube(&self) -> &Arc<Cube> {
        &self.cube
    }

    /// The table of each statistic.
    pub fn tables(&self) -> &[Arc<StatisticTable>] {
        &self.tables
    }

    /// Each group's records, if rows are kept.
    pub fn sizes(&self) -> Option<&Arc<GroupSizes>> {
        self.sizes.as_ref()
    }

    /// Returns the cost of annotating; no touches for a lattice that was loaded.
    pub fn work(&self) -> AnnotationCost {
        self.work
    }
}

impl Lattice for FullLattice {
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
        let position = self.space.index(scheme);
        Ok(Annotated::among(&self.tables, self.sizes.as_deref(), position))
    }

    fn costs(&self, column: usize, threshold: f64) -> Option<Costs> {
        Some(self.tables[column].costs(threshold))
    }
}

/// Returns the limits without the memory of the cube and the threads' buffers, and such that
/// positions of bins fit in 32 bits.
fn without_base(cube: &Cube, limits: Limits, threads: usize) -> Limits {
    let left = limits.memory.saturating_sub(cube.bytes() + buffers(cube, threads));
    Limits { memory: left.min(u32::MAX as usize * Histograms::BIN) }
}

/// Returns the bytes that this many threads need for rolling up.
fn buffers(cube: &Cube, threads: usize) -> usize {
    let widest = cube.marginals.iter().map(|marginal| marginal.cells.bytes()).max().unwrap_or(0);
    threads * BUFFERS * widest
}

/// Returns the number of schemes, or an error if even an empty annotation of each exceeds the
/// memory limit.
fn annotatable(space: &Space, columns: usize, limits: Limits) -> Result<usize, Error> {
    let least = columns * (Histograms::BIN + 2 * size_of::<u32>());
    let fits = |schemes: &usize| schemes.saturating_mul(least) <= limits.memory;
    let schemes = space.size().unwrap_or(usize::MAX);
    let exceeded = ExceededMemory { schemes, limit: limits.memory >> 20, height: 0 };
    Ok(space.size().filter(fits).ok_or(exceeded)?)
}

/// Builds the statistics' tables and the groups' sizes, with one pass of roll-ups for each watched
/// attribute.
fn tables(
    cube: &Cube,
    statistics: &[&dyn Statistic],
    rows: bool,
    task: &AnnotationTask<'_>,
) -> Result<(Vec<Arc<StatisticTable>>, Option<GroupSizes>), Error> {
    let schemes = cube.space().size().unwrap_or(0);
    let empty = |statistic: &&dyn Statistic| {
        let comparison = statistic.column().comparison;
        let histograms = Histograms::of_schemes(comparison, cube.records(), schemes);
        (histograms, rows.then(|| Rows::of_schemes(schemes)))
    };
    let mut columns: Vec<(Histograms, Option<Rows>)> = statistics.iter().map(empty).collect();
    let mut sizes: Option<GroupSizes> = None;
    for (watched, Marginal { layout, cells }) in cube.marginals.iter().enumerate() {
        let watches = |position: usize| statistics[position].column().watches.unwrap_or(0);
        let mine = (0..statistics.len()).filter(|&position| watches(position) == watched);
        let positions: Vec<usize> = mine.collect();
        if positions.is_empty() {
            continue;
        }
        let here: Vec<&dyn Statistic> = positions.iter().map(|&p| statistics[p]).collect();
        let tallies = Tallies { statistics: &here, rows };
        let mut its_sizes = (rows && sizes.is_none()).then(|| GroupSizes::of_schemes(schemes));
        let mut keep = |index: usize, seen: Annotation| {
            for (&position, tallied) in positions.iter().zip(&seen.histograms) {
                let (histograms, rows) = &mut columns[position];
                histograms.set(index, tallied);
                if let Some(rows) = rows {
                    rows.set(index, &tallied.rows);
                }
            }
            if let Some(sizes) = &mut its_sizes {
                sizes.set(index, &seen.sizes);
            }
            seen.kept_bytes()
        };
        any_width!(cells, cells => annotate(cells, layout, &tallies, task, &mut keep))?;
        sizes = sizes.or(its_sizes);
    }
    let table = |(statistic, (mut histograms, mut rows)): (&&dyn Statistic, (_, Option<Rows>))| {
        Histograms::shrink(&mut histograms);
        rows.iter_mut().for_each(Rows::shrink);
        StatisticTable::new(statistic.column().clone(), histograms, rows)
    };
    Ok((statistics.iter().zip(columns).map(table).collect(), sizes))
}
