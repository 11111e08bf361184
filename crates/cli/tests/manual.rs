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

/// The table of the questions in the book, from the catalog and the schemas of their fields.
fn questions_page() -> String {
    let mut page = String::from(
        "# Questions\n\nEvery question that can be asked about a project. Over HTTP it is `POST /api/ID`; \
         a line of [`--requests`](json.md#requests) names it as `\"question\": \"ID\"`; Python has a method \
         for each. The fields stand next to those of a request in one object, and examples are about \
         `demo:adult` with `--qi age,race,workclass`. What an answer reveals, from least to most: \
         nothing, counts, labels (values of hierarchies), records. `haggle questions` prints this list.\n",
    );
    for entry in haggle::questions::Questions::default().iter() {
        let schemas = serde_json::to_value((entry.schemas)().fields).unwrap();
        page +=
            &format!("\n## {}\n\n{}. Reveals {}.\n", entry.id, entry.title, entry.reveals.name());
        if !entry.takes_request {
            page += "It takes no request.\n";
        }
        if !(entry.fields)().is_empty() {
            page += "\n| field | meaning |\n|---|---|\n";
        }
        for field in (entry.fields)() {
            let meaning = schemas["properties"][field]["description"].as_str();
            let one_of = schemas["properties"][field]["oneOf"].as_array();
            let nested =
                one_of.and_then(|all| all.iter().find_map(|one| one["description"].as_str()));
            let meaning = meaning.or(nested).unwrap_or_else(|| panic!("{}.{field}", entry.id));
            page +=
                &format!("| `{field}` | {} |\n", meaning.replace('\n', " ").replace('|', "\\|"));
        }
        page += &format!("\n```json\n{}\n```\n", entry.examples.join("\n"));
    }
    page
}

#[test]
fn every_question_is_in_the_book() {
    let path = format!("{}/../../docs/reference/questions.md", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("HAGGLE_WRITE_MANUAL").is_some() {
        std::fs::write(&path, questions_page()).unwrap();
    }
    let page = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(page, questions_page(), "{path} is out of date; make manual writes it");
}
