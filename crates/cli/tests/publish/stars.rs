//! Suppressed records that are kept with stars are a group, and keep the promise as one.

use std::fmt::Write;

use crate::common::Folder;

/// Twenty groups of twenty records each, and two outliers that look like no other record.
fn clinic() -> Folder {
    let mut table = String::from("age,city,disease\n");
    for i in 0..400 {
        let disease = ["flu", "cold", "gout", "asthma"][i / 20 % 4];
        writeln!(table, "{},c{},{disease}", 20 + i % 20, i % 20).unwrap();
    }
    table += "70,c90,AIDS\n71,c91,AIDS\n";
    let attribute =
        |name: &str, role: &str| format!("[[attribute]]\nname = \"{name}\"\nrole = \"{role}\"\n");
    let project = format!(
        "[data]\npath = \"table.csv\"\n{}{}{}",
        attribute("age", "quasi-identifier"),
        attribute("city", "quasi-identifier"),
        attribute("disease", "sensitive")
    );
    Folder::with([("haggle.toml", project), ("table.csv", table)])
}

#[test]
fn boxes_and_cuts_judge_their_stars() {
    for strategy in ["mondrian", "top-down-specialization"] {
        let folder = clinic();
        let asked =
            ["--k", "20", "--levels", "0,0", "--max-suppressed", "5%", "--strategy", strategy];
        let fixed = ["publish", ".", "--suppress", "star", "-o", "out.csv", "--json"];
        let report = folder.haggle(&[&fixed[..], &asked].concat()).json(0);
        assert_eq!(report["suppressed"], 2, "{strategy}: the outliers");
        assert_eq!(report["starred"], 0, "{strategy}: {report}");
        let text = String::from_utf8(folder.read("out.csv")).unwrap();
        assert!(!text.contains("*,*"), "{strategy}");
    }
}
