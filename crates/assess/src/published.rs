//! The published records as their readers see them, and what follows from them alone.
//!
//! The manifest and the public report are functions of the published records and of what the
//! curator stated. What needs the table is in the private report. A test exchanges who is
//! suppressed and expects the same bytes.

mod losses;
mod planned;
mod shown;

use haggle_api::risk::{ReidentificationRisk, SensitiveRisk};
use haggle_api::{MeasureSpec, Privacy, Threshold};
use haggle_engine::Engine;
use haggle_engine::criterion::{Criterion, unit};
use haggle_engine::failing::Failing;
use haggle_engine::recoded::Recoded;
use haggle_inference::utility::association;
use haggle_model::{Error, Level, QuasiIdentifier, Scheme, UNMATCHED, label_order};
use haggle_privacy::{DistanceKind, Facts, Stated};
use haggle_project::facts;
use haggle_project::facts::AllStated;

use crate::Inspection;
use crate::anatomy::must_be_one_table;
use crate::distance::suggested;
use crate::measure::Measured;
use crate::risk::{attacks_on_groups, risk_of_groups};
use crate::verify::{as_shown, as_values, failing};
use losses::StatedValues;
pub use shown::shown;

/// The records of a publication, written or planned. All that it says follows from these records
/// and from what the curator stated: whatever else was suppressed or dropped, it would be the same.
pub struct PublishedRecords {
    measured: Measured,
    /// The lowest levels at which the records look as they do, if they have one for each attribute.
    levels: Option<Scheme>,
    /// What the project states of its sensitive attributes.
    stated: AllStated,
    /// What the project states of the values of each quasi-identifier.
    domains: Vec<StatedValues>,
}

/// What published records attain by themselves.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct AttainedAlone {
    /// By model, what the weakest group attains; models that compare groups with the whole table
    /// are measured against the published records.
    pub attained: Vec<(String, Threshold)>,
    /// Whether every group passes every model that does not compare with the whole table.
    pub holds: bool,
}

/// How strongly a quasi-identifier is associated with a sensitive attribute in a publication.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PublishedAssociation {
    /// The quasi-identifier.
    pub attribute: String,
    /// The sensitive attribute.
    pub with: String,
    /// Cramér's V.
    pub cramers_v: f64,
}

impl PublishedRecords {
    /// Returns the records that a recoding would publish, without the groups that fail.
    pub fn planned(
        engine: &Engine,
        recoded: &Recoded<'_>,
        failing: &Failing,
        criteria: &[Criterion],
    ) -> Result<Self, Error> {
        let measured = Measured::of_cube(planned::cube(engine, recoded, failing, criteria)?);
        let lowest = recoded.lowest_schemes(failing).into_iter().next();
        let levels = lowest.filter(|_| recoded.levels().is_some());
        Self::from_measured(engine, measured, levels)
    }

    /// Returns the records of a published file; its manifest may say the levels.
    pub fn of_file(
        engine: &Engine,
        inspection: &Inspection,
        levels: Option<Scheme>,
    ) -> Result<Self, Error> {
        must_be_one_table(inspection.sensitive_table(), "a report")?;
        Self::from_measured(engine, inspection.measured()?, levels)
    }

    fn from_measured(
        engine: &Engine,
        measured: Measured,
        levels: Option<Scheme>,
    ) -> Result<Self, Error> {
        let attributes = measured.cube().attributes().iter();
        let domains = attributes.map(|a| StatedValues::read(engine.project(), &a.name));
        let domains = domains.collect::<Result<_, _>>()?;
        Ok(Self { domains, measured, levels, stated: engine.stated().clone() })
    }

    /// How many records there are.
    pub fn records(&self) -> u64 {
        self.measured.records()
    }

    /// How many groups there are, without suppressed records that were kept with stars.
    pub fn groups(&self) -> u64 {
        self.measured.count_groups()
    }

    /// The lowest levels at which the records look as they do, if they have one for each attribute.
    pub fn levels(&self) -> Option<&Scheme> {
        self.levels.as_ref()
    }

    /// The quasi-identifiers, each with the values that occur.
    pub fn values(&self) -> Vec<(&str, Vec<String>)> {
        let values = |attribute: &QuasiIdentifier| {
            let mut labels = labels(attribute);
            labels.retain(|label| *label != UNMATCHED);
            labels.sort_by(|a, b| label_order(a, b));
            labels.into_iter().map(str::to_owned).collect()
        };
        let attributes = self.measured.cube().attributes().iter();
        attributes.map(|attribute| (attribute.name.as_str(), values(attribute))).collect()
    }

