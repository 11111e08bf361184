//! The manual pages in `docs/` are those that the catalogs make.

mod book;

use haggle::catalog::{MEASURES, MODELS, strategies};

use crate::common::Folder;

/// With `HAGGLE_WRITE_MANUAL` set, as `make manual` does, writes the pages instead of comparing them.
fn assert_pages(command: &str, ids: &[&str]) {
    let folder = format!("{}/../../docs/{command}", env!("CARGO_MANIFEST_DIR"));
    for id in ids {
        let run = Folder::empty().haggle(&[command, id, "--markdown"]);
        let path = format!("{folder}/{id}.md");
        if std::env::var_os("HAGGLE_WRITE_MANUAL").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, run.text()).unwrap();
        }
        let page = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(page, run.text(), "{path} is out of date; make manual writes it");
    }
    let pages = std::fs::read_dir(&folder).unwrap().count();
    assert_eq!(pages, ids.len(), "a page for every entry, and no other");
}

#[test]
fn every_model_has_its_manual_page() {
    assert_pages("models", &MODELS.iter().map(|model| model.id).collect::<Vec<_>>());
}

#[test]
fn every_strategy_has_its_manual_page() {
    assert_pages(
        "strategies",
        &strategies().iter().map(|strategy| strategy.id).collect::<Vec<_>>(),
    );
}

#[test]
fn every_measure_has_its_manual_page() {
    assert_pages("measures", &MEASURES.iter().map(|measure| measure.id).collect::<Vec<_>>());
}
