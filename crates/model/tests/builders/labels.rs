//! What values become, rule by rule, and which rules and values are refused.

use haggle_model::{
    Builder, DateUnit, Groups, Intervals, Node, Occurrence, OpenEnds, Pad, Prefix, Tree,
};
use insta::assert_snapshot;

use crate::builders::{
    bounds, branch, build, dates, group, intervals, label, numbers, paths, problem, problems,
};

#[test]
fn intervals_of_whole_numbers_name_their_first_and_last() {
    let rule = intervals(&["5", "10", "20"], "17").unwrap();
    assert_eq!(rule.to_string(), "intervals of 5, 10 and 20 from 17");
    assert_eq!(
        paths(rule, &["17", "21", "22", "90"]),
        [
            "17 17-21 17-26 17-36 *",
            "21 17-21 17-26 17-36 *",
            "22 22-26 17-26 17-36 *",
            "90 87-91 87-96 77-96 *"
        ]
    );
    let rule = intervals(&["1", "2"], "0").unwrap();
    assert_eq!(paths(rule, &["-3", "3"]), ["-3 -3 [-4,-3] *", "3 3 2-3 *"]);
}

#[test]
fn intervals_of_fractions_are_half_open() {
    let rule = intervals(&["2.5", "5"], "0").unwrap();
    assert_eq!(paths(rule, &["18", "20"]), ["18 [17.5,20) [15,20) *", "20 [20,22.5) [20,25) *"]);
    let rule = intervals(&["5"], "0").unwrap().with_decimals();
    assert_eq!(rule.to_string(), "intervals of 5, with decimals");
    assert_eq!(paths(rule, &["17.3", "4"]), ["17.3 [15,20) *", "4 [0,5) *"]);
    let rule = intervals(&["0.1"], "0").unwrap();
    assert_eq!(paths(rule, &["0.3", "0.29"]), ["0.3 [0.3,0.4) *", "0.29 [0.2,0.3) *"]);
}

/// A suppressed value must not change the labels of published ones.
#[test]
fn labels_follow_from_the_rule_whatever_other_values_there_are() {
    let label = |rule: Builder, other: &str| paths(rule, &["17", other]).swap_remove(0);
    let zip = |pad| Prefix::new(vec![1, 2], pad).unwrap().with_length(3);
    let rules: [(Builder, &str); 6] = [
        (intervals(&["5"], "0").unwrap().into(), "17 15-19 *"),
        (intervals(&["5"], "0").unwrap().with_decimals().into(), "17 [15,20) *"),
        (bounds(&[&["10", "20"]]).unwrap().into(), "17 10-19 *"),
        (bounds(&[&["10", "20"]]).unwrap().with_decimals().into(), "17 [10,20) *"),
        (zip(Pad::Right).into(), "17 17* 1** *"),
        (zip(Pad::Left).into(), "17 01* 0** *"),
    ];
    for (rule, expected) in rules {
        for other in ["18", "18.5", "123456"] {
            assert_eq!(label(rule.clone(), other), expected, "next to {other}");
        }
    }
    let left = Prefix::new(vec![1], Pad::Left).unwrap();
    assert_eq!(label(left.into(), "K17999"), "17 1* *", "letters add no zeros");
}

#[test]
fn open_ends_hold_at_every_level_and_cut_the_interval_they_lie_in() {
    let ends = OpenEnds { below: Some(20.into()), above: Some(80.into()) };
    let rule = Intervals::new(numbers(&["5", "10"]), 17.into(), ends).unwrap();
    assert_eq!(rule.to_string(), "intervals of 5 and 10 from 17, open below 20 and from 80 on");
    assert_eq!(
        paths(rule, &["3", "19", "20", "79", "80", "104"]),
        [
            "3 <20 <20 *",
            "19 <20 <20 *",
            "20 20-21 20-26 *",
            "79 77-79 77-79 *",
            "80 ≥80 ≥80 *",
            "104 ≥80 ≥80 *"
        ]
    );
}

