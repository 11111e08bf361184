//! Every answer equals enumeration: of schemes, cuts and boxes, with records dropped and starred.

use std::cell::Cell;

use haggle_cube::query::{Condition, Diagram, Independent, Satisfaction, ValueSet, Variable};
use haggle_cube::{Applied, Base, Cube};
use haggle_inference::groups::FileColumns;
use haggle_inference::query::{Errors, GroundDistance, errors};
use haggle_inference::{
    Domain, JointCounts, Knowledge, PublishedGroups, Query, QueryTally, Reader, Suppression,
};
use haggle_model::{Hierarchy, Level, Region, Scheme};
use haggle_testkit::Table;
use haggle_testkit::effort::enough;
use haggle_testkit::generate::{Shape, check, tables_of};
use proptest::prelude::*;

use crate::brute::{Answer, Answers, Brute, Published, Test};
use crate::groups::random_boxes;

/// Small tables with one sensitive attribute; the values of the first attribute are numbers.
fn tables() -> impl Strategy<Value = Table> {
    let shape = Shape { attributes: 3, schemes: 24, records: 40, sensitive: 1 };
    tables_of(shape).prop_map(|mut table| {
        let number = |letter: &str| (3 * i32::from(letter.as_bytes()[0]) - 280).to_string();
        for row in &mut table.attributes[0].rows {
            row[0] = number(row[0].trim());
        }
        for record in &mut table.records {
            record[0] = number(&record[0]);
            record.truncate(table.attributes.len() + 1);
        }
        table.sensitive.truncate(1);
        table
    })
}

/// What a condition is made of once the table is known.
fn conditions() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(any::<u8>(), 24)
}

/// Builds a condition from random bytes.
fn condition(table: &Table, draws: &mut impl Iterator<Item = u8>, depth: u32) -> Test {
    let mut draw = || usize::from(draws.next().unwrap_or(0));
    let kind = draw() % if depth == 0 { 4 } else { 8 };
    let attributes = table.attributes.len();
    let column = draw() % (attributes + 1);
    let value = |n: usize| table.records[n % table.records.len()][column].clone();
    let (first, second) = (draw(), draw());
    match kind {
        0 if column < attributes => {
            let rows = &table.attributes[column].rows;
            let row = &rows[first % rows.len()];
            let label = row[second % row.len()].trim().to_owned();
            Test::Named(column, if label.is_empty() { value(first) } else { label })
        }
        0 => Test::Named(column, value(first)),
        1 => Test::In(column, vec![value(first), value(second)]),
        2 | 3 => {
            // Only the first attribute and the sensitive one have numbers.
            let column = if column == attributes { attributes } else { 0 };
            let end: f64 = table.records[first % table.records.len()][column].parse().unwrap();
            let end = end + [0.0, 1.0, -1.0][second % 3];
            if kind == 2 {
                Test::Below(column, end, second % 2 == 0)
            } else {
                Test::Above(column, end, second % 2 == 0)
            }
        }
        4 => Test::Not(condition(table, draws, depth - 1).into()),
        5 | 6 => {
            let one = condition(table, draws, depth - 1).into();
            Test::And(one, condition(table, draws, depth - 1).into())
        }
        _ => {
            let one = condition(table, draws, depth - 1).into();
            Test::Or(one, condition(table, draws, depth - 1).into())
        }
    }
}

fn names(table: &Table) -> Vec<String> {
    table.attributes.iter().map(|a| a.name.clone()).chain(table.sensitive.clone()).collect()
}

/// The published records by their value sets, as strings.
fn published(
    table: &Table,
    cube: &Cube,
    base: &Base,
    applied: &Applied,
    kept: impl Fn(usize) -> bool,
    starred: bool,
) -> Vec<Published> {
    let sides = |part: usize| {
        let codes = applied.codes(part).iter().enumerate();
        codes
            .map(|(i, &code)| {
                let leaves = applied.regions()[i][code as usize].leaves.clone();
                let hierarchy = &cube.attributes()[i].hierarchy;
                leaves.map(|leaf| hierarchy.label(leaf, Level::RECORDED).to_owned()).collect()
            })
            .collect::<Vec<_>>()
    };
    let code = |record: &[String]| -> Vec<u32> {
        let codes = cube.attributes().iter().zip(record);
        codes.map(|(a, value)| a.hierarchy.code(value).unwrap()).collect()
    };
    let part_of = |record: &[String]| {
        let codes = code(record);
        let holds =
            |&part: &usize| applied.rows(part).iter().any(|&row| base.codes(row as usize) == codes);
        (0..applied.len()).find(holds).unwrap()
    };
    let mut all = Vec::new();
    for record in &table.records {
        let (part, sensitive) = (part_of(record), record.last().unwrap().clone());
        if kept(part) {
            all.push(Published { sides: Some(sides(part)), sensitive });
        } else if starred {
            all.push(Published { sides: None, sensitive });
        }
    }
    all
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9 * (1.0 + b.abs())
}

