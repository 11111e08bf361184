//! Numbers of twice the precision, as unevaluated sums of two: for values that must be rounded
//! exactly once.
//!
//! An entropy is a sum of logarithms. Computed in `f64`, two groups with the same entropy can
//! differ in the last bit, and a merged group can fall below both of its parts, which no exact
//! entropy does. With about a hundred bits in intermediate results, the one rounding at the end
//! keeps order and equality: only a value within 2^-90 of the midpoint of two adjacent numbers
//! could be rounded either way.
//!
//! Citation: T. J. Dekker, "A floating-point technique for extending the available precision",
//! Numerische Mathematik 18, 1971.

use std::sync::LazyLock;

/// Up to here logarithms are looked up, because most groups are small.
const LOOKED_UP: u32 = 4096;
/// Powers of e are tabulated at this many points between two whole numbers.
const PLACES: f64 = 64.0;
/// Up to this power of e; no attribute has as many values.
const HIGHEST: f64 = 24.0;

/// An unevaluated sum; the second part is at most half a unit in the last place of the first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Double {
    high: f64,
    low: f64,
}

/// ln 2.
const LN_2: Double = Double { high: std::f64::consts::LN_2, low: 2.319_046_813_846_299_6e-17 };

impl Double {
    /// Zero.
    pub(crate) const ZERO: Self = Self { high: 0.0, low: 0.0 };

    fn of(high: f64) -> Self {
        Self { high, low: 0.0 }
    }

    /// The exact sum of two numbers.
    fn sum(a: f64, b: f64) -> Self {
        let high = a + b;
        let rest = high - a;
        Self { high, low: (a - (high - rest)) + (b - rest) }
    }

    /// The exact product of two numbers that are neither huge nor tiny.
    fn product(a: f64, b: f64) -> Self {
        let high = a * b;
        let ((a_high, a_low), (b_high, b_low)) = (split(a), split(b));
        let low = ((a_high * b_high - high) + a_high * b_low + a_low * b_high) + a_low * b_low;
        Self { high, low }
    }

    /// Adds a number of the same sign, which takes fewer steps.
    pub(crate) fn plus_alike(self, other: Self) -> Self {
        let high = Self::sum(self.high, other.high);
        let low = high.low + (self.low + other.low);
        let carried = high.high + low;
        Self { high: carried, low: low - (carried - high.high) }
    }

    fn plus(self, other: Self) -> Self {
        let (high, low) = (Self::sum(self.high, other.high), Self::sum(self.low, other.low));
        let carried = Self::sum(high.high, high.low + low.high);
        Self::sum(carried.high, carried.low + low.low)
    }

    pub(crate) fn minus(self, other: Self) -> Self {
        self.plus(Self { high: -other.high, low: -other.low })
    }

    fn times(self, other: Self) -> Self {
        let product = Self::product(self.high, other.high);
        let cross = self.high * other.low + self.low * other.high;
        Self::sum(product.high, product.low + cross)
    }

    pub(crate) fn over(self, divisor: f64) -> Self {
        let first = self.high / divisor;
        let rest = self.minus(Self::product(first, divisor));
        Self::sum(first, rest.high / divisor)
    }

    /// Multiplies by a power of two, exactly.
    fn scaled(self, power: f64) -> Self {
        Self { high: self.high * power, low: self.low * power }
    }

    /// e to this number.
    fn exp(self) -> Self {
        const HALVINGS: i32 = 9;
        let twos = (self.high / LN_2.high).round();
        let small = self.minus(LN_2.times(Self::of(twos))).scaled(2_f64.powi(-HALVINGS));
        // e^x − 1 by its series, then doubled: e^2x − 1 = 2(e^x − 1) + (e^x − 1)².
        let (mut term, mut less_one) = (small, small);
        for i in 2..10_u8 {
            term = term.times(small).over(f64::from(i));
            less_one = less_one.plus(term);
        }
        for _ in 0..HALVINGS {
            less_one = less_one.scaled(2.0).plus(less_one.times(less_one));
        }
        less_one.plus(Self::of(1.0)).scaled(2_f64.powi(twos as i32))
    }

