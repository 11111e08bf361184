//! Partial lattices and estimates: what is written, what an answer says of itself, and the tables.

use haggle_testkit::titled;
use insta::assert_snapshot;
use serde_json::Value;

use crate::common::{Folder, offered};
use crate::contract::{THREE, six};

const ASK: [&str; 8] =
    ["--k", "50", "--levels", "2,1,1", "--max-suppressed", "321", "--relax-height", "published"];

/// The partial lattice of the published figures over three quasi-identifiers.
fn three() -> Folder {
    let folder = Folder::empty();
    let partial = ["--partial", "5%", "--estimator", "lambda", "-o", "three.lattice", "--json"];
    let built = folder.haggle(&[&["build"], THREE, &partial[..]].concat()).json(0);
    assert_eq!((&built["schemes"], &built["partial"]["of"]), (&18.into(), &60.into()), "{built}");
    assert_eq!(built["partial"]["estimator"], "lambda");
    folder
}

#[test]
fn a_partial_lattice_answers_from_its_schemes_and_says_so() {
    let folder = three();
    let ask = |more: &[&str]| {
        let arguments = [&["ask", "three.lattice"], &ASK[..], more].concat();
        folder.haggle(&arguments)
    };
    let some = ask(&["--json"]).json(0);
    assert_eq!(some["outcome"], "relaxed");
    assert_eq!(offered(&some, "height")["suppressed"], 137, "figure 5.16");
    let obtained = &some["obtained"];
    assert_eq!((&obtained["way"], &obtained["proven"]), (&"partial".into(), &false.into()));
    assert_eq!(obtained["partial"]["schemes"], 18);
    assert_snapshot!(obtained["partial"]["meaning"].as_str().unwrap(), @"only these schemes were looked at: what is offered is valid, but a better scheme may be among the others");
    assert_snapshot!(ask(&[]).printed(0));
    // With the scheme of the maximum levels, or with all of them, there is an exact answer.
    for more in [&["--annotate-maximum", "--json"][..], &["--full", "--json"]] {
        let exact = &ask(more).json(0)["exact"];
        assert_eq!((&exact["scheme"], &exact["suppressed"]), (&vec![2, 1, 1].into(), &251.into()));
    }
}

#[test]
fn questions_that_need_every_scheme_get_it_from_the_counted_groups() {
    let folder = three();
    let study = |lattice: &[&str]| {
        folder.haggle(&[&["study"], lattice, &["--k", "3", "--json"]].concat()).json(0)
    };
    assert_eq!(study(&["three.lattice"]), study(THREE));
}

#[test]
fn the_least_loss_is_that_of_the_schemes_that_are_annotated() {
    let folder = three();
    let ask = |more: &[&str]| {
        let asked = ["--k", "3", "--max-suppressed", "1%", "--optimize", "lm", "--json"];
        folder.haggle(&[&["ask", "three.lattice"], &asked[..], more].concat()).json(0)
    };
    let (some, all) = (ask(&["--top", "1000"]), ask(&["--top", "1000", "--full"]));
    let offers = |answer: &Value| -> Vec<Value> {
        let best = [answer["exact"].clone()].into_iter();
        best.chain(answer["runners_up"].as_array().unwrap().clone()).collect()
    };
    let (some_offers, all_offers) = (offers(&some), offers(&all));
    assert!(some_offers.len() > 1 && some_offers.len() < all_offers.len());
    let mut all_offers = all_offers.iter();
    for offer in &some_offers {
        assert!(
            all_offers.any(|known| known == offer),
            "the same loss, in the same order: {offer}"
        );
    }
    assert_eq!(
        (&some["obtained"]["way"], &some["obtained"]["proven"]),
        (&"partial".into(), &false.into())
    );
}

#[test]
fn the_accuracy_of_the_estimators_is_reported_in_three_ways() {
    let folder = Folder::empty();
    let study = |more: &[&str]| {
        folder.haggle(&[&["study"], THREE, &["--k", "10", "--estimators"], more].concat())
    };
    let json = study(&["--json"]).json(0);
    let lambda = json["estimators"].as_array().unwrap().iter().find(|e| e["estimator"] == "lambda");
    let lambda = lambda.unwrap();
    assert_eq!(lambda["overall"]["deviations"], 2, "figure 5.6");
    assert_eq!(
        (&lambda["heights"][4]["actual"], &lambda["heights"][4]["chosen"]),
        (&28.into(), &29.into())
    );
    assert_eq!(json["levels"].as_array().map(Vec::len), Some(12), "5, 3 and 4 levels");
    let csv = study(&["--csv"]);
    let mut lines = csv.text().lines();
    assert!(
        lines.next().unwrap().starts_with("height,schemes,selected,actual,gamma,gamma-error,mu,")
    );
    assert!(lines.nth(4).unwrap().starts_with("4,11,2,28,31,"), "{csv:#?}");
    assert_snapshot!(study(&["--partial", "100%"]).printed(0));
}

#[test]
fn an_estimate_says_what_a_build_takes_and_builds_nothing() {
    let folder = Folder::people();
    let report = folder.haggle(&["build", ".", "--estimate", "--json"]).json(0);
    assert!(!folder.file("haggle.lattice").exists());
    let built = folder.haggle(&["build", ".", "--json"]).json(0);
    assert_eq!(report["schemes"], built["schemes"]);
    assert_eq!(report["touches"], built["touches"], "of few schemes all are looked at");
    let words = Folder::empty().haggle(&["build", "demo:adult", "--estimate"]);
    assert_snapshot!(words.printed(0), @"
    30,162 records in 15,537 groups were counted in [time].
    To annotate: 3,600 schemes, about 27,474,877 group touches, [time] at [time] each on this machine now, 9 MB of histograms, a file of 7 MB.
    Estimated from 87 schemes; expect it within a factor of two.
    ");
}

#[test]
fn wrong_shares_and_estimators_are_refused_with_the_choice() {
    let folder = six();
    assert_snapshot!(titled(["0%", "101%", "5", "x%"].map(|share| {
        let run = folder.haggle(&["build", "demo:adult", "--partial", share, "-o", "x.lattice"]);
        (share, run.printed(2))
    })));
    let wrong = ["build", "demo:adult", "--partial", "5%", "--estimator", "nu", "-o", "x.lattice"];
    assert_snapshot!(folder.haggle(&wrong).printed(2), @"
    error: invalid value 'nu' for '--estimator <NAME>': choose from: gamma (Γ, the average group size), mu (M, the relative importance), gamma-mu (ΓM, group size times importance), lambda (Λ, logarithm of group size times importance)

    For more information, try '--help'.
    ");
    assert!(!folder.file("x.lattice").exists());
}
