//! What building is said to take, against what it takes: Adult with six and with nine attributes.

use haggle::{Engine, Options, Project, Way};

fn assert_about(told: f64, is: f64, what: &str) {
    assert!(told <= 2.0 * is && is <= 2.0 * told, "{what}: {told} told for {is}");
}

fn assert_estimate(project: &str, schemes: usize) {
    let project = Project::open(project).unwrap();
    let options = Options { way: Way::Full, stored: false, ..Options::default() };
    let told = Engine::estimate(&project, &options).unwrap();
    let engine = Engine::open(&project, &options).unwrap();
    let built = engine.built();
    assert_eq!((told.schemes, built.schemes), (schemes as u64, schemes));
    assert_eq!((told.records, told.base_groups), (built.records, built.base_groups));
    assert_about(told.touches as f64, built.touches as f64, "touches");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("haggle.lattice");
    engine.save(&file).unwrap();
    assert_about(told.file_bytes as f64, file.metadata().unwrap().len() as f64, "file bytes");
    assert!(told.looked_at < schemes / 10, "{} schemes are no longer few", told.looked_at);
    assert!(told.full_by_default && told.nanoseconds_per_touch > 0.0 && told.seconds > 0.0);
}

#[test]
fn six_attributes_are_estimated_within_a_factor_of_two() {
    assert_estimate("demo:adult", 3600);
}

#[test]
fn nine_attributes_are_estimated_within_a_factor_of_two() {
    assert_estimate(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/adult-9"), 12_960);
}