    /// Measures what is promised in these records alone. A model that cannot be measured without
    /// the table is left out.
    pub fn attained(&self, privacy: &[Privacy]) -> Result<AttainedAlone, Error> {
        let unit = unit(self.measured.cube());
        let (recorded, shown) = (self.facts()?, as_values(&self.measured)?);
        let is_twice = |one: &Privacy| privacy.iter().filter(|p| p.model == one.model).count() > 1;
        let mut found = AttainedAlone { attained: Vec::new(), holds: true };
        for one in privacy {
            let (model, arguments) = one.resolve()?;
            let facts = if model.published_level.is_some() { &shown } else { &recorded };
            let asked = as_shown(std::slice::from_ref(one));
            let Ok(mut criteria) = Criterion::all(&asked, facts, unit.as_ref()) else { continue };
            criteria[0].arguments = arguments; // reported as it was asked
            let criterion = &criteria[0];
            let Some(weakest) = self.measured.weakest(criterion) else { continue };
            let name = if is_twice(one) {
                criterion.judge().column().id.clone()
            } else {
                criterion.label.clone()
            };
            found.attained.push((name, criterion.threshold(0, weakest)));
            found.holds &= model.reference || failing(&[(&self.measured, criterion)]) == 0;
        }
        Ok(found)
    }

    /// Measures how far records can be picked out.
    pub fn risk(&self) -> ReidentificationRisk {
        risk_of_groups(self.measured.cube())
    }

    /// Runs the attacks of readers, who know nothing but these records. `k` is the promised one.
    pub fn attacks(&self, k: Option<u64>) -> Result<Vec<SensitiveRisk>, Error> {
        attacks_on_groups(self.measured.cube(), &self.facts()?, k)
    }

    /// Measures the association of each quasi-identifier with each sensitive attribute.
    pub fn associations(&self) -> Vec<PublishedAssociation> {
        let cube = self.measured.cube();
        let mut found = Vec::new();
        for (position, watched) in cube.sensitive() {
            let missing = watched.values.len() as u32;
            for (i, attribute) in cube.attributes().iter().enumerate() {
                let mut pairs = Vec::new();
                cube.for_each_group(&cube.space().bottom(), position, |codes, group| {
                    let known = group.values.iter().map(|value| (value.code, value.count));
                    let gaps = (missing, group.records - group.known());
                    pairs.extend(known.chain([gaps]).map(|(value, n)| (codes[i], value, n)));
                });
                found.push(PublishedAssociation {
                    attribute: attribute.name.clone(),
                    with: watched.name.clone(),
                    cramers_v: association(pairs).cramers_v,
                });
            }
        }
        found
    }

    /// Measures what is lost over these records; or says why that does not follow from them.
    pub fn loss(&self, spec: &MeasureSpec) -> Result<f64, String> {
        losses::loss(self, spec)
    }

    /// What is known of the sensitive attributes from the records and the project alone. What is
    /// stated and does not fit the published values is left out.
    fn facts(&self) -> Result<Vec<Facts>, Error> {
        let plain = facts::facts(self.measured.cube(), &AllStated::new())?;
        let with_statements = |plain: Facts| {
            let none = Stated::default();
            let stated = self.stated.get(&plain.target.name).unwrap_or(&none);
            let values: Vec<String> = plain.values.values().map(str::to_owned).collect();
            let distance = suggested(stated, &values).unwrap_or(DistanceKind::Equal);
            // What depends on recorded quasi-identifiers cannot be applied to published ones.
            let stated = Stated {
                distance: Some(distance),
                prior_given: None,
                alpha: None,
                ..stated.clone()
            };
            let Facts { target, values, counts, .. } = plain.clone();
            facts::resolve(target, values, counts, &stated).unwrap_or(plain)
        };
        Ok(plain.into_iter().map(with_statements).collect())
    }
}

/// The values of an attribute of published records, by code.
fn labels(attribute: &QuasiIdentifier) -> Vec<&str> {
    let codes = 0..attribute.hierarchy.len(Level::RECORDED) as u32;
    codes.map(|code| attribute.hierarchy.shown(code, Level::RECORDED)).collect()
}
