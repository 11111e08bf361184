//! Which way schemes are annotated by default: by what it is expected to take.

use std::fmt::Write;

use serde_json::Value;

use crate::common::Folder;

/// Seven quasi-identifiers with four levels each, 16,384 schemes, and 40,000 records hardly two of
/// which are alike: annotating all of it takes long, and a single answer does not.
fn costly(folder: &Folder) {
    let names: Vec<String> = (b'a'..b'a' + 7).map(|name| char::from(name).into()).collect();
    let mut table = names.join(",") + ",s\n";
    let mut state = 1_u64;
    for _ in 0..40_000 {
        for _ in &names {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            write!(table, "{},", (state >> 33) % 40).unwrap();
        }
        writeln!(table, "{}", (state >> 45) % 6).unwrap();
    }
    let mut project = "[data]\npath = \"table.csv\"\n".to_owned();
    for name in &names {
        write!(
            project,
            "[[attribute]]\nname = \"{name}\"\nrole = \"quasi-identifier\"\n\
             hierarchy = {{ intervals = [5, 20] }}\n"
        )
        .unwrap();
    }
    project += "[[attribute]]\nname = \"s\"\nrole = \"sensitive\"\n";
    folder.write("table.csv", &table);
    folder.write("haggle.toml", &project);
}

fn way(answer: &Value) -> Option<&str> {
    answer["obtained"]["way"].as_str()
}

#[test]
fn schemes_are_annotated_on_demand_where_all_of_them_would_take_long() {
    let folder = Folder::empty();
    costly(&folder);
    for more in [&[][..], &["--l", "2"], &["--optimize", "lm"], &["--memory", "100MB"]] {
        let asked = [&["ask", ".", "--json", "--k", "10", "--max-suppressed", "5%"], more].concat();
        let answer = folder.haggle(&asked).json(0);
        assert_eq!(way(&answer), Some("on-demand"), "{answer}");
        assert_eq!(answer["obtained"]["proven"], true, "{answer}");
        assert!(answer["obtained"]["annotated"].as_u64().unwrap() < 16_384 / 4, "{answer}");
    }
}

#[test]
fn small_lattices_are_annotated_in_full_unless_memory_is_too_little_for_a_question() {
    let folder = Folder::empty();
    let ask = ["ask", "demo:adult", "--json", "--k", "10"];
    let full = folder.haggle(&ask).json(0);
    assert_eq!(way(&full), None, "{full}");
    let both = [&ask[..], &["--l", "2"]].concat();
    let full = folder.haggle(&[&both[..], &["--full"]].concat()).json(0);
    assert_eq!(way(&full), None, "{full}");
    let little = folder.haggle(&[&both[..], &["--memory", "20MB"]].concat()).json(0);
    assert_eq!(way(&little), Some("on-demand"), "{little}");
    assert_eq!(little["exact"]["scheme"], full["exact"]["scheme"]);
}

/// The answer without what depends on the way that it was found.
fn without_the_way(mut answer: Value) -> Value {
    let fields = answer.as_object_mut().unwrap();
    for field in ["obtained", "visited", "micros"] {
        fields.remove(field);
    }
    answer
}

#[test]
fn a_single_question_takes_the_cheaper_way_and_has_the_same_answer() {
    let folder = Folder::empty();
    for levels in ["4,4,3,2,2,3", "1,1,1,1,1,1"] {
        let limits = ["--levels", levels, "--max-suppressed", "1%", "--json"];
        let request = ["--k", "5", "--l", "3", "--optimize", "lm"];
        let ask = [&["ask", "demo:adult"], &request[..], &limits].concat();
        let [alone, full] = [&[][..], &["--full"]]
            .map(|more: &[&str]| folder.haggle(&[&ask[..], more].concat()).json(0));
        assert_eq!((way(&alone), way(&full)), (Some("on-demand"), None));
        assert_eq!(without_the_way(alone), without_the_way(full));
    }
    // Several questions share what is annotated.
    let request = r#"{"privacy": {"k-anonymity": 5}, "optimize": "lm"}"#;
    folder.write("asked.jsonl", format!("{request}\n{request}\n"));
    let many = folder.haggle(&["ask", "demo:adult", "--requests", "asked.jsonl"]).json_lines();
    assert!(many.iter().all(|answer| way(answer).is_none()), "{many:?}");
}

#[test]
fn an_early_answer_by_loss_is_not_worse_than_what_datafly_finds() {
    let folder = Folder::empty();
    costly(&folder);
    let request = ["--k", "10", "--max-suppressed", "1%", "--json"];
    let compared = folder
        .haggle(
            &[&["compare", ".", "--strategies", "datafly", "--measures", "lm"], &request[..]]
                .concat(),
        )
        .json(0);
    let datafly = compared["strategies"][0]["loss"]["lm"].as_f64().unwrap();
    let limited = ["ask", ".", "--optimize", "lm", "--time-limit", "0"];
    let early = folder.haggle(&[&limited, &request[..]].concat()).json(0);
    let found = early["exact"]["loss"]["lm"].as_f64().unwrap();
    assert!(found <= datafly + 1e-12, "{found} against {datafly}");
}
