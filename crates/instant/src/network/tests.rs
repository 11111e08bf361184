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

#[test]
fn the_published_example_has_its_probabilities() {
    let network = published();
    let code = |i: usize, value: &str| network.attributes[i].hierarchy.code(value).unwrap();
    let cell = [code(0, "M"), code(1, "US"), code(2, "Prof")];
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
    near(network.probability(&Scheme::new([0, 0, 0]), &cell, Some(0)), 0.046_875);
    let america = network.attributes[1].hierarchy.ancestor(code(1, "US"), 1.into());
    let scheme = Scheme::new([0, 1, 1]);
    near(network.probability(&scheme, &[code(0, "M"), america, 0], Some(0)), 0.125);
    near(network.probability(&scheme, &[code(0, "M"), america, 0], None), 0.25);
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
        network
            .for_each_cell(&scheme, true, &mut |_, joint| in_one_go.push(joint.to_vec()))
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
    network.for_each_cell(&Scheme::new([1, 0, 0]), false, &mut |p, _| cells.push(p)).unwrap();
    let expected = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(y, z)| joint(0, y, z) + joint(1, y, z));
    assert_eq!(cells.len(), 4);
    assert!(cells.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{cells:?}");
    assert!((network.ln_likelihood(&[1, 0, 1]) - joint(1, 0, 1).ln()).abs() < 1e-12);
}
