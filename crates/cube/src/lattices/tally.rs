//! What is kept of every scheme for statistics: their histograms, and rows if requested.

use haggle_model::Scheme;

use crate::Statistic;
use crate::counts::cells::{Cell, Extra, for_each_group};
use crate::counts::key::{Key, KeyLayout};
use crate::lattices::annotate::Observe;
use crate::lattices::histogram::{HistogramTally, Tallied};

/// Tallies statistics that need the same watched attribute.
pub(crate) struct Tallies<'a> {
    pub(crate) statistics: &'a [&'a dyn Statistic],
    /// Whether each group's bin and size are kept.
    pub(crate) rows: bool,
}

/// The histogram of each statistic, and each group's size if rows are kept.
#[derive(Debug, Clone, Default)]
pub(crate) struct Annotation {
    pub(crate) histograms: Vec<Tallied>,
    pub(crate) sizes: Box<[u64]>,
}

impl Annotation {
    /// The bytes that it takes among the annotations of all schemes.
    pub(crate) fn kept_bytes(&self) -> usize {
        let histograms = self.histograms.iter().map(Tallied::kept_bytes).sum::<usize>();
        histograms + size_of_val(&*self.sizes)
    }
}

impl Observe for Tallies<'_> {
    type Scratch = Vec<HistogramTally>;
    type Observation = Annotation;

    fn scratch(&self) -> Vec<HistogramTally> {
        let tally = |statistic: &&dyn Statistic| {
            HistogramTally::new(statistic.column().comparison, self.rows)
        };
        self.statistics.iter().map(tally).collect()
    }

    fn see<K: Key, E: Extra>(
        &self,
        _: &Scheme,
        cells: &[Cell<K, E>],
        layout: &KeyLayout,
        tallies: &mut Vec<HistogramTally>,
    ) -> Annotation {
        if let ([statistic], [tally], false) = (self.statistics, &mut **tallies, self.rows)
            && statistic.is_size()
            && layout.watches_nothing()
        {
            tally.add_sizes(cells.iter().map(|cell| cell.count));
            return Annotation { histograms: vec![tally.take()], sizes: Box::default() };
        }
        let mut sizes = Vec::new();
        for_each_group(cells, layout, |_, group| {
            for (statistic, tally) in self.statistics.iter().zip(&mut *tallies) {
                tally.add(statistic.of(group), group.records);
            }
            if self.rows {
                sizes.push(group.records);
            }
        });
        let histograms = tallies.iter_mut().map(HistogramTally::take).collect();
        Annotation { histograms, sizes: sizes.into() }
    }

    fn bytes(seen: &Annotation) -> usize {
        let histograms = seen.histograms.iter().map(Tallied::bytes).sum::<usize>();
        histograms + size_of_val(&*seen.sizes) + size_of::<Annotation>()
    }
}
