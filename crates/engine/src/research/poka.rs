//! `POkA` on a table: one point a scheme, evaluated on the annotated lattice or on demand.

use std::sync::Arc;

use haggle_api::{Ask, Compared, FrontPoint, MeasureSpec, PokaFront};
use haggle_cube::{Column, Lattice, Merging, OnDemand, Weighed};
use haggle_model::{Error, Scheme, Space};
use haggle_search::pareto::Point;
use haggle_search::strategies::{
    LossBounds, Poka, PokaPoint, Valued, best_of_each, poka as search_poka, poka_by_ceilings,
};

use crate::Engine;
use crate::answer::resolve::request_on;
use crate::answer::thresholds::in_full;
use crate::criteria::criterion::Criterion;
use crate::criteria::judging::ResolvedMeasure;
use crate::lattice::tables::positions;
use crate::search::pareto::{described, error_of};

/// Which ground nodes the search starts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum GroundRule {
    /// As published: all at a depth below the last point.
    #[default]
    Depth,
    /// Our own: those with a ceiling that is as strong as the best scheme so far; complete where
    /// it is allowed.
    Ceiling,
}

impl GroundRule {
    /// Its name.
    pub fn id(self) -> &'static str {
        match self {
            Self::Depth => "depth",
            Self::Ceiling => "ceiling",
        }
    }
}

impl std::str::FromStr for GroundRule {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let rules = [Self::Depth, Self::Ceiling];
        rules.into_iter().find(|rule| rule.id() == text).ok_or_else(|| {
            let what = format!("there is no rule '{text}' for ground nodes");
            Error::new(what, "choose depth or ceiling")
        })
    }
}

/// How `POkA` searches.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PokaOptions {
    /// The scheme that it starts from, by the published rule; the most general one if not given.
    pub start: Option<Scheme>,
    /// Which ground nodes it starts from.
    pub rule: GroundRule,
    /// How deep they lie, by the published rule; the mean height of a hierarchy if not given.
    pub depth: Option<u32>,
    /// Whether what is found is compared with every scheme.
    pub exhaustive: bool,
}

/// The points of schemes.
struct Points<'a> {
    lattice: Arc<dyn Lattice>,
    losses: PointLosses,
    resolved: &'a ResolvedMeasure,
}

/// Where the losses of points come from.
enum PointLosses {
    /// Weights of every scheme.
    Weighed(Arc<Weighed>),
    /// The groups of a scheme, counted when it is evaluated.
    Counted(Arc<OnDemand>),
}

impl Points<'_> {
    fn column(&self) -> &Column {
        self.lattice.column(0)
    }

    fn space(&self) -> &Space {
        self.lattice.space()
    }

    fn way(&self) -> &'static str {
        match self.losses {
            PointLosses::Weighed(_) => "full",
            PointLosses::Counted(_) => "on-demand",
        }
    }

    /// The strongest threshold of a scheme within the limit, whether it protects or not, and the
    /// loss at it.
    fn evaluate(&self, scheme: &Scheme, limit: u64) -> Result<Point, Error> {
        let annotated = self.lattice.annotate(scheme)?;
        let histogram = annotated.histogram(0);
        let column = self.column();
        let statistic = histogram.strongest(limit);
        let nothing = if column.comparison.rises() { f64::NEG_INFINITY } else { f64::INFINITY };
        let threshold = statistic.map_or(nothing, |statistic| column.passed_by(statistic));
        let failing = statistic.map_or(0, |statistic| histogram.bin(statistic));
        let loss = match failing {
            0 => self.unsuppressed(scheme),
            _ => self.loss(scheme, failing, &[(0, threshold)]),
        };
        let suppressed = histogram.suppressed_by(failing);
        Ok(Point { threshold, loss, suppressed, scheme: scheme.clone() })
    }

    /// The loss of a scheme that suppresses nothing.
    fn unsuppressed(&self, scheme: &Scheme) -> f64 {
        self.loss(scheme, 0, &[])
    }

    /// The loss of a scheme whose lowest bins fail, which are those below the thresholds.
    fn loss(&self, scheme: &Scheme, failing: usize, thresholds: &[(usize, f64)]) -> f64 {
        let loss = self.resolved.loss.as_ref();
        match &self.losses {
            PointLosses::Weighed(weighed) => {
                weighed.loss(loss, scheme, self.space().index(scheme), failing)
            }
            PointLosses::Counted(lattice) => lattice.loss(scheme, loss, thresholds),
        }
    }

    fn error(&self, point: &Point) -> Option<f64> {
        match &self.losses {
            PointLosses::Weighed(weighed) => error_of(weighed, self.resolved, self.space(), point),
            PointLosses::Counted(_) => None,
        }
    }
}

