//! Shadows: published columns that determine a finer value of a generalized attribute.
//!
//! Somebody who knows the relation between the columns guesses, for each value of a column (of a set
//! of columns, or of these and the published value), the finer value that most records have. The
//! columns are a shadow if that is right for 95 % of the records, and wrong for at most half as many as
//! a guess from the published value alone. The second condition keeps a column that says nothing about
//! the attribute from being a shadow where nearly all records have the same value anyway. Of sets, each
//! record is guessed from the others, because few records agree by chance. A quasi-identifier that
//! is dropped is an attribute of which nothing is published.
//!
//! Labels of narrow boxes are shared by few records, so that a relation does not show within one.
//! Columns are therefore also compared with the level of the hierarchy that labels mostly lie in.
//! Values that occur too seldom to show a relation may still be numbers that add up to the attribute,
//! or to a number near enough to tell which of the values under its label it is (`linear.rs`).

use haggle_model::{Hierarchy, Level, Progress};
use rustc_hash::FxHashMap;

mod hashing;
mod linear;
mod sample;
mod values;

pub use hashing::{and, combined, hash};
pub use sample::RecordSample;
use sample::SampledColumns;
use values::{SampledValues, SortedRecords, UNKNOWN};

/// The share of the records, in per cent, for which a finer value must be determined.
const DETERMINED: u64 = 95;
/// The most columns of a set that is searched.
const LARGEST: usize = 3;
/// The most sets of one size that are searched.
const MOST_SETS: usize = 20_000;
/// The most records that are read for all sets of one size together: the more sets, the fewer records
/// for each.
const MOST_LOOKS: usize = 30_000_000;
/// The fewest records that are read for a set.
const FEWEST_LOOKS: usize = 1000;
/// Where fewer records share a label on average, labels are joined to what they mostly lie in.
const FEW_RECORDS: u64 = 50;

/// An attribute that is generalized or dropped.
#[derive(Debug, Clone, Copy)]
pub struct Hidden<'a> {
    /// Its name.
    pub name: &'a str,
    /// None if it is not negotiated, so that only recorded values are known.
    pub hierarchy: Option<&'a Hierarchy>,
}

/// The fields with the published and the recorded value of an attribute.
#[derive(Debug, Clone, Copy)]
pub struct HiddenFields {
    /// None if nothing is published of it.
    pub published: Option<usize>,
    /// The field with its recorded value.
    pub recorded: usize,
}

/// A column that may be published.
#[derive(Debug, Clone, Copy)]
pub struct PublishedCandidate {
    /// Its field.
    pub column: usize,
    /// Whether the promise is about it: quasi-identifiers alone determine nothing that they do not
    /// say.
    pub is_negotiated: bool,
    /// Whether it is dropped if it determines something by itself.
    pub is_free: bool,
}

/// Columns that determine more of an attribute than is published, and no fewer of them do.
#[derive(Debug, Clone, PartialEq)]
pub struct Shadow {
    /// Their fields.
    pub columns: Vec<usize>,
    /// The position of the attribute among the hidden ones.
    pub attribute: usize,
    /// How well they determine it.
    pub quality: Quality,
}

/// How well columns determine an attribute.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Quality {
    /// The share of the records whose finer value is determined.
    Records(f64),
    /// The share of the variance below the published values that a weighted sum explains.
    Variance(f64),
}

/// Where shadows are looked for.
pub struct ShadowSearch<'a> {
    /// Records with the fields of all candidates and attributes.
    pub sample: &'a RecordSample,
    /// In an order that does not depend on the table's.
    pub candidates: Vec<PublishedCandidate>,
    /// The attributes of which less is published than was recorded.
    pub hidden: &'a [Hidden<'a>],
    /// Their fields.
    pub fields: &'a [HiddenFields],
    /// Can end the search, whose result is then of no use.
    pub progress: &'a dyn Progress,
}

/// A set of candidates, by position.
type CandidateSet = Vec<usize>;

