//! Every published figure for Adult: the thesis's tables and request listings, as printed.

mod tables;

use std::collections::BTreeMap;

use haggle::reports::HeightStudy;
use haggle::{
    Amount, Ask, Engine, Levels, Offer, Options, Privacy, Project, RelaxHeight, RelaxationKind,
    Scheme,
};

/// The rows of a figures file, each a map from column to cell.
fn rows(file: &str) -> Vec<BTreeMap<String, String>> {
    let path = format!("{}/tests/figures/{file}", env!("CARGO_MANIFEST_DIR"));
    let rows: Vec<_> =
        csv::Reader::from_path(path).unwrap().deserialize().map(Result::unwrap).collect();
    assert!(!rows.is_empty());
    rows
}

/// One engine for each list of quasi-identifiers, made when first needed.
#[derive(Default)]
struct Engines(BTreeMap<String, Engine>);

impl Engines {
    fn on(&mut self, qi: &str) -> &Engine {
        self.0.entry(qi.into()).or_insert_with(|| {
            let qi = qi.split(' ').map(String::from).collect();
            let options = Options { qi: Some(qi), ..Options::default() };
            Engine::open(&Project::open("demo:adult").unwrap(), &options).unwrap()
        })
    }
}

fn levels(text: &str) -> Levels {
    Levels::InOrder(text.split(' ').map(|level| level.parse().unwrap()).collect())
}

fn privacy(row: &BTreeMap<String, String>) -> Vec<Privacy> {
    vec![Privacy::new(&row["model"], row["threshold"].parse().unwrap())]
}

#[test]
fn every_number_of_the_suppression_tables_is_reproduced() {
    let mut engines = Engines::default();
    let mut studies: BTreeMap<String, Vec<HeightStudy>> = BTreeMap::new();
    let mut checked = 0;
    for row in rows("study.csv") {
        let engine = engines.on(&row["qi"]);
        let key =
            ["qi", "under", "model", "threshold"].map(|column| row[column].as_str()).join("|");
        let study = studies.entry(key).or_insert_with(|| {
            let levels = (!row["under"].is_empty()).then(|| levels(&row["under"]));
            engine.study(&Ask { privacy: privacy(&row), levels, ..Ask::default() }).unwrap()
        });
        let height = &study[row["height"].parse::<usize>().unwrap()];
        let computed = match row["statistic"].as_str() {
            "least" => height.least as f64,
            "mean" => height.mean,
            "most" => height.most as f64,
            "mean-percent" => 100.0 * height.mean / engine.records() as f64,
            other => panic!("unknown statistic {other}"),
        };
        assert_agrees(&row, computed);
        checked += 1;
    }
    assert_eq!(checked, 683, "no row was lost");
}

/// A computed number must be the printed one, or the correct one where the print is wrong.
fn assert_agrees(row: &BTreeMap<String, String>, computed: f64) {
    let unit = 10_f64.powi(-row["decimals"].parse::<i32>().unwrap());
    let agrees = |text: &str| {
        let expected: f64 = text.parse().unwrap();
        match row["rounding"].as_str() {
            "nearest" => (computed - expected).abs() <= unit / 2.0 + 1e-9,
            "truncated" => (0.0..unit).contains(&(computed.abs() - expected.abs())),
            other => panic!("unknown rounding {other}"),
        }
    };
    let (printed, correct) = (&row["printed"], &row["correct"]);
    assert!(agrees(if correct.is_empty() { printed } else { correct }), "{computed} for {row:?}");
    assert!(correct.is_empty() || !agrees(printed), "no misprint: {row:?}");
}

