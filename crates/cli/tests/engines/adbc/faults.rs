//! Errors of engines, drivers and data are reported clearly, and leave nothing that looks published.

use haggle_testkit::process::RunLimited;
use insta::assert_snapshot;

use super::project::{TwoProjects, records_in};
use crate::table::TestTable;

const PUBLISH: [&str; 4] = ["--qi", "age,race,workclass", "--k", "10"];

/// The rows of the query are others each time it is run.
#[test]
fn a_table_that_changes_between_count_and_publication_is_noticed() {
    let projects = TwoProjects::adult();
    let source = projects.source().display().to_string();
    let changing = format!("query = \"SELECT * FROM parquet.`{source}` WHERE rand() < 0.9\"");
    projects.write_engine(&changing, &TestTable::adult());
    for (number, how) in
        [&["--scheme", "1,1,0"][..], &["--strategy", "mondrian"]].iter().enumerate()
    {
        let folder = projects.folder.path().join(format!("changed-{number}"));
        let (output, manifest) =
            (format!("parquet:{}", folder.display()), format!("{number}.json"));
        let target = ["-o", &output, "--manifest", &manifest];
        let error = projects.refused("publish", &[&PUBLISH[..], how, &target].concat());
        assert!(error.contains("the data changed since it was counted"), "{error}");
        assert!(!projects.folder.path().join(manifest).exists());
        assert!(
            !folder.exists() || records_in(&folder).is_empty(),
            "what was not proved is removed"
        );
    }
}

#[test]
fn a_driver_that_is_not_there_is_named_with_how_to_get_it() {
    let projects = TwoProjects::hostile();
    projects.edit_engine(|text| text.replace(&super::driver(), "adbc_driver_none"));
    assert_snapshot!(projects.refused("ask", &["--k", "2"]), @r#"
    error: the ADBC driver 'adbc_driver_none' was not found
        fix: install it, such as by `pip install adbc-driver-none` in the active Python environment, or state driver = "/path/to/libadbc_driver_none.so" under [data]; looked in the Python environments of VIRTUAL_ENV, CONDA_PREFIX, PATH and the user, in ADBC's manifests and among the system's libraries
    "#);
}

#[test]
fn the_driver_of_the_active_python_environment_is_found() {
    let projects = TwoProjects::hostile();
    projects.edit_engine(|text| text.replace(&format!("driver = \"{}\"\n", super::driver()), ""));
    let environment = haggle_testkit::sail::python();
    let environment = environment.parent().unwrap().parent().unwrap();
    let mut ask = projects.command("ask", &["--k", "2", "--max-suppressed", "50%"]);
    let output = ask.env("VIRTUAL_ENV", environment).run_limited();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_server_or_a_table_that_is_not_there_is_reported() {
    let projects = TwoProjects::hostile();
    let source = projects.source().display().to_string();
    projects.edit_engine(|text| {
        text.replace(&format!("path = \"parquet:{source}\""), "table = \"no.where\"")
    });
    let error = projects.refused("ask", &["--k", "2"]);
    assert!(
        error.starts_with("error: sc://[engine] table no.where: the database does not find"),
        "{error}"
    );
    projects.edit_engine(|text| text.replace(&super::CLUSTER.url(), "sc://127.0.0.1:1"));
    let error = projects.refused("ask", &["--k", "2"]);
    assert!(error.starts_with("error: sc://127.0.0.1:1 table no.where: the "), "{error}");
}

/// Secrets come from the environment or a file, and no message holds them.
#[test]
fn secrets_are_kept_outside_of_the_project_and_never_printed() {
    let projects = TwoProjects::hostile();
    let ask = |options: &str, secret: Option<&str>| {
        let text = std::fs::read_to_string(projects.folder.path().join("engine.toml")).unwrap();
        let changed = text.replacen(
            "\n[[attribute]]",
            &format!("\n[data.options]\n{options}\n\n[[attribute]]"),
            1,
        );
        std::fs::write(projects.folder.path().join("secret.toml"), changed).unwrap();
        let mut haggle = std::process::Command::new(crate::common::HAGGLE);
        haggle.args(["ask", "secret.toml", "--k", "2", "--max-suppressed", "50%"]);
        haggle.current_dir(projects.folder.path()).env_remove("ENGINE_TOKEN");
        haggle.envs(secret.map(|secret| ("ENGINE_TOKEN", secret)));
        let output = haggle.run_limited();
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        assert!(!said.contains("hunter2"), "{said}");
        (output.status.success(), said)
    };
    let (answered, said) =
        ask("\"adbc.spark.user_id\" = { env = \"ENGINE_TOKEN\" }", Some("hunter2"));
    assert!(answered, "{said}");
    std::fs::write(projects.folder.path().join("token"), "hunter2\n").unwrap();
    let file = projects.folder.path().join("token").display().to_string();
    let (answered, said) = ask(&format!("\"adbc.spark.user_id\" = {{ file = \"{file}\" }}"), None);
    assert!(answered, "{said}");
    let (answered, said) = ask("\"adbc.spark.token\" = { env = \"ENGINE_TOKEN\" }", None);
    assert!(!answered && said.contains("set the environment variable ENGINE_TOKEN"), "{said}");
    let (answered, said) = ask("\"adbc.spark.token\" = \"hunter2\"", None);
    assert!(!answered && said.contains("the option 'adbc.spark.token' holds a secret"), "{said}");
    projects
        .edit_engine(|text| text.replace(&super::CLUSTER.url(), "sc://127.0.0.1:1/;token=hunter2"));
    let (answered, said) = ask("", None);
    assert!(!answered && said.contains("the url holds a secret"), "{said}");
}

#[test]
fn files_of_an_engine_need_a_manifest_and_are_never_replaced() {
    let projects = TwoProjects::hostile();
    let output = format!("parquet:{}", projects.folder.path().join("once").display());
    let publish = ["--k", "3", "--max-suppressed", "100%", "-o", &output];
    let error = projects.refused("publish", &publish);
    assert!(error.contains("a publication only once their manifest is written"), "{error}");
    projects
        .run("publish", "engine.toml", &[&publish[..], &["--manifest", "one.json"]].concat())
        .text();
    let before = records_in(&projects.folder.path().join("once"));
    let error = projects.refused("publish", &[&publish[..], &["--manifest", "two.json"]].concat());
    assert!(error.contains("there are records in parquet:"), "{error}");
    assert_eq!(records_in(&projects.folder.path().join("once")), before);
}
