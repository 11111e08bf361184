//! Another tool's opinion: pycanon measures k and l of published files as haggle does.

use std::process::Command;

use haggle_testkit::process::RunLimited;
use serde_json::Value;

use crate::common::Folder;

/// k and l of a file by pycanon, whose Python `make test` installs and names in the environment.
fn pycanon(folder: &Folder, file: &str, qi: &str) -> (u64, u64) {
    let python = std::env::var("HAGGLE_PYTHON")
        .expect("HAGGLE_PYTHON names a Python with pycanon; `make test` installs one");
    let script = "import sys, pandas as pd\n\
        from pycanon import anonymity\n\
        data = pd.read_csv(sys.argv[1], dtype=str, keep_default_na=False)\n\
        qi = sys.argv[2].split(',')\n\
        print(anonymity.k_anonymity(data, qi), anonymity.l_diversity(data, qi, ['hours-per-week']))";
    let run = Command::new(python)
        .args(["-c", script, file, qi])
        .current_dir(folder.path())
        .run_limited();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let text = String::from_utf8(run.stdout).unwrap();
    let mut numbers = text.split_whitespace().map(|n| n.parse().unwrap());
    (numbers.next().unwrap(), numbers.next().unwrap())
}

#[test]
fn published_files_measure_the_same_by_another_tool() {
    let folder = Folder::empty();
    for (qi, privacy, scheme) in [
        ("age,race,workclass", ["--k", "10"], "1,1,0"),
        ("age,race,workclass", ["--l", "3"], "1,0,1"),
        ("age,education,marital-status,occupation,race,workclass", ["--k", "5"], "2,2,2,1,1,2"),
        ("age,education,marital-status,occupation,race,workclass", ["--l", "4"], "3,3,2,1,1,2"),
    ] {
        let fixed = ["publish", "demo:adult", "--qi", qi, "--scheme", scheme, "-o", "out.csv"];
        folder.haggle(&[&fixed[..], &privacy].concat()).text();
        let found: Value = folder.haggle(&["assess", "out.csv", "--json"]).json(0);
        let attained = |model: &str| found["attained"][model].as_u64().unwrap();
        let ours = (attained("k-anonymity"), attained("distinct-l-diversity:on=hours-per-week"));
        assert_eq!(pycanon(&folder, "out.csv", qi), ours, "{qi} {scheme}");
    }
}
