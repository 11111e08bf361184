//! A million malformed inputs: every parser refuses or accepts, and none falls over.

use std::path::Path;

use haggle::{Amount, Ask, Engine, Levels, Manifest, Options, Privacy, Project, Scheme};
use haggle_testkit::mutate::Damage;

/// Runs a parser on damaged copies of a file, and counts how many it refused.
fn refused(copies: usize, valid: &[u8], mut parse: impl FnMut(&[u8]) -> bool) -> usize {
    let mut damage = Damage::new(copies as u64);
    (0..copies).filter(|_| !parse(&damage.of(valid))).count()
}

/// Some copies must be refused, or the damage is none; some may still be sound.
fn check(what: &str, copies: usize, refused: usize) {
    assert!(refused > copies / 20, "{what}: only {refused} of {copies} were refused");
}

const PROJECT: &str = r#"[data]
path = "table.csv"
separator = ";"
header = false
columns = ["age", "sex", "zip", "job"]
missing = ["?", ""]
on_missing = "drop"
unit = "person"

[[attribute]]
name = "age"
role = "quasi-identifier"
hierarchy = { intervals = [5, 10, 20], origin = 17, below = 20, above = 80 }

[[attribute]]
name = "zip"
role = "quasi-identifier"
hierarchy = { prefix = [1, 2, 3] }

[[attribute]]
name = "job"
role = "sensitive"

[request]
k = 5
max_suppressed = "1%"
levels = { age = 2 }
quasi_identifiers = ["age", "zip"]
"#;

#[test]
fn project_files() {
    let copies = 100_000;
    let refused = refused(copies, PROJECT.as_bytes(), |bytes| {
        let text = String::from_utf8_lossy(bytes);
        Project::from_text(&text, Path::new("")).is_ok()
    });
    check("project files", copies, refused);
}

#[test]
fn lattice_files() {
    let options = Options { qi: Some(vec!["race".into(), "sex".into()]), ..Options::default() };
    let engine = Engine::open(&Project::open("demo:adult").unwrap(), &options).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("haggle.lattice");
    engine.save(&path).unwrap();
    let valid = std::fs::read(&path).unwrap();
    let mut damage = Damage::new(11);
    for _ in 0..100_000 {
        let copy = damage.of(&valid);
        assert!(
            copy == valid || haggle_cube::store::decode(&copy).is_err(),
            "a damaged lattice passed"
        );
    }
}

#[test]
fn manifests() {
    let valid = r#"{"haggle":"0.1.0","output":{"file":"out.csv","sha256":"00","records":5},
        "recoding":{"kind":"levels","scheme":[1,0]},"attributes":[{"name":"age","level":1,"top":4,
        "values":["17-21"]}],"sensitive":["job"],"guarantees":{"k-anonymity":10.0}}"#;
    let copies = 150_000;
    let refused = refused(copies, valid.as_bytes(), |bytes| {
        serde_json::from_slice::<Manifest>(bytes).is_ok()
    });
    check("manifests", copies, refused);
}

#[test]
fn requests() {
    let valid =
        br#"{"privacy":[{"model":"distinct-l-diversity","l":3,"on":"disease"}],"levels":{"age":2},
        "max_suppressed":"0.5%","relax_height":"published"}"#;
    let options = Options { qi: Some(vec!["age".into(), "race".into()]), ..Options::default() };
    let engine = Engine::open(&Project::open("demo:adult").unwrap(), &options).unwrap();
    let copies = 200_000;
    let refused = refused(copies, valid, |bytes| {
        serde_json::from_slice::<Ask>(bytes).is_ok_and(|ask| engine.ask(&ask).is_ok())
    });
    check("requests", copies, refused);
}

#[test]
fn what_is_typed() {
    let copies = 100_000;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let privacy = refused(copies, b"distinct-l-diversity:l=3,on=disease", |b| {
        text(b).parse::<Privacy>().is_ok()
    });
    let levels = refused(copies, b"age=2,race=1", |b| text(b).parse::<Levels>().is_ok());
    let scheme = refused(copies, b"[2,1,0,11]", |b| text(b).parse::<Scheme>().is_ok());
    let amount = refused(copies, b"0.57%", |b| text(b).parse::<Amount>().is_ok());
    for (what, refused) in
        [("privacy", privacy), ("levels", levels), ("schemes", scheme), ("amounts", amount)]
    {
        check(what, copies, refused);
    }
}

#[test]
fn hierarchy_files() {
    let valid = b"17;17-21;17-36;*\n18;17-21;17-36;*\n\"19;x\";17-21;17-36;*\n44;42-46;37-56\n";
    let copies = 150_000;
    let refused = refused(copies, valid, |bytes| {
        haggle_data::parse_hierarchy("age", Path::new("age.csv"), bytes).is_ok()
    });
    check("hierarchy files", copies, refused);
}
