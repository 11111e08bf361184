//! What is public follows from the published records: whoever else was in the table, the bytes are
//! the same, and an attacker who tries every suppressed record learns nothing beyond the file.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use haggle::catalog::strategies;
use haggle::publishing::{PublishOptions, PublishOutcome, RecordOrder, Suppress, publish};
use haggle::report::{ReportAsk, ReportFormat, gather};
use haggle::utility::{UtilityAsk, utility};
use haggle::{Amount, Ask, Choice, Engine, Options, Privacy, Project, Silent};
use haggle_testkit::Table;
use haggle_testkit::effort::enough;
use haggle_testkit::generate::{Shape, check, tables_of};
use proptest::collection::vec;
use proptest::prelude::*;
use tempfile::TempDir;

/// What stands for a report that is refused.
const REFUSED: &str = "refused";

/// Recorded values that only records have which are to be suppressed.
const ODD: [&str; 3] = ["odd", "odder", "77"];

/// Values of sensitive attributes in the order of numbers that only suppressed records have.
const ODD_NUMBERS: [&str; 3] = ["-3", "8.5", "77"];

/// What the files of a publication are, and what else everybody gets.
struct Published {
    recoding: String,
    /// The published file, and the table of sensitive values if there is one.
    files: Vec<Vec<u8>>,
    /// The manifest and the public reports, by name.
    public: BTreeMap<String, String>,
    engine: Engine,
    _folder: TempDir,
}

/// A record that is to be suppressed, or dropped for a missing value.
#[derive(Debug, Clone)]
struct Outsider {
    /// Which odd value each quasi-identifier has.
    quasi: Vec<u8>,
    sensitive: u8,
    place: u8,
    /// Whether the last quasi-identifier is missing, where that does not drop the record.
    has_gap: bool,
}

fn outsiders() -> impl Strategy<Value = Vec<Outsider>> {
    let one = (vec(any::<u8>(), 3), any::<u8>(), any::<u8>(), any::<bool>());
    let one = one.prop_map(|(quasi, sensitive, place, has_gap)| Outsider {
        quasi,
        sensitive,
        place,
        has_gap,
    });
    vec(one, 0..3)
}

/// A table that is published twice, with other outsiders each time.
#[derive(Debug, Clone)]
struct Case {
    table: Table,
    /// Which quasi-identifiers have no hierarchy.
    flat: Vec<bool>,
    outsiders: [Vec<Outsider>; 2],
    /// Whether outsiders are dropped for a missing value; else they are to be suppressed.
    dropped: bool,
    k: usize,
    promise: u8,
    choice: u8,
    policy: u8,
    stars: u8,
    parquet: bool,
    seed: u64,
}

fn cases() -> impl Strategy<Value = Case> {
    let shape = Shape { attributes: 3, schemes: 60, records: 80, sensitive: 1 };
    let flat = vec(any::<bool>(), 3);
    let table = (tables_of(shape), flat, [outsiders(), outsiders()], any::<bool>());
    let how = (2_usize..6, any::<u8>(), any::<u8>(), any::<u8>(), 0..4_u8, any::<bool>());
    (table, how, any::<u64>()).prop_map(|(table, how, seed)| {
        let (table, flat, outsiders, dropped) = table;
        let (k, promise, choice, policy, stars, parquet) = how;
        let case = Case {
            table,
            flat,
            outsiders,
            dropped,
            k,
            promise,
            choice,
            policy,
            stars,
            parquet,
            seed,
        };
        // Two tables suppress nobody.
        let mut case = Case { dropped: dropped || case.is_anatomy(), ..case };
        if case.choice() == Choice::Strategy("simplex-matching".into()) {
            // Matchings of many records take long.
            case.table.records.truncate(24);
        }
        case
    })
}

impl Case {
    fn choice(&self) -> Choice {
        let strategies = strategies();
        match usize::from(self.choice) % (strategies.len() + 5) {
            0 | 1 => Choice::Answer,
            2 | 3 => Choice::Refined(None),
            4 => Choice::Anatomy,
            n => Choice::Strategy(strategies[n - 5].id.into()),
        }
    }

    fn is_anatomy(&self) -> bool {
        self.choice() == Choice::Anatomy
    }

