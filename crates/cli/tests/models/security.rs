//! The security estimate of each sensitive value, by the real binary.

use insta::assert_snapshot;

use crate::models::hospital::{folder, patients};

/// ψ of each class from its formula, over the one group of the top scheme.
#[test]
fn the_estimate_is_the_sum_of_bells() {
    let run = folder().haggle(&["security", ".", "--scheme", "4,1", "--on", "cost", "--json"]);
    let found = run.json(0);
    let class = |cost: &str| match cost {
        "20" => 0.2,
        "60" => 0.6,
        "100" => 1.0,
        "550" => 1.5,
        _ => 2.0,
    };
    let bell = |x: f64| (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let values = found["values"].as_array().unwrap();
    assert_eq!(values.len(), 5);
    for value in values {
        let x = class(value["value"].as_str().unwrap());
        assert_eq!(value["class"], x);
        let psi: f64 = patients().iter().map(|patient| bell(x - class(&patient[3]))).sum();
        assert!((value["mean"].as_f64().unwrap() - psi).abs() < 1e-9, "{value} {psi}");
        assert_eq!((&value["least"], &value["groups"]), (&value["most"], &1.into()));
    }
    let table = folder().haggle(&["security", ".", "--scheme", "4,1", "--on", "cost", "--csv"]);
    let mut lines = table.text().lines();
    assert_eq!(lines.next(), Some("cost,class,groups,least,mean,most"));
    let report = lines.map(|line| line.split(',').next().unwrap());
    assert!(report.eq(values.iter().map(|value| value["value"].as_str().unwrap())));
}

#[test]
fn it_needs_a_class_function() {
    let run = folder().haggle(&["security", ".", "--scheme", "4,1", "--on", "disease"]);
    assert_snapshot!(run.printed(2), @r#"
    error: the project states no class_function of 'disease'
        fix: add class_function = "empirical" to the attribute
    "#);
}
