//! The groups of a file by the recorded values that their cells may stand for.

use haggle_cube::query::ValueSet;
use haggle_cube::{Cube, Group};
use haggle_inference::groups::FileColumns;
use haggle_model::{Level, QuasiIdentifier};

use crate::Inspection;

impl Inspection {
    /// Calls `visit` with every group of the counted file: its codes, the value sets of its cells, and
    /// the counts of one watched attribute's values. If a hierarchy does not explain a cell, the error
    /// is the name of its attribute.
    pub(crate) fn for_each_resolved(
        &self,
        file: &Cube,
        attributes: &[QuasiIdentifier],
        watched: usize,
        mut visit: impl FnMut(&[u32], Vec<ValueSet>, &Group<'_>),
    ) -> Result<(), String> {
        let mut cells = FileColumns::at_levels(attributes, |name| self.level(name));
        let mut unexplained = None;
        file.for_each_group(&file.space().bottom(), watched, |codes, group| {
            let side = |(position, &code): (usize, &u32)| {
                let cell = file.attributes()[position].hierarchy.shown(code, Level::RECORDED);
                cells.resolve(position, cell)
            };
            match codes.iter().enumerate().map(side).collect::<Result<Vec<ValueSet>, _>>() {
                Ok(sides) => visit(codes, sides, group),
                Err(unresolved) => unexplained = Some(unresolved.attribute),
            }
        });
        unexplained.map_or(Ok(()), Err)
    }
}
