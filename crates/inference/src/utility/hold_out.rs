//! Which records are held out: a stable choice that no scheme and no other record influences.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::JointCounts;

/// How records are held out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HoldOut {
    /// The share of records that are held out, on average.
    pub share: f64,
    /// Another seed holds out others.
    pub seed: u64,
}

impl HoldOut {
    /// Returns whether a record is held out. Records that are alike are numbered from 0.
    ///
    /// ```
    /// use haggle_inference::utility::HoldOut;
    ///
    /// let third = HoldOut { share: 1.0 / 3.0, seed: 1 };
    /// let held = (0..3000).filter(|&n| third.holds(["34", "White"], n)).count();
    /// assert!((900..1100).contains(&held));
    /// ```
    pub fn holds<'v>(&self, values: impl IntoIterator<Item = &'v str>, number: u64) -> bool {
        let mut key: Vec<u8> = Vec::new();
        for value in values {
            key.extend_from_slice(value.as_bytes());
            key.push(0);
        }
        self.holds_key(&mut key, number)
    }

    fn holds_key(&self, key: &mut Vec<u8>, number: u64) -> bool {
        let length = key.len();
        key.extend_from_slice(&number.to_le_bytes());
        let hash = xxh3_64_with_seed(key, self.seed);
        key.truncate(length);
        // The upper 53 bits as a number from 0 to 1.
        ((hash >> 11) as f64) / ((1_u64 << 53) as f64) < self.share
    }

    /// Divides counted records into those to train with and those that are held out. A record is
    /// identified by its recorded values in all columns.
    pub fn divide(&self, joint: &JointCounts) -> (JointCounts, JointCounts) {
        let mut key: Vec<u8> = Vec::new();
        joint.divided(|row, value| {
            key.clear();
            for label in joint.labels(row, value) {
                key.extend_from_slice(label.as_bytes());
                key.push(0);
            }
            (0..value.count).filter(|&number| self.holds_key(&mut key, number)).count() as u64
        })
    }
}
