//! Expected losses against all tables that the summary's model can draw, and against counted ones.

use std::collections::BTreeMap;

use haggle::catalog::{ExpectedFrom, MEASURES};
use haggle::search::{Instant, InstantAsk, InstantOptions};
use haggle::{Ask, Engine, MeasureSpec, Options, Privacy, Project, Scheme};

use super::ENGINE;

/// Five records of two attributes with two values each, and a class with two values.
const RECORDS: [[usize; 3]; 5] = [[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 1, 1], [1, 0, 0]];
const K: f64 = 2.0;

fn tiny() -> (tempfile::TempDir, Project) {
    let folder = tempfile::tempdir().unwrap();
    let rows = RECORDS.map(|[a, b, c]| format!("a{a},b{b},c{c}\n"));
    std::fs::write(folder.path().join("table.csv"), format!("a,b,c\n{}", rows.concat())).unwrap();
    let quasi = |name: &str| {
        let groups = format!("hierarchy = {{ tree = {{ \"*\" = [\"{name}0\", \"{name}1\"] }} }}");
        format!("[[attribute]]\nname = \"{name}\"\nrole = \"quasi-identifier\"\n{groups}\n")
    };
    let class = "[[attribute]]\nname = \"c\"\nrole = \"sensitive\"\n";
    let text = format!("[data]\npath = \"table.csv\"\n{}{}{class}", quasi("a"), quasi("b"));
    std::fs::write(folder.path().join("haggle.toml"), text).unwrap();
    let project = Project::open(folder.path()).unwrap();
    (folder, project)
}

fn asked(measure: &str, max_suppressed: &str) -> InstantAsk {
    let optimize: Option<MeasureSpec> = Some(measure.parse().unwrap());
    let privacy = vec![Privacy::new("k-anonymity", K)];
    let max_suppressed = Some(max_suppressed.parse().unwrap());
    let ask = Ask { privacy, optimize, max_suppressed, ..Ask::default() };
    InstantAsk { ask, ..InstantAsk::default() }
}

/// How often each value of a column occurs.
fn shares(column: usize) -> [f64; 2] {
    let ones = RECORDS.iter().filter(|record| record[column] == 1).count() as f64;
    [1.0 - ones / RECORDS.len() as f64, ones / RECORDS.len() as f64]
}

/// The loss of a drawn table by the definition of a measure, groups below k suppressed. Codes of
/// costs are those of the table that the summary is of.
fn loss(measure: &str, table: &[[usize; 3]], levels: [usize; 2], k: f64) -> f64 {
    let published = |record: &[usize; 3], i: usize| if levels[i] == 0 { record[i] } else { 9 };
    let mut groups: BTreeMap<[usize; 2], Vec<[usize; 3]>> = BTreeMap::new();
    for record in table {
        groups.entry([published(record, 0), published(record, 1)]).or_default().push(*record);
    }
    let all = table.len() as f64;
    let (kept, failing): (Vec<_>, Vec<_>) =
        groups.values().partition(|group| group.len() as f64 >= k);
    let suppressed: f64 = failing.iter().map(|group| group.len() as f64).sum();
    let records: f64 = all - suppressed;
    // Both attributes have one level above the recorded one, which covers everything.
    let lost: f64 = levels.iter().map(|&level| level as f64).sum();
    let bits = |i: usize| -> f64 {
        shares(i).iter().map(|&share| if share > 0.0 { -share * share.log2() } else { 0.0 }).sum()
    };
    let entropy =
        |starred: [usize; 2]| -> f64 { (0..2).filter(|&i| starred[i] == 1).map(bits).sum() };
    let information = |group: &&Vec<[usize; 3]>, i: usize| -> f64 {
        let of = |record: &[usize; 3]| -shares(i)[record[i]].log2();
        if levels[i] == 0 { group.iter().map(of).sum() } else { 0.0 }
    };
    match measure {
        "height" => lost,
        "lm" | "precision" => (records * lost / 2.0 + suppressed) / all,
        "lm:a=3" => {
            let weighted = (3 * levels[0] + levels[1]) as f64 / 4.0;
            (records * weighted + suppressed) / all
        }
        "redaction" => records * lost + suppressed * 2.0,
        "discernibility" => {
            kept.iter().map(|group| (group.len() * group.len()) as f64).sum::<f64>()
                + all * suppressed
        }
        "classification" => {
            let minority = |group: &&Vec<[usize; 3]>| {
                let ones = group.iter().filter(|record| record[2] == 1).count();
                ones.min(group.len() - ones) as f64
            };
            (kept.iter().copied().map(|group| minority(&group)).sum::<f64>() + suppressed) / all
        }
        "entropy" | "monotone-entropy" => records * entropy(levels) + suppressed * entropy([1, 1]),
        "non-uniform-entropy" => {
            let recorded: f64 = RECORDS.len() as f64 * (bits(0) + bits(1));
            recorded - kept.iter().map(|g| information(g, 0) + information(g, 1)).sum::<f64>()
        }
        other => panic!("{other} has no definition here"),
    }
}

