//! Relational loss as S.-Y. Hsu, "Database Anonymization and Protections of Sensitive Attributes",
//! 2008, defines it in section 4.4: over any set Q, and with any volume measure.

use haggle_cube::{Applied, Base, Lattice};
use haggle_loss::{Basis, Measure, find};
use haggle_model::Scheme;
use haggle_testkit::generate::check;
use haggle_testkit::oracle::losses::Losses;
use haggle_testkit::{Attribute, Table};
use proptest::collection::vec;
use proptest::prelude::*;

use super::sides::{Case, CatalogLoss, Sides, cases, closeness, levels, same};

fn volumes() -> &'static [&'static str] {
    let hybrid: &Measure = find("hybrid").unwrap();
    hybrid.options.iter().find(|option| option.name == "volume").unwrap().options
}

/// A measure over a set of quasi-identifiers.
fn judge(sides: &Sides<'_>, volume: Option<&'static str>, over: &[usize]) -> CatalogLoss {
    let (cube, sensitive) = (sides.lattice.cube(), sides.case.sensitive);
    let basis = Basis::of(cube).with_distance(closeness(cube, sensitive)).with_over(over.to_vec());
    let basis = volume.into_iter().fold(basis, Basis::with_volume);
    let entry = find(if volume.is_some() { "hybrid" } else { "variance" }).unwrap();
    CatalogLoss { entry, loss: (entry.loss)(&basis).unwrap() }
}

/// Definitions 4.4.2 and 4.4.6, record by record: at every scheme, with groups of fewer than two
/// records suppressed or not.
#[test]
fn relational_loss_is_as_defined_over_every_set_and_with_every_volume() {
    check(60, &(cases(), vec(any::<bool>(), 3), 0..3_u64), |(case, chosen, least)| {
        let sides = Sides::of(&case);
        let attributes = case.table.attributes.len();
        let mut over: Vec<usize> = (0..attributes).filter(|&i| chosen[i]).collect();
        if over.is_empty() {
            over.push(0);
        }
        let losses = Losses::of(&case.table);
        let measures = volumes().iter().copied().map(Some).chain([None]);
        let judges: Vec<_> = measures.map(|v| (v, judge(&sides, v, &over))).collect();
        for scheme in sides.schemes() {
            let groups = sides.oracle.groups(&levels(&scheme));
            let size = |labels: &[&str]| {
                let group = groups.iter().find(|group| group.labels == labels);
                group.map_or(0, |group| group.members.len() as u64)
            };
            let published = losses.published(&levels(&scheme), &|labels| size(labels) > least);
            let mut large = std::collections::BTreeSet::new();
            sides.lattice.cube().for_each_group(&scheme, 0, |codes, group| {
                large.extend((group.records > least).then(|| codes.to_vec()));
            });
            for (volume, judge) in &judges {
                let expected = published.relational(*volume, &over, case.sensitive);
                let found = sides.of_groups(judge, &scheme, |codes| large.contains(codes));
                prop_assert!(
                    same(found, expected),
                    "{volume:?} over {over:?} of {scheme}: {found}, not {expected}"
                );
            }
        }
        Ok(())
    });
}

/// Over all quasi-identifiers both are the measures without options.
#[test]
fn over_all_quasi_identifiers_is_the_default() {
    check(100, &cases(), |case| {
        let sides = Sides::of(&case);
        let all: Vec<usize> = (0..case.table.attributes.len()).collect();
        for (id, volume) in [("variance", None), ("hybrid", Some("entropy-volume-inflation"))] {
            let usual = sides.judges.iter().find(|judge| judge.entry.id == id).unwrap();
            let over = judge(&sides, volume, &all);
            for scheme in sides.schemes() {
                let expected = sides.of_groups(usual, &scheme, |_| true);
                let found = sides.of_groups(&over, &scheme, |_| true);
                prop_assert!(same(found, expected), "{id} of {scheme}: {found}, not {expected}");
            }
        }
        Ok(())
    });
}

