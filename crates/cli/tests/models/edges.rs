//! Numbers at the edges: ties, distances and sums that one digit decides.

use std::fmt::Write;

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::common::{Folder, offered};

/// A project with one quasi-identifier `a` and one sensitive attribute `s`.
fn project(sensitive: &str, records: &str) -> Folder {
    let project = format!(
        "[data]\npath = \"data.csv\"\n\n[[attribute]]\nname = \"a\"\nrole = \"quasi-identifier\"\n\n\
         [[attribute]]\nname = \"s\"\nrole = \"sensitive\"\n{sensitive}\n"
    );
    let records = records.split_whitespace().collect::<Vec<_>>().join("\n");
    Folder::with([("haggle.toml", project), ("data.csv", format!("a,s\n{records}\n"))])
}

/// This many records of a value in a group.
fn repeated(group: &str, counts: &[(&str, usize)]) -> String {
    let record = |(value, count): &(&str, usize)| format!("{group},{value} ").repeat(*count);
    counts.iter().map(record).collect()
}

#[test]
fn instant_loses_nothing_in_an_attribute_with_one_value() {
    let folder = Folder::with([
        (
            "haggle.toml",
            "[data]\npath = \"data.csv\"\n[[attribute]]\nname = \"a\"\nrole = \"quasi-identifier\"\n\
             [[attribute]]\nname = \"b\"\nrole = \"quasi-identifier\"\n",
        ),
        ("data.csv", "a,b\n1,k\n1,k\n2,k\n"),
    ]);
    let asked = ["--k", "2", "--max-suppressed", "1", "--json"];
    let instant = folder.haggle(&[&["instant", ".", "--compare"], &asked[..]].concat()).json(0);
    let sixth = |loss: &Value| (loss["lm"].as_f64().unwrap() - 1.0 / 6.0).abs() < 1e-9;
    assert!(sixth(&instant["attained"]["loss"]), "{instant}");
    assert!(sixth(&instant["optimum"]["loss"]), "{instant}");
    // One of three records is suppressed at most: what is expected is at most a sixth, too.
    assert!(instant["predicted"]["loss"]["lm"].as_f64() <= Some(1.0 / 6.0 + 1e-9), "{instant}");
}

#[test]
fn merged_groups_of_equal_entropy_pass_what_their_parts_pass() {
    for counts in [
        vec![("x", 51), ("y", 17)],
        vec![("w", 17), ("x", 17), ("y", 17), ("z", 5)],
        vec![("x", 3), ("y", 1)],
    ] {
        let records = repeated("1", &counts) + &repeated("2", &counts);
        let folder = project("", &records);
        let most = counts.len() as f64 - 0.05;
        let asked = format!("entropy-l-diversity={most}");
        let answer =
            folder.haggle(&["ask", ".", "--privacy", &asked, "--max-suppressed", "0", "--json"]);
        let json = answer.json(0);
        let offer = offered(&json, "privacy");
        assert_eq!(offer["scheme"], json!([0]), "{answer:#?}");
        let offered = offer["privacy"]["entropy-l-diversity"].as_f64().unwrap();
        // What is offered is what both schemes attain, and is possible.
        let asked = format!("entropy-l-diversity={offered}");
        for scheme in [0, 1] {
            let levels = scheme.to_string();
            let asked = ["--privacy", &asked, "--max-suppressed", "0", "--levels", &levels];
            let answer = folder.haggle(&[&["ask", ".", "--json"], &asked[..]].concat()).json(0);
            assert_eq!(answer["exact"]["suppressed"], 0, "{answer}");
            let attained = &answer["exact"]["attained"]["entropy-l-diversity"];
            assert_eq!(attained.as_f64(), Some(offered), "{answer}");
        }
        let front = ["pareto", ".", "--privacy", "entropy-l-diversity", "--loss", "lm", "--json"];
        let front = folder.haggle(&front).json(0);
        assert_eq!(front["points"].as_array().unwrap().len(), 1, "{front}");
    }
}

/// The distance of t-closeness that a file is said to attain, by `verify` or `assess`.
fn attained(folder: &Folder, arguments: &[&str]) -> f64 {
    let run = folder.haggle(&[arguments, &["--json"]].concat());
    assert!(run.code < Some(2), "{run:#?}");
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    let attained = found["attained"].as_object().unwrap().iter();
    let mut of = attained.filter(|(id, _)| id.starts_with("t-closeness")).map(|(_, t)| t);
    of.next().and_then(Value::as_f64).unwrap_or_else(|| panic!("{found}"))
}

