//! The embedded demonstration project: the Adult census data with hierarchies.

/// A project's files by name, as they would be in its folder.
pub(crate) type DemoFiles = &'static [(&'static str, &'static [u8])];

#[cfg(feature = "demo")]
const ADULT: DemoFiles = &[
    ("haggle.toml", include_bytes!("../../../data/adult/haggle.toml")),
    ("adult.data.gz", include_bytes!("../../../data/adult/adult.data.gz")),
    ("hierarchies/age.csv", include_bytes!("../../../data/adult/hierarchies/age.csv")),
    ("hierarchies/education.csv", include_bytes!("../../../data/adult/hierarchies/education.csv")),
    (
        "hierarchies/marital-status.csv",
        include_bytes!("../../../data/adult/hierarchies/marital-status.csv"),
    ),
    (
        "hierarchies/native-country.csv",
        include_bytes!("../../../data/adult/hierarchies/native-country.csv"),
    ),
    (
        "hierarchies/occupation.csv",
        include_bytes!("../../../data/adult/hierarchies/occupation.csv"),
    ),
    ("hierarchies/race.csv", include_bytes!("../../../data/adult/hierarchies/race.csv")),
    ("hierarchies/sex.csv", include_bytes!("../../../data/adult/hierarchies/sex.csv")),
    ("hierarchies/workclass.csv", include_bytes!("../../../data/adult/hierarchies/workclass.csv")),
];

/// The embedded projects by name.
const DEMOS: &[(&str, DemoFiles)] = &[
    #[cfg(feature = "demo")]
    ("adult", ADULT),
];

/// The files of an embedded project.
pub(crate) fn files(name: &str) -> Option<DemoFiles> {
    DEMOS.iter().find(|(demo, _)| *demo == name).map(|(_, files)| *files)
}

/// The names of the embedded projects, for messages.
pub(crate) fn names() -> String {
    DEMOS.iter().map(|(name, _)| format!("demo:{name}")).collect::<Vec<_>>().join(", ")
}

/// The name of an embedded project.
pub(crate) fn name(files: DemoFiles) -> String {
    let found = DEMOS.iter().find(|(_, demo)| std::ptr::eq(*demo, files));
    found.map_or(String::new(), |(name, _)| (*name).to_owned())
}
