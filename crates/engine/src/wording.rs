//! Answers from what a search found: names, thresholds and reasons.

use std::collections::BTreeMap;

use haggle_api::{
    Account, Answer, Ask, AttributeOffer, AttributesOffer, Offer, Offers, Outcome, PrivacyOffer,
};
use haggle_model::Scheme;
use haggle_search::optimize::Ranked;
use haggle_search::{LatticeAnswer, LatticeRequest, Negotiation, Relaxations, Solution};

use crate::Engine;
use crate::criterion::Criterion;
use crate::start::counted_from;
use crate::thresholds::in_full;

/// What is needed to put a search's findings into words and names.
pub(crate) struct Wording<'a> {
    attributes: Vec<&'a str>,
    criteria: &'a [Criterion],
    request: &'a LatticeRequest,
    asked: Ask,
    account: Account,
    counted_from: Option<BTreeMap<String, u8>>,
    known: Coverage,
}

/// Of which schemes something is known.
#[derive(Clone, Copy)]
enum Coverage {
    All,
    /// Those that are annotated; nothing is said of the others.
    Some,
    /// Those that were looked at before the search was stopped.
    Stopped,
}

impl<'a> Wording<'a> {
    pub(crate) fn new(
        engine: &'a Engine,
        ask: &Ask,
        criteria: &'a [Criterion],
        request: &'a LatticeRequest,
    ) -> Self {
        Self {
            attributes: engine.attributes(),
            criteria,
            request,
            asked: Ask {
                relax_height: Some(ask.relax_height.unwrap_or_default()),
                ..in_full(engine, ask, criteria, request)
            },
            account: engine.account(),
            counted_from: counted_from(engine.cube()),
            known: Coverage::All,
        }
    }

    /// The same, where some schemes are not known.
    pub(crate) fn of_some(self) -> Self {
        Self { known: Coverage::Some, ..self }
    }

    /// Why there is nothing to offer, as far as that is known.
    fn because(&self, why: String) -> String {
        match self.known {
            Coverage::All => why,
            Coverage::Some => format!("as far as schemes are annotated, {why}"),
            Coverage::Stopped => "none was found before the search was stopped".into(),
        }
    }

    pub(crate) fn answer(mut self, found: Negotiation, micros: u64) -> Answer {
        let visited = found.visited;
        if found.stopped {
            self.known = Coverage::Stopped;
        }
        match found.answer {
            LatticeAnswer::Exact(solution) => {
                self.exact(vec![self.offer(&solution)].into_iter(), visited, micros)
            }
            LatticeAnswer::Relaxed(relaxations) => Answer {
                outcome: Outcome::Relaxed,
                relaxations: Some(self.offers(&relaxations)),
                ..self.exact(std::iter::empty(), visited, micros)
            },
        }
    }

    /// The answer where schemes meet the request, the best first.
    fn exact(&self, mut offers: impl Iterator<Item = Offer>, visited: u64, micros: u64) -> Answer {
        let exact = offers.next();
        let suppressed = exact.as_ref().map(|offer| offer.suppressed);
        Answer {
            outcome: Outcome::Exact,
            asked: self.asked.clone(),
            account: suppressed.map_or(self.account, |n| self.account.suppressing(n)),
            exact,
            runners_up: offers.collect(),
            relaxations: None,
            range: None,
            obtained: None,
            counted_from: self.counted_from.clone(),
            approximate: self.approximate(),
            visited,
            micros,
        }
    }

    /// The models that are judged by a bound.
    fn approximate(&self) -> Vec<String> {
        let bounded = self.criteria.iter().filter(|criterion| criterion.judge().is_bound());
        bounded.map(|criterion| criterion.label.clone()).collect()
    }

    /// The best schemes by a measure; there is at least one.
    pub(crate) fn ranked(
        &self,
        ranked: &[Ranked],
        measure: &str,
        error: impl Fn(&Scheme) -> Option<f64>,
        micros: u64,
    ) -> Answer {
        let named = |number: f64| (measure.to_owned(), number);
        let offers = ranked.iter().map(|one| Offer {
            loss: BTreeMap::from([named(one.loss)]),
            loss_error: error(&one.solution.scheme).map(named).into_iter().collect(),
            ..self.offer(&one.solution)
        });
        self.exact(offers, self.under_caps(), micros)
    }

    /// How many schemes there are under the maximum levels.
    fn under_caps(&self) -> u64 {
        let levels = self.request.caps.levels().iter();
        levels.fold(1, |all: u64, level| all.saturating_mul(level.index() as u64 + 1))
    }

    pub(crate) fn offer(&self, solution: &Solution) -> Offer {
        let levels = solution.scheme.levels().iter().map(|&level| level.into());
        let (mut privacy, mut thresholds, mut attained) = (Vec::new(), Vec::new(), Vec::new());
        for (position, requirement) in solution.requirements.iter().enumerate() {
            let (criterion, number) = self.number(requirement.column);
            let label = criterion.label.clone();
            privacy.push((label.clone(), criterion.threshold(number, requirement.threshold)));
            let name = criterion.numbers[number].parameter.name;
            thresholds.push(criterion.to_privacy().with(name, requirement.threshold));
            attained.push((label, criterion.threshold(number, solution.attained[position])));
        }
        Offer {
            levels: self.attributes.iter().map(|&name| name.to_owned()).zip(levels).collect(),
            height: solution.scheme.height(),
            suppressed: solution.suppressed,
            privacy,
            thresholds,
            attained,
            loss: BTreeMap::new(),
            loss_error: BTreeMap::new(),
            scheme: solution.scheme.clone(),
        }
    }

