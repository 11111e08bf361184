//! The line that the numbers or dates of an attribute lie on, and the ends of intervals between
//! them.

use crate::hierarchy::day_line;
use crate::interval::date_format;
use crate::{DateFormat, Hierarchy, Level, is_unmatched};

/// Above this, whole numbers are not distinguished from their neighbours.
const MOST_WHOLE: f64 = 9_007_199_254_740_992.0;

/// How the places of an attribute's values are written.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Scale {
    /// Whole numbers, with at least this many digits.
    Whole(usize),
    /// Any numbers.
    Decimal,
    /// Dates.
    Dates,
}

/// The places of an attribute's values on a line.
///
/// Cuts between values are *round*: of the numbers that are allowed, a multiple of the coarsest step
/// 5, 2 or 1 times a power of ten; of dates, the first day of a century, decade, year, quarter or
/// month.
///
/// ```
/// use haggle_model::{Axis, Hierarchy};
///
/// let income = Hierarchy::flat(["12100", "32371", "41000", "9999999"]);
/// let axis = Axis::over(&income, &[0, 1, 2, 3]).unwrap();
/// // One person each has 32371 and 41000.
/// let cut = axis.cut(32371.0, 41000.0, |number| ![32371.0, 41000.0].contains(&number));
/// assert_eq!(axis.label(None, Some(cut)), "<40000");
/// assert_eq!(axis.label(Some(cut), None), "≥40000");
/// assert_eq!(axis.label(Some(20000.0), Some(cut)), "20000–39999");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    scale: Scale,
    /// By recorded code, its place if it has one.
    places: Vec<Option<f64>>,
}

impl Axis {
    /// Builds the axis of an attribute of which only the values with these ascending codes may be
    /// looked at; other values have a place if they are written alike. Returns none if fewer than
    /// two of the values have a place, if they do not ascend, or if values without a place lie
    /// between them.
    pub fn over(hierarchy: &Hierarchy, codes: &[u32]) -> Option<Self> {
        let label = |code: u32| hierarchy.label(code, Level::RECORDED);
        let known = || codes.iter().map(|&code| label(code)).filter(|label| !is_unmatched(label));
        let format = if known().filter(|label| number(label).is_some()).count() < 2 {
            Some(date_format(&known())?)
        } else {
            None
        };
        let place = |label: &str| match &format {
            None => number(label),
            Some(format) => day_line::place(format, label),
        };
        let placed: Vec<&str> = known().filter(|label| place(label).is_some()).collect();
        let of_placed: Vec<f64> = placed.iter().filter_map(|label| place(label)).collect();
        let scale = scale(format.as_ref(), &placed, &of_placed);
        let all = 0..hierarchy.len(Level::RECORDED) as u32;
        let axis = Self { scale, places: all.map(|code| place(label(code))).collect() };
        let first = codes.iter().position(|&code| axis.place(code).is_some())?;
        let run = codes[first..].iter().take_while(|&&code| axis.place(code).is_some()).count();
        let ascends = of_placed.is_sorted_by(|a, b| a < b);
        (of_placed.len() >= 2 && run == of_placed.len() && ascends).then_some(axis)
    }

    /// Returns the place of a recorded value.
    pub fn place(&self, code: u32) -> Option<f64> {
        self.places[code as usize]
    }

    /// Returns whether all values that were looked at are whole numbers.
    pub fn is_whole(&self) -> bool {
        matches!(self.scale, Scale::Whole(_))
    }

    /// Returns the roundest place to cut between two neighbouring values: above the first, and at
    /// most the second. `may_end` says which places may be written as an end. Where none may, the
    /// cut lies between the two, at a place that no value of this kind has.
    pub fn cut(&self, below: f64, above: f64, may_end: impl Fn(f64) -> bool) -> f64 {
        let is_whole = self.is_whole();
        // Of whole numbers the last one below the cut is written, and the cut itself.
        let may_cut = |at: &f64| {
            let lies_between = below < *at && *at <= above;
            lies_between && may_end(*at) && (!is_whole || may_end(*at - 1.0))
        };
        let round = match self.scale {
            Scale::Dates => day_line::round_places(above).find(may_cut),
            _ => round_numbers(below, above, is_whole).find(may_cut),
        };
        let between = if is_whole { below + 0.5 } else { below + (above - below) / 2.0 };
        round.unwrap_or(between)
    }

    /// Writes the values from a cut on and below a cut; a side without a cut is open.
    pub fn label(&self, from: Option<f64>, to: Option<f64>) -> String {
        match (from, to) {
            (None, None) => "(-∞,∞)".into(),
            (None, Some(to)) => format!("<{}", self.written(to)),
            (Some(from), None) => format!("≥{}", self.written(from)),
            (Some(from), Some(to)) if self.is_whole() => {
                // A cut between neighbouring whole numbers is not one of them.
                let last = if to.fract() == 0.0 { to - 1.0 } else { to };
                if from < last {
                    format!("{}–{}", self.written(from), self.written(last))
                } else {
                    self.written(from)
                }
            }
            (Some(from), Some(to)) => format!("[{},{})", self.written(from), self.written(to)),
        }
    }

    fn written(&self, place: f64) -> String {
        match self.scale {
            Scale::Dates => day_line::written(place),
            Scale::Decimal => place.to_string(),
            Scale::Whole(digits) => format!("{place:0>digits$}"),
        }
    }
}

/// Returns how values with these labels and places are written.
fn scale(format: Option<&DateFormat>, labels: &[&str], places: &[f64]) -> Scale {
    if format.is_some() {
        return Scale::Dates;
    }
    if !places.iter().all(|place| place.fract() == 0.0 && place.abs() < MOST_WHOLE) {
        return Scale::Decimal;
    }
    // Codes such as 01234 have a fixed number of digits.
    let digits = labels.iter().map(|label| label.len()).min().unwrap_or(0);
    let is_padded = labels.iter().any(|label| label.len() > 1 && label.starts_with('0'));
    let is_fixed = is_padded && labels.iter().all(|label| label.len() == digits);
    Scale::Whole(if is_fixed { digits } else { 0 })
}

/// Returns numbers up to a number, those that are multiples of the coarsest step first; of each
/// step the last two.
fn round_numbers(below: f64, above: f64, is_whole: bool) -> impl Iterator<Item = f64> {
    let coarsest = below.abs().max(above.abs()).log10().floor() as i32;
    let finest = if is_whole { 0 } else { (above - below).log10().floor() as i32 - 1 };
    let exponents = (finest..=coarsest.max(finest)).rev();
    let steps = exponents.flat_map(|exponent| [5.0, 2.0, 1.0].map(|step| (step, exponent)));
    steps.flat_map(move |(step, exponent)| {
        let power = 10_f64.powi(exponent.abs());
        let times = |n: f64| if exponent < 0 { n * step / power } else { n * step * power };
        let n = (above / times(1.0)).floor();
        // Adding zero turns the negative zero into zero.
        [times(n) + 0.0, times(n - 1.0) + 0.0]
    })
}

fn number(label: &str) -> Option<f64> {
    // Adding zero turns the negative zero into zero.
    label.parse::<f64>().ok().filter(|number| number.is_finite()).map(|number| number + 0.0)
}
