//! What is answered, with stable field names.

use std::collections::BTreeMap;

use haggle_model::Scheme;
use haggle_search::optimize::Ranked;
use haggle_search::{Answer as Found, Negotiation, Relaxations, Request, Solution};
use serde::{Serialize, Serializer};

use crate::criterion::{Criterion, Threshold};
use crate::{Account, Ask, Engine, Obtained, Privacy};

/// Whether the request can be met as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// A scheme meets all of it.
    Exact,
    /// None does; something has to give.
    Relaxed,
}

/// The answer to a request.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Answer {
    /// Whether the request can be met.
    pub outcome: Outcome,
    /// What was asked, in full; it can be asked again as it stands.
    pub asked: Ask,
    /// What became of the records; where a scheme meets the request, those it suppresses as well.
    pub account: Account,
    /// The best scheme that meets it.
    pub exact: Option<Offer>,
    /// The next best by the loss asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub runners_up: Vec<Offer>,
    /// What would have to give, where no scheme meets it.
    pub relaxations: Option<Offers>,
    /// How it was obtained, if not every scheme was annotated beforehand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub obtained: Option<Obtained>,
    /// How many schemes' annotations were looked at.
    pub visited: u64,
    /// How long the search took, in microseconds.
    pub micros: u64,
}

impl Answer {
    /// Whether nothing at all can be offered. A search that was stopped before it found anything does
    /// not say so.
    pub fn is_no(&self) -> bool {
        let nothing =
            self.exact.is_none() && self.relaxations.as_ref().is_none_or(Offers::is_empty);
        nothing && !self.is_stopped()
    }

    /// Whether the search was stopped, so that there may be more than was found.
    pub fn is_stopped(&self) -> bool {
        self.obtained.as_ref().is_some_and(|o| !o.proven && o.partial.is_none())
    }
}

/// A scheme that can be had and what it costs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Offer {
    /// The levels, in the order of the quasi-identifiers.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<u8>))]
    pub scheme: Scheme,
    /// The levels by name.
    #[serde(serialize_with = "in_order")]
    #[cfg_attr(feature = "openapi", schema(value_type = std::collections::BTreeMap<String, u8>))]
    pub levels: Vec<(String, u8)>,
    /// The sum of the levels.
    pub height: u32,
    /// How many records it suppresses.
    pub suppressed: u64,
    /// The thresholds it meets, by model.
    #[serde(serialize_with = "by_name")]
    #[cfg_attr(feature = "openapi", schema(value_type = std::collections::BTreeMap<String, Threshold>))]
    pub privacy: Vec<(String, Threshold)>,
    /// The weakest statistics among the groups it keeps, by model.
    #[serde(serialize_with = "by_name")]
    #[cfg_attr(feature = "openapi", schema(value_type = std::collections::BTreeMap<String, Threshold>))]
    pub attained: Vec<(String, Threshold)>,
    /// The thresholds it meets as a request states them: complete, so that they can be asked for.
    pub thresholds: Vec<Privacy>,
    /// What it loses, by the measure asked for.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub loss: BTreeMap<String, f64>,
    /// The standard errors of losses that are estimates.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub loss_error: BTreeMap<String, f64>,
}

/// What would have to give, each with the reason where there is nothing to offer.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Offers {
    /// More records suppressed.
    pub suppression: Option<Offer>,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suppression_reason: Option<String>,
    /// Levels beyond the maximum.
    pub height: Option<Offer>,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height_reason: Option<String>,
    /// A weaker threshold: the first of `privacy_each` that can be had.
    pub privacy: Option<Offer>,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub privacy_reason: Option<String>,
    /// Where several numbers are asked for: how far each alone would have to give.
    #[serde(skip_serializing_if = "are_few")]
    pub privacy_each: Vec<PrivacyOffer>,
    /// One attribute left out; best first.
    pub attribute: Vec<AttributeOffer>,
    /// Why none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribute_reason: Option<String>,
}

impl Offers {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.suppression.is_none()
            && self.height.is_none()
            && self.privacy.is_none()
            && self.attribute.is_empty()
    }
}

/// How far one number would have to give, the others kept.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PrivacyOffer {
    /// The position of the model among those asked for.
    #[serde(skip)]
    pub position: usize,
    /// The model.
    pub model: String,
    /// Its parameter that gives.
    pub parameter: &'static str,
    /// The value offered, if there is one.
    pub value: Option<f64>,
    /// What then can be had.
    pub offer: Option<Offer>,
    /// Why nothing can.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What can be had by leaving out one attribute.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AttributeOffer {
    /// The attribute to leave out.
    pub attribute: String,
    /// What then can be had.
    #[serde(flatten)]
    pub offer: Offer,
}

/// What is needed to put a search's findings into words and names.
pub(crate) struct Wording<'a> {
    attributes: Vec<&'a str>,
    criteria: &'a [Criterion],
    request: &'a Request,
    asked: Ask,
    account: Account,
    known: Known,
}

/// Of which schemes something is known.
#[derive(Clone, Copy)]
enum Known {
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
        request: &'a Request,
    ) -> Self {
        Self {
            attributes: engine.attributes(),
            criteria,
            request,
            asked: Ask {
                relax_height: Some(ask.relax_height.unwrap_or_default()),
                ..engine.in_full(ask, criteria, request)
            },
            account: engine.account(),
            known: Known::All,
        }
    }

    /// The same, where some schemes are not known.
    pub(crate) fn of_some(self) -> Self {
        Self { known: Known::Some, ..self }
    }

    /// Why there is nothing to offer, as far as that is known.
    fn because(&self, why: String) -> String {
        match self.known {
            Known::All => why,
            Known::Some => format!("as far as schemes are annotated, {why}"),
            Known::Stopped => "none was found before the search was stopped".into(),
        }
    }

    pub(crate) fn answer(mut self, found: Negotiation, micros: u64) -> Answer {
        let visited = found.visited;
        if found.stopped {
            self.known = Known::Stopped;
        }
        match found.answer {
            Found::Exact(solution) => {
                self.exact(vec![self.offer(&solution)].into_iter(), visited, micros)
            }
            Found::Relaxed(relaxations) => Answer {
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
            obtained: None,
            visited,
            micros,
        }
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
        self.request.caps.levels().iter().map(|level| level.index() as u64 + 1).product()
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

    fn without(&self, position: usize, solution: &Solution) -> AttributeOffer {
        AttributeOffer { attribute: self.attributes[position].into(), offer: self.offer(solution) }
    }
}

/// One alone is told by `privacy` already.
fn are_few(each: &[PrivacyOffer]) -> bool {
    each.len() < 2
}

fn in_order<S: Serializer>(levels: &[(String, u8)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(levels.iter().map(|(name, level)| (name, level)))
}

/// Thresholds as a map, in the order in which they were asked for.
pub(crate) fn by_name<S: Serializer>(
    values: &[(String, Threshold)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(values.iter().map(|(name, value)| (name, value)))
}
