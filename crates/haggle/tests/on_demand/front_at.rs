//! The front at some thresholds, with schemes annotated on demand, is a part of the exact front.

use haggle::{Ask, Engine, FrontPoint, Options, Privacy, Project, Silent, Way};

fn engine(qi: &[&str], way: Way) -> Engine {
    let project = Project::open("demo:adult").unwrap();
    let qi = Some(qi.iter().map(|&name| name.to_owned()).collect());
    Engine::open(&project, &Options { qi, way, stored: false, ..Options::default() }).unwrap()
}

fn ask(privacy: Privacy, max_suppressed: &str) -> Ask {
    let max_suppressed = Some(max_suppressed.parse().unwrap());
    Ask { privacy: vec![privacy], max_suppressed, ..Ask::default() }
}

/// The points of the exact front that lose least at one of the thresholds.
fn expected(exact: &[FrontPoint], thresholds: &[f64], rises: bool) -> Vec<FrontPoint> {
    let attains = |point: &&FrontPoint, threshold: f64| {
        if rises { point.threshold >= threshold } else { point.threshold <= threshold }
    };
    let best = |&threshold: &f64| exact.iter().rfind(|point| attains(point, threshold)).cloned();
    let mut found: Vec<FrontPoint> = thresholds.iter().filter_map(best).collect();
    found.sort_by(|a, b| b.loss.total_cmp(&a.loss));
    found.dedup_by(|a, b| a.scheme == b.scheme && a.suppressed == b.suppressed);
    found
}

fn compare(
    qi: &[&str],
    privacy: &Privacy,
    loss: &str,
    limit: &str,
    thresholds: &[f64],
    rises: bool,
) {
    let ask = ask(privacy.clone(), limit);
    let judge = loss.parse().unwrap();
    let exact = engine(qi, Way::Full).pareto(&ask, loss).unwrap();
    let found = engine(qi, Way::OnDemand).front_at(&ask, &judge, thresholds, &Silent).unwrap();
    let expected = expected(&exact.points, thresholds, rises);
    let summary = |points: &[FrontPoint]| -> Vec<(f64, u64, String)> {
        points.iter().map(|p| (p.threshold, p.suppressed, p.scheme.to_string())).collect()
    };
    assert_eq!(summary(&found.points), summary(&expected), "{privacy} {loss} {limit}");
    for (found, expected) in found.points.iter().zip(&expected) {
        assert!((found.loss - expected.loss).abs() <= 1e-9 * expected.loss.abs());
    }
    assert!(found.points.len() > 1, "{privacy} {loss} {limit}: {} points", found.points.len());
    assert_eq!((found.limit, found.parameter), (exact.limit, exact.parameter));
}

const THREE: [&str; 3] = ["age", "race", "workclass"];

#[test]
fn points_at_some_thresholds_are_points_of_the_exact_front() {
    let six = ["age", "education", "marital-status", "occupation", "race", "workclass"];
    let sizes = [100.0, 2.0, 3.0, 20.0, 5.0, 10.0, 50.0];
    for limit in ["0", "1%", "5%"] {
        compare(&six, &Privacy::new("k-anonymity", 5.0), "lm", limit, &sizes, true);
        compare(&THREE, &Privacy::new("k-anonymity", 5.0), "discernibility", limit, &sizes, true);
    }
    let values = [2.0, 4.0, 8.0, 16.0, 32.0];
    compare(&six, &Privacy::new("distinct-l-diversity", 3.0), "precision", "2%", &values, true);
}

#[test]
fn smaller_thresholds_can_be_the_stronger_ones() {
    let distances = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5];
    compare(&THREE, &Privacy::new("t-closeness", 0.2), "lm", "2%", &distances, false);
}

#[test]
fn thresholds_that_nothing_attains_have_no_point() {
    let engine = engine(&THREE, Way::OnDemand);
    let ask = ask(Privacy::new("k-anonymity", 5.0), "0");
    let judge = "lm".parse().unwrap();
    let beyond = engine.front_at(&ask, &judge, &[40_000.0], &Silent).unwrap();
    assert!(beyond.points.is_empty());
    for thresholds in [vec![], vec![1.5], vec![5.0; 201]] {
        assert!(engine.front_at(&ask, &judge, &thresholds, &Silent).is_err(), "{thresholds:?}");
    }
}
