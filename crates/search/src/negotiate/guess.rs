//! A guess at what a scheme suppresses, from those that were looked at: every level of every attribute
//! changes it by a factor of its own. Guesses only decide what is looked at next.

/// Keeps factors small where little is known.
const RIDGE: f64 = 0.01;
/// Factors are fitted anew after so many looks.
const REFIT: usize = 1;

/// The factors, as logarithms, by least squares.
#[derive(Debug, Clone, Default)]
pub(super) struct Guess {
    /// Where each attribute's levels begin among the factors; the last is that of all schemes.
    starts: Vec<usize>,
    size: usize,
    normal: Vec<f64>,
    right: Vec<f64>,
    factors: Vec<f64>,
    looks: usize,
}

impl Guess {
    /// Over attributes with these tops.
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
        Self { starts, size, normal, right, factors, looks: 0 }
    }

    fn features(&self, levels: &[u8]) -> Vec<usize> {
        let of = |(start, level): (&usize, &u8)| start + usize::from(*level);
        self.starts.iter().zip(levels).map(of).chain([self.size - 1]).collect()
    }

    /// Learns what a scheme suppresses.
    pub(super) fn learn(&mut self, levels: &[u8], cost: u64) {
        let (features, cost) = (self.features(levels), (cost as f64 + 0.5).ln());
        for &i in &features {
            for &j in &features {
                self.normal[i * self.size + j] += 1.0;
            }
            self.right[i] += cost;
        }
        self.looks += 1;
        if self.looks.is_multiple_of(REFIT) {
            self.factors = solved(self.normal.clone(), self.right.clone());
        }
    }

    /// What a scheme may suppress.
    pub(super) fn cost(&self, levels: &[u8]) -> f64 {
        self.features(levels).iter().map(|&i| self.factors[i]).sum::<f64>().exp() - 0.5
    }
}

/// The solution of a symmetric, positive definite system of equations.
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
    fn factors_that_are_there_are_found() {
        let mut guess = Guess::over(&[2, 1]);
        for (a, one) in [100.0, 10.0, 1.0].into_iter().enumerate() {
            for (b, other) in [40.0, 4.0].into_iter().enumerate() {
                (0..40).for_each(|_| guess.learn(&[a as u8, b as u8], (one * other) as u64));
            }
        }
        assert!((guess.cost(&[1, 0]) - 400.0).abs() < 20.0, "{}", guess.cost(&[1, 0]));
        assert!((guess.cost(&[2, 1]) - 4.0).abs() < 1.0, "{}", guess.cost(&[2, 1]));
    }
}
