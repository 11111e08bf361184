//! What `--memory` bounds where the data is in a database, as the operating system sees it.

use haggle_testkit::postgres::{PASSWORD, Server, USER};

use crate::common::Folder;
use crate::common::memory::{MB, measured};

/// A project on a table of a million records, each of them a group of its own.
fn distinct_groups(server: &Server) -> Folder {
    server.sql(
        "ALTER ROLE owner SET work_mem = '256MB'; \
         CREATE TABLE groups AS SELECT i % 100 AS a, i / 100 % 100 AS b, i / 10000 AS c, \
         i * 7 % 13 AS s FROM generate_series(0, 999999) AS i; ANALYZE groups;",
    );
    let quasi = |name: &str| {
        format!(
            "[[attribute]]\nname = \"{name}\"\nrole = \"quasi-identifier\"\n\
             hierarchy = {{ intervals = [5, 20] }}\n"
        )
    };
    let attributes: String = ["a", "b", "c"].map(quasi).concat();
    let project = format!(
        "[data]\nurl = \"{}\"\ntable = \"groups\"\n{attributes}\
         [[attribute]]\nname = \"s\"\nrole = \"sensitive\"\n",
        server.url(USER)
    );
    Folder::with([("haggle.toml", project)])
}

#[test]
fn counting_a_million_groups_of_a_database_stays_within_the_limit_or_is_refused() {
    let server = Server::start();
    let folder = distinct_groups(&server);
    for (args, megabytes, answers) in [
        ("ask . --k 5 --l 2 --max-suppressed 5%", 200, true),
        ("ask . --k 5", 20, false),
        ("ask . --k 5 --l 2 --max-suppressed 5% --from-level a=1,b=1,c=1", 20, true),
    ] {
        let line = format!("{args} --memory {megabytes}MB");
        let mut command = folder.command(&line.split(' ').collect::<Vec<_>>());
        let run = measured(command.env("PGPASSWORD", PASSWORD));
        println!("{args:<40} {:?} {:>5} MB of {megabytes} MB", run.code, run.peak / MB);
        assert!(run.keeps_to(megabytes), "{args}: {run:?}");
        assert!(if answers { run.code == Some(0) } else { run.is_refused() }, "{args}: {run:?}");
    }
}
