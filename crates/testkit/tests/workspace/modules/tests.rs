//! Cycles are found in small crates that were made up for it.

use std::fs;

use super::Modules;
use super::paths::{Code, Import};

/// Returns the cycles of a crate with these files.
fn cycles_of(files: &[(&str, &str)]) -> Vec<Vec<String>> {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for (name, text) in files {
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().expect("it is in a folder")).expect("it can be made");
        fs::write(file, text).expect("it can be written");
    }
    Modules::of(folder.path()).cycles()
}

#[test]
fn names_that_the_root_re_exports_count_for_their_module() {
    let cycles = cycles_of(&[
        ("lib.rs", "mod low;\npub mod high;\nmod free;\npub use high::{High, Higher as Up};\n"),
        ("low.rs", "use crate::{Up, free::Free};\n// crate::low\n"),
        ("high.rs", "use super::low;\n"),
        (
            "free.rs",
            "#[cfg(test)]\n#[allow(dead_code)]\nmod tests {\n    use crate::high::High;\n}\n",
        ),
    ]);
    assert_eq!(cycles, [["high", "low"]], "tests may import what they like");
}

#[test]
fn names_that_a_folder_re_exports_count_for_their_module() {
    let root = ("lib.rs", "mod shop;\npub use shop::*;\n");
    let shop = ("shop.rs", "mod shelf;\nmod till;\npub use till::Till;\n");
    let shelf = ("shop/shelf.rs", "fn pay(till: &crate::Till) {}\n");
    assert_eq!(
        cycles_of(&[root, shop, shelf, ("shop/till.rs", "use super::shelf::Shelf;\n")]),
        [["shop::shelf", "shop::till"]]
    );
    let none: [[&str; 0]; 0] = [];
    assert_eq!(cycles_of(&[root, shop, shelf, ("shop/till.rs", "use std::fmt;\n")]), none);
}

#[test]
fn folders_import_each_other_if_different_modules_of_them_do() {
    let cycles = cycles_of(&[
        ("lib.rs", "mod a;\nmod b;\n"),
        ("a.rs", "mod first;\nmod second;\n"),
        ("a/first.rs", "use crate::b::{\n    inner::Inner,\n};\n"),
        ("a/second.rs", "\n"),
        ("b.rs", "mod inner;\nmod other;\n"),
        ("b/inner.rs", "\n"),
        ("b/other.rs", "fn other() -> u8 {\n    super::super::a::second::number()\n}\n"),
    ]);
    assert_eq!(cycles, [["a", "b"]]);
}

#[test]
fn a_catalog_and_its_entries_may_name_each_other() {
    let entries = [
        ("lib.rs", "mod catalog;\n"),
        ("catalog.rs", "mod one;\nmod two;\nconst ALL: [Entry; 2] = [one::ONE, two::TWO];\n"),
        ("catalog/one.rs", "use super::Entry;\n"),
    ];
    let cycles =
        |two: &'static str| cycles_of(&[&entries[..], &[("catalog/two.rs", two)]].concat());
    let none: [[&str; 0]; 0] = [];
    assert_eq!(cycles("use crate::catalog::Entry;\nuse super::one::ONE;\n"), none);
    let both = [&entries[..2], &[("catalog/one.rs", "use super::two;\n")]].concat();
    let both = [&both[..], &[("catalog/two.rs", "use super::{Entry, one::ONE};\n")]].concat();
    assert_eq!(cycles_of(&both), [["catalog::one", "catalog::two"]], "entries may not");
}

#[test]
fn declarations_are_read_with_their_lists_and_other_names() {
    let code = "pub(crate) use a::{\n    self, b::{C as D, *},\n};\nlet used = \"use x::Y;\";\n$crate::z();\n";
    let import = |path: &[&str], name: &str| Import {
        path: path.iter().map(|&part| part.into()).collect(),
        name: name.into(),
    };
    assert_eq!(
        Code::of(code).imports(),
        [import(&["a"], "a"), import(&["a", "b", "C"], "D"), import(&["a", "b"], "*")]
    );
    assert_eq!(Code::of(code).inline_paths(), [["x", "Y"]]);
}
