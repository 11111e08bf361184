//! Where a publication goes, and what it may replace there.

use std::path::{Path, PathBuf};

use haggle_data::Input;
use haggle_model::{Error, ErrorKind, Problem, Remedy, Silent};
use haggle_output::{Existing, is_same_file};
use haggle_project::Project;
use haggle_project::files::manifest_path;

use crate::manifest;
use crate::publications::Publications;

/// The file with what each recorded combination is published as.
pub(super) const COMBINATIONS: &str = "mapping.csv";

/// Returns the files that a publication of these attributes may write into its private folder.
pub(super) fn private_files(folder: &Path, attributes: &[&str]) -> Vec<PathBuf> {
    let mappings = attributes.iter().map(|attribute| manifest::mapping_file(attribute));
    let names = [manifest::POLICY.to_owned(), COMBINATIONS.to_owned()].into_iter().chain(mappings);
    names.map(|name| folder.join(name)).collect()
}

/// Which existing files a publication may replace. The project's own files, its data, folders,
/// devices and pipes are never replaced.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Replace {
    /// No public file; the private folder of an earlier publication may be used again.
    Nothing,
    /// Earlier publications: files with a manifest that names them, together with it.
    #[default]
    Publications,
    /// Any file.
    Files,
}

/// The files of one publication.
pub(super) struct PublicationPlace<'a> {
    pub(super) output: &'a Path,
    /// The table of sensitive values, if the publication is two tables.
    pub(super) sensitive: Option<PathBuf>,
    /// The folder of the private manifest, and the files in it.
    pub(super) private: Option<(&'a Path, Vec<PathBuf>)>,
    pub(super) replace: Replace,
}

impl<'a> PublicationPlace<'a> {
    /// The place of one file alone.
    pub(super) fn of_one(output: &'a Path, replace: Replace) -> Self {
        Self { output, sensitive: None, private: None, replace }
    }

    /// Refuses to replace what a publication must not replace.
    pub(super) fn check(&self, project: &Project) -> Result<(), Error> {
        let manifest = manifest_path(self.output);
        let own = own_files(project);
        let private = self.private.iter().flat_map(|(_, files)| files);
        let more = self.sensitive.iter().chain(private).map(PathBuf::as_path);
        for path in [self.output, &manifest].into_iter().chain(more) {
            check_kind(path)?;
            refuse_own(path, &own)?;
            refuse_matched(path, project)?;
        }
        self.check_public(&manifest)?;
        self.private.as_ref().map_or(Ok(()), |(folder, files)| self.check_private(folder, files))
    }

    /// Refuses to replace what a manifest that belongs to no file must not replace.
    pub(super) fn check_manifest(&self, project: &Project) -> Result<(), Error> {
        self.check_one(project, |file| self.allows(manifest::is_public(file)))
    }

    /// Refuses to replace a file by a script, which is no publication yet, without force.
    pub(super) fn check_script(&self, project: &Project) -> Result<(), Error> {
        self.check_one(project, |_| self.replace == Replace::Files)
    }

    fn check_one(&self, project: &Project, allows: impl Fn(&Path) -> bool) -> Result<(), Error> {
        check_kind(self.output)?;
        refuse_own(self.output, &own_files(project))?;
        refuse_matched(self.output, project)?;
        let allowed = !is_there(self.output) || allows(self.output);
        allowed.then_some(()).ok_or_else(|| self.occupied(self.output))
    }

    /// A pair that is there is replaced as one, if it is a publication.
    fn check_public(&self, manifest: &Path) -> Result<(), Error> {
        let sensitive = self.sensitive.as_deref().filter(|path| is_there(path));
        let public = [self.output, manifest].into_iter().find(|path| is_there(path));
        let Some(there) = sensitive.or(public) else { return Ok(()) };
        let publication = manifest::names(manifest, self.output)
            && sensitive.is_none_or(|path| manifest::names_sensitive(manifest, path));
        self.allows(publication).then_some(()).ok_or_else(|| self.occupied(there))
    }