/// A scheme as a recoding of regions loses the same.
#[test]
fn a_recoding_loses_the_same_as_its_scheme_over_a_set() {
    check(40, &cases(), |case| {
        let sides = Sides::of(&case);
        let (cube, base) = (sides.lattice.cube(), Base::of(sides.lattice.cube()));
        for volume in volumes().iter().copied().map(Some).chain([None]) {
            let judge = judge(&sides, volume, &[0]);
            for scheme in sides.schemes() {
                let applied = Applied::levels(cube.attributes(), &base, &scheme);
                let bottom = cube.space().bottom();
                let (found, _) = applied.loss(&base, &bottom, judge.loss.as_ref(), |_| true);
                let expected = sides.of_groups(&judge, &scheme, |_| true);
                prop_assert!(same(found, expected), "{volume:?} of {scheme}: {found}, {expected}");
            }
        }
        Ok(())
    });
}

/// Lemma 4.4.3: the tuple-wise variance loss is monotone, over every set Q.
#[test]
fn variance_over_a_set_is_monotone() {
    check(150, &(cases(), 0..3_usize), |(case, position)| {
        let sides = Sides::of(&case);
        let judge = judge(&sides, None, &[position % case.table.attributes.len()]);
        let top = sides.lattice.space().top();
        for low in sides.schemes() {
            for p in (0..low.levels().len()).filter(|&p| low.level(p) < top.level(p)) {
                let high = low.with(p, (low.level(p).index() as u8 + 1).into());
                let loss = |scheme| sides.of_groups(&judge, scheme, |_| true);
                let (below, above) = (loss(&low), loss(&high));
                prop_assert!(below <= above || same(below, above), "{low} {below}, {high} {above}");
            }
        }
        Ok(())
    });
}

/// The hospital records of table 4.3-1: sex, nationality, disease.
fn hospital() -> Table {
    let records = [
        ["M", "U.S.", "Flu"],
        ["M", "Canada", "Cold"],
        ["F", "U.S.", "Flu"],
        ["F", "Canada", "Cold"],
        ["M", "U.S.", "Flu"],
        ["M", "Canada", "Flu"],
        ["F", "U.S.", "Cold"],
        ["F", "Canada", "Cold"],
    ];
    let rows = |values: [&str; 2]| values.map(|v| vec![v.to_owned(), "*".to_owned()]).to_vec();
    let attribute = |name: &str, values| Attribute { name: name.into(), rows: rows(values) };
    Table {
        attributes: vec![
            attribute("gender", ["F", "M"]),
            attribute("nationality", ["Canada", "U.S."]),
        ],
        sensitive: vec!["disease".into()],
        records: records.iter().map(|r| r.map(str::to_owned).to_vec()).collect(),
    }
}

/// Section 4.3, tables 4.3-1 and 4.3-3 (truth 3/4 and 1/4 against 2/4): of men 3/4 have flu, as of
/// Americans, so by sex alone each record differs from the whole by 1/4, 2 in all; without sex that
/// is lost, and the relation to nationality is not.
#[test]
fn the_relation_to_one_attribute_is_lost_with_that_attribute() {
    let case = Case { table: hospital(), weights: vec![1.0; 2], sensitive: 0 };
    let sides = Sides::of(&case);
    let lost = |over: &[usize], levels: [u8; 2]| {
        let judge = judge(&sides, None, over);
        sides.of_groups(&judge, &Scheme::new(levels), |_| true)
    };
    assert!(same(lost(&[0], [1, 0]), 2.0) && same(lost(&[0], [0, 1]), 0.0));
    assert!(same(lost(&[1], [1, 0]), 0.0) && same(lost(&[1], [0, 1]), 2.0));
    // Together: the four groups of two differ by 1/2, 0, 0 and 1/2, 2 in all, and 2 is left by one.
    assert!(same(lost(&[0, 1], [1, 0]), 0.0) && same(lost(&[0, 1], [1, 1]), 2.0));
}
