//! When every scheme is annotated beforehand.

use std::path::Path;

use haggle_cube::{CountedPart, Counter};
use haggle_data::Input;
use haggle_model::{Hierarchy, QuasiIdentifier};
use haggle_project::Project;
use haggle_search::partial::ESTIMATORS;

use super::*;
use crate::Engine;
use crate::form::Form;

/// Two groups under two schemes: roll-ups read at most 4 cells, and in fact 2.
fn cube() -> Cube {
    let sex = QuasiIdentifier { name: "sex".into(), hierarchy: Hierarchy::flat(["f", "m"]) };
    let mut counter = Counter::new(1, 0);
    for code in [0, 1, 1] {
        counter.add(&[code]);
    }
    Cube::of(vec![sex], Vec::new(), &[CountedPart { counter, recode: vec![vec![0, 1]] }])
}

#[test]
fn a_lattice_is_annotated_in_full_by_default_only_while_that_is_cheap() {
    let some = Way::Partial(Selection::new(ESTIMATORS[0], 50.0).unwrap());
    for (way, touches, expected) in [
        (Way::Auto, 4.0, true),
        (Way::Auto, 2.0, true),
        (Way::Auto, 1.0, false),
        (Way::Full, 0.0, true),
        (Way::OnDemand, f64::INFINITY, false),
        (some, f64::INFINITY, false),
    ] {
        assert_eq!(way.is_full(&cube(), touches), expected, "{way:?} with {touches} touches");
    }
}

#[test]
fn an_engine_is_opened_in_the_way_that_was_chosen() {
    let text = "[data]\npath = \"people.csv\"\nheader = true\n\
                [[attribute]]\nname = \"sex\"\nrole = \"quasi-identifier\"\n\
                [[attribute]]\nname = \"disease\"\nrole = \"sensitive\"\n";
    let project = Project::from_text(text, Path::new("no-such-folder")).unwrap();
    let people = Input::embedded("people.csv", b"sex,disease\nf,flu\nm,flu\nm,cold\n");
    let project = project.over(people);
    let is_full = |way: Way, full_touches: f64| {
        let options = Options { way, full_touches, ..Options::default() };
        matches!(Engine::open(&project, &options).unwrap().form(), Form::Full)
    };
    assert!(is_full(Way::Auto, FULL_TOUCHES));
    assert!(!is_full(Way::Auto, 0.0));
    assert!(is_full(Way::Full, 0.0));
    assert!(!is_full(Way::OnDemand, FULL_TOUCHES));
}
