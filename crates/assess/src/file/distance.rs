//! How far apart the values of a sensitive attribute are, as a publication's manifest states it.
//!
//! A promise of t-closeness means nothing without its distance. It is settled when something is
//! published, by what the project states and by the values of the file alone, and stated with all
//! that it takes to measure the file again by the same one. It is also that of the input: all of its
//! values are numbers or dates, or none is, or the distance is stated.

use haggle_model::Dictionary;
use haggle_privacy::{DistanceKind, DontCare, Facts, Ground, Stated, Target};
use serde::{Deserialize, Serialize};

/// A distance between the values of a published sensitive attribute. Only values that occur in the
/// file are named: others would tell of suppressed records.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PublishedDistance {
    /// Which distance it is.
    pub distance: DistanceKind,
    /// The values from the lowest to the highest, where the project states their order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<Vec<String>>,
    /// The rows of the hierarchy, where it is by that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hierarchy: Option<Vec<Vec<String>>>,
    /// The distances, where each is stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matrix: Option<Ground>,
}

impl PublishedDistance {
    /// The distance between the values that occur, with what the project states of it.
    pub fn new(distance: DistanceKind, stated: &Stated, occurring: &[String]) -> Self {
        let occurs = |value: &String| occurring.contains(value);
        let order = stated.order.clone().filter(|_| distance == DistanceKind::Ordered);
        let order = order.map(|order| order.into_iter().filter(occurs).collect());
        let rows = stated.hierarchy.clone().filter(|_| distance == DistanceKind::Hierarchical);
        let hierarchy = rows.map(|rows| rows.into_iter().filter(|row| occurs(&row[0])).collect());
        let matrix = stated.matrix.as_ref().filter(|_| distance == DistanceKind::Matrix);
        Self { distance, order, hierarchy, matrix: matrix.map(|matrix| matrix.among(occurring)) }
    }

    /// Returns the distance as a project would state it.
    pub(crate) fn stated(&self) -> Stated {
        let Self { distance, order, hierarchy, matrix } = self.clone();
        Stated { distance: Some(distance), order, hierarchy, matrix, ..Stated::default() }
    }
}

/// The distance that is stated, else the one that the values of a file suggest; none if only some of
/// them are numbers or dates. What the input suggests would tell of values that are not in the file.
pub fn suggested(stated: &Stated, values: &[String]) -> Option<DistanceKind> {
    let by_order = stated.order.as_ref().map(|_| DistanceKind::Ordered);
    stated.distance.or(by_order).or_else(|| {
        let mut dictionary = Dictionary::default();
        for value in values {
            dictionary.code_or_add(value);
        }
        let target = Target { position: 0, name: String::new() };
        let counts = vec![0; dictionary.len()];
        Facts::plain(target, dictionary, counts).settled_distance()
    })
}

/// What is stated of an attribute, with the distance that is used where it states none, and with the
/// most frequent values of the input by name: those of a file may be others.
pub fn settled(facts: &Facts, stated: &Stated) -> Stated {
    let distance = stated.distance.or(facts.settled_distance());
    let dont_care = match &stated.dont_care {
        DontCare::MostFrequent { .. } => {
            let values = facts.values.values().zip(&facts.dont_care);
            let values = values.filter(|(_, free)| **free).map(|(value, _)| value.to_owned());
            DontCare::Values(values.collect())
        }
        named @ DontCare::Values(_) => named.clone(),
    };
    Stated { distance, dont_care, ..stated.clone() }
}
