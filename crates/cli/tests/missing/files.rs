//! Publications under every policy: what is written, proved, verified and repeated.

use serde_json::{Value, json};

use crate::common::{Folder, holds};
use crate::missing::brute_force::{Group, Model, Policy, RECORDS, is_missing, levels, schemes};
use crate::missing::{assert_shown, folders, json as shown};

/// A scheme, a threshold, and the records that they suppress.
type Case = (Vec<(usize, usize)>, Model, Vec<usize>);

/// Schemes and thresholds that leave some records to publish.
fn publications(policy: Policy) -> Vec<Case> {
    let all = policy.records().count();
    let models = [Model::K(2), Model::K(3), Model::L(2)];
    let cases = schemes(&[0, 1]).into_iter().flat_map(|scheme| {
        models.map(|model| (scheme.clone(), model, policy.suppressed(&scheme, model)))
    });
    cases.filter(|(.., suppressed)| suppressed.len() < all).collect()
}

/// The records that should be in the file; a sensitive value stays as recorded, but for marks of missing
/// ones that are all written alike where missing is a value.
fn written(
    policy: Policy,
    scheme: &[(usize, usize)],
    suppressed: &[usize],
    star: bool,
) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for (number, record) in policy.records() {
        if !suppressed.contains(&number) {
            let look = |&(a, level): &(usize, usize)| policy.look(a, level, record[a], number);
            rows.push(scheme.iter().map(look).chain([policy.written(record[2])]).collect());
        } else if star {
            rows.push(vec!["*".into(), "*".into(), policy.written(record[2])]);
        }
    }
    rows
}

fn rows(folder: &Folder, name: &str) -> Vec<Vec<String>> {
    let bytes = folder.read(name);
    let mut reader = csv::Reader::from_reader(&bytes[..]);
    assert_eq!(
        reader.headers().unwrap().iter().take(3).collect::<Vec<_>>(),
        ["age", "sex", "disease"]
    );
    let row = |record: csv::StringRecord| record.iter().map(String::from).take(3).collect();
    reader.records().map(|record| row(record.unwrap())).collect()
}

fn publish(folder: &Folder, scheme: &[(usize, usize)], model: Model, more: &[&str]) -> Value {
    let [name, threshold] = model.asked();
    let at = levels(scheme);
    let fixed = ["publish", ".", "--scheme", &at, &name, &threshold, "--keep-order", "--json"];
    shown(&folder.haggle(&[&fixed, more].concat()))
}

/// The group that suppressed records form if they are kept with stars; none if it fails, or nothing
/// is suppressed.
fn starred(policy: Policy, model: Model, suppressed: &[usize]) -> Option<Group> {
    let group = policy.group_of(suppressed);
    (!suppressed.is_empty() && model.passes(&group)).then_some(group)
}

/// The weakest group that is published, by records and by diseases.
fn weakest(
    policy: Policy,
    scheme: &[(usize, usize)],
    suppressed: &[usize],
    starred: Option<&Group>,
) -> (usize, usize) {
    let groups = policy.groups(scheme);
    let kept = groups.values().filter(|group| !suppressed.contains(&group.records[0]));
    let kept: Vec<&Group> = kept.chain(starred).collect();
    let least = |of: fn(&Group) -> usize| kept.iter().map(|group| of(group)).min().unwrap();
    (least(|group| group.records.len()), least(|group| group.diseases.len()))
}

