//! Requests with a range of acceptable values of one number: the strongest that is possible, and
//! which weaker ones buy a better scheme.
//!
//! After A. Pilalidou, *On-line negotiation for privacy preserving data publishing*, thesis,
//! University of Ioannina 2010, chapter 1: the curator starts with a preferred value and has a range
//! of acceptable ones.

use std::collections::BTreeMap;
use std::time::Instant;

use haggle_api::{AcceptableRange, Answer, Ask, Offer, RangeAnswer};
use haggle_model::{Error, Progress};

use crate::Engine;

/// Ranges of more values are not searched value by value.
const MOST_VALUES: u64 = 1000;

/// Answers a request at the strongest value of a range that is possible, with the values that are
/// worth their price; at the weakest value, if none is possible.
pub(crate) fn ask_within(
    engine: &Engine,
    ask: &Ask,
    range: &AcceptableRange,
    progress: &dyn Progress,
) -> Result<Answer, Error> {
    let start = Instant::now();
    let mut search = RangeSearch::new(engine, ask, range, progress)?;
    let points = search.front()?;
    let possible = points.first().map(|&step| range.value(step));
    let offers = points.iter().filter_map(|step| search.known[step].clone()).collect();
    let settled = ask.within(range, possible.unwrap_or(range.weakest()));
    let mut answer = engine.ask_with(&settled, progress)?;
    answer.visited += search.visited;
    if let Some(obtained) = &mut answer.obtained {
        obtained.proven &= !search.stopped;
    }
    answer.micros = start.elapsed().as_micros() as u64;
    answer.asked = answer.asked.with_range(range);
    answer.range = Some(RangeAnswer {
        model: ask.privacy[range.position].model.clone(),
        parameter: range.parameter,
        weakest: range.weakest(),
        strongest: range.strongest(),
        possible,
        by: ask.optimize.as_ref().map_or_else(|| "height".into(), ToString::to_string),
        points: offers,
    });
    Ok(answer)
}

/// The best schemes at values of a range, by their step from the weakest value.
struct RangeSearch<'a> {
    engine: &'a Engine,
    ask: &'a Ask,
    range: &'a AcceptableRange,
    progress: &'a dyn Progress,
    /// Whether the best scheme at a weaker value is never worse, so that values can be bisected.
    falls: bool,
    known: BTreeMap<u64, Option<Offer>>,
    visited: u64,
    stopped: bool,
}

impl<'a> RangeSearch<'a> {
    fn new(
        engine: &'a Engine,
        ask: &'a Ask,
        range: &'a AcceptableRange,
        progress: &'a dyn Progress,
    ) -> Result<Self, Error> {
        // A weaker value suppresses no group more. The height does not depend on that, and a loss
        // falls with it where suppressing costs.
        let falls = match &ask.optimize {
            Some(spec) => engine.resolve_measure(spec)?.entry.suppressing_costs,
            None => true,
        };
        if !falls && range.count() > MOST_VALUES {
            let what = format!("a range of {} values is too wide for this measure", range.count());
            let fix = format!("choose at most {MOST_VALUES} values, or another measure");
            return Err(Error::new(what, fix));
        }
        let (known, visited, stopped) = (BTreeMap::new(), 0, false);
        Ok(Self { engine, ask, range, progress, falls, known, visited, stopped })
    }

    /// Returns the steps whose best scheme is better than at every stronger value, strongest first.
    fn front(&mut self) -> Result<Vec<u64>, Error> {
        let mut points = Vec::new();
        let mut next = self.strongest(self.range.count(), f64::INFINITY)?;
        while let Some((step, reached)) = next {
            points.push(step);
            next = self.strongest(step, reached)?;
        }
        Ok(points)
    }

    /// Returns the strongest step below another at which the best scheme is better than `than`, and
    /// what it reaches.
    fn strongest(&mut self, below: u64, than: f64) -> Result<Option<(u64, f64)>, Error> {
        if self.falls { self.bisect(below, than) } else { self.scan(below, than) }
    }

    fn bisect(&mut self, below: u64, than: f64) -> Result<Option<(u64, f64)>, Error> {
        let (mut low, mut high) = (0, below);
        if below == 0 || !self.is_better(0, than)? {
            return Ok(None);
        }
        while high - low > 1 {
            let middle = low.midpoint(high);
            if self.is_better(middle, than)? {
                low = middle;
            } else {
                high = middle;
            }
        }
        Ok(self.reached(low)?.map(|reached| (low, reached)))
    }

    fn scan(&mut self, below: u64, than: f64) -> Result<Option<(u64, f64)>, Error> {
        for step in (0..below).rev() {
            if self.is_better(step, than)? {
                return Ok(self.reached(step)?.map(|reached| (step, reached)));
            }
        }
        Ok(None)
    }

    fn is_better(&mut self, step: u64, than: f64) -> Result<bool, Error> {
        Ok(self.reached(step)?.is_some_and(|reached| reached < than))
    }

    /// Returns the height or the loss of the best scheme at a step.
    fn reached(&mut self, step: u64) -> Result<Option<f64>, Error> {
        if !self.known.contains_key(&step) {
            let ask = Ask { top: None, ..self.ask.within(self.range, self.range.value(step)) };
            let answer = self.engine.exact_while(&ask, self.progress)?;
            self.visited += answer.visited;
            self.stopped |= answer.is_stopped();
            self.known.insert(step, answer.exact);
        }
        let reached = |offer: &Offer| match offer.loss.values().next() {
            Some(&loss) => loss,
            None => offer.height.into(),
        };
        Ok(self.known[&step].as_ref().map(reached))
    }
}
