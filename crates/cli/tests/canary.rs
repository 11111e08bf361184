//! No command ever prints the content of a record, right or wrong: values planted in every column
//! that is not a quasi-identifier must not appear in any output.

use crate::common::{Folder, Run};
use insta::{allow_duplicates, assert_snapshot};

/// Planted in identifiers, insensitive and sensitive columns; unlike anything else.
const CANARIES: [&str; 4] = ["Quetzal7719", "Wombat5523", "Axolotl9931", "Tapir3347"];

/// A project whose every record carries a canary in each column that is not a quasi-identifier.
fn project() -> Folder {
    let [identifier, insensitive, unlisted, sensitive] = CANARIES;
    let record = |i: usize| {
        let age = 30 + i % 5;
        format!("{identifier}-{i},{age},{insensitive}-{i},f,{unlisted}-{i},{sensitive}-{}\n", i % 3)
    };
    let attribute = |(name, role): (&str, &str)| {
        format!("[[attribute]]\nname = \"{name}\"\nrole = \"{role}\"\n")
    };
    let roles = [
        ("name", "identifier"),
        ("age", "quasi-identifier"),
        ("town", "insensitive"),
        ("sex", "quasi-identifier"),
        ("disease", "sensitive"),
    ];
    let attributes: String = roles.map(attribute).concat();
    let records: String = (0..40).map(record).collect();
    Folder::with([
        ("haggle.toml", format!("[data]\npath = \"people.csv\"\n{attributes}")),
        ("people.csv", format!("name,age,town,sex,remark,disease\n{records}")),
    ])
}

/// Asserts that a run says nothing of what was planted, in whatever case.
fn is_silent(run: &Run, what: &str) {
    let said = format!("{}{}", run.stdout, run.stderr).to_lowercase();
    for canary in CANARIES {
        let canary = canary.to_lowercase();
        assert!(!said.contains(&canary), "{what} prints {canary}:\n{said}");
    }
    assert!(!said.contains("panicked"), "{what}: {said}");
}

/// Every command that reads the project, in words and as JSON.
fn every_command(folder: &Folder, what: &str) -> Vec<Run> {
    let commands: [&[&str]; 14] = [
        &["check", "."],
        &["why", ".", "--k", "3", "--scheme", "0,0"],
        &["publish", ".", "--k", "2", "--scheme", "1,1", "-o", "out.csv"],
        &["hierarchy", "show", ".", "age"],
        &["risk", "."],
        &["risk", ".", "--scheme", "1,1"],
        &["ask", ".", "--k", "3"],
        &["ask", ".", "--k", "9", "--levels", "0,0"],
        &["ask", ".", "--l", "3", "--levels", "0,0"],
        &["ask", ".", "--l", "2", "--k", "99"],
        &["ask", ".", "--k", "41", "--qi", "sex"],
        &["study", ".", "--l", "2"],
        &["study", ".", "--l", "2", "--scheme", "0,0"],
        &["build", ".", "-o", "kept.lattice"],
    ];
    let both = commands.iter().flat_map(|arguments| {
        [folder.haggle(arguments), folder.haggle(&[arguments, &["--json"][..]].concat())]
    });
    // Every value of a histogram, which JSON has in any case.
    let all = folder.haggle(&["study", ".", "--l", "2", "--scheme", "0,0", "--all"]);
    let runs: Vec<Run> = both.chain([all]).collect();
    for run in &runs {
        is_silent(run, what);
    }
    runs
}

#[test]
fn a_sound_project_is_answered_without_showing_records() {
    let folder = project();
    for run in every_command(&folder, "a sound project") {
        assert!(run.code.is_some_and(|code| code < 2), "{run:#?}");
    }
    for arguments in
        [&["ask", "kept.lattice", "--l", "2"][..], &["study", "kept.lattice", "--l", "2"]]
    {
        is_silent(&folder.haggle(arguments), "a lattice file");
    }
    folder.haggle(&["build", "."]).text();
    folder.edit("people.csv", "30,", "31,");
    is_silent(&folder.haggle(&["ask", ".", "--k", "2"]), "a lattice out of date");
}

/// Damages the project in one way; every command must fail, and silently as to records.
fn damaged(what: &str, damage: impl Fn(&Folder)) {
    let folder = project();
    damage(&folder);
    for run in every_command(&folder, what) {
        assert_eq!(run.code, Some(2), "{what}: {run:#?}");
    }
}

