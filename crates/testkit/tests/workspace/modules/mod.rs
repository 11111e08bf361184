//! The imports between the top-level modules of a crate, read from its source.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// By top-level module, the top-level modules that it names.
pub(crate) type Imports = BTreeMap<String, BTreeSet<String>>;

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

/// Reads the imports of the crate with this source folder, tests left out. A name that the root
/// re-exports counts for the module that it comes from.
pub(crate) fn imports(src: &Path) -> Imports {
    let root = ["lib.rs", "main.rs"].map(|name| src.join(name)).into_iter().find(|p| p.exists());
    let root = root.map(|root| code(&root)).unwrap_or_default();
    let modules = modules(&root);
    let homes = homes(&root, &modules);
    let named = |file: &PathBuf| {
        let text = code(file);
        let mut heads = heads(&text, "crate::");
        if file.parent() == Some(src) {
            // Here the parent is the root.
            heads.extend(self::heads(&text, "super::"));
        }
        heads.into_iter().filter_map(|head| home(&head, &modules, &homes)).collect::<Vec<_>>()
    };
    let of = |module: &String| {
        let own = sources(&src.join(module)).into_iter().chain([src.join(format!("{module}.rs"))]);
        let own = own.filter(|file| file.exists() && !file.ends_with("tests.rs"));
        let all = own.flat_map(|file| named(&file)).filter(|named| named != module);
        (module.clone(), all.collect())
    };
    modules.iter().map(of).collect()
}

/// Returns the groups of modules that import each other, directly or through others.
pub(crate) fn cycles(imports: &Imports) -> Vec<Vec<String>> {
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
fn code(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap_or_default();
    let tests = text.match_indices("#[cfg(test)]");
    let end = tests.filter(|(at, _)| follows_module(&text[*at..])).map(|(at, _)| at).next();
    let lines = text[..end.unwrap_or(text.len())].lines();
    lines.map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// Whether an attribute is that of a module with a body.
fn follows_module(attribute: &str) -> bool {
    let item = attribute.split_once(']').map_or("", |(_, rest)| rest.trim_start());
    item.starts_with("mod ") && item.lines().next().is_some_and(|line| line.ends_with('{'))
}

/// Returns the modules that a crate's root declares.
fn modules(root: &str) -> Vec<String> {
    let declared = |line: &str| {
        let (visibility, name) = line.strip_suffix(';')?.rsplit_once("mod ")?;
        let is_plain = visibility.is_empty() || visibility.starts_with("pub");
        (is_plain && name.chars().all(is_word)).then(|| name.to_owned())
    };
    root.lines().filter_map(declared).collect()
}

/// Returns, by name that the root re-exports, the module that it comes from.
fn homes(root: &str, modules: &[String]) -> BTreeMap<String, String> {
    let mut homes = BTreeMap::new();
    for (at, start) in root.match_indices("use ") {
        let statement = root[at + start.len()..].split(';').next().unwrap_or_default();
        let path = statement.trim_start_matches("crate::").trim_start_matches("self::");
        let Some((module, names)) = path.split_once("::") else { continue };
        if root[..at].ends_with(char::is_whitespace) && modules.iter().any(|m| m == module) {
            let names = names.split(|letter| !is_word(letter)).filter(|name| !name.is_empty());
            homes.extend(names.map(|name| (name.to_owned(), module.to_owned())));
        }
    }
    homes
}

/// Returns the module that a name at the root belongs to.
fn home(name: &str, modules: &[String], homes: &BTreeMap<String, String>) -> Option<String> {
    let module = modules.iter().find(|module| *module == name);
    module.or_else(|| homes.get(name)).cloned()
}

/// Returns the first names after each occurrence of a prefix, in braces or alone.
fn heads(text: &str, prefix: &str) -> Vec<String> {
    let mut heads = Vec::new();
    for (at, _) in text.match_indices(prefix) {
        let before = text[..at].chars().next_back();
        if before.is_some_and(|letter| is_word(letter) || letter == ':' || letter == '$') {
            continue;
        }
        heads.extend(first_names(&text[at + prefix.len()..]));
    }
    heads
}

/// Returns the first name of a path, or of each path in braces.
fn first_names(path: &str) -> Vec<String> {
    let word = |text: &str| text.chars().take_while(|letter| is_word(*letter)).collect();
    let Some(list) = path.strip_prefix('{') else { return vec![word(path)] };
    let (mut names, mut depth, mut begins) = (Vec::new(), 1, true);
    for (at, letter) in list.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => begins = true,
            letter if begins && is_word(letter) => {
                names.push(word(&list[at..]));
                begins = false;
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    names
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}
