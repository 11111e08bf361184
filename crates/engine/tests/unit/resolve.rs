//! Requests on a table of ten records, of which one is dropped for a missing value.

use std::path::Path;

use haggle_api::{RelaxHeight, percent};
use haggle_data::Input;
use haggle_model::ErrorKind;
use haggle_project::Project;
use haggle_search::HeightRelaxation;
use haggle_testkit::people::AGE_AND_SEX;

use super::*;
use crate::Engine;

const PEOPLE: &[u8] = b"age,sex\n21,f\n22,f\n23,m\n24,m\n31,f\n32,f\n33,m\n34,m\n41,f\n51,?\n";

/// The engine of the table, with groups counted from these levels on.
fn engine_from(levels: Option<&str>) -> Engine {
    let project = Project::from_text(AGE_AND_SEX, Path::new("no-such-folder")).unwrap();
    let project = project.over(Input::embedded("people.csv", PEOPLE));
    let builder = Engine::builder(&project);
    let builder = match levels {
        Some(levels) => builder.from_level(levels.parse().unwrap()),
        None => builder,
    };
    builder.open().unwrap()
}

fn request_by(engine: &Engine, ask: &Ask) -> Result<LatticeRequest, Error> {
    request_on(ask, engine.cube(), Vec::new(), Vec::new())
}

#[test]
fn levels_by_name_or_in_order_become_the_highest_scheme_allowed() {
    let engine = engine_from(None);
    for (ask, expected) in [
        (Ask::default(), [2, 1]),
        (Ask::default().level("age", 1), [1, 1]),
        (Ask::default().level("sex", 0).level("age", 0), [0, 0]),
        (Ask::default().levels([1, 0]), [1, 0]),
    ] {
        assert_eq!(request_by(&engine, &ask).unwrap().caps, Scheme::new(expected), "{ask:?}");
    }
}

#[test]
fn levels_that_there_are_not_are_refused_with_the_attribute() {
    let engine = engine_from(None);
    for (ask, named) in [
        (Ask::default().level("zip", 1), "'zip'"),
        (Ask::default().level("sex", 2), "'sex' has no level 2"),
        (Ask::default().levels([1]), "age, sex"),
    ] {
        let error = request_by(&engine, &ask).unwrap_err();
        let is_absent = named == "'zip'";
        let kind = if is_absent { ErrorKind::NotFound } else { ErrorKind::BadInput };
        assert_eq!(error.kind(), kind);
        assert!(error.to_string().contains(named), "{error}");
    }
}

#[test]
fn levels_below_those_that_groups_were_counted_from_are_refused() {
    let engine = engine_from(Some("age=1"));
    let error = request_by(&engine, &Ask::default().level("age", 0)).unwrap_err();
    assert!(error.to_string().contains("'age' was counted from level 1"), "{error}");
    let caps = request_by(&engine, &Ask::default().levels([1, 0])).unwrap().caps;
    assert_eq!(caps, Scheme::new([1, 0]), "the sex was counted as recorded");
}

#[test]
fn per_cent_limits_are_floored_over_the_records_that_were_not_dropped() {
    let engine = engine_from(None);
    for (limit, expected) in [
        (None, 0),
        (Some(Amount::Records(7)), 7),
        (Some(percent(50.0)), 4), // of 9 records; of the 10 in the table it would be 5
        (Some(percent(11.0)), 0),
        (Some(percent(12.0)), 1),
        (Some(percent(100.0)), 9),
    ] {
        let ask = Ask { max_suppressed: limit, ..Ask::default() };
        assert_eq!(request_by(&engine, &ask).unwrap().limit, expected, "{limit:?}");
    }
}

#[test]
fn several_best_schemes_need_a_measure() {
    let engine = engine_from(None);
    let measured = Ask::default().optimize("lm").unwrap();
    assert!(request_by(&engine, &measured.clone().top(1)).is_ok());
    for ask in [Ask::default().top(3), Ask::default().top(0), measured.top(0)] {
        let error = request_by(&engine, &ask).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::BadInput);
        assert!(error.to_string().contains("'top'"), "{error}");
    }
}

#[test]
fn the_height_relaxation_is_the_lowest_unless_another_is_asked_for() {
    let engine = engine_from(None);
    let height = |ask: &Ask| request_by(&engine, ask).unwrap().height;
    assert_eq!(height(&Ask::default()), HeightRelaxation::Lowest);
    let closest = Ask::default().relax_height(RelaxHeight::Closest);
    assert_eq!(height(&closest), HeightRelaxation::Closest);
    let published = Ask::default().relax_height(RelaxHeight::Published);
    assert_eq!(height(&published), HeightRelaxation::Published);
}
