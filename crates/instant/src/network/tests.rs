use haggle_model::{Hierarchy, QuasiIdentifier, Scheme};

use super::*;
use crate::Summary;

fn attribute(name: &str, paths: &[[&str; 2]]) -> QuasiIdentifier {
    let hierarchy = Hierarchy::from_paths(name, paths.iter().copied()).unwrap();
    QuasiIdentifier { name: name.into(), hierarchy }
}

/// The published example: sex and nation independent, salary by occupation.
fn published() -> Network {
    let sex = attribute("sex", &[["M", "*"], ["F", "*"]]);
    let nation = attribute(
        "nation",
        &[
            ["US", "AM"],
            ["Canada", "AM"],
            ["Brazil", "AM"],
            ["Spain", "EU"],
            ["Italy", "EU"],
            ["France", "EU"],
        ],
    );
    let occupation = attribute("occupation", &[["Grad", "*"], ["Pdoc", "*"], ["Prof", "*"]]);
    let shares = vec![
        vec![0.5, 0.5],
        vec![0.25, 0.125, 0.125, 0.125, 0.25, 0.125],
        vec![0.25, 0.25, 0.5],
        vec![0.5, 0.5],
    ];
    let salary = vec![0.0, 1.0, 0.5, 0.5, 0.75, 0.25]; // high, low by occupation
    let tables = vec![shares[0].clone(), shares[1].clone(), shares[2].clone(), salary];
    Network::new(
        8.0,
        vec![sex, nation, occupation],
        vec![2, 6, 3, 2],
        vec![vec![], vec![], vec![], vec![2]],
        tables,
        shares,
    )
}

/// Paper 003, section 2.3: F(M, US, Prof, H) is 0.03125 by histograms over table I and 0.046875 by
/// the network of table II; F(M, AM, *, H) is 0.125. Section 5.1 takes P(H | Prof) = 1 and so has
/// F(M, AM, *, H) = 0.15625 and the likelihood 0.625 of H in (M, AM, *): by table II, where P(H |
/// Prof) is 0.75, these are 0.125 and 0.5.
#[test]
fn the_published_example_has_its_probabilities() {
    let network = published();
    let code = |i: usize, value: &str| network.attributes[i].hierarchy.code(value).unwrap();
    let cell = [code(0, "M"), code(1, "US"), code(2, "Prof")];
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
    let recorded = Scheme::new([0, 0, 0]);
    let histogram =
        Network::independent(8.0, network.attributes.clone(), network.marginals.clone());
    near(histogram.probability(&recorded, &cell, Some(0)), 0.031_25);
    near(network.probability(&recorded, &cell, Some(0)), 0.046_875);
    let likelihood = network.probability(&recorded, &cell, Some(0))
        / network.probability(&recorded, &cell, None);
    near(likelihood, 0.75);
    let america = network.attributes[1].hierarchy.ancestor(code(1, "US"), 1.into());
    let scheme = Scheme::new([0, 1, 1]);
    let general = [code(0, "M"), america, 0];
    near(network.probability(&scheme, &general, Some(0)), 0.125);
    near(network.probability(&scheme, &general, None), 0.25);
    near(histogram.probability(&scheme, &general, Some(0)), 0.125);
}

