//! A guess at what a scheme suppresses, from the visited schemes: every level of every attribute
//! contributes a factor. Guesses only decide which scheme is visited next.

use super::levels::Levels;

/// Keeps factors small if little is known.
const RIDGE: f64 = 0.01;
/// Up to this many factors are fitted again after every visit; more factors are fitted less often.
const FEW: usize = 50;
/// One visit changes factors little once there are many: they are fitted again after this share of them.
const SHARE: usize = 64;

/// The factors, as logarithms, by least squares.
#[derive(Debug, Clone, Default)]
pub(super) struct SuppressionGuess {
    /// Where each attribute's levels begin among the factors; the last factor is common to all
    /// schemes.
    starts: Vec<usize>,
    size: usize,
    normal: Vec<f64>,
    right: Vec<f64>,
    factors: Vec<f64>,
    visits: usize,
}

impl SuppressionGuess {
    /// Builds the guess over attributes with these top levels.
    pub(super) fn over(tops: &[u8]) -> Self {
        let mut size = 0;
        let starts = tops.iter().map(|&top| {
            size += usize::from(top) + 1;
            size - usize::from(top) - 1
        });
        let starts = starts.collect();
        size += 1;
        let mut normal = vec![0.0; size * size];
        for i in 0..size {
            normal[i * size + i] = RIDGE;
        }
        let (right, factors) = (vec![0.0; size], vec![0.0; size]);
        Self { starts, size, normal, right, factors, visits: 0 }
    }

    fn features(&self, levels: &[u8]) -> Vec<usize> {
        let of = |(start, level): (&usize, &u8)| start + usize::from(*level);
        self.starts.iter().zip(levels).map(of).chain([self.size - 1]).collect()
    }

    /// Adds what a scheme suppresses.
    pub(super) fn learn(&mut self, levels: &[u8], cost: u64) {
        let (features, cost) = (self.features(levels), (cost as f64 + 0.5).ln());
        for &i in &features {
            for &j in &features {
                self.normal[i * self.size + j] += 1.0;
            }
            self.right[i] += cost;
        }
        self.visits += 1;
        let rarely = (self.size / FEW).pow(2).max(self.visits / SHARE).max(1);
        if self.visits.is_multiple_of(rarely) {
            self.factors = solved(self.normal.clone(), self.right.clone());
        }
    }

    /// Returns at most `most` schemes of a height between two that may suppress least. Factors of
    /// attributes are independent, so partial solutions over some attributes extend to more.
    pub(super) fn cheapest(
        &self,
        low: &[u8],
        high: &[u8],
        height: u32,
        most: usize,
    ) -> Vec<Levels> {
        let mut by_height: Vec<Vec<(f64, Levels)>> = vec![Vec::new(); height as usize + 1];
        by_height[0].push((0.0, Levels::new()));
        for (attribute, &start) in self.starts.iter().enumerate() {
            let mut next: Vec<Vec<(f64, Levels)>> = vec![Vec::new(); by_height.len()];
            for level in low[attribute]..=high[attribute] {
                let factor = self.factors[start + usize::from(level)];
                for (next, below) in next.iter_mut().skip(level.into()).zip(&by_height) {
                    next.extend(below.iter().map(|(factors, levels)| {
                        (factors + factor, [levels.as_slice(), &[level]].concat())
                    }));
                }
            }
            for schemes in &mut next {
                schemes.sort_by(|one, other| one.0.total_cmp(&other.0));
                schemes.truncate(most);
            }
            by_height = next;
        }
        by_height.pop().into_iter().flatten().map(|(_, levels)| levels).collect()
    }

    /// Returns the guess at what a scheme suppresses.
    pub(super) fn cost(&self, levels: &[u8]) -> f64 {
        self.features(levels).iter().map(|&i| self.factors[i]).sum::<f64>().exp() - 0.5
    }
}

/// Solves a symmetric, positive definite system of equations.
fn solved(mut matrix: Vec<f64>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for i in 0..size {
        for row in i + 1..size {
            let factor = matrix[row * size + i] / matrix[i * size + i];
            if factor != 0.0 {
                for column in i..size {
                    matrix[row * size + column] -= factor * matrix[i * size + column];
                }
                right[row] -= factor * right[i];
            }
        }
    }
    for i in (0..size).rev() {
        let known: f64 = (i + 1..size).map(|j| matrix[i * size + j] * right[j]).sum();
        right[i] = (right[i] - known) / matrix[i * size + i];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn true_factors_are_recovered() {
        let mut guess = SuppressionGuess::over(&[2, 1]);
        for (a, one) in [100.0, 10.0, 1.0].into_iter().enumerate() {
            for (b, other) in [40.0, 8.0].into_iter().enumerate() {
                (0..40).for_each(|_| guess.learn(&[a as u8, b as u8], (one * other) as u64));
            }
        }
        assert!((guess.cost(&[1, 0]) - 400.0).abs() < 20.0, "{}", guess.cost(&[1, 0]));
        assert!((guess.cost(&[2, 1]) - 8.0).abs() < 1.0, "{}", guess.cost(&[2, 1]));
        assert_eq!(guess.cheapest(&[0, 0], &[2, 1], 3, 5), [[2, 1]]);
        assert_eq!(guess.cheapest(&[0, 0], &[2, 1], 1, 5), [[1, 0], [0, 1]]);
        assert_eq!(guess.cheapest(&[0, 0], &[2, 1], 2, 1).len(), 1);
    }
}
