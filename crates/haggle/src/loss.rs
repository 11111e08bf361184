//! Loss in requests: which measure, on what, and what each scheme loses by it.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use haggle_cube::{Cube, FullLattice, Kept, Lattice, Limits, Loss, Watch, Weighed, rounded};
use haggle_loss::{Basis, Measure};
use haggle_model::Scheme;
use haggle_privacy::{Facts, TCloseness};
use haggle_search::optimize::Losses;
use serde::{Deserialize, Serialize, Serializer};

use crate::Error;
use crate::criterion::Criterion;
use crate::publish::{Failing, failing_groups};

/// A loss measure as asked for: its id, weights of quasi-identifiers, and the attribute it looks at.
///
/// ```
/// use haggle::Judge;
///
/// let plain: Judge = "lm".parse()?;
/// let weighted: Judge = "lm:age=2,race=0.5".parse()?;
/// assert_eq!(plain.measure, weighted.measure);
/// assert_eq!(weighted.to_string(), "lm:age=2,race=0.5");
/// # Ok::<(), haggle::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Judge {
    /// The measure's id.
    pub measure: String,
    /// The sensitive attribute it looks at, where it looks at one.
    pub on: Option<String>,
    /// How much quasi-identifiers count; 1 if not named.
    pub weights: BTreeMap<String, f64>,
}

impl fmt::Display for Judge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let weights = self.weights.iter().map(|(name, weight)| format!("{name}={weight}"));
        let on = self.on.iter().map(|on| format!("on={on}"));
        let words: Vec<String> = on.chain(weights).collect();
        f.write_str(&self.measure)?;
        if words.is_empty() { Ok(()) } else { write!(f, ":{}", words.join(",")) }
    }
}

impl FromStr for Judge {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let refuse = || {
            let what = format!("'{text}' is no loss measure");
            Error::new(what, "write a measure such as lm, or with weights lm:age=2,race=0.5")
        };
        let (measure, words) = text.split_once(':').map_or((text, None), |(m, w)| (m, Some(w)));
        let mut judge = Self { measure: measure.trim().into(), ..Self::default() };
        let entry = judge.entry()?;
        for word in words.into_iter().flat_map(|words| words.split(',')) {
            let (name, value) = word.rsplit_once('=').ok_or_else(refuse)?;
            let (name, value) = (name.trim(), value.trim());
            if name == "on" {
                if !entry.watches || judge.on.replace(value.into()).is_some() {
                    return Err(no_effect(entry, word));
                }
                continue;
            }
            if !entry.weighted {
                return Err(no_effect(entry, word));
            }
            let weight: f64 = value.parse().map_err(|_| refuse())?;
            if !(weight >= 0.0 && weight.is_finite()) {
                let what = format!("the weight {value} of '{name}' is out of range");
                return Err(Error::new(what, "choose a weight of at least 0"));
            }
            if judge.weights.insert(name.into(), weight).is_some() {
                return Err(Error::new(format!("'{name}' is weighted twice"), "weigh it once"));
            }
        }
        Ok(judge)
    }
}

/// A word after a measure that would change nothing.
fn no_effect(entry: &Measure, word: &str) -> Error {
    let takes = match (entry.weighted, entry.watches) {
        (true, true) => "takes weights and one sensitive attribute (on=NAME)",
        (true, false) => "takes weights of attributes, and looks at no sensitive attribute",
        (false, true) => "takes one sensitive attribute (on=NAME), and no weights",
        (false, false) => "takes neither weights nor a sensitive attribute",
    };
    let what = format!("'{}' has no effect on {}", word.trim(), entry.id);
    Error::new(what, format!("leave it out: {} {takes}", entry.id))
}

impl Serialize for Judge {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Judge {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl Judge {
    /// The measure that is told unless another is asked for: the mean loss of a cell.
    pub fn plain() -> Self {
        Self { measure: "lm".into(), ..Self::default() }
    }

    fn entry(&self) -> Result<&'static Measure, Error> {
        haggle_loss::find(&self.measure).ok_or_else(|| {
            let known: Vec<_> = haggle_loss::CATALOG.iter().map(|measure| measure.id).collect();
            let what = format!("there is no loss measure '{}'", self.measure);
            Error::new(what, format!("choose one of: {}", known.join(", ")))
        })
    }

    /// The measure on a table.
    pub(crate) fn on(&self, cube: &Cube, facts: &[Facts]) -> Result<Judging, Error> {
        let entry = self.entry()?;
        let names: Vec<&str> = cube.attributes().iter().map(|a| a.name.as_str()).collect();
        if let Some(name) = self.weights.keys().find(|name| !names.contains(&name.as_str())) {
            let what = format!("'{name}' is not among the quasi-identifiers asked for");
            return Err(Error::new(what, format!("choose from: {}", names.join(", "))));
        }
        let weight = |name: &&str| self.weights.get(*name).copied().unwrap_or(1.0);
        let mut basis = Basis::of(cube).with_weights(names.iter().map(weight).collect());
        if entry.watches
            && let Some(facts) = self.watched(facts)?
        {
            basis = basis.with_class(facts.target.position);
            basis = match TCloseness::on(facts) {
                Ok(distance) => basis.with_distance(Arc::new(distance)),
                Err(Error::BadInput(reason)) => basis.without_distance(reason),
                Err(other) => return Err(other),
            };
        }
        Ok(Judging { entry, loss: (entry.loss)(&basis)? })
    }