#[test]
fn widths_that_do_not_nest_are_refused_with_all_that_is_wrong() {
    assert_eq!(
        problem(intervals(&["5", "12"], "0")),
        "intervals of 5 do not fit into intervals of 12"
    );
    assert_eq!(
        problem(intervals(&["5", "5"], "0")),
        "intervals of 5 do not fit into intervals of 5"
    );
    assert_eq!(
        problem(intervals(&["10", "5"], "0")),
        "intervals of 10 do not fit into intervals of 5"
    );
    assert_eq!(problem(intervals(&[], "0")), "the intervals have no width");
    assert_eq!(problem(intervals(&["0"], "0")), "an interval cannot be 0 wide");
    let ends = OpenEnds { below: Some(80.into()), above: Some(20.into()) };
    let all = problems(Intervals::new(numbers(&["-1", "5", "12"]), 0.into(), ends));
    assert_eq!(all.len(), 3, "{all:?}");
    assert_eq!(all[2].what, "below = 80 does not lie under above = 20");
}

#[test]
fn values_that_are_not_numbers_are_named_with_the_line_of_the_first() {
    let values = ["1", "b,5", "x2", "x3", "x4", "x5", "x6", "7"];
    let refused = problems(build(intervals(&["5"], "0").unwrap(), &values));
    assert_eq!(
        refused[0].what,
        "the intervals of 'x' need numbers, and these are not numbers: 'b,5', 'x2', 'x3', 'x4', 'x5' and 1 more, first on this line"
    );
    assert_eq!(refused[0].at.line, Some(3));
    assert_snapshot!(refused[0].fix, @"correct them (digits, at most one point), or declare them as missing");
    // Long values are cut.
    assert_snapshot!(problem(build(bounds(&[&["5"]]).unwrap(), &["n/a".repeat(30)])), @"the bounds of 'x' need numbers, and these are not numbers: 'n/an/an/an/an/an/an/an/an/an/an/an/an/an…', first on this line");
}

#[test]
fn bounds_are_open_at_both_ends() {
    let rule = bounds(&[&["18", "30", "45", "65"], &["18", "65"]]).unwrap();
    assert_eq!(rule.to_string(), "bounds at 18, 30, 45 and 65; at 18 and 65");
    assert_eq!(
        paths(rule, &["17", "18", "44", "65"]),
        ["17 <18 <18 *", "18 18-29 18-64 *", "44 30-44 18-64 *", "65 ≥65 ≥65 *"]
    );
    let rule = bounds(&[&["0.5", "2"]]).unwrap();
    assert_eq!(paths(rule, &["0", "1", "2"]), ["0 <0.5 *", "1 [0.5,2) *", "2 ≥2 *"]);
}

#[test]
fn bounds_that_do_not_rise_or_nest_are_refused() {
    assert_snapshot!(problem(bounds(&[&["18", "65"], &["18", "40", "65"]])), @"level 2 is bounded at 40, but the level below it is not, so an interval would belong to two");
    assert_eq!(problem(bounds(&[&["65", "18"]])), "the bounds 65 and 18 do not rise");
    assert_eq!(problem(bounds(&[&["18"], &[]])), "a level has no bounds");
    assert_eq!(problem(bounds(&[])), "a level has no bounds");
}

#[test]
fn prefixes_keep_the_first_characters() {
    let rule = Prefix::new(vec![1, 2, 3], Pad::Right).unwrap();
    assert_eq!(
        paths(rule, &["10115", "12045"]),
        ["10115 1011* 101** 10*** *", "12045 1204* 120** 12*** *"]
    );
    let rule = Prefix::new(vec![1], Pad::Right).unwrap();
    assert_eq!(paths(rule, &["äö", "äü"]), ["äö ä* *", "äü ä* *"]);
    let all = Prefix::new(vec![1], Pad::Right).unwrap();
    assert_eq!(paths(all, &["a", "b"]), ["a *", "b *"], "a level that is the top is not doubled");
}

