//! Thresholds as text and JSON: what is read, what is written, and what is refused.

use std::collections::BTreeMap;

use haggle_model::{Error, ErrorKind};

use super::{Privacy, Value};

fn privacy(text: &str) -> Privacy {
    text.parse().unwrap()
}

fn parameters<const N: usize>(given: [(&str, Value); N]) -> BTreeMap<String, Value> {
    given.map(|(name, value)| (name.to_owned(), value)).into()
}

/// Asserts that an error is about the input and names what is wrong.
fn assert_names(error: &Error, part: &str) {
    assert_eq!(error.kind(), ErrorKind::BadInput, "{error}");
    assert!(error.to_string().contains(part), "'{part}' is not in: {error}");
}

#[test]
fn a_threshold_is_a_model_with_parameters_and_an_attribute() {
    let number = Value::Number;
    let word = |text: &str| Value::Word(text.into());
    for (text, model, on, given) in [
        ("k-anonymity=10", "k-anonymity", None, parameters([("", number(10.0))])),
        ("k-anonymity:k=10", "k-anonymity", None, parameters([("k", number(10.0))])),
        ("k-anonymity=5..20", "k-anonymity", None, parameters([("", word("5..20"))])),
        (
            "recursive-l-diversity:l=3,c=2,on=disease",
            "recursive-l-diversity",
            Some("disease"),
            parameters([("l", number(3.0)), ("c", number(2.0))]),
        ),
        (
            "t-closeness:t=0.2,distance=ordered",
            "t-closeness",
            None,
            parameters([("t", number(0.2)), ("distance", word("ordered"))]),
        ),
        (
            "distinct-l-diversity:l=2..4,on=income, yearly",
            "distinct-l-diversity",
            Some("income, yearly"),
            parameters([("l", word("2..4"))]),
        ),
    ] {
        let on = on.map(str::to_owned);
        assert_eq!(privacy(text), Privacy { model: model.into(), on, parameters: given });
        assert_eq!(privacy(text).to_string(), text);
    }
}

#[test]
fn every_model_comes_back_from_text_and_json() {
    for model in haggle_privacy::CATALOG {
        let usual = Privacy::usual(model, Some("disease"));
        assert_eq!(privacy(&usual.to_string()), usual);
        let json = serde_json::to_string(&usual).unwrap();
        assert_eq!(serde_json::from_str::<Privacy>(&json).unwrap(), usual, "{json}");
        assert_eq!(usual.resolve().unwrap().0.id, model.id);
        assert_eq!(usual.on.is_some(), model.sensitive, "{usual}");
    }
}

#[test]
fn a_text_that_is_no_threshold_is_refused_and_named() {
    for text in [
        "",
        "k-anonymity",
        "k-anonymity=",
        "k-anonymity=ten",
        "k-anonymity=NaN",
        "k-anonymity=5..",
        "k-anonymity:",
        "k-anonymity:10",
        "k-anonymity:=10",
        "k-anonymity:k=5,k=10",
        "distinct-l-diversity:l=3,on=disease,on=income",
    ] {
        assert_names(&text.parse::<Privacy>().unwrap_err(), &format!("'{text}'"));
    }
}

#[test]
fn a_threshold_that_no_model_takes_is_refused() {
    for (text, part) in [
        ("m-anonymity=10", "'m-anonymity'"),
        ("k-anonymity=1", "k = 1"),
        ("k-anonymity=2.5", "k = 2.5"),
        ("t-closeness=-0.1", "t = -0.1"),
        ("k-anonymity:l=5", "'l'"),
        ("k-anonymity:k=5,on=disease", "on=disease"),
        ("recursive-l-diversity:l=3", "parameter c"),
        ("t-closeness:t=0.2,distance=far", "'far'"),
        ("k-anonymity=5..20", "5..20"),
    ] {
        assert_names(&privacy(text).resolve().unwrap_err(), part);
    }
}

#[test]
fn of_two_values_none_wins_in_silence() {
    for (json, part) in [
        (r#"{"model":"k-anonymity","k":5,"k":10}"#, "'k'"),
        (r#"{"model":"t-closeness","t":0.2,"on":"disease","on":"income"}"#, "`on`"),
    ] {
        let error = serde_json::from_str::<Privacy>(json).unwrap_err();
        assert!(error.to_string().contains(part), "{error}");
    }
    let mut both = Privacy::new("k-anonymity", 10.0);
    both.parameters.insert("k".into(), Value::Number(5.0));
    assert_names(&both.resolve().unwrap_err(), "k of k-anonymity");
}

#[test]
fn a_number_without_a_name_is_the_first_parameter() {
    let nameless = privacy("recursive-l-diversity=3");
    assert_eq!(nameless.spelled_out(), privacy("recursive-l-diversity:l=3"));
    assert_eq!(nameless.with("l", 4.0), privacy("recursive-l-diversity:l=4"));
    assert_eq!(nameless.with("c", 2.0).to_string(), "recursive-l-diversity:l=3,c=2");
}

#[test]
fn a_front_varies_the_first_number_and_takes_the_others() {
    for (text, expected) in [
        ("k-anonymity", "k-anonymity:k=2"),
        ("recursive-l-diversity:c=2,on=disease", "recursive-l-diversity:l=2,c=2,on=disease"),
    ] {
        assert_eq!(Privacy::varying(text).unwrap().to_string(), expected);
    }
    for (text, part) in [
        ("k-anonymity:k=5", "k of k-anonymity"),
        ("m-anonymity", "'m-anonymity'"),
        ("recursive-l-diversity", "parameter c"),
    ] {
        assert_names(&Privacy::varying(text).unwrap_err(), part);
    }
}
