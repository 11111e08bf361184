//! Attacks find planted cases, and nothing in tables that exclude them.

use haggle_cube::query::ValueSet;
use haggle_cube::{Applied, Base, CountedPart, Counter, Cube, Group};
use haggle_inference::attacks::{
    AttackLimits, CATALOG, CountedTable, Finding, Promise, Situation, find,
};
use haggle_inference::groups::FileColumns;
use haggle_inference::{JointCounts, PublishedGroups, Suppression};
use haggle_model::{Dictionary, Hierarchy, QuasiIdentifier, Scheme, Watched};
use haggle_privacy::{ClassFunction, Facts, Stated, Target};

/// Classes that are the values themselves.
fn identity() -> ClassFunction {
    ClassFunction::Points(vec![(0.0, 0.0), (9.0, 9.0)])
}

fn dictionary(values: &[&str]) -> Dictionary {
    values.iter().map(|value| Box::from(*value)).collect::<Vec<Box<str>>>().into()
}

fn facts(name: &str, values: &[&str], counts: Vec<u64>, stated: &Stated) -> Facts {
    Facts::new(Target { position: 0, name: name.into() }, dictionary(values), counts, stated)
        .unwrap()
}

/// A publication of one attribute with groups of two recorded values each, and one sensitive
/// column; each group has the counts of the sensitive values.
struct Planted {
    attributes: Vec<QuasiIdentifier>,
    columns: Vec<Watched>,
    facts: Facts,
    groups: Vec<Vec<u64>>,
}

impl Planted {
    fn new(values: &[&str], stated: &Stated, groups: &[&[u64]]) -> Self {
        let paths = (0..2 * groups.len()).map(|q| [q.to_string(), format!("pair {}", q / 2)]);
        let hierarchy = Hierarchy::from_paths("q", paths.collect::<Vec<_>>()).unwrap();
        let count = |value: usize| groups.iter().map(|group| group[value]).sum();
        let counts = (0..values.len()).map(count).collect();
        Self {
            attributes: vec![QuasiIdentifier { name: "q".into(), hierarchy }],
            columns: vec![Watched { name: "s".into(), values: dictionary(values) }],
            facts: facts("s", values, counts, stated),
            groups: groups.iter().map(|group| group.to_vec()).collect(),
        }
    }

    fn run(&self, attack: &str, limits: AttackLimits) -> Result<Finding, String> {
        let side = |group: usize| vec![ValueSet::range(2 * group as u32..2 * group as u32 + 2)];
        let records = self.groups.iter().enumerate().flat_map(|(group, counts)| {
            let values = counts.iter().enumerate().filter(|(_, count)| **count > 0);
            values.map(move |(value, &count)| (side(group), vec![value as u32], count))
        });
        let groups = PublishedGroups::of_file(&self.attributes, &self.columns, records);
        let facts = &self.facts;
        let situation =
            Situation { groups: &groups, column: 0, facts, limits, population: None, table: None };
        (find(attack).unwrap().run)(&situation)
    }

    fn exposed(&self, attack: &str) -> u64 {
        self.run(attack, AttackLimits::default()).unwrap().exposed
    }
}