#[test]
fn prefixes_of_values_of_different_length_are_padded() {
    let rule = Prefix::new(vec![1, 2, 3], Pad::Right).unwrap();
    assert_eq!(
        paths(rule, &["E11", "E11.9", "E1"]),
        ["E11 E11 E11** E1*** *", "E11.9 E11.* E11** E1*** *", "E1 E1 E1 E1*** *"]
    );
    let rule = Prefix::new(vec![1, 2], Pad::Left).unwrap();
    assert_eq!(paths(rule, &["2139", "10115"]), ["2139 0213* 021** *", "10115 1011* 101** *"]);
    let rule = Prefix::new(vec![3], Pad::Left).unwrap();
    assert_eq!(rule.to_string(), "the last 3 characters hidden, padded on the left");
    assert_eq!(paths(rule, &["N1 5AA", "SW11 2AB"]), ["N1 5AA N1 *** *", "SW11 2AB SW11 *** *"]);
}

#[test]
fn prefixes_that_hide_nothing_more_are_refused() {
    let hidden = [vec![], vec![0], vec![2, 2], vec![3, 1]];
    let refused = hidden.map(|hidden| problem(Prefix::new(hidden, Pad::Right)));
    assert_snapshot!(refused.join("\n"), @"
    prefix = [] does not hide more characters at each level
    prefix = [0] does not hide more characters at each level
    prefix = [2, 2] does not hide more characters at each level
    prefix = [3, 1] does not hide more characters at each level
    ");
}

#[test]
fn dates_become_parts_of_the_calendar() {
    use DateUnit::{Day, Decade, Month, Quarter, Week, Year};
    let rule = dates(&[Month, Quarter, Year, Decade], None).unwrap();
    assert_eq!(rule.to_string(), "dates by month, quarter, year and decade");
    assert_eq!(paths(rule, &["2024-02-29"]), ["2024-02-29 2024-02 2024-Q1 2024 2020s *"]);
    let rule = dates(&[Day], None).unwrap();
    assert_eq!(paths(rule, &["2024-02-29T23:59:59"]), ["2024-02-29T23:59:59 2024-02-29 *"]);
    let rule = dates(&[Week, Year], None).unwrap();
    assert_eq!(
        paths(rule, &["2024-12-30", "2024-12-29"]),
        ["2024-12-30 2025-W01 2025 *", "2024-12-29 2024-W52 2024 *"]
    );
    let days = ["1.12.1999", "24.2.1999"];
    assert_eq!(
        paths(dates(&[Month], None).unwrap(), &days),
        ["1.12.1999 1999-12 *", "24.2.1999 1999-02 *"]
    );
    let first = build(dates(&[Month], None).unwrap(), &days).unwrap();
    assert_eq!(first.label(0, 1.into()), "1999-02", "dates are in the order of time");
}

#[test]
fn slashes_are_read_as_stated_or_as_only_one_way_fits() {
    let month = |format| dates(&[DateUnit::Month], format).unwrap();
    assert_eq!(
        paths(month(None), &["1/13/2020", "2/3/2020"]),
        ["1/13/2020 2020-01 *", "2/3/2020 2020-02 *"]
    );
    assert_eq!(paths(month(None), &["13/1/2020"]), ["13/1/2020 2020-01 *"]);
    assert_eq!(paths(month(Some("D/M/YYYY")), &["2/3/2020"]), ["2/3/2020 2020-03 *"]);
    let ambiguous = problem(build(month(None), &["2/3/2020"]));
    assert_eq!(
        ambiguous,
        "the dates of 'x' can be read as M/D/YYYY and as D/M/YYYY, such as '2/3/2020'"
    );
}

#[test]
fn dates_that_do_not_exist_or_follow_another_format_are_named() {
    let month = dates(&[DateUnit::Month], None).unwrap();
    let refused = problems(build(month.clone(), &["2023-01-31", "2023-02-30", "soon", "2023-1-1"]));
    assert_eq!(
        refused[0].what,
        "'x' has values that are not dates of the form YYYY-MM-DD: '2023-02-30', 'soon', '2023-1-1', first on this line"
    );
    assert_eq!(refused[0].at.line, Some(3));
    let odd = ["2023-01-01T", "2023-01-01 noon", "2023-01-01T25:99", "2023-01-01-01"];
    let refused = odd.map(|odd| problem(build(month.clone(), &[odd])));
    assert_snapshot!(refused.join("\n"), @"
    'x' has values that are not dates of the form YYYY-MM-DD: '2023-01-01T', first on this line
    'x' has values that are not dates of the form YYYY-MM-DD: '2023-01-01 noon', first on this line
    'x' has values that are not dates of the form YYYY-MM-DD: '2023-01-01T25:99', first on this line
    'x' has values that are not dates of the form YYYY-MM-DD: '2023-01-01-01', first on this line
    ");
}

#[test]
fn units_that_do_not_nest_are_refused() {
    use DateUnit::{Month, Quarter, Week, Year};
    assert_eq!(
        problem(dates(&[Week, Month], None)),
        "a week may lie in two months, so it belongs to neither"
    );
    assert_eq!(problems(dates(&[Week, Month, Quarter], None)).len(), 2);
    let wrong = problems(dates(&[Year, Month], None));
    assert_eq!(wrong[0].fix.to_string(), "write dates = [\"month\", \"year\"]");
    assert_eq!(problems(dates(&[], None)).len(), 1);
    assert_eq!(problems(dates(&[Month, Month], None)).len(), 1);
}

#[test]
fn groups_of_groups_climb_level_by_level() {
    let levels = vec![
        vec![group("child", &["1", "2"]), group("young", &["18"]), group("old", &["70"])],
        vec![group("minor", &["child"]), group("adult", &["young", "old"])],
    ];
    let rule = Groups::new(levels, None, None).unwrap();
    assert_eq!(rule.to_string(), "3 and 2 groups");
    assert_eq!(paths(rule.clone(), &["2", "70"]), ["2 child minor *", "70 old adult *"]);
    let what = problem(build(rule, &["2", "3"]));
    assert_eq!(what, "no group of 'x' lists '3', first on this line");
}

#[test]
fn the_rest_has_a_label_at_every_level() {
    let levels = vec![vec![group("a", &["1"]), group("b", &["2"])], vec![group("ab", &["a", "b"])]];
    let rule = Groups::new(levels, None, Some("other".into())).unwrap();
    assert_eq!(paths(rule, &["1", "9"]), ["1 a ab *", "9 other other *"]);
}

#[test]
fn an_order_sets_the_codes_and_demands_neighbours() {
    let levels = || vec![vec![group("low", &["b", "a"]), group("high", &["c"])]];
    let order = |list: &[&str]| Some(list.iter().map(|&value| value.to_owned()).collect());
    let rule = Groups::new(levels(), order(&["c", "a", "b"]), None).unwrap();
    let hierarchy = build(rule, &["a"]).unwrap();
    assert_eq!((0..3).map(|c| hierarchy.label(c, 0.into())).collect::<String>(), "cab");
    let scattered = problem(Groups::new(levels(), order(&["a", "c", "b"]), None));
    assert_eq!(scattered, "the values of 'low' (level 1) are not neighbours in order");
    assert_eq!(problem(Groups::new(levels(), order(&["a", "b"]), None)), "order leaves out 'c'");
    let twice = problem(Groups::new(levels(), order(&["a", "b", "c", "c"]), None));
    assert_eq!(twice, "'c' in order is not in any group, or is listed twice");
}

#[test]
fn groups_that_contradict_each_other_are_refused() {
    let groups = |levels| Groups::new(levels, None, None);
    let twice = groups(vec![vec![group("a", &["1", "2"]), group("b", &["2"])]]);
    assert_eq!(problem(twice), "'2' is listed in 'a' and again in 'b' (level 1)");
    let unknown = groups(vec![vec![group("a", &["1"])], vec![group("top", &["a", "z"])]]);
    assert_eq!(problem(unknown), "'z' in the groups of level 2 is not a label of the level below");
    let forgotten =
        groups(vec![vec![group("a", &["1"]), group("b", &["2"])], vec![group("top", &["a"])]]);
    assert_eq!(problem(forgotten), "'b' of level 1 is in no group of level 2");
    assert_eq!(problem(groups(vec![])), "a level has no groups");
    let empty = groups(vec![vec![group("a", &[])]]);
    assert_eq!(problem(empty), "the group 'a' has no members or no name");
}

#[test]
fn trees_may_be_ragged() {
    let self_employed = Node::with_values("Self-employed", ["Inc", "Not-inc"]);
    let own = branch("Own", vec![self_employed, Node::Leaf("Freelance".into())]);
    let tree = Tree::new(vec![own, Node::with_values("State", ["Federal"])], None).unwrap();
    assert_eq!(tree.to_string(), "a tree of 4 values");
    assert_eq!(
        paths(tree.clone(), &["Inc", "Freelance", "Federal"]),
        ["Inc Self-employed Own *", "Freelance Own Own *", "Federal State State *"]
    );
    let what = problem(build(tree, &["Inc", "Never"]));
    assert_eq!(what, "the tree of 'x' does not list 'Never', first on this line");
    let rest =
        Tree::new(vec![Node::with_values("State", ["Federal"])], Some("Other".into())).unwrap();
    assert_eq!(paths(rest, &["Federal", "Never"]), ["Federal State *", "Never Other *"]);
}

#[test]
fn trees_that_contradict_themselves_are_refused() {
    let tree = |nodes| Tree::new(nodes, None);
    let twice = tree(vec![Node::with_values("A", ["1"]), Node::with_values("B", ["1"])]);
    assert_eq!(problem(twice), "the tree lists '1' twice");
    let names =
        tree(vec![Node::with_values("A", ["1"]), branch("B", vec![Node::with_values("A", ["2"])])]);
    assert_eq!(problem(names), "two branches of the tree are named 'A'");
    let empty = tree(vec![Node::with_values("A", Vec::<String>::new())]);
    assert_eq!(problem(empty), "the branch 'A' of the tree has no values or no name");
    assert_eq!(problem(tree(vec![])), "the tree has no branches");
    assert_eq!(problem(tree(vec![Node::Leaf("1".into())])), "'1' is not in any branch of the tree");
    let inner = vec![branch("B", vec![Node::with_values("A", ["2"])])];
    let rest = Tree::new(inner, Some("A".into()));
    assert_eq!(problem(rest), "rest = \"A\" names a branch that lies below another");
}

#[test]
fn a_missing_value_gets_a_path_of_its_own_unless_it_is_listed() {
    let values = ["17", "?"].map(|value| Occurrence { value, line: 1 });
    let rule = Builder::from(intervals(&["5"], "0").unwrap());
    let age = rule.build("age", &values, Some("?")).unwrap();
    assert_eq!(age.path(age.code("?").unwrap()).collect::<Vec<_>>(), ["?", "?", "*"]);
    assert!(rule.build("age", &values, None).is_err());
    let complete = rule.build("age", &values[..1], Some("?")).unwrap();
    assert_eq!(complete.code("?"), None, "it does not occur");
    let nothing = rule.build("age", &values[1..], Some("?")).unwrap();
    assert_eq!(nothing.path(0).collect::<Vec<_>>(), ["?", "*"]);
    let tree = Tree::new(
        vec![Node::with_values("known", ["17"]), Node::with_values("unknown", ["?"])],
        None,
    );
    let listed = Builder::from(tree.unwrap()).build("age", &values, Some("?")).unwrap();
    assert_eq!(label(&listed, "?", 1), "unknown");
}

#[test]
fn a_recorded_star_is_refused() {
    let what = problem(build(Prefix::new(vec![1], Pad::Right).unwrap(), &["10115", "*"]));
    assert_eq!(what, "'x' has the value '*', which means all values");
}
