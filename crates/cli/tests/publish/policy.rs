//! The same policy on next month's data.

use insta::assert_snapshot;

use crate::common::{Folder, PEOPLE};

fn published() -> Folder {
    let folder = Folder::people();
    let arguments = ["publish", ".", "--k", "2", "--scheme", "1,1", "-o", "june.csv"];
    folder.haggle(&[&arguments[..], &["--private", "secret"]].concat()).text();
    folder
}

#[test]
fn a_policy_is_repeated_on_other_data_with_a_warning() {
    let folder = published();
    folder.write("people.csv", "name,age,sex,disease\nEve,36,f,flu\nFay,34,m,flu\nGus,41,m,gout\n");
    let run = folder.haggle(&["publish", ".", "--policy", "secret/policy.json", "-o", "july.csv"]);
    assert_snapshot!(run.printed(0));
    let text = String::from_utf8(folder.read("july.csv")).unwrap();
    assert_eq!(
        text, "age,sex,disease\n30-39,*,flu\n30-39,*,flu\n",
        "the group of one is suppressed"
    );
}

#[test]
fn a_hierarchy_that_publishes_values_differently_is_refused() {
    let folder = published();
    folder.write("age.csv", "34;20-39;*\n36;20-39;*\n41;40-49;*\n47;40-49;*\n");
    let before = folder.listing();
    let run = folder.haggle(&["publish", ".", "--policy", "secret/policy.json", "-o", "july.csv"]);
    assert_snapshot!(run.printed(2), @"
    error: the hierarchy of 'age' is not the one of the policy: 2 of its values would be published differently, such as '34', '36'
        fix: use the hierarchy of the first publication
    ");
    assert!(folder.listing() == before);
}

#[test]
fn something_else_is_not_a_policy() {
    let folder = published();
    let (name, _) = PEOPLE[1];
    let run = folder.haggle(&["publish", ".", "--policy", name, "-o", "july.csv"]);
    assert_snapshot!(run.printed(2), @"
    error: people.csv:1: this is not a manifest of haggle, or it is damaged
        fix: name the file that was written with a publication
    ");
}

/// A project with one quasi-identifier, each of whose values three records have.
fn flat(values: &str) -> Folder {
    let folder = Folder::with([(
        "haggle.toml",
        "[data]\npath = \"data.csv\"\n[[attribute]]\nname = \"a\"\nrole = \"quasi-identifier\"\n\
         [[attribute]]\nname = \"s\"\nrole = \"sensitive\"\n",
    )]);
    three_of_each(&folder, values);
    folder
}

fn three_of_each(folder: &Folder, values: &str) {
    let records = |value: &str| format!("{value},x\n{value},y\n{value},z\n");
    let records: String = values.split_whitespace().map(records).collect();
    folder.write("data.csv", format!("a,s\n{records}"));
}

/// What is published in place of each value, without repetitions.
fn labels(folder: &Folder, file: &str) -> std::collections::BTreeSet<String> {
    let text = String::from_utf8(folder.read(file)).unwrap();
    text.lines().map(|line| line.rsplit_once(',').unwrap().0.to_owned()).collect()
}

/// A policy made on some values and repeated on others publishes nothing that it did not before.
fn is_repeated(folder: &Folder, strategy: &str, values: &[&str]) {
    let publish = |more: &[&str], output: &str| {
        folder.haggle(&[&["publish", ".", "-o", output], more].concat())
    };
    let first = ["--k", "6", "--strategy", strategy, "--private", "secret"];
    publish(&first, "june.csv").text();
    let june = labels(folder, "june.csv");
    for values in values {
        three_of_each(folder, values);
        let run = publish(&["--policy", "secret/policy.json"], "july.csv");
        assert_eq!(run.code, Some(0), "{values}: {run:#?}");
        let july = labels(folder, "july.csv");
        assert!(july.is_subset(&june), "{strategy}: {july:?} of {june:?}");
    }
}

#[test]
fn a_policy_of_boxes_is_repeated_on_data_that_lacks_some_values() {
    let some = ["2 3 4 5 6", "1 2 4 5", "4 5 6", "1 2.5 4 5 6"];
    is_repeated(&flat("1 2 3 4 5 6"), "mondrian", &some);
    is_repeated(&flat("a b c d e f"), "mondrian", &["b c d e f", "a b d e", "d e f"]);
}

#[test]
fn a_policy_of_cuts_is_repeated_on_data_that_lacks_some_values() {
    let folder = flat("11 12 21 22 31 32");
    let rule = "hierarchy = { intervals = [10] }\nrole = \"quasi";
    folder.edit("haggle.toml", "role = \"quasi", rule);
    is_repeated(&folder, "k-optimize", &["12 21 22 31 32", "11 12 21 22", "11 15 22 22 31 39"]);
}

#[test]
fn the_limit_of_a_policy_is_enforced_when_it_is_repeated() {
    let folder = Folder::people();
    let fixed = ["publish", ".", "--k", "2", "--scheme", "1,1", "--max-suppressed", "25%"];
    folder.haggle(&[&fixed[..], &["-o", "june.csv", "--private", "secret"]].concat()).text();
    folder.write("people.csv", "name,age,sex,disease\nEve,36,f,flu\nFay,34,m,flu\nGus,41,m,gout\n");
    let before = folder.listing();
    let repeat = ["publish", ".", "--policy", "secret/policy.json", "-o", "july.csv"];
    // One of three records is more than 25 %.
    assert_snapshot!(folder.haggle(&repeat).printed(1), @"Not published: the scheme suppresses 1 record, and at most 0 may be.");
    assert!(folder.listing() == before);
    folder.haggle(&[&repeat[..], &["--max-suppressed", "40%"]].concat()).text();
}

#[test]
fn a_policy_repeats_which_columns_are_published_as_recorded() {
    let folder = Folder::people();
    let named = ["publish", ".", "--k", "2", "--scheme", "1,1", "--as-recorded", "name"];
    folder.haggle(&[&named[..], &["-o", "june.csv", "--private", "secret"]].concat()).text();
    let repeat = ["publish", ".", "--policy", "secret/policy.json", "-o", "july.csv", "--json"];
    assert_eq!(folder.haggle(&repeat).json(0)["as_recorded"], serde_json::json!(["name"]));
}

/// Twenty records of one age, with two more columns.
fn wards(folder: &Folder, header: &str, record: impl Fn(usize) -> String) {
    let records: String = (0..20).map(|number| record(number) + "\n").collect();
    folder.write("data.csv", format!("{header}\n{records}"));
}

#[test]
fn a_policy_fixes_the_columns_of_the_next_file() {
    let folder = Folder::with([(
        "haggle.toml",
        "[data]\npath = \"data.csv\"\n[[attribute]]\nname = \"age\"\nrole = \"quasi-identifier\"\n",
    )]);
    wards(&folder, "age,ward,bed", |number| format!("30,w{},b{number}", number % 2));
    let first = ["publish", ".", "--k", "2", "--scheme", "0", "--private", "secret"];
    let june = folder.haggle(&[&first[..], &["-o", "june.csv", "--json"]].concat()).json(0);
    assert_eq!(june["unchanged"], serde_json::json!(["ward"]), "each bed has one record");
    let repeat = ["publish", ".", "--policy", "secret/policy.json", "-o", "july.csv"];

    // Beds and shoes would single nobody out now, but the first publication did not have them.
    wards(&folder, "age,shoe,bed,ward", |number| format!("30,40,b1,w{}", number % 2));
    let july = folder.haggle(&[&repeat[..], &["--json"]].concat()).json(0);
    assert_eq!(july["unchanged"], serde_json::json!(["ward"]));
    assert_eq!(july["columns"]["columns"][1]["reason"], "not-in-policy");

    let refused = |arguments: &[&str], why: &str| {
        let printed = folder.haggle(arguments).printed(2);
        assert!(
            printed.contains(why) && printed.contains("a policy fixes the columns"),
            "{printed}"
        );
    };
    wards(&folder, "age,ward,bed", |number| format!("30,w{number},b1"));
    refused(
        &repeat,
        "the policy publishes 'ward', which would be dropped: it is nearly unique: 20 of",
    );
    wards(&folder, "age,bed", |number| format!("30,b{}", number % 2));
    refused(&repeat, "the data has no column 'ward', which the policy publishes");
    wards(&folder, "age,ward,bed", |number| format!("30,w{},b1", number % 2));
    let named = [&repeat[..], &["--as-recorded", "bed"]].concat();
    refused(&named, "'bed' would be published, and the policy does not publish it");
}