impl ShadowSearch<'_> {
    /// Finds all smallest sets of candidates that determine more of an attribute than is published.
    pub fn shadows(&self) -> Vec<Shadow> {
        let columns = self.sample.columns();
        if columns.len() == 0 || self.hidden.is_empty() {
            return Vec::new();
        }
        let values =
            |one: &PublishedCandidate| SampledValues::of(columns.values(self.position(one.column)));
        let values: Vec<SampledValues> = self.candidates.iter().map(values).collect();
        let varied = |&one: &usize| values[one].distinct > 1;
        let singles = (0..values.len()).filter(varied).map(|one| vec![one]);
        let mut sets: Vec<CandidateSet> = singles.collect();
        let mut found = Vec::new();
        for _ in 0..LARGEST {
            let shared = self.judge_all(&columns, &values, sets, &mut found);
            sets = self.larger(&shared, &found);
        }
        linear::shadows(self, &columns, &mut found);
        // What quasi-identifiers determine by themselves is no other column's doing.
        found.retain(|shadow| !self.is_promised(&shadow.columns));
        found
    }

    /// Adds what sets of one size determine. Returns those whose values most records share with
    /// others.
    fn judge_all(
        &self,
        columns: &SampledColumns<'_>,
        values: &[SampledValues],
        mut sets: Vec<CandidateSet>,
        found: &mut Vec<Shadow>,
    ) -> Vec<CandidateSet> {
        let looks = MOST_LOOKS / sets.len().max(1) / (1 + self.hidden.len());
        let records = columns.len().min(looks.max(FEWEST_LOOKS));
        let view = SampleView::new(self, columns, records);
        sets.retain(|set| {
            if self.progress.cancelled() {
                return false;
            }
            let first = values[set[0]].first(records);
            let keys = set[1..].iter().fold(first, |keys, &one| keys.and(&values[one]));
            let is_shared = view.is_shared(&keys);
            self.judge(&view, set, &keys, is_shared, found);
            is_shared
        });
        sets
    }

    /// The position of a field in the sample.
    fn position(&self, field: usize) -> usize {
        self.sample.position(field)
    }

    /// The sets with one more column than those whose values most records share with others: a larger
    /// set of a sparse one is sparse as well.
    fn larger(&self, shared: &[CandidateSet], found: &[Shadow]) -> Vec<CandidateSet> {
        let is_gone = |&one: &usize| {
            let PublishedCandidate { column, is_free, .. } = self.candidates[one];
            is_free && found.iter().any(|shadow| shadow.columns == [column])
        };
        let mut singles: Vec<usize> = shared.iter().flatten().copied().collect();
        singles.sort_unstable();
        singles.dedup();
        singles.retain(|one| !is_gone(one));
        let with_more = shared.iter().filter(|set| !set.iter().any(is_gone)).flat_map(|set| {
            let last = set.last().copied();
            let later = singles.iter().copied().filter(move |&one| Some(one) > last);
            later.map(move |one| set.iter().copied().chain([one]).collect::<CandidateSet>())
        });
        with_more.take(MOST_SETS).collect()
    }

    /// Adds the attributes that a set determines, unless a part of it does.
    fn judge(
        &self,
        view: &SampleView,
        set: &[usize],
        keys: &SampledValues,
        is_shared: bool,
        found: &mut Vec<Shadow>,
    ) {
        let columns = self.columns(set);
        let is_one_free = matches!(set, [one] if self.candidates[*one].is_free);
        if !(is_shared || is_one_free) {
            return;
        }
        let sorted = SortedRecords::of(keys);
        for attribute in 0..self.hidden.len() {
            if is_known(found, &columns, attribute) {
                continue;
            }
            if let Some(share) = view.determined(keys, &sorted, attribute, is_one_free) {
                let (columns, quality) = (columns.clone(), Quality::Records(share));
                found.push(Shadow { columns, attribute, quality });
            }
        }
    }

    /// Whether the promise is about all of these columns.
    fn is_promised(&self, columns: &[usize]) -> bool {
        let mut others = self.candidates.iter().filter(|one| !one.is_negotiated);
        !others.any(|one| columns.contains(&one.column))
    }

    fn columns(&self, set: &[usize]) -> Vec<usize> {
        set.iter().map(|&one| self.candidates[one].column).collect()
    }
}

/// Whether some of these columns are known to determine an attribute.
fn is_known(found: &[Shadow], columns: &[usize], attribute: usize) -> bool {
    found.iter().any(|shadow| {
        shadow.attribute == attribute && shadow.columns.iter().all(|one| columns.contains(one))
    })
}

/// The first records of a sample, with what they hide.
struct SampleView {
    weights: Vec<u64>,
    attributes: Vec<HiddenLevels>,
}

/// An attribute with its finer levels, the coarsest first.
struct HiddenLevels {
    published: SampledValues,
    /// What published labels mostly lie in, where there are many more labels than that.
    around: Option<SampledValues>,
    levels: Vec<FinerLevel>,
}

/// The values of an attribute at a level of which less is published.
struct FinerLevel {
    /// By record, [`UNKNOWN`] if its value has none.
    values: SampledValues,
    /// The records whose value is known.
    all: u64,
    /// Those among them whose value a guess from the published one gets right.
    by_published: u64,
}

impl SampleView {
    fn new(search: &ShadowSearch<'_>, columns: &SampledColumns<'_>, records: usize) -> Self {
        let mut weights = columns.weights();
        weights.truncate(records);
        let attributes = search.hidden.iter().zip(search.fields);
        let attributes =
            attributes.map(|(hidden, fields)| levels(search, columns, hidden, *fields, &weights));
        Self { attributes: attributes.collect(), weights }
    }

