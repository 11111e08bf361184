//! A table of probabilities over some variables, which can be extended and generalized.

use super::{NOWHERE, ValueMap};

/// One variable of a table.
#[derive(Debug, Clone, Copy)]
struct TensorAxis {
    variable: usize,
    size: usize,
    /// Whether its values are still as recorded.
    fine: bool,
}

/// Probabilities, the last axis varying fastest.
#[derive(Debug)]
pub(super) struct Tensor {
    axes: Vec<TensorAxis>,
    cells: Vec<f64>,
}

impl Tensor {
    /// Returns a table without variables.
    pub(super) fn unit() -> Self {
        Self { axes: Vec::new(), cells: vec![1.0] }
    }

    /// Returns the distance of cells that differ by one in the axis at this position.
    fn stride(&self, position: usize) -> usize {
        self.axes[position + 1..].iter().map(|axis| axis.size).product()
    }

    /// Adds a variable whose parents are included as recorded; `rows` has its probabilities for
    /// every combination of theirs.
    pub(super) fn extend(
        &mut self,
        variable: usize,
        parents: &[usize],
        rows: &[f64],
        size: usize,
        fine: bool,
    ) {
        let place = |parent: &usize| {
            let position = self.axes.iter().position(|axis| axis.variable == *parent && axis.fine);
            let position = position.expect("a parent stays as recorded while it is needed");
            (self.stride(position), self.axes[position].size)
        };
        let places: Vec<(usize, usize)> = parents.iter().map(place).collect();
        let mut cells = Vec::with_capacity(self.cells.len() * size);
        for (i, &cell) in self.cells.iter().enumerate() {
            let config = places.iter().fold(0, |config, &(stride, n)| config * n + i / stride % n);
            cells.extend(rows[config * size..][..size].iter().map(|share| cell * share));
        }
        self.cells = cells;
        self.axes.push(TensorAxis { variable, size, fine });
    }

    /// Generalizes a variable that is included as recorded.
    pub(super) fn coarsen(&mut self, variable: usize, map: &ValueMap) {
        let position = self.axes.iter().position(|axis| axis.variable == variable && axis.fine);
        let Some(position) = position else { return };
        let (inner, size) = (self.stride(position), self.axes[position].size);
        let mut cells = vec![0.0; self.cells.len() / size * map.size];
        for (from, to) in
            self.cells.chunks_exact(size * inner).zip(cells.chunks_exact_mut(map.size * inner))
        {
            for (part, &code) in from.chunks_exact(inner).zip(&map.codes) {
                if code != NOWHERE {
                    let sums = &mut to[code as usize * inner..][..inner];
                    sums.iter_mut().zip(part).for_each(|(sum, cell)| *sum += cell);
                }
            }
        }
        self.cells = cells;
        self.axes[position] = TensorAxis { variable, size: map.size, fine: false };
    }

    /// Returns the cells with the variables in their own order.
    pub(super) fn in_order(self) -> Vec<f64> {
        if self.axes.is_sorted_by_key(|axis| axis.variable) {
            return self.cells;
        }
        let mut order: Vec<usize> = (0..self.axes.len()).collect();
        order.sort_by_key(|&position| self.axes[position].variable);
        let steps: Vec<(usize, usize)> =
            order.iter().map(|&p| (self.axes[p].size, self.stride(p))).collect();
        let mut index = vec![0; steps.len()];
        let mut at = 0;
        let mut cells = Vec::with_capacity(self.cells.len());
        for _ in 0..self.cells.len() {
            cells.push(self.cells[at]);
            for (position, &(size, stride)) in steps.iter().enumerate().rev() {
                index[position] += 1;
                at += stride;
                if index[position] < size {
                    break;
                }
                at -= size * stride;
                index[position] = 0;
            }
        }
        cells
    }
}
