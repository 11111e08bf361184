//! The negotiation of the thesis's ten philosophers, as its figures 2.2 to 2.7 print it.

use haggle_cube::{FullLattice, Lattice, Limits, Statistic};
use haggle_model::Scheme;
use haggle_privacy::{DistinctLDiversity, KAnonymity, Target};
use haggle_search::{
    HeightRelaxation, LatticeAnswer, LatticeRequest, Relaxations, Requirement, Solution, negotiate,
};
use haggle_testkit::published;

fn philosophers() -> FullLattice {
    let table = published::philosophers();
    let hours = Target { position: 0, name: table.sensitive[0].clone() };
    let statistics: [Box<dyn Statistic>; 2] =
        [Box::new(KAnonymity::of_records()), Box::new(DistinctLDiversity::on(hours))];
    let cube = table.cube().unwrap();
    FullLattice::build(cube.into(), &statistics, Limits::default(), &haggle_model::Silent).unwrap()
}

fn ask(k: f64, height: HeightRelaxation) -> LatticeAnswer {
    let requirement = Requirement { column: 0, threshold: k };
    let request =
        LatticeRequest { height, ..LatticeRequest::new(requirement, Scheme::new([1, 1, 3]), 0) };
    negotiate(&philosophers(), &request).unwrap().answer
}

fn solution(levels: [u8; 3], suppressed: u64, threshold: f64, attained: f64) -> Solution {
    let requirements = vec![Requirement { column: 0, threshold }];
    Solution { scheme: Scheme::new(levels), suppressed, requirements, attained: vec![attained] }
}

/// What a histogram shows: value, groups, records.
fn bins(levels: [u8; 3], column: usize) -> Vec<(f64, u64, u64)> {
    let lattice = philosophers();
    let annotation = lattice.annotate(&Scheme::new(levels)).unwrap();
    annotation.histogram(column).bins().map(|bin| (bin.value, bin.groups, bin.records)).collect()
}

#[test]
fn three_anonymity_without_suppression_is_figure_2_2() {
    let answer = ask(3.0, HeightRelaxation::Lowest);
    assert_eq!(answer, LatticeAnswer::Exact(solution([1, 1, 3], 0, 3.0, 3.0)));
}

#[test]
fn four_anonymity_is_relaxed_as_in_figures_2_3_and_2_4() {
    for height in [HeightRelaxation::Lowest, HeightRelaxation::Closest, HeightRelaxation::Published]
    {
        let expected = Relaxations {
            // Figure 2.3 publishes the same four records at [1,1,3]; [1,0,1] already shows them.
            suppression: Some(solution([1, 0, 1], 6, 4.0, 4.0)),
            privacy: vec![Some(solution([1, 1, 3], 0, 3.0, 3.0))],
            height: Some(solution([2, 2, 3], 0, 4.0, 4.0)),
            attribute: Vec::new(),
            // Not in the thesis: age and work class together, of which neither is enough.
            attributes: vec![(vec![0, 1], solution([4, 3, 3], 0, 4.0, 4.0))],
        };
        assert_eq!(ask(4.0, height), LatticeAnswer::Relaxed(expected), "{height:?}");
    }
}

#[test]
fn histograms_are_those_of_figures_2_6_and_2_7() {
    assert_eq!(bins([1, 1, 3], 0), [(3.0, 2, 6), (4.0, 1, 4)]);
    assert_eq!(bins([2, 2, 3], 1), [(3.0, 1, 4), (5.0, 1, 6)]);
}

#[test]
fn four_anonymity_suppresses_six_records_of_figure_2_2() {
    let lattice = philosophers();
    let annotation = lattice.annotate(&Scheme::new([1, 1, 3])).unwrap();
    assert_eq!(annotation.histogram(0).suppressed(4.0), 6);
    assert_eq!(annotation.histogram(0).suppressed(3.0), 0);
}
