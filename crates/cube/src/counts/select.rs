//! A cube over some of the quasi-identifiers of another.

use haggle_model::{Level, Scheme, Watched};

use crate::counts::count::{CountedPart, Counter};
use crate::counts::cube::Cube;
use crate::groups::statistic::ValueCount;

impl Cube {
    /// Returns the cube over some of the quasi-identifiers, in a new order, as if only these had
    /// been counted.
    pub fn select(&self, positions: &[usize]) -> Self {
        let attributes: Vec<_> = positions.iter().map(|&i| self.attributes()[i].clone()).collect();
        let base = self.space().bottom();
        let recode: Vec<Vec<u32>> = attributes
            .iter()
            .map(|a| (0..a.hierarchy.len(Level::RECORDED) as u32).collect())
            .collect();
        let marginal = |i: usize| {
            let watched: Vec<Watched> = self.watched().get(i).cloned().into_iter().collect();
            let mut counter = Counter::new(positions.len(), watched.len());
            let mut tuple = Vec::new();
            let unknown = watched.first().map_or(0, |watched| watched.values.len() as u32);
            self.for_each_group(&base, i, |codes, group| {
                let known: u64 = group.values.iter().map(|value| value.count).sum();
                let rest = ValueCount { code: unknown, count: group.records - known };
                for value in group.values.iter().chain((rest.count > 0).then_some(&rest)) {
                    tuple.clear();
                    tuple.extend(positions.iter().map(|&p| codes[p]).chain([value.code]));
                    counter.add_many(&tuple, value.count);
                }
            });
            let last = self.marginals[i].layout.unknown.map_or(0, |_| 1);
            let values = watched.iter().map(|w| (0..w.values.len() as u32 + last).collect());
            let recode = recode.iter().cloned().chain(values).collect();
            let alone =
                Self::from_parts(attributes.clone(), watched, &[CountedPart { counter, recode }]);
            alone.marginals.into_iter().next()
        };
        let marginals = (0..self.marginals.len()).filter_map(marginal).collect();
        let selected = Self::new(attributes, self.watched().to_vec(), self.records(), marginals);
        let levels = |start: &Scheme| Scheme::new(positions.iter().map(|&i| start.level(i).into()));
        let selected = match self.start() {
            Some(start) => selected.counted_from(levels(start)),
            None => selected,
        };
        match self.unit() {
            Some(position) => selected.counting(position),
            None => selected,
        }
    }
}
