//! Some records drawn at random: the probability of a cell is its frequency among them.
//!
//! A cell without a drawn record is assumed to be empty, so rare groups are missed: the expected
//! suppression is too low, the more so the smaller the sample.

use std::collections::BTreeMap;
use std::ops::Range;

use haggle_model::{QuasiIdentifier, Scheme};

use crate::{Error, LikelyCell, Needs, Summary, SummaryInput, SummaryKind, ValueMap};

pub(super) const KIND: SummaryKind = SummaryKind {
    id: "sample",
    title: "a random sample",
    definition: "Records drawn at random; the probability of a cell is its frequency among them.",
    needs: Needs::Sample,
    make,
};

fn make(basis: &SummaryInput) -> Result<Box<dyn Summary>, Error> {
    let overview = basis.overview()?;
    if overview.rows().len() == 0 {
        return Err(Error::new("no record was sampled", "sample more records"));
    }
    Ok(Box::new(SampleSummary {
        records: overview.records as f64,
        attributes: basis.attributes.clone(),
        sensitive: basis.sensitive.as_ref().map_or(0, |s| s.values.len()),
        columns: overview.columns(),
        codes: overview.sample.clone(),
        marginals: basis.shares()?,
    }))
}

/// The drawn records, as codes.
#[derive(Debug)]
struct SampleSummary {
    records: f64,
    attributes: Vec<QuasiIdentifier>,
    sensitive: usize,
    columns: usize,
    codes: Vec<u32>,
    marginals: Vec<Vec<f64>>,
}

impl SampleSummary {
    fn rows(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.codes.chunks_exact(self.columns)
    }

    fn generalized(&self, scheme: &Scheme, row: &[u32]) -> Vec<u32> {
        let codes = self.attributes.iter().zip(scheme.levels()).zip(row);
        codes.map(|((a, &level), &code)| a.hierarchy.ancestor(code, level)).collect()
    }
}

impl Summary for SampleSummary {
    fn records(&self) -> f64 {
        self.records
    }

    fn attributes(&self) -> &[QuasiIdentifier] {
        &self.attributes
    }

    fn sensitive(&self) -> usize {
        self.sensitive
    }

    fn probability(&self, scheme: &Scheme, codes: &[u32], sensitive: Option<u32>) -> f64 {
        let own = |row: &&[u32]| {
            sensitive.is_none_or(|value| row[self.attributes.len()] == value)
                && self.generalized(scheme, row) == codes
        };
        self.rows().filter(own).count() as f64 / self.rows().len() as f64
    }

    fn within(&self, sides: &[Range<u32>], along: Option<usize>, sensitive: bool) -> Vec<f64> {
        let values = if sensitive { self.sensitive } else { 1 };
        let mut shares = vec![0.0; along.map_or(1, |attribute| sides[attribute].len()) * values];
        let one = 1.0 / self.rows().len() as f64;
        for row in self.rows().filter(|row| sides.iter().zip(*row).all(|(s, c)| s.contains(c))) {
            let place =
                along.map_or(0, |attribute| row[attribute] - sides[attribute].start) as usize;
            let value = if sensitive { row[self.attributes.len()] as usize } else { 0 };
            // A record without a sensitive value has the code after the last.
            if value < values {
                shares[place * values + value] += one;
            }
        }
        shares
    }

    fn for_each_cell(
        &self,
        partition: &[ValueMap],
        sensitive: bool,
        visit: &mut dyn FnMut(&LikelyCell<'_>),
    ) -> Result<(), Error> {
        let values = if sensitive { self.sensitive } else { 0 };
        let one = 1.0 / self.rows().len() as f64;
        let mut cells: BTreeMap<Vec<u32>, (f64, Vec<f64>)> = BTreeMap::new();
        for row in self.rows() {
            let codes = partition.iter().zip(row).map(|(map, &code)| map.codes[code as usize]);
            let cell = cells.entry(codes.collect()).or_insert_with(|| (0.0, vec![0.0; values]));
            cell.0 += one;
            if let Some(share) =
                row.get(self.attributes.len()).and_then(|&code| cell.1.get_mut(code as usize))
            {
                *share += one;
            }
        }
        for (codes, &(probability, ref shares)) in &cells {
            let alone = [probability];
            let sensitive = if sensitive { &shares[..] } else { &alone };
            visit(&LikelyCell { codes, probability, sensitive });
        }
        Ok(())
    }

    fn draw(&self, random: &mut rand::rngs::StdRng) -> Vec<u32> {
        let at = rand::RngExt::random_range(random, 0..self.rows().len());
        self.codes[at * self.columns..][..self.columns].to_vec()
    }

    fn marginal(&self, attribute: usize) -> Vec<f64> {
        self.marginals[attribute].clone()
    }
}
