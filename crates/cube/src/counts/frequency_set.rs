//! The groups of one scheme with their counts, from which those of any scheme above it are
//! computed.

use std::sync::Arc;

use haggle_model::Scheme;

use crate::counts::cells::{self, Cell, sort_and_merge};
use crate::counts::climb::climbed;
use crate::counts::cube::{Cells, Marginal, any_width};
use crate::counts::key::{Key, KeyLayout};
use crate::{Cube, Group};

/// The groups of a scheme, with the values of one watched attribute or of none.
///
/// ```
/// use haggle_cube::{Counter, Cube, FrequencySet, CountedPart};
/// use haggle_model::{Hierarchy, QuasiIdentifier, Scheme};
///
/// let sex = QuasiIdentifier { name: "sex".into(), hierarchy: Hierarchy::flat(["f", "m"]) };
/// let mut counter = Counter::new(1, 0);
/// [0, 1, 1].iter().for_each(|&code| counter.add(&[code]));
/// let cube = Cube::from_parts(vec![sex], Vec::new(), &[CountedPart { counter, recode: vec![vec![0, 1]] }]);
/// let recorded = FrequencySet::count(&cube, None);
/// let mut sizes = Vec::new();
/// recorded.for_each_group(|group| sizes.push(group.records));
/// recorded.rolled_up(&Scheme::new([1])).for_each_group(|group| sizes.push(group.records));
/// assert_eq!(sizes, [1, 2, 3]);
/// ```
#[derive(Debug, Clone)]
pub struct FrequencySet<'c> {
    cube: &'c Cube,
    scheme: Scheme,
    layout: Arc<KeyLayout>,
    cells: Cells,
}

impl<'c> FrequencySet<'c> {
    /// Builds the set of the base scheme, with the values of the watched attribute at this
    /// position.
    pub fn count(cube: &'c Cube, watched: Option<usize>) -> Self {
        let Marginal { layout, cells } = &cube.marginals[watched.unwrap_or(0)];
        let (layout, cells) = match watched {
            Some(_) => (layout.clone(), cells.clone()),
            None => (layout.without_values(), without_values(cells, layout)),
        };
        Self { cube, scheme: cube.space().bottom(), layout: layout.into(), cells }
    }

    /// The scheme.
    pub fn scheme(&self) -> &Scheme {
        &self.scheme
    }

    /// Rolls the set up to a scheme above.
    #[must_use]
    pub fn rolled_up(&self, to: &Scheme) -> Self {
        let hierarchies = self.cube.hierarchies();
        let cells = climbed(&self.cells, &self.layout, &hierarchies, &self.scheme, to);
        Self { cube: self.cube, scheme: to.clone(), layout: self.layout.clone(), cells }
    }

    /// Calls `visit` with every group, in an order that does not depend on what is watched.
    pub fn for_each_group(&self, mut visit: impl FnMut(&Group<'_>)) {
        any_width!(&self.cells, cells => {
            cells::for_each_group(cells, &self.layout, |_, group| visit(group));
        });
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> usize {
        self.cells.bytes()
    }
}

/// Merges cells over all watched values, as if these were generalized to the top of a hierarchy.
fn without_values(cells: &Cells, layout: &KeyLayout) -> Cells {
    fn one<K: Key>(cells: &[Cell<K>], layout: &KeyLayout) -> Vec<Cell<K>> {
        let mut cells: Vec<Cell<K>> = cells.iter().map(|cell| cell.with(layout.value, 0)).collect();
        sort_and_merge(&mut cells);
        cells
    }
    match cells {
        Cells::Word(cells) => Cells::Word(one(cells, layout)),
        Cells::Double(cells) => Cells::Double(one(cells, layout)),
        Cells::Any(cells) => Cells::Any(one(cells, layout)),
    }
}