/// Table I itself, summarized: the marginals of the eight records are those of the example.
#[test]
fn the_published_table_has_the_published_shares() {
    use haggle_cube::Overview;
    use haggle_model::{Dictionary, Watched};
    let network = published();
    let rows = [
        ["M", "US", "Grad", "L"],
        ["M", "Spain", "Grad", "L"],
        ["F", "Italy", "Pdoc", "H"],
        ["F", "Brazil", "Pdoc", "L"],
        ["M", "Canada", "Prof", "H"],
        ["F", "US", "Prof", "H"],
        ["F", "France", "Prof", "L"],
        ["M", "Italy", "Prof", "H"],
    ];
    let values: Vec<Box<str>> = vec!["H".into(), "L".into()];
    let salary = Watched { name: "salary".into(), values: Dictionary::from(values) };
    let code = |column: usize, value: &str| match network.attributes.get(column) {
        Some(a) => a.hierarchy.code(value).unwrap(),
        None => salary.values.code(value).unwrap(),
    };
    let mut counts = vec![vec![0; 2], vec![0; 6], vec![0; 3], vec![0; 2]];
    for row in rows {
        for (column, value) in row.iter().enumerate() {
            counts[column][code(column, value) as usize] += 1;
        }
    }
    let input = crate::SummaryInput {
        attributes: network.attributes.clone(),
        sensitive: Some(salary.clone()),
        overview: Some(Overview { records: 8, counts, sample: Vec::new() }),
        statistics: None,
    };
    let summary = crate::find("histogram").unwrap().build(&input).unwrap();
    let cell = [code(0, "M"), code(1, "US"), code(2, "Prof")];
    let found = summary.probability(&Scheme::new([0, 0, 0]), &cell, Some(code(3, "H")));
    assert!((found - 0.031_25).abs() < 1e-12, "{found}");
}

#[test]
fn enumerated_cells_equal_single_cells() {
    let network = published();
    for levels in [[0, 0, 0], [0, 1, 1], [1, 0, 0], [1, 2, 0], [1, 2, 1]] {
        let scheme = Scheme::new(levels);
        let sizes: Vec<u32> = network
            .attributes
            .iter()
            .zip(scheme.levels())
            .map(|(a, &level)| a.hierarchy.len(level) as u32)
            .collect();
        let mut one_by_one = Vec::new();
        for x in 0..sizes[0] {
            for y in 0..sizes[1] {
                for z in 0..sizes[2] {
                    one_by_one.push(
                        (0..2)
                            .map(|s| network.probability(&scheme, &[x, y, z], Some(s)))
                            .collect::<Vec<_>>(),
                    );
                }
            }
        }
        let mut in_one_go = Vec::new();
        let levels = ValueMap::to_scheme(&network.attributes, &scheme);
        network
            .for_each_cell(&levels, true, &mut |cell| {
                let place = cell.codes.iter().zip(&sizes).fold(0, |place, (c, n)| place * n + c);
                assert_eq!(place as usize, in_one_go.len());
                in_one_go.push(cell.sensitive.to_vec());
            })
            .unwrap();
        assert_eq!(one_by_one.len(), in_one_go.len());
        for (a, b) in one_by_one.iter().flatten().zip(in_one_go.iter().flatten()) {
            assert!((a - b).abs() < 1e-12);
        }
    }
}

/// A network over three variables in which the third depends on both others.
#[test]
fn two_parents_are_summed_out_exactly() {
    let binary = |name: &str| attribute(name, &[["a", "*"], ["b", "*"]]);
    let shares = vec![vec![0.3, 0.7], vec![0.6, 0.4], vec![0.5, 0.5]];
    let third = vec![0.1, 0.9, 0.2, 0.8, 0.3, 0.7, 0.4, 0.6];
    let tables = vec![shares[0].clone(), vec![0.9, 0.1, 0.2, 0.8], third.clone()];
    let parents = vec![vec![], vec![0], vec![0, 1]];
    let attributes = vec![binary("x"), binary("y"), binary("z")];
    let network = Network::new(10.0, attributes, vec![2, 2, 2], parents, tables, shares);
    let joint = |x: usize, y: usize, z: usize| {
        [0.3, 0.7][x] * [[0.9, 0.1], [0.2, 0.8]][x][y] * third[(x * 2 + y) * 2 + z]
    };
    let mut cells = Vec::new();
    let levels = ValueMap::to_scheme(&network.attributes, &Scheme::new([1, 0, 0]));
    network.for_each_cell(&levels, false, &mut |cell| cells.push(cell.probability)).unwrap();
    let expected = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(y, z)| joint(0, y, z) + joint(1, y, z));
    assert_eq!(cells.len(), 4);
    assert!(cells.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{cells:?}");
    assert!((network.ln_likelihood(&[1, 0, 1]) - joint(1, 0, 1).ln()).abs() < 1e-12);
}
