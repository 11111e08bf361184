//! (ρ₁,ρ₂)-privacy: unlikely values do not become likely, nor likely ones unlikely.
//!
//! Definition: with the prior belief f(s), the table's own distribution unless the project states
//! another, and the posterior belief β = n(g,s) / n(g): no value with f(s) < ρ₁ has β > ρ₂, and none
//! with f(s) > 1 − ρ₁ has β < 1 − ρ₂.
//! Citation: A. Evfimievski, J. Gehrke, R. Srikant, "Limiting privacy breaches in privacy preserving
//! data mining", PODS 2003; S.-Y. Hsu, 2008, definition 3.1.6. Beliefs of exactly ρ₂ and 1 − ρ₂ pass.
//! A prior f(s|q) that depends on a quasi-identifier is a matter of one publication's risk: a group
//! alone does not determine which of its values a person has.
//!
//! Shares in a merged group are between those of its parts: closed.

use haggle_cube::{Column, Passing, Group, Merging, Statistic};

use super::beyond;
use super::recursion::hopeless;
use crate::exact::{share, tidy};
use crate::{Error, Model, Parameter, Setting};

pub(super) const MODEL: Model = Model {
    id: "rho-privacy",
    title: "(rho1,rho2)-privacy",
    definition: "No sensitive value that was believed with less than rho1 is believed with more than rho2 after seeing the publication, and none that was believed with more than 1 - rho1 is believed with less than 1 - rho2.",
    formula: "f(s) < rho1 implies n(g,s)/n(g) <= rho2, and f(s) > 1 - rho1 implies n(g,s)/n(g) >= 1 - rho2",
    citation: "A. Evfimievski, J. Gehrke, R. Srikant: Limiting privacy breaches in privacy preserving data mining. PODS 2003",
    example: "A disease that 10 % of all have and half of a group: with rho1 = 0.2 it was unlikely, so rho2 must be at least 0.5; with rho1 = 0.1 it was not, and the group passes.",
    parameters: &[
        Parameter::number("rho2", "the largest belief in what was unlikely", beyond(0.0), beyond(1.0), Some(Passing::AtMost)).usually(0.5),
        Parameter::number("rho1", "below it a value was unlikely", beyond(0.0), beyond(1.0), Some(Passing::AtLeast)).usually(0.1),
    ],
    choices: &[],
    sensitive: true,
    states: &[],
    uses: &["prior"],
    reference: true,
    kind: Merging::Closed,
    stored: false,
    published_level: None,
    counts_records: true,
    statistic: |setting| Ok(Box::new(RhoPrivacy::of_setting(setting)?)),
};

/// The largest belief in what was unlikely; or the largest bound under which nothing was.
#[derive(Debug, Clone)]
pub struct RhoPrivacy {
    column: Column,
    /// For each value, the prior belief in it and against it.
    prior: Vec<(f64, f64)>,
    /// The values, in ascending order of the prior belief against them.
    likeliest: Vec<u32>,
    fixed: Fixed,
}

#[derive(Debug, Clone, Copy)]
enum Fixed {
    Rho1(f64),
    Rho2(f64),
}

impl Fixed {
    /// Returns the column with rho1 kept below rho2: nothing stronger is valid, so nothing stronger
    /// is offered.
    fn bound(self, column: Column) -> Column {
        let strongest = match self {
            Self::Rho1(rho1) => rho1.next_up(),
            Self::Rho2(rho2) => rho2.next_down(),
        };
        Column { strongest, ..column }
    }
}

impl RhoPrivacy {
    fn of_setting(setting: &Setting<'_>) -> Result<Self, Error> {
        let facts = setting.facts()?;
        if let Some(given) = facts.prior_given.as_ref().and_then(|prior| prior.given.as_ref()) {
            let name = &facts.target.name;
            let what = format!("rho-privacy compares groups with one prior of '{name}', and the project's depends on '{given}'");
            let fix = "state one prior for everyone, or examine the risk of a publication with the prior 'stated'";
            return Err(Error::new(what, fix));
        }
        let all = facts.records();
        let own = |&count: &u64| (share(count, all), share(all - count, all));
        let prior: Vec<(f64, f64)> = match &facts.prior {
            Some(stated) => stated.iter().map(|&belief| (belief, tidy(1.0 - belief))).collect(),
            None => facts.counts.iter().map(own).collect(),
        };
        let mut likeliest: Vec<u32> = (0..prior.len() as u32).collect();
        likeliest.sort_by(|&a, &b| prior[a as usize].1.total_cmp(&prior[b as usize].1));
        let given = (setting.given("rho1"), setting.given("rho2"));
        if let (Some(rho1), Some(rho2)) = given
            && rho1 >= rho2
        {
                let what = format!("rho1 = {rho1} is not below rho2 = {rho2}");
                return Err(Error::new(what, "choose rho1 below rho2"));
        }
        let fixed = if setting.negotiates("rho1") {
            Fixed::Rho2(setting.number("rho2")?)
        } else {
            Fixed::Rho1(setting.number("rho1")?)
        };
        Ok(Self { column: fixed.bound(setting.column(&[])), likeliest, prior, fixed })
    }

    /// Returns values with the prior and the posterior belief against them, in ascending order of
    /// the prior one.
    fn doubts<'a>(&'a self, group: &'a Group<'_>) -> impl Iterator<Item = (f64, f64)> + 'a {
        let known = group.known();
        self.likeliest.iter().map(move |&code| {
            let found = group.values.binary_search_by_key(&code, |value| value.code);
            let count = found.map_or(0, |at| group.values[at].count);
            (self.prior[code as usize].1, share(known - count, known))
        })
    }
}

impl Statistic for RhoPrivacy {
    fn column(&self) -> &Column {
        &self.column
    }

    fn of(&self, group: &Group<'_>) -> f64 {
        if group.values.is_empty() {
            return hopeless(&self.column);
        }
        let known = group.known();
        let beliefs = group.values.iter().map(|value| {
            (self.prior[value.code as usize].0, share(value.count, known))
        });
        match self.fixed {
            Fixed::Rho1(rho1) => {
                let risen = beliefs.filter(|(prior, _)| *prior < rho1).map(|(_, belief)| belief);
                let fallen = self.doubts(group).take_while(|(against, _)| *against < rho1);
                risen.chain(fallen.map(|(_, doubt)| doubt)).fold(0.0, f64::max)
            }
            Fixed::Rho2(rho2) => {
                let risen = beliefs.filter(|(_, belief)| *belief > rho2).map(|(prior, _)| prior);
                let fallen = self.doubts(group).find(|(_, doubt)| *doubt > rho2);
                let bounds = risen.chain(fallen.map(|(against, _)| against));
                bounds.fold(self.column.strongest, f64::min)
            }
        }
    }
}