fn assert_same(
    name: &str,
    tally: &QueryTally,
    answer: &Answer,
    label: impl Fn(u32) -> String,
) -> Result<(), TestCaseError> {
    prop_assert!(close(tally.total, answer.0), "{name}: {} is not {}", tally.total, answer.0);
    for (&code, &records) in &tally.values {
        let expected = answer.1.get(&label(code)).copied().unwrap_or(0.0);
        prop_assert!(
            close(records, expected),
            "{name} of {}: {records} is not {expected}",
            label(code)
        );
    }
    for (value, &records) in answer.1.iter().filter(|(_, records)| **records > 1e-9) {
        let known = tally.values.keys().any(|&code| label(code) == *value);
        prop_assert!(known, "{name} lacks {value}, which has {records}");
    }
    Ok(())
}

/// The recodings of a table: a scheme, a cut of each attribute, boxes that may overlap.
fn recodings(cube: &Cube, base: &Base, draw: &[u8]) -> Vec<Applied> {
    let space = cube.space();
    let levels: Vec<u8> =
        space.top().levels().iter().zip(draw).map(|(&top, d)| d % (u8::from(top) + 1)).collect();
    let cut = |position: usize| {
        let hierarchy = &cube.attributes()[position].hierarchy;
        let all = hierarchy.len(0.into()) as u32;
        let middle = u32::from(draw[position]) % all;
        let ranges = [0..middle, middle..all].into_iter().filter(|range| !range.is_empty());
        ranges.map(|range| Region::new(hierarchy, range)).collect::<Vec<_>>()
    };
    let cuts = (0..cube.attributes().len()).map(cut).collect();
    vec![
        Applied::levels(cube.attributes(), base, &Scheme::new(levels)),
        Applied::cuts(cube.attributes(), base, cuts),
        random_boxes(cube, base, draw),
    ]
}

#[test]
fn all_answers_equal_enumeration() {
    let (partial, starred) = (Cell::new(0), Cell::new(0));
    check(700, &(tables(), any::<[u8; 8]>(), conditions()), |(table, draw, bytes)| {
        let cube = table.cube().unwrap();
        let base = Base::of(&cube);
        let joint = JointCounts::from_cube(&cube, Some(0));
        let brute = Brute::of(&table);
        let (names, test) = (names(&table), condition(&table, &mut bytes.into_iter(), 3));
        let target = usize::from(draw[7]) % names.len();
        let written = test.text(&names);
        let query =
            Query { condition: written.parse().unwrap(), target: Some(names[target].clone()) };
        for applied in recodings(&cube, &base, &draw) {
            let kept = |part: usize| draw[part % 8] % 4 > 0;
            for suppression in [Suppression::Dropped, Suppression::Starred] {
                let groups = PublishedGroups::new(&joint, &applied, kept, suppression);
                let is_starred = suppression == Suppression::Starred;
                let records = published(&table, &cube, &base, &applied, kept, is_starred);
                let expected = brute.answers(&test, target, &records, groups.is_disjoint());
                let reader = Reader::new(&groups, Knowledge::Table(&joint), Domain::Occurring);
                let outcome = reader.answer(&query).unwrap();
                let column = if target == table.attributes.len() { 0 } else { target + 1 };
                let label = |code: u32| reader.variables()[column].shown(code).to_owned();
                let Answers { truth, non_corrected, corrected, independent, groups: counts } =
                    &expected;
                assert_same("truth", outcome.truth.as_ref().unwrap(), truth, label)?;
                assert_same("nc", &outcome.non_corrected, non_corrected, label)?;
                assert_same("cc", &outcome.corrected, corrected, label)?;
                assert_same("ic", &outcome.independently_corrected, independent, label)?;
                prop_assert_eq!((outcome.full, outcome.partial), *counts, "{}", written);
                partial.set(partial.get() + usize::from(outcome.partial > 0));
                starred.set(
                    starred.get()
                        + usize::from(
                            is_starred && groups.sides(groups.groups().len() - 1).is_none(),
                        ),
                );
            }
        }
        Ok(())
    });
    assert!(partial.get() > enough(800), "only {} queries were partially satisfied", partial.get());
    assert!(starred.get() > enough(300), "only {} publications had starred records", starred.get());
}

