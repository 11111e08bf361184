//! Random tables as projects.

use std::fmt::Write as _;
use std::path::Path;

use haggle_testkit::Table;

/// The table and its hierarchies as files, with a project that names them.
pub(crate) fn write_project(folder: &Path, table: &Table) {
    let mut toml = String::from("[data]\npath = \"data.csv\"\nmissing = []\n");
    let mut header: Vec<String> = table.attributes.iter().map(|a| a.name.clone()).collect();
    header.extend(table.sensitive.iter().cloned());
    let mut csv = header.join(",") + "\n";
    for record in &table.records {
        csv += &(record.join(",") + "\n");
    }
    std::fs::write(folder.join("data.csv"), csv).unwrap();
    for (i, attribute) in table.attributes.iter().enumerate() {
        let rows: Vec<String> = attribute.rows.iter().map(|row| row.join(";")).collect();
        std::fs::write(folder.join(format!("{i}.csv")), rows.join("\n") + "\n").unwrap();
        let name = &attribute.name;
        writeln!(
            toml,
            "[[attribute]]\nname = \"{name}\"\nrole = \"quasi-identifier\"\nhierarchy = \"{i}.csv\""
        )
        .unwrap();
    }
    for name in &table.sensitive {
        writeln!(toml, "[[attribute]]\nname = \"{name}\"\nrole = \"sensitive\"").unwrap();
    }
    std::fs::write(folder.join("haggle.toml"), toml).unwrap();
}
