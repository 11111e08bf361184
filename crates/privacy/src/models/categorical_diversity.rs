//! Categorical diversity: at least l sensitive categories are needed to cover a group.
//!
//! Definition: the values of a group are covered by sensitive categories, which may overlap, and by
//! the don't-care set, which counts as one. A group passes if the smallest cover has at least l
//! members. Formula: min |C| over covers C of {s : n(g,s) > 0} ≥ l.
//! Citation: S.-Y. Hsu, "Database Anonymization and Protections of Sensitive Attributes", master's thesis,
//! Lakehead University, 2008, definition 3.5.3. The don't-care set is disjoint from every category,
//! where the source prints the union for the intersection.
//!
//! More values never need fewer categories: union-monotone. Where categories overlap and are too
//! many, the smallest cover is bounded from below: a group passes only on the safe side, and a
//! passing group may fail with another: free.

use haggle_cube::{Column, Group, Merging, Statistic};

use super::{CATEGORIES, COVER, HSU};
use crate::cover::{EXACT, fewest_sets, minimum_set_cover};
use crate::memo::Memo;
use crate::{Error, Facts, Model, Parameter, Setting};

pub(super) const MODEL: Model = Model {
    id: "categorical-diversity",
    title: "l-categorical diversity",
    definition: "In every group at least l sensitive categories (the don't-care set counts as one) are needed to cover the sensitive values.",
    formula: "the minimum set cover of { s : n(g,s) > 0 } by categories and the don't-care set has at least l members",
    citation: HSU,
    example: "Terminal illnesses are cancer and AIDS, infectious diseases AIDS and tuberculosis. A group with AIDS and cancer is covered by one category: it fails l = 2. With tuberculosis in place of AIDS two are needed, and it passes.",
    parameters: &[Parameter::count("l", "the fewest categories that may cover a group")],
    choices: &[COVER],
    sensitive: true,
    states: &["categories"],
    uses: &[],
    reference: false,
    kind: Merging::UnionMonotone,
    stored: false,
    published_level: None,
    counts_records: false,
    statistic: |setting| Ok(Box::new(CategoricalDiversity::of_setting(setting)?)),
};

/// The size of the smallest cover.
#[derive(Debug)]
pub struct CategoricalDiversity {
    column: Column,
    elements: Vec<u64>,
    bounds: bool,
    memo: Memo,
}

impl CategoricalDiversity {
    fn of_setting(setting: &Setting<'_>) -> Result<Self, Error> {
        let facts = setting.facts()?;
        let members = members(setting, facts)?;
        let sets = facts.categories + usize::from(facts.dont_care.contains(&true));
        let element = |(&mask, &dont_care): (&u64, &bool)| {
            if dont_care { 1 << facts.categories } else { mask }
        };
        let bounds = are_bounds(setting, facts)?;
        let choices: Vec<_> = bounds.then_some(BOUNDED).into_iter().collect();
        Ok(Self {
            column: bounded(setting.counting(sets, &choices), bounds),
            elements: members.iter().zip(&facts.dont_care).map(element).collect(),
            bounds,
            memo: Memo::default(),
        })
    }
}

/// Returns the categories of each value, which the project must state.
pub(super) fn members<'f>(setting: &Setting<'_>, facts: &'f Facts) -> Result<&'f [u64], Error> {
    let stated = (facts.categories > 0).then_some(facts.members.as_slice());
    setting.stated(stated, "categories", CATEGORIES)
}

/// The option in effect where covers are bounded.
pub(super) const BOUNDED: (&str, &str) = ("cover", "bounds");

/// Returns whether covers are bounded: as asked, else if they cannot be computed exactly.
pub(super) fn are_bounds(setting: &Setting<'_>, facts: &Facts) -> Result<bool, Error> {
    let overlap = facts.members.iter().any(|mask| mask.count_ones() > 1);
    let too_many = overlap && facts.categories > EXACT as usize;
    if too_many && setting.choice("cover") == Some("exact") {
        let (id, many) = (setting.model.id, facts.categories);
        let what = format!("{id} cannot cover {many} overlapping categories exactly");
        return Err(Error::new(what, "choose cover=bounds, or join categories until 20 are left"));
    }
    Ok(too_many || setting.choice("cover") == Some("bounds"))
}

/// Returns the column of a statistic that may be a bound, which merging may weaken.
pub(super) fn bounded(column: Column, bounds: bool) -> Column {
    let kind = if bounds { Merging::Free } else { column.kind };
    Column { kind, ..column }
}

impl Statistic for CategoricalDiversity {
    fn column(&self) -> &Column {
        &self.column
    }

    fn is_bound(&self) -> bool {
        self.bounds
    }

    fn of(&self, group: &Group<'_>) -> f64 {
        let mut pattern: Vec<u64> =
            group.values.iter().map(|value| self.elements[value.code as usize]).collect();
        pattern.sort_unstable();
        pattern.dedup();
        let fewest = if self.bounds { fewest_sets } else { minimum_set_cover };
        self.memo.get(&pattern, || f64::from(fewest(&pattern)))
    }
}
