//! Rolls one scheme's cells up to those of any scheme above it.

use haggle_model::{Hierarchy, Level, Problem, Scheme};

use crate::counts::cells::{Cell, sort_and_merge};
use crate::counts::cube::{AnyWidth, Cells, Marginal, any_width};
use crate::counts::key::{Key, KeyField, KeyLayout, WideKey};
use crate::counts::roll_up::{ClimbStep, RollUp};
use crate::{Cube, Error};

/// From this many cells on, a second core is used.
const MANY: usize = 8000;

/// Climbs from cells to cells, in memory that is reused for every scheme.
#[derive(Debug)]
pub(crate) struct Climb<K> {
    /// Whether no other climb is running, so that a second core may help.
    pub(crate) alone: bool,
    /// The scheme that was reached.
    pub(crate) reached: Option<Scheme>,
    /// The current cells.
    pub(crate) cells: Vec<Cell<K>>,
    next: Vec<Cell<K>>,
    roll_up: RollUp<K, ()>,
    /// The cells and buffers of a second core.
    second: (Vec<Cell<K>>, RollUp<K, ()>),
}

/// A climb for keys of any width.
pub(crate) type AnyClimb = AnyWidth<Climb<u64>, Climb<u128>, Climb<WideKey>>;

impl From<&Cells> for AnyClimb {
    /// Builds a climb for keys as wide as those of the cells.
    fn from(cells: &Cells) -> Self {
        match cells {
            AnyWidth::Word(_) => Self::Word(Climb::default()),
            AnyWidth::Double(_) => Self::Double(Climb::default()),
            AnyWidth::Any(_) => Self::Any(Climb::default()),
        }
    }
}

impl<K> Default for Climb<K> {
    fn default() -> Self {
        let second = (Vec::new(), RollUp::default());
        let (cells, next) = (Vec::new(), Vec::new());
        Self { alone: true, reached: None, cells, next, roll_up: RollUp::default(), second }
    }
}

impl<K: Key> Climb<K> {
    /// Raises the attribute at a position from one level to another: from these cells, or else from
    /// the current ones.
    pub(crate) fn raise(
        &mut self,
        from: Option<&[Cell<K>]>,
        layout: &KeyLayout,
        hierarchy: &Hierarchy,
        position: usize,
        (low, high): (Level, Level),
    ) {
        let mut ancestors: Vec<u32> = hierarchy.parents(low).to_vec();
        for level in low.index() + 1..high.index() {
            let parents = hierarchy.parents((level as u8).into());
            for code in &mut ancestors {
                *code = parents[*code as usize];
            }
        }
        let step = ClimbStep { field: layout.fields[position], parents: &ancestors };
        let (cells, out) = (from.unwrap_or(&self.cells), &mut self.next);
        if !self.alone || cells.len() < MANY {
            self.roll_up.climb(cells, layout, step, out);
        } else {
            let (one, other) = cells.split_at(step.cut(cells));
            let (rest, roll_up) = &mut self.second;
            rayon::join(
                || self.roll_up.climb(one, layout, step, out),
                || roll_up.climb(other, layout, step, rest),
            );
            out.append(rest);
        }
        std::mem::swap(&mut self.cells, &mut self.next);
    }

    /// Makes attributes fully general at once: from these cells, or else from the current ones. Each
    /// has a single code then. One by one, nearly all cells of a wide table would be read for each.
    pub(crate) fn collapse(&mut self, from: Option<&[Cell<K>]>, fields: &[KeyField]) {
        let (cells, out) = (from.unwrap_or(&self.cells), &mut self.next);
        out.clear();
        out.extend_from_slice(cells);
        for cell in &mut *out {
            for &field in fields {
                cell.key.set(field, 0);
            }
        }
        sort_and_merge(out);
        std::mem::swap(&mut self.cells, &mut self.next);
    }
}

/// Computes the cells of `to` from those of `from`, which is under it.
pub(crate) fn climbed(
    cells: &Cells,
    layout: &KeyLayout,
    hierarchies: &[&Hierarchy],
    from: &Scheme,
    to: &Scheme,
) -> Cells {
    let way = UpwardSteps { layout, hierarchies, from, to };
    match cells {
        AnyWidth::Word(cells) => AnyWidth::Word(way.climbed(cells)),
        AnyWidth::Double(cells) => AnyWidth::Double(way.climbed(cells)),
        AnyWidth::Any(cells) => AnyWidth::Any(way.climbed(cells)),
    }
}

/// The steps from one scheme up to another.
struct UpwardSteps<'a> {
    layout: &'a KeyLayout,
    hierarchies: &'a [&'a Hierarchy],
    from: &'a Scheme,
    to: &'a Scheme,
}

impl UpwardSteps<'_> {
    fn climbed<K: Key>(&self, cells: &[Cell<K>]) -> Vec<Cell<K>> {
        let (mut climb, mut from) = (Climb::default(), Some(cells));
        for position in differing(self.hierarchies, self.from, self.to) {
            let levels = (self.from.level(position), self.to.level(position));
            climb.raise(from.take(), self.layout, self.hierarchies[position], position, levels);
        }
        if let Some(already) = from {
            return already.to_vec();
        }
        climb.cells.shrink_to_fit();
        climb.cells
    }
}

/// Returns the attributes in which two schemes differ; those first that reduce the number of codes
/// most.
pub(crate) fn differing(hierarchies: &[&Hierarchy], low: &Scheme, high: &Scheme) -> Vec<usize> {
    let left = |position: usize| {
        let codes = |scheme: &Scheme| hierarchies[position].len(scheme.level(position)) as f64;
        codes(high) / codes(low)
    };
    let differ = |&i: &usize| low.level(i) < high.level(i);
    let mut differing: Vec<usize> = (0..hierarchies.len()).filter(differ).collect();
    differing.sort_by(|&a, &b| left(a).total_cmp(&left(b)));
    differing
}

impl Cube {
    /// How many groups a scheme has.
    ///
    /// ```
    /// # use haggle_cube::{Counter, Cube, CountedPart};
    /// # use haggle_model::{Hierarchy, QuasiIdentifier, Scheme};
    /// # let sex = QuasiIdentifier { name: "sex".into(), hierarchy: Hierarchy::flat(["f", "m"]) };
    /// # let mut counter = Counter::new(1, 0);
    /// # [0, 1, 1].into_iter().for_each(|code| counter.add(&[code]));
    /// # let cube = Cube::from_parts(vec![sex], Vec::new(), &[CountedPart { counter, recode: vec![vec![0, 1]] }]);
    /// assert_eq!(cube.groups(&Scheme::new([0]))?, 2);
    /// assert_eq!(cube.groups(&Scheme::new([1]))?, 1);
    /// # Ok::<(), haggle_cube::Error>(())
    /// ```
    pub fn groups(&self, scheme: &Scheme) -> Result<usize, Error> {
        let space = self.space();
        if !space.contains(scheme) {
            return Err(Problem::new(format!("{scheme} is not a scheme of this cube")).into());
        }
        let Marginal { layout, cells } = &self.marginals[0];
        let cells = climbed(cells, layout, &self.hierarchies(), &space.bottom(), scheme);
        Ok(any_width!(&cells, cells => {
            cells.chunk_by(|a, b| a.key.agrees_through(&b.key, layout.last)).count()
        }))
    }
}
