//! Adult as if every person were there 200,000 times: six billion records, answered as the original is.

use haggle::lattice::Cube;
use haggle::{Answer, Ask, Engine, Offer, Options, Privacy, Project, Way};
use haggle_cube::{Base, CountedPart, Counter};
use serde_json::{Value, json};

const TIMES: u64 = 200_000;
const RECORDS: u64 = 30_162 * TIMES;

fn original() -> Engine {
    let project = Project::open("demo:adult").unwrap();
    let qi = ["age", "race", "workclass"].map(String::from).to_vec();
    let options = Options { qi: Some(qi), stored: false, ..Options::default() };
    Engine::open(&project, &options).unwrap()
}

/// The cube with every record so many times more.
fn repeated(cube: &Cube) -> Cube {
    assert_eq!(cube.watched().len(), 1, "one watched attribute is counted with its groups");
    let base = Base::of(cube);
    let mut counter = Counter::new(base.attributes(), 1);
    for row in 0..base.len() {
        for value in base.values(row, 0) {
            let codes = [base.codes(row), &[value.code]].concat();
            counter.add_many(&codes, value.count * TIMES);
        }
    }
    let domains = cube.attributes().iter().map(|a| a.hierarchy.len(0.into()));
    let values = cube.watched().iter().map(|watched| watched.values.len());
    let recode = domains.chain(values).map(|size| (0..size as u32).collect()).collect();
    let part = CountedPart { counter, recode };
    Cube::from_parts(cube.attributes().to_vec(), cube.watched().to_vec(), &[part])
}

/// The six billion records, annotated in full, on demand, and read from a file.
fn engines(original: &Engine, folder: &std::path::Path) -> [Engine; 3] {
    let many = original.of_part(repeated(original.cube())).unwrap();
    let path = folder.join("many.lattice");
    many.save(&path).unwrap();
    let load = |way| Engine::open(path.as_path(), &Options { way, ..Options::default() }).unwrap();
    [load(Way::Auto), load(Way::OnDemand), many]
}

/// The numbers of an offer, in records of the original.
fn numbers(offer: &Offer, times: u64) -> Value {
    assert_eq!(offer.suppressed % times, 0);
    json!([offer.scheme, offer.suppressed / times])
}

fn offers(answer: &Answer, times: u64) -> Value {
    let offers = answer.exact.iter();
    json!(offers.map(|offer| numbers(offer, times)).collect::<Vec<_>>())
}

#[test]
fn six_billion_records_are_answered_as_their_thirty_thousandth_part() {
    let folder = tempfile::tempdir().unwrap();
    let original = original();
    let engines = engines(&original, folder.path());
    for (k, limit, optimize) in
        [(2, 0, None), (5, 30, None), (10, 300, Some("lm")), (50, 3000, Some("discernibility"))]
    {
        let ask = |times: u64| Ask {
            privacy: vec![Privacy::new("k-anonymity", (k * times) as f64)],
            max_suppressed: Some((limit * times).to_string().parse().unwrap()),
            optimize: optimize.map(|measure: &str| measure.parse().unwrap()),
            ..Ask::default()
        };
        let expected = original.ask(&ask(1)).unwrap();
        for engine in &engines {
            assert_eq!(engine.records(), RECORDS);
            let answer = engine.ask(&ask(TIMES)).unwrap();
            assert_eq!(offers(&answer, TIMES), offers(&expected, 1), "k = {k}, {limit}");
            let json = serde_json::to_value(&answer).unwrap();
            assert_eq!(json["account"]["counted"], RECORDS);
            let suppressed = expected.exact.as_ref().map(|offer| offer.suppressed * TIMES);
            assert_eq!(json["exact"]["suppressed"].as_u64(), suppressed);
        }
    }
}

#[test]
fn relaxations_and_studies_count_in_billions() {
    let folder = tempfile::tempdir().unwrap();
    let original = original();
    let ask = |times: u64| Ask {
        privacy: vec![
            Privacy::new("k-anonymity", (20 * times) as f64),
            Privacy::new("distinct-l-diversity", 3.0),
        ],
        levels: Some(haggle::Levels::InOrder(vec![1, 0, 1])),
        max_suppressed: Some((10 * times).to_string().parse().unwrap()),
        ..Ask::default()
    };
    let fewest = original.ask(&ask(1)).unwrap().relaxations.suppression().unwrap().offer;
    let study = original.study(&ask(1)).unwrap();
    for (engine, studied) in engines(&original, folder.path()).iter().zip([true, false, true]) {
        let found = engine.ask(&ask(TIMES)).unwrap().relaxations.suppression().unwrap().offer;
        assert_eq!(numbers(&found, TIMES), numbers(&fewest, 1));
        assert!(fewest.suppressed > 0);
        if !studied {
            continue; // a study needs every scheme
        }
        let billions = engine.study(&ask(TIMES)).unwrap();
        let least = |study: &[haggle::reports::HeightStudy], times: u64| {
            study.iter().map(|s| (s.height, s.least / times, s.most / times)).collect::<Vec<_>>()
        };
        assert_eq!(least(&billions, TIMES), least(&study, 1));
    }
}

#[test]
fn every_scheme_suppresses_so_many_times_more() {
    let folder = tempfile::tempdir().unwrap();
    let original = original();
    for model in ["k-anonymity", "distinct-l-diversity", "entropy-l-diversity", "t-closeness"] {
        let ask = |times: u64| {
            let threshold = match model {
                "k-anonymity" => (2000 * times) as f64,
                "t-closeness" => 0.4,
                _ => 3.0,
            };
            Ask { privacy: vec![Privacy::new(model, threshold)], ..Ask::default() }
        };
        let expected: Vec<u64> =
            original.suppressed(&ask(1)).unwrap().iter().map(|&cost| cost * TIMES).collect();
        let beyond = expected.iter().filter(|&&cost| cost > u64::from(u32::MAX)).count();
        assert!(model != "k-anonymity" || beyond > 3, "{beyond} schemes suppress billions");
        let [stored, _, made] = engines(&original, folder.path());
        for engine in [stored, made] {
            assert_eq!(&*engine.suppressed(&ask(TIMES)).unwrap(), &expected[..], "{model}");
        }
    }
}

#[test]
fn losses_of_billions_are_those_of_the_original_or_their_squares() {
    let folder = tempfile::tempdir().unwrap();
    let original = original();
    let loss = |engine: &Engine, measure: &str, times: u64| {
        let ask = Ask {
            privacy: vec![Privacy::new("k-anonymity", (10 * times) as f64)],
            max_suppressed: Some((100 * times).to_string().parse().unwrap()),
            optimize: Some(measure.parse().unwrap()),
            ..Ask::default()
        };
        let exact = engine.ask(&ask).unwrap().exact.unwrap();
        exact.loss[measure]
    };
    let times = TIMES as f64;
    for engine in engines(&original, folder.path()) {
        for (measure, factor) in [
            ("lm", 1.0),
            ("precision", 1.0),
            ("discernibility", times * times),
            ("average-class-size", times),
        ] {
            let (found, one) = (loss(&engine, measure, TIMES), loss(&original, measure, 1));
            assert!((found / (one * factor) - 1.0).abs() < 1e-11, "{measure}: {found} for {one}");
        }
    }
}
