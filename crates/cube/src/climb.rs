//! From one scheme's cells straight to those of any scheme above it.

use haggle_model::{Hierarchy, Level, Scheme};

use crate::cells::Cell;
use crate::cube::{Cells, Marginal, any_width};
use crate::key::{Key, Layout};
use crate::roll_up::{RollUp, Step};
use crate::{Cube, Error};

/// So many cells are worth a second core.
const MANY: usize = 8000;

/// The cells of `to`, from those of `from`, which is under it and is not it.
pub(crate) fn climbed(
    cells: &Cells,
    layout: &Layout,
    hierarchies: &[&Hierarchy],
    from: &Scheme,
    to: &Scheme,
) -> Cells {
    let mut made: Option<Cells> = None;
    for position in differing(hierarchies, from, to) {
        let lower = made.as_ref().unwrap_or(cells);
        let levels = (from.level(position), to.level(position));
        made = Some(raised(lower, layout, hierarchies[position], position, levels));
    }
    made.unwrap_or_else(|| cells.clone())
}

/// The attributes in which two schemes differ; those first that leave the fewest codes of many.
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

/// The cells after the attribute at a position climbed from one level to another.
pub(crate) fn raised(
    cells: &Cells,
    layout: &Layout,
    hierarchy: &Hierarchy,
    position: usize,
    (from, to): (Level, Level),
) -> Cells {
    let mut ancestors: Vec<u32> = hierarchy.parents(from).to_vec();
    for level in from.index() + 1..to.index() {
        let parents = hierarchy.parents((level as u8).into());
        for code in &mut ancestors {
            *code = parents[*code as usize];
        }
    }
    let step = Step { field: layout.fields[position], parents: &ancestors };
    match cells {
        Cells::Word(cells) => Cells::Word(rolled_up(cells, layout, step)),
        Cells::Double(cells) => Cells::Double(rolled_up(cells, layout, step)),
        Cells::Any(cells) => Cells::Any(rolled_up(cells, layout, step)),
    }
}

fn rolled_up<K: Key>(cells: &[Cell<K>], layout: &Layout, step: Step<'_>) -> Vec<Cell<K>> {
    let roll_up = |cells: &[Cell<K>]| {
        let mut out = Vec::new();
        RollUp::default().climb(cells, layout, step, &mut out);
        out.shrink_to_fit();
        out
    };
    if cells.len() < MANY {
        return roll_up(cells);
    }
    let (one, other) = cells.split_at(step.cut(cells));
    let (mut all, rest) = rayon::join(|| roll_up(one), || roll_up(other));
    all.extend(rest);
    all
}

impl Cube {
    /// How many groups a scheme has.
    ///
    /// ```
    /// # use haggle_cube::{Counter, Cube, Part};
    /// # use haggle_model::{Hierarchy, QuasiIdentifier, Scheme};
    /// # let sex = QuasiIdentifier { name: "sex".into(), hierarchy: Hierarchy::flat(["f", "m"]) };
    /// # let mut counter = Counter::new(1, 0);
    /// # [0, 1, 1].into_iter().for_each(|code| counter.add(&[code]));
    /// # let cube = Cube::of(vec![sex], Vec::new(), &[Part { counter, recode: vec![vec![0, 1]] }]);
    /// assert_eq!(cube.groups(&Scheme::new([0]))?, 2);
    /// assert_eq!(cube.groups(&Scheme::new([1]))?, 1);
    /// # Ok::<(), haggle_cube::Error>(())
    /// ```
    pub fn groups(&self, scheme: &Scheme) -> Result<usize, Error> {
        let space = self.space();
        if !space.contains(scheme) {
            return Err(Error::BadInput(format!("{scheme} is no scheme of this cube")));
        }
        let Marginal { layout, cells } = &self.marginals[0];
        let cells = climbed(cells, layout, &self.hierarchies(), &space.bottom(), scheme);
        Ok(any_width!(&cells, cells => {
            cells.chunk_by(|a, b| a.key.agrees_through(&b.key, layout.last)).count()
        }))
    }
}
