//! What makes a stored lattice stale, and what does not.

use std::fs;
use std::fs::File;

use haggle_testkit::people::AGE_AND_SEX;

use super::*;

/// The people's project, with a note and a request.
fn text() -> String {
    let note = "[[attribute]]\nname = \"note\"\nrole = \"insensitive\"\n[request]\nk = 3\n";
    [AGE_AND_SEX, note].concat()
}

const PEOPLE: &str = "age,sex,note\n21,f,none\n22,m,none\n";

/// A project of this text over this table.
fn project(text: &str, people: &str) -> Project {
    let input = Input::memory("people.csv", people.as_bytes().to_vec());
    Project::from_text(text, Path::new("no-such-folder")).unwrap().over(input)
}

fn fingerprint(project: &Project) -> Fingerprint {
    let data = project.input(&haggle_model::Silent).unwrap().digest().unwrap();
    Fingerprint::before_reading(project).unwrap().of_data(data)
}

/// What is said of a lattice of this fingerprint.
fn verdict(fingerprint: &Fingerprint, project: &Project, lattice: &Path) -> &'static str {
    fingerprint.stale(project, lattice).unwrap().unwrap_or("fresh")
}

#[test]
fn a_lattice_is_stale_when_what_is_counted_changed() {
    let before = fingerprint(&project(&text(), PEOPLE));
    for (from, to, expected) in [
        ("k = 3", "k = 3", "fresh"),
        ("k = 3", "k = 7", "fresh"),
        ("\"insensitive\"", "\"identifier\"", "fresh"),
        ("[request]", "[[attribute]]\nname = \"more\"\nrole = \"insensitive\"\n[request]", "fresh"),
        ("\"drop\"", "\"value\"", "data section or attributes"),
        ("[\"?\"]", "[\"?\", \"\"]", "data section or attributes"),
        ("header = true", "header = true\nunit = \"note\"", "data section or attributes"),
        ("people.csv", "others.csv", "data section or attributes"),
        ("\"insensitive\"", "\"sensitive\"", "data section or attributes"),
        ("[10]", "[20]", "a hierarchy changed"),
    ] {
        let changed = project(&text().replace(from, to), PEOPLE);
        let found = verdict(&before, &changed, Path::new("no.lattice"));
        assert!(found.contains(expected), "{to}: {found}");
    }
}

#[test]
fn a_lattice_is_stale_when_the_data_changed_even_in_one_byte() {
    let before = fingerprint(&project(&text(), PEOPLE));
    for people in [PEOPLE.replace("22,m", "22,f"), format!("{PEOPLE}23,m,none\n")] {
        let changed = project(&text(), &people);
        assert_eq!(verdict(&before, &changed, Path::new("no.lattice")), "the data changed");
    }
}

#[test]
fn data_is_read_again_unless_its_last_change_was_well_before_the_lattice() {
    let folder = tempfile::tempdir().unwrap();
    let lattice = folder.path().join("haggle.lattice");
    fs::write(folder.path().join("people.csv"), PEOPLE).unwrap();
    fs::write(&lattice, "a lattice").unwrap();
    let project = Project::from_text(&text(), folder.path()).unwrap();
    let last_change = project.input(&haggle_model::Silent).unwrap().last_change().unwrap();
    // A digest that is not the data's shows whether the data was read.
    let before = Fingerprint::before_reading(&project).unwrap().of_data(0);
    for (written, expected) in [
        (last_change + Duration::from_secs(10), "fresh"),
        (last_change + Duration::from_secs(1), "the data changed"),
        (last_change - Duration::from_secs(10), "the data changed"),
    ] {
        let file = File::options().append(true).open(&lattice).unwrap();
        file.set_modified(written).unwrap();
        assert_eq!(verdict(&before, &project, &lattice), expected, "{written:?}");
    }
}