    /// The criterion that a column belongs to, and which of its numbers.
    fn number(&self, column: usize) -> (&Criterion, usize) {
        let mut numbers =
            self.criteria.iter().flat_map(|c| (0..c.numbers.len()).map(move |number| (c, number)));
        numbers.nth(column).expect("a column for each number of a criterion")
    }

    fn offers(&self, relaxations: &Relaxations) -> Offers {
        let limit = self.request.limit;
        let caps = &self.request.caps;
        let (asked, reach) = (self.asked(), self.reach());
        let offer = |solution: &Option<Solution>| solution.as_ref().map(|s| self.offer(s));
        let reason = |missing: bool, why: String| missing.then(|| self.because(why));
        let each = self.privacy_each(relaxations);
        let privacy = each.iter().find_map(|each| each.offer.clone());
        Offers {
            suppression: offer(&relaxations.suppression),
            suppression_reason: reason(
                relaxations.suppression.is_none(),
                format!("under {caps} no group reaches {asked}, so no record would be left{reach}"),
            ),
            height: offer(&relaxations.height),
            height_reason: reason(
                relaxations.height.is_none(),
                format!("no scheme at all reaches {asked} with at most {limit} suppressed{reach}"),
            ),
            privacy_reason: each
                .first()
                .filter(|_| privacy.is_none())
                .and_then(|each| each.reason.clone()),
            privacy,
            privacy_each: each,
            attribute: relaxations.attribute.iter().map(|(i, s)| self.without(*i, s)).collect(),
            attribute_reason: reason(
                relaxations.attribute.is_empty(),
                "leaving out one attribute is not enough".into(),
            ),
            attributes: relaxations
                .attributes
                .iter()
                .map(|(set, s)| self.without_all(set, s))
                .collect(),
        }
    }

    /// "k-anonymity = 5 and recursive-l-diversity with l = 3, c = 2"
    fn asked(&self) -> String {
        let one = |criterion: &Criterion| {
            let (first, all) = (&criterion.numbers[0], &criterion.arguments.numbers);
            if criterion.model.parameters.len() == 1 {
                return format!("{} = {}", criterion.label, first.value);
            }
            let given = criterion.model.parameters.iter();
            let given = given.filter_map(|p| Some(format!("{} = {}", p.name, all.get(p.name)?)));
            format!("{} with {}", criterion.label, given.collect::<Vec<_>>().join(", "))
        };
        self.criteria.iter().map(one).collect::<Vec<_>>().join(" and ")
    }

    /// "; the sensitive values allow l = 3 at most", where a threshold is beyond that.
    fn reach(&self) -> String {
        let beyond = self.criteria.iter().filter_map(Criterion::out_of_reach);
        let most = beyond.map(|(number, most)| format!("{} = {most}", number.parameter.name));
        let most: Vec<String> = most.collect();
        if most.is_empty() {
            return String::new();
        }
        format!("; the sensitive values allow {} at most", most.join(" and "))
    }

    fn privacy_each(&self, relaxations: &Relaxations) -> Vec<PrivacyOffer> {
        let numbers = self.request.negotiable.iter().zip(&relaxations.privacy);
        let each = numbers.map(|(negotiable, solution)| {
            let (criterion, number) = self.number(negotiable.column);
            let column = criterion.numbers[number].statistic.column();
            let parameter = criterion.numbers[number].parameter;
            let offered = |s: &Solution| s.requirements[negotiable.requirement].threshold;
            let readable = (1e-6..1e6).contains(&column.weakest.abs());
            let weakest = if parameter.whole || readable {
                format!("even {} = {}", parameter.name, column.weakest)
            } else {
                format!("any {} at all", parameter.name)
            };
            let (caps, limit) = (&self.request.caps, self.request.limit);
            PrivacyOffer {
                position: negotiable.requirement,
                model: criterion.label.clone(),
                parameter: parameter.name,
                value: solution.as_ref().map(offered),
                reason: solution
                    .is_none()
                    .then(|| format!("under {caps} {weakest} suppresses more than {limit}"))
                    .map(|why| self.because(why)),
                offer: solution.as_ref().map(|solution| self.offer(solution)),
            }
        });
        each.collect()
    }

    fn without_all(&self, positions: &[usize], solution: &Solution) -> AttributesOffer {
        let attributes = positions.iter().map(|&position| self.attributes[position].into());
        AttributesOffer { attributes: attributes.collect(), offer: self.offer(solution) }
    }

    fn without(&self, position: usize, solution: &Solution) -> AttributeOffer {
        AttributeOffer { attribute: self.attributes[position].into(), offer: self.offer(solution) }
    }
}
