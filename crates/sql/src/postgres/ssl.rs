//! Which connections are encrypted, and what is checked: the modes of libpq, with its meanings.

use std::ops::Range;
use std::path::PathBuf;

use haggle_model::{Error, Problem};
use percent_encoding::percent_decode_str;
use tokio_postgres::config::Host;

/// What is required of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Plain.
    Disable,
    /// Plain; encrypted only where the server refuses that.
    Allow,
    /// Encrypted; plain only where the server cannot encrypt. Nothing is checked.
    Prefer,
    /// Encrypted; the certificate is checked only if there is a root certificate.
    Require,
    /// Encrypted, and the certificate is signed by a root certificate.
    VerifyCa,
    /// Encrypted, and the certificate is signed by a root certificate and is for the host.
    VerifyFull,
}

const MODES: [(&str, Mode); 6] = [
    ("disable", Mode::Disable),
    ("allow", Mode::Allow),
    ("prefer", Mode::Prefer),
    ("require", Mode::Require),
    ("verify-ca", Mode::VerifyCa),
    ("verify-full", Mode::VerifyFull),
];

/// Settings that would be silently ignored, with the values that matter.
const REFUSED: [(&str, &str, &str); 4] = [
    ("sslcrl", "PGSSLCRL", ""),
    ("sslcrldir", "PGSSLCRLDIR", ""),
    ("sslnegotiation", "PGSSLNEGOTIATION", "direct"),
    ("gssencmode", "PGGSSENCMODE", "require"),
];

/// The settings of encryption.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SslSettings {
    pub(super) mode: Mode,
    /// Certificates of those who may sign the server's.
    pub(super) roots: Option<PathBuf>,
    /// The client's own certificate and key.
    pub(super) client: Option<(PathBuf, PathBuf)>,
}

impl SslSettings {
    /// The settings of a connection string or else of the environment, and the string without them.
    pub(super) fn read(
        url: &str,
        variable: &impl Fn(&str) -> Option<String>,
    ) -> Result<(String, Self), Error> {
        let (mut url, stated) = without(url, "sslmode");
        let mut setting = |key: &str, name: &str| {
            let (rest, stated) = without(&url, key);
            url = rest;
            stated.filter(|value| !value.is_empty()).or_else(|| variable(name))
        };
        for (key, name, wanted) in REFUSED {
            let value = setting(key, name);
            if value.is_some_and(|value| wanted.is_empty() || value == wanted) {
                let what = format!("{key} is set, and this cannot be done as it asks");
                return Err(Problem::new(what).fix(format!("leave {key} and {name} out")).into());
            }
        }
        let roots = setting("sslrootcert", "PGSSLROOTCERT").map(PathBuf::from);
        let own = setting("sslcert", "PGSSLCERT").map(PathBuf::from);
        let key = setting("sslkey", "PGSSLKEY").map(PathBuf::from);
        let usual = |file: &str| {
            let file = PathBuf::from(variable("HOME")?).join(".postgresql").join(file);
            file.is_file().then_some(file)
        };
        let roots = roots.or_else(|| usual("root.crt"));
        let own = own.or_else(|| usual("postgresql.crt"));
        let key = key.or_else(|| usual("postgresql.key"));
        let client = match (own, key) {
            (Some(own), Some(key)) => Some((own, key)),
            (None, _) => None,
            (Some(_), None) => {
                let what = "there is a client certificate without its key";
                return Err(Problem::new(what).fix("set sslkey or PGSSLKEY to its file").into());
            }
        };
        Ok((url, Self { mode: mode(stated.as_deref(), variable)?, roots, client }))
    }

    /// Whether the server's certificate is checked.
    pub(super) fn checks_certificate(&self) -> bool {
        match self.mode {
            Mode::VerifyCa | Mode::VerifyFull => true,
            // As libpq has it, for the sake of older settings.
            Mode::Require => self.roots.is_some(),
            Mode::Disable | Mode::Allow | Mode::Prefer => false,
        }
    }
}

fn mode(stated: Option<&str>, variable: &impl Fn(&str) -> Option<String>) -> Result<Mode, Error> {
    let place = if stated.is_some() { "sslmode in the url" } else { "PGSSLMODE" };
    let required = || variable("PGREQUIRESSL").filter(|v| v == "1").map(|_| "require".to_owned());
    let asked = stated.map(str::to_owned).or_else(|| variable("PGSSLMODE")).or_else(required);
    let Some(asked) = asked else { return Ok(Mode::Prefer) };
    let found = MODES.iter().find(|(name, _)| *name == asked);
    found.map(|(_, mode)| *mode).ok_or_else(|| {
        let known = MODES.map(|(name, _)| name).join(", ");
        Problem::new(format!("{place} is not a mode of PostgreSQL"))
            .fix(format!("use one of {known}"))
            .into()
    })
}

/// Whether every host is a socket of this machine, on which libpq never encrypts.
pub(super) fn is_local(config: &tokio_postgres::Config) -> bool {
    config.get_hosts().iter().all(|host| match host {
        Host::Tcp(_) => false,
        #[cfg(unix)]
        Host::Unix(_) => true,
    })
}

