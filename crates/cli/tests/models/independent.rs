//! Another tool's opinion: pycanon measures the models that it knows on the same files.
//!
//! Where the definitions differ: pycanon floors the l of entropy diversity, also where
//! rounding left it just below a whole number; it sorts the counts of
//! recursive diversity upwards, so its c is that of the rarest value and cannot be compared; its
//! enhanced β is the largest min(β, −ln p) over all values, where the definition bounds each value's
//! gain by its own −ln p, so only whether its parts agree is checked.

use std::process::Command;

use haggle_testkit::process::RunLimited;
use serde_json::Value;

use crate::common::Folder;

const SCRIPT: &str = "import sys, json, pandas as pd
from pycanon import anonymity
from pycanon.anonymity.utils import aux_anonymity
data = pd.read_csv(sys.argv[1], dtype=str, keep_default_na=False)
qi, on = sys.argv[2].split(','), sys.argv[3]
alpha, k = anonymity.alpha_k_anonymity(data, qi, [on])
equal = aux_anonymity.aux_t_closeness_str(data, qi, on)
data[on] = data[on].astype(int)
print(json.dumps({
    'k': int(anonymity.k_anonymity(data, qi)),
    'l': int(anonymity.l_diversity(data, qi, [on])),
    'alpha': float(alpha), 'alpha_k': int(k),
    'entropy': int(anonymity.entropy_l_diversity(data, qi, [on])),
    'beta': float(anonymity.basic_beta_likeness(data, qi, [on])),
    'delta': float(anonymity.delta_disclosure(data, qi, [on])),
    'equal': float(equal),
    'ordered': float(anonymity.t_closeness(data, qi, [on])),
}))";

fn pycanon(folder: &Folder, file: &str, qi: &str) -> Value {
    let python = std::env::var("HAGGLE_PYTHON")
        .expect("HAGGLE_PYTHON names a Python with pycanon; `make test` installs one");
    let run = Command::new(python)
        .args(["-c", SCRIPT, file, qi, "hours-per-week"])
        .current_dir(folder.path())
        .run_limited();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    serde_json::from_slice(&run.stdout).unwrap()
}

/// What haggle measures of a file: its own distribution alone, or the project's.
fn haggle(folder: &Folder, project: Option<&str>, qi: &str, privacy: &str) -> Value {
    let fixed = ["--qi", qi, "--privacy", privacy, "--json"];
    let sensitive = ["--sensitive", "hours-per-week"];
    let file: Vec<&str> = ["verify", "out.csv"].into_iter().chain(project).collect();
    let run = folder.haggle(&[&file[..], &sensitive, &fixed].concat());
    let verdict = run.json(run.code.unwrap());
    let (model, _) = privacy.split_once([':', '=']).unwrap();
    verdict["attained"][model].clone()
}

fn assert_close(ours: &Value, theirs: &Value, what: &str) {
    let (ours, theirs) = (ours.as_f64().unwrap(), theirs.as_f64().unwrap());
    assert!((ours - theirs).abs() <= 1e-9 * theirs.abs().max(1.0), "{what}: {ours}, not {theirs}");
}

fn assert_agrees(folder: &Folder, project: Option<&str>, qi: &str) {
    let theirs = pycanon(folder, "out.csv", qi);
    let ours = |privacy: &str| haggle(folder, project, qi, privacy);
    assert_close(&ours("k-anonymity=2"), &theirs["k"], "k");
    assert_close(&ours("distinct-l-diversity=2"), &theirs["l"], "l");
    assert_close(&ours("basic-beta-likeness=1"), &theirs["beta"], "beta");
    assert_close(&ours("delta-disclosure=1"), &theirs["delta"], "delta");
    assert_close(&ours("t-closeness:t=0.1,distance=equal"), &theirs["equal"], "equal");
    assert_close(&ours("t-closeness:t=0.1,distance=ordered"), &theirs["ordered"], "ordered");
    let entropy = ours("entropy-l-diversity=2").as_f64().unwrap();
    let floored = [entropy.floor(), (entropy - 1e-9).floor()];
    assert!(floored.contains(&theirs["entropy"].as_f64().unwrap()), "{entropy} {theirs}");
    let alpha = &ours("alpha-k-anonymity:alpha=0.99,k=2")["alpha"];
    assert_close(alpha, &theirs["alpha"], "alpha");
    assert_eq!(theirs["alpha_k"], theirs["k"]);
}

/// At a scheme that suppresses nothing the file's distribution is the input's.
#[test]
fn unsuppressed_schemes_measure_the_same_by_another_tool() {
    let folder = Folder::empty();
    for (qi, scheme) in [
        ("age,race,workclass", "4,1,2"),
        ("age,race,workclass", "4,2,1"),
        ("education,marital-status,race", "3,2,1"),
    ] {
        let publish =
            ["publish", "demo:adult", "--qi", qi, "--scheme", scheme, "--only", "--k", "2"];
        let arguments = [&publish[..], &["--max-suppressed", "0", "-o", "out.csv"]].concat();
        folder.haggle(&arguments).text();
        assert_agrees(&folder, None, qi);
        assert_agrees(&folder, Some("demo:adult"), qi);
    }
}

/// A published output with suppression, against its own distribution.
#[test]
fn suppressed_publications_measure_the_same_by_another_tool() {
    let folder = Folder::empty();
    let qi = "age,education,race";
    let publish = ["publish", "demo:adult", "--qi", qi, "--scheme", "2,1,0", "--k", "20"];
    let run = [&publish[..], &["--privacy", "t-closeness=0.2", "-o", "out.csv", "--json"]].concat();
    assert!(folder.haggle(&run).json(0)["suppressed"].as_u64().unwrap() > 0);
    assert_agrees(&folder, None, qi);
}