    /// Files of a private folder are replaced if its policy says that they are a publication's.
    fn check_private(&self, folder: &Path, files: &[PathBuf]) -> Result<(), Error> {
        let Some(there) = files.iter().find(|path| is_there(path)) else { return Ok(()) };
        let ours = manifest::mapped(&folder.join(manifest::POLICY)).is_some();
        // A fresh publication may come with the private folder of an earlier one.
        let allowed = ours || self.replace == Replace::Files;
        allowed.then_some(()).ok_or_else(|| self.occupied(there))
    }

    fn occupied(&self, path: &Path) -> Error {
        let what = "there is a file of this name already";
        let problem = match self.replace {
            Replace::Nothing => Problem::new(what).fix("choose another name"),
            _ => Problem::new(format!("{what}, and it is not an earlier publication"))
                .fix(Remedy::AllowReplacing),
        };
        problem.of_kind(ErrorKind::Conflict).file(path).into()
    }

    fn allows(&self, publication: bool) -> bool {
        match self.replace {
            Replace::Nothing => false,
            Replace::Publications => publication,
            Replace::Files => true,
        }
    }
}

fn is_there(path: &Path) -> bool {
    Existing::at(path) == Existing::File
}

/// Only files are replaced.
fn check_kind(path: &Path) -> Result<(), Error> {
    let refuse = |what: &str| Err(Problem::new(what).file(path).fix("name another file").into());
    match Existing::at(path) {
        Existing::Folder => refuse("the output is a folder"),
        Existing::Special => refuse("the output is a pipe, a device or a socket"),
        Existing::Nothing | Existing::NoFolder | Existing::File => Ok(()),
    }
}

/// A publication never replaces what it is made from.
fn refuse_own(path: &Path, own: &[(PathBuf, &str)]) -> Result<(), Error> {
    match own.iter().find(|(file, _)| is_same_file(file, path)) {
        None => Ok(()),
        Some((_, what)) => {
            let problem = Problem::new(format!("the output is {what}")).file(path);
            Err(problem.of_kind(ErrorKind::RefusedByPolicy).fix("name another file").into())
        }
    }
}

/// A publication never gets a name by which it would become data of the project.
fn refuse_matched(path: &Path, project: &Project) -> Result<(), Error> {
    let whole = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
        Some(folder.join(path.file_name()?))
    };
    let Some(file) = whole(path) else { return Ok(()) };
    let home = project.origin.path(Path::new("haggle.toml"));
    let home = whole(&home).and_then(|home| Some(home.parent()?.to_owned()));
    let is_matched = |pattern: &PathBuf| {
        let within = home.as_deref().and_then(|home| file.strip_prefix(home).ok());
        let next_to = whole(&project.origin.path(pattern));
        let names = [Some(file.as_path()), within].into_iter().flatten();
        let mut patterns = [Some(pattern.as_path()), next_to.as_deref()].into_iter().flatten();
        patterns.any(|pattern| names.clone().any(|name| Input::pattern_matches(pattern, name)))
    };
    if project.data.remote.is_some() || !project.data.paths.iter().any(is_matched) {
        return Ok(());
    }
    let what = "the data of the project is every file of such a name, so this would be data";
    Err(Problem::new(what)
        .of_kind(ErrorKind::RefusedByPolicy)
        .file(path)
        .fix("name another file, or put it into another folder")
        .into())
}

/// The files that the project consists of, each with what it is.
fn own_files(project: &Project) -> Vec<(PathBuf, &'static str)> {
    let hierarchies = project.attributes.iter().filter_map(|attribute| attribute.file());
    let matrices = project.attributes.iter().filter_map(|a| a.sensitive.matrix.as_ref());
    let input = project.data.remote.is_none().then(|| project.input(&Silent).ok()).flatten();
    let parts = input.iter().flat_map(haggle_data::Input::parts);
    let mut own = vec![(project.file.clone(), "the project file")];
    own.extend(hierarchies.map(|path| (project.origin.path(path), "a hierarchy of the project")));
    own.extend(matrices.map(|path| (project.origin.path(path), "a matrix of the project")));
    own.extend(parts.map(|part| (part.name().to_owned(), "the data itself")));
    let record = Publications::of(project).path().map(Path::to_owned);
    own.extend(record.map(|path| (path, "the record of publications")));
    own.extend(project.lattice_path().map(|path| (path, "the lattice file")));
    own
}

#[cfg(test)]
#[path = "../../tests/unit/place.rs"]
mod tests;
