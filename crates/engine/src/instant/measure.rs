//! The loss that instant anonymization expects of schemes and reports of counted ones.

use haggle_api::{Ask, MeasureSpec};
use haggle_cube::{Cube, Loss};
use haggle_instant::{Goal, Needs, SummaryKind};
use haggle_loss::{Basis, ExpectedFrom, Measure};
use haggle_model::{Error, ErrorKind, Role};
use haggle_project::Project;

use super::{Instant, goal};

/// A measure on a table that was not counted.
pub(super) struct ExpectedMeasure {
    pub(super) spec: MeasureSpec,
    pub(super) loss: Box<dyn Loss>,
}

/// The measure of a request; the general loss if none is asked for. Refuses one that cannot be
/// expected from this kind of summary.
pub(super) fn measure_of(
    ask: &Ask,
    kind: &SummaryKind,
) -> Result<(MeasureSpec, &'static Measure), Error> {
    let spec = ask.optimize.clone().unwrap_or_else(MeasureSpec::plain);
    let entry = spec.entry()?;
    let counts = kind.needs == Needs::Overview;
    let why = match entry.expected_from {
        ExpectedFrom::AnySummary => return Ok((spec, entry)),
        ExpectedFrom::CountedValues if counts => return Ok((spec, entry)),
        ExpectedFrom::CountedValues => {
            format!("from the summary {}, which does not count every value", kind.id)
        }
        ExpectedFrom::Nothing => "before every scheme's groups are counted".into(),
    };
    let what = format!("{} cannot be expected {why}", entry.id);
    let known = haggle_loss::expected_from(counts).join(", ");
    Err(Error::new(what, format!("choose one of: {known}")))
}

/// The sensitive attribute that a summary must know: the one that is to be diverse, or the one that
/// the loss looks at.
pub(super) fn watched(
    project: &Project,
    ask: &Ask,
    kind: &SummaryKind,
) -> Result<Option<String>, Error> {
    let diverse = match goal(ask)? {
        Goal::K(_) => None,
        Goal::L(_) => {
            let what = "which sensitive attribute should be diverse?";
            Some(named(project, ask.privacy[0].on.as_ref(), what, ":on=…")?)
        }
    };
    let (spec, entry) = measure_of(ask, kind)?;
    if !entry.watches {
        return Ok(diverse);
    }
    let what = format!("{}: on which sensitive attribute?", entry.id);
    let class = named(project, spec.on.as_ref(), &what, "on=NAME")?;
    match diverse {
        Some(diverse) if diverse != class => {
            let what =
                format!("a summary knows one sensitive attribute, not {diverse} and {class}");
            let fix = format!("use {diverse} for both, or choose another measure");
            Err(Error::new(what, fix))
        }
        _ => Ok(Some(class)),
    }
}

/// The sensitive attribute of this name; without a name, the only one.
fn named(
    project: &Project,
    wanted: Option<&String>,
    what: &str,
    how: &str,
) -> Result<String, Error> {
    let named = project.named(Role::Sensitive);
    let found = wanted.or(named.first().filter(|_| named.len() == 1));
    let found = found.filter(|name| named.contains(name)).cloned();
    found.ok_or_else(|| Error::new(what, format!("say {how}, one of: {}", named.join(", "))))
}

impl Instant {
    /// The measure of a request on this table.
    pub(super) fn measure(&self, ask: &Ask) -> Result<ExpectedMeasure, Error> {
        let (spec, entry) = measure_of(ask, self.kind)?;
        let class = self.sensitive.as_ref().map(|watched| watched.name.as_str());
        let is_other = spec.on.as_deref().is_some_and(|on| class != Some(on));
        if entry.watches && (class.is_none() || is_other) {
            let fix = format!("open it with a request that optimizes {spec}");
            return Err(Error::new("the summary does not watch the class attribute", fix));
        }
        let names = self.attributes();
        if let Some(name) = spec.weights.keys().find(|name| !names.contains(&name.as_str())) {
            let what = format!("'{name}' is not among the quasi-identifiers asked for");
            let fix = format!("choose from: {}", names.join(", "));
            return Err(Error::of_kind(ErrorKind::NotFound, what, fix));
        }
        let weights = names.iter().map(|name| spec.weights.get(*name).copied().unwrap_or(1.0));
        let uncounted = Cube::from_parts(self.summary.attributes().to_vec(), Vec::new(), &[]);
        let basis = Basis {
            counts: self.counts(),
            records: self.records(),
            ..Basis::of(&uncounted).with_weights(weights.collect())
        };
        let basis = if entry.watches { basis.with_class(0) } else { basis };
        Ok(ExpectedMeasure { loss: (entry.loss)(&basis)?, spec })
    }

    /// How many records have each value, as the summary has it.
    fn counts(&self) -> Vec<Vec<u64>> {
        let records = self.summary.records();
        let counts = |attribute| {
            let shares = self.summary.marginal(attribute);
            shares.iter().map(|share| (share * records).round() as u64).collect()
        };
        (0..self.summary.attributes().len()).map(counts).collect()
    }
}
