//! The manual pages in `docs/` are those that the catalogs make.

mod common;

use common::Folder;
use haggle::MODELS;

/// `HAGGLE_WRITE_MANUAL=1 cargo test --test manual` writes the pages instead of comparing them.
#[test]
fn every_model_has_its_manual_page() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/models");
    for model in MODELS {
        let run = Folder::empty().haggle(&["models", model.id, "--markdown"]);
        let path = format!("{folder}/{}.md", model.id);
        if std::env::var_os("HAGGLE_WRITE_MANUAL").is_some() {
            std::fs::create_dir_all(folder).unwrap();
            std::fs::write(&path, run.text()).unwrap();
        }
        let page = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(page, run.text(), "{path} is out of date; make manual writes it");
    }
    let pages = std::fs::read_dir(folder).unwrap().count();
    assert_eq!(pages, MODELS.len(), "a page for every model, and no other");
}
