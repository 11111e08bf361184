//! Values of hierarchies in conditions on columns that are published as recorded.

use haggle_inference::Query;
use haggle_model::Level;

use super::QueriedCounts;

/// Replaces each value that only the hierarchy of a recorded column has by the recorded values below
/// it.
pub fn with_recorded_values(query: Query, counts: &QueriedCounts) -> Query {
    let below = |column: &str, value: &str| {
        let recorded = counts.joint.columns().iter().find(|known| known.name == column)?;
        let hierarchy = counts.hierarchies.get(column)?;
        if recorded.values.code(value).is_some() {
            return None;
        }
        let codes = hierarchy.named(value)?;
        let labels = codes.map(|leaf| hierarchy.label(leaf, Level::RECORDED));
        let occurring = labels.filter(|label| recorded.values.code(label).is_some());
        Some(occurring.map(str::to_owned).collect())
    };
    Query { condition: query.condition.with_values(below), ..query }
}