/// Conditions on quasi-identifiers only.
fn on_attributes(test: &Test, attributes: usize) -> bool {
    match test {
        Test::Named(column, _)
        | Test::In(column, _)
        | Test::Below(column, ..)
        | Test::Above(column, ..) => *column < attributes,
        Test::Not(one) => on_attributes(one, attributes),
        Test::And(a, b) | Test::Or(a, b) => {
            on_attributes(a, attributes) && on_attributes(b, attributes)
        }
    }
}

#[test]
fn corrected_totals_are_the_true_ones_and_the_base_scheme_has_no_error() {
    let checked = Cell::new(0);
    check(1500, &(tables(), any::<[u8; 8]>(), conditions()), |(table, draw, bytes)| {
        let cube = table.cube().unwrap();
        let base = Base::of(&cube);
        let joint = JointCounts::from_cube(&cube, Some(0));
        let (names, test) = (names(&table), condition(&table, &mut bytes.into_iter(), 3));
        let condition = test.text(&names).parse().unwrap();
        let query = Query { condition, target: names.last().cloned() };
        let bottom = Applied::levels(cube.attributes(), &base, &cube.space().bottom());
        let groups = PublishedGroups::new(&joint, &bottom, |_| true, Suppression::Dropped);
        let reader = Reader::new(&groups, Knowledge::Table(&joint), Domain::Occurring);
        let outcome = reader.answer(&query).unwrap();
        let truth = outcome.truth.clone().unwrap();
        for answer in [&outcome.non_corrected, &outcome.corrected, &outcome.independently_corrected]
        {
            prop_assert_eq!(answer, &truth);
            let none =
                Errors { total_variation: Some(0.0), earth_movers: Some(0.0), relative_count: 0.0 };
            let target = &reader.variables()[0];
            let distance = GroundDistance::new(target, None);
            let found = errors(answer, &truth, Some((target, &distance)));
            prop_assert_eq!(found, (truth.total > 0.0).then_some(none));
        }
        for applied in &recodings(&cube, &base, &draw)[..2] {
            if on_attributes(&test, table.attributes.len()) {
                let groups = PublishedGroups::new(&joint, applied, |_| true, Suppression::Dropped);
                let reader = Reader::new(&groups, Knowledge::Table(&joint), Domain::Occurring);
                // Exactly, not only nearly.
                let total = reader.answer(&query).unwrap().corrected.total;
                prop_assert_eq!(total.to_bits(), truth.total.to_bits());
                checked.set(checked.get() + 1);
            }
        }
        Ok(())
    });
    assert!(checked.get() > enough(1000), "only {} totals were compared", checked.get());
}

/// The value sets of a part's cells, as a reader of the file resolves them.
fn resolved(cells: &mut FileColumns<'_>, applied: &Applied, part: usize) -> Vec<ValueSet> {
    let labels = applied.labels(part).into_iter().enumerate();
    labels.map(|(i, label)| cells.resolve(i, label).unwrap()).collect()
}

