//! The worked examples of the catalog, and those of the sources.

use haggle_cube::{CodeMeaning, Generalized, KeptGroups, ValueCount};
use haggle_loss::CATALOG;
use haggle_model::{QuasiIdentifier, Scheme};
use haggle_testkit::{Attribute, Table};

use super::sides::{Case, ESTIMATES, Sides};

/// A table from hierarchies and records, written as text.
pub(crate) fn table(hierarchies: &[&[&str]], records: &[&str]) -> Table {
    let fields = |text: &&str| -> Vec<String> { text.split(' ').map(String::from).collect() };
    let attribute = |(i, rows): (usize, &&[&str])| Attribute {
        name: format!("attribute {i}"),
        rows: rows.iter().map(fields).collect(),
    };
    Table {
        attributes: hierarchies.iter().enumerate().map(attribute).collect(),
        sensitive: vec!["sensitive".into()],
        records: records.iter().map(fields).collect(),
    }
}

/// Repeats a record.
fn times(count: usize, record: &str) -> Vec<&str> {
    vec![record; count]
}

/// Returns the loss of a table at these levels, without the groups with these labels, by the
/// product and by the definition on records, which must agree; all weights are 1.
fn loss(id: &str, table: &Table, levels: &[u8], without: &[&str]) -> f64 {
    let weights = vec![1.0; table.attributes.len()];
    let defined = haggle_testkit::oracle::losses::loss(
        id,
        table,
        levels,
        &|labels| !without.contains(&labels.join(" ").as_str()),
        &weights,
        0,
    );
    let case = Case { table: table.clone(), weights, sensitive: 0 };
    let sides = Sides::of(&case);
    let judge = sides.judges.iter().find(|judge| judge.entry.id == id).unwrap();
    let scheme = Scheme::new(levels.iter().copied());
    let attributes = sides.lattice.cube().attributes();
    let found = sides.of_groups(judge, &scheme, |codes| {
        let cells = codes.iter().zip(attributes).zip(scheme.levels());
        let labels = cells.map(|((&code, a), &level)| a.hierarchy.label(code, level));
        !without.contains(&labels.collect::<Vec<&str>>().join(" ").as_str())
    });
    assert_near(found, defined);
    found
}

fn assert_near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found}, not {expected}");
}

/// As an example says, to three digits.
fn assert_about(found: f64, expected: f64) {
    assert!((found - expected).abs() < 5e-4, "{found}, not about {expected}");
}

const SEX: &[&str] = &["f *", "m *"];

#[test]
fn every_measure_has_an_example() {
    for entry in CATALOG {
        assert!(entry.example.ends_with('.'), "{}: {}", entry.id, entry.example);
        let texts = [entry.title, entry.definition, entry.formula, entry.range, entry.citation];
        assert!(
            texts.iter().all(|text| !text.is_empty()),
            "{} describes itself completely",
            entry.id
        );
    }
    for estimate in ESTIMATES {
        assert!(!haggle_testkit::oracle::losses::MEASURES.contains(estimate));
    }
}

#[test]
fn height_is_the_sum_of_levels() {
    let three = ["a 1 2 *", "b 1 2 *"];
    let table = table(&[&three, SEX, SEX], &["a f f x", "b m m y"]);
    assert_near(loss("height", &table, &[2, 1, 0], &[]), 3.0);
    assert_near(loss("height", &table, &[2, 1, 0], &["2 * f"]), 3.0);
}

/// Ages at four levels, with nine men and one woman.
fn ages() -> Table {
    let ages = ["30 30-34 30-39 30-49 *", "31 30-34 30-39 30-49 *", "41 40-44 40-49 30-49 *"];
    let records = [times(5, "30 m x"), times(4, "31 m x"), times(1, "41 f x")].concat();
    table(&[&ages, SEX], &records)
}

#[test]
fn precision_is_half_of_half_and_more_with_a_tenth_suppressed() {
    assert_near(loss("precision", &ages(), &[2, 0], &[]), 0.25);
    assert_near(loss("precision", &ages(), &[2, 0], &["40-49 f"]), 0.325);
}

#[test]
fn redaction_counts_nine_and_two_cells() {
    assert_near(loss("redaction", &ages(), &[1, 1], &["40-44 *"]), 11.0);
}

#[test]
fn lm_of_three_of_six_countries_is_two_fifths() {
    let rows = ["at EU *", "de EU *", "fr EU *", "ca Other *", "ch Other *", "us Other *"];
    assert_near(loss("lm", &table(&[&rows], &["at x", "us x"]), &[1], &[]), 0.4);
}

#[test]
fn normalised_loss_of_halves_is_a_geometric_mean() {
    let rows = ["a x *", "b x *", "c y *", "d y *"];
    let table = table(&[&rows, &rows], &["a a s", "b c s", "d d s"]);
    assert_about(loss("normalised-loss", &table, &[1, 0], &[]), 0.155);
    assert_near(loss("normalised-loss", &table, &[2, 2], &[]), 1.0);
}

