//! Every answer accounts for every record that was read.

use haggle_testkit::titled;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::common::{Folder, PEOPLE, Run};

/// Six records, two of them with a value missing.
fn gaps() -> Folder {
    let data = "name,age,sex,disease\nAda,34,f,flu\nBea,36,f,asthma\nCid,41,m,flu\nDan,47,m,gout\n\
                Eve,?,f,flu\nFay,34,f,?\n";
    let folder = Folder::with(PEOPLE.iter().copied().chain([("people.csv", data)]));
    folder.edit("haggle.toml", "[data]", "[data]\nmissing = [\"?\"]\non_missing = \"drop\"");
    folder
}

fn account(run: &Run) -> Value {
    run.json(0)["account"].clone()
}

#[test]
fn dropped_records_are_in_every_answer() {
    let folder = gaps();
    let counted = json!({"read": 6, "dropped": 2, "counted": 4});
    let kept = json!({"read": 6, "dropped": 2, "counted": 4, "suppressed": 0, "published": 4});
    let asked: [(&[&str], &Value); 9] = [
        (&["ask", ".", "--k", "2"], &kept),
        (&["ask", ".", "--k", "5"], &counted),
        (&["ask", ".", "--k", "2", "--on-demand"], &kept),
        (&["study", ".", "--k", "2"], &counted),
        (&["study", ".", "--k", "2", "--scheme", "1,0"], &counted),
        (&["why", ".", "--k", "2", "--scheme", "1,0"], &kept),
        (&["pareto", "."], &counted),
        (&["compare", ".", "--k", "2", "--measures", "lm"], &counted),
        (&["instant", ".", "--k", "2"], &kept),
    ];
    let mut lines = Vec::new();
    for (command, expected) in asked {
        let run = folder.haggle(&[command, &["--json"]].concat());
        assert_eq!(account(&run), *expected, "{command:?}");
        let words = folder.haggle(command);
        let line = words.text().lines().find(|line| line.starts_with("Records: "));
        lines.push((command.join(" "), line.unwrap().to_owned()));
    }
    assert_snapshot!(titled(lines));
}

#[test]
fn a_lattice_file_keeps_the_account_and_an_update_continues_it() {
    let folder = gaps();
    folder.haggle(&["build", "."]).text();
    let ask = ["ask", "haggle.lattice", "--k", "6", "--json"];
    assert_eq!(account(&folder.haggle(&ask))["dropped"], 2);
    folder.write("more.csv", "name,age,sex,disease\nGil,34,f,flu\nHal,?,m,flu\n");
    folder.haggle(&["update", ".", "--add", "more.csv"]).text();
    assert_eq!(account(&folder.haggle(&ask)), json!({"read": 8, "dropped": 3, "counted": 5}));
}

#[test]
fn the_embedded_data_adds_up() {
    let folder = Folder::empty();
    let qi = "age,race,workclass";
    let asked = ["ask", "demo:adult", "--qi", qi, "--k", "10", "--max-suppressed", "321"];
    let levels = ["--levels", "2,1,1", "--json"];
    let account = account(&folder.haggle(&[&asked[..], &levels].concat()));
    let expected = json!({"read": 32561, "dropped": 2399, "counted": 30162, "suppressed": 170, "published": 29992});
    assert_eq!(account, expected);
}
