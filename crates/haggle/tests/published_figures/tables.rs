//! The thesis's derived tables: grouping power (3.1), ratios (3.5, 3.14, 3.15) and single schemes
//! (3.11, 3.12, 3.13).

use haggle::{Ask, Engine, Privacy, Scheme};

use super::{BTreeMap, Engines, HeightStudy, assert_agrees, levels, rows};

type Row = BTreeMap<String, String>;

/// The study of a model under maximum levels (none: the full lattice).
fn study(engine: &Engine, model: &str, threshold: &str, under: &str) -> Vec<HeightStudy> {
    let levels = (!under.is_empty()).then(|| levels(under));
    let privacy = vec![Privacy::new(model, threshold.parse().unwrap())];
    engine.study(&Ask { privacy, levels, ..Ask::default() }).unwrap()
}

fn statistic(height: &HeightStudy, name: &str) -> f64 {
    match name {
        "least" => height.least as f64,
        "mean" => height.mean,
        other => panic!("unknown statistic {other}"),
    }
}

#[test]
fn table_3_1_ranks_the_attributes_by_their_smallest_group() {
    let mut engines = Engines::default();
    let six = engines.on("age education marital-status occupation race workclass");
    let study = six.grouping().unwrap();
    let order: Vec<(&str, u64)> =
        study.attributes.iter().map(|one| (one.attribute.as_str(), one.smallest)).collect();
    let printed = [
        ("age", 1),
        ("occupation", 9),
        ("workclass", 14),
        ("marital-status", 21),
        ("education", 45),
        ("race", 231),
    ];
    assert_eq!(order, printed);
    for name in ["marital-status", "age"] {
        let found = study.attributes.iter().find(|one| one.attribute == name).unwrap();
        let printed = rows("grouping.csv").into_iter().filter(|row| row["attribute"] == name);
        let printed: Vec<[String; 2]> =
            printed.map(|r| [r["size"].clone(), r["groups"].clone()]).collect();
        let sizes = found.sizes.iter().take(printed.len());
        let sizes: Vec<[String; 2]> =
            sizes.map(|s| [s.size.to_string(), s.groups.to_string()]).collect();
        assert_eq!(sizes, printed, "{name}");
    }
    let marital = study.attributes.iter().find(|one| one.attribute == "marital-status").unwrap();
    assert_eq!((marital.groups, marital.sizes.len()), (7, 7), "the print lists all of them");
}

/// Tables 3.5, 3.14 and 3.15: one statistic over another at the same height.
#[test]
fn every_ratio_of_the_suppression_tables_is_reproduced() {
    let mut engines = Engines::default();
    let (mut checked, mut slips) = (0, 0);
    for row in rows("ratios.csv") {
        let engine = engines.on(&row["qi"]);
        let height: usize = row["height"].parse().unwrap();
        let at = |threshold: &str| study(engine, &row["model"], &row[threshold], &row["under"]);
        let above = statistic(&at("threshold")[height], &row["statistic"]);
        let below = match row["over_statistic"].as_str() {
            "" => 1.0,
            name => statistic(&at("over_threshold")[height], name),
        };
        assert_agrees(&row, above / below);
        checked += 1;
        slips += usize::from(row["note"].starts_with("slip"));
    }
    assert_eq!((checked, slips), (166, 9), "every slip of the print is known");
}

/// The margins of table 3.14 are means of its rounded cells.
#[test]
fn the_margins_of_table_3_14_average_its_printed_cells() {
    let cells: Vec<Row> = rows("ratios.csv").into_iter().filter(|r| r["table"] == "3.14").collect();
    let mean = |chosen: &dyn Fn(&Row) -> bool| {
        let cells = cells.iter().filter(|row| chosen(row));
        let numbers: Vec<f64> = cells.map(|row| row["printed"].parse().unwrap()).collect();
        format!("{:.2}", numbers.iter().sum::<f64>() / numbers.len() as f64)
    };
    let rows = ["H0", "H1", "H2", "H3", "H4", "H5", "H6"].map(|h| mean(&|row| row["row"] == h));
    assert_eq!(rows, ["1.00", "1.66", "2.14", "2.68", "2.87", "4.18", "4.34"]);
    let column = |attributes: usize, k: &str| {
        mean(&|row| row["qi"].split(' ').count() == attributes && row["threshold"] == k)
    };
    let columns: Vec<String> =
        (3..=6).flat_map(|n| ["3", "10", "25"].map(|k| column(n, k))).collect();
    let printed = "2.13 3.18 2.07 2.91 2.77 3.57 3.11 2.70 2.46 2.66 2.31 1.99";
    assert_eq!(columns.join(" "), printed);
    assert_eq!(mean(&|_| true), "2.66");
}

/// Tables 3.11 to 3.13. Their five digits are age, occupation, education, workclass and race.
#[test]
fn single_schemes_suppress_as_printed() {
    let mut engines = Engines::default();
    let mut checked = 0;
    for row in rows("nodes.csv") {
        let engine = engines.on(&row["qi"]);
        let scheme: Scheme = row["scheme"].replace(' ', ",").parse().unwrap();
        let ask = Ask { privacy: vec![Privacy::new("k-anonymity", 3.0)], ..Ask::default() };
        let suppressed = engine.pinned(&ask, &scheme).unwrap().suppressed as f64;
        assert_agrees(
            &row,
            match row["statistic"].as_str() {
                "suppressed" => suppressed,
                "percent" => 100.0 * suppressed / engine.records() as f64,
                "improvement" => 100.0 * (1.0 - suppressed / previous_mean(engine, &row)),
                other => panic!("unknown statistic {other}"),
            },
        );
        checked += 1;
    }
    assert_eq!(checked, 53, "no row was lost");
}

/// The mean of the height below that of three levels, rounded as the print rounds it.
fn previous_mean(engine: &Engine, row: &Row) -> f64 {
    let ones = ["1"].repeat(row["scheme"].split(' ').count()).join(" ");
    let under = if row["mean_of"] == "partial" { ones.as_str() } else { "" };
    let unit = 10_f64.powi(row["mean_decimals"].parse().unwrap());
    (study(engine, "k-anonymity", "3", under)[2].mean * unit).round() / unit
}

/// Table 3.8 prints heights 3 and 4 of three attributes, where the partial lattice ends at 3 and 17.
#[test]
fn the_partial_lattice_of_three_attributes_ends_at_height_three() {
    let mut engines = Engines::default();
    let partial = study(engines.on("age race workclass"), "k-anonymity", "3", "1 1 1");
    assert_eq!((partial.len(), partial[3].least), (4, 17));
}
