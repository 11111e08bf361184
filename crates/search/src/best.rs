//! The best schemes so far, in the order of answers.

use haggle_model::Scheme;

use crate::order::loss_order;

/// A limited number of schemes, ordered by (loss, height, suppressed, levels).
#[derive(Debug)]
pub(crate) struct Best {
    most: usize,
    schemes: Vec<(f64, u64, Scheme)>,
}

impl Best {
    pub(crate) fn keeping(most: usize) -> Self {
        Self { most, schemes: Vec::new() }
    }

    /// Returns whether the list is full and all of its schemes lose less.
    pub(crate) fn beats(&self, loss: f64) -> bool {
        self.schemes.len() == self.most && self.schemes.last().is_none_or(|worst| loss > worst.0)
    }

    /// Adds a scheme, unless others are better or it is in the list.
    pub(crate) fn add(&mut self, loss: f64, suppressed: u64, scheme: &Scheme) {
        if self.beats(loss) || self.schemes.iter().any(|known| known.2 == *scheme) {
            return;
        }
        let added = (loss, suppressed, scheme.clone());
        let place = self.schemes.partition_point(|one| {
            loss_order((one.0, one.1, &one.2), (loss, suppressed, scheme)).is_lt()
        });
        self.schemes.insert(place, added);
        self.schemes.truncate(self.most);
    }

    /// Returns roughly how many bytes the schemes take.
    pub(crate) fn bytes(&self) -> usize {
        let levels = self.schemes.first().map_or(0, |best| best.2.levels().len());
        self.schemes.capacity() * (size_of::<(f64, u64, Scheme)>() + levels)
    }

    /// Returns the loss of the best scheme.
    pub(crate) fn loss(&self) -> Option<f64> {
        self.schemes.first().map(|best| best.0)
    }

    /// Returns the best scheme.
    pub(crate) fn scheme(&self) -> Option<&Scheme> {
        self.schemes.first().map(|best| &best.2)
    }

    /// Returns each scheme with its loss and suppressed records, best first.
    pub(crate) fn into_schemes(self) -> Vec<(f64, u64, Scheme)> {
        self.schemes
    }
}
