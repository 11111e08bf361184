//! Density control: no sensitive category has too large a share of a group.
//!
//! Definition: every sensitive category, and the don't-care set, has a share of at most d. With
//! µ given, the don't-care set is exempt and has a share of at least µ instead.
//! Formula: max over categories c of n(g,c) / n(g) ≤ d [and n(g,Y) / n(g) ≥ µ].
//! Citation: S.-Y. Hsu, "Database Anonymization and Protections of Sensitive Attributes", master's thesis,
//! Lakehead University, 2008, definitions 3.5.5 and 3.5.6; a dilution overrides the bound on the
//! don't-care set, as its text says.
//!
//! Shares in a merged group are between those of its parts: closed.

use haggle_cube::{Column, Passing, Group, Merging, Statistic};

use super::categorical_diversity::members;
use super::dilution::diluted;
use super::recursion::hopeless;
use super::{HSU, beyond, from};
use crate::exact::share;
use crate::{Error, Model, Parameter, Setting};

pub(super) const MODEL: Model = Model {
    id: "density-control",
    title: "d-density control",
    definition: "In every group each sensitive category, and the don't-care set, has a share of at most d; with mu, the don't-care set is exempt and has a share of at least mu.",
    formula: "max over categories c of n(g,c) / n(g) <= d, and n(g,Y) / n(g) >= mu if mu is given",
    citation: HSU,
    example: "Of ten records four are terminal, four infectious, one of them both, and three neither: the shares are 0.4, 0.4 and 0.3, so the group passes d = 0.4; with mu = 0.3 it still does, with mu = 0.35 it does not.",
    parameters: &[
        Parameter::number("d", "the largest share of a category", beyond(0.0), beyond(1.0), Some(Passing::AtMost)).usually(0.5),
        Parameter {
            optional: true,
            ..Parameter::number("mu", "the least share of the don't-care set", from(0.0), from(1.0), Some(Passing::AtLeast)).usually(0.2)
        },
    ],
    choices: &[],
    sensitive: true,
    states: &["categories"],
    uses: &[],
    reference: false,
    kind: Merging::Closed,
    stored: false,
    published_level: None,
    counts_records: true,
    statistic: |setting| Ok(Box::new(DensityControl::of_setting(setting)?)),
};

/// The largest share of a category if the dilution passes; or the dilution if no share is too
/// large.
#[derive(Debug, Clone)]
pub struct DensityControl {
    column: Column,
    /// The sets of each value, including the don't-care set unless it is exempt.
    members: Vec<u64>,
    sets: usize,
    dont_care: Vec<bool>,
    mu: Option<f64>,
    /// The density, if the dilution is negotiated.
    d: Option<f64>,
}

impl DensityControl {
    fn of_setting(setting: &Setting<'_>) -> Result<Self, Error> {
        let facts = setting.facts()?;
        let mu = setting.given("mu");
        let negotiates_mu = setting.negotiates("mu");
        let exempt = mu.is_some() || negotiates_mu;
        let with_dont_care = |(&mask, &dont_care): (&u64, &bool)| {
            if dont_care && !exempt { 1 << facts.categories } else { mask }
        };
        let members = members(setting, facts)?;
        Ok(Self {
            column: setting.column(&[]),
            members: members.iter().zip(&facts.dont_care).map(with_dont_care).collect(),
            sets: facts.categories + 1,
            dont_care: facts.dont_care.clone(),
            mu: mu.filter(|_| !negotiates_mu),
            d: if negotiates_mu { Some(setting.number("d")?) } else { None },
        })
    }
}

/// Counts the records of a group in each of this many categories.
pub(super) fn by_category<'g>(
    group: &'g Group<'_>,
    members: &'g [u64],
    categories: usize,
) -> impl Iterator<Item = u64> + 'g {
    let holds = |category: usize, code: u32| members[code as usize] >> category & 1;
    (0..categories).map(move |category| {
        group.values.iter().map(|value| holds(category, value.code) * value.count).sum()
    })
}

impl Statistic for DensityControl {
    fn column(&self) -> &Column {
        &self.column
    }

    fn of(&self, group: &Group<'_>) -> f64 {
        if group.values.is_empty() {
            return hopeless(&self.column);
        }
        let densest = by_category(group, &self.members, self.sets).max().unwrap_or(0);
        let density = share(densest, group.known());
        let dilution = diluted(group, &self.dont_care);
        match (self.d, self.mu) {
            (Some(d), _) if density <= d => dilution,
            (None, mu) if mu.is_none_or(|mu| dilution >= mu) => density,
            _ => hopeless(&self.column),
        }
    }
}
