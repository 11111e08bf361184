//! What is private stays private: files, folders, codes and tokens; and a restart keeps pages alive.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use haggle_testkit::process;
use serde_json::{Value, json};

use crate::common::HAGGLE;
use crate::serve::Served;
use crate::serve::program::last;

fn publish(served: &Served) {
    let body = json!({"qi": ["age", "race"], "privacy": {"k-anonymity": 10}, "scheme": [1, 1]});
    let ended = last(&served.answer("POST", "/api/publish", &body.to_string()));
    assert!(ended["done"]["downloads"].is_object(), "{ended}");
}

/// Every file and folder under a folder, with who may read it.
fn modes(folder: &Path, found: &mut Vec<(String, u32)>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let (path, data) = (entry.path(), entry.metadata().unwrap());
        found.push((path.display().to_string(), data.permissions().mode() & 0o777));
        if data.is_dir() {
            modes(&path, found);
        }
    }
}

#[test]
fn a_publication_for_download_is_readable_by_its_owner_only() {
    let served = Served::start(&["demo"]);
    publish(&served);
    assert_eq!(served.publications().len(), 1);
    let mut found = Vec::new();
    modes(&served.home.path().join("haggle"), &mut found);
    assert!(found.iter().any(|(name, _)| name.ends_with("mapping.csv")), "{found:?}");
    assert!(found.iter().any(|(name, _)| name.ends_with("data.csv")), "{found:?}");
    for (name, mode) in found {
        assert_eq!(mode & 0o077, 0, "{name}: {mode:o}");
    }
}

#[test]
fn ending_in_any_way_removes_what_was_kept_for_download() {
    for signal in ["INT", "TERM", "HUP", "QUIT"] {
        let mut served = started_by("--default-signal");
        publish(&served);
        assert_eq!(served.publications().len(), 1);
        assert_eq!(served.signal(signal), Some(0), "{signal}");
        assert_eq!(served.publications().len(), 0, "{signal}");
        assert_eq!(std::fs::read_dir(served.home.path()).unwrap().count(), 1, "{signal}");
    }
}

/// A server that is started with signals ignored or not, whatever the tests were started with: `nohup`
/// ignores SIGHUP for all of them.
fn started_by(option: &str) -> Served {
    let mut env = Command::new("env");
    env.args([option, HAGGLE]);
    Served::start_by(env, &Arc::new(tempfile::tempdir().unwrap()), &["demo"])
}

#[test]
fn a_server_that_is_to_outlive_its_terminal_goes_on_after_a_hangup() {
    let mut served = started_by("--ignore-signal=HUP");
    let id = served.child.id().to_string();
    assert!(Command::new("kill").args(["-HUP", &id]).status().unwrap().success());
    let answer = served.answer("GET", "/api/models", "");
    assert!(answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer));
    assert_eq!(served.terminate(), Some(0));
}

#[test]
fn what_a_killed_server_left_goes_at_the_next_start_and_what_a_live_one_has_stays() {
    let mut killed = Served::start(&["demo"]);
    let live = Served::start_in(&killed.home, &["demo"]);
    publish(&killed);
    publish(&live);
    assert_eq!(killed.publications().len(), 2);
    assert_eq!(killed.signal("KILL"), None);
    assert_eq!(live.publications().len(), 2);
    let next = Served::start_in(&live.home, &["demo"]);
    assert_eq!(next.publications().len(), 1);
    publish(&live);
    assert_eq!(next.publications().len(), 2);
}

/// Signs a browser in: the header lines of its page.
fn sign_in(served: &Served, address: &str) -> Vec<String> {
    let path = address.split_once(&served.host).unwrap().1;
    let page = served.get(path, &[]);
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    assert!(served.get(path, &[]).starts_with("HTTP/1.1 401"), "it works once");
    let cookie = page.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    let secret = page.split("haggle-secret\" content=\"").nth(1).unwrap();
    let (cookie, secret) = (cookie.split(';').next().unwrap(), secret.split('"').next().unwrap());
    vec![format!("Cookie: {cookie}"), format!("Haggle-Secret: {secret}")]
}