    /// The natural logarithm of a number from 1.
    pub(crate) fn ln(number: u64) -> Self {
        static KNOWN: LazyLock<Vec<Double>> = LazyLock::new(|| {
            (0..LOOKED_UP).map(|n| Double::computed_ln(n.max(1).into())).collect()
        });
        let known = usize::try_from(number).ok().and_then(|number| KNOWN.get(number));
        known.copied().unwrap_or_else(|| Self::computed_ln(number))
    }

    /// Computes the logarithm by one step of Newton's method.
    fn computed_ln(number: u64) -> Self {
        let near = (number as f64).ln();
        let number = Self::sum((number >> 32 << 32) as f64, (number & 0xffff_ffff) as f64);
        let off = number.times(Self::of(-near).exp()).minus(Self::of(1.0));
        Self::of(near).plus(off)
    }

    /// n ln n.
    pub(crate) fn n_ln_n(number: u64) -> Self {
        static KNOWN: LazyLock<Vec<Double>> =
            LazyLock::new(|| (0..LOOKED_UP).map(|n| Double::computed_n_ln_n(n.into())).collect());
        let known = usize::try_from(number).ok().and_then(|number| KNOWN.get(number));
        known.copied().unwrap_or_else(|| Self::computed_n_ln_n(number))
    }

    fn computed_n_ln_n(number: u64) -> Self {
        Self::ln(number.max(1)).times(Self::of(number as f64))
    }

    /// Returns the number closest to e to this number, which is at least 0.
    ///
    /// A table and a short series give about 66 bits. If these do not determine the rounding, it is
    /// computed in full.
    pub(crate) fn nearest_exp(self) -> f64 {
        static KNOWN: LazyLock<Vec<Double>> = LazyLock::new(|| {
            let places = (0..(HIGHEST * PLACES) as u32).map(|place| f64::from(place) / PLACES);
            places.map(|place| Double::of(place).exp()).collect()
        });
        let place = (self.high * PLACES).round().max(0.0);
        let Some(known) = KNOWN.get(place as usize) else { return self.exp().high };
        let small = self.minus(Self::of(place / PLACES));
        let grown = known.plus(known.times(less_one(small)));
        let open = grown.high * 2_f64.powi(-62);
        let rounded = |off: f64| grown.high + (grown.low + off);
        if rounded(open).to_bits() == rounded(-open).to_bits() {
            rounded(0.0)
        } else {
            self.exp().high
        }
    }
}

/// e^x − 1 for an x of at most 1/128, to 66 bits of e^x.
fn less_one(x: Double) -> Double {
    let h = x.high;
    let series = 0.5
        + h * (1.0 / 6.0 + h * (1.0 / 24.0 + h * (1.0 / 120.0 + h * (1.0 / 720.0 + h / 5040.0))));
    Double::sum(h, x.low + h * h * series)
}

/// Splits the digits of a number into an upper and a lower half.
fn split(number: f64) -> (f64, f64) {
    const HALF: f64 = ((1 << 27) + 1) as f64;
    let scaled = HALF * number;
    let high = scaled - (scaled - number);
    (high, number - high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_and_exponentials_have_thirty_digits() {
        // ln 10 = 2.302585092994045684017991454684364207601101488628772976...
        let ten = Double::ln(10);
        assert_eq!(ten.high.to_bits(), std::f64::consts::LN_10.to_bits());
        assert!((ten.low + 2.170_756_223_382_249_4e-16).abs() < 1e-31, "{ten:?}");
        for n in [1, 2, 3, 5000, 7, 1000, 4_294_967_295, (1 << 40) + 1] {
            let back = Double::ln(n).exp().minus(Double::of(n as f64));
            assert!((back.high / n as f64).abs() < 1e-28, "{n}: {back:?}");
            assert_eq!(Double::ln(n).nearest_exp().to_bits(), (n as f64).to_bits());
        }
    }

    #[test]
    fn short_and_full_computation_round_equally() {
        for i in 0..20_000_u32 {
            let number = Double::of(f64::from(i)).over(1009.0);
            assert_eq!(number.nearest_exp().to_bits(), number.exp().high.to_bits(), "{i}");
        }
    }
}
