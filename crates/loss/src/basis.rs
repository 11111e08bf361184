//! What measures know about a table: its hierarchies, the distribution of its values, and weights.

use std::sync::Arc;

use haggle_cube::{CodeMeaning, Cube, Distance, ExpectedGroups, Generalized, Group, Statistic};
use haggle_model::{Hierarchy, Level, Problem, Problems, Scheme};

use crate::Error;
use crate::workload::Workload;

/// Below this, whole numbers and their sums are exact.
pub(crate) const WHOLE: f64 = (1_u64 << 53) as f64;

/// A table as measures see it.
#[derive(Debug)]
pub struct Basis<'c> {
    /// The table itself, for what only the recorded combinations determine.
    pub cube: &'c Cube,
    /// The hierarchy of each quasi-identifier.
    pub hierarchies: Vec<Hierarchy>,
    /// How many records have each recorded value of each quasi-identifier.
    pub counts: Vec<Vec<u64>>,
    /// How many records there are.
    pub records: u64,
    /// The weight of each quasi-identifier.
    pub weights: Vec<f64>,
    /// The position of the watched attribute that contains the classes.
    pub class: Option<usize>,
    /// How far the sensitive values of a group are from those of the whole table.
    pub distance: Option<Arc<dyn Distance>>,
    /// Why there is no such distance, and how to fix it.
    pub no_distance: Option<Problems>,
    /// The queries that a measure of queries asks.
    pub workload: Option<Workload>,
    /// The groups of the base scheme: the recorded combinations.
    pub base_groups: u64,
    /// Σ n ln n over them.
    pub base_entropy: f64,
    /// The set of quasi-identifiers that a measure of the sensitive attribute is over, by position;
    /// all if none is stated.
    pub over: Option<Vec<usize>>,
    /// The measure by which hybrid loss weighs the variance of a record.
    pub volume: Option<&'static str>,
}

impl<'c> Basis<'c> {
    /// Builds the basis of a cube, with equal weights.
    pub fn of(cube: &'c Cube) -> Self {
        let attributes = cube.attributes();
        let hierarchies: Vec<Hierarchy> = attributes.iter().map(|a| a.hierarchy.clone()).collect();
        let size = |hierarchy: &Hierarchy| vec![0; hierarchy.len(Level::RECORDED)];
        let mut counts: Vec<Vec<u64>> = hierarchies.iter().map(size).collect();
        let (mut base_entropy, mut base_groups) = (0.0, 0);
        cube.for_each_group(&cube.space().bottom(), 0, |codes, group| {
            for (counts, &code) in counts.iter_mut().zip(codes) {
                counts[code as usize] += group.records;
            }
            let records = group.records as f64;
            base_entropy += records * records.ln();
            base_groups += 1;
        });
        Self {
            cube,
            weights: vec![1.0; hierarchies.len()],
            hierarchies,
            counts,
            records: cube.records(),
            class: None,
            distance: None,
            no_distance: None,
            workload: None,
            base_groups,
            base_entropy,
            over: None,
            volume: None,
        }
    }

    /// Returns the same basis for measures over a set of quasi-identifiers.
    pub fn with_over(self, positions: Vec<usize>) -> Self {
        Self { over: Some(positions), ..self }
    }

    /// Returns the same basis with the volume measure of this name.
    pub fn with_volume(self, volume: &'static str) -> Self {
        Self { volume: Some(volume), ..self }
    }

    /// Returns the same basis with other weights, in the order of the quasi-identifiers.
    pub fn with_weights(self, weights: Vec<f64>) -> Self {
        Self { weights, ..self }
    }

    /// Returns the same basis with the watched attribute at this position as the class.
    pub fn with_class(self, class: usize) -> Self {
        Self { class: Some(class), ..self }
    }

    /// Returns the same basis with a distance of groups from the whole table.
    pub fn with_distance(self, distance: Arc<dyn Distance>) -> Self {
        Self { distance: Some(distance), ..self }
    }

    /// Returns the same basis without a distance, for this reason; measures that need one report
    /// it.
    pub fn without_distance(self, reason: Problems) -> Self {
        Self { no_distance: Some(reason), ..self }
    }

    /// Returns the same basis with the queries that are to be answered well.
    pub fn with_workload(self, workload: Workload) -> Self {
        Self { workload: Some(workload), ..self }
    }

