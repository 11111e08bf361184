//! Receipts: what was published by this and earlier servers of the project, newest first.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use haggle::PublicationReport;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

/// How many receipts are kept; the oldest go first.
const MOST: usize = 50;

/// A publication: when, for which request, and what was proved of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Receipt {
    /// The publication.
    pub(crate) id: String,
    /// When it was published, in seconds since 1970.
    pub(crate) time: u64,
    /// The body of the request that published it.
    #[schema(schema_with = any_object)]
    pub(crate) request: Value,
    /// What was published and proved.
    #[schema(value_type = PublicationReport)]
    pub(crate) report: Value,
    /// The paths of its files, by what they are; none once the files are gone.
    pub(crate) downloads: BTreeMap<String, String>,
}

/// The schema of an object with any fields.
fn any_object() -> RefOr<Schema> {
    let schema = json!({ "type": "object", "additionalProperties": true });
    serde_json::from_value(schema).expect("a schema")
}

/// The receipts of a project, the oldest first.
#[derive(Default)]
pub(crate) struct Receipts(Mutex<Vec<Receipt>>);

impl Receipts {
    /// The receipts of earlier servers. Their files were removed with them.
    pub(crate) fn of_earlier_servers(mut receipts: Vec<Receipt>) -> Self {
        for receipt in &mut receipts {
            receipt.downloads.clear();
        }
        Self(Mutex::new(receipts))
    }

    /// Adds a receipt.
    pub(crate) fn add(&self, receipt: Receipt) {
        add(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner), receipt);
    }

    /// All receipts, the newest first; `is_there` says of a publication whether its files exist.
    pub(crate) fn newest_first(&self, is_there: impl Fn(&str) -> bool) -> Vec<Receipt> {
        let receipts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let with_files = |receipt: &Receipt| {
            let mut receipt = receipt.clone();
            if !is_there(&receipt.id) {
                receipt.downloads.clear();
            }
            receipt
        };
        receipts.iter().rev().map(with_files).collect()
    }
}

/// Adds a receipt to a list, and removes the oldest of too many.
pub(super) fn add(receipts: &mut Vec<Receipt>, receipt: Receipt) {
    receipts.push(receipt);
    let many = receipts.len().saturating_sub(MOST);
    receipts.drain(..many);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn receipt(id: usize) -> Receipt {
        let downloads = [("data".to_owned(), format!("/{id}"))].into();
        Receipt {
            id: id.to_string(),
            time: 7,
            request: Value::Null,
            report: Value::Null,
            downloads,
        }
    }

    #[test]
    fn the_newest_are_kept_and_come_first() {
        let receipts = Receipts::default();
        (0..MOST + 3).for_each(|id| receipts.add(receipt(id)));
        let all = receipts.newest_first(|_| true);
        assert_eq!(all.len(), MOST);
        assert_eq!((all[0].id.as_str(), all[MOST - 1].id.as_str()), ("52", "3"));
    }

    #[test]
    fn files_that_are_gone_are_not_offered() {
        let receipts = Receipts::default();
        (0..2).for_each(|id| receipts.add(receipt(id)));
        let all = receipts.newest_first(|id| id == "1");
        assert_eq!((all[0].downloads.len(), all[1].downloads.len()), (1, 0));
        let next = Receipts::of_earlier_servers(all).newest_first(|_| true);
        assert!(next.iter().all(|receipt| receipt.downloads.is_empty()));
    }
}