#[test]
fn files_alone_are_answered_as_if_all_values_were_equally_likely() {
    let partial = Cell::new(0);
    check(500, &(tables(), any::<[u8; 8]>(), conditions()), |(table, draw, bytes)| {
        let cube = table.cube().unwrap();
        let base = Base::of(&cube);
        let joint = JointCounts::from_cube(&cube, Some(0));
        let (names, test) = (names(&table), condition(&table, &mut bytes.into_iter(), 3));
        let target = usize::from(draw[7]) % names.len();
        let condition = test.text(&names).parse().unwrap();
        let query = Query { condition, target: Some(names[target].clone()) };
        let applied = random_boxes(&cube, &base, &draw);
        let parts = PublishedGroups::new(&joint, &applied, |_| true, Suppression::Dropped);
        let mut cells = FileColumns::new(cube.attributes());
        let mut written = Vec::new();
        for part in 0..applied.len() {
            for value in &parts.groups()[part].values {
                let sides = resolved(&mut cells, &applied, part);
                written.push((sides, value.codes.to_vec(), value.count));
            }
        }
        let file = PublishedGroups::of_file(cube.attributes(), joint.columns(), written);
        let values: Vec<Vec<String>> = cube
            .attributes()
            .iter()
            .map(|a| {
                let codes = 0..a.hierarchy.len(Level::RECORDED) as u32;
                codes.map(|code| a.hierarchy.label(code, Level::RECORDED).to_owned()).collect()
            })
            .collect();
        let brute = Brute::uniform(&table, &values);
        let mut records = published(&table, &cube, &base, &applied, |_| true, false);
        for record in &mut records {
            let whole = record
                .sides
                .iter()
                .flatten()
                .map(std::collections::BTreeSet::len)
                .eq(values.iter().map(Vec::len));
            if whole && applied.len() > 1 {
                record.sides = None;
            }
        }
        let expected = brute.answers(&test, target, &records, file.is_disjoint());
        let reader = Reader::new(&file, Knowledge::Uniform, Domain::Leaves);
        let outcome = reader.answer(&query).unwrap();
        let column = if target == table.attributes.len() { 0 } else { target + 1 };
        let label = |code: u32| reader.variables()[column].shown(code).to_owned();
        prop_assert!(outcome.truth.is_none());
        assert_same("nc", &outcome.non_corrected, &expected.non_corrected, label)?;
        assert_same("cc", &outcome.corrected, &expected.independent, label)?;
        assert_same("ic", &outcome.independently_corrected, &expected.independent, label)?;
        prop_assert_eq!((outcome.full, outcome.partial), expected.groups);
        partial.set(partial.get() + usize::from(outcome.partial > 0));
        Ok(())
    });
    assert!(partial.get() > enough(150), "only {} queries were partially satisfied", partial.get());
}

/// What conjunct-wise or disjunct-wise reasoning would call partial is decided over all combinations.
#[test]
fn satisfaction_is_decided_over_whole_combinations() {
    let hierarchy = Hierarchy::flat(["1", "2", "3"]);
    let variables = ["a", "b"].map(|name| Variable::of_hierarchy(name, &hierarchy));
    let found = |condition: &str, a: std::ops::Range<u32>, b: std::ops::Range<u32>| {
        let diagram = Diagram::build(&condition.parse().unwrap(), &variables).unwrap();
        let sides = [ValueSet::range(a), ValueSet::range(b)];
        diagram.satisfaction(diagram.root(), |i| &sides[i])
    };
    assert_eq!(found("a < 2 or a >= 2", 0..3, 0..3), Satisfaction::Full);
    assert_eq!(found("a < 2 and a > 2", 0..3, 0..3), Satisfaction::None);
    assert_eq!(found("a = 1 or (a != 1 and b < 3) or b = 3", 0..3, 0..3), Satisfaction::Full);
    assert_eq!(found("(a = 1 and b = 1) or (a = 2 and b = 2)", 0..2, 0..2), Satisfaction::Partial);
    assert_eq!(
        found("not (a = 1 and b = 1) and not (a = 1 and b > 1)", 0..1, 0..3),
        Satisfaction::None
    );
    assert_eq!(
        found("a = 7 or not b = 9", 0..1, 0..1),
        Satisfaction::Full,
        "numbers that do not occur"
    );
}