    /// The sensitive attribute that the measure looks at; none if there is none.
    fn watched<'f>(&self, facts: &'f [Facts]) -> Result<Option<&'f Facts>, Error> {
        let names: Vec<&str> = facts.iter().map(|facts| facts.target.name.as_str()).collect();
        match (&self.on, facts) {
            (None, [] | [_]) => Ok(facts.first()),
            (Some(on), _) => {
                let found = facts.iter().find(|facts| facts.target.name == *on);
                found.map(Some).ok_or_else(|| {
                    let what = format!("'{on}' is not a sensitive attribute of this project");
                    Error::new(what, format!("choose one of: {}", names.join(", ")))
                })
            }
            (None, _) => {
                let what = format!("{}: on which sensitive attribute?", self.measure);
                Err(Error::new(what, format!("add on=NAME with one of: {}", names.join(", "))))
            }
        }
    }
}

/// A measure on a table.
pub(crate) struct Judging {
    pub(crate) entry: &'static Measure,
    pub(crate) loss: Box<dyn Loss>,
}

impl Judging {
    /// The measure weighed behind the statistic that a criterion is judged by.
    pub(crate) fn weigh(
        &self,
        lattice: &FullLattice,
        criterion: &Criterion,
        column: usize,
        limits: Limits,
        progress: &Watch<'_>,
    ) -> Result<Weighed, Error> {
        let table = lattice.tables()[column].clone();
        let loss: &dyn haggle_cube::Payload = self.loss.as_ref();
        let judge = criterion.judge();
        Ok(Weighed::watched(lattice.cube(), table, judge, loss, limits, progress)?)
    }

    /// What a scheme loses if groups that fail any criterion are suppressed, from its groups; and
    /// the standard error of that, if it is an estimate.
    pub(crate) fn of_groups(
        &self,
        cube: &Cube,
        scheme: &Scheme,
        criteria: &[Criterion],
    ) -> (f64, Option<f64>) {
        self.of_kept(cube, scheme, &failing_groups(cube, scheme, criteria))
    }

    /// The standard error of what a scheme loses, if that is an estimate.
    pub(crate) fn error(
        &self,
        cube: &Cube,
        scheme: &Scheme,
        criteria: &[Criterion],
    ) -> Option<f64> {
        self.entry.estimate.then(|| self.of_groups(cube, scheme, criteria).1)?
    }

    /// The same, if just these groups are suppressed.
    pub(crate) fn of_kept(
        &self,
        cube: &Cube,
        scheme: &Scheme,
        failing: &Failing,
    ) -> (f64, Option<f64>) {
        let mut sums = vec![0.0; self.loss.width()];
        let mut numbers = sums.clone();
        let (mut groups, mut records) = (0, 0);
        cube.for_each_generalized(scheme, self.loss.as_ref(), |group| {
            if failing.groups.contains(group.codes) {
                return;
            }
            (groups, records) = (groups + 1, records + group.records);
            self.loss.of(group, &mut numbers);
            sums.iter_mut().zip(&numbers).for_each(|(sum, number)| *sum += number);
        });
        let suppressed = failing.records;
        let kept = Kept { levels: scheme.into(), sums: &sums, groups, records, suppressed };
        (self.loss.compared(&kept), self.loss.standard_error(&kept).map(rounded))
    }
}

/// What schemes lose under one criterion or several.
pub(crate) struct Judged<'a> {
    pub(crate) lattice: &'a FullLattice,
    pub(crate) judging: &'a Judging,
    pub(crate) criteria: &'a [Criterion],
    /// For each requirement, what every scheme loses under it alone.
    pub(crate) losses: Vec<Arc<[f64]>>,
}

impl Losses for Judged<'_> {
    fn are_exact(&self) -> bool {
        self.criteria.len() == 1
    }

    /// Several criteria suppress at least what each does.
    fn at_least(&self, scheme: &Scheme) -> Result<f64, Error> {
        if self.criteria.len() > 1 && !self.judging.entry.suppressing_costs {
            return Ok(f64::NEG_INFINITY);
        }
        let position = self.lattice.space().index(scheme);
        let alone = self.losses.iter().map(|losses| losses[position]);
        let most = alone.fold(f64::NEG_INFINITY, f64::max);
        // Sums in another order may differ in their last digits; a bound must not be too large.
        let slack = if self.criteria.len() > 1 { 1e-9 * most.abs() } else { 0.0 };
        Ok(most - slack)
    }

    fn exactly(&self, scheme: &Scheme) -> Result<f64, Error> {
        if self.criteria.len() == 1 {
            return Ok(self.losses[0][self.lattice.space().index(scheme)]);
        }
        Ok(self.judging.of_groups(self.lattice.cube(), scheme, self.criteria).0)
    }
}

/// What schemes lose under any criteria, from their groups: for lattices of few schemes.
pub(crate) struct ByGroups<'a> {
    pub(crate) cube: &'a Cube,
    pub(crate) judging: &'a Judging,
    pub(crate) criteria: &'a [Criterion],
}

impl Losses for ByGroups<'_> {
    fn are_exact(&self) -> bool {
        true
    }

    fn at_least(&self, scheme: &Scheme) -> Result<f64, Error> {
        self.exactly(scheme)
    }

    fn exactly(&self, scheme: &Scheme) -> Result<f64, Error> {
        Ok(self.judging.of_groups(self.cube, scheme, self.criteria).0)
    }
}
