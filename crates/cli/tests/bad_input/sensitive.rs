//! What a project states of a sensitive attribute and cannot be.

use crate::{Case, case, refused};

const ASK: &[&str] = &["ask", ".", "--k", "2"];

/// The sound project with a line more on its sensitive attribute.
fn stating(line: &str, arguments: &[&'static str], expected: &[&'static str]) -> Case {
    let more = format!("role = \"sensitive\"\n{line}");
    case("sensitive", arguments, expected).edit("haggle.toml", "role = \"sensitive\"", &more)
}

#[test]
fn values_that_are_left_out_are_named() {
    refused([
        stating(
            r#"categories = { lung = ["asthma"], infectious = ["flu"] }"#,
            ASK,
            &["haggle.toml:18", "'disease' has values without a category: 'gout'", "dont_care"],
        ),
        stating(
            r#"categories = { lung = ["asthma", "gout", "flu"] }
dont_care = ["flu"]"#,
            ASK,
            &["has 'flu' in dont_care and in a category"],
        ),
        stating(
            r#"order = ["flu", "asthma"]"#,
            ASK,
            &["the order of 'disease' leaves out 'gout'", "list every value once"],
        ),
        stating(
            r"prior = { flu = 0.5, asthma = 0.5 }",
            ASK,
            &["the prior of 'disease' leaves out 'gout'"],
        ),
        stating(
            r#"never_rule_out = ["plague"]"#,
            ASK,
            &["never_rule_out of 'disease' names 'plague', which no record has"],
        ),
        stating(
            r#"hierarchy = "disease.csv""#,
            ASK,
            &["the hierarchy of 'disease' does not cover 'gout'", "people.csv:5"],
        )
        .file("disease.csv", "flu;infection;*\nasthma;other;*\n"),
        stating(
            r#"distance = "far.csv""#,
            ASK,
            &["the distance matrix of 'disease' leaves out 'gout'"],
        )
        .file("far.csv", ";flu;asthma\nflu;0;1\nasthma;1;0\n"),
    ]);
}

#[test]
fn numbers_that_cannot_be() {
    refused([
        stating(
            r"prior = { flu = 0.5, asthma = 0.3, gout = 0.1 }",
            ASK,
            &["haggle.toml:21", "the prior of 'disease' adds up to 0.9, not to 1"],
        ),
        stating(
            r"class_function = { points = [[0, 0], [10, 2], [20, 1]] }",
            ASK,
            &["haggle.toml:21", "the class function of 'disease' falls from 2 at 10 to 1 at 20"],
        ),
        stating(
            r"class_function = { points = [[0, 0], [10, 2]] }",
            ASK,
            &["the class function of 'disease' needs numbers, and 'asthma' is not a number"],
        ),
        stating(
            r"class_function = { gompertz = { b = -1, eta = 2 } }",
            ASK,
            &["which does not rise", "choose b above 0"],
        ),
        stating("class_function = \"steep\"", ASK, &["class_function", "\"empirical\""]),
        stating(
            r#"distance = "far.csv""#,
            ASK,
            &["far.csv:3", "the distance matrix of 'disease' needs 3 numbers here"],
        )
        .file("far.csv", ";flu;asthma;gout\nflu;0;1;1\nasthma;1;0\ngout;1;1;0\n"),
        stating(
            r#"distance = "far.csv""#,
            ASK,
            &["the distance matrix of 'disease' has an invalid distance"],
        )
        .file("far.csv", ";flu;asthma;gout\nflu;0;1;1\nasthma;1;0;-1\ngout;1;1;0\n"),
        stating(r#"distance = "nowhere.csv""#, ASK, &["nowhere.csv", "check the path"]),
    ]);
}

#[test]
fn words_in_the_wrong_place() {
    refused([
        stating("categories = [\"lung\"]", ASK, &["categories", "a table of lists"]),
        stating(r#"dont_care = ["flu", "flu"]"#, ASK, &["dont_care names 'flu' twice"]),
        case("on a quasi-identifier", ASK, &["'age' is described like a sensitive attribute"])
            .edit(
                "haggle.toml",
                "hierarchy = \"age.csv\"",
                "hierarchy = \"age.csv\"\ndont_care = [\"34\"]",
            ),
    ]);
}

#[test]
fn models_that_need_what_is_not_stated() {
    let needs = |privacy: &'static str, expected: &[&'static str]| {
        case("needs", &["ask", ".", "--privacy", privacy], expected)
    };
    refused([
        needs("categorical-diversity=2", &["needs categories of 'disease'", "add categories ="]),
        needs("density-control=0.5", &["needs categories of 'disease'"]),
        needs("dilution=0.5", &["needs dont_care of 'disease'"]),
        needs("pd-recursive-l-diversity:l=2,c=2", &["needs dont_care of 'disease'"]),
        needs("range-control=1", &["needs class_function of 'disease'"]),
        needs("linear-diversity:l=2,r=1", &["needs class_function of 'disease'"]),
        needs("extended-k-anonymity:k=2,level=1", &["needs a hierarchy of 'disease'"]),
        needs("t-closeness:t=0.2,distance=hierarchical", &["needs a hierarchy of 'disease'"]),
        needs("t-closeness:t=0.2,distance=matrix", &["needs distance of 'disease'"]),
        needs("rho-privacy:rho1=0.6,rho2=0.5", &["rho1 = 0.6 is not below rho2 = 0.5"]),
    ]);
}

#[test]
fn models_that_count_records_are_refused_where_persons_are_counted() {
    let persons = |privacy: &'static str, expected: &[&'static str]| {
        case("persons", &["ask", ".", "--privacy", privacy], expected).edit(
            "haggle.toml",
            "path = \"people.csv\"",
            "path = \"people.csv\"\nunit = \"name\"",
        )
    };
    refused([persons(
        "alpha-k-anonymity:alpha=0.5,k=2",
        &["counts records, and this project counts persons", "distinct-l-diversity"],
    )]);
}
