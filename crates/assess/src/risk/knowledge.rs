//! What an attacker knows that depends on a quasi-identifier: priors f(s|q) and factors α(q,s).

use haggle_cube::query::ValueSet;
use haggle_inference::PublishedGroups;
use haggle_inference::belief::{JointPrior, Prior};
use haggle_model::{Error, Level, QuasiIdentifier};
use haggle_privacy::Conditional;

/// Numbers of the sensitive values, by the recorded code of a quasi-identifier.
#[derive(Debug)]
pub(super) struct ByQuasiIdentifier {
    position: usize,
    rows: Vec<Option<Vec<f64>>>,
}

impl ByQuasiIdentifier {
    /// Resolves what is stated of the values of an attribute; a value may be of any level.
    pub(super) fn resolve(
        stated: &Conditional,
        attributes: &[QuasiIdentifier],
    ) -> Result<Self, Error> {
        let Some(given) = &stated.given else {
            let everyone = stated.rows.first().map(|(_, numbers)| numbers.clone());
            let codes = attributes.first().map_or(0, |a| a.hierarchy.len(Level::RECORDED));
            return Ok(Self { position: 0, rows: vec![everyone; codes] });
        };
        let position = attributes.iter().position(|a| a.name == *given).ok_or_else(|| {
            let names: Vec<&str> = attributes.iter().map(|a| a.name.as_str()).collect();
            let what = format!(
                "the project states what depends on '{given}', which is not a quasi-identifier here"
            );
            Error::new(what, format!("choose quasi-identifiers with it; now: {}", names.join(", ")))
        })?;
        let hierarchy = &attributes[position].hierarchy;
        let mut rows: Vec<Option<Vec<f64>>> = vec![None; hierarchy.len(Level::RECORDED)];
        for (label, numbers) in &stated.rows {
            let codes = hierarchy.named(label).ok_or_else(|| {
                let what = format!("'{label}' is not a value of '{given}' at any level");
                Error::new(what, "state values as they are recorded, or of the hierarchy")
            })?;
            for code in codes {
                if rows[code as usize].replace(numbers.clone()).is_some() {
                    let value = hierarchy.label(code, Level::RECORDED);
                    let what = format!("'{value}' of '{given}' is stated twice, once by '{label}'");
                    return Err(Error::new(what, "state each recorded value once"));
                }
            }
        }
        Ok(Self { position, rows })
    }

    /// The numbers of a recorded combination, if any are stated.
    fn at(&self, codes: &[u32]) -> Option<&[f64]> {
        self.rows.get(*codes.get(self.position)? as usize)?.as_deref()
    }

    /// The prior of these conditionals over the combinations of a table.
    pub(super) fn prior(&self, table: &JointPrior, values: usize) -> Result<JointPrior, Error> {
        let all: f64 = table.rows().map(|(_, weight)| weight).sum();
        let mut stated = Vec::new();
        for (codes, weight) in table.rows() {
            let given = self.at(codes).ok_or_else(|| {
                let what =
                    "the stated prior leaves out a value of the quasi-identifier it depends on";
                Error::new(what, "state the probabilities for each of its values")
            })?;
            stated.push((codes.to_vec(), weight / all, given.to_vec()));
        }
        JointPrior::of_conditionals(values, stated)
    }
}

/// A prior of an attacker who also knows α(q,s) of each person: β is proportional to
/// n(q*,s) · α(q,s) · f(s|q) / f(s|q*).
#[derive(Debug)]
pub(super) struct Informed<'a> {
    pub(super) prior: &'a dyn Prior,
    pub(super) alpha: Option<&'a ByQuasiIdentifier>,
}

impl Prior for Informed<'_> {
    fn at(&self, codes: &[u32]) -> Vec<f64> {
        let mut weights = self.prior.at(codes);
        if let Some(factors) = self.alpha.and_then(|alpha| alpha.at(codes)) {
            weights.iter_mut().zip(factors).for_each(|(weight, factor)| *weight *= factor);
        }
        weights
    }

    fn within(&self, sides: &[&ValueSet]) -> Vec<f64> {
        self.prior.within(sides)
    }

    fn total(&self) -> Vec<f64> {
        self.prior.total()
    }

    fn counts_persons(&self) -> bool {
        self.prior.counts_persons()
    }

    fn within_groups(&self, groups: &PublishedGroups<'_>) -> Vec<Vec<f64>> {
        self.prior.within_groups(groups)
    }
}