#[test]
fn what_is_written_is_what_the_records_say() {
    for (policy, folder) in folders() {
        for (scheme, model, suppressed) in publications(policy) {
            for star in [false, true] {
                let how = if star { "star" } else { "drop" };
                let report =
                    publish(&folder, &scheme, model, &["--suppress", how, "-o", "out.csv"]);
                let stars = starred(policy, model, &suppressed).filter(|_| star);
                let expected = written(policy, &scheme, &suppressed, stars.is_some());
                let reported = json!({"records": expected.len(), "suppressed": suppressed.len()});
                assert!(holds(&report, &reported), "{report}");
                assert_eq!(rows(&folder, "out.csv"), expected, "{policy:?} {scheme:?} {model:?}");
                let bytes = folder.read("out.csv.manifest.json");
                assert_shown(&serde_json::from_slice(&bytes).unwrap());
                let (k, l) = weakest(policy, &scheme, &suppressed, stars.as_ref());
                let attained = match model {
                    Model::K(_) => json!({"k-anonymity": k}),
                    Model::L(_) => json!({"distinct-l-diversity": l}),
                };
                assert_eq!(report["attained"], attained, "{policy:?} {scheme:?} {model:?}");
            }
        }
    }
}

/// A second project that publishes a table as it is, but for a column of its own.
fn copied(folder: &Folder, table: &str) -> Vec<Vec<String>> {
    let project = format!(
        "[data]\npath = \"{table}\"\n[[attribute]]\nname = \"lost\"\nrole = \"quasi-identifier\"\n"
    );
    folder.write("copy.toml", project);
    let copy = ["publish", "copy.toml", "--k", "2", "--scheme", "1", "-o", "copy.csv"];
    let more = ["--keep-order", "--as-recorded", "age,sex,disease"];
    folder.haggle(&[&copy[..], &more].concat()).text();
    rows(folder, "copy.csv")
}

#[test]
fn parquet_holds_the_same_records_as_csv() {
    for (policy, folder) in folders() {
        for (scheme, model, suppressed) in publications(policy) {
            let stars = starred(policy, model, &suppressed).is_some();
            let expected = written(policy, &scheme, &suppressed, stars);
            let more = ["--suppress", "star", "--flag", "lost", "-o", "out.parquet"];
            publish(&folder, &scheme, model, &more);
            assert_eq!(copied(&folder, "out.parquet"), expected, "{policy:?} {scheme:?} {model:?}");
        }
    }
}

#[test]
fn a_publication_is_verified_as_it_was_planned() {
    for (policy, folder) in folders() {
        for (scheme, model, suppressed) in publications(policy) {
            for file in ["out.csv", "out.parquet"] {
                publish(&folder, &scheme, model, &["--suppress", "star", "-o", file]);
                let stars = starred(policy, model, &suppressed);
                let (k, l) = weakest(policy, &scheme, &suppressed, stars.as_ref());
                let asked = ["--k", &k.max(2).to_string(), "--l", &l.max(2).to_string()];
                let arguments = [&["verify", file, ".", "--json"], &asked[..]].concat();
                let run = folder.haggle(&arguments);
                let code = i32::from(k < 2 || l < 2);
                let verdict = run.json(code);
                let expected = json!({
                    "holds": code == 0,
                    "attained": {"k-anonymity": k, "distinct-l-diversity": l},
                    "starred": stars.map_or(0, |group| group.records.len()),
                });
                let context = format!("{policy:?} {scheme:?} {model:?} {file}: {verdict}");
                assert!(holds(&verdict, &expected), "{context}");
                // The manifest next to the file says as much as the project, but for two marks of
                // one value, which are two values without the project.
                if policy != Policy::Value {
                    let alone = [&["verify", file, "--json"], &asked[..]].concat();
                    assert_eq!(folder.haggle(&alone).json(code), verdict, "{context}");
                }
            }
        }
    }
}