/// Ten records in groups of 3, 3 and 4.
fn ten() -> Table {
    let records = [times(3, "a x"), times(3, "b x"), times(4, "c x")].concat();
    table(&[&["a", "b", "c"]], &records)
}

#[test]
fn discernibility_sums_squares() {
    assert_near(loss("discernibility", &ten(), &[0], &[]), 34.0);
    assert_near(loss("discernibility", &ten(), &[0], &["a"]), 55.0);
}

#[test]
fn average_class_size_counts_the_suppressed_as_a_class() {
    assert_near(loss("average-class-size", &ten(), &[0], &[]), 10.0 / 3.0);
    assert_near(loss("average-class-size", &ten(), &[0], &["a"]), 10.0 / 3.0);
    assert_near(loss("average-class-size", &ten(), &[0], &["a", "b"]), 5.0);
}

#[test]
fn classification_counts_the_minority() {
    let records = [times(3, "m rich"), times(1, "m poor"), times(2, "f poor")].concat();
    let table = table(&[SEX], &records);
    assert_about(loss("classification", &table, &[0], &[]), 0.167);
    assert_near(loss("classification", &table, &[0], &["f"]), 0.5);
}

/// China and India 10 % each, Canada 45 %, the United States 35 %.
fn countries() -> Table {
    let rows = ["china asia", "india asia", "canada americas", "us americas"];
    let few = [times(2, "china x"), times(2, "india x")].concat();
    table(&[&rows], &[few, times(9, "canada x"), times(7, "us x")].concat())
}

#[test]
fn entropies_of_asia_and_the_americas() {
    let americas: f64 = 9.0 / 16.0 * (16.0_f64 / 9.0).log2() + 7.0 / 16.0 * (16.0_f64 / 7.0).log2();
    assert_about(americas, 0.9887);
    let entropy = loss("entropy", &countries(), &[1], &[]);
    assert_near(entropy, 4.0 * 1.0 + 16.0 * americas);
    let monotone = loss("monotone-entropy", &countries(), &[1], &[]);
    assert_near(monotone, 4.0 * 0.2 + 16.0 * 0.8 * americas);
}

#[test]
fn non_uniform_entropy_of_canada_and_the_united_states() {
    let (canada, us) = ((16.0_f64 / 9.0).log2(), (16.0_f64 / 7.0).log2());
    assert_about(canada, 0.8301);
    assert_about(us, 1.1926);
    let loss = loss("non-uniform-entropy", &countries(), &[1], &[]);
    assert_near(loss, 4.0 + 9.0 * canada + 7.0 * us);
}

#[test]
fn ambiguity_of_five_years_and_an_unknown_sex_is_ten() {
    let rows = ["20 20-24", "21 20-24", "22 20-24", "23 20-24", "24 20-24", "25 25-29"];
    let table = table(&[&rows, SEX], &["20 f x", "22 m x"]);
    assert_near(loss("ambiguity", &table, &[1, 1], &[]), 10.0);
}

#[test]
fn kl_divergence_of_three_men_and_a_woman() {
    let table = table(&[SEX], &["m x", "m x", "m x", "f x"]);
    assert_about(loss("kl-divergence", &table, &[1], &[]), 0.131);
    assert_near(loss("kl-divergence", &table, &[0], &[]), 0.0);
}

#[test]
fn volumes_of_one_and_three_that_merge_into_four() {
    let table = table(&[SEX], &["m x", "m x", "m x", "f x"]);
    assert_near(loss("volume-inflation", &table, &[1], &[]), 8.0);
    assert_near(loss("volume-inflation", &table, &[0], &[]), 4.0);
    let bits = 2.0 + 3.0 * (4.0_f64 / 3.0).log2();
    assert_near(loss("entropy-volume-inflation", &table, &[1], &[]), bits);
    assert_about(bits, 3.245);
}

#[test]
fn variance_of_men_and_women_is_one() {
    let table = table(&[SEX], &["m flu", "m cold", "f cold", "f cold"]);
    assert_near(loss("variance", &table, &[0], &[]), 0.0);
    assert_near(loss("variance", &table, &[1], &[]), 1.0);
    assert_near(loss("variance", &table, &[0], &["f"]), 0.5);
}

#[test]
fn hybrid_loss_of_two_that_merge_is_one() {
    let table = table(&[SEX], &["m flu", "f cold"]);
    assert_near(loss("hybrid", &table, &[1], &[]), 1.0);
    assert_near(loss("hybrid", &table, &[0], &["m"]), 0.5);
}

/// a: 1 − 3ε, b, c, d: ε each; a and b under x, c and d under y.
fn lemma_4_2_3() -> Table {
    let records = [times(997, "a s"), vec!["b s", "c s", "d s"]].concat();
    table(&[&["a x", "b x", "c y", "d y"]], &records)
}