#[test]
fn every_listed_request_is_answered_as_printed() {
    let mut engines = Engines::default();
    for row in rows("requests.csv") {
        let ask = Ask {
            privacy: privacy(&row),
            levels: Some(levels(&row["levels"])),
            max_suppressed: Some(row["max_suppressed"].parse::<Amount>().unwrap()),
            relax_height: Some(RelaxHeight::Published),
            ..Ask::default()
        };
        let answer = engines.on(&row["qi"]).ask(&ask).unwrap();
        let model = &row["model"];
        let exact = answer.exact.as_ref();
        assert_eq!(exact.is_some(), row["outcome"] == "exact", "{row:?}");
        if let Some(exact) = exact {
            check(&row, exact, "exact_suppressed", "exact_levels");
            assert_eq!(exact.height.to_string(), row["exact_height"], "{row:?}");
            continue;
        }
        let relaxations = answer.relaxations().unwrap();
        let suppression = relaxations.suppression().unwrap().offer;
        check(&row, &suppression, "relax_suppression", "relax_suppression_levels");
        let height = relaxations.height().unwrap().offer;
        check(&row, &height, "relax_height_suppressed", "relax_height_levels");
        assert_eq!(height.height.to_string(), row["relax_height"], "{row:?}");
        let privacy = relaxations.offer(RelaxationKind::Privacy);
        assert_eq!(privacy.is_some(), !row["relax_privacy"].is_empty(), "{row:?}");
        if let Some(privacy) = privacy {
            check(&row, privacy, "relax_privacy_suppressed", "relax_privacy_levels");
            let offered = &privacy.privacy.iter().find(|(name, _)| name == model).unwrap().1;
            assert_eq!(offered.to_string(), row["relax_privacy"], "{row:?}");
        }
    }
}

/// The suppression must be as printed, and the scheme too unless the print names a tie.
fn check(row: &BTreeMap<String, String>, offer: &Offer, suppressed: &str, scheme: &str) {
    assert_eq!(offer.suppressed.to_string(), row[suppressed], "{suppressed} of {row:?}");
    let printed: Scheme = row[scheme].replace(' ', ",").parse().unwrap();
    let ties = row["note"].contains(&offer.scheme.to_string().replace(',', " "));
    assert!(offer.scheme == printed || ties, "{} for {scheme} of {row:?}", offer.scheme);
}

#[test]
fn the_printed_histogram_is_reproduced() {
    let mut engines = Engines::default();
    let engine = engines.on("age race workclass");
    let ask = Ask { privacy: vec![Privacy::new("k-anonymity", 2.0)], ..Ask::default() };
    let histogram = engine.histogram(&ask, &Scheme::new([1, 0, 1])).unwrap();
    let printed = rows("histogram.csv");
    for (row, bin) in printed.iter().zip(&histogram.bins) {
        let computed = [bin.value.to_string(), bin.groups.to_string(), bin.weaker.to_string()];
        assert_eq!(["size", "groups", "records_below"].map(|column| row[column].clone()), computed);
    }
}

#[test]
fn the_lattices_have_the_published_sizes() {
    let mut engines = Engines::default();
    let size = |engine: &Engine| engine.built().schemes;
    assert_eq!(size(engines.on("age race workclass")), 60);
    assert_eq!(size(engines.on("age occupation race workclass")), 180);
    assert_eq!(size(engines.on("age education occupation race workclass")), 900);
    let six = engines.on("age education marital-status occupation race workclass");
    assert_eq!((size(six), six.records(), six.built().base_groups), (3600, 30_162, 15_537));
    let ask = Ask { privacy: vec![Privacy::new("k-anonymity", 2.0)], ..Ask::default() };
    let first = six.histogram(&ask, &Scheme::new([1, 0, 0, 0, 0, 0])).unwrap();
    assert_eq!(first.groups, 9_117);
}

#[test]
fn six_attributes_relax_as_the_paper_says() {
    let mut engines = Engines::default();
    let engine = engines.on("age education marital-status occupation race workclass");
    let ask = Ask {
        privacy: vec![Privacy::new("k-anonymity", 10.0)],
        levels: Some(levels("2 2 2 1 1 2")),
        max_suppressed: Some(Amount::Records(321)),
        relax_height: Some(RelaxHeight::Published),
        ..Ask::default()
    };
    let relaxations = engine.ask(&ask).unwrap().relaxations;
    assert_eq!(relaxations.suppression().unwrap().offer.suppressed, 712);
    let privacy = relaxations.privacy().unwrap().offer;
    assert_eq!((privacy.privacy[0].1.to_string().as_str(), privacy.suppressed), ("5", 298));
    let height = relaxations.height().unwrap().offer;
    assert_eq!((height.scheme.to_string().as_str(), height.suppressed), ("[4,0,1,2,1,2]", 54));
}
