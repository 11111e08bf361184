//! The paths in some code: those of `use` declarations, and those within expressions and types.

/// A name that a `use` declaration brings in.
#[derive(Debug, PartialEq)]
pub(super) struct Import {
    pub(super) path: Vec<String>,
    /// What it is called from then on; `*` for all names of the path.
    pub(super) name: String,
}

/// The code of a module, its `use` declarations apart.
#[derive(Default)]
pub(super) struct Code {
    /// Their trees.
    declarations: Vec<String>,
    rest: String,
}

impl Code {
    /// Splits code without comments. A declaration begins a line and ends one.
    pub(super) fn of(text: &str) -> Self {
        let mut code = Self::default();
        let mut is_open = false;
        for line in text.lines() {
            let (tree, part) = match (is_open, tree(line)) {
                (false, None) => (None, line),
                (false, Some(tree)) => (Some(tree), ""),
                (true, _) => (Some(line), ""),
            };
            code.rest.push_str(part);
            code.rest.push('\n');
            let Some(tree) = tree else { continue };
            if !is_open {
                code.declarations.push(String::new());
            }
            let last = code.declarations.last_mut().expect("one was begun");
            last.push_str(tree.split(';').next().unwrap_or_default());
            is_open = !tree.contains(';');
        }
        code
    }

    /// Returns what the `use` declarations bring in.
    pub(super) fn imports(&self) -> Vec<Import> {
        let mut found = Vec::new();
        self.declarations.iter().for_each(|tree| add_tree(tree, &[], &mut found));
        found
    }

    /// Returns the paths of two names or more in everything else. Those of macros, which begin with
    /// `$crate`, are left out: they stand for the place where the macro is used.
    pub(super) fn inline_paths(&self) -> Vec<Vec<String>> {
        let pieces = self.rest.split(|letter| !is_word(letter) && letter != ':' && letter != '$');
        let is_path = |piece: &&str| piece.contains("::") && !piece.starts_with([':', '$']);
        pieces.filter(is_path).map(segments).filter(|path| path.len() > 1).collect()
    }
}

/// Returns the tree of a `use` declaration that a line begins with.
fn tree(line: &str) -> Option<&str> {
    let line = line.trim_start();
    line.strip_prefix("use ").or_else(|| {
        let (visibility, tree) = line.split_once(" use ")?;
        let is_limited = visibility.starts_with("pub(") && visibility.ends_with(')');
        (visibility == "pub" || is_limited).then_some(tree)
    })
}

/// Adds what a tree such as `a::{b, c::D as E}` brings in, below a prefix.
fn add_tree(tree: &str, prefix: &[String], found: &mut Vec<Import>) {
    let tree = tree.trim();
    if let Some((head, list)) = tree.split_once('{') {
        let path = [prefix, &segments(head)].concat();
        let list = list.trim_end().strip_suffix('}').unwrap_or(list);
        for part in parts(list) {
            add_tree(part, &path, found);
        }
        return;
    }
    let (path, alias) = tree.split_once(" as ").map_or((tree, None), |(p, a)| (p, Some(a.trim())));
    let mut path = [prefix, &segments(path)].concat();
    let is_whole = path.len() > 1 && path.last().is_some_and(|last| last == "*" || last == "self");
    let last = if is_whole { path.pop() } else { path.last().cloned() };
    let name = last.filter(|last| last != "self").or_else(|| path.last().cloned());
    let Some(name) = alias.map(str::to_owned).or(name) else { return };
    found.push(Import { path, name });
}

/// Splits a list at the commas outside of its inner braces.
fn parts(list: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_i32, 0);
    for (at, letter) in list.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&list[start..]);
    parts.into_iter().filter(|part| !part.trim().is_empty()).collect()
}

fn segments(path: &str) -> Vec<String> {
    let names = path.split("::").map(str::trim).filter(|name| !name.is_empty());
    names.map(str::to_owned).collect()
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}
