//! What a project states of a sensitive attribute and cannot be.

use insta::assert_snapshot;

use crate::bad_input::{Case, case, refused};

const ASK: &[&str] = &["ask", ".", "--k", "2"];

/// The sound project with a line more on its sensitive attribute.
fn stating(line: &'static str, arguments: &[&'static str]) -> Case {
    let more = format!("role = \"sensitive\"\n{line}");
    case(line, arguments).edit("haggle.toml", "role = \"sensitive\"", &more)
}

#[test]
fn values_that_are_left_out_are_named() {
    assert_snapshot!(refused([
        stating(r#"categories = { lung = ["asthma"], infectious = ["flu"] }"#, ASK),
        stating(
            r#"categories = { lung = ["asthma", "gout", "flu"] }
dont_care = ["flu"]"#,
            ASK
        ),
        stating(r#"order = ["flu", "asthma"]"#, ASK),
        stating(r"prior = { flu = 0.5, asthma = 0.5 }", ASK),
        stating(r#"never_rule_out = ["plague"]"#, ASK),
        stating(r#"hierarchy = "disease.csv""#, ASK)
            .file("disease.csv", "flu;infection;*\nasthma;other;*\n"),
        stating(r#"distance = "far.csv""#, ASK)
            .file("far.csv", ";flu;asthma\nflu;0;1\nasthma;1;0\n"),
    ]));
}

#[test]
fn numbers_that_cannot_be() {
    assert_snapshot!(refused([
        stating(r"prior = { flu = 0.5, asthma = 0.3, gout = 0.1 }", ASK),
        stating(r"class_function = { points = [[0, 0], [10, 2], [20, 1]] }", ASK),
        stating(r"class_function = { points = [[0, 0], [10, 2]] }", ASK),
        stating(r"class_function = { gompertz = { b = -1, eta = 2 } }", ASK),
        stating("class_function = \"steep\"", ASK),
        stating(r#"distance = "far.csv""#, ASK)
            .file("far.csv", ";flu;asthma;gout\nflu;0;1;1\nasthma;1;0\ngout;1;1;0\n"),
        stating(r#"distance = "far.csv""#, ASK)
            .file("far.csv", ";flu;asthma;gout\nflu;0;1;1\nasthma;1;0;-1\ngout;1;1;0\n"),
        stating(r#"distance = "nowhere.csv""#, ASK),
    ]));
}

#[test]
fn words_in_the_wrong_place() {
    assert_snapshot!(refused([
        stating("categories = [\"lung\"]", ASK),
        stating(r#"dont_care = ["flu", "flu"]"#, ASK),
        case("on a quasi-identifier", ASK).edit(
            "haggle.toml",
            "hierarchy = \"age.csv\"",
            "hierarchy = \"age.csv\"\ndont_care = [\"34\"]",
        ),
    ]));
}

#[test]
fn models_that_need_what_is_not_stated() {
    let needs = |privacy: &'static str| case("needs", &["ask", ".", "--privacy", privacy]);
    assert_snapshot!(refused([
        needs("categorical-diversity=2"),
        needs("density-control=0.5"),
        needs("dilution=0.5"),
        needs("pd-recursive-l-diversity:l=2,c=2"),
        needs("range-control=1"),
        needs("linear-diversity:l=2,r=1"),
        needs("extended-k-anonymity:k=2,level=1"),
        needs("t-closeness:t=0.2,distance=hierarchical"),
        needs("t-closeness:t=0.2,distance=matrix"),
        needs("rho-privacy:rho1=0.6,rho2=0.5"),
    ]));
}

#[test]
fn models_that_count_records_are_refused_where_persons_are_counted() {
    let persons = |privacy: &'static str| {
        case("persons", &["ask", ".", "--privacy", privacy]).edit(
            "haggle.toml",
            "path = \"people.csv\"",
            "path = \"people.csv\"\nunit = \"name\"",
        )
    };
    assert_snapshot!(refused([persons("alpha-k-anonymity:alpha=0.5,k=2")]));
}
