//! A range of acceptable thresholds: the strongest that is possible and the front within it are those
//! of asking for every value, from full lattices and on demand.

use haggle::catalog::Value;
use haggle::{Amount, Answer, Ask, Engine, Levels, Offer, Options, Privacy, Project, Way};
use haggle_testkit::Table;
use haggle_testkit::effort::enough;
use haggle_testkit::generate::{Shape, check, tables_of};
use haggle_testkit::oracle::{self, Measure, Oracle, Request};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::common::write_project;

/// A table, and requests: caps, a limit, and the two ends of a range.
type Case = (Table, Vec<(Vec<Index>, u64, u64, u64)>);

fn cases() -> impl Strategy<Value = Case> {
    let shape = Shape { attributes: 3, schemes: 48, records: 60, sensitive: 1 };
    let draw = (vec(any::<Index>(), 3), 0_u64..20, 2_u64..12, 0_u64..20);
    (tables_of(shape), vec(draw, 4))
}

fn request(levels: &[u8], limit: u64, privacy: Privacy) -> Ask {
    Ask {
        privacy: vec![privacy],
        levels: Some(Levels::InOrder(levels.to_vec())),
        max_suppressed: Some(Amount::Records(limit)),
        ..Ask::default()
    }
}

fn engines(table: &Table) -> (tempfile::TempDir, [Engine; 2]) {
    let folder = tempfile::tempdir().unwrap();
    write_project(folder.path(), table);
    let project = Project::open(folder.path()).unwrap();
    let engine = |way| {
        Engine::open(&project, &Options { way, stored: false, ..Options::default() }).unwrap()
    };
    let engines = [engine(Way::Full), engine(Way::OnDemand)];
    (folder, engines)
}

/// The values at which the best scheme is better than at every stronger one, strongest first.
fn front<T>(
    values: impl Iterator<Item = (u64, Option<T>)>,
    reached: fn(&T) -> f64,
) -> Vec<(u64, T)> {
    let mut points: Vec<(u64, T)> = Vec::new();
    for (value, best) in values {
        let Some(best) = best else { continue };
        if points.last().is_none_or(|(_, stronger)| reached(&best) < reached(stronger)) {
            points.push((value, best));
        }
    }
    points
}

fn threshold(offer: &Offer) -> u64 {
    offer.privacy[0].1.to_string().parse().unwrap()
}

#[test]
fn ranges_are_answered_as_by_brute_force_on_the_records() {
    let seen = std::cell::RefCell::new([0_u32; 3]);
    check(200, &cases(), |(table, draws)| {
        let (_folder, engines) = engines(&table);
        let oracle = Oracle::of(&table);
        let sensitive = &table.sensitive[0];
        for (i, (caps, limit, least, more)) in draws.iter().enumerate() {
            let (measure, model, least) = match i % 2 {
                0 => (Measure::size(), "k-anonymity", *least),
                _ => (Measure::distinct(0), "distinct-l-diversity", 2),
            };
            let judged = oracle.judge(&measure);
            let tops = judged.tops().iter().zip(caps);
            let caps: Vec<u8> =
                tops.map(|(&top, cap)| cap.index(usize::from(top) + 1) as u8).collect();
            let best = |threshold: u64| {
                let threshold = threshold as f64;
                let request = Request { threshold, caps: caps.clone(), limit: *limit };
                match judged.negotiate(&request) {
                    oracle::Answer::Exact(offer) => Some(offer),
                    oracle::Answer::Relaxed(_) => None,
                }
            };
            let most = least + more;
            let height = |offer: &oracle::Offer| offer.levels.iter().map(|&l| f64::from(l)).sum();
            let expected = front((least..=most).rev().map(|k| (k, best(k))), height);
            let expected: Vec<_> =
                expected.into_iter().map(|(k, o)| (k, o.levels, o.suppressed)).collect();
            let on = (model != "k-anonymity").then(|| sensitive.clone());
            let range = Value::Word(format!("{least}..{most}"));
            let privacy = Privacy { on, ..Privacy::given(model, range) };
            for engine in &engines {
                let answer = engine.ask(&request(&caps, *limit, privacy.clone())).unwrap();
                assert_within(&answer, &expected);
            }
            let mut seen = seen.borrow_mut();
            seen[expected.len().min(2)] += 1;
        }
        Ok(())
    });
    assert!(seen.borrow().iter().all(|&times| times > enough(20)), "{seen:?}");
}