/// The table itself, before anything is done about it.
#[test]
fn the_table_is_assessed_as_the_policy_says() {
    for (policy, folder) in folders() {
        let assessed = shown(&folder.haggle(&["assess", "people.csv", ".", "--json"]));
        let base = [(0, 0), (1, 0)];
        let groups: Vec<usize> = if policy == Policy::Drop {
            // A table that is only assessed loses no record, so gaps are values as they are.
            let alike = |one: &[&str; 3]| RECORDS.iter().filter(|r| r[..2] == one[..2]).count();
            RECORDS.iter().map(alike).collect()
        } else {
            policy
                .groups(&base)
                .values()
                .flat_map(|g| g.records.iter().map(|_| g.records.len()))
                .collect()
        };
        let unique = groups.iter().filter(|size| **size == 1).count();
        let expected = json!({"records": 12, "unique": unique, "starred": 0});
        assert!(holds(&assessed, &expected), "{policy:?}: {assessed}");
    }
    // Where missing matches nothing there are nine groups: 34 f, 41 m and 47 m of two records each,
    // and six records alone (3, 4, 5 and 11 by their gaps; 6 and 7 because no record is like them).
    // The disease of record 6 is not known, so its group shows none.
    let folder = crate::missing::people("unmatched");
    let assessed = shown(&folder.haggle(&["assess", "people.csv", ".", "--json"]));
    let attained = json!({"k-anonymity": 1, "distinct-l-diversity:on=disease": 0});
    assert!(
        holds(&assessed, &json!({"groups": 9, "unique": 6, "attained": attained})),
        "{assessed}"
    );
}

#[test]
fn a_gap_outside_the_chosen_quasi_identifiers_is_published_as_its_policy_says() {
    for (policy, folder) in folders() {
        for model in [Model::K(2), Model::L(2)] {
            let scheme = [(1, 0)];
            let suppressed = policy.suppressed(&scheme, model);
            let more = ["--qi", "sex", "--as-recorded", "age", "-o", "out.csv"];
            publish(&folder, &scheme, model, &more);
            let kept = policy.records().filter(|(number, _)| !suppressed.contains(number));
            let look = |(number, record): (usize, [&str; 3])| {
                let sex = policy.look(1, 0, record[1], number);
                vec![policy.written(record[0]), sex, policy.written(record[2])]
            };
            let expected: Vec<Vec<String>> = kept.map(look).collect();
            assert_eq!(rows(&folder, "out.csv"), expected, "{policy:?} {model:?}");
            let gaps = expected.iter().filter(|row| is_missing(&row[0])).count();
            assert_eq!(gaps, if policy == Policy::Drop { 0 } else { 3 });
        }
    }
}

#[test]
fn a_policy_file_repeats_the_publication_on_other_data() {
    for (policy, folder) in folders() {
        let (scheme, model) = ([(0, 1), (1, 0)], Model::K(2));
        let more = ["--suppress", "star", "--private", "secret", "-o", "june.csv"];
        publish(&folder, &scheme, model, &more);
        let secret: Value = serde_json::from_slice(&folder.read("secret/policy.json")).unwrap();
        assert_shown(&secret);
        let known = secret["reference"]["disease"].as_object().unwrap();
        let known = known.values().map(|n| n.as_u64().unwrap()).sum::<u64>();
        // Six have flu, two gout, one asthma, of three it is not known; six records are complete.
        let counted = match policy {
            Policy::Value => 12,
            Policy::Drop => 6,
            Policy::Unmatched => 9,
        };
        assert_eq!(known, counted, "{policy:?}");
        let mapping = String::from_utf8(folder.read("secret/mapping-age.csv")).unwrap();
        assert!(!mapping.lines().any(|line| line.starts_with([' ', '"'])), "{mapping}");
        // Next month the same people are listed from the last to the first.
        let line = |record: &[&str; 3]| format!("somebody,{}\n", record.join(","));
        let table: String = RECORDS.iter().rev().map(line).collect();
        folder.write("people.csv", format!("name,age,sex,disease\n{table}"));
        let again = ["publish", ".", "--policy", "secret/policy.json", "-o", "july.csv"];
        folder.haggle(&[&again[..], &["--keep-order"]].concat()).text();
        let mut backwards = rows(&folder, "july.csv");
        backwards.reverse();
        assert_eq!(backwards, rows(&folder, "june.csv"), "{policy:?}");
    }
}
