//! How far apart the values of a sensitive attribute are, as a publication's manifest states it.
//!
//! A promise of t-closeness means nothing without its distance. It is settled once, when something is
//! published, and stated with all that it takes to measure the file again by the same one.

use haggle_privacy::{Distance, Facts, Ground, Stated};
use serde::{Deserialize, Serialize};

/// A distance between the values of a published sensitive attribute. Only values that occur in the
/// file are named: others would tell of suppressed records.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PublishedDistance {
    /// Which distance it is.
    pub distance: Distance,
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
    pub(crate) fn new(distance: Distance, stated: &Stated, occurring: &[String]) -> Self {
        let occurs = |value: &String| occurring.contains(value);
        let order = stated.order.clone().filter(|_| distance == Distance::Ordered);
        let order = order.map(|order| order.into_iter().filter(occurs).collect());
        let rows = stated.hierarchy.clone().filter(|_| distance == Distance::Hierarchical);
        let hierarchy = rows.map(|rows| rows.into_iter().filter(|row| occurs(&row[0])).collect());
        let matrix = stated.matrix.as_ref().filter(|_| distance == Distance::Matrix);
        Self { distance, order, hierarchy, matrix: matrix.map(|matrix| matrix.among(occurring)) }
    }

    /// The same as a project would state it.
    pub(crate) fn stated(&self) -> Stated {
        let Self { distance, order, hierarchy, matrix } = self.clone();
        Stated { distance: Some(distance), order, hierarchy, matrix, ..Stated::default() }
    }
}

/// What is stated of an attribute, with the distance that is used where it states none.
pub(crate) fn settled(facts: &Facts, stated: &Stated) -> Stated {
    Stated { distance: stated.distance.or(facts.settled_distance()), ..stated.clone() }
}