#[test]
fn one_distance_is_settled_stated_and_used_by_everybody() {
    let hierarchy = "low;little;* mid;much;* high;much;*".replace(' ', "\n");
    for (stated, distance, expected) in [
        ("order = [\"low\", \"mid\", \"high\"]", "ordered", 1.0 / 6.0),
        ("order = [\"low\", \"mid\", \"high\"]\ndistance = \"equal\"", "equal", 1.0 / 3.0),
        ("hierarchy = \"s.csv\"\ndistance = \"hierarchical\"", "hierarchical", 1.0 / 3.0),
        ("", "equal", 1.0 / 3.0),
    ] {
        let folder = project(stated, "1,low 1,low 1,high 2,mid 2,mid 2,high");
        folder.write("s.csv", &hierarchy);
        let promise = "t-closeness=0.35";
        folder.haggle(&["publish", ".", "--privacy", promise, "-o", "out.csv"]).text();
        let manifest: Value =
            serde_json::from_slice(&folder.read("out.csv.manifest.json")).unwrap();
        let words = format!("t-closeness:t=0.35,on=s,distance={distance}");
        assert_eq!(manifest["promises"], json!([words]), "{manifest}");
        assert_eq!(manifest["distances"]["s"]["distance"], distance, "{manifest}");
        let promised = &manifest["guarantees"]["t-closeness"];
        let near = |found: f64| (found - expected).abs() < 1e-12;
        assert!(promised.as_f64().is_some_and(near), "{distance}: {manifest}");
        for arguments in [
            &["verify", "out.csv", "--privacy", promise][..],
            &["verify", "out.csv", ".", "--privacy", promise],
            &["assess", "out.csv"],
            &["assess", "out.csv", "."],
        ] {
            assert!(near(attained(&folder, arguments)), "{distance}: {arguments:?}");
        }
        // Without its manifest, the project alone says which distance is meant.
        std::fs::remove_file(folder.file("out.csv.manifest.json")).unwrap();
        assert!(near(attained(&folder, &["assess", "out.csv", "."])), "{distance}");
        let verify = ["verify", "out.csv", ".", "--privacy", promise];
        assert!(near(attained(&folder, &verify)), "{distance}");
        let reported = folder.haggle(&verify);
        assert!(reported.text().contains(&format!("distance={distance}")), "{reported:#?}");
    }
}

#[test]
fn losses_are_compared_in_full() {
    let mut records = String::from("a,b\n");
    for (record, times) in [("0,0", 1_000_000), ("0,1", 1), ("1,1", 999_999)] {
        for _ in 0..times {
            writeln!(records, "{record}").unwrap();
        }
    }
    let folder = Folder::with([
        (
            "haggle.toml",
            "[data]\npath = \"data.csv\"\n[[attribute]]\nname = \"a\"\nrole = \"quasi-identifier\"\n\
             [[attribute]]\nname = \"b\"\nrole = \"quasi-identifier\"\n",
        ),
        ("data.csv", &records),
    ]);
    let asked = ["--k", "500000", "--max-suppressed", "0", "--optimize", "discernibility"];
    for way in [&[][..], &["--on-demand"]] {
        let answer = folder.haggle(&[&["ask", ".", "--json"], &asked[..], way].concat()).json(0);
        assert_eq!(answer["exact"]["scheme"], json!([1, 0]), "{answer}");
        assert_eq!(answer["exact"]["loss"]["discernibility"], 2e12, "{answer}");
    }
}

/// A project of groups in which each of the three values is about as frequent as in the whole.
fn balanced() -> Folder {
    let groups = (0..4)
        .map(|group| repeated(&group.to_string(), &[("x", 2), ("y", 2 + group % 2), ("z", 2)]));
    project("", &groups.collect::<String>())
}

#[test]
fn a_threshold_of_minus_zero_is_zero() {
    let folder = balanced();
    for typed in ["t-closeness=-0", "t-closeness:t=-0", "t-closeness=-0.0"] {
        let minus = folder.haggle(&["ask", ".", "--privacy", typed, "--json"]).json(0);
        let plain = folder.haggle(&["ask", ".", "--privacy", "t-closeness=0", "--json"]).json(0);
        assert_eq!(minus["asked"]["privacy"], plain["asked"]["privacy"]);
        assert_eq!(minus["exact"], plain["exact"]);
        assert!(!minus.to_string().contains("-0"), "{minus}");
    }
}

/// Where merging two groups that pass may fail, a binary search over heights finds nothing it could
/// promise; that is said, with what to ask for instead.
#[test]
fn samarati_says_why_it_cannot_look_for_delta_disclosure() {
    let folder = balanced();
    let asked = ["--privacy", "delta-disclosure=1"];
    let compared =
        folder.haggle(&[&["compare", ".", "--strategies", "samarati"], &asked[..]].concat());
    let published = folder.haggle(
        &[&["publish", ".", "--strategy", "samarati", "-o", "out.csv"], &asked[..]].concat(),
    );
    assert_snapshot!(compared.printed(1), @"
    Asked: delta-disclosure with delta = 1, at most 0 of 26 records suppressed, any level (a).
    Records: 26 read, 0 dropped for missing values, 26 counted.

    No strategy finds anything.

    samarati: Samarati's binary search assumes that a more general scheme never suppresses more, and under this privacy one may, even where nothing may be suppressed; ask for k-anonymity or distinct l-diversity, or choose another strategy
    ");
    assert_snapshot!(published.printed(2), @"
    error: Samarati's binary search assumes that a more general scheme never suppresses more, and under this privacy one may, even where nothing may be suppressed
        fix: ask for k-anonymity or distinct l-diversity, or choose another strategy
    ");
}

/// rho2 is what varies along the front, so its default says nothing about rho1.
#[test]
fn a_front_of_rho_privacy_takes_any_rho1() {
    let folder = balanced();
    for rho1 in ["0.1", "0.4", "0.57", "0.9"] {
        let privacy = format!("rho-privacy:rho1={rho1}");
        let front = folder.haggle(&["pareto", ".", "--privacy", &privacy, "--json"]).json(0);
        let points = front["points"].as_array().unwrap();
        let above = |point: &Value| point["threshold"].as_f64() >= rho1.parse().ok();
        assert!(!points.is_empty() && points.iter().all(above), "{front}");
    }
    let fixed = folder.haggle(&["ask", ".", "--privacy", "rho-privacy:rho1=0.57,rho2=0.5"]);
    assert_snapshot!(fixed.printed(2), @"
    error: rho1 = 0.57 is not below rho2 = 0.5
        fix: choose rho1 below rho2
    ");
}