/// The thesis's table 2.1-2, from its published cells.
#[test]
fn the_37_year_old_of_table_2_1_2_has_cancer() {
    let zip = [["13053", "130**"], ["13068", "130**"], ["14850", "1485*"], ["14853", "1485*"]];
    let ages = [
        ["21", "<30"],
        ["23", "<30"],
        ["28", "<30"],
        ["29", "<30"],
        ["31", "3*"],
        ["35", "3*"],
        ["36", "3*"],
        ["37", "3*"],
        ["47", "≥40"],
        ["49", "≥40"],
        ["50", "≥40"],
        ["55", "≥40"],
    ];
    let attribute = |name: &str, hierarchy: Result<Hierarchy, haggle_model::Error>| {
        QuasiIdentifier { name: name.into(), hierarchy: hierarchy.unwrap() }
    };
    let attributes = [
        attribute("ZIP code", Hierarchy::from_paths("ZIP code", zip)),
        attribute("Age", Hierarchy::from_paths("Age", ages)),
        attribute(
            "Nationality",
            Ok(Hierarchy::flat(["American", "Indian", "Japanese", "Russian"])),
        ),
    ];
    let conditions = ["Cancer", "Heart Disease", "Viral Infection"];
    let columns = [Watched { name: "Condition".into(), values: dictionary(&conditions) }];
    let cells =
        [("130**", "<30", [0, 2, 2]), ("1485*", "≥40", [1, 1, 2]), ("130**", "3*", [4, 0, 0])];
    let mut files = FileColumns::new(&attributes);
    let mut records = Vec::new();
    for (zip, age, counts) in cells {
        let sides: Vec<ValueSet> = [zip, age, "*"]
            .iter()
            .enumerate()
            .map(|(position, cell)| files.resolve(position, cell).unwrap())
            .collect();
        for (value, count) in counts.into_iter().enumerate().filter(|(_, count)| *count > 0) {
            records.push((sides.clone(), vec![value as u32], count));
        }
    }
    let groups = PublishedGroups::of_file(&attributes, &columns, records);
    let facts = facts("Condition", &conditions, vec![5, 3, 4], &Stated::default());
    let situation = Situation {
        groups: &groups,
        column: 0,
        facts: &facts,
        limits: AttackLimits { k: 4, ..AttackLimits::default() },
        population: None,
        table: None,
    };
    let found = (find("homogeneity").unwrap().run)(&situation).unwrap();
    assert_eq!((found.exposed, found.groups), (4, 1));
    assert_eq!(found.worst[0].values, ["130**", "3*", "*"]);
    assert_eq!(found.worst[0].why, "all records have the same value");
    let direct = (find("direct-association").unwrap().run)(&situation).unwrap();
    assert_eq!(direct.exposed, 0, "it is 4-anonymous");
    // In the first group ruling out one of two diseases settles the other.
    let background = (find("background-knowledge").unwrap().run)(&situation).unwrap();
    assert_eq!(background.exposed, 4 + 4);
    assert_eq!(
        background.note.unwrap(),
        "records by the fewest values to rule out: 0: 4, 1: 4, 2: 4"
    );
    let missing = (find("similarity").unwrap().run)(&situation).unwrap_err();
    assert!(missing.contains("no order"), "{missing}");
}

#[test]
fn a_rare_disease_that_half_of_a_group_has_is_skewed() {
    let none = Stated::default();
    let values = ["negative", "positive"];
    let planted = Planted::new(&values, &none, &[&[1, 1], &[998, 0]]);
    assert_eq!(planted.exposed("skewness"), 2);
    let found = planted.run("skewness", AttackLimits::default()).unwrap();
    assert_eq!(found.worst[0].why, "50.0 % have a value that 0.1 % of the table have");
    let even = Planted::new(&values, &none, &[&[50, 50], &[48, 52]]);
    assert_eq!(even.exposed("skewness"), 0);
}

#[test]
fn salaries_of_10_15_and_20_thousand_are_similar() {
    let order = ["10K", "15K", "20K", "60K", "100K", "150K", "250K", "500K", "1M"];
    let stated = Stated { order: Some(order.map(String::from).to_vec()), ..Stated::default() };
    let low: &[u64] = &[1, 1, 1, 0, 0, 0, 0, 0, 0];
    let mixed: &[u64] = &[0, 0, 0, 1, 1, 1, 1, 1, 1];
    let planted = Planted::new(&order, &stated, &[low, mixed]);
    assert_eq!(planted.exposed("similarity"), 3);
    let spread = Planted::new(&order, &stated, &[&[1, 0, 1, 0, 1, 0, 0, 0, 1], mixed]);
    assert_eq!(spread.exposed("similarity"), 0);
    // The same by number: 10 to 20 of 10 to 1000.
    let numbers = ["10", "15", "20", "60", "100", "150", "250", "500", "1000"];
    let planted = Planted::new(&numbers, &Stated::default(), &[low, mixed]);
    assert_eq!(planted.exposed("similarity"), 3);
}

#[test]
fn values_of_one_category_are_similar() {
    let categories = vec![
        ("cancer".to_owned(), vec!["lung".to_owned(), "skin".to_owned()]),
        ("infection".to_owned(), vec!["flu".to_owned()]),
    ];
    let stated = Stated { categories, ..Stated::default() };
    let planted = Planted::new(&["flu", "lung", "skin"], &stated, &[&[0, 2, 1], &[1, 1, 1]]);
    let found = planted.run("similarity", AttackLimits::default()).unwrap();
    assert_eq!((found.exposed, found.worst[0].why.as_str()), (3, "all in one category"));
}