    fn on_missing(&self) -> &'static str {
        let all = ["drop", "value", "unmatched"];
        if self.dropped { all[0] } else { all[usize::from(self.policy) % all.len()] }
    }

    fn ask(&self) -> Ask {
        let on = |one: Privacy| Privacy { on: self.table.sensitive.first().cloned(), ..one };
        let k = Privacy::new("k-anonymity", self.k as f64);
        let l = on(Privacy::new("distinct-l-diversity", 2.0));
        let strategy = match self.choice() {
            Choice::Strategy(strategy) => strategy,
            _ => String::new(),
        };
        let privacy = match (self.promise % 4, strategy.as_str()) {
            // What these two find is defined for one promise.
            (_, "simplex-matching") => vec![Privacy::new("k-anonymity", 2.0)],
            (_, "two-diversity") => vec![l],
            _ if self.is_anatomy() => vec![l],
            (0, _) => vec![k, l],
            (1, _) => vec![k, on(Privacy::new("t-closeness", 0.6))],
            _ => vec![k],
        };
        // As many as there may be outsiders, and some more.
        let max_suppressed = (!self.is_anatomy()).then_some(Amount::Records(12));
        Ask { privacy, max_suppressed, ..Ask::default() }
    }

    /// The records of the table, and those of one list of outsiders among them.
    fn records(&self, which: usize) -> Vec<Vec<String>> {
        let quasi = self.table.attributes.len();
        let record = |(place, record): (usize, &Vec<String>)| {
            let mut record = record.clone();
            if self.policy >= 128 && place % 11 == 3 {
                record[quasi - 1] = "?".into();
            }
            record.push(format!("w{}", place % 2));
            record
        };
        let mut records: Vec<_> = self.table.records.iter().enumerate().map(record).collect();
        for outsider in &self.outsiders[which] {
            let odd = |draw: u8| ODD[usize::from(draw) % ODD.len()].to_owned();
            let mut values: Vec<String> = outsider.quasi[..quasi].iter().map(|&q| odd(q)).collect();
            if self.dropped || (outsider.has_gap && self.on_missing() != "drop") {
                values[quasi - 1] = "?".into();
            }
            let secrets = self.table.sensitive.iter().enumerate();
            let compared = self.ask().privacy.iter().any(|one| one.model == "t-closeness");
            let secret_values = if compared { ODD_NUMBERS } else { ODD };
            let secret = |i: usize| usize::from(outsider.sensitive.rotate_left(i as u32));
            values.extend(secrets.map(|(i, _)| secret_values[secret(i) % ODD.len()].to_owned()));
            values.push("nowhere".into());
            records.insert(usize::from(outsider.place) % (records.len() + 1), values);
        }
        records
    }

    fn write(&self, folder: &Path, which: usize) {
        let policy = self.on_missing();
        let mut toml =
            format!("[data]\npath = \"data.csv\"\nmissing = [\"?\"]\non_missing = \"{policy}\"\n");
        let names = self.table.attributes.iter().map(|a| a.name.as_str());
        let names = names.chain(self.table.sensitive.iter().map(String::as_str)).chain(["ward"]);
        let mut csv = names.collect::<Vec<_>>().join(",") + "\n";
        for record in self.records(which) {
            csv += &(record.join(",") + "\n");
        }
        std::fs::write(folder.join("data.csv"), csv).unwrap();
        for (i, attribute) in self.table.attributes.iter().enumerate() {
            let name = &attribute.name;
            let role = "quasi-identifier";
            writeln!(toml, "[[attribute]]\nname = \"{name}\"\nrole = \"{role}\"").unwrap();
            if !self.flat[i] {
                let rows = attribute.rows.iter().map(|row| row.join(";"));
                let rows: Vec<String> = rows.chain(ODD.map(str::to_owned)).collect();
                std::fs::write(folder.join(format!("{i}.csv")), rows.join("\n") + "\n").unwrap();
                writeln!(toml, "hierarchy = \"{i}.csv\"").unwrap();
            }
        }
        for name in &self.table.sensitive {
            writeln!(toml, "[[attribute]]\nname = \"{name}\"\nrole = \"sensitive\"").unwrap();
        }
        std::fs::write(folder.join("haggle.toml"), toml).unwrap();
    }

    /// Publishes the table with one list of outsiders; none if that is refused.
    fn published(&self, which: usize) -> Option<Published> {
        let (home, folder) = project_folder();
        self.write(&folder, which);
        let ending = if self.parquet { "parquet" } else { "csv" };
        let output = folder.join(format!("out.{ending}"));
        let has_stars = self.stars == 0 && !self.is_anatomy();
        let options = PublishOptions {
            choice: self.choice(),
            suppress: if has_stars { Suppress::Star } else { Suppress::Drop },
            order: RecordOrder::Random { seed: self.seed },
            ..PublishOptions::new(output, self.ask())
        };
        published(home, &options)
    }
}

/// A folder for a project, in one that is removed. A report names the project by its folder.
fn project_folder() -> (TempDir, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("project");
    std::fs::create_dir(&folder).unwrap();
    (home, folder)
}

