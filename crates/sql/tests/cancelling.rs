//! Statements of PostgreSQL are cancelled by the caller that they run for, and by no other.

#![cfg(all(unix, feature = "postgres"))]

use std::io::Read;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::time::{Duration, Instant};

use haggle_model::{ErrorKind, Progress, Silent};
use haggle_sql::{Access, Database, TableLocation, number};
use haggle_testkit::postgres::{PASSWORD, Server, USER};

/// How long a statement may take that is cancelled, or that was never long.
const SOON: Duration = Duration::from_secs(20);

/// One of several callers in this process.
#[derive(Default)]
struct Caller {
    is_cancelled: AtomicBool,
    held: AtomicUsize,
}

impl Progress for Caller {
    fn start(&self, _: &str, _: u64) {}
    fn advance(&self, _: u64) {}
    fn finish(&self) {}

    fn cancelled(&self) -> bool {
        self.is_cancelled.load(SeqCst)
    }

    fn hold(&self) {
        self.held.fetch_add(1, SeqCst);
    }

    fn release(&self) {
        self.held.fetch_sub(1, SeqCst);
    }
}

fn open(server: &Server, table: &str) -> Database {
    let url = server.url(&format!("{USER}:{PASSWORD}"));
    Database::open(&TableLocation::table(&url, table), &Silent).unwrap()
}

/// Waits until the server runs this many statements that hold a text.
fn wait_for(server: &Server, text: &str, count: usize) {
    let query = format!(
        "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%{text}%' \
         AND pid <> pg_backend_pid()"
    );
    let start = Instant::now();
    while server.sql(&query) != count.to_string() {
        assert!(start.elapsed() < SOON, "there are not {count} statements with {text}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn of_two_callers_only_the_one_that_cancels_is_cancelled() {
    let server = Server::start();
    server.sql("CREATE TABLE people (age int); INSERT INTO people VALUES (7)");
    let database = open(&server, "people");
    let (one, other) = (Caller::default(), Caller::default());
    let sleep = |caller: &Caller, seconds: u32| {
        let session = database.session(Access::Reads, caller)?;
        number(session.as_ref(), &format!("SELECT 7 FROM pg_sleep({seconds})"))
    };
    std::thread::scope(|scope| {
        let stopped = scope.spawn(|| sleep(&one, 600));
        let running = scope.spawn(|| sleep(&other, 3));
        wait_for(&server, "pg_sleep", 2);
        assert_eq!((one.held.load(SeqCst), other.held.load(SeqCst)), (1, 1));
        one.is_cancelled.store(true, SeqCst);
        assert_eq!(stopped.join().unwrap().unwrap_err().kind(), ErrorKind::Cancelled);
        assert_eq!(running.join().unwrap().unwrap(), 7);
    });
    wait_for(&server, "pg_sleep", 0);
    assert_eq!((one.held.load(SeqCst), other.held.load(SeqCst)), (0, 0));
    assert_eq!(sleep(&one, 600).unwrap_err().kind(), ErrorKind::Cancelled, "it is not begun");
}

#[test]
fn rows_and_records_that_keep_coming_are_cancelled() {
    let server = Server::start();
    server.sql("CREATE VIEW many AS SELECT generate_series(1, 1000000000000) AS age");
    let database = open(&server, "many");
    let start = Instant::now();
    let caller = Caller::default();
    let session = database.session(Access::Reads, &caller).unwrap();
    let mut rows = 0_u64;
    let counted = session.for_each("SELECT age::bigint FROM many", &mut |_| {
        rows += 1;
        caller.is_cancelled.store(rows > 1000, SeqCst);
        Ok(())
    });
    assert_eq!(counted.unwrap_err().kind(), ErrorKind::Cancelled);
    let caller = Caller::default();
    let mut records = database.records(&caller).unwrap();
    let mut buffer = [0; 4096];
    records.read_exact(&mut buffer).unwrap();
    assert!(buffer.starts_with(b"age\n1\n2\n"));
    caller.is_cancelled.store(true, SeqCst);
    while let Ok(read) = records.read(&mut buffer) {
        assert!(read > 0 && start.elapsed() < SOON, "nothing is cancelled");
    }
    wait_for(&server, "many", 0);
}
