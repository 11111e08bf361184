//! Encrypted connections to real servers: one with a certificate of its own authority, one without TLS.
//! The modes mean what they mean to libpq.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use haggle_testkit::postgres::{PASSWORD, Server, USER};
use haggle_testkit::process::RunLimited;
use haggle_testkit::redacted;
use insta::assert_snapshot;
use tempfile::TempDir;

use crate::database::server;

/// A server with TLS, and the certificates around it.
struct TlsServer {
    server: Server,
    files: TempDir,
}

static TLS: LazyLock<TlsServer> = LazyLock::new(TlsServer::start);

fn openssl(folder: &Path, arguments: &str) {
    let output = Command::new("openssl")
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .run_limited();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// An authority: `NAME.crt` and `NAME.key`.
fn authority(folder: &Path, name: &str) {
    openssl(
        folder,
        &format!(
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN={name} \
         -keyout {name}.key -out {name}.crt -addext basicConstraints=critical,CA:TRUE"
        ),
    );
}

/// A certificate that an authority signs.
fn signed(folder: &Path, name: &str, authority: &str, extension: &str) {
    openssl(
        folder,
        &format!(
            "req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN={name} \
         -keyout {name}.key -out {name}.csr"
        ),
    );
    std::fs::write(folder.join("extension"), extension).unwrap();
    openssl(
        folder,
        &format!(
            "x509 -req -in {name}.csr -CA {authority}.crt -CAkey {authority}.key -CAcreateserial \
         -days 30 -extfile extension -out {name}.crt"
        ),
    );
}

impl TlsServer {
    fn start() -> Self {
        let files = tempfile::tempdir().unwrap();
        let folder = files.path();
        authority(folder, "root");
        authority(folder, "other");
        signed(folder, "server", "root", "subjectAltName=DNS:localhost\n");
        signed(folder, "certified", "root", "extendedKeyUsage=clientAuth\n");
        let server = Server::start_with(|data| {
            for file in ["server.crt", "server.key", "root.crt"] {
                std::fs::copy(folder.join(file), data.join(file)).unwrap();
            }
            let key = data.join("server.key");
            std::fs::set_permissions(key, Permissions::from_mode(0o600)).unwrap();
            let rules = data.join("pg_hba.conf");
            let usual = std::fs::read_to_string(&rules).unwrap();
            // Users who are let in over TLS only, one of them by certificate.
            let own = "hostnossl all tls_only all reject\nhostnossl all certified all reject\n\
                       hostssl all certified all cert\n";
            std::fs::write(&rules, format!("{own}{usual}")).unwrap();
            ["ssl=on", "ssl_ca_file=root.crt"].map(str::to_owned).to_vec()
        });
        let columns = "CREATE TABLE people (age int, sex text); \
                       INSERT INTO people SELECT 30 + i % 5, 'f' FROM generate_series(1, 50) i";
        for user in ["tls_only", "certified"] {
            server.sql(&format!("CREATE ROLE {user} SUPERUSER LOGIN PASSWORD '{PASSWORD}'"));
        }
        server.sql(columns);
        Self { server, files }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.files.path().join(name)
    }
}

/// Asks a project whose table is on a server; `settings` follow the url.
fn ask(port: u16, host: &str, user: &str, settings: &str, environment: &[(&str, &Path)]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let project = format!(
        "[data]\nurl = \"postgres://{user}@{host}:{port}/postgres?{settings}\"\ntable = \"people\"\n\
         [[attribute]]\nname = \"age\"\nrole = \"quasi-identifier\"\n\
         hierarchy = {{ intervals = [5], origin = 30 }}\n[request]\nk = 2\n"
    );
    std::fs::write(folder.path().join("haggle.toml"), project).unwrap();
    let mut command = Command::new(crate::database::HAGGLE);
    command.args(["ask", "haggle.toml"]).current_dir(folder.path()).env("HOME", folder.path());
    command.env("PGPASSWORD", PASSWORD).env_remove("PGSSLMODE");
    command.envs(environment.iter().copied()).run_limited()
}

/// Asks the server with TLS.
fn ask_tls(host: &str, user: &str, settings: &str) -> Output {
    ask(TLS.server.port(), host, user, settings, &[])
}

fn answered(output: &Output) -> bool {
    assert!(matches!(output.status.code(), Some(0 | 2)), "{output:?}");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!error.contains(PASSWORD), "{error}");
    output.status.success()
}

fn message(output: &Output) -> String {
    assert!(!answered(output), "it is refused");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    let port = format!(":{}/", TLS.server.port());
    let error = error.replace(&port, ":[port]/");
    redacted(&error, &[(TLS.files.path().to_str().unwrap(), "files")])
}

fn with_root(mode: &str, root: &str) -> String {
    format!("sslmode={mode}&sslrootcert={}", TLS.file(root).display())
}

