//! What programs may rely on: the fields of the JSON, exit codes, and every way to write a request.

mod account;
mod answers;
mod bargains;
mod changes;
mod flags;
mod partial;
mod queries;
mod questions;
mod ranges;
mod repeated;
mod report;
mod requests;
mod risk;
mod tables;
mod thresholds;
mod writing;

use crate::common::Folder;
use serde_json::Value;

/// The three quasi-identifiers of the published examples.
const THREE: &[&str] = &["demo:adult", "--qi", "age,race,workclass"];

/// A folder with the lattice of the embedded project's six quasi-identifiers, annotated once.
fn six() -> Folder {
    let folder = Folder::empty();
    folder.haggle(&["build", "demo:adult", "-o", "six.lattice"]).text();
    folder
}

/// The answer of the embedded project over three quasi-identifiers.
fn adult(arguments: &[&str]) -> Value {
    Folder::empty().answer(&[THREE, arguments].concat())
}

/// The answer to a query on the embedded project over three quasi-identifiers.
fn adult_query(arguments: &[&str]) -> Value {
    let arguments = [&["query"], THREE, arguments, &["--json"]].concat();
    Folder::empty().haggle(&arguments).json(0)
}
