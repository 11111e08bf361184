//! Every way to write the same request gives the same answer.

use serde_json::Value;

use crate::common::{Folder, untimed};
use crate::contract::adult;

/// The answers to requests given as JSON lines.
fn lines(folder: &Folder, project: &[&str], requests: &[&str]) -> Vec<Value> {
    let arguments = [&["ask"], project, &["--requests", "-"]].concat();
    let run = folder.haggle_reading(&arguments, &requests.join("\n"));
    run.json_lines().into_iter().map(untimed).collect()
}

#[test]
fn k_anonymity_in_all_its_forms() {
    let rest = ["--max-suppressed", "32", "--levels", "2,1,1"];
    let written: [&[&str]; 4] = [
        &["--k", "10"],
        &["--k", "10.0"],
        &["--privacy", "k-anonymity=10"],
        &["--privacy", "k-anonymity:k=10"],
    ];
    let answers: Vec<Value> =
        written.iter().map(|privacy| adult(&[privacy, &rest[..]].concat())).collect();
    let requests = [
        r#"{"privacy":{"k-anonymity":10},"levels":[2,1,1],"max_suppressed":32}"#,
        r#"{"privacy":[{"model":"k-anonymity","k":10}],"levels":[2,1,1],"max_suppressed":32}"#,
        r#"{"privacy":"k-anonymity=10","levels":{"race":1,"age":2,"workclass":1},"max_suppressed":"32"}"#,
        r#"{"max_suppressed":"0.107%","privacy":{"k-anonymity":10.0},"levels":[2,1,1],"relax_height":"lowest"}"#,
    ];
    let from_json = lines(&Folder::empty(), crate::contract::THREE, &requests);
    for answer in answers.iter().chain(&from_json) {
        assert_eq!(*answer, answers[0]);
    }
}

#[test]
fn diversity_in_all_its_forms() {
    let folder = Folder::people();
    let written: [&[&str]; 4] = [
        &[".", "--l", "2"],
        &[".", "--privacy", "distinct-l-diversity=2"],
        &[".", "--privacy", "distinct-l-diversity:l=2"],
        &[".", "--privacy", "distinct-l-diversity:l=2,on=disease"],
    ];
    let answers = written.map(|arguments| folder.answer(arguments));
    let requests = [
        r#"{"privacy":{"distinct-l-diversity":2}}"#,
        r#"{"privacy":[{"model":"distinct-l-diversity","l":2}]}"#,
        r#"{"privacy":[{"model":"distinct-l-diversity","l":2,"on":"disease"}]}"#,
    ];
    for answer in answers.iter().chain(&lines(&folder, &["."], &requests)) {
        assert_eq!(*answer, answers[0]);
    }
    assert_eq!(answers[0]["exact"]["scheme"], serde_json::json!([1, 0]), "two diseases a decade");
}

#[test]
fn levels_by_position_and_by_name() {
    let by_position = adult(&["--k", "10", "--levels", "2,2,1"]);
    for levels in
        ["age=2,workclass=1,race=2", "workclass=1,age=2", " age = 2 , workclass = 1 ", "[2,2,1]"]
    {
        assert_eq!(adult(&["--k", "10", "--levels", levels]), by_position, "{levels}");
    }
    assert_eq!(adult(&["--k", "10"]), adult(&["--k", "10", "--levels", "4,2,3"]), "no cap");
    assert_eq!(adult(&["--k", "10", "--levels", "race=2"]), adult(&["--k", "10"]));
}

#[test]
fn what_is_left_out_comes_from_the_project() {
    let folder = Folder::people();
    let explicit = folder.answer(&[".", "--k", "2", "--levels", "1,1", "--max-suppressed", "1"]);
    let request = "[request]\nk = 2\nlevels = { age = 1 }\nmax_suppressed = \"25%\"\n[data]";
    folder.edit("haggle.toml", "[data]", request);
    assert_eq!(folder.answer(&["."]), explicit);
    assert_eq!(lines(&folder, &["."], &["{}"])[0], explicit);
    assert_ne!(folder.answer(&[".", "--k", "3"]), explicit, "the command line overrides");
    folder.edit("haggle.toml", "k = 2", "privacy = [\"k-anonymity=2\"]");
    assert_eq!(folder.answer(&["."]), explicit);
}

#[test]
fn quasi_identifiers_of_the_project_can_be_chosen_in_the_project() {
    let folder = Folder::people();
    let chosen = folder.answer(&[".", "--k", "2", "--qi", "sex"]);
    assert_eq!(chosen, folder.answer(&[".", "--k", "2", "--qi", " sex "]));
    folder.edit("haggle.toml", "[data]", "[request]\nquasi_identifiers = [\"sex\"]\n[data]");
    assert_eq!(folder.answer(&[".", "--k", "2"]), chosen);
    let both = folder.answer(&[".", "--k", "2", "--qi", "sex,age"]);
    assert_eq!(both["exact"]["scheme"].as_array().unwrap().len(), 2);
}

/// Six records are left of seven; three of them are alone in their groups.
fn six_of_seven() -> Folder {
    Folder::with([
        (
            "haggle.toml",
            "[data]\npath = \"x.csv\"\non_missing = \"drop\"\n\
             [[attribute]]\nname = \"x\"\nrole = \"quasi-identifier\"\n",
        ),
        ("x.csv", "x,y\na,1\na,2\na,3\nb,4\nc,5\nd,6\n,7\n"),
    ])
}

#[test]
fn per_cent_are_floored_over_the_records_that_are_left() {
    let folder = six_of_seven();
    let outcome = |limit: &str| {
        let arguments = [".", "--k", "2", "--levels", "0", "--max-suppressed", limit];
        folder.answer(&arguments)["outcome"].as_str().unwrap().to_owned()
    };
    assert_eq!(outcome("3"), "exact");
    assert_eq!(outcome("2"), "relaxed");
    assert_eq!(outcome("50%"), "exact", "3 of 6");
    assert_eq!(outcome("50.0 %"), "exact");
    assert_eq!(outcome("49.99%"), "relaxed", "2 of 6, though 3 of 7");
    assert_eq!(outcome("0%"), "relaxed");
    assert_eq!(outcome("100%"), "exact");
}