#[test]
fn values_that_may_be_disclosed_are_not_attacked() {
    let stated = Stated { dont_care: vec!["none".to_owned()].into(), ..Stated::default() };
    let planted = Planted::new(&["flu", "none"], &stated, &[&[0, 5], &[4, 0], &[2, 2]]);
    assert_eq!(planted.exposed("homogeneity"), 4);
}

#[test]
fn a_bell_rules_out_what_is_three_deviations_away() {
    let class_function = Some(identity());
    let stated = Stated { class_function, ..Stated::default() };
    let values = ["0", "1", "9"];
    let planted = Planted::new(&values, &stated, &[&[2, 0, 1], &[3, 3, 0]]);
    let found = planted.run("elimination", AttackLimits::default()).unwrap();
    assert_eq!(found.exposed, 3, "0 and 9 are alone once the other is ruled out");
    let phi = |x: f64| (-x * x / 2.0).exp() / std::f64::consts::TAU.sqrt();
    let (least, most) = (phi(0.0) + 2.0 * phi(9.0), 3.0 * phi(0.0) + 3.0 * phi(1.0));
    let note = found.note.unwrap();
    assert_eq!(note, format!("ψ from {least:.3} to {most:.3}, κ = 1, σ = 1"));
    let wide = AttackLimits { width: 4.0, ..AttackLimits::default() };
    assert_eq!(planted.run("elimination", wide).unwrap().exposed, 0);
    let unstated = Planted::new(&values, &Stated::default(), &[&[1, 1, 1]]);
    assert!(
        unstated
            .run("elimination", AttackLimits::default())
            .unwrap_err()
            .contains("class_function")
    );
}

#[test]
fn records_that_are_published_as_recorded_can_be_linked() {
    let attributes =
        [QuasiIdentifier { name: "q".into(), hierarchy: Hierarchy::flat(["a", "b", "c"]) }];
    let columns = [Watched { name: "s".into(), values: dictionary(&["x", "y"]) }];
    let records = [
        (vec![ValueSet::range(0..1)], vec![0], 1),
        (vec![ValueSet::range(1..2)], vec![1], 5),
        (vec![ValueSet::range(1..3)], vec![1], 1),
    ];
    let groups = PublishedGroups::of_file(&attributes, &columns, records);
    let facts = facts("s", &["x", "y"], vec![1, 6], &Stated::default());
    let of = |population: Option<&[u64]>| {
        let limits = AttackLimits::default();
        let situation = Situation {
            groups: &groups,
            column: 0,
            facts: &facts,
            limits,
            population,
            table: None,
        };
        (find("joint-attack").unwrap().run)(&situation).unwrap()
    };
    let alone = of(None);
    assert_eq!((alone.exposed, alone.groups), (1, 1), "the last one is generalized");
    assert_eq!(alone.worst[0].values, ["(as recorded)"], "the record is not printed");
    let everyone = of(Some(&[9, 5, 9]));
    assert_eq!(everyone.exposed, 1 + 5, "all five persons who look like it are in the table");
}

/// Records of one attribute with values 0 to 3, in pairs at level 1, and a sensitive value.
fn cube(records: &[(u32, u32)], values: &[&str]) -> Cube {
    let paths = (0..4).map(|q| [q.to_string(), format!("pair {}", q / 2), "*".into()]);
    let hierarchy = Hierarchy::from_paths("q", paths.collect::<Vec<_>>()).unwrap();
    let attribute = QuasiIdentifier { name: "q".into(), hierarchy };
    let watched = Watched { name: "s".into(), values: dictionary(values) };
    let mut counter = Counter::new(1, 1);
    for &(q, s) in records {
        counter.add(&[q, s]);
    }
    let recode = vec![(0..4).collect(), (0..values.len() as u32).collect()];
    Cube::from_parts(vec![attribute], vec![watched], &[CountedPart { counter, recode }])
}

/// At least `k` records with at least `l` values.
struct Diverse<'b> {
    base: &'b Base,
    k: u64,
    l: usize,
}

impl Promise for Diverse<'_> {
    fn holds(&self, rows: &[u32]) -> bool {
        self.would_hold(&self.base.merger(0).merge(rows.iter().copied()))
    }

    fn would_hold(&self, group: &Group<'_>) -> bool {
        group.records >= self.k && group.values.len() >= self.l
    }
}