/// Definition 2.5.7's shortcuts: two cumulative looks for ranges, and for a value of the hierarchy
/// the values of the lower of both levels, each of which lies inside the condition or outside.
#[test]
fn shares_by_cumulative_sums_and_by_nodes_equal_enumeration() {
    let shares = Cell::new(0);
    check(300, &tables(), |table| {
        let cube = table.cube().unwrap();
        let hierarchy = &cube.attributes()[0].hierarchy;
        let name = &table.attributes[0].name;
        let below = |code: u32, level: u8| hierarchy.leaves(code, level.into());
        let records = |leaves: &mut dyn Iterator<Item = u32>| -> f64 {
            let values: Vec<&str> =
                leaves.map(|leaf| hierarchy.label(leaf, Level::RECORDED)).collect();
            table.records.iter().filter(|r| values.contains(&r[0].as_str())).count() as f64
        };
        for level in 0..=u8::from(hierarchy.top()) {
            for code in 0..hierarchy.len(level.into()) as u32 {
                let label = hierarchy.label(code, level.into());
                let condition: Condition = format!("\"{name}\" = '{label}'").parse().unwrap();
                let query = Independent::tabulate(&condition, &cube).unwrap();
                let set = ValueSet::range(hierarchy.named(label).unwrap());
                for other in 0..=u8::from(hierarchy.top()) {
                    let levels =
                        (0..cube.attributes().len()).map(|i| if i == 0 { other } else { 0 });
                    let scheme = Scheme::new(levels);
                    for group in 0..hierarchy.len(other.into()) as u32 {
                        let all = records(&mut below(group, other));
                        if all == 0.0 {
                            continue;
                        }
                        let both =
                            records(&mut below(group, other).filter(|leaf| set.contains(*leaf)));
                        let lower = level.min(other);
                        let nodes = 0..hierarchy.len(lower.into()) as u32;
                        let inside = |node: &u32| {
                            let leaves = ValueSet::range(below(*node, lower));
                            set.contains_all(&leaves)
                                && ValueSet::range(below(group, other)).contains_all(&leaves)
                        };
                        let by_nodes: f64 =
                            nodes.filter(inside).map(|node| records(&mut below(node, lower))).sum();
                        let codes: Vec<u32> = [group]
                            .into_iter()
                            .chain((1..cube.attributes().len()).map(|_| 0))
                            .collect();
                        let found = query.in_scheme(&scheme, &codes);
                        prop_assert!(
                            close(found, both / all),
                            "{label} in {group} of {other}: {found}"
                        );
                        if set == ValueSet::range(below(code, level)) {
                            prop_assert!(
                                close(found, by_nodes / all),
                                "by nodes: {by_nodes} of {all}"
                            );
                        }
                        shares.set(shares.get() + 1);
                    }
                }
            }
        }
        Ok(())
    });
    assert!(shares.get() > enough(5000), "only {} shares were compared", shares.get());
}

/// Distances along an order and up a tree are what moving the shares costs at least, by the
/// distances between all pairs of values.
#[test]
fn closed_forms_of_the_earth_movers_distance_equal_transport() {
    let tree = Hierarchy::from_paths(
        "d",
        [["a", "x", "*"], ["b", "x", "*"], ["c", "y", "*"], ["d", "y", "*"], ["e", "z", "*"]],
    )
    .unwrap();
    let meet = |one: u32, other: u32| {
        let levels = (0..=u8::from(tree.top())).map(Level::from);
        let mut levels = levels.filter(|&l| tree.ancestor(one, l) == tree.ancestor(other, l));
        f64::from(u8::from(levels.next().unwrap())) / f64::from(u8::from(tree.top()))
    };
    let pairs = || (0..5).flat_map(|one| (0..5).map(move |other| (one, other)));
    let by_tree: Vec<f64> = pairs().map(|(a, b)| meet(a, b)).collect();
    let by_order: Vec<f64> = pairs().map(|(a, b)| f64::from(a.abs_diff(b)) / 4.0).collect();
    let mut values = haggle_model::Dictionary::default();
    for value in ["a", "b", "c", "d", "e"] {
        values.code_or_add(value);
    }
    let variable = Variable::of_values("d", &values);
    let leaves: Vec<Option<u32>> = (0..5).map(Some).chain([None]).collect();
    let counts = || proptest::collection::vec(0_u32..9, 5);
    check(500, &(counts(), counts()), |(one, other)| {
        prop_assume!(one.iter().sum::<u32>() > 0 && other.iter().sum::<u32>() > 0);
        let tally = |counts: &[u32]| {
            let values = (0..).zip(counts).map(|(code, &n)| (code, f64::from(n)));
            QueryTally { total: 1.0, values: values.collect() }
        };
        let measured = |distance: GroundDistance<'_>| {
            errors(&tally(&one), &tally(&other), Some((&variable, &distance))).unwrap().earth_movers
        };
        let matrix = |all: &[f64]| measured(GroundDistance::Matrix(all, leaves.clone())).unwrap();
        let tree = measured(GroundDistance::Hierarchical(&tree, leaves.clone())).unwrap();
        prop_assert!((tree - matrix(&by_tree)).abs() < 1e-7);
        let order = measured(GroundDistance::Ordered((0..5).collect())).unwrap();
        prop_assert!((order - matrix(&by_order)).abs() < 1e-7);
        Ok(())
    });
}