#[test]
fn damaged_data_is_reported_without_showing_records() {
    let [identifier, insensitive, unlisted, sensitive] = CANARIES;
    let age = |to: &'static str| move |folder: &Folder| folder.edit("people.csv", ",33,", to);
    damaged("a field too many", age(",33,33,"));
    damaged("a field too few", age(","));
    damaged("a missing value", age(",,"));
    damaged("a missing sensitive value", |folder| {
        folder.edit("people.csv", &format!("{sensitive}-2"), "");
    });
    damaged("a quote left open", |folder| {
        folder.edit("people.csv", &format!("{identifier}-17,"), &format!("\"{identifier}-17,"));
    });
    damaged("a quote left open in the last field", |folder| {
        folder.edit("people.csv", &format!("{unlisted}-17,"), &format!("{unlisted}-17,\""));
    });
    damaged("a NUL byte", |folder| {
        folder.edit("people.csv", &format!("{insensitive}-9"), &format!("{insensitive}\0"));
    });
    damaged("bytes that are not text", |folder| {
        let bytes = folder.read("people.csv");
        folder.write("people.csv", [&bytes, identifier.as_bytes(), b"\xff\xfe,1\n"].concat());
    });
    damaged("cut off", |folder| {
        let bytes = folder.read("people.csv");
        folder.write("people.csv", &bytes[..bytes.len() - 20]);
    });
    damaged("everything on one line", |folder| folder.edit("people.csv", "\n", " "));
    damaged("UTF-16", |folder| {
        let text = String::from_utf8(folder.read("people.csv")).unwrap();
        let words: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        folder.write("people.csv", words);
    });
}

#[test]
fn a_file_without_its_header_is_reported_without_showing_records() {
    let header = "name,age,town,sex,remark,disease\n";
    damaged("no header", |folder| folder.edit("people.csv", header, ""));
    damaged("no header, but it is claimed", |folder| {
        folder.edit("people.csv", header, "");
        folder.edit("haggle.toml", "[data]", "[data]\nheader = true");
    });
    damaged("no header, and a value twice", |folder| {
        let twice = format!("{},30,{0},f,x,{}\n", CANARIES[0], CANARIES[3]);
        folder.edit("people.csv", header, &twice);
    });
    damaged("no header, and a gap", |folder| {
        folder.edit("people.csv", header, &format!("{},30,,f,x,{}\n", CANARIES[0], CANARIES[3]));
    });
    damaged("too few columns named", |folder| {
        folder.edit("haggle.toml", "[data]", "[data]\ncolumns = [\"name\", \"age\"]");
    });
    damaged("the wrong separator", |folder| {
        folder.edit("haggle.toml", "[data]", "[data]\nseparator = \";\"");
    });
}

#[test]
fn records_in_the_wrong_place_are_not_shown() {
    let folder = project();
    folder.write("copy.lattice", folder.read("people.csv"));
    let commands: [&[&str]; 8] = [
        &["ask", "people.csv", "--k", "2"],
        &["check", "people.csv"],
        &["build", "people.csv"],
        &["ask", "copy.lattice", "--k", "2"],
        &["ask", ".", "--requests", "people.csv"],
        &["build", ".", "-o", "people.csv"],
        &["build", ".", "-o", "people.csv/x"],
        &["build", ".", "--memory", "1"],
    ];
    for arguments in commands {
        let run = folder.haggle(arguments);
        assert_eq!(run.code, Some(2), "{arguments:?}");
        is_silent(&run, &arguments.join(" "));
    }
    damaged("the data as a hierarchy", |folder| {
        let role = "name = \"age\"\nrole = \"quasi-identifier\"\n";
        folder.edit("haggle.toml", role, &format!("{role}hierarchy = \"people.csv\"\n"));
    });
}

#[test]
fn only_values_of_quasi_identifiers_are_named_where_a_hierarchy_has_gaps() {
    let folder = project();
    let role = "name = \"age\"\nrole = \"quasi-identifier\"\n";
    folder.edit("haggle.toml", role, &format!("{role}hierarchy = \"age.csv\"\n"));
    folder.write("age.csv", "30;*\n31;*\n");
    let runs = every_command(&folder, "a hierarchy with gaps");
    let failed: Vec<&Run> = runs.iter().filter(|run| run.code == Some(2)).collect();
    assert_eq!(failed.len(), runs.len() - 2, "all but those that do not ask for it");
    for run in failed {
        allow_duplicates!(assert_snapshot!(run.printed(2), @"
        error: ./people.csv:4: the hierarchy of 'age' does not cover '32', '33', '34', first on this line
            fix: add a row for each to ./age.csv, or declare it as missing
        "));
    }
}

#[test]
fn files_are_judged_and_projects_started_without_showing_records() {
    let folder = project();
    folder
        .haggle(&[
            "publish",
            ".",
            "--k",
            "2",
            "--scheme",
            "1,1",
            "-o",
            "out.csv",
            "--private",
            "secret",
        ])
        .text();
    folder.edit("people.csv", "name,age,town,sex,remark,disease\n", "");
    folder.write("headless.csv", folder.read("people.csv"));
    let commands: [&[&str]; 9] = [
        &["verify", "out.csv", "--k", "2"],
        &["verify", "out.csv", "--l", "99"],
        &["verify", "headless.csv", "--k", "2"],
        &["verify", "headless.csv", ".", "--k", "2"],
        &["assess", "out.csv"],
        &["assess", "headless.csv", "--qi", "age"],
        &["publish", ".", "--policy", "secret/policy.json", "-o", "again.csv"],
        &["init", "headless.csv", "-o", "new.toml"],
        &["init", "out.csv", "-o", "other.toml"],
    ];
    for arguments in commands {
        is_silent(&folder.haggle(arguments), &arguments.join(" "));
        is_silent(&folder.haggle(&[arguments, &["--json"][..]].concat()), &arguments.join(" "));
    }
}