    /// Whether enough records share these values with others to guess all records from them.
    fn is_shared(&self, keys: &SampledValues) -> bool {
        let mut records: Vec<u64> = vec![0; keys.distinct];
        for (&key, weight) in keys.codes.iter().zip(&self.weights) {
            records[key as usize] += weight;
        }
        let all: u64 = records.iter().sum();
        let shared: u64 = records.iter().filter(|&&records| records > 1).sum();
        is_determined(shared, all)
    }

    /// The share of the records whose value at some finer level is determined, if it is enough.
    fn determined(
        &self,
        keys: &SampledValues,
        sorted: &SortedRecords,
        attribute: usize,
        is_one_free: bool,
    ) -> Option<f64> {
        let HiddenLevels { published, around, levels } = &self.attributes[attribute];
        let (mut with_published, mut with_around) = (None, None);
        for FinerLevel { values, all, by_published } in levels {
            // A free column that is nearly unique is dropped already, so each of its values tells.
            let mut right = if is_one_free {
                sorted.rightly_guessed(values, &self.weights)
            } else {
                sorted.rightly_guessed_by_others(values, &self.weights)
            };
            if right < *all && published.distinct > 1 {
                let both = || SortedRecords::of(&keys.and(published));
                let both = with_published.get_or_insert_with(both);
                right = right.max(both.rightly_guessed_by_others(values, &self.weights));
            }
            if let Some(around) = around.as_ref().filter(|_| right < *all) {
                let both = with_around.get_or_insert_with(|| SortedRecords::of(&keys.and(around)));
                right = right.max(both.rightly_guessed_by_others(values, &self.weights));
            }
            // What does not determine a level determines no finer one.
            if !is_determined(right, *all) {
                return None;
            }
            if 2 * (all - right) <= all - by_published {
                return Some(right as f64 / *all as f64);
            }
        }
        None
    }
}

fn is_determined(right: u64, all: u64) -> bool {
    100 * u128::from(right) >= u128::from(DETERMINED) * u128::from(all)
}

/// The levels of an attribute that say more than what is published.
fn levels(
    search: &ShadowSearch<'_>,
    columns: &SampledColumns<'_>,
    hidden: &Hidden<'_>,
    fields: HiddenFields,
    weights: &[u64],
) -> HiddenLevels {
    let of = |field: usize| columns.values(search.position(field)).take(weights.len());
    let published = fields.published.map_or_else(
        || SampledValues { codes: vec![0; weights.len()], distinct: 1 },
        |field| SampledValues::of(of(field)),
    );
    let by_published = SortedRecords::of(&published);
    let finer = |values: SampledValues| {
        let known = values.codes.iter().zip(weights).filter(|(code, _)| **code != UNKNOWN);
        let all: u64 = known.map(|(_, records)| records).sum();
        let by_published = by_published.rightly_guessed(&values, weights);
        FinerLevel { values, all, by_published }
    };
    let levels: Vec<FinerLevel> = match hidden.hierarchy {
        None => vec![finer(SampledValues::of(of(fields.recorded)))],
        Some(hierarchy) => {
            let codes = codes_by_hash(hierarchy);
            let recorded: Vec<Option<u32>> =
                of(fields.recorded).map(|value| codes.get(&value).copied()).collect();
            let level = |level: Level| finer(at_level(hierarchy, level, &recorded));
            (0..u8::from(hierarchy.top())).rev().map(|number| level(number.into())).collect()
        }
    };
    // The recorded values are no level that a label lies in.
    let above = levels.len().saturating_sub(1);
    let typical = |level: &FinerLevel| by_published.typical(&level.values, weights);
    let is_coarser = |values: &SampledValues| 2 * values.distinct <= published.distinct;
    let is_sparse = published.distinct as u64 * FEW_RECORDS > weights.iter().sum::<u64>();
    let around = levels[..above].iter().rev().map(typical).find(is_coarser);
    let around = around.filter(|values| is_sparse && values.distinct > 1);
    let hides = |level: &FinerLevel| level.by_published < level.all;
    HiddenLevels { published, around, levels: levels.into_iter().filter(hides).collect() }
}

/// By the hash of a recorded value, its code.
fn codes_by_hash(hierarchy: &Hierarchy) -> FxHashMap<u64, u32> {
    let recorded = 0..hierarchy.len(Level::RECORDED) as u32;
    recorded.map(|code| (hash(hierarchy.label(code, Level::RECORDED)), code)).collect()
}

fn at_level(hierarchy: &Hierarchy, level: Level, recorded: &[Option<u32>]) -> SampledValues {
    let ancestor = |code: u32| hierarchy.ancestor(code, level);
    let codes = recorded.iter().map(|code| code.map_or(UNKNOWN, ancestor)).collect();
    SampledValues { codes, distinct: hierarchy.len(level) }
}

#[cfg(test)]
#[path = "../tests/unit/shadows.rs"]
mod tests;