/// Adds every record to a table until it is full.
fn fill(
    records: &[([usize; 3], f64)],
    table: &mut Vec<[usize; 3]>,
    chance: f64,
    visit: &mut dyn FnMut(&[[usize; 3]], f64),
) {
    if table.len() == RECORDS.len() {
        return visit(table, chance);
    }
    for (record, likely) in records {
        table.push(*record);
        fill(records, table, chance * likely, visit);
        table.pop();
    }
}

/// Every table that the model can draw, with its probability.
fn for_each_table(mut visit: impl FnMut(&[[usize; 3]], f64)) {
    let records = (0..8).map(|i| [i >> 2 & 1, i >> 1 & 1, i & 1]);
    let likely = |record: &[usize; 3]| (0..3).map(|i| shares(i)[record[i]]).product::<f64>();
    let records: Vec<([usize; 3], f64)> = records.map(|r| (r, likely(&r))).collect();
    let mut table = Vec::new();
    fill(&records, &mut table, 1.0, &mut visit);
}

/// Paper 003, section 3.2: "other cost metrics could also be used in the form of expected costs".
/// All 32,768 tables of five records are drawn, each with its probability.
#[test]
fn expected_losses_are_those_of_all_tables_that_can_be_drawn() {
    assert_expected("100%", K);
}

/// A scheme with a failing group is then not published, so no suppression is charged.
#[test]
fn where_nothing_may_be_suppressed_nothing_is_expected_to_be() {
    assert_expected("0", 1.0);
}

/// Expected losses are the mean over all drawn tables, with groups below k suppressed.
fn assert_expected(max_suppressed: &str, k: f64) {
    let measures = [
        "height",
        "lm",
        "lm:a=3",
        "precision",
        "redaction",
        "discernibility",
        "classification",
        "entropy",
        "monotone-entropy",
        "non-uniform-entropy",
    ];
    let (_folder, project) = tiny();
    let mut truth = vec![[0.0; 4]; measures.len()];
    for_each_table(|table, chance| {
        for (sums, measure) in truth.iter_mut().zip(measures) {
            for (sum, levels) in sums.iter_mut().zip([[0, 0], [0, 1], [1, 0], [1, 1]]) {
                *sum += chance * loss(measure, table, levels, k);
            }
        }
    });
    for (measure, truth) in measures.iter().zip(truth) {
        let ask = asked(measure, max_suppressed);
        let instant = Instant::open(&project, &ask, &InstantOptions::default()).unwrap();
        for (one, truth) in instant.predict(&ask).unwrap().iter().zip(truth) {
            let expected = one.predicted.loss[*measure];
            let near = (expected - truth).abs() < 1e-9 * truth.abs().max(1.0);
            assert!(near, "{measure} {}: {expected}, not {truth}", one.scheme);
        }
    }
}

/// Measures that are not sums over groups are those of the expected sums: exact at the top, where
/// nothing varies.
#[test]
fn ratios_are_those_of_expected_sums() {
    let (_folder, project) = tiny();
    for measure in ["average-class-size", "normalised-loss"] {
        let ask = asked(measure, "100%");
        let instant = Instant::open(&project, &ask, &InstantOptions::default()).unwrap();
        let top = instant.predict(&ask).unwrap().pop().unwrap();
        let fully = if measure == "average-class-size" { 5.0 } else { 1.0 };
        assert!((top.predicted.loss[measure] - fully).abs() < 1e-9, "{top:?}");
    }
}

/// What the catalog says of a measure is what its loss does.
#[test]
fn the_catalog_says_which_measures_can_be_expected() {
    let (_folder, project) = tiny();
    for measure in MEASURES {
        let ask = asked(measure.id, "100%");
        let found = Instant::open(&project, &ask, &InstantOptions::default());
        match measure.expected_from {
            ExpectedFrom::Nothing => {
                let refused = found.unwrap_err().to_string();
                assert!(refused.contains("cannot be expected"), "{refused}");
                assert!(refused.contains("lm, normalised-loss, discernibility"), "{refused}");
            }
            _ => assert!(found.unwrap().predict(&ask).is_ok(), "{}", measure.id),
        }
        let sampled = InstantOptions { summary: "sample".into(), ..InstantOptions::default() };
        let sampled = Instant::open(&project, &ask, &sampled);
        assert_eq!(sampled.is_ok(), measure.expected_from == ExpectedFrom::AnySummary);
    }
}