/// The connection string without a setting that the driver does not know; and the setting's value.
fn without(url: &str, key: &str) -> (String, Option<String>) {
    let (mut url, mut value) = (url.to_owned(), None);
    let is_url = url.contains("://");
    // As in libpq, the last one counts.
    while let Some(found) = find(&url, key) {
        let text = &url[found.value.clone()];
        let decoded =
            if is_url { percent_decode_str(text).decode_utf8_lossy() } else { text.into() };
        value = Some(decoded.into_owned());
        url.replace_range(found.whole, "");
    }
    (url, value)
}

/// Where a connection string states a setting.
struct Setting {
    whole: Range<usize>,
    value: Range<usize>,
}

fn find(url: &str, key: &str) -> Option<Setting> {
    let is_url = url.contains("://");
    let starts = |at: &usize| {
        let before = url[..*at].chars().next_back();
        if is_url {
            matches!(before, Some('?' | '&'))
        } else {
            before.is_none_or(char::is_whitespace)
        }
    };
    let is_key = |at: &usize| url[at + key.len()..].trim_start().starts_with('=');
    let found = url.match_indices(key).map(|(at, _)| at);
    let start = found.filter(is_key).find(starts)?;
    let value = url[start + key.len()..].trim_start().strip_prefix('=')?;
    let value = if is_url { value } else { value.trim_start().trim_start_matches('\'') };
    let first = url.len() - value.len();
    let ends = |letter: char| match letter {
        '&' | '#' => is_url,
        '\'' => !is_url,
        _ => letter.is_whitespace(),
    };
    let last = value.find(ends).map_or(url.len(), |length| first + length);
    let closing = usize::from(url[last..].starts_with(if is_url { '&' } else { '\'' }));
    Some(Setting { whole: start..last + closing, value: first..last })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_taken_out_of_urls_and_of_pairs() {
        for (url, rest, mode) in [
            ("postgres://a@b/c?sslmode=allow", "postgres://a@b/c?", "allow"),
            ("postgres://a@b/c?sslmode=disable&x=1", "postgres://a@b/c?x=1", "disable"),
            ("postgres://a@b/c?x=1&sslmode=require", "postgres://a@b/c?x=1&", "require"),
            ("host=b sslmode=verify-ca user=a", "host=b  user=a", "verify-ca"),
            ("sslmode = 'require' host=b", " host=b", "require"),
            ("host=b sslmode=allow sslmode=require", "host=b  ", "require"),
        ] {
            assert_eq!(without(url, "sslmode"), (rest.into(), Some(mode.into())), "{url}");
        }
        for none in ["postgres://sslmode=x@b/c", "host=b dbname=xsslmode", "postgres://b/sslmode"] {
            assert_eq!(without(none, "sslmode"), (none.into(), None));
        }
        let url = "postgres://a@b/c?sslcert=x&sslrootcert=%2Ftmp%2Fmy%20root.crt&x=1";
        let (rest, root) = without(url, "sslrootcert");
        assert_eq!(
            (rest.as_str(), root.as_deref()),
            ("postgres://a@b/c?sslcert=x&x=1", Some("/tmp/my root.crt"))
        );
    }

    #[test]
    fn the_url_counts_more_than_the_environment_and_nothing_is_left_out_in_silence() {
        let none = |_: &str| None;
        let read = |url: &str, set: &[(&str, &str)]| {
            let variable = |name: &str| {
                set.iter().find(|(own, _)| *own == name).map(|(_, value)| (*value).to_owned())
            };
            SslSettings::read(url, &variable).map(|(_, settings)| settings)
        };
        assert_eq!(SslSettings::read("host=db", &none).unwrap().1.mode, Mode::Prefer);
        assert_eq!(
            read("host=db", &[("PGSSLMODE", "verify-full")]).unwrap().mode,
            Mode::VerifyFull
        );
        assert_eq!(read("host=db", &[("PGREQUIRESSL", "1")]).unwrap().mode, Mode::Require);
        let both = read("host=db sslmode=disable", &[("PGSSLMODE", "require")]).unwrap();
        assert_eq!(both.mode, Mode::Disable);
        for (url, set) in [
            ("host=db sslmode=on", ("", "")),
            ("host=db", ("PGSSLMODE", "Require")),
            ("host=db sslcrl=x", ("", "")),
            ("host=db", ("PGSSLCRL", "x")),
            ("host=db", ("PGSSLNEGOTIATION", "direct")),
            ("host=db", ("PGGSSENCMODE", "require")),
            ("host=db", ("PGSSLCERT", "x")),
        ] {
            assert!(read(url, &[set]).is_err(), "{url} {set:?}");
        }
        let required = read("host=db sslmode=require", &[("PGSSLROOTCERT", "r")]).unwrap();
        assert!(required.checks_certificate());
        assert!(!read("host=db sslmode=require", &[]).unwrap().checks_certificate());
        assert!(!read("host=db", &[("PGSSLROOTCERT", "r")]).unwrap().checks_certificate());
    }
}
