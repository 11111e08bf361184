//! Mistakes that were made once: what a publication, a verification or an answer must not do.

use haggle_testkit::titled;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::common::Folder;

/// A project of these attributes and records; the last attribute is sensitive, with more of it stated.
fn project(header: &str, records: &str, stated: &str, more: &str) -> Folder {
    let names: Vec<&str> = header.split(',').collect();
    let (sensitive, quasi) = names.split_last().unwrap();
    let quasi: String = quasi
        .iter()
        .filter(|name| **name != "pid")
        .map(|name| format!("[[attribute]]\nname = \"{name}\"\nrole = \"quasi-identifier\"\n"))
        .collect();
    let project = format!(
        "[data]\npath = \"d.csv\"\n{more}\n{quasi}[[attribute]]\nname = \"{sensitive}\"\nrole = \"sensitive\"\n{stated}\n"
    );
    Folder::with([("haggle.toml", project), ("d.csv", format!("{header}\n{records}"))])
}

fn manifest(folder: &Folder) -> Value {
    serde_json::from_slice(&folder.read("out.csv.manifest.json")).unwrap()
}

const TOWNS: &str = "Berlin,flu\nBerlin,flu\nBerlin,cold\nBerlin,cold\nSecretville,leprosy\n";

#[test]
fn the_public_manifest_names_no_value_of_suppressed_records() {
    let folder = project("city,disease", TOWNS, "", "");
    folder.haggle(&["publish", ".", "--k", "3", "--scheme", "0", "-o", "out.csv"]).text();
    assert!(!manifest(&folder).to_string().contains("Secretville"));
}

/// The distance from the input would tell how much was left out: 1 of 5 records, 0.2.
#[test]
fn the_public_manifest_compares_with_the_file_alone() {
    let folder = project("city,disease", TOWNS, "", "");
    let publish = ["publish", ".", "--k", "3", "--privacy", "t-closeness=0.5", "--scheme", "0"];
    let more = ["-o", "out.csv", "--private", "secret", "--json"];
    let report = folder.haggle(&[&publish[..], &more].concat()).json(0);
    assert_eq!(report["attained"]["t-closeness"], 0.2);
    let reported = manifest(&folder);
    assert_eq!(reported["guarantees"], json!({"k-anonymity": 4, "t-closeness": 0}));
    // What was promised is public; what was attained against the input is secret.
    let promises = ["k-anonymity:k=3", "t-closeness:t=0.5,on=disease,distance=equal"];
    assert_eq!(reported["promises"], json!(promises));
    assert!(!reported.to_string().contains("0.2"), "{reported}");
    let private: Value = serde_json::from_slice(&folder.read("secret/policy.json")).unwrap();
    assert_eq!(private["attained"]["t-closeness"], 0.2);
}

