//! What the attacker is taken to know beforehand.

use std::path::Path;

use haggle_inference::belief::{JointPrior, MarginalPrior, Prior};
use haggle_model::{Error, QuasiIdentifier, Watched};
use haggle_privacy::Facts;
use haggle_project::Project;

use super::RiskInputs;
use super::knowledge::ByQuasiIdentifier;
use super::population::{Population, conditionals};

/// Makes a summary of a table as a prior, by its name.
pub(super) type MakeSummary<'a> = dyn Fn(&str) -> Result<Box<dyn Prior>, Error> + 'a;

/// Everything that a prior may be made from.
pub(super) struct PriorSources<'a> {
    pub(super) attributes: &'a [QuasiIdentifier],
    pub(super) watched: &'a Watched,
    pub(super) facts: &'a Facts,
    pub(super) population: Option<&'a Population>,
    pub(super) inputs: &'a RiskInputs<'a>,
    /// The project, which says what is missing.
    pub(super) project: Option<&'a Project>,
    /// The table's own joint distribution.
    pub(super) table: &'a dyn Fn() -> Result<JointPrior, Error>,
    /// A summary of the table, by its name.
    pub(super) summary: &'a MakeSummary<'a>,
}

impl PriorSources<'_> {
    /// The prior of this name.
    pub(super) fn prior(&self, name: &str) -> Result<Box<dyn Prior>, Error> {
        let (kind, rest) = name.split_once(':').unwrap_or((name, ""));
        match kind {
            "marginal" => Ok(Box::new(self.marginal())),
            "stated" => self.stated(),
            "table" => Ok(Box::new((self.table)()?)),
            "population" => self.of_population(),
            "summary" => (self.summary)(if rest.is_empty() { "histogram" } else { rest }),
            "conditionals" if self.inputs.files => {
                let (file, memory) = (Path::new(rest), self.inputs.memory);
                let prior =
                    conditionals(file, self.project, self.attributes, self.watched, memory)?;
                Ok(Box::new(prior))
            }
            _ => {
                let what = format!("there is no prior '{name}'");
                let fix =
                    "choose marginal, stated, table, population, summary:ID or conditionals:FILE";
                Err(Error::new(what, fix))
            }
        }
    }

    /// The stated prior of the project, else the distribution in the whole table.
    pub(super) fn marginal(&self) -> MarginalPrior {
        let stated = self.facts.prior.clone().map(MarginalPrior::new);
        stated.unwrap_or_else(|| MarginalPrior::of_counts(&self.facts.counts))
    }

    /// The prior that the project states, which may depend on a quasi-identifier: then combinations
    /// are as frequent as in the table.
    fn stated(&self) -> Result<Box<dyn Prior>, Error> {
        if let Some(given) = &self.facts.prior_given {
            let given = ByQuasiIdentifier::resolve(given, self.attributes)?;
            return Ok(Box::new(given.prior(&(self.table)()?, self.facts.values.len())?));
        }
        if self.facts.prior.is_some() {
            return Ok(Box::new(self.marginal()));
        }
        let what = format!("the project states no prior of '{}'", self.facts.target.name);
        Err(Error::new(what, "add prior = { … } to the attribute, or choose another prior"))
    }

    /// What the project states that attackers know of persons in addition.
    pub(super) fn alpha(&self) -> Result<Option<ByQuasiIdentifier>, Error> {
        let stated = self.facts.alpha.as_ref();
        stated.map(|alpha| ByQuasiIdentifier::resolve(alpha, self.attributes)).transpose()
    }

    fn of_population(&self) -> Result<Box<dyn Prior>, Error> {
        let population = self.population.ok_or_else(|| {
            Error::new("no population is given", "give a table of the population")
        })?;
        Ok(Box::new(population.prior(self.facts.values.len())?))
    }
}
