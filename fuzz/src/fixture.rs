//! A small project that targets work on.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::LazyLock;

use haggle::{Engine, Options, Project};
use tempfile::TempDir;

const PROJECT: &str = r#"[data]
path = "table.csv"
[[attribute]]
name = "age"
role = "quasi-identifier"
hierarchy = { intervals = [10, 20] }
[[attribute]]
name = "zip"
role = "quasi-identifier"
hierarchy = { prefix = [1, 2] }
[[attribute]]
name = "sex"
role = "quasi-identifier"
[[attribute]]
name = "disease"
role = "sensitive"
[[attribute]]
name = "income"
role = "sensitive"
[request]
k = 3
max_suppressed = "5%"
"#;

/// A folder with a project of 120 records; removed with the process.
pub(crate) static FOLDER: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("there is room for a small project");
    std::fs::write(folder.path().join("table.csv"), table()).expect("a table can be written");
    std::fs::write(folder.path().join("haggle.toml"), PROJECT).expect("a project can be written");
    folder
});

/// The project.
pub(crate) static SMALL: LazyLock<Project> =
    LazyLock::new(|| Project::from_text(PROJECT, FOLDER.path()).expect("the project is valid"));

/// Its engine.
pub(crate) static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    Engine::open(&*SMALL, &Options { stored: false, ..Options::default() })
        .expect("it can be built")
});

/// A place for files of one target.
pub(crate) fn place(name: &str) -> Box<Path> {
    FOLDER.path().join(name).into()
}

fn table() -> String {
    let diseases = ["cold", "flu", "cold", "asthma", "diabetes", "flu", "cancer"];
    let mut text = "age,zip,sex,disease,income\n".to_owned();
    for i in 0..120_u32 {
        let (age, zip) = (17 + i * 7 % 43, 10_115 + i % 4 * 1_000 + i % 3);
        let (sex, disease) = (["f", "m"][i as usize % 2], diseases[i as usize * 5 % 7]);
        writeln!(text, "{age},{zip},{sex},{disease},{}", 1_000 * (1 + i % 9)).expect("to memory");
    }
    text
}
