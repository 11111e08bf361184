//! Linear diversity: at least l narrow ranges are needed to cover a group.
//!
//! Definition: an r-cover contains the values whose classes are at most r above that of its base. A
//! group passes if no fewer than l of them cover its values. Formula: the minimum number of
//! r-covers ≥ l. Citation: S.-Y. Hsu, "Database Anonymization and Protections of Sensitive
//! Attributes", master's thesis, Lakehead University, 2008, definition 3.6.4. The smallest value
//! not covered yet is the best next base, so the cover is found in one pass. Negotiated by r, the
//! statistic is the width at which l − 1 covers suffice, and r must stay below it.
//!
//! More values never need fewer covers: union-monotone.

use std::ops::Bound;

use haggle_cube::{Column, Passing, Group, Merging, Statistic};

use super::{HSU, from};
use crate::exact::tidy;
use crate::{Error, Model, Parameter, Setting};

pub(super) const MODEL: Model = Model {
    id: "linear-diversity",
    title: "(l,r)-linear diversity",
    definition: "In every group at least l ranges of width r are needed to cover the classes of the sensitive values.",
    formula: "the fewest intervals [cf(s0), cf(s0) + r] that cover { cf(s) : n(g,s) > 0 } are at least l",
    citation: HSU,
    example: "Classes 0, 1, 2, 2.5, 4, 5, 6, 8 and 9 with r = 2: the ranges from 0, 2.5, 5 and 8 cover them, so the group passes l = 4.",
    parameters: &[
        Parameter::count("l", "the fewest ranges that may cover a group").usually(2.0),
        Parameter::number("r", "the width of a range", from(0.0), Bound::Unbounded, Some(Passing::Above)).usually(1.0),
    ],
    choices: &[],
    sensitive: true,
    states: &["class_function"],
    uses: &["order"],
    reference: false,
    kind: Merging::UnionMonotone,
    stored: false,
    published_level: None,
    counts_records: false,
    statistic: |setting| Ok(Box::new(LinearDiversity::of_setting(setting)?)),
};

/// The fewest r-covers of a group; or the width at which fewer than l suffice.
#[derive(Debug, Clone)]
pub struct LinearDiversity {
    column: Column,
    classes: Vec<f64>,
    fixed: Fixed,
}

#[derive(Debug, Clone, Copy)]
enum Fixed {
    R(f64),
    L(usize),
}

impl LinearDiversity {
    fn of_setting(setting: &Setting<'_>) -> Result<Self, Error> {
        let facts = setting.facts()?;
        let classes =
            setting.stated(facts.classes.clone(), "class_function", "\"empirical\"")?;
        let fixed = if setting.negotiates("r") {
            Fixed::L(setting.number("l")? as usize)
        } else {
            Fixed::R(setting.number("r")?)
        };
        Ok(Self { column: setting.counting(facts.occurring(), &[]), classes, fixed })
    }
}

/// The fewest ranges of this width that cover sorted classes.
fn covers(classes: &[f64], width: f64) -> usize {
    let (mut covers, mut base) = (0, None);
    for &class in classes {
        if base.is_none_or(|base| tidy(class - base) > width) {
            (covers, base) = (covers + 1, Some(class));
        }
    }
    covers
}

/// The least width at which fewer than `l` ranges cover sorted classes.
///
/// `least[i]` is the least width at which some number of ranges cover the first i classes. One more
/// range begins at a class p: what is before it needs more width the larger p is, what it covers
/// itself less, so the best p is where the two meet.
fn sufficient(classes: &[f64], l: usize) -> f64 {
    if classes.len() < l {
        return 0.0;
    }
    let mut least: Vec<f64> = classes.iter().map(|class| class - classes[0]).collect();
    for _ in 2..l {
        least = (0..classes.len()).map(|end| one_more(classes, &least, end)).collect();
    }
    least.last().map_or(0.0, |width| tidy(*width))
}

/// Returns the least width for the classes up to `end` with one more range.
fn one_more(classes: &[f64], least: &[f64], end: usize) -> f64 {
    let before = |p: usize| if p == 0 { 0.0 } else { least[p - 1] };
    let within = |p: usize| classes[end] - classes[p];
    let (mut low, mut high) = (0, end);
    while low < high {
        let p = usize::midpoint(low, high);
        if before(p) < within(p) {
            low = p + 1;
        } else {
            high = p;
        }
    }
    let at = |p: usize| before(p).max(within(p));
    if low == 0 { at(low) } else { at(low).min(at(low - 1)) }
}

impl Statistic for LinearDiversity {
    fn column(&self) -> &Column {
        &self.column
    }

    fn of(&self, group: &Group<'_>) -> f64 {
        let mut classes: Vec<f64> =
            group.values.iter().map(|value| self.classes[value.code as usize]).collect();
        classes.sort_unstable_by(f64::total_cmp);
        match self.fixed {
            Fixed::R(r) => covers(&classes, r) as f64,
            Fixed::L(l) => sufficient(&classes, l),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// The fewest bases whose ranges cover all classes, by trying every set of them.
    fn exhaustive(classes: &[f64], width: f64) -> usize {
        let covered = |bases: u32| {
            classes.iter().all(|class| {
                let covers = |(i, base): (usize, &f64)| {
                    bases >> i & 1 == 1 && base <= class && tidy(class - base) <= width
                };
                classes.iter().enumerate().any(covers)
            })
        };
        let sets = (0_u32..1 << classes.len()).filter(|&bases| covered(bases));
        sets.map(|bases| bases.count_ones() as usize).min().unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(haggle_testkit::effort::cases(2000)))]

        #[test]
        fn the_greedy_cover_is_the_smallest(
            tenths in vec(0_u32..60, 1..10),
            width in 0_u32..30,
        ) {
            let mut classes: Vec<f64> = tenths.iter().map(|&t| f64::from(t) / 10.0).collect();
            classes.sort_unstable_by(f64::total_cmp);
            let width = f64::from(width) / 10.0;
            prop_assert_eq!(covers(&classes, width), exhaustive(&classes, width));
        }

        #[test]
        fn below_the_sufficient_width_l_covers_are_needed_and_at_it_fewer_do(
            tenths in vec(0_u32..60, 1..10),
            l in 2_usize..6,
        ) {
            let mut classes: Vec<f64> = tenths.iter().map(|&t| f64::from(t) / 10.0).collect();
            classes.sort_unstable_by(f64::total_cmp);
            let width = sufficient(&classes, l);
            prop_assert!(covers(&classes, width) < l);
            prop_assert!(width == 0.0 || covers(&classes, width - 0.01) >= l);
        }
    }
}
