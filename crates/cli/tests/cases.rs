//! Cases as data: each file in the folder `cases` has a small project, and what is asked of it with the
//! answer. Its README describes the format.

mod format;
mod steps;

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread::ScopedJoinHandle;

use format::CaseFile;

/// Every case file below a folder, in order.
fn case_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(case_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "case") {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn every_case_is_answered_as_its_file_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let wanted = std::env::var("HAGGLE_CASE").unwrap_or_default();
    let mut files = case_files(&folder);
    files.retain(|path| path.to_string_lossy().contains(&wanted));
    assert!(!files.is_empty(), "no case of '{wanted}' in {}", folder.display());
    let failures = failures(&files);
    println!("{} cases", files.len());
    assert!(failures.is_empty(), "{} of {}\n{}", failures.len(), files.len(), failures.join("\n"));
}

/// What is not so in any of the files, which several threads carry out.
fn failures(files: &[PathBuf]) -> Vec<String> {
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
    let share = |thread: usize| files.iter().skip(thread).step_by(threads);
    std::thread::scope(|scope| {
        let found = |thread| scope.spawn(move || share(thread).filter_map(failure).collect());
        let running: Vec<ScopedJoinHandle<'_, Vec<String>>> = (0..threads).map(found).collect();
        running.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    })
}

/// What a case file says that is not so.
fn failure(path: &PathBuf) -> Option<String> {
    let text = std::fs::read_to_string(path).unwrap();
    let result = CaseFile::parse(&text).and_then(|case| steps::carry_out(&case));
    result.err().map(|why| format!("{}: {why}", path.display()))
}

#[test]
fn what_is_not_so_is_found() {
    let case = |steps: &str| {
        let start = "One group.\n--- project q | s\n--- records\nq,s\na,1 ×3\n";
        CaseFile::parse(&format!("{start}{steps}")).and_then(|case| steps::carry_out(&case))
    };
    let ask = "--- ask {\"privacy\":{\"k-anonymity\":3}}\n";
    assert_eq!(case(&format!("{ask}{{\"exact\":{{\"scheme\":[0]}}}}\n")), Ok(()));
    for wrong in [
        &format!("{ask}{{\"exact\":{{\"scheme\":[1]}}}}\n"),
        &format!("{ask}error: no such model\n"),
        "--- ask {\"privacy\":{\"k-anonymity\":-3}}\n{}\n",
        "--- run 1 haggle ask . --k 3\n",
        "--- run haggle ask . --k 3\nAnother line.\n",
        "--- run haggle publish . --k 3 -o o.csv\n--- lacks a,1: o.csv\n",
        "--- run haggle publish . --k 3 -o o.csv\n--- has b,1: o.csv\n",
        "--- lacks a: nowhere.csv\n",
        "--- answer 42\n",
    ] {
        assert!(case(wrong).is_err(), "{wrong}");
    }
}