/// Five records of one patient are one patient: shares of records are not shares of persons.
#[test]
fn shares_of_records_are_refused_where_persons_are_counted() {
    let records = "a,X,cancer\na,X,cancer\na,X,cancer\nb,X,flu\nc,X,flu\n";
    let folder = project("pid,city,disease", records, "", "unit = \"pid\"");
    let models = ["frequency-l-diversity=2", "t-closeness=0.5", "positive-disclosure=0.2"];
    let refused = |model| (model, folder.haggle(&["ask", ".", "--privacy", model]).printed(2));
    assert_snapshot!(titled(models.map(refused)), @"
    == frequency-l-diversity=2
    error: frequency-l-diversity counts records, and this project counts persons
        fix: ask for k-anonymity and for a model of which values occur: distinct-l-diversity, categorical-diversity, range-control or linear-diversity
    == t-closeness=0.5
    error: t-closeness counts records, and this project counts persons
        fix: ask for k-anonymity and for a model of which values occur: distinct-l-diversity, categorical-diversity, range-control or linear-diversity
    == positive-disclosure=0.2
    error: positive-disclosure counts records, and this project counts persons
        fix: ask for k-anonymity and for a model of which values occur: distinct-l-diversity, categorical-diversity, range-control or linear-diversity
    ");
    assert_eq!(folder.haggle(&["ask", ".", "--k", "3", "--l", "2"]).code, Some(0));
    let risk = folder.haggle(&["assess", "d.csv", ".", "--json"]).json(0);
    assert_eq!(risk["highest_risk"], 1.0 / 3.0);
}

/// A value that only the file has is in its place: 5 is before 10, half the scale away from the
/// middle.
#[test]
fn values_that_only_a_file_has_keep_their_place_in_order() {
    let folder = project("city,salary", "X,10\nX,20\nX,30\nX,40\nX,50\n", "", "");
    folder.write("f.csv", "city,salary\nX,5\nX,10\n");
    let run = folder.haggle(&["verify", "f.csv", ".", "--privacy", "t-closeness=0.3", "--json"]);
    // Shares of 5, 10, … 50 are 1/2, 1/2, 0, … against 0, 1/5, …: (0.5 + 0.8 + 0.6 + 0.4 + 0.2) / 5.
    assert_eq!(run.json(1)["attained"]["t-closeness"], 0.5);
}

#[test]
fn verification_needs_only_what_its_models_use() {
    let stated = "categories = { low = [\"10\", \"20\"], high = [\"30\"] }";
    let folder = project("city,salary", "X,10\nX,20\nX,30\n", stated, "");
    folder.write("f.csv", "city,salary\nX,5\nX,10\n");
    let run = folder.haggle(&["verify", "f.csv", ".", "--privacy", "basic-beta-likeness=1"]);
    assert_eq!(run.code, Some(1), "a value that no record has gains without bound: {run:?}");
    let alone = ["verify", "f.csv", "--qi", "city", "--sensitive", "salary"];
    let run = folder.haggle(&[&alone[..], &["--privacy", "categorical-diversity=2"]].concat());
    assert_snapshot!(run.printed(2), @"
    error: categorical-diversity needs the categories that a project states
        fix: name the project behind the file: haggle verify FILE PROJECT
    ");
}

/// "9" is not above "10" because a mark of missing values is among the numbers.
#[test]
fn a_missing_mark_among_numbers_does_not_turn_them_into_letters() {
    let missing = "missing = [\"?\"]\non_missing = \"value\"";
    let records = "X,9\nX,10\nY,100\nY,?\n";
    let folder = project("city,sum", records, "class_function = \"empirical\"", missing);
    let run = folder.haggle(&["ask", ".", "--privacy", "range-control=0.5"]);
    assert_snapshot!(run.printed(2), @r#"
    error: ./haggle.toml:8: 'sum' has values without an order, so classes cannot increase
        fix: state their order = ["low", "high"]; or, if a missing value is among numbers, on_missing = "drop" or "unmatched"
    "#);
    let folder = project("city,sum", records, "", missing);
    let run = folder.haggle(&["ask", ".", "--privacy", "t-closeness=0.5"]);
    assert_snapshot!(run.printed(2), @"
    error: 'sum' has one value among its numbers that is not a number
        fix: choose distance=equal, state their order, or let missing values be dropped or unmatched
    ");
    let said = folder.haggle(&["ask", ".", "--privacy", "t-closeness:t=0.5,distance=equal"]);
    assert_eq!(said.code, Some(0));
}

#[test]
fn a_policy_is_not_replayed_where_the_project_states_something_else() {
    let tree = |flu: &str| {
        format!("hierarchy = {{ tree = {{ {flu} = [\"flu\"], other = [\"cold\", \"leprosy\"] }} }}")
    };
    let folder = project("city,disease", TOWNS, &tree("infection"), "");
    let publish = ["publish", ".", "--scheme", "1", "-o", "out.csv"];
    let private = ["--privacy", "extended-k-anonymity:k=2,level=1", "--private", "secret"];
    folder.haggle(&[&publish[..], &private].concat()).text();
    let again = ["publish", ".", "--policy", "secret/policy.json", "-o", "again.csv"];
    folder.haggle(&again).text();
    folder.edit("haggle.toml", "infection", "influenza");
    assert_snapshot!(folder.haggle(&again).printed(2), @"
    error: the project states something else of 'disease' than the policy
        fix: state what the first publication stated, or publish without the policy
    ");
}

/// The project's own lattice file, named, is as fresh as if the project were named.
#[test]
fn a_lattice_next_to_its_project_is_not_used_when_stale() {
    let prior = |flu: f64| format!("prior = {{ flu = {flu}, cold = 0.3, leprosy = 0.1 }}");
    let folder = project("city,disease", TOWNS, &prior(0.6), "");
    folder.haggle(&["build", "."]).text();
    folder.edit("haggle.toml", "flu = 0.6, cold = 0.3", "flu = 0.5, cold = 0.4");
    let run = folder.haggle(&["ask", "haggle.lattice", "--k", "2", "--max-suppressed", "1"]);
    assert_snapshot!(run.notes(), @"note: ./haggle.lattice is not used: the project file's data section or attributes changed; `haggle build` writes it anew");
}

#[test]
fn a_prior_does_not_expect_what_no_record_has() {
    let stated = "prior = { flu = 0.02, cold = 0.02, leprosy = 0.01, plague = 0.95 }";
    let run = project("city,disease", TOWNS, stated, "").haggle(&["check", "."]);
    assert_snapshot!(run.printed(2), @"
    error: ./haggle.toml:7: the prior of 'disease' expects 'plague', which no record has
        fix: leave it out or give it 0, and the others the rest
    ");
}

/// Each shown value is alone, whatever the project's hierarchy would make of it.
#[test]
fn extended_k_anonymity_is_verified_by_the_values_that_are_shown() {
    let tree = "hierarchy = { tree = { infection = [\"flu\", \"cold\"], other = [\"leprosy\"] } }";
    let folder = project("city,disease", TOWNS, tree, "");
    folder.write("f.csv", "city,disease\nX,flu\nX,cold\n");
    let privacy = ["--privacy", "extended-k-anonymity:k=2,level=1"];
    assert_eq!(folder.haggle(&[&["verify", "f.csv", "."], &privacy[..]].concat()).code, Some(1));
    folder.write("g.csv", "city,disease\nX,infection\nX,infection\n");
    assert_eq!(folder.haggle(&[&["verify", "g.csv", "."], &privacy[..]].concat()).code, Some(0));
}

#[test]
fn a_record_without_a_sensitive_value_looks_like_no_other() {
    let tree = "hierarchy = { tree = { infection = [\"flu\"] } }";
    let folder = project(
        "city,disease",
        "X,flu\nX,flu\nX,\nY,flu\nY,flu\n",
        tree,
        "on_missing = \"unmatched\"",
    );
    let privacy = ["--privacy", "extended-k-anonymity:k=2,level=0", "--scheme", "0", "--json"];
    let why = folder.haggle(&[&["why", "."], &privacy[..]].concat()).json(0);
    assert_eq!(why["suppressed"], 3);
}

#[test]
fn names_with_commas_can_be_asked_for() {
    let folder = project("city,disease", TOWNS, "", "");
    folder.edit("haggle.toml", "\"disease\"", "\"disease, main\"");
    folder.edit("d.csv", "city,disease", "city,\"disease, main\"");
    let asked = ["ask", ".", "--privacy", "distinct-l-diversity:l=2,on=disease, main"];
    assert_eq!(folder.haggle(&asked).code, Some(0));
}

#[test]
fn matrices_that_no_distance_can_have_are_refused() {
    let refused = |(title, rows): (&'static str, &str)| {
        let folder = project("city,disease", TOWNS, "distance = \"m.csv\"", "");
        folder.write("m.csv", format!(";flu;cold;leprosy\n{rows}"));
        (title, folder.haggle(&["check", "."]).printed(2))
    };
    let matrices = [
        ("too far", "flu;0;1e30;1\ncold;1e30;0;1\nleprosy;1;1;0\n"),
        ("not symmetric", "flu;0;2;1\ncold;1;0;1\nleprosy;1;1;0\n"),
        ("a value twice", "flu;0;1;1\nflu;0;1;1\nleprosy;1;1;0\n"),
    ];
    assert_snapshot!(titled(matrices.map(refused)), @"
    == too far
    error: ./haggle.toml:7: the distance matrix of 'disease' has an invalid distance
        fix: give every two values one distance above 0 and at most 1,000,000, the same both ways, and 0 from a value to itself
    == not symmetric
    error: ./haggle.toml:7: the distance matrix of 'disease' has an invalid distance
        fix: give every two values one distance above 0 and at most 1,000,000, the same both ways, and 0 from a value to itself
    == a value twice
    error: ./m.csv:3: the distance matrix of 'disease' has a second line for 'flu'
        fix: write the values in the first line after an empty field, then a line for each: the value and its distances
    ");
}

#[test]
fn check_holds_the_default_request_against_the_data() {
    let folder =
        project("city,disease", TOWNS, "\n[request]\nprivacy = [\"categorical-diversity=2\"]", "");
    assert_snapshot!(folder.haggle(&["check", "."]).printed(2), @r#"
    error: ./haggle.toml: categorical-diversity needs categories of 'disease', and the project states none
        fix: add categories = { terminal = ["cancer"] } to the attribute in the project
    "#);
}

#[test]
fn the_hierarchy_of_a_sensitive_attribute_is_visible() {
    let tree = "hierarchy = { tree = { infection = [\"flu\", \"cold\"], other = [\"leprosy\"] } }";
    let folder = project("city,disease", TOWNS, tree, "");
    assert_snapshot!(folder.haggle(&["hierarchy", "show", ".", "disease"]).printed(0), @"
    disease: a tree of 3 values
    5 records: 3 values as recorded, 2 at level 1, 1 at level 2.

      level                 records
      2      *                    5
      1      ├─ infection         4
      0      │  ├─ flu            2
      0      │  └─ cold           2
      1      └─ other             1
      0         └─ leprosy        1
    ");
    let exported = folder.haggle(&["hierarchy", "export", ".", "disease"]);
    assert_eq!(exported.text(), "flu;infection;*\ncold;infection;*\nleprosy;other;*\n");
}

/// Leaving out an attribute is accepted by publishing just that scheme.
#[test]
fn leaving_out_an_attribute_is_accepted_by_its_scheme() {
    let folder = Folder::empty();
    let asked = ["--qi", "age,race,workclass", "--k", "10", "--max-suppressed", "32"];
    let reported =
        folder.haggle(&[&["ask", "demo:adult"], &asked[..], &["--levels", "2,1,1"]].concat());
    let line =
        reported.text().lines().map(str::trim).find(|l| l.starts_with("haggle publish")).unwrap();
    assert_snapshot!(line, @"haggle publish demo:adult --qi age,race,workclass --k 10 --scheme 4,0,0 --max-suppressed 32 -o FILE");
    assert_snapshot!(folder.shell(&line.replace("FILE", "out.csv")).printed(0));
}

#[test]
fn nothing_left_to_publish_is_an_answer_and_not_an_error() {
    let folder = project("city,disease", TOWNS, "", "");
    let run = folder.haggle(&["publish", ".", "--k", "9", "--scheme", "0", "-o", "out.csv"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(!folder.file("out.csv").exists());
}
