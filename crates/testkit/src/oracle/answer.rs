//! The answer to a request: all schemes that qualify, sorted, and the first of them.

use super::Thresholds;
use super::judged::{Judged, height};

/// What is asked of a measure.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The privacy threshold.
    pub threshold: f64,
    /// The maximum levels.
    pub caps: Vec<u8>,
    /// How many records may be suppressed.
    pub limit: u64,
}

/// A possible scheme, and its cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    /// The scheme.
    pub levels: Vec<u8>,
    /// How many records it suppresses.
    pub suppressed: u64,
    /// The threshold it was judged by.
    pub threshold: f64,
    /// The weakest statistic among the groups kept.
    pub attained: f64,
}

impl Offer {
    /// The order of answers.
    fn rank(&self) -> (u32, u64, Vec<u8>) {
        (height(&self.levels), self.suppressed, self.levels.clone())
    }
}

/// The relaxations.
#[derive(Debug, Clone, PartialEq)]
pub struct Relaxed {
    /// The fewest records suppressed under the maximum levels.
    pub suppression: Option<Offer>,
    /// The strongest threshold attained under the maximum levels.
    pub privacy: Option<Offer>,
    /// The lowest scheme anywhere.
    pub lowest: Option<Offer>,
    /// The scheme with the fewest levels beyond the maximum.
    pub closest: Option<Offer>,
    /// The lowest scheme from the height of the maximum levels upwards.
    pub published: Option<Offer>,
    /// Attributes that may be left out instead, best first.
    pub attribute: Vec<(usize, Offer)>,
    /// Sets of several attributes that may be left out, no part of which may, smallest first.
    pub attributes: Vec<(Vec<usize>, Offer)>,
}

/// The answer to a request.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// The best scheme that meets all of it.
    Exact(Offer),
    /// No scheme does; what would have to be relaxed.
    Relaxed(Box<Relaxed>),
}

impl Judged {
    /// Answers a request by evaluating every scheme.
    ///
    /// ```
    /// use haggle_testkit::oracle::{Answer, Measure, Oracle, Request};
    /// use haggle_testkit::published;
    ///
    /// let table = published::philosophers();
    /// let sizes = Oracle::of(&table).judge(&Measure::size());
    /// let request = Request { threshold: 4.0, caps: vec![1, 1, 3], limit: 0 };
    /// let Answer::Relaxed(relaxed) = sizes.negotiate(&request) else { panic!("4 is too many") };
    /// assert_eq!(relaxed.suppression.unwrap().suppressed, 6);
    /// assert_eq!(relaxed.lowest.unwrap().levels, [2, 2, 3]);
    /// ```
    pub fn negotiate(&self, request: &Request) -> Answer {
        let Request { threshold, caps, limit } = request;
        let exact = self.offers(self.under(caps), *threshold, *limit);
        match exact.into_iter().next() {
            Some(offer) => Answer::Exact(offer),
            None => Answer::Relaxed(Box::new(self.relaxed(request))),
        }
    }

    fn relaxed(&self, Request { threshold, caps, limit }: &Request) -> Relaxed {
        let mut everywhere = self.offers(self.schemes(), *threshold, *limit);
        let lowest = everywhere.first().cloned();
        let high = |offer: &&Offer| height(&offer.levels) >= height(caps);
        let published = everywhere.iter().find(high).cloned();
        everywhere.sort_by_key(|offer| (beyond(&offer.levels, caps), offer.rank()));
        Relaxed {
            suppression: self.fewest_suppressed(caps, *threshold),
            privacy: self.strongest_under(caps, *limit),
            lowest,
            closest: everywhere.into_iter().next(),
            published,
            attribute: self.without_one(caps, *threshold, *limit),
            attributes: self.without_several(caps, *threshold, *limit),
        }
    }