/// The measures of the item that found one scheme for all of them: `ask` has four optima.
#[test]
fn a_counted_scheme_loses_what_the_lattice_says_by_every_measure() {
    let measures = ["lm", "discernibility", "classification", "height", "entropy", "redaction"];
    let qi = Some(["age", "race", "workclass", "marital-status"].map(String::from).to_vec());
    let project = super::project();
    let engine = Engine::open(&project, &Options { qi: qi.clone(), ..Options::default() }).unwrap();
    let mut schemes: Vec<Scheme> = Vec::new();
    for measure in measures {
        let mut ask = super::ask(10.0);
        ask.ask.optimize = Some(measure.parse().unwrap());
        ask.ask.max_suppressed = Some("1%".parse().unwrap());
        let options = InstantOptions { qi: qi.clone(), ..InstantOptions::default() };
        let mut instant = Instant::open(&project, &ask, &options).unwrap();
        let answer = instant.find(&ask, &haggle::Silent).unwrap();
        let firm = answer.attained.expect("a scheme keeps its promise");
        let exact = engine.pinned(&ask.ask, &firm.scheme).unwrap();
        assert_eq!(firm.suppressed, exact.suppressed, "{measure}");
        let [counted, stored] = [&firm.loss, &exact.loss].map(|loss| loss[measure].to_bits());
        assert_eq!(counted, stored, "{measure} of {}", firm.scheme);
        let optimum = engine.optimum(&ask).unwrap().unwrap();
        println!(
            "{measure}: {} {:.5}, optimum {} {:.5}, {} scans",
            firm.scheme, firm.loss[measure], optimum.scheme, optimum.loss[measure], answer.scans
        );
        assert!(firm.loss[measure] >= optimum.loss[measure] * (1.0 - 1e-12), "{measure}");
        schemes.push(firm.scheme);
    }
    schemes.truncate(4);
    schemes.sort();
    schemes.dedup();
    assert!(schemes.len() >= 3, "the measure decides: {schemes:?}");
}

#[test]
fn the_best_of_several_counted_schemes_is_the_answer() {
    let mut ask = super::ask(10.0);
    ask.ask.max_suppressed = Some("1%".parse().unwrap());
    let mut instant = super::instant("histogram");
    let one = instant.find(&ask, &haggle::Silent).unwrap();
    assert!(one.runners_up.is_empty());
    ask.ask.top = Some(3);
    let three = instant.find(&ask, &haggle::Silent).unwrap();
    assert_eq!(three.runners_up.len(), 2);
    assert!(three.scans >= 3 && three.asked.top == Some(3));
    let losses: Vec<f64> =
        three.attained.iter().chain(&three.runners_up).map(|f| f.loss["lm"]).collect();
    assert!(losses.is_sorted() && losses[0] <= one.attained.unwrap().loss["lm"], "{losses:?}");
    let within = three.runners_up.iter().all(|firm| firm.suppressed <= three.limit);
    assert!(within, "every reported scheme keeps its promise");
    let predicted = instant.prediction(&ask).unwrap();
    assert_eq!(predicted.runners_up.len(), 2);
}

/// Nothing below the maximum levels does: the levels beyond them that a rule prefers are counted.
#[test]
fn maximum_levels_are_relaxed_as_asked() {
    use haggle::{Levels, RelaxHeight};
    let mut instant = super::instant("histogram");
    let caps = Scheme::new([1, 0, 0, 0, 0, 1]);
    let mut found = BTreeMap::new();
    for how in [RelaxHeight::Lowest, RelaxHeight::Closest, RelaxHeight::Published] {
        let mut ask = super::ask(60.0);
        ask.ask.max_suppressed = Some("1%".parse().unwrap());
        ask.ask.levels = Some(Levels::InOrder(vec![1, 0, 0, 0, 0, 1]));
        assert_eq!(
            instant.find(&ask, &haggle::Silent).unwrap().relaxations,
            None,
            "nothing is relaxed unasked"
        );
        ask.ask.relax_height = Some(how);
        let answer = instant.find(&ask, &haggle::Silent).unwrap();
        assert!(answer.scheme.is_none());
        let firm = answer.relaxations.unwrap().height.expect("beyond there is one");
        assert!(!firm.scheme.is_under(&caps) && firm.suppressed <= answer.limit);
        let exact = ENGINE.pinned(&ask.ask, &firm.scheme).unwrap();
        assert_eq!(firm.suppressed, exact.suppressed);
        assert_eq!(answer.trials.len() as u64, answer.scans);
        let first = instant.prediction(&ask).unwrap().relaxed_height.unwrap();
        assert!(first.height <= firm.scheme.height() || how == RelaxHeight::Closest);
        found.insert(format!("{how:?}"), firm.scheme);
    }
    assert!(found["Lowest"].height() <= found["Closest"].height(), "{found:?}");
}
