//! The JSON of `ask`, and its exit codes.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::common::{Folder, holds, offered};
use crate::contract::{THREE, adult, six};

fn is_whole(value: &Value) -> bool {
    value.is_u64()
}

#[test]
fn an_exact_answer_has_a_scheme_and_no_relaxations() {
    let answer = adult(&["--k", "10", "--max-suppressed", "321", "--levels", "2,1,1"]);
    let expected = json!({
        "outcome": "exact",
        "exact": {
            "scheme": [1, 1, 0],
            "levels": {"age": 1, "race": 1, "workclass": 0},
            "height": 2,
            "suppressed": 170,
            "privacy": {"k-anonymity": 10},
            "attained": {"k-anonymity": 10},
        },
        "relaxations": [],
        "version": 2,
    });
    assert!(holds(&answer, &expected), "{answer:#}");
    assert!(is_whole(&answer["visited"]));
}

#[test]
fn a_relaxed_answer_has_every_relaxation() {
    let answer = adult(&["--k", "10", "--max-suppressed", "32", "--levels", "2,1,1"]);
    let k = |k: u64| json!({"k-anonymity": k});
    let offer = |scheme: [u8; 3], suppressed: u64, privacy: Value| {
        let [age, race, workclass] = scheme;
        json!({
            "scheme": scheme,
            "levels": {"age": age, "race": race, "workclass": workclass},
            "height": age + race + workclass,
            "suppressed": suppressed,
            "privacy": privacy,
        })
    };
    let accept = |levels: [u8; 3], limit: u64, k: u64| {
        let [age, race, workclass] = levels;
        json!({
            "privacy": [{"model": "k-anonymity", "k": k}],
            "levels": {"age": age, "race": race, "workclass": workclass},
            "max_suppressed": limit,
            "relax_height": "lowest",
        })
    };
    let without = |attribute: &str, scheme: [u8; 3], suppressed: u64, levels: [u8; 3]| {
        let (offer, accept) = (offer(scheme, suppressed, k(10)), accept(levels, 32, 10));
        json!({"kind": "attribute", "without": [attribute], "offer": offer, "accept": accept})
    };
    let expected = json!({
        "outcome": "relaxed",
        "exact": null,
        "relaxations": [
            {
                "kind": "suppression",
                "offer": offer([2, 1, 1], 55, k(10)),
                "accept": accept([2, 1, 1], 55, 10),
            },
            {
                "kind": "height",
                "offer": offer([3, 1, 0], 28, k(10)),
                "accept": accept([3, 1, 1], 32, 10),
            },
            {
                "kind": "privacy",
                "model": "k-anonymity",
                "parameter": "k",
                "value": 7.0,
                "offer": offer([2, 1, 1], 31, k(7)),
                "accept": accept([2, 1, 1], 32, 7),
            },
            without("age", [4, 0, 0], 31, [4, 1, 1]),
            without("workclass", [1, 1, 3], 15, [2, 1, 3]),
            without("race", [2, 2, 1], 24, [2, 2, 1]),
        ],
        "version": 2,
    });
    assert!(holds(&answer, &expected), "{answer:#}");
    let relaxations = answer["relaxations"].as_array().unwrap();
    assert!(relaxations.iter().all(|one| one.get("reason").is_none()), "nothing is missing");
}

#[test]
fn whole_numbers_are_written_whole_and_levels_in_order() {
    let folder = Folder::empty();
    let qi = ["ask", "demo:adult", "--qi", "workclass,age,race", "--k", "10", "--json"];
    let run = folder.haggle(&[&qi[..], &["--max-suppressed", "321", "--levels", "1,2,1"]].concat());
    for fragment in [
        r#""scheme":[0,1,1]"#,
        r#""levels":{"workclass":0,"age":1,"race":1}"#,
        r#""height":2,"suppressed":170,"privacy":{"k-anonymity":10},"attained":{"k-anonymity":10}"#,
    ] {
        assert!(run.text().contains(fragment), "{fragment} in {}", run.stdout);
    }
    assert_eq!(run.stdout.lines().count(), 1, "one line");
    assert!(is_whole(&run.json(0)["micros"]));
}

#[test]
fn the_three_ways_to_relax_the_height_differ_as_stated() {
    let asked = ["--k", "10", "--max-suppressed", "321", "--levels", "2,2,2,1,1,2"];
    let folder = six();
    let answer =
        |how: &str| folder.answer(&[&["six.lattice", "--relax-height", how], &asked[..]].concat());
    let published = answer("published");
    let expected = [
        ("suppression", json!({"suppressed": 712})),
        ("privacy", json!({"suppressed": 298, "privacy": {"k-anonymity": 5}})),
        ("height", json!({"scheme": [4, 0, 1, 2, 1, 2], "suppressed": 54})),
    ];
    for (kind, expected) in &expected {
        assert!(holds(offered(&published, kind), expected), "{published:#}");
    }
    let height = |answer: &Value| offered(answer, "height")["height"].as_u64().unwrap();
    let lowest = answer("lowest");
    assert!(height(&lowest) <= height(&published));
    let beyond = |answer: &Value| -> u64 {
        let levels = offered(answer, "height")["scheme"].as_array().unwrap();
        levels
            .iter()
            .zip([2, 2, 2, 1, 1, 2])
            .map(|(l, cap)| l.as_u64().unwrap().saturating_sub(cap))
            .sum()
    };
    assert!(beyond(&answer("closest")) <= beyond(&lowest));
}

