//! What building is said to take, against what it takes: Adult with six and with nine attributes.

use haggle::{Engine, Options, Project, Way};

fn assert_about(estimated: f64, is: f64, what: &str) {
    assert!(
        estimated <= 2.0 * is && is <= 2.0 * estimated,
        "{what}: {estimated} estimated for {is}"
    );
}

fn assert_estimate(project: &str, schemes: usize) {
    let project = Project::open(project).unwrap();
    let options = Options { way: Way::Full, stored: false, ..Options::default() };
    let estimated = Engine::estimate(&project, &options).unwrap();
    let engine = Engine::open(&project, &options).unwrap();
    let built = engine.built();
    assert_eq!((estimated.schemes, built.schemes), (schemes as u64, schemes));
    assert_eq!((estimated.records, estimated.base_groups), (built.records, built.base_groups));
    assert_about(estimated.touches as f64, built.touches as f64, "touches");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("haggle.lattice");
    engine.save(&file).unwrap();
    assert_about(estimated.file_bytes as f64, file.metadata().unwrap().len() as f64, "file bytes");
    assert!(
        estimated.looked_at < schemes / 10,
        "{} schemes are no longer few",
        estimated.looked_at
    );
    assert!(
        estimated.full_by_default
            && estimated.nanoseconds_per_touch > 0.0
            && estimated.seconds > 0.0
    );
}

#[test]
fn six_attributes_are_estimated_within_a_factor_of_two() {
    assert_estimate("demo:adult", 3600);
}

#[test]
fn nine_attributes_are_estimated_within_a_factor_of_two() {
    assert_estimate(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/adult-9"), 12_960);
}
