//! What programs may rely on: the fields of the JSON, exit codes, and every way to write a request.

#[path = "../common/mod.rs"]
mod common;

mod answers;
mod bargains;
mod requests;
mod tables;
mod writing;

use common::Folder;
use serde_json::Value;

/// The three quasi-identifiers of the published examples.
const THREE: &[&str] = &["demo:adult", "--qi", "age,race,workclass"];

/// The answer of the embedded project over three quasi-identifiers.
fn adult(arguments: &[&str]) -> Value {
    Folder::empty().answer(&[THREE, arguments].concat())
}