#[test]
fn nothing_but_the_answer_goes_to_the_output() {
    let run = Folder::empty().haggle(&[&["ask"], THREE, &["--k", "10", "--json"]].concat());
    assert!(run.stderr.is_empty(), "{run:#?}");
    run.json(0);
}

#[test]
fn an_answer_on_demand_is_the_same_and_says_how_it_was_obtained() {
    let folder = Folder::empty();
    let ask = |more: &[&str]| {
        let plain = ["ask", "demo:adult", "--k", "10", "--max-suppressed", "1%", "--json"];
        folder.haggle(&[&plain[..], more].concat())
    };
    let full = ask(&[]).json(0);
    assert_eq!(full.get("obtained"), None);
    for way in [&["--on-demand"][..], &["--memory", "4MB"], &["--on-demand", "--time-limit", "600"]]
    {
        let found = ask(way).json(0);
        assert_eq!(found["exact"], full["exact"], "{way:?}");
        let obtained = &found["obtained"];
        assert_eq!((&obtained["way"], &obtained["proven"]), (&"on-demand".into(), &true.into()));
        assert!(obtained["annotated"].as_u64().unwrap() < 3600, "{obtained}");
    }
    let stopped = ask(&["--on-demand", "--time-limit", "0"]).json(0);
    assert_eq!(stopped["obtained"]["proven"], false);
    let height = |answer: &Value| answer["exact"]["height"].as_u64().unwrap();
    assert!(height(&stopped) >= height(&full));
    assert!(stopped["obtained"]["none_below"].as_u64().unwrap() <= height(&full));
    let words =
        folder.haggle(&["ask", "demo:adult", "--k", "10", "--on-demand", "--time-limit", "0"]);
    assert_snapshot!(words.printed(0), @"
    Asked: k-anonymity with k = 10, at most 301 of 30,162 records suppressed, any level (age, education, marital-status, occupation, race, workclass).
    Records: 32,561 read, 2,399 dropped for missing values, 0 suppressed, 30,162 left.

    Yes: scheme [4,4,3,2,2,3], height 18, suppresses no record and attains k = 30162.

      age              level 4 of 4   36 becomes * (says nothing)
      education        level 4 of 4   HS-grad becomes * (says nothing)
      marital-status   level 3 of 3   Married-civ-spouse becomes * (says nothing)
      occupation       level 2 of 2   Prof-specialty becomes * (says nothing)
      race             level 2 of 2   White becomes * (says nothing)
      workclass        level 3 of 3   Private becomes * (says nothing)

    1 scheme of 3,600 annotated on demand in [time], then stopped: height 18 found; nothing is proved of the others yet.
    ");
}

#[test]
fn the_least_loss_on_demand_is_the_same_and_a_stopped_search_tells_its_bound() {
    let folder = Folder::empty();
    let ask = |more: &[&str]| {
        let plain =
            ["ask", "demo:adult", "--k", "10", "--max-suppressed", "1%", "--optimize", "lm"];
        folder.haggle(&[&plain[..], more].concat())
    };
    let full = ask(&["--json", "--full"]).json(0);
    assert_eq!(full.get("obtained"), None);
    let found = ask(&["--json", "--on-demand"]).json(0);
    assert_eq!(found["exact"], full["exact"]);
    assert_eq!(
        (&found["obtained"]["proven"], found["obtained"].get("none_below")),
        (&true.into(), None)
    );
    assert!(found["obtained"]["annotated"].as_u64().unwrap() < 1000, "of 3,600");
    let stopped = ask(&["--json", "--on-demand", "--time-limit", "0"]).json(0);
    let (least, obtained) = (full["exact"]["loss"]["lm"].as_f64().unwrap(), &stopped["obtained"]);
    assert!(stopped["exact"]["loss"]["lm"].as_f64().unwrap() >= least);
    assert!(obtained["no_loss_below"].as_f64().unwrap() <= least && obtained["proven"] == false);
    assert_snapshot!(ask(&["--on-demand", "--time-limit", "0"]).printed(0), @"
    Asked: k-anonymity with k = 10, at most 301 of 30,162 records suppressed, any level (age, education, marital-status, occupation, race, workclass).
    Records: 32,561 read, 2,399 dropped for missing values, 121 suppressed, 30,041 left.

    Yes: scheme [3,3,1,1,1,2], height 11, lm 0.333280, suppresses 121 records (0.40 %) and attains k = 10.

      age              level 3 of 4   36 becomes 17-36
      education        level 3 of 4   HS-grad becomes Without-post-secondary
      marital-status   level 1 of 3   Married-civ-spouse becomes Married
      occupation       level 1 of 2   Prof-specialty becomes White-collar
      race             level 1 of 2   Black becomes Non-white
      workclass        level 2 of 3   Private becomes With-pay

    5 schemes of 3,600 annotated on demand in [time], then stopped: lm 0.3333 found; nothing is proved of the others yet.
    ");
}