/// Publishes a project, with all that goes with the file; none if that is refused.
fn published(home: TempDir, options: &PublishOptions<'_>) -> Option<Published> {
    let folder = home.path().join("project");
    let project = Project::open(folder.to_str().unwrap()).unwrap();
    let engine = Engine::open(&project, &Options::default()).ok()?;
    let Ok(PublishOutcome::Published(report)) = publish(&engine, &project, options) else {
        return None;
    };
    let output = &report.output;
    let name = output.file_name().unwrap().to_str().unwrap();
    let ending = output.extension().unwrap().to_str().unwrap();
    let sensitive = folder.join(format!("out.sensitive.{ending}"));
    let files = [Some(output.clone()), sensitive.exists().then_some(sensitive)];
    let files = files.iter().flatten().map(|file| std::fs::read(file).unwrap()).collect();
    let manifest = folder.join(format!("{name}.manifest.json"));
    let mut public = BTreeMap::new();
    public.insert("manifest".into(), std::fs::read_to_string(manifest).unwrap());
    let of_file = ReportAsk {
        request: options.ask.clone(),
        published: Some(output.clone()),
        ..ReportAsk::default()
    };
    let of_plan = ReportAsk { published: None, ..of_file.clone() };
    for (about, ask) in [("file", of_file), ("plan", of_plan)] {
        // Only the exact answer is planned without being named.
        if about == "plan" && options.choice != Choice::Answer {
            continue;
        }
        let formats = [ReportFormat::Html, ReportFormat::Markdown, ReportFormat::Json];
        let report = gather(&engine, &ask, &Silent).ok();
        for format in formats {
            let text = report.as_ref().map_or_else(|| REFUSED.into(), |one| one.text(format));
            public.insert(format!("report on the {about} as {format:?}"), text);
        }
    }
    Some(Published { recoding: report.recoding.into(), files, public, engine, _folder: home })
}

#[test]
fn whoever_is_suppressed_or_dropped_public_bytes_are_the_same() {
    let seen = RefCell::new(BTreeMap::<String, u32>::new());
    check(6000, &cases(), |case| {
        let Some(one) = case.published(0) else { return Ok(()) };
        let Some(other) = case.published(1) else { return Ok(()) };
        let are_other_tables = case.records(0) != case.records(1);
        // Tables that give other files may differ in all that is public.
        if one.files != other.files || !are_other_tables {
            return Ok(());
        }
        for (name, text) in &one.public {
            prop_assert_eq!(text, &other.public[name], "{} tells of outsiders", name);
        }
        let strategy = match case.choice() {
            Choice::Strategy(strategy) => strategy,
            choice => format!("{choice:?}"),
        };
        let format = if case.parquet { "as Parquet" } else { "as text" };
        let reported = one.public.values().all(|text| text != REFUSED);
        let reported = if reported { "reported" } else { "not reported" };
        let outside = if case.dropped { "dropped" } else { "suppressed" };
        let mut seen = seen.borrow_mut();
        let (recoding, missing) = (one.recoding.as_str(), case.on_missing());
        for what in ["counted", recoding, &*strategy, format, reported, outside, missing] {
            *seen.entry(what.to_owned()).or_default() += 1;
        }
        Ok(())
    });
    let seen = seen.borrow();
    let times = |what: &str| seen.get(what).copied().unwrap_or_default();
    assert!(times("counted") >= enough(2000), "{seen:?}");
    for (what, least) in [
        ("levels", 200),
        ("cuts", 60),
        ("boxes", 60),
        ("parts", 60),
        ("cells", 20),
        ("anatomy", 20),
        ("as Parquet", 500),
        ("as text", 500),
        ("reported", 1000),
        ("dropped", 500),
        ("suppressed", 300),
        ("drop", 200),
        ("value", 60),
        ("unmatched", 40),
    ] {
        assert!(times(what) >= enough(least), "{what}: {seen:?}");
    }
    let missed = strategies().iter().map(|strategy| strategy.id).find(|id| times(id) == 0);
    assert_eq!(missed, None, "{seen:?}");
}

/// Sixty persons of both sexes in three towns, and those who are to be suppressed.
fn persons(suppressed: &[[&str; 3]]) -> String {
    let person = |i: usize| {
        let disease = ["flu", "gout", "cold"][i / 6 % 3];
        format!("{},{},{disease}\n", ["f", "m"][i % 2], ["a", "b", "c"][i / 2 % 3])
    };
    let suppressed = suppressed.iter().map(|one| one.join(",") + "\n");
    let records: String = (0..60).map(person).chain(suppressed).collect();
    format!("sex,town,disease\n{records}")
}

const PERSONS: &str = r#"[data]
path = "data.csv"