/// Lemma 4.2.3 of Hsu's thesis: a cell y loses a bit, a cell * almost nothing. Within a scheme the
/// only cells that are * next to others are those of suppressed records; summed over all records, a
/// more general scheme loses no less, because that is how uncertain a value is, given the label.
#[test]
fn entropy_falls_where_y_is_suppressed() {
    let table = lemma_4_2_3();
    let of = |id: &str, levels: &[u8], without: &[&str]| loss(id, &table, levels, without);
    let (kept, suppressed) = (of("entropy", &[1], &[]), of("entropy", &[1], &["y"]));
    let whole = of("entropy", &[2], &[]) / 1000.0;
    assert!(whole < 0.05, "* is hardly uncertain: {whole} bits");
    assert_near(kept - suppressed, 2.0 - 2.0 * whole);
    assert!(of("entropy", &[1], &[]) <= of("entropy", &[2], &[]));
    for id in ["monotone-entropy", "non-uniform-entropy"] {
        assert!(of(id, &[1], &[]) < of(id, &[1], &["y"]), "lemmas 4.2.5 and 4.2.7: {id}");
    }
}

/// The eight patients of table 4.3-1 of Hsu's thesis: gender, nationality, disease.
fn patients() -> Table {
    let here = ["m us flu", "m ca cold", "f us flu", "f ca cold"];
    let there = ["m us flu", "m ca flu", "f us cold", "f ca cold"];
    table(&[SEX, &["ca *", "us *"]], &[here, there].concat())
}

/// Returns the loss of groups that are each published at their own levels: labels, colds and flus.
fn of_groups(id: &str, groups: &[(&str, u32, u32)]) -> f64 {
    let case = Case { table: patients(), weights: vec![1.0; 2], sensitive: 0 };
    let sides = Sides::of(&case);
    let loss = sides.judges.iter().find(|judge| judge.entry.id == id).unwrap().loss.as_ref();
    let mut sums = vec![0.0; loss.width()];
    for (labels, colds, flus) in groups {
        let labels = labels.split(' ').zip(sides.lattice.cube().attributes());
        let cell = |(label, attribute): (&str, &QuasiIdentifier)| match label {
            "*" => (1, 0),
            value => (0, attribute.hierarchy.code(value).unwrap()),
        };
        let (levels, codes): (Vec<u8>, Vec<u32>) = labels.map(cell).unzip();
        let values = [(0, *colds), (1, *flus)]
            .map(|(code, count): (u32, u32)| ValueCount { code, count: count.into() });
        let occurring = values.into_iter().filter(|value| value.count > 0);
        let group = Generalized {
            place: CodeMeaning::Scheme(&Scheme::new(levels)),
            codes: &codes,
            records: u64::from(colds + flus),
            values: &occurring.collect::<Vec<_>>(),
            carried: Default::default(),
        };
        let mut numbers = vec![0.0; loss.width()];
        loss.measure(&group, &mut numbers);
        sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
    }
    let (scheme, groups) = (&Scheme::new([0, 0]), groups.len() as u64);
    loss.loss(&KeptGroups { levels: scheme.into(), sums: &sums, groups, records: 8, suppressed: 0 })
}

/// Tables 4.3-2 (1) and (2): each cell loses as much in one as in the other, but only in the first
/// do groups still differ in diseases. As recorded, two of four groups do, and each of their
/// records differs from the whole by 1/2; the first publication does not merge whole groups, so it
/// differs even more.
#[test]
fn relations_are_kept_or_lost_at_the_same_entropy() {
    let first = [("* us", 0, 2), ("* ca", 2, 0), ("m *", 0, 2), ("f *", 2, 0)];
    let second = [("m *", 1, 1), ("f *", 1, 1), ("* us", 1, 1), ("* ca", 1, 1)];
    for id in ["lm", "entropy", "monotone-entropy", "non-uniform-entropy", "discernibility"] {
        assert_near(of_groups(id, &first), of_groups(id, &second));
    }
    assert_near(of_groups("non-uniform-entropy", &first), 8.0);
    assert_near(of_groups("variance", &first), 2.0 - 4.0);
    assert_near(of_groups("variance", &second), 2.0);
    let whole_schemes = |levels: &[u8]| loss("variance", &patients(), levels, &[]);
    assert_near(whole_schemes(&[1, 0]), 0.0);
    assert_near(whole_schemes(&[0, 1]), 0.0);
    assert_near(whole_schemes(&[1, 1]), 2.0);
}

#[test]
fn query_error_of_the_usual_pair_is_a_quarter() {
    // f alone and a alone are counted right; f with a as 2 * 3/4 instead of 2.
    let table = table(&[SEX, &["a *", "b *"]], &["f a 1", "f a 2", "m a 3", "m b 4"]);
    assert_near(loss("query-error", &table, &[0, 0], &[]), 0.0);
    assert_near(loss("query-error", &table, &[0, 1], &[]), 0.25 / 3.0);
    assert_near(loss("query-error", &table, &[0, 1], &["f *", "m *"]), 1.0);
}
