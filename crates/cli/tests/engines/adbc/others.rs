//! Other drivers of ADBC behind the same code: DuckDB's.

use super::project::TwoProjects;

/// The library of DuckDB's Python package, which is an ADBC driver as well.
fn duckdb() -> String {
    let script = "import _duckdb; print(_duckdb.__file__)";
    let mut python = std::process::Command::new(haggle_testkit::sail::python());
    let output = python.args(["-c", script]).output().expect("Python runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[test]
fn duckdb_counts_and_answers_as_from_a_file() {
    let projects = TwoProjects::hostile();
    projects.edit_engine(|text| {
        let text = text.replace(&super::CLUSTER.url(), "adbc:duckdb");
        let text = text.replace(&super::driver(), &duckdb());
        let options = "\n[data.options]\nentrypoint = \"duckdb_adbc_init\"\n\n[[attribute]]";
        text.replacen("\n[[attribute]]", options, 1)
    });
    projects.same_answer("study", &["--k", "3"]);
    projects.same_answer("ask", &["--k", "2", "--max-suppressed", "50%"]);
}
