//! When every scheme is annotated, and when a question is answered on demand.

use haggle_cube::{CountedPart, Counter};
use haggle_model::{Hierarchy, QuasiIdentifier};

use super::*;

/// Two groups under two schemes: roll-ups read at most 4 cells, and in fact 2.
fn cube() -> Cube {
    let sex = QuasiIdentifier { name: "sex".into(), hierarchy: Hierarchy::flat(["f", "m"]) };
    let mut counter = Counter::new(1, 0);
    for code in [0, 1, 1] {
        counter.add(&[code]);
    }
    Cube::from_parts(vec![sex], Vec::new(), &[CountedPart { counter, recode: vec![vec![0, 1]] }])
}

#[test]
fn tables_of_all_schemes_are_made_only_while_that_is_cheap() {
    for (full_touches, expected) in [(4.0, true), (2.0, true), (1.0, false)] {
        for questions in [QuestionCount::One, QuestionCount::Many] {
            let cheaper = CheaperWay { questions, full_touches };
            assert_eq!(cheaper.allows_full(&cube()), expected, "{cheaper:?}");
            assert_eq!(cheaper.annotates_beforehand(), questions == QuestionCount::Many);
        }
    }
}

#[test]
fn a_question_is_answered_on_demand_where_that_is_cheaper() {
    use QuestionCount::{Many, One};
    // The touches of one pass, tables, weighings, whether a search leaves out schemes; the choice.
    for (questions, touches, tables, weighings, prunes, expected) in [
        (Many, 3e7, 1, 1, true, false), // tables serve later questions, too
        (One, 3e7, 1, 0, true, false),  // a moment
        (One, 3e7, 1, 1, true, true),
        (One, 2e7, 2, 2, true, true),
        (One, 2e7, 2, 2, false, false), // a search would visit every scheme
        (One, 1e8, 3, 2, false, true),  // tables take too long, and a search can be stopped
        (One, 1e9, 0, 0, true, false),  // nothing is missing
        (Many, 1e8, 2, 2, true, false),
        (Many, 1e8, 3, 2, true, true),
    ] {
        let cheaper = CheaperWay { questions, full_touches: 1e8 };
        let lacking = Lacking { tables, weighings, prunes };
        assert_eq!(cheaper.is_on_demand(touches, lacking), expected, "{cheaper:?} {lacking:?}");
    }
}

#[test]
fn less_time_allows_for_fewer_tables() {
    let hurried = CheaperWay { questions: QuestionCount::One, full_touches: 1e3 };
    let lacking = Lacking { tables: 1, weighings: 0, prunes: true };
    assert!(hurried.is_on_demand(5e3, lacking) && !hurried.is_on_demand(4e3, lacking));
}