/// The points, the strongest value, and the answer at it are as expected.
fn assert_within(answer: &Answer, expected: &[(u64, Vec<u8>, u64)]) {
    let range = answer.range.as_ref().expect("a range was asked for");
    let levels = |offer: &Offer| -> Vec<u8> {
        offer.scheme.levels().iter().map(|&level| level.into()).collect()
    };
    let points = range.points.iter();
    let points: Vec<_> = points.map(|p| (threshold(p), levels(p), p.suppressed)).collect();
    assert_eq!(points, expected, "{:?}", answer.asked);
    assert_eq!(range.possible, expected.first().map(|(value, ..)| *value));
    assert_eq!(answer.exact.as_ref(), range.points.first());
    assert_eq!(answer.relaxations.iter().next().is_some(), expected.is_empty());
}

/// By a loss, also one that suppressing may lower, so that weaker values may be worse.
#[test]
fn ranges_by_loss_are_those_of_asking_for_every_value() {
    let qi = Some(["age", "race", "workclass"].map(String::from).to_vec());
    let project = Project::open("demo:adult").unwrap();
    let engine = Engine::open(&project, &Options { qi, ..Options::default() }).unwrap();
    let loss = |offer: &Offer| offer.loss.values().next().copied().unwrap();
    for (measure, levels, limit) in [
        ("lm", [4, 2, 3], 300),
        ("discernibility", [4, 2, 3], 1000),
        ("lm", [2, 1, 1], 32),
        ("entropy", [3, 1, 2], 2000),
        ("kl-divergence", [4, 2, 3], 3000),
    ] {
        let ask = |privacy| request(&levels, limit, privacy).optimize(measure).unwrap();
        let best = |k: u64| {
            let ask = ask(Privacy::new("k-anonymity", k as f64));
            (k, engine.ask(&ask).unwrap().exact)
        };
        let expected = front((5..=60).rev().map(best), loss);
        let asked = ask("k-anonymity=5..60".parse().unwrap());
        let answer = engine.ask(&asked).unwrap();
        let range = answer.range.as_ref().unwrap();
        let offers: Vec<Offer> = expected.into_iter().map(|(_, offer)| offer).collect();
        assert_eq!(range.points, offers, "{measure}");
        assert_eq!(range.by, measure);
        assert!(offers.len() > 1 || limit == 32, "{measure}: one point shows little");
        assert_eq!(engine.ask(&answer.asked).unwrap().range, answer.range, "it can be asked again");
    }
}

#[test]
fn wrong_ranges_are_refused_with_a_fix() {
    let qi = Some(vec!["age".to_owned(), "race".to_owned()]);
    let project = Project::open("demo:adult").unwrap();
    let engine = Engine::open(&project, &Options { qi, ..Options::default() }).unwrap();
    let refused = |privacy: &[&str]| {
        let privacy = privacy.iter().map(|one| one.parse().unwrap()).collect();
        engine.ask(&Ask { privacy, ..Ask::default() }).unwrap_err().to_string()
    };
    for (privacy, words) in [
        (&["k-anonymity=20..5"][..], "the smaller end first: 5..20"),
        (&["k-anonymity=1..5"], "k = 1 is out of range"),
        (&["k-anonymity=2.5..5"], "k = 2.5 is out of range"),
        (&["t-closeness=0.1..0.2"], "is not a whole number"),
        (&["k-anonymity=2..5", "distinct-l-diversity=2..5"], "two numbers"),
    ] {
        assert!(refused(privacy).contains(words), "{privacy:?}: {}", refused(privacy));
    }
    let wide = Ask::privacy("k-anonymity=2").unwrap().optimize("entropy").unwrap();
    let privacy = vec!["k-anonymity=2..5000".parse().unwrap()];
    let error = engine.ask(&Ask { privacy, ..wide }).unwrap_err().to_string();
    assert!(error.contains("too wide for this measure"), "{error}");
}
