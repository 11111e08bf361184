//! Categorical diversity: at least l sensitive categories are needed to cover a group.
//!
//! Definition: the values of a group are covered by sensitive categories, which may overlap, and by
//! the don't-care set, which counts as one. A group passes if the smallest cover has at least l
//! members. Formula: min |C| over covers C of {s : n(g,s) > 0} ≥ l.
//! Citation: S.-Y. Hsu, "Database Anonymization and Protections of Sensitive Attributes", master's thesis,
//! Lakehead University, 2008, definition 3.5.3. The don't-care set is disjoint from every category,
//! where the source prints the union for the intersection.
//!
//! More values never need fewer categories: union-monotone.

use haggle_cube::{Column, Group, Merging, Statistic};

use super::{CATEGORIES, HSU};
use crate::cover::minimum_set_cover;
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
    choices: &[],
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
        Ok(Self {
            column: setting.counting(sets, &[]),
            elements: members.iter().zip(&facts.dont_care).map(element).collect(),
            memo: Memo::default(),
        })
    }
}

/// Returns the categories of each value, which the project must state.
pub(super) fn members<'f>(setting: &Setting<'_>, facts: &'f Facts) -> Result<&'f [u64], Error> {
    let stated = (facts.categories > 0).then_some(facts.members.as_slice());
    setting.stated(stated, "categories", CATEGORIES)
}

impl Statistic for CategoricalDiversity {
    fn column(&self) -> &Column {
        &self.column
    }

    fn of(&self, group: &Group<'_>) -> f64 {
        let mut pattern: Vec<u64> =
            group.values.iter().map(|value| self.elements[value.code as usize]).collect();
        pattern.sort_unstable();
        pattern.dedup();
        self.memo.get(&pattern, || f64::from(minimum_set_cover(&pattern)))
    }
}