fn on_table(
    attack: &str,
    cube: &Cube,
    level: u8,
    (k, l): (u64, usize),
    earlier: &[u8],
) -> Result<Finding, String> {
    let (base, joint) = (Base::of(cube), JointCounts::from_cube(cube, Some(0)));
    let scheme = Scheme::new([level]);
    let of = |level: u8| Applied::levels(cube.attributes(), &base, &Scheme::new([level]));
    let applied = of(level);
    let groups = PublishedGroups::new(&joint, &applied, |_| true, Suppression::Dropped);
    let earlier: Vec<(Applied, Vec<bool>)> = earlier
        .iter()
        .map(|&level| {
            let applied = of(level);
            let kept = vec![true; applied.len()];
            (applied, kept)
        })
        .collect();
    let kept = vec![true; applied.len()];
    let promise = Diverse { base: &base, k, l };
    let values: Vec<&str> = cube.watched()[0].values.values().collect();
    let facts = facts("s", &values, vec![1; values.len()], &Stated::default());
    let table = CountedTable {
        attributes: cube.attributes(),
        base: &base,
        watched: 0,
        applied: &applied,
        kept: &kept,
        scheme: Some(&scheme),
        promise: Some(&promise),
        earlier: &earlier,
        unjudged: 0,
    };
    let limits = AttackLimits::default();
    let table = Some(table);
    let situation =
        Situation { groups: &groups, column: 0, facts: &facts, limits, population: None, table };
    (find(attack).unwrap().run)(&situation)
}

#[test]
fn minimality_tells_which_group_broke_the_promise() {
    // Around every part of two records there are three records of one value.
    let records = [(0, 0), (0, 0), (1, 0), (1, 1), (2, 1), (2, 0), (3, 0), (3, 1)];
    let several = cube(&records, &["x", "y"]);
    let found = on_table("minimality", &several, 1, (2, 2), &[]).unwrap();
    assert_eq!(found.exposed, 0, "more than one part could have failed");
    // Of three x, a part of two records can be all x, a part of four cannot; the other pair has no
    // value twice.
    let records = [(0, 0), (0, 0), (1, 0), (1, 1), (1, 2), (1, 1), (2, 1), (2, 0), (3, 2), (3, 3)];
    let planted = cube(&records, &["x", "y", "z", "u"]);
    let found = on_table("minimality", &planted, 1, (2, 2), &[]).unwrap();
    assert_eq!((found.exposed, found.groups), (2, 1));
    assert_eq!(found.worst[0].values, ["pair 0"]);
    let none = on_table("minimality", &planted, 0, (1, 1), &[]).unwrap();
    assert_eq!(none.exposed, 0, "nothing is lower than the base scheme");
}

#[test]
fn two_publications_that_keep_the_promise_may_break_it_together() {
    // Boxes {0,1},{2,3} and {0},{1,2},{3}: what they have in common is one value.
    let records = [(0, 0), (0, 1), (1, 0), (1, 0), (2, 1), (2, 1), (3, 0), (3, 1)];
    let table = cube(&records, &["x", "y"]);
    let same = on_table("composition", &table, 1, (2, 2), &[1, 2]).unwrap();
    assert_eq!(same.exposed, 0, "coarser or equal publications add nothing");
    let finer = on_table("composition", &table, 1, (2, 2), &[0]).unwrap();
    assert_eq!(finer.exposed, 4, "values 1 and 2 were published alone");
    assert!(finer.note.unwrap().contains("4 records have one possible value left"));
    let first = on_table("composition", &table, 1, (2, 2), &[]).unwrap_err();
    assert!(first.contains("no earlier publication"));
}

#[test]
fn even_and_diverse_groups_are_not_exposed() {
    let stated = Stated { class_function: Some(identity()), ..Stated::default() };
    let values = ["0", "1", "2", "3"];
    let even: &[&[u64]] = &[&[5, 5, 5, 5], &[5, 5, 5, 5]];
    let planted = Planted::new(&values, &stated, even);
    for attack in CATALOG {
        let found = planted.run(attack.id, AttackLimits::default());
        assert_eq!(found.map_or(0, |found| found.exposed), 0, "{}", attack.id);
    }
}