/// The user is let in over TLS only, so an answer means that the connection was encrypted.
#[test]
fn every_mode_encrypts_as_libpq_does() {
    for (mode, encrypts) in
        [("disable", false), ("allow", true), ("prefer", true), ("require", true)]
    {
        let settings = format!("sslmode={mode}");
        assert_eq!(answered(&ask_tls("127.0.0.1", "tls_only", &settings)), encrypts, "{mode}");
        // Whoever is let in without TLS as well gets in by every mode.
        assert!(answered(&ask_tls("127.0.0.1", USER, &settings)), "{mode}");
    }
    assert!(answered(&ask_tls("127.0.0.1", "tls_only", "")), "prefer is the default");
}

#[test]
fn certificates_and_names_are_checked_as_the_mode_asks() {
    for (mode, root, host, expected) in [
        ("verify-full", "root.crt", "localhost", true),
        // The certificate is for localhost only.
        ("verify-full", "root.crt", "127.0.0.1", false),
        ("verify-ca", "root.crt", "127.0.0.1", true),
        ("verify-ca", "other.crt", "localhost", false),
        ("verify-full", "other.crt", "localhost", false),
        // As in libpq, a root certificate is not ignored.
        ("require", "other.crt", "localhost", false),
        ("require", "root.crt", "127.0.0.1", true),
        ("prefer", "other.crt", "localhost", true),
    ] {
        let output = ask_tls(host, "tls_only", &with_root(mode, root));
        assert_eq!(answered(&output), expected, "{mode} {root} {host}: {output:?}");
    }
    // From the environment, as libpq has it.
    let root = TLS.file("other.crt");
    let environment = [("PGSSLMODE", Path::new("verify-ca")), ("PGSSLROOTCERT", root.as_path())];
    let port = TLS.server.port();
    assert!(!answered(&ask(port, "localhost", "tls_only", "", &environment)));
}

#[test]
fn what_is_wrong_with_a_certificate_is_reported() {
    let wrong_root =
        message(&ask_tls("localhost", "tls_only", &with_root("verify-full", "other.crt")));
    assert_snapshot!(wrong_root, @r"
    error: postgres://localhost:[port]/postgres table people: the server's certificate is not signed by the root certificate (error performing TLS handshake: invalid peer certificate: UnknownIssuer)
        fix: set sslrootcert or PGSSLROOTCERT to the certificate that signed the server's
    ");
    let wrong_name =
        message(&ask_tls("127.0.0.1", "tls_only", &with_root("verify-full", "root.crt")));
    assert!(wrong_name.contains("the server's certificate is for another host"), "{wrong_name}");
    assert!(
        wrong_name.contains("fix: connect by a name that is in the certificate"),
        "{wrong_name}"
    );
    assert_snapshot!(message(&ask_tls("localhost", "tls_only", "sslmode=verify-full")), @r"
    error: sslmode asks to check the server's certificate, and there is no root certificate
        fix: set sslrootcert or PGSSLROOTCERT, or put it into ~/.postgresql/root.crt
    ");
    let no_root = message(&ask_tls("localhost", "tls_only", &with_root("verify-ca", "server.key")));
    assert_snapshot!(no_root, @r"
    error: [files]/server.key: a certificate cannot be read from this file
        fix: name a file in PEM form
    ");
}

#[test]
fn a_client_certificate_lets_its_user_in() {
    let settings = |key: &str| {
        let (certificate, key) = (TLS.file("certified.crt"), TLS.file(key));
        format!("sslmode=require&sslcert={}&sslkey={}", certificate.display(), key.display())
    };
    let private = |name: &str, mode: u32| {
        std::fs::set_permissions(TLS.file(name), Permissions::from_mode(mode)).unwrap();
    };
    private("certified.key", 0o600);
    assert!(answered(&ask_tls("127.0.0.1", "certified", &settings("certified.key"))));
    assert!(!answered(&ask_tls("127.0.0.1", "certified", "sslmode=require")), "no certificate");
    // Another's key, and one that others can read.
    private("other.key", 0o600);
    assert_snapshot!(message(&ask_tls("127.0.0.1", "certified", &settings("other.key"))), @r"
    error: [files]/certified.crt: the client certificate and its key do not go together
        fix: check sslcert and sslkey
    ");
    std::fs::copy(TLS.file("certified.key"), TLS.file("open.key")).unwrap();
    private("open.key", 0o644);
    assert_snapshot!(message(&ask_tls("127.0.0.1", "certified", &settings("open.key"))), @r"
    error: [files]/open.key: others can read or write the client's key
        fix: set its permissions to 0600
    ");
}

#[test]
fn a_server_without_tls_is_used_only_where_that_is_allowed() {
    let server = server();
    server.sql("CREATE TABLE IF NOT EXISTS people (age int, sex text)");
    server.sql("INSERT INTO people SELECT 30 + i % 5, 'f' FROM generate_series(1, 50) i");
    let ask = |settings: &str| ask(server.port(), "127.0.0.1", USER, settings, &[]);
    for mode in ["disable", "allow", "prefer"] {
        assert!(answered(&ask(&format!("sslmode={mode}"))), "{mode}");
    }
    for mode in ["require", "verify-ca", "verify-full"] {
        let output = ask(&with_root(mode, "root.crt"));
        assert!(!answered(&output), "{mode}");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.contains("the server does not encrypt connections"), "{mode}: {error}");
    }
}
