//! The imports between the modules of a crate, read from its source.

mod paths;
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use paths::{Code, Import};

/// How often a re-export may lead to another one.
const MOST_RE_EXPORTS: usize = 8;

/// By module, the modules next to it that it names.
type Imports = BTreeMap<String, BTreeSet<String>>;

/// Returns every source file below a folder.
pub(crate) fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut files = Vec::new();
    for path in entries.map(|entry| entry.expect("a folder can be listed").path()) {
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort_unstable();
    files
}

/// The modules of a crate by their path from its root, which is empty.
pub(crate) struct Modules(BTreeMap<Vec<String>, Module>);

/// What a module names, tests left out.
struct Module {
    /// What its `use` declarations bring in, by the name that it has then.
    names: BTreeMap<String, Vec<String>>,
    /// The modules of which it takes all names.
    globs: Vec<Vec<String>>,
    /// All paths in it.
    paths: Vec<Vec<String>>,
}

impl Module {
    fn read(file: &Path) -> Self {
        let code = Code::of(&text(file));
        let (mut names, mut globs, mut paths) = (BTreeMap::new(), Vec::new(), Vec::new());
        for Import { path, name } in code.imports() {
            if name == "*" {
                globs.push(path.clone());
            } else {
                names.insert(name, path.clone());
            }
            paths.push(path);
        }
        paths.extend(code.inline_paths());
        Self { names, globs, paths }
    }
}

impl Modules {
    /// Reads the modules of the crate with this source folder.
    pub(crate) fn of(src: &Path) -> Self {
        let files = sources(src).into_iter();
        let files =
            files.filter_map(|file| Some((module_path(file.strip_prefix(src).ok()?)?, file)));
        Self(files.map(|(path, file)| (path, Module::read(&file))).collect())
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the groups of modules that import each other, directly or through others. Modules next
    /// to each other are compared, each with all modules within it. A module and those within it may
    /// name each other: a catalog lists its entries, and they use what it defines.
    pub(crate) fn cycles(&self) -> Vec<Vec<String>> {
        let parents: BTreeSet<&[String]> =
            self.0.keys().filter_map(|path| path.split_last().map(|(_, parent)| parent)).collect();
        parents.into_iter().flat_map(|parent| cycles(&self.imports_below(parent))).collect()
    }

    /// Returns what the modules directly within another one name of each other.
    fn imports_below(&self, parent: &[String]) -> Imports {
        let child = |path: &[String]| {
            (path.len() > parent.len() && path.starts_with(parent))
                .then(|| path[..=parent.len()].join("::"))
        };
        let mut imports = Imports::new();
        for (path, module) in &self.0 {
            let Some(own) = child(path) else { continue };
            let named = module.paths.iter().filter_map(|named| child(&self.home_of(path, named)?));
            let named: Vec<String> = named.filter(|other| *other != own).collect();
            imports.entry(own).or_default().extend(named);
        }
        imports
    }

    /// Returns the module that a path of another module leads to; `None` if it leads out of the crate.
    fn home_of(&self, module: &[String], path: &[String]) -> Option<Vec<String>> {
        self.absolute(module, path).map(|path| self.home(&path, 0))
    }

    /// Returns a path of a module as one from the root.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<Vec<String>> {
        let (first, rest) = path.split_first()?;
        let is_known = || {
            self.0.contains_key(&[module, &path[..1]].concat())
                || self.0[module].names.contains_key(first)
        };
        match first.as_str() {
            "crate" => Some(rest.to_vec()),
            "self" => Some([module, rest].concat()),
            "super" => {
                let ups = path.iter().take_while(|name| *name == "super").count();
                let above = &module[..module.len().checked_sub(ups)?];
                Some([above, &path[ups..]].concat())
            }
            _ => is_known().then(|| [module, path].concat()),
        }
    }

    /// Returns the module that a path from the root leads to, with re-exports followed.
    fn home(&self, path: &[String], followed: usize) -> Vec<String> {
        for end in 1..=path.len() {
            let (at, name, rest) = (&path[..end - 1], &path[end - 1], &path[end..]);
            if self.0.contains_key(&path[..end]) {
                continue;
            }
            let Some(next) = self.re_exported(at, name).filter(|_| followed < MOST_RE_EXPORTS)
            else {
                return at.to_vec();
            };
            return self.home(&[&next, rest].concat(), followed + 1);
        }
        path.to_vec()
    }

    /// Returns where a name comes from that a module re-exports.
    fn re_exported(&self, module: &[String], name: &String) -> Option<Vec<String>> {
        let Module { names, globs, .. } = self.0.get(module)?;
        if let Some(path) = names.get(name) {
            return self.absolute(module, path);
        }
        let mut globs = globs.iter().filter_map(|glob| self.absolute(module, glob));
        let from = globs.find(|from| {
            let is_module =
                self.0.contains_key(&[from.as_slice(), std::slice::from_ref(name)].concat());
            is_module || self.0.get(from).is_some_and(|module| module.names.contains_key(name))
        });
        from.map(|from| [from, vec![name.clone()]].concat())
    }
}

/// Returns the module of a file in a source folder; tests and other programs are none.
fn module_path(file: &Path) -> Option<Vec<String>> {
    let names = file.with_extension("");
    let mut path: Vec<String> =
        names.iter().map(|name| name.to_string_lossy().into_owned()).collect();
    if path[0] == "bin" || path.iter().any(|name| name == "tests") {
        return None;
    }
    let is_root = path.len() == 1 && ["lib", "main"].contains(&path[0].as_str());
    if is_root || path.last().is_some_and(|name| name == "mod") {
        path.pop();
    }
    Some(path)
}

/// Returns the groups of modules that import each other, directly or through others.
fn cycles(imports: &Imports) -> Vec<Vec<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> =
        imports.keys().map(|module| (module, reachable(module, imports))).collect();
    let mut groups = BTreeSet::new();
    for (module, theirs) in &reached {
        let mutual = theirs.iter().filter(|other| reached[**other].contains(*module));
        let group: Vec<String> = mutual.map(|other| (*other).clone()).collect();
        if group.len() > 1 {
            groups.insert(group);
        }
    }
    groups.into_iter().collect()
}

fn reachable<'i>(module: &'i String, imports: &'i Imports) -> BTreeSet<&'i String> {
    let mut reached = BTreeSet::new();
    let mut left = vec![module];
    while let Some(next) = left.pop() {
        left.extend(imports[next].iter().filter(|other| reached.insert(*other)));
    }
    reached
}

/// Returns the text of a file without comments and without the tests at its end.
fn text(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap_or_default();
    let tests = text.match_indices("#[cfg(test)]");
    let end = tests.filter(|(at, _)| precedes_module(&text[*at..])).map(|(at, _)| at).next();
    let lines = text[..end.unwrap_or(text.len())].lines();
    lines.map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// Whether an attribute is that of a module with a body.
fn precedes_module(attribute: &str) -> bool {
    let item = attribute.lines().map(str::trim).find(|line| !line.starts_with("#["));
    item.is_some_and(|line| line.starts_with("mod ") && line.ends_with('{'))
}
