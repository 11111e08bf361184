//! From one scheme's cells straight to those of any scheme above it.

use haggle_model::{Hierarchy, Scheme};

use crate::cells::climb;
use crate::cube::{Cells, Marginal, any_width};
use crate::key::{Key, Layout};
use crate::{Cube, Error};

/// The cells of `to`, from those of `from`, which is under it.
pub(crate) fn climbed(
    cells: &Cells,
    layout: &Layout,
    hierarchies: &[&Hierarchy],
    from: &Scheme,
    to: &Scheme,
) -> Cells {
    let maps: Vec<Option<Vec<u32>>> = (0..hierarchies.len())
        .map(|position| between(hierarchies[position], position, from, to))
        .collect();
    match cells {
        Cells::Word(cells) => Cells::Word(climb(cells, layout, &maps)),
        Cells::Double(cells) => Cells::Double(climb(cells, layout, &maps)),
        Cells::Any(cells) => Cells::Any(climb(cells, layout, &maps)),
    }
}

/// What each code of an attribute becomes between two schemes; none if it stays.
fn between(hierarchy: &Hierarchy, position: usize, from: &Scheme, to: &Scheme) -> Option<Vec<u32>> {
    let (low, high) = (from.level(position), to.level(position));
    (low < high).then(|| {
        let mut map: Vec<u32> = hierarchy.parents(low).to_vec();
        for level in low.index() + 1..high.index() {
            let parents = hierarchy.parents((level as u8).into());
            for code in &mut map {
                *code = parents[*code as usize];
            }
        }
        map
    })
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
