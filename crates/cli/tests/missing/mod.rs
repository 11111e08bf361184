//! Missing values in every command and under every policy, compared with a count of the records by
//! hand.

mod answers;
mod brute_force;
mod files;
mod looking;
mod refused;

use crate::common::{Folder, Run};
use brute_force::{Policy, RECORDS};
use serde_json::Value;

/// The small project with the twelve records, this policy and this name for everybody.
fn people(policy: &str) -> Folder {
    let folder = Folder::people();
    let stated = format!("[data]\nmissing = [\"?\", \"\"]\non_missing = \"{policy}\"\n");
    folder.edit("haggle.toml", "[data]\n", &stated);
    let line = |record: [&str; 3]| format!("somebody,{}\n", record.join(","));
    let table: String = RECORDS.map(line).concat();
    folder.write("people.csv", format!("name,age,sex,disease\n{table}"));
    folder
}

/// Folders for all policies that let records with missing values be.
fn folders() -> [(Policy, Folder); 3] {
    Policy::ALL.map(|policy| (policy, people(policy.key())))
}

/// The JSON of a run that went well; it shows no label that is only for counting.
fn json(run: &Run) -> Value {
    let value = run.json(0);
    assert_shown(&value);
    value
}

/// Labels for counting begin with a blank; nothing that is printed does.
fn assert_shown(value: &Value) {
    match value {
        Value::String(text) => assert!(!text.starts_with(' '), "{text:?}"),
        Value::Array(values) => values.iter().for_each(assert_shown),
        Value::Object(fields) => fields.iter().for_each(|(key, value)| {
            assert!(!key.starts_with(' '), "{key:?}");
            assert_shown(value);
        }),
        _ => (),
    }
}
