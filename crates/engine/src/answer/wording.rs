//! Answers from what a search found: names, thresholds and reasons.

use std::collections::BTreeMap;

use haggle_api::{
    Account, Amount, Answer, Ask, Levels, Offer, Outcome, Relaxation, RelaxationKind, Relaxations,
};
use haggle_model::{Level, Scheme};
use haggle_search::optimize::Ranked;
use haggle_search::{LatticeAnswer, LatticeRequest, Negotiable, Negotiation, Solution};

use crate::Engine;
use crate::answer::thresholds::in_full;
use crate::criteria::criterion::{Criterion, Number};
use crate::criteria::start::counted_from;

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

    /// Marks the answer as one over some schemes, because others are not known.
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
                relaxations: self.relaxations(&relaxations),
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
            relaxations: Relaxations::default(),
            range: None,
            obtained: None,
            counted_from: self.counted_from.clone(),
            approximate: self.approximate(),
            visited,
            micros,
            version: Answer::VERSION,
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

    /// Lists the relaxations, each with the request that accepts it or the reason why there is none.
    fn relaxations(&self, found: &haggle_search::Relaxations) -> Relaxations {
        let numbers = self.request.negotiable.iter().zip(&found.privacy);
        let sets = found.attributes.iter().map(|(set, solution)| self.without(set, solution));
        [self.suppression(found.suppression.as_ref()), self.height(found.height.as_ref())]
            .into_iter()
            .chain(numbers.map(|(&number, solution)| self.weaker(number, solution.as_ref())))
            .chain(self.without_one(&found.attribute))
            .chain(sets)
            .collect()
    }

    /// Reports the fewest records that would have to be suppressed.
    fn suppression(&self, solution: Option<&Solution>) -> Relaxation {
        let kind = RelaxationKind::Suppression;
        let Some(solution) = solution else {
            let (caps, asked, reach) = (&self.request.caps, self.asked(), self.reach());
            let why =
                format!("under {caps} no group reaches {asked}, so no record would be left{reach}");
            return Relaxation::impossible(kind, self.because(why));
        };
        let limit = Some(Amount::Records(solution.suppressed));
        let accept = Ask { max_suppressed: limit, ..self.asked.clone() };
        Relaxation::possible(kind, self.offer(solution), accept)
    }

    /// Reports where levels would have to rise.
    fn height(&self, solution: Option<&Solution>) -> Relaxation {
        let kind = RelaxationKind::Height;
        let Some(solution) = solution else {
            let (limit, asked, reach) = (self.request.limit, self.asked(), self.reach());
            let why =
                format!("no scheme at all reaches {asked} with at most {limit} suppressed{reach}");
            return Relaxation::impossible(kind, self.because(why));
        };
        Relaxation::possible(kind, self.offer(solution), self.raised(|_| true, &solution.scheme))
    }

    /// Reports how far one number would have to be weakened.
    fn weaker(&self, negotiable: Negotiable, solution: Option<&Solution>) -> Relaxation {
        let kind = RelaxationKind::Privacy;
        let (criterion, number) = self.number(negotiable.column);
        let number = &criterion.numbers[number];
        let relaxation = match solution {
            Some(solution) => {
                let offer = self.offer(solution);
                let accept = Ask { privacy: offer.thresholds.clone(), ..self.asked.clone() };
                Relaxation::possible(kind, offer, accept)
            }
            None => Relaxation::impossible(kind, self.because(self.too_strong(number))),
        };
        let value = solution.map(|s| s.requirements[negotiable.requirement].threshold);
        relaxation.of_number(&criterion.label, number.parameter.name, value)
    }

    /// Returns why no value of a number is possible.
    fn too_strong(&self, number: &Number) -> String {
        let (name, weakest) = (number.parameter.name, number.statistic.column().weakest);
        let readable = (1e-6..1e6).contains(&weakest.abs());
        let weakest = if number.parameter.whole || readable {
            format!("even {name} = {weakest}")
        } else {
            format!("any {name} at all")
        };
        let (caps, limit) = (&self.request.caps, self.request.limit);
        format!("under {caps} {weakest} suppresses more than {limit}")
    }

    /// Reports every single attribute that can be left out, or why none can.
    fn without_one(&self, found: &[(usize, Solution)]) -> Vec<Relaxation> {
        if found.is_empty() {
            let why = self.because("leaving out one attribute is not enough".into());
            return vec![Relaxation::impossible(RelaxationKind::Attribute, why)];
        }
        found.iter().map(|(position, solution)| self.without(&[*position], solution)).collect()
    }

    /// Reports what is possible without these attributes.
    fn without(&self, positions: &[usize], solution: &Solution) -> Relaxation {
        let kind = match positions {
            [_] => RelaxationKind::Attribute,
            _ => RelaxationKind::Attributes,
        };
        let accept = self.raised(|position| positions.contains(&position), &solution.scheme);
        let names = positions.iter().map(|&position| self.attributes[position].to_owned());
        Relaxation::possible(kind, self.offer(solution), accept).without(names.collect())
    }

    /// Returns the request with the maximum levels of the chosen attributes raised to those of a
    /// scheme.
    fn raised(&self, chosen: impl Fn(usize) -> bool, scheme: &Scheme) -> Ask {
        let caps = &self.request.caps;
        let level = |position: usize| -> Level {
            let cap = caps.level(position);
            if chosen(position) { cap.max(scheme.level(position)) } else { cap }
        };
        let names = self.attributes.iter().enumerate();
        let levels = names.map(|(position, &name)| (name.to_owned(), level(position).into()));
        Ask { levels: Some(Levels::ByName(levels.collect())), ..self.asked.clone() }
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
}
