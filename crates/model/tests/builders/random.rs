//! Random rules on random values: every value is covered, levels nest, and labels are correct.

use std::collections::BTreeSet;

use haggle_model::{
    Bounds, DateUnit, Dates, Decimal, Groups, Intervals, Node, OpenEnds, Pad, Prefix, Tree,
    ValueGroup,
};
use haggle_testkit::generate::check;
use proptest::collection::{btree_set, vec};
use proptest::prelude::*;

use crate::builders::{assert_sound, branch, build, label};

#[test]
fn random_intervals_hold_their_numbers_and_nest() {
    let steps = vec(2..5_i32, 0..3);
    let values = btree_set(-200..400_i32, 1..40);
    let ends = (prop::option::of(-50..0_i32), prop::option::of(100..300_i32));
    let strategy = (1..20_i32, steps, -30..30_i32, values, ends, any::<bool>());
    check(1000, &strategy, |(first, steps, origin, values, (below, above), halves)| {
        let mut widths = vec![Decimal::from(first)];
        for step in &steps {
            widths.push(widths[widths.len() - 1] * i128::from(*step));
        }
        let ends = OpenEnds { below: below.map(Into::into), above: above.map(Into::into) };
        let rule = Intervals::new(widths.clone(), origin.into(), ends).unwrap();
        let rule = if halves { rule.with_decimals() } else { rule };
        let values: BTreeSet<String> =
            values.iter().map(|v| if halves { format!("{v}.5") } else { v.to_string() }).collect();
        let values_list: Vec<&String> = values.iter().collect();
        let hierarchy = build(rule, &values_list).unwrap();
        assert_sound(&hierarchy, &values, widths.len());
        for value in &values {
            let number: f64 = value.parse().unwrap();
            for (level, width) in (1..).zip(&widths) {
                let text = label(&hierarchy, value, level);
                let (from, to) = spelled_out(&text);
                prop_assert!(from <= number && number <= to, "{} in {}", value, text);
                let width: f64 = width.to_string().parse().unwrap();
                prop_assert!(
                    !to.is_finite() || !from.is_finite() || to - from <= width,
                    "{}",
                    text
                );
                if below.is_some_and(|below| number < f64::from(below)) {
                    prop_assert_eq!(&text, &format!("<{}", below.unwrap()));
                }
            }
        }
        Ok(())
    });
}

/// The bounds that an interval's label names.
fn spelled_out(label: &str) -> (f64, f64) {
    if let Some(to) = label.strip_prefix('<') {
        return (f64::NEG_INFINITY, to.parse().unwrap());
    }
    if let Some(from) = label.strip_prefix('≥') {
        return (from.parse().unwrap(), f64::INFINITY);
    }
    let bare = label.trim_matches(['[', ']', ')']);
    let (from, to) = match bare.split_once(',') {
        Some(pair) => pair,
        None => match bare[1..].find('-') {
            Some(at) => (&bare[..=at], &bare[at + 2..]),
            None => (bare, bare),
        },
    };
    (from.parse().unwrap(), to.parse().unwrap())
}

#[test]
fn random_bounds_hold_their_numbers_and_nest() {
    let bounds = btree_set(-50..150_i32, 1..12);
    let strategy = (bounds, vec(any::<bool>(), 12), btree_set(-100..200_i32, 1..40));
    check(1000, &strategy, |(bounds, kept, values)| {
        let first: Vec<Decimal> = bounds.iter().map(|&bound| bound.into()).collect();
        let second: Vec<Decimal> =
            first.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(bound, _)| *bound).collect();
        let levels = if second.is_empty() { vec![first] } else { vec![first, second] };
        let values: BTreeSet<String> = values.iter().map(ToString::to_string).collect();
        let depth = levels.len();
        let list: Vec<&String> = values.iter().collect();
        let hierarchy = build(Bounds::new(levels).unwrap(), &list).unwrap();
        assert_sound(&hierarchy, &values, depth);
        for value in &values {
            let number: f64 = value.parse().unwrap();
            for level in 1..=depth as u8 {
                let (from, to) = spelled_out(&label(&hierarchy, value, level));
                prop_assert!(from <= number && number <= to);
            }
        }
        Ok(())
    });
}

#[test]
fn random_codes_are_masked_so_that_every_label_has_one_parent() {
    let values = btree_set("[0-9a-c*]{0,6}", 1..30);
    let strategy = (values, btree_set(1..8_usize, 1..4), any::<bool>());
    check(2000, &strategy, |(mut values, hidden, left)| {
        values.remove("*");
        values.insert("abc".into());
        let pad = if left { Pad::Left } else { Pad::Right };
        let levels = hidden.len();
        let rule = Prefix::new(hidden.into_iter().collect(), pad).unwrap();
        let list: Vec<&String> = values.iter().collect();
        assert_sound(&build(rule, &list).unwrap(), &values, levels);
        Ok(())
    });
}

#[test]
fn random_dates_nest_and_are_in_the_order_of_time() {
    let day = (1990..2030_u16, 1..=12_u8, 1..=28_u8);
    let units = prop::sample::subsequence(DateUnit::ALL.map(|(unit, _)| unit).to_vec(), 1..=5);
    check(1000, &(vec(day, 1..30), units), |(days, units)| {
        let crosses = units.contains(&DateUnit::Week)
            && units.iter().any(|u| [DateUnit::Month, DateUnit::Quarter].contains(u));
        let rule = Dates::new(units.clone(), None);
        prop_assert_eq!(rule.is_err(), crosses);
        let Ok(rule) = rule else { return Ok(()) };
        let values: BTreeSet<String> =
            days.iter().map(|(y, m, d)| format!("{y}-{m:02}-{d:02}")).collect();
        let list: Vec<&String> = values.iter().collect();
        let hierarchy = build(rule, &list).unwrap();
        assert_sound(&hierarchy, &values, units.len());
        let recorded: Vec<&str> =
            (0..values.len() as u32).map(|code| hierarchy.label(code, 0.into())).collect();
        prop_assert!(recorded.is_sorted());
        Ok(())
    });
}

#[test]
fn random_groups_and_trees_of_the_same_shape_are_the_same() {
    check(500, &vec(vec(1..4_usize, 1..4), 1..4), |shape| {
        let mut leaf = 0;
        let mut tree = Vec::new();
        let mut levels = vec![Vec::new(), Vec::new()];
        for (i, inner) in shape.iter().enumerate() {
            let mut below = Vec::new();
            let mut labels = Vec::new();
            for (j, &leaves) in inner.iter().enumerate() {
                let values: Vec<String> = (leaf..leaf + leaves).map(|v| format!("v{v}")).collect();
                leaf += leaves;
                labels.push(format!("inner {i}.{j}"));
                below.push(Node::with_values(&labels[j], values.clone()));
                levels[0].push(ValueGroup { label: labels[j].clone(), members: values });
            }
            tree.push(branch(&format!("outer {i}"), below));
            levels[1].push(ValueGroup { label: format!("outer {i}"), members: labels });
        }
        let values: BTreeSet<String> = (0..leaf).map(|v| format!("v{v}")).collect();
        let list: Vec<&String> = values.iter().collect();
        let grouped = build(Groups::new(levels, None, None).unwrap(), &list).unwrap();
        assert_sound(&grouped, &values, 2);
        prop_assert_eq!(build(Tree::new(tree, None).unwrap(), &list).unwrap(), grouped);
        Ok(())
    });
}
