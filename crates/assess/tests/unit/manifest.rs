//! Manifests as they are written, read and recognized.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use haggle::Publication;
use haggle_engine::Engine;
use haggle_model::{ErrorKind, Scheme};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;

const PROJECT: &str = r#"
[data]
path = "people.csv"
header = true

[[attribute]]
name = "age"
role = "quasi-identifier"
hierarchy = { intervals = [10] }

[[attribute]]
name = "disease"
role = "sensitive"
"#;

const PEOPLE: &[u8] = b"age,disease\n21,flu\n22,cold\n31,flu\n32,cold\n41,gout\n";

/// A folder in which decades of at least two people were published: not the only one above 40.
fn published() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let project = Project::from_text(PROJECT, folder.path()).unwrap();
    let project = project.over(Input::embedded("people.csv", PEOPLE));
    let engine = Engine::builder(&project).open().unwrap();
    let publication = Publication::of(&Ask::k(2)).scheme(Scheme::new([1]));
    let publication = publication.private(folder.path().join("private"));
    publication.to(folder.path().join("out.csv")).publish(&engine).unwrap();
    folder
}

fn public_in(folder: &TempDir) -> Manifest {
    Manifest::next_to(&folder.path().join("out.csv")).unwrap().unwrap()
}

fn private_in(folder: &TempDir) -> PrivateManifest {
    PrivateManifest::open(&folder.path().join("private").join(POLICY)).unwrap()
}

/// A file with this content, in a folder of its own.
fn file_with(content: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("manifest.json");
    fs::write(&path, content).unwrap();
    (folder, path)
}

#[test]
fn manifests_are_read_as_they_were_written() {
    let folder = published();
    let (public, private) = (public_in(&folder), private_in(&folder));
    assert_eq!(private.public, public);
    assert_eq!((public.version, private.version), (FORMAT, FORMAT));
    assert_eq!(public.output.records, 4);
    let (_folder, path) = file_with(std::str::from_utf8(&bytes(&private)).unwrap());
    assert_eq!(PrivateManifest::open(&path).unwrap(), private);
}

#[test]
fn the_records_of_a_private_manifest_add_up() {
    let folder = published();
    let private = private_in(&folder);
    assert_eq!((private.read, private.dropped, private.records), (5, 0, 5));
    assert_eq!(private.records, private.public.output.records + private.suppressed);
    assert_eq!(private.reference["disease"]["gout"], 1, "the reference is the input's");
}

#[test]
fn a_public_manifest_holds_nothing_of_the_input_or_of_suppressed_records() {
    let folder = published();
    let private = private_in(&folder);
    let public = String::from_utf8(bytes(&public_in(&folder))).unwrap();
    let (seed, input) = (private.seed.unwrap().to_string(), &private.input_sha256[0]);
    for secret in [seed.as_str(), input.as_str(), "40-49", "gout"] {
        assert!(!public.contains(secret), "{secret} is in {public}");
    }
    let keys = |manifest: Value| -> BTreeSet<String> {
        manifest.as_object().unwrap().keys().cloned().collect()
    };
    let public = keys(serde_json::from_str(&public).unwrap());
    let private = keys(serde_json::to_value(&private).unwrap());
    let shared: Vec<&String> = private.intersection(&public).collect();
    assert_eq!(shared, ["promises", "recoding", "version"], "others are private");
}

#[test]
fn a_file_that_is_not_a_manifest_of_this_version_is_refused_with_the_reason() {
    for (content, named) in [
        (r#"{"version":99,"output":{"file":"out.csv"}}"#, "version 99"),
        (r#"{"output":{"file":"out.csv"}}"#, "version 1"),
        (r#"{"version":2,"output":{"file":"out.csv"}}"#, "not a manifest"),
        ("{\n\"version\": 2,\n", "manifest.json:"),
        ("[]", "not a manifest"),
    ] {
        let (_folder, path) = file_with(content);
        let error = read::<Manifest>(&path).unwrap_err();
        let is_other_version = named.starts_with("version");
        let kind = if is_other_version { ErrorKind::Unsupported } else { ErrorKind::BadInput };
        assert_eq!(error.kind(), kind, "{content}");
        let why = error.to_string();
        assert!(why.contains(named) && why.contains("manifest.json"), "{content}: {why}");
    }
}

#[test]
fn a_file_without_a_manifest_has_none_and_a_policy_must_be_there() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(Manifest::next_to(&folder.path().join("out.csv")).unwrap(), None);
    let error = PrivateManifest::open(&folder.path().join(POLICY)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
}

#[test]
fn manifests_are_recognized_whatever_their_version() {
    let file = Path::new("somewhere/out.csv");
    for (content, expected) in [
        (json!({"output": {"file": "out.csv"}}), [true, false, true]),
        (json!({"version": 99, "output": {"file": "out.csv"}}), [true, false, true]),
        (json!({"output": {}, "anatomy": {"file": "out.csv"}}), [false, true, false]),
        (json!({"output": {"file": "other.csv"}}), [false, false, true]),
        (json!({"public": {"output": {"file": "out.csv"}}}), [false, false, false]),
        (json!({"output": "out.csv"}), [false, false, false]),
    ] {
        let (_folder, path) = file_with(&content.to_string());
        let found = [names(&path, file), names_sensitive(&path, file), is_public(&path)];
        assert_eq!(found, expected, "{content}");
    }
}

#[test]
fn a_private_manifest_names_the_attributes_that_it_maps() {
    for (content, expected) in [
        (json!({"public": {}, "mapping": {"age": {}, "sex": {}}}), Some(vec!["age", "sex"])),
        (json!({"public": {}, "mapping": {}}), Some(vec![])),
        (json!({"output": {}, "mapping": {"age": {}}}), None),
        (json!({"mapping": {"age": {}}}), None),
    ] {
        let (_folder, path) = file_with(&content.to_string());
        let expected: Option<Vec<String>> =
            expected.map(|names| names.into_iter().map(String::from).collect());
        assert_eq!(mapped(&path), expected, "{content}");
    }
}

#[test]
fn every_attribute_has_a_mapping_file_of_its_own_in_the_folder() {
    for (attribute, expected) in [
        ("age", "mapping-age.csv"),
        ("zip code", "mapping-zip code.csv"),
        ("a/b", "mapping-a%2Fb.csv"),
        ("a%2Fb", "mapping-a%252Fb.csv"),
        ("..\\up", "mapping-..%5Cup.csv"),
        ("c:d\n", "mapping-c%3Ad%0A.csv"),
    ] {
        assert_eq!(mapping_file(attribute), expected);
    }
}

#[test]
fn missing_values_of_a_file_match_nothing_only_where_its_manifest_has_marks() {
    let public = public_in(&published());
    assert_eq!(public.missing().policy, OnMissing::Value);
    let marked = Manifest { unmatched: vec!["?".into()], ..public };
    assert_eq!(marked.missing().policy, OnMissing::Unmatched);
    assert_eq!(marked.missing().marks, ["?"]);
}