#[test]
fn a_restart_keeps_the_page_alive_and_keeps_no_secret() {
    let mut first = Served::start(&["demo"]);
    let page = sign_in(&first, &first.address.clone());
    assert!(first.get("/api/models", &page).starts_with("HTTP/1.1 200"));
    assert_eq!(first.terminate(), Some(0));
    let mut second = Served::start_in(&first.home, &["demo"]);
    assert_eq!(first.host, second.host, "the port is that of last time");
    assert_ne!(first.token, second.token);
    assert!(second.get("/api/models", &page).starts_with("HTTP/1.1 200"));
    assert!(second.get("/", &page[..1]).starts_with("HTTP/1.1 200"));
    assert!(second.get("/api/models", &page[..1]).starts_with("HTTP/1.1 401"));
    let projects = std::fs::read_dir(first.home.path().join("haggle/projects")).unwrap();
    let kept = projects.map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap());
    let kept: Vec<String> = kept.collect();
    let json: Vec<Value> = kept.iter().filter_map(|text| serde_json::from_str(text).ok()).collect();
    assert!(json.iter().all(|kept| kept["version"] == 1) && !json.is_empty(), "{kept:?}");
    let kept = kept.concat();
    for line in &page {
        let secret = line.rsplit(['=', ' ']).next().unwrap();
        assert!(secret.len() > 40 && !kept.contains(secret), "{kept}");
    }
    assert!(!kept.contains(&first.token));
    // Where the port is taken, another is.
    assert_eq!(second.terminate(), Some(0));
    let _taken = std::net::TcpListener::bind(&first.host).unwrap();
    let third = Served::start_in(&first.home, &["demo"]);
    assert_ne!(third.host, first.host);
}

fn until<T>(what: impl Fn() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = what() {
            return found;
        }
        assert!(start.elapsed() < Duration::from_secs(20), "it never came");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A browser's opener that notes what it was given, and then ends like this.
fn with_opener(code: i32) -> (Served, Arc<tempfile::TempDir>, std::process::ChildStdout) {
    let home = Arc::new(tempfile::tempdir().unwrap());
    let opener = home.path().join("xdg-open");
    let noted = home.path().join("noted");
    let script = format!(
        "#!/bin/sh\necho \"$@\" > {0}.new\nstat -c %a \"$1\" >> {0}.new\ncat \"$1\" >> {0}.new\nmv {0}.new {0}\nexit {code}\n",
        noted.display()
    );
    std::fs::write(&opener, script).unwrap();
    std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", home.path().display(), std::env::var("PATH").unwrap());
    let mut child = Command::new(HAGGLE)
        .arg("demo")
        .env("PATH", path)
        .env("XDG_STATE_HOME", home.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let stdout = child.stdout.take().unwrap();
    let (host, token, address) = (String::new(), String::new(), String::new());
    (Served { child, host, token, address, home: home.clone() }, home, stdout)
}

#[test]
fn a_browser_is_opened_without_a_secret_in_the_process_list() {
    let (mut served, home, stdout) = with_opener(0);
    let noted = until(|| std::fs::read_to_string(home.path().join("noted")).ok());
    let mut lines = noted.lines();
    let (argument, mode) = (lines.next().unwrap(), lines.next().unwrap());
    assert!(Path::new(argument).is_absolute() && !argument.contains("code"), "{argument}");
    assert_eq!(mode, "600");
    let address = noted.split("url=").nth(1).unwrap().split('"').next().unwrap().to_owned();
    served.host = address.split("//").nth(1).unwrap().split('/').next().unwrap().to_owned();
    let code = address.rsplit('=').next().unwrap();
    for process in std::fs::read_dir("/proc").unwrap().flatten() {
        let command = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        assert!(!String::from_utf8_lossy(&command).contains(code));
    }
    sign_in(&served, &address);
    assert!(!Path::new(argument).exists(), "the file goes with its code");
    assert_eq!(served.terminate(), Some(0));
    let said = std::io::read_to_string(stdout).unwrap();
    assert!(said.contains(&served.host) && !said.contains("code"), "{said}");
}

#[test]
fn where_no_browser_opens_an_address_that_works_once_is_printed() {
    let (mut served, _home, stdout) = with_opener(3);
    let id = served.child.id();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(stdout));
    let mut next = |start: &str| {
        let find = || lines.by_ref().map(Result::unwrap).find(|line| line.starts_with(start));
        let line = process::within_limit(id, process::LIMIT, find);
        line.unwrap().strip_prefix(start).unwrap().to_owned()
    };
    let address = next("Open ");
    served.host = address.split("//").nth(1).unwrap().split('/').next().unwrap().to_owned();
    sign_in(&served, &address);
    let how = next("(it works once");
    let asked = how.split("kill ").nth(1).unwrap().split(" prints").next().unwrap().to_owned();
    assert_eq!(asked, format!("-USR1 {}", served.child.id()));
    assert!(Command::new("kill").args(asked.split(' ')).status().unwrap().success());
    let another = next("Open ");
    assert_ne!(another, address);
    sign_in(&served, &another);
    assert_eq!(served.terminate(), Some(0));
}