    /// The schemes that keep a record and suppress no more than the limit, best first.
    fn offers<'a>(
        &self,
        schemes: impl Iterator<Item = &'a [u8]>,
        threshold: f64,
        limit: u64,
    ) -> Vec<Offer> {
        let mut offers: Vec<Offer> = schemes
            .filter_map(|levels| {
                let suppressed = self.suppressed(levels, threshold);
                let attained = self.attained(levels, threshold)?;
                let offer = Offer { levels: levels.to_vec(), suppressed, threshold, attained };
                (suppressed <= limit).then_some(offer)
            })
            .collect();
        offers.sort_by_key(Offer::rank);
        offers
    }

    fn fewest_suppressed(&self, caps: &[u8], threshold: f64) -> Option<Offer> {
        let mut offers = self.offers(self.under(caps), threshold, u64::MAX);
        offers.sort_by_key(|offer| (offer.suppressed, offer.rank()));
        offers.into_iter().next()
    }

    /// Every threshold is tried, strongest first.
    fn strongest_under(&self, caps: &[u8], limit: u64) -> Option<Offer> {
        let mut thresholds = match self.thresholds {
            Thresholds::Whole => (0..=self.records).map(|threshold| threshold as f64).collect(),
            Thresholds::Occurring => {
                self.values(self.under(caps).flat_map(|levels| &self.schemes[levels]))
            }
        };
        thresholds.retain(|&threshold| self.protects(threshold));
        let best = |threshold| self.offers(self.under(caps), threshold, limit).into_iter().next();
        thresholds.into_iter().rev().find_map(best)
    }

    /// Every set of attributes is tried, the smaller ones first, unless a part of it was enough.
    fn without_several(&self, caps: &[u8], threshold: f64, limit: u64) -> Vec<(Vec<usize>, Offer)> {
        let attributes = 0..self.tops.len();
        let chosen = |mask: u32| attributes.clone().filter(|i| mask >> i & 1 == 1).collect();
        let mut sets: Vec<Vec<usize>> = (1_u32..1 << self.tops.len()).map(chosen).collect();
        sets.sort_by_key(Vec::len);
        let mut enough: Vec<(Vec<usize>, Offer)> = Vec::new();
        for set in sets {
            if !enough.iter().any(|(part, _)| part.iter().all(|i| set.contains(i))) {
                let offer = self.without(&set, caps, threshold, limit);
                enough.extend(offer.map(|offer| (set, offer)));
            }
        }
        enough.retain(|(set, _)| set.len() > 1);
        enough.sort_by_key(|(set, offer)| (set.len(), offer.rank()));
        enough
    }

    /// The best scheme in which all of these attributes are fully general.
    fn without(&self, set: &[usize], caps: &[u8], threshold: f64, limit: u64) -> Option<Offer> {
        let cap = |(i, &cap): (usize, &u8)| if set.contains(&i) { self.tops[i] } else { cap };
        let raised: Vec<u8> = caps.iter().enumerate().map(cap).collect();
        let general = |levels: &&[u8]| set.iter().all(|&i| levels[i] == self.tops[i]);
        self.offers(self.under(&raised).filter(general), threshold, limit).into_iter().next()
    }

    fn without_one(&self, caps: &[u8], threshold: f64, limit: u64) -> Vec<(usize, Offer)> {
        let mut found: Vec<(usize, Offer)> = Vec::new();
        for (i, &top) in self.tops.iter().enumerate() {
            let mut raised = caps.to_vec();
            raised[i] = top;
            let left_out = self.under(&raised).filter(|levels| levels[i] == top);
            let best = self.offers(left_out, threshold, limit).into_iter().next();
            found.extend(best.map(|offer| (i, offer)));
        }
        found.sort_by_key(|(_, offer)| offer.rank());
        found
    }
}

/// How many levels a scheme lies above the caps.
fn beyond(levels: &[u8], caps: &[u8]) -> u32 {
    levels.iter().zip(caps).map(|(&level, &cap)| u32::from(level.saturating_sub(cap))).sum()
}
