//! ψ: how hard it is to rule out each sensitive value of a group, given the other values in it.
//!
//! After S.-Y. Hsu, "Database Anonymization and Protections of Sensitive Attributes", 2008, section 3.6: an attacker who suspects the class of one record
//! cannot rule out a class x with a likelihood that falls like a bell around the suspicion. Summed
//! over the records of a group, each equally likely to be attacked,
//! ψ(x) = κ · Σ φ(x; cf(s), σ). Low values are easily ruled out; a value far above the others is
//! easily guessed. The source writes the width where the mean belongs; here the mean is cf(s).

use std::f64::consts::TAU;

use haggle_cube::Group;

/// ψ of each value of a group, by code: `classes` are the values' classes, `width` the standard
/// deviation of a suspicion.
pub fn security(classes: &[f64], group: &Group<'_>, width: f64, scale: f64) -> Vec<(u32, f64)> {
    let block: Vec<(f64, f64)> = group
        .values
        .iter()
        .map(|value| (classes[value.code as usize], value.count as f64))
        .collect();
    let of = security_of_values(&block, width, scale);
    group.values.iter().map(|value| value.code).zip(of).collect()
}

/// ψ at each class of a group of (class, records).
///
/// ```
/// let alone = haggle_privacy::security_of_values(&[(0.0, 1.0)], 1.0, 1.0);
/// let twice = haggle_privacy::security_of_values(&[(0.0, 2.0)], 1.0, 1.0);
/// assert_eq!(twice[0], 2.0 * alone[0]);
/// ```
pub fn security_of_values(block: &[(f64, f64)], width: f64, scale: f64) -> Vec<f64> {
    let bell =
        |x: f64, mean: f64| (-((x - mean) / width).powi(2) / 2.0).exp() / (width * TAU.sqrt());
    let at = |x: f64| block.iter().map(|(mean, records)| records * bell(x, *mean)).sum::<f64>();
    block.iter().map(|(class, _)| scale * at(*class)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The block of figure 3.6-3 and what the text reads from it: the lowest class is ruled out
    /// more easily than s3, s4 and s5; s8, which occurs twice, more easily than s1 and s3 and
    /// barely less easily than s4 and s5.
    #[test]
    fn the_published_block_is_as_described() {
        let classes = [0.0, 1.0, 2.0, 2.5, 4.0, 5.0, 6.0, 8.0, 9.0];
        let records = [1.0, 1.0, 2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0];
        let block: Vec<(f64, f64)> = classes.into_iter().zip(records).collect();
        let psi = security_of_values(&block, 1.0, 1.0);
        assert!(psi[0] < psi[3] && psi[0] < psi[4] && psi[0] < psi[5]);
        assert!(psi[8] < psi[1] && psi[8] < psi[3]);
        assert!(psi[8] > psi[4] && psi[8] > psi[5] && psi[8] < 1.2 * psi[4]);
        // s0 by hand: phi(0) + phi(1) + 2 phi(2) + phi(2.5), the rest below 0.0002.
        assert!((psi[0] - (0.398_942 + 0.241_971 + 2.0 * 0.053_991 + 0.017_528)).abs() < 2e-4);
    }
}