[[attribute]]
name = "sex"
role = "quasi-identifier"

[[attribute]]
name = "town"
role = "quasi-identifier"

[[attribute]]
name = "disease"
role = "sensitive"
"#;

/// Publishes the persons, with these who are to be suppressed, by the answer or a strategy.
fn publish_persons(suppressed: &[[&str; 3]], choice: &Choice) -> Option<Published> {
    let (home, folder) = project_folder();
    std::fs::write(folder.join("haggle.toml"), PERSONS).unwrap();
    std::fs::write(folder.join("data.csv"), persons(suppressed)).unwrap();
    let options = PublishOptions {
        choice: choice.clone(),
        order: RecordOrder::Random { seed: 7 },
        ..PublishOptions::new(folder.join("out.csv"), request())
    };
    published(home, &options)
}

/// What is asked of the persons.
fn request() -> Ask {
    let privacy = vec![Privacy::new("k-anonymity", 5.0)];
    Ask { privacy, max_suppressed: Some(Amount::Records(3)), ..Ask::default() }
}

/// Everybody who may be suppressed: nobody, one of any kind, or two.
fn suspects() -> Vec<Vec<[&'static str; 3]>> {
    let mut suspects = vec![Vec::new()];
    for sex in ["f", "m", "x"] {
        for disease in ["flu", "gout", "cold", "cancer"] {
            suspects.push(vec![[sex, "z", disease]]);
            suspects.push(vec![[sex, "z", disease], ["m", "y", "cancer"]]);
        }
    }
    suspects
}

/// What an attacker is left with who knows everybody in the file, the project and the request:
/// suspects with whom the file would be as it is, and those with whom what else is seen would be
/// as well.
fn attack(
    secret: &[[&'static str; 3]],
    choice: &Choice,
    sees: impl Fn(&Published) -> String,
) -> [BTreeSet<usize>; 2] {
    let real = publish_persons(secret, choice).expect("the table can be published");
    let (mut by_file, mut by_all) = (BTreeSet::new(), BTreeSet::new());
    for (number, suspect) in suspects().iter().enumerate() {
        let Some(guess) = publish_persons(suspect, choice) else { continue };
        if guess.files == real.files {
            by_file.insert(number);
            if sees(&guess) == sees(&real) {
                by_all.insert(number);
            }
        }
    }
    [by_file, by_all]
}

/// All that is public besides the file.
fn public(published: &Published) -> String {
    published.public.values().map(String::as_str).collect()
}

/// A public report as it must not be: with the loss over the table.
fn with_loss_of_the_table(published: &Published) -> String {
    let scheme = published.engine.named_or_best(&request(), None).unwrap();
    let pinned = published.engine.pinned(&request(), &scheme).unwrap();
    format!("{}lm {:.3}", public(published), pinned.loss["lm"])
}

/// A public report as it must not be: with associations before generalization.
fn with_associations_of_the_table(published: &Published) -> String {
    let ask = UtilityAsk::default();
    let found = utility(&published.engine, &request(), &ask, &Silent).unwrap();
    let before = found.pairs.iter().map(|pair| format!("{:.3} ", pair.cramers_v.before));
    public(published) + &before.collect::<String>()
}

const SECRET: &[[&str; 3]] = &[["x", "z", "cancer"]];

#[test]
fn an_attacker_who_tries_everybody_gains_nothing_from_public_outputs() {
    let strategies = ["k-optimize", "mondrian", "top-down-specialization"];
    let strategies = strategies.map(|strategy| Choice::Strategy(strategy.into()));
    for choice in [Choice::Answer, Choice::Refined(None)].into_iter().chain(strategies) {
        let [by_file, by_all] = attack(SECRET, &choice, public);
        assert_eq!(by_file, by_all, "{choice:?}");
        if choice == Choice::Answer {
            // Nobody, each kind of person, and two of them.
            assert_eq!(by_file.len(), suspects().len(), "{by_file:?}");
        }
    }
}

#[test]
fn the_same_attacker_finds_leaks_that_are_planted() {
    let number = suspects().iter().position(|one| one == SECRET).unwrap();
    let [by_file, by_all] = attack(SECRET, &Choice::Answer, with_loss_of_the_table);
    // The loss tells how many are suppressed: one.
    let one: BTreeSet<usize> =
        (0..suspects().len()).filter(|&suspect| suspects()[suspect].len() == 1).collect();
    assert_eq!((by_file.len(), by_all), (suspects().len(), one));
    let [by_file, by_all] = attack(SECRET, &Choice::Answer, with_associations_of_the_table);
    assert!(by_all.contains(&number) && by_all.len() < by_file.len(), "{by_all:?}");
}
