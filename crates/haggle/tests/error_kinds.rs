//! Programs match errors by their kind, and remedies are data.

use std::fs;
use std::path::PathBuf;

use haggle::{
    Engine, Error, ErrorKind, Options, Project, Publication, PublicationReport, Remedy, Request,
    Way, verify,
};
use tempfile::TempDir;

const PROJECT: &str = r#"
[data]
path = "people.csv"

[[attribute]]
name = "age"
role = "quasi-identifier"

[[attribute]]
name = "disease"
role = "sensitive"

[request]
k = 3
"#;

const PEOPLE: &str = "age,disease\n30,flu\n30,flu\n30,gout\n40,flu\n40,gout\n40,gout\n";

/// A project that asks for 3-anonymity, which its six people have.
struct People {
    folder: TempDir,
    engine: Engine,
}

impl People {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("haggle.toml"), PROJECT).unwrap();
        fs::write(folder.path().join("people.csv"), PEOPLE).unwrap();
        let project = Project::open(folder.path()).unwrap();
        let engine = Engine::builder(&project).open().unwrap();
        Self { folder, engine }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn publish(&self, request: &Request, name: &str) -> Result<PublicationReport, Error> {
        Publication::of(request).to(self.file(name)).publish(&self.engine)
    }
}

fn kind<T>(result: Result<T, Error>) -> ErrorKind {
    result.err().expect("it is refused").kind()
}

#[test]
fn what_is_named_and_does_not_exist_is_not_found() {
    let people = People::new();
    assert_eq!(kind(Project::open(people.file("elsewhere"))), ErrorKind::NotFound);
    assert_eq!(
        kind(verify(people.file("out.csv")).against(&Request::k(3)).run()),
        ErrorKind::NotFound
    );
    assert_eq!(kind(people.engine.ask(&Request::k(3).level("zip", 1))), ErrorKind::NotFound);
    // Of all problems of a project, too.
    let project = Project::open(people.folder.path()).unwrap();
    fs::remove_file(people.file("people.csv")).unwrap();
    assert_eq!(kind(Engine::builder(&project).open()), ErrorKind::NotFound);
}

#[test]
fn data_that_changes_before_it_is_published_is_noticed_and_nothing_is_written() {
    for more in ["30,flu\n", "50,flu\n"] {
        let people = People::new();
        fs::write(people.file("people.csv"), format!("{PEOPLE}{more}")).unwrap();
        let changed = people.publish(&Request::k(3), "out.csv").unwrap_err();
        assert_eq!(changed.kind(), ErrorKind::DataChanged, "{changed}");
        assert_eq!(changed.problems().iter().next().unwrap().fix, Remedy::PublishAgain);
        assert!(!people.file("out.csv").exists());
    }
}

#[test]
fn a_file_of_somebody_else_is_a_conflict_and_the_data_is_protected() {
    let people = People::new();
    fs::write(people.file("out.csv"), "mine").unwrap();
    assert_eq!(kind(people.publish(&Request::k(3), "out.csv")), ErrorKind::Conflict);
    assert_eq!(fs::read(people.file("out.csv")).unwrap(), b"mine");
    assert_eq!(kind(people.publish(&Request::k(3), "people.csv")), ErrorKind::RefusedByPolicy);
}

#[test]
fn less_than_the_project_asks_for_is_refused_with_the_remedy_that_allows_it() {
    let people = People::new();
    let refused = people.publish(&Request::k(2), "out.csv").unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::RefusedByPolicy, "{refused}");
    assert_eq!(refused.problems().iter().next().unwrap().fix, Remedy::StateOnly);
    people.publish(&Request::k(2).only(), "out.csv").unwrap();
}

#[test]
fn too_little_memory_has_a_kind_whatever_needs_it() {
    let project = Project::demo();
    for (memory, way) in [(1_000, Way::Auto), (4_000_000, Way::Full)] {
        let refused = Engine::open(&project, &Options { memory, way, ..Options::default() });
        let refused = refused.expect_err("it is refused");
        assert_eq!(refused.kind(), ErrorKind::OutOfMemory, "{refused}");
        let remedy = &refused.problems().iter().next().unwrap().fix;
        assert!(matches!(remedy, Remedy::RaiseMemory(_)), "{remedy:?}");
    }
}
