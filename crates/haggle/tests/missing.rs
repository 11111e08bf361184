//! Random tables with gaps: every histogram under every policy against a count of the records.

use std::collections::{BTreeMap, BTreeSet};

use haggle::{Ask, Engine, Options, Privacy, Project, Scheme};
use haggle_testkit::Table;
use haggle_testkit::generate::{Shape, check, tables_of};
use haggle_testkit::oracle::full_paths;
use proptest::collection::vec;
use proptest::prelude::*;
use tempfile::TempDir;

const POLICIES: [&str; 3] = ["value", "drop", "unmatched"];
const MARK: &str = "\u{2205}"; // no value of a random table

/// A random table in which some values are missing, and a policy.
fn tables_with_gaps() -> impl Strategy<Value = (Table, &'static str)> {
    let shape = Shape { attributes: 3, schemes: 40, records: 60, sensitive: 1 };
    let gaps = vec((any::<u16>(), any::<u8>()), 0..20);
    (tables_of(shape), gaps, 0..POLICIES.len()).prop_map(|(mut table, gaps, policy)| {
        let records = table.records.len();
        for (record, column) in gaps {
            let record = &mut table.records[record as usize % records];
            let column = column as usize % record.len();
            record[column] = MARK.into();
        }
        (table, POLICIES[policy])
    })
}

/// The table as a project in a folder of its own.
fn written(table: &Table, policy: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, rows: &[Vec<String>], separator: u8| {
        let mut options = csv::WriterBuilder::new();
        let options = options.delimiter(separator).flexible(true);
        let mut writer = options.from_path(folder.path().join(name)).unwrap();
        for row in rows {
            writer.write_record(row).unwrap();
        }
        writer.flush().unwrap();
    };
    let mut project = format!(
        "[data]\npath = \"table.csv\"\nheader = true\nseparator = \",\"\nmissing = [\"{MARK}\"]\n\
         on_missing = \"{policy}\"\n"
    );
    let mut names = Vec::new();
    for (i, attribute) in table.attributes.iter().enumerate() {
        names.push(format!("q{i}"));
        write(&format!("q{i}.csv"), &attribute.rows, b';');
        project += &format!(
            "[[attribute]]\nname = \"q{i}\"\nrole = \"quasi-identifier\"\nhierarchy = \"q{i}.csv\"\n"
        );
    }
    for i in 0..table.sensitive.len() {
        names.push(format!("s{i}"));
        project += &format!("[[attribute]]\nname = \"s{i}\"\nrole = \"sensitive\"\n");
    }
    let rows: Vec<Vec<String>> = [names].into_iter().chain(table.records.clone()).collect();
    write("table.csv", &rows, b',');
    std::fs::write(folder.path().join("haggle.toml"), project).unwrap();
    folder
}

/// A histogram: by value, how many groups and records.
type Bins = BTreeMap<u64, (u64, u64)>;

/// The histograms of sizes and of different first sensitive values, record by record.
fn counted(table: &Table, policy: &str, levels: &[u8]) -> [Bins; 2] {
    let hierarchies: Vec<_> =
        table.attributes.iter().map(|a| full_paths(&a.rows).unwrap()).collect();
    let width = hierarchies.len();
    let mut groups: BTreeMap<Vec<String>, (u64, BTreeSet<&str>)> = BTreeMap::new();
    for (number, record) in table.records.iter().enumerate() {
        if policy == "drop" && record.iter().any(|value| value == MARK) {
            continue;
        }
        let look = |i: usize| {
            let top = hierarchies[i].values().next().unwrap().len() - 1;
            let level = usize::from(levels[i]);
            match (record[i].as_str(), policy) {
                (MARK, _) if level == top => hierarchies[i].values().next().unwrap()[top].clone(),
                (MARK, "unmatched") => format!("record {number}"),
                (MARK, _) => MARK.into(),
                (value, _) => hierarchies[i][value][level].clone(),
            }
        };
        let group = groups.entry((0..width).map(look).collect()).or_default();
        group.0 += 1;
        if record[width] != MARK || policy == "value" {
            group.1.insert(&record[width]);
        }
    }
    let (mut sizes, mut diversities) = (Bins::new(), Bins::new());
    for (records, values) in groups.into_values() {
        for (bins, value) in [(&mut sizes, records), (&mut diversities, values.len() as u64)] {
            let bin = bins.entry(value).or_default();
            *bin = (bin.0 + 1, bin.1 + records);
        }
    }
    [sizes, diversities]
}

/// The engine's histograms of the same; none of diversity where there are no two values.
fn bins_of(engine: &Engine, levels: &[u8]) -> [Option<Bins>; 2] {
    ["k-anonymity=2", "distinct-l-diversity:l=2,on=s0"].map(|model| {
        let privacy: Privacy = model.parse().unwrap();
        let ask = Ask { privacy: vec![privacy], ..Ask::default() };
        let found = engine.histogram(&ask, &Scheme::new(levels.iter().copied())).ok()?;
        let bins = found.bins.iter();
        Some(bins.map(|bin| (bin.value as u64, (bin.groups, bin.records))).collect())
    })
}

/// The levels of every scheme.
fn schemes(engine: &Engine) -> Vec<Vec<u8>> {
    let space = engine.cube().space();
    let all = space.all();
    let schemes = all.heights().flat_map(|height| all.at_height(height));
    schemes.map(|scheme| scheme.levels().iter().map(|&level| level.into()).collect()).collect()
}

fn complete(table: &Table) -> usize {
    table.records.iter().filter(|record| !record.iter().any(|value| value == MARK)).count()
}

#[test]
fn histograms_with_gaps_are_those_of_the_records() {
    check(400, &tables_with_gaps(), |(table, policy)| {
        prop_assume!(policy != "drop" || complete(&table) > 0);
        let folder = written(&table, policy);
        let project = Project::open(folder.path().to_str().unwrap()).unwrap();
        let engine = Engine::open(&project, &Options::default()).unwrap();
        engine.save(&folder.path().join("haggle.lattice")).unwrap();
        let stored = Engine::open(&project, &Options::default()).unwrap();
        for levels in schemes(&engine) {
            let [sizes, diversities] = counted(&table, policy, &levels);
            let expected = [Some(sizes), Some(diversities)];
            prop_assert_eq!(&bins_of(&engine, &levels), &expected, "{} {:?}", policy, levels);
            prop_assert_eq!(
                &bins_of(&stored, &levels),
                &expected,
                "stored, {} {:?}",
                policy,
                levels
            );
        }
        Ok(())
    });
}
