//! Finding and loading the shared library of a driver.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use adbc_core::error::Error as AdbcError;
use adbc_core::options::{AdbcVersion, OptionDatabase, OptionValue};
use adbc_core::{Driver as _, LOAD_FLAG_DEFAULT};
use adbc_driver_manager::{ManagedDatabase, ManagedDriver};
use haggle_model::{Error, Problem};

/// A driver that was loaded.
pub(super) struct LoadedDriver(ManagedDriver);

impl LoadedDriver {
    /// Loads a driver: the shared library at a path; else the library of a Python package of this name
    /// in an environment of Python; else what the manager of ADBC's drivers finds by the name.
    pub(super) fn find(name: &str, entrypoint: Option<&str>) -> Result<Self, Error> {
        let library = if is_path(name) { Some(PathBuf::from(name)) } else { in_python(name) };
        let (version, entry) = (AdbcVersion::V110, entrypoint.map(str::as_bytes));
        let flags = LOAD_FLAG_DEFAULT;
        let loaded = match &library {
            Some(path) => ManagedDriver::load_dynamic_from_filename(path, entry, version),
            None => ManagedDriver::load_from_name(name, entry, version, flags, None),
        };
        loaded.map(Self).map_err(|error| not_loaded(name, library.as_deref(), &error))
    }

    /// A database of the driver with these options.
    pub(super) fn database(
        &self,
        options: &[(String, String)],
    ) -> Result<ManagedDatabase, AdbcError> {
        let option = |(key, value): &(String, String)| {
            (OptionDatabase::from(key.as_str()), OptionValue::from(value.as_str()))
        };
        self.0.clone().new_database_with_opts(options.iter().map(option))
    }
}

fn is_path(name: &str) -> bool {
    let is_library = |ending: &str| name.ends_with(ending);
    name.contains(['/', '\\']) || [".so", ".dylib", ".dll"].into_iter().any(is_library)
}

/// The library that a Python package of the driver's name holds.
fn in_python(name: &str) -> Option<PathBuf> {
    let names = [name.to_owned(), format!("adbc_driver_{name}")];
    let packages = packages();
    let libraries = packages.iter().flat_map(|folder| {
        names.iter().flat_map(move |name| {
            [format!("lib{name}.so"), format!("lib{name}.dylib"), format!("{name}.dll")]
                .map(|file| folder.join(name).join(file))
        })
    });
    libraries.into_iter().find(|path| path.is_file())
}

/// The folders with packages of the Python environments that are in use: the active ones, that of
/// this program, those of the Pythons on the path, and the user's own.
fn packages() -> Vec<PathBuf> {
    let active = ["VIRTUAL_ENV", "CONDA_PREFIX"].into_iter().filter_map(std::env::var_os);
    let own = std::env::current_exe().ok().and_then(|exe| Some(exe.parent()?.parent()?.to_owned()));
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let pythons = std::env::split_paths(&paths)
        .filter(|folder| folder.join("python3").exists() || folder.join("python.exe").exists())
        .filter_map(|folder| folder.parent().map(Path::to_owned));
    let user = std::env::home_dir().map(|home| home.join(".local"));
    let prefixes = active.map(PathBuf::from).chain(own).chain(pythons).chain(user);
    let mut seen = BTreeSet::new();
    prefixes.filter(|prefix| seen.insert(prefix.clone())).flat_map(|p| packages_of(&p)).collect()
}

/// The folders with packages of one environment, the newest Python first.
fn packages_of(prefix: &Path) -> Vec<PathBuf> {
    let versions = std::fs::read_dir(prefix.join("lib")).into_iter().flatten().flatten();
    let versions = versions.map(|entry| entry.path());
    let is_python = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("python3"))
    };
    let mut versions: Vec<PathBuf> = versions.filter(is_python).collect();
    versions.sort_by(|a, b| b.cmp(a));
    versions.push(prefix.join("Lib"));
    let folders = |version: PathBuf| [version.join("site-packages"), version.join("dist-packages")];
    versions.into_iter().flat_map(folders).filter(|folder| folder.is_dir()).collect()
}

fn not_loaded(name: &str, library: Option<&Path>, error: &AdbcError) -> Error {
    if let Some(path) = library {
        let what = format!("the ADBC driver cannot be loaded ({})", first_line(&error.message));
        let fix = "name the shared library of an ADBC driver for this machine as `driver`";
        return Problem::new(what).file(path).fix(fix).into();
    }
    let package = name.replace('_', "-");
    let package =
        if package.starts_with("adbc-driver") { package } else { format!("adbc-driver-{package}") };
    let what = format!("the ADBC driver '{name}' was not found");
    let fix = format!(
        "install it, such as by `pip install {package}` in the active Python environment, or state \
         driver = \"/path/to/lib{name}.so\" under [data]; looked in the Python environments of \
         VIRTUAL_ENV, CONDA_PREFIX, PATH and the user, in ADBC's manifests and among the system's \
         libraries"
    );
    Error::new(what, fix)
}

fn first_line(message: &str) -> &str {
    message.lines().next().unwrap_or_default()
}
