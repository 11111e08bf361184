//! Random tables as delimited text.

use haggle_data::{CsvOptions, Missing, OnMissing, Plan};
use haggle_testkit::Table as Records;

/// How the text is read.
pub(crate) fn options() -> CsvOptions {
    CsvOptions { header: Some(true), separator: Some(b','), ..CsvOptions::default() }
}

/// A table as text, and where its columns are.
pub(crate) fn written(records: &Records) -> (String, Plan) {
    let names = records.attributes.iter().map(|a| a.name.clone());
    let header: Vec<String> = names.chain(records.sensitive.iter().cloned()).collect();
    let lines = [&header].into_iter().chain(&records.records).map(|record| record.join(","));
    let quasi = records.attributes.len();
    let plan = Plan {
        counted: (0..quasi).collect(),
        watched: (quasi..header.len()).collect(),
        checked: (0..header.len()).collect(),
        missing: Missing { marks: Vec::new(), policy: OnMissing::Error },
    };
    (lines.collect::<Vec<_>>().join("\n") + "\n", plan)
}