/// The front of one point a scheme by `POkA`; with `exhaustive`, next to the exact one.
pub(crate) fn poka(
    engine: &Engine,
    ask: &Ask,
    spec: &MeasureSpec,
    options: &PokaOptions,
) -> Result<PokaFront, Error> {
    let ask = ask.or(engine.defaults());
    let resolved = engine.resolve_measure(spec)?;
    let criteria = engine.criteria(&ask)?;
    let [criterion] = criteria.as_slice() else {
        return Err(Error::new("a front is of one model", "ask for each model alone"));
    };
    check(options, criterion, &resolved)?;
    let (requirements, negotiable) = positions(&criteria);
    let request = request_on(&ask, engine.cube(), requirements, negotiable)?;
    let points = points(engine, &ask, spec, &resolved)?;
    let (space, limit) = (points.space(), request.limit);
    let sign = if points.column().comparison.rises() { 1.0 } else { -1.0 };
    let evaluate = |scheme: &Scheme| {
        let point = points.evaluate(scheme, limit)?;
        Ok(Valued { strength: sign * point.threshold, loss: point.loss })
    };
    let start = options.start.as_ref().map(|start| engine.scheme(start)).transpose()?;
    let depth = (options.rule == GroundRule::Depth).then(|| depth(options, space));
    let weakest = sign * points.column().weakest;
    let found = match depth {
        Some(depth) => {
            let start = start.as_ref().unwrap_or(space.top());
            search_poka(space, start, depth, weakest, &evaluate)?
        }
        None => by_ceilings(&points, engine.records(), weakest, &resolved, &evaluate)?,
    };
    let tell = |found: &[&PokaPoint], suppression: bool| -> Result<Vec<FrontPoint>, Error> {
        let of = |f: &&PokaPoint| points.evaluate(&f.scheme, limit);
        let found: Vec<Point> = found.iter().map(of).collect::<Result<_, Error>>()?;
        Ok(described(&found, suppression, |point| points.error(point)))
    };
    let compare = || {
        let mut exact = best_of_each(space, weakest, &evaluate)?;
        if start.is_some() {
            exact.retain(|point| within_reach(point, found.points.first()));
        }
        compared(&found.points, &exact, tell)
    };
    Ok(PokaFront {
        model: criterion.label.clone(),
        parameter: criterion.numbers[0].parameter.name,
        loss: spec.to_string(),
        limit,
        rule: options.rule.id(),
        start: start.clone(),
        depth,
        schemes: space.size().unwrap_or(usize::MAX),
        evaluated: found.evaluated,
        way: points.way(),
        asked: in_full(engine, &ask, &criteria, &request).varying(),
        account: engine.account(),
        points: tell(&found.points.iter().collect::<Vec<_>>(), false)?,
        exhaustive: options.exhaustive.then(compare).transpose()?,
    })
}

/// Refuses options that would have no effect, and ceilings where they are not sound.
fn check(
    options: &PokaOptions,
    criterion: &Criterion,
    resolved: &ResolvedMeasure,
) -> Result<(), Error> {
    if options.rule == GroundRule::Depth {
        return Ok(());
    }
    Ask::refuse(&[("depth", options.depth.is_some()), ("start", options.start.is_some())])?;
    let merging = criterion.judge().column().kind;
    let entry = resolved.entry;
    let why = if merging != Merging::UnionMonotone {
        format!("merging groups can weaken {}", criterion.label)
    } else if !(entry.monotone && entry.suppressing_costs) {
        format!("generalizing or suppressing can lower {}", entry.id)
    } else {
        return Ok(());
    };
    let what = format!("ceilings do not bound ground nodes here: {why}");
    Err(Error::new(what, "use the rule depth, or the exact front"))
}

/// The published depth: the mean height of a hierarchy, rounded up.
fn depth(options: &PokaOptions, space: &Space) -> u32 {
    let attributes = space.top().levels().len().max(1) as u32;
    options.depth.unwrap_or_else(|| space.top().height().div_ceil(attributes)).max(1)
}

fn by_ceilings(
    points: &Points<'_>,
    records: u64,
    weakest: f64,
    resolved: &ResolvedMeasure,
    evaluate: &dyn Fn(&Scheme) -> Result<Valued, Error>,
) -> Result<Poka, Error> {
    // Sums in another order may differ in their last digits; a bound must not be too large.
    let slack = |loss: f64| loss - 1e-9 * loss.abs();
    let bounds = LossBounds {
        by_levels: &|scheme| resolved.loss.of_all(scheme, records).map(slack),
        unsuppressed: &|scheme| Ok(slack(points.unsuppressed(scheme))),
    };
    poka_by_ceilings(points.space(), weakest, evaluate, &bounds)
}

/// Finds where schemes are evaluated: on the annotated lattice, or on demand if not all of them are
/// annotated.
fn points<'a>(
    engine: &Engine,
    ask: &Ask,
    spec: &MeasureSpec,
    resolved: &'a ResolvedMeasure,
) -> Result<Points<'a>, Error> {
    if engine.is_on_demand(ask)? && !resolved.entry.estimate {
        let lattice = engine.on_demand(ask, &engine.criteria(ask)?)?;
        let losses = PointLosses::Counted(lattice.clone());
        return Ok(Points { lattice, losses, resolved });
    }
    let (judged, criteria) = engine.judged(ask)?;
    let losses = PointLosses::Weighed(engine.weighed(&judged, &criteria[0], 0, spec, resolved)?);
    Ok(Points { lattice: Arc::new(judged.lattice), losses, resolved })
}

/// Returns whether a search from this point can find a point of the exact front: it finds weaker
/// ones.
fn within_reach(point: &PokaPoint, start: Option<&PokaPoint>) -> bool {
    start.is_some_and(|start| {
        point.valued.strength < start.valued.strength || point.valued == start.valued
    })
}

/// Points are the same if threshold and loss are, whatever the scheme.
fn compared(
    found: &[PokaPoint],
    exact: &[PokaPoint],
    tell: impl Fn(&[&PokaPoint], bool) -> Result<Vec<FrontPoint>, Error>,
) -> Result<Compared, Error> {
    let has = |list: &[PokaPoint], point: &PokaPoint| {
        list.iter().any(|other| other.valued == point.valued)
    };
    let missed: Vec<&PokaPoint> = exact.iter().filter(|point| !has(found, point)).collect();
    let wrong: Vec<&PokaPoint> = found.iter().filter(|point| !has(exact, point)).collect();
    let optima = exact.len();
    Ok(Compared {
        optima,
        found: optima - missed.len(),
        missed: tell(&missed, true)?,
        wrong: tell(&wrong, true)?,
    })
}
