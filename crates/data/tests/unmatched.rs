//! Missing values that match nothing, from the first scan to the second.

use haggle_data::sinks::{Delimited, Sink};
use haggle_data::{
    CsvOptions, Input, Missing, OnMissing, Plan, PublishedColumns, RecordRecoding, Suppress, Table,
    Values, publish, scan,
};
use haggle_model::{Hierarchy, QuasiIdentifier, Recoder, Scheme, is_unmatched};
use rustc_hash::FxHashSet;
use tempfile::TempDir;

fn missing() -> Missing {
    Missing { marks: vec!["?".into(), String::new()], policy: OnMissing::Unmatched }
}

/// Counted by age and sex, the disease watched and checked, the person watched only.
fn plan() -> Plan {
    Plan { counted: vec![0, 1], watched: vec![2, 3], checked: vec![0, 1, 2], missing: missing() }
}

/// The table of a text, in a folder that is removed with the value next to it.
fn table(text: &str) -> (Table, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.csv");
    std::fs::write(&path, text).unwrap();
    let options = CsvOptions { header: Some(true), separator: Some(b','), ..CsvOptions::default() };
    (Table::open(Input::file(path), &options).unwrap(), folder)
}

fn attribute(name: &str, values: &Values) -> QuasiIdentifier {
    let hierarchy = Hierarchy::flat(values.dictionary.values());
    QuasiIdentifier { name: name.into(), hierarchy: hierarchy.with_unmatched(values.unmatched()) }
}

const SMALL: &str = "age,sex,disease,person\n34,f,flu,a\n?,f,?,b\n,f,gout,?\n34,f,,?\n34,m,flu,a\n";

#[test]
fn a_gap_is_a_value_of_one_record_or_none() {
    let (table, _folder) = table(SMALL);
    let scanned = scan(&table, &plan(), usize::MAX, &haggle_model::Silent).unwrap();
    assert_eq!(scanned.values(0).missing, [3, 4], "ages are missing on these lines");
    assert_eq!(scanned.values(2).missing, [0_u64; 0], "a disease that is not known is not a value");
    assert_eq!(scanned.values(3).missing, [0_u64; 0], "who is not known is one and the same");
    let attributes = vec![attribute("age", scanned.values(0)), attribute("sex", scanned.values(1))];
    let cube = scanned.into_cube(attributes).with_unit(1, str::to_owned);
    assert_eq!((cube.records(), cube.base_groups()), (5, 4));
    let values: Vec<&str> = cube.watched()[0].values.values().collect();
    assert_eq!(values, ["flu", "gout"]);
    let mut groups = Vec::new();
    cube.for_each_group(&Scheme::new([1, 0]), 0, |_, g| groups.push((g.records, g.values.len())));
    assert_eq!(groups, [(4, 2), (1, 1)], "four women with flu, gout and two unknown diseases");
    let mut persons = Vec::new();
    cube.for_each_group(&Scheme::new([1, 0]), 1, |_, group| persons.push(group.values.len()));
    assert_eq!(persons, [3, 1]);
}

/// The text that a scheme publishes if nothing is suppressed.
fn published(text: &str, scheme: &Scheme) -> String {
    let (table, folder) = table(text);
    let scanned = scan(&table, &plan(), usize::MAX, &haggle_model::Silent).unwrap();
    let attributes = [attribute("age", scanned.values(0)), attribute("sex", scanned.values(1))];
    let recoded = |column: usize| PublishedColumns::Recoded { column, position: column };
    let publication = RecordRecoding {
        columns: vec![recoded(0), recoded(1), PublishedColumns::Copied(2)],
        recoder: Recoder::levels(scheme, &attributes),
        distinguished_by: None,
        groups: None,
        failing: &FxHashSet::default(),
        suppress: Suppress::Drop,
        checked: plan().checked,
        missing: missing(),
    };
    let output = folder.path().join("out.csv");
    let file = std::fs::File::create(&output).unwrap();
    let names = ["age", "sex", "disease"].map(String::from);
    let mut sink = Delimited::new(file, &output, &names).unwrap();
    publish(&table, &publication, &mut sink, &haggle_model::Silent).unwrap();
    sink.finish().unwrap();
    std::fs::read_to_string(output).unwrap()
}

#[test]
fn a_kept_gap_is_written_as_recorded_and_at_the_top_as_everybody() {
    let below = published(SMALL, &Scheme::new([0, 0]));
    assert_eq!(below, "age,sex,disease\n34,f,flu\n?,f,?\n,f,gout\n34,f,\n34,m,flu\n");
    let top = published(SMALL, &Scheme::new([1, 0]));
    assert_eq!(top, "age,sex,disease\n*,f,flu\n*,f,?\n*,f,gout\n*,f,\n*,m,flu\n");
}

/// More records than one block or one thread takes, each gap found again by its line.
#[test]
fn gaps_are_distinguished_however_the_table_is_cut() {
    let line = |i: usize| {
        let age = if i.is_multiple_of(7) { "?".into() } else { (i % 90).to_string() };
        format!("{age},f,flu,{i:0>30}\n")
    };
    let records = 120_000;
    let text: String = (0..records).map(line).collect();
    let text = format!("age,sex,disease,person\n{text}");
    let (table, _folder) = table(&text);
    let scanned = scan(&table, &plan(), usize::MAX, &haggle_model::Silent).unwrap();
    let lines: Vec<u64> = (0..records as u64).step_by(7).map(|i| i + 2).collect();
    assert!(scanned.values(0).missing == lines);
    assert!(scanned.values(0).unmatched().all(|label| is_unmatched(&label)));
    let written = published(&text, &Scheme::new([0, 1]));
    let expected = (0..records).map(|i| line(i).replace(",f,", ",*,"));
    let expected = expected.map(|line| line[..line.len() - 32].to_owned());
    assert!(written.lines().skip(1).eq(expected));
}
