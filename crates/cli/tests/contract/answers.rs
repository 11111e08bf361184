//! The JSON of `ask`, and its exit codes.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::common::{Folder, PEOPLE, holds};
use crate::{THREE, adult, six};

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
        "relaxations": null,
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
    let expected = json!({
        "outcome": "relaxed",
        "exact": null,
        "relaxations": {
            "suppression": offer([2, 1, 1], 55, k(10)),
            "height": offer([3, 1, 0], 28, k(10)),
            "privacy": offer([2, 1, 1], 31, k(7)),
        },
    });
    assert!(holds(&answer, &expected), "{answer:#}");
    let attributes = answer["relaxations"]["attribute"].as_array().unwrap();
    let names: Vec<_> =
        attributes.iter().map(|offer| offer["attribute"].as_str().unwrap()).collect();
    assert_eq!(names, ["age", "workclass", "race"], "best first");
    for (offer, top) in attributes.iter().zip([4, 3, 2]) {
        assert_eq!(offer["levels"][offer["attribute"].as_str().unwrap()], top, "left out");
        assert!(offer["suppressed"].as_u64().unwrap() <= 32);
    }
    for reason in ["suppression_reason", "height_reason", "privacy_reason", "attribute_reason"] {
        assert!(answer["relaxations"].get(reason).is_none(), "nothing is missing, so no {reason}");
    }
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
fn the_answer_is_no_where_no_relaxation_is_possible() {
    let alone = "name,age,sex,disease\nAda,34,f,flu\n";
    let folder = Folder::with(PEOPLE.iter().copied().chain([("people.csv", alone)]));
    let run = folder.haggle(&["ask", ".", "--k", "2", "--json"]);
    let answer = run.json(1);
    assert_eq!((&answer["outcome"], &answer["exact"]), (&json!("relaxed"), &Value::Null));
    let offers = &answer["relaxations"];
    for what in ["suppression", "height", "privacy"] {
        assert!(offers[what].is_null(), "{answer:#}");
        assert!(offers[format!("{what}_reason")].is_string(), "{answer:#}");
    }
    assert_eq!(offers["attribute"], json!([]));
    assert!(offers["attribute_reason"].is_string());
    assert!(run.stderr.is_empty(), "no is an answer, not an error");

    assert_snapshot!(folder.haggle(&["ask", ".", "--k", "2"]).printed(1), @"
    Asked: k-anonymity with k = 2, at most 0 of 1 records suppressed, any level (age, sex).
    Records: 1 read, 0 dropped for missing values, 1 counted.

    No, and no single relaxation would be enough:

      suppression: under [2,1] no group reaches k-anonymity = 2, so no record would be left
      levels: no scheme at all reaches k-anonymity = 2 with at most 0 suppressed
      privacy: under [2,1] even k = 2 suppresses more than 0
      attributes: leaving out one attribute is not enough

    3 schemes looked at in [time].
    ");
}

#[test]
fn a_single_value_has_no_diversity() {
    let folder = Folder::people();
    for disease in ["asthma", "gout"] {
        folder.edit("people.csv", disease, "flu");
    }
    // An answer, as where k is above the number of records: no, because nothing could be relaxed.
    let answer = folder.haggle(&["ask", ".", "--l", "2", "--json"]).json(1);
    assert_snapshot!(answer["relaxations"]["suppression_reason"].as_str().unwrap(), @"under [2,1] no group reaches distinct-l-diversity = 2, so no record would be left; the sensitive values allow l = 1 at most");
    assert_eq!(folder.haggle(&["ask", ".", "--k", "2"]).code, Some(0));
}

#[test]
fn a_k_above_the_number_of_records_can_only_be_lowered() {
    let folder = Folder::people();
    let answer = folder.haggle(&["ask", ".", "--k", "5", "--json"]).json(0);
    let offers = &answer["relaxations"];
    assert!(offers["suppression"].is_null() && offers["height"].is_null(), "{answer:#}");
    assert!(holds(&offers["privacy"], &json!({"scheme": [2, 1], "privacy": {"k-anonymity": 4}})));
    assert_snapshot!(offers["suppression_reason"].as_str().unwrap(), @"under [2,1] no group reaches k-anonymity = 5, so no record would be left");
}

#[test]
fn an_l_above_the_number_of_values_can_be_lowered_as_k_can() {
    let folder = Folder::people();
    let answer = folder.haggle(&["ask", ".", "--l", "9", "--json"]).json(0);
    let offers = &answer["relaxations"];
    assert!(offers["suppression"].is_null() && offers["height"].is_null(), "{answer:#}");
    let three = json!({"privacy": {"distinct-l-diversity": 3}});
    assert!(holds(&offers["privacy"], &three), "{answer:#}");
    assert_snapshot!(offers["height_reason"].as_str().unwrap(), @"no scheme at all reaches distinct-l-diversity = 9 with at most 0 suppressed; the sensitive values allow l = 3 at most");
    assert_snapshot!(folder.haggle(&["ask", ".", "--l", "9"]).printed(0));
    let study = folder.haggle(&["study", ".", "--l", "9", "--json"]).json(0);
    assert_eq!(study["heights"][0]["least"], 4, "{study:#}");
    for publish in [&["--levels", "2,1"][..], &["--scheme", "2,1"], &["--strategy", "mondrian"]] {
        let run = ["publish", ".", "--l", "9", "-o", "out.csv", "--json"];
        let refused = folder.haggle(&[&run[..], publish].concat()).json(1);
        assert_eq!(refused["outcome"], "refused", "{refused:#}");
    }
}

#[test]
fn the_three_ways_to_relax_the_height_differ_as_stated() {
    let asked = ["--k", "10", "--max-suppressed", "321", "--levels", "2,2,2,1,1,2"];
    let folder = six();
    let answer = |how: &str| {
        folder.answer(&[&["six.lattice", "--relax-height", how], &asked[..]].concat())["relaxations"]
            .take()
    };
    let published = answer("published");
    let expected = json!({
        "suppression": {"suppressed": 712},
        "privacy": {"suppressed": 298, "privacy": {"k-anonymity": 5}},
        "height": {"scheme": [4, 0, 1, 2, 1, 2], "suppressed": 54},
    });
    assert!(holds(&published, &expected), "{published:#}");
    let height = |answer: &Value| answer["height"]["height"].as_u64().unwrap();
    let lowest = answer("lowest");
    assert!(height(&lowest) <= height(&published));
    let beyond = |answer: &Value| -> u64 {
        let levels = answer["height"]["scheme"].as_array().unwrap();
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

    7 schemes of 3,600 annotated on demand in [time], then stopped: height 18 found; nothing is proved of the others yet.
    ");
}

/// Suppression does not fall as schemes rise here: the top fails, the lowest scheme does not. A search
/// that is stopped after its first look has found nothing, and must not say that there is nothing.
#[test]
fn a_search_that_is_stopped_before_it_finds_anything_does_not_say_no() {
    let groups =
        [("0,0,0", 5), ("0,0,1", 5), ("0,1,0", 5), ("0,1,1", 5), ("1,0,0", 30), ("1,1,0", 30)];
    let records: String =
        groups.iter().map(|(record, n)| format!("{record}\n").repeat(*n)).collect();
    let folder = Folder::empty();
    folder.write("t.csv", format!("a,b,s\n{records}"));
    let attribute = |(name, role)| format!("[[attribute]]\nname = \"{name}\"\nrole = \"{role}\"\n");
    let roles = [("a", "quasi-identifier"), ("b", "quasi-identifier"), ("s", "sensitive")];
    let roles: String = roles.map(attribute).concat();
    folder.write("haggle.toml", format!("[data]\npath = \"t.csv\"\n{roles}"));
    let ask = |more: &[&str]| {
        let asked = ["ask", ".", "--k", "2", "--privacy", "frequency-l-diversity=2"];
        folder.haggle(&[&asked[..], &["--max-suppressed", "60"], more].concat())
    };
    assert_eq!(ask(&["--full", "--json"]).json(0)["exact"]["scheme"], json!([0, 0]));
    assert_snapshot!(ask(&["--on-demand", "--time-limit", "0"]).printed(0), @"
    Asked: k-anonymity with k = 2 and frequency-l-diversity with l = 2, at most 60 of 80 records suppressed, any level (a, b).
    Records: 80 read, 0 dropped for missing values, 80 counted.

    No scheme that does all of that was found in this time, and no relaxation was found yet.

    1 scheme of 4 annotated on demand in [time], then stopped: there may be one. Raise --time-limit.
    ");
    let answer = ask(&["--on-demand", "--time-limit", "0", "--json"]).json(0);
    assert_eq!(answer["obtained"]["proven"], false);
    assert_eq!(answer["obtained"].get("impossible"), None);
    for kind in ["suppression", "height", "privacy", "attribute"] {
        let reason = answer["relaxations"][format!("{kind}_reason")].as_str().unwrap();
        assert_eq!(reason, "none was found before the search was stopped");
    }
}

#[test]
fn the_least_loss_on_demand_is_the_same_and_a_stopped_search_tells_its_bound() {
    let folder = Folder::empty();
    let ask = |more: &[&str]| {
        let plain =
            ["ask", "demo:adult", "--k", "10", "--max-suppressed", "1%", "--optimize", "lm"];
        folder.haggle(&[&plain[..], more].concat())
    };
    let full = ask(&["--json"]).json(0);
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
