//! What a publication and its repetition after an update reveal: an attacker subtracts the files.

use std::collections::BTreeMap;

use crate::common::Folder;

const K: u64 = 2;

/// Records as lines, with values from a fixed sequence.
struct Sequence(u64);

impl Sequence {
    fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn records(&mut self, n: u64) -> String {
        let mut record = || {
            let age = [34, 36, 41, 47][self.below(4) as usize];
            let sex = ["f", "m"][self.below(2) as usize];
            let disease = ["flu", "asthma", "gout"][self.below(3) as usize];
            format!("X,{age},{sex},{disease}\n")
        };
        (0..n).map(|_| record()).collect()
    }
}

type Counts = BTreeMap<Vec<String>, BTreeMap<String, u64>>;

/// The records of a published file by group and disease.
fn counts(folder: &Folder, file: &str) -> Counts {
    let mut counts = Counts::new();
    let text = String::from_utf8(folder.read(file)).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let at = |name: &str| header.iter().position(|column| *column == name).unwrap();
    let (age, sex, disease) = (at("age"), at("sex"), at("disease"));
    for fields in lines {
        let group = vec![fields[age].to_owned(), fields[sex].to_owned()];
        *counts.entry(group).or_default().entry(fields[disease].to_owned()).or_default() += 1;
    }
    counts
}

/// The records of groups in both files that only the first has, and those of them fewer than k.
fn subtract(one: &Counts, other: &Counts) -> (u64, u64) {
    let both = one.iter().filter_map(|(group, values)| Some((values, other.get(group)?)));
    let more = both.map(|(values, before)| {
        let of =
            |(value, n): (&String, &u64)| n.saturating_sub(before.get(value).copied().unwrap_or(0));
        values.iter().map(of).sum::<u64>()
    });
    more.fold((0, 0), |(all, below), n| (all + n, below + if n < K { n } else { 0 }))
}

#[test]
fn what_an_update_reports_is_what_subtracting_the_published_files_shows() {
    let header = "name,age,sex,disease\n";
    let mut sequence = Sequence(7);
    let mut revealing = 0;
    for scheme in ["0,0", "1,0", "1,1", "0,1", "1,0", "0,0"] {
        let folder = Folder::people();
        let (old, new) = (sequence.records(30), sequence.records(4));
        folder.write("people.csv", format!("{header}{old}"));
        folder.write("added.csv", format!("{header}{new}"));
        let gone: String = old.lines().take(3).map(|line| format!("{line}\n")).collect();
        folder.write("gone.csv", format!("{header}{gone}"));
        let publish = |file: &str| {
            let arguments =
                ["publish", ".", "--k", "2", "--scheme", scheme, "--max-suppressed", "100%"];
            folder.haggle(&[&arguments[..], &["-o", file]].concat()).text();
        };
        publish("before.csv");
        folder.haggle(&["build", "."]).text();
        let update = ["update", ".", "--add", "added.csv", "--delete", "gone.csv", "--json"];
        let reported = folder.haggle(&update).json(0)["revealed"][0].clone();
        folder.write("people.csv", format!("{header}{}{new}", &old[gone.len()..]));
        publish("after.csv");
        let (before, after) = (counts(&folder, "before.csv"), counts(&folder, "after.csv"));
        let ((added, came), (deleted, went)) =
            (subtract(&after, &before), subtract(&before, &after));
        assert_eq!(
            (&reported["added"], &reported["deleted"], &reported["below"]),
            (&added.into(), &deleted.into(), &(came + went).into()),
            "{scheme}: {reported}"
        );
        revealing += came + went;
    }
    assert!(revealing > 0, "some change must be visible");
}

#[test]
fn an_update_warns_of_single_records_and_not_of_many_alike() {
    let folder = Folder::people();
    let header = "name,age,sex,disease\n";
    let records = "A,34,f,flu\nB,34,f,gout\nC,41,m,flu\nD,41,m,gout\n";
    folder.write("people.csv", format!("{header}{records}"));
    folder.haggle(&["publish", ".", "--k", "2", "--scheme", "0,0", "-o", "out.csv"]).text();
    folder.haggle(&["build", "."]).text();
    let update = |records: &str| {
        folder.write("added.csv", format!("{header}{records}"));
        folder
            .haggle(&["update", ".", "--add", "added.csv", "-o", "other.lattice"])
            .text()
            .to_owned()
    };
    assert!(!update("E,34,f,flu\nF,34,f,gout\n").contains("Warning"), "as many as promised");
    let warned = update("E,34,f,flu\nF,41,m,gout\n");
    assert!(
        warned.contains("differ in 2 records, of which 2 do not keep k-anonymity:k=2 on their own"),
        "{warned}"
    );
}
