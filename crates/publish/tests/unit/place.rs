//! Which files a publication may replace, by what is there already.

use std::fs;

use haggle_model::ErrorKind;

use super::*;

const PROJECT: &str = r#"
[data]
path = "data.csv"

[[attribute]]
name = "age"
role = "quasi-identifier"
hierarchy = "age.csv"
"#;

/// The choices in the order in which expectations below are written.
const CHOICES: [Replace; 3] = [Replace::Nothing, Replace::Publications, Replace::Files];

fn project_in(folder: &Path) -> Project {
    fs::write(folder.join("data.csv"), "age\n21\n").unwrap();
    fs::write(folder.join("age.csv"), "21;*\n").unwrap();
    fs::write(folder.join("haggle.toml"), PROJECT).unwrap();
    Project::open(folder).unwrap()
}

fn place(output: &Path, replace: Replace) -> PublicationPlace<'_> {
    PublicationPlace { output, sensitive: None, private: None, replace }
}

/// A manifest of a file, and of a table of sensitive values.
fn manifest_of(file: &str, sensitive: &str) -> String {
    format!(r#"{{"version":2,"output":{{"file":"{file}"}},"anatomy":{{"file":"{sensitive}"}}}}"#)
}

/// What becomes of files of a folder under each choice.
fn allowed(check: impl Fn(Replace) -> Result<(), Error>) -> [bool; 3] {
    CHOICES.map(|replace| match check(replace) {
        Ok(()) => true,
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Conflict);
            assert!(error.to_string().contains("there is a file of this name"), "{error}");
            false
        }
    })
}

#[test]
fn files_of_the_project_are_never_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let project = project_in(folder.path());
    fs::create_dir(folder.path().join("more")).unwrap();
    for (file, what) in [
        ("haggle.toml", "the project file"),
        ("data.csv", "the data itself"),
        ("more/../data.csv", "the data itself"),
        ("age.csv", "a hierarchy of the project"),
        ("publications.jsonl", "the record of publications"),
        ("haggle.lattice", "the lattice file"),
    ] {
        let output = folder.path().join(file);
        let place = place(&output, Replace::Files);
        let checks =
            [place.check(&project), place.check_manifest(&project), place.check_script(&project)];
        for checked in checks {
            let why = checked.unwrap_err().to_string();
            assert!(why.contains(&format!("the output is {what}")), "{file}: {why}");
        }
    }
}

#[test]
fn nothing_is_written_that_would_be_data_of_the_project() {
    let folder = tempfile::tempdir().unwrap();
    let parts = folder.path().join("parts");
    fs::create_dir(&parts).unwrap();
    fs::write(parts.join("part-1.csv"), "age\n21\n").unwrap();
    fs::write(folder.path().join("part-1.csv"), "age\n21\n").unwrap();
    project_in(folder.path());
    let everywhere = parts.join("part-*.csv");
    for (pattern, file, is_refused) in [
        ("part-*.csv", "part-2.csv", true),
        ("part-*.csv", "parts/../part-2.csv", true),
        ("part-*.csv", "parts/part-2.csv", false),
        ("part-*.csv", "out.csv", false),
        ("parts/*.csv", "parts/out.csv", true),
        ("*/part-?.csv", "parts/part-2.csv", true),
        (everywhere.to_str().unwrap(), "parts/part-2.csv", true),
    ] {
        let text = PROJECT.replace("data.csv", pattern);
        fs::write(folder.path().join("haggle.toml"), text).unwrap();
        let project = Project::open(folder.path()).unwrap();
        let output = folder.path().join(file);
        let place = place(&output, Replace::Files);
        for checked in [place.check(&project), place.check_script(&project)] {
            assert_eq!(checked.is_err(), is_refused, "{pattern} {file}: {checked:?}");
        }
    }
}

#[test]
fn a_folder_is_never_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let project = project_in(folder.path());
    let output = folder.path().join("out.csv");
    fs::create_dir(&output).unwrap();
    let error = place(&output, Replace::Files).check(&project).unwrap_err();
    assert!(error.to_string().contains("the output is a folder"), "{error}");
}

#[test]
fn an_earlier_publication_is_a_file_whose_manifest_names_it() {
    let own = manifest_of("out.csv", "out.sensitive.csv");
    let other = manifest_of("other.csv", "");
    for (is_there, manifest, expected) in [
        (false, None, [true, true, true]),
        (true, None, [false, false, true]),
        (true, Some(&own), [false, true, true]),
        (false, Some(&own), [false, true, true]),
        (true, Some(&other), [false, false, true]),
        (false, Some(&other), [false, false, true]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let project = project_in(folder.path());
        let output = folder.path().join("out.csv");
        if is_there {
            fs::write(&output, "age\n*\n").unwrap();
        }
        if let Some(manifest) = manifest {
            fs::write(manifest_path(&output), manifest).unwrap();
        }
        let found = allowed(|replace| place(&output, replace).check(&project));
        assert_eq!(found, expected, "{is_there} {manifest:?}");
    }
}

#[test]
fn a_table_of_sensitive_values_is_replaced_if_the_manifest_names_it() {
    for (sensitive, expected) in
        [("out.sensitive.csv", [false, true, true]), ("other.csv", [false, false, true])]
    {
        let folder = tempfile::tempdir().unwrap();
        let project = project_in(folder.path());
        let output = folder.path().join("out.csv");
        let counts = folder.path().join("out.sensitive.csv");
        fs::write(&output, "age\n*\n").unwrap();
        fs::write(&counts, "group,disease,count\n").unwrap();
        fs::write(manifest_path(&output), manifest_of("out.csv", sensitive)).unwrap();
        let found = allowed(|replace| {
            let place = place(&output, replace);
            PublicationPlace { sensitive: Some(counts.clone()), ..place }.check(&project)
        });
        assert_eq!(found, expected, "{sensitive}");
    }
}

#[test]
fn statements_replace_a_file_only_by_force_and_a_manifest_only_a_manifest() {
    let folder = tempfile::tempdir().unwrap();
    let project = project_in(folder.path());
    let output = folder.path().join("out");
    let script = || allowed(|replace| place(&output, replace).check_script(&project));
    let manifest = || allowed(|replace| place(&output, replace).check_manifest(&project));
    assert_eq!((script(), manifest()), ([true; 3], [true; 3]), "nothing is there");
    fs::write(&output, manifest_of("some table", "")).unwrap();
    assert_eq!((script(), manifest()), ([false, false, true], [false, true, true]));
    fs::write(&output, r#"{"output":"something else"}"#).unwrap();
    assert_eq!((script(), manifest()), ([false, false, true], [false, false, true]));
}

#[test]
fn files_of_a_private_folder_are_replaced_if_its_policy_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let project = project_in(folder.path());
    let (output, private) = (folder.path().join("out.csv"), folder.path().join("private"));
    fs::create_dir(&private).unwrap();
    let files = [manifest::POLICY, "mapping-age.csv"].map(|name| private.join(name));
    let check = |replace: Replace| {
        let private = Some((private.as_path(), files.to_vec()));
        PublicationPlace { private, ..place(&output, replace) }.check(&project)
    };
    assert_eq!(allowed(check), [true; 3], "nothing is there");
    fs::write(&files[1], "21,*\n").unwrap();
    assert_eq!(allowed(check), [false, false, true]);
    fs::write(&files[0], r#"{"public":{},"mapping":{"age":{}}}"#).unwrap();
    assert!(check(Replace::Publications).is_ok());
}