    /// Computes a number for each published value of each attribute.
    pub(crate) fn unweighted(&self, number: fn(&LevelValue<'_>) -> f64) -> ByValue {
        self.weighted(number, vec![1.0; self.hierarchies.len()])
    }

    /// Computes the same, times the attribute's weight.
    pub(crate) fn by_value(&self, number: fn(&LevelValue<'_>) -> f64) -> ByValue {
        self.weighted(number, self.weights.clone())
    }

    /// Computes the same, times other weights.
    pub(crate) fn weighted(
        &self,
        number: fn(&LevelValue<'_>) -> f64,
        weights: Vec<f64>,
    ) -> ByValue {
        let of = |((hierarchy, counts), weight): ((&Hierarchy, &Vec<u64>), &f64)| {
            let at = |level: u8| {
                let values = values(hierarchy, counts, level.into(), self.records);
                values.iter().map(|value| number(value) * weight).collect()
            };
            (0..=hierarchy.top().into()).map(at).collect()
        };
        let attributes = self.hierarchies.iter().zip(&self.counts).zip(&weights);
        let levels: Vec<Vec<Vec<f64>>> = attributes.map(of).collect();
        let attributes = self.hierarchies.iter().zip(&self.counts).zip(&levels);
        let totals =
            attributes.map(|((hierarchy, counts), levels)| totals(hierarchy, counts, levels));
        let (totals, counts) = (totals.collect(), self.counts.clone());
        ByValue { number, levels, totals, counts, records: self.records, weights }
    }

    /// The sum of the weights.
    pub(crate) fn weight(&self) -> f64 {
        self.weights.iter().sum()
    }

    /// Returns the distance that a measure of the sensitive attribute needs.
    pub(crate) fn distance(&self, measure: &str) -> Result<&Arc<dyn Distance>, Error> {
        self.distance.as_ref().ok_or_else(|| {
            let reason = self.no_distance.clone().unwrap_or_else(|| {
                let what = format!("{measure} needs a sensitive attribute, and there is none");
                Problem::new(what)
                    .fix("give an attribute the role \"sensitive\" in the project")
                    .into()
            });
            Error::from(reason)
        })
    }

    /// Returns the class attribute that a measure needs.
    pub(crate) fn class(&self, measure: &str) -> Result<usize, Error> {
        self.class.ok_or_else(|| {
            let what = format!("{measure} needs a class attribute, and there is none");
            let fix =
                "name a sensitive attribute with class=NAME, or give one the role \"sensitive\"";
            Error::new(what, fix)
        })
    }
}

/// A number for each value of each level of each attribute, and for any range of recorded values.
#[derive(Debug)]
pub(crate) struct ByValue {
    number: fn(&LevelValue<'_>) -> f64,
    /// By attribute, level and code.
    levels: Vec<Vec<Vec<f64>>>,
    /// By attribute and level, the sum over all records.
    totals: Vec<Vec<f64>>,
    counts: Vec<Vec<u64>>,
    records: u64,
    weights: Vec<f64>,
}

impl ByValue {
    /// The numbers of a group's values, by attribute.
    pub(crate) fn of<'g>(&'g self, group: &'g Generalized<'_>) -> impl Iterator<Item = f64> + 'g {
        let codes = group.codes.iter().enumerate();
        codes.map(|(position, &code)| self.number(group.place, position, code as usize))
    }

    /// The number of one value of an attribute.
    fn number(&self, place: CodeMeaning<'_>, position: usize, code: usize) -> f64 {
        match place {
            CodeMeaning::Scheme(scheme) => {
                self.levels[position][scheme.level(position).index()][code]
            }
            CodeMeaning::Regions { regions, .. } => {
                let leaves = &regions[position][code].leaves;
                let all = &self.counts[position];
                let counts = &all[leaves.start as usize..leaves.end as usize];
                let (domain, records) = (all.len(), self.records);
                let value = LevelValue { leaves: leaves.len(), domain, counts, records };
                (self.number)(&value) * self.weights[position]
            }
        }
    }

    /// The number of each recorded value of each attribute.
    pub(crate) fn recorded(&self) -> impl Iterator<Item = &[f64]> {
        self.levels.iter().map(|levels| levels[0].as_slice())
    }

    /// The numbers of all records' values at the levels of a scheme, summed by attribute.
    pub(crate) fn of_all<'s>(&'s self, scheme: &'s Scheme) -> impl Iterator<Item = f64> + 's {
        let levels = scheme.levels().iter().map(|level| level.index());
        self.totals.iter().zip(levels).map(|(totals, level)| totals[level])
    }

    /// The numbers summed over the records that are expected to be kept, by attribute.
    pub(crate) fn expected<'s>(
        &'s self,
        kept: &'s ExpectedGroups<'_>,
    ) -> impl Iterator<Item = f64> + 's {
        let attributes = 0..kept.values.len();
        attributes.map(|a| kept.sum(a, |code| self.number(kept.place, a, code)))
    }

    /// The number of each attribute's most general value.
    pub(crate) fn most_general(&self) -> impl Iterator<Item = f64> {
        self.levels.iter().filter_map(|levels| levels.last().and_then(|top| top.first()).copied())
    }
}

/// Sums the numbers of the values of each level of an attribute over all records.
fn totals(hierarchy: &Hierarchy, counts: &[u64], levels: &[Vec<f64>]) -> Vec<f64> {
    let total = |(level, numbers): (usize, &Vec<f64>)| {
        let ancestors = hierarchy.ancestors(Level::from(level as u8)).iter().zip(counts);
        ancestors.map(|(&code, &count)| numbers[code as usize] * count as f64).sum()
    };
    levels.iter().enumerate().map(total).collect()
}

/// Returns the distance of a group from the whole table; 0 for a group without a known value.
pub(crate) fn distance_of(distance: &dyn Statistic, group: &Group<'_>) -> f64 {
    if group.values.is_empty() { 0.0 } else { distance.of(group) }
}

/// A value of a level, with the recorded values below it.
pub(crate) struct LevelValue<'a> {
    /// How many recorded values lie below it.
    pub(crate) leaves: usize,
    /// How many recorded values the attribute has.
    pub(crate) domain: usize,
    /// The records of each of those below it.
    pub(crate) counts: &'a [u64],
    /// All records.
    pub(crate) records: u64,
}

/// Returns the values of a level. Codes are contiguous, so those below a value are too.
fn values<'a>(
    hierarchy: &Hierarchy,
    counts: &'a [u64],
    level: Level,
    records: u64,
) -> Vec<LevelValue<'a>> {
    let ancestors = hierarchy.ancestors(level);
    let mut values = Vec::new();
    let mut start = 0;
    for code in 0..hierarchy.len(level) as u32 {
        let leaves = ancestors[start..].iter().take_while(|&&ancestor| ancestor == code).count();
        let counts = &counts[start..start + leaves];
        values.push(LevelValue { leaves, domain: ancestors.len(), counts, records });
        start += leaves;
    }
    values
}
