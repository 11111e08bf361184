//! Which connections must be encrypted. There is no TLS here, so those are refused, never made in plain.

use std::ops::Range;

use haggle_model::Problem;
use tokio_postgres::config::{Host, SslMode};

use crate::Error;

/// Modes under which libpq, too, uses a plain connection.
const PLAIN: [&str; 3] = ["disable", "allow", "prefer"];

/// Modes under which libpq uses no plain connection.
const ENCRYPTED: [&str; 3] = ["require", "verify-ca", "verify-full"];

/// Environment variables that demand encryption, with the values that do.
const DEMANDS: [(&str, &str); 4] = [
    ("PGREQUIRESSL", "1"),
    ("PGSSLNEGOTIATION", "direct"),
    ("PGGSSENCMODE", "require"),
    ("PGCHANNELBINDING", "require"),
];

/// The connection string without its `sslmode`, of which the driver supports only a part; and that
/// mode.
pub(super) fn without_mode(url: &str) -> (String, Option<String>) {
    let (mut url, mut mode) = (url.to_owned(), None);
    // As in libpq, the last one counts.
    while let Some(found) = find(&url) {
        mode = Some(url[found.value.clone()].to_owned());
        url.replace_range(found.whole, "");
    }
    (url, mode)
}

/// Where a connection string states its `sslmode`.
struct ModeSetting {
    whole: Range<usize>,
    value: Range<usize>,
}

fn find(url: &str) -> Option<ModeSetting> {
    let is_url = url.contains("://");
    let starts = |at: &usize| {
        let before = url[..*at].chars().next_back();
        if is_url {
            matches!(before, Some('?' | '&'))
        } else {
            before.is_none_or(char::is_whitespace)
        }
    };
    let start = url.match_indices("sslmode").map(|(at, _)| at).find(starts)?;
    let after = &url[start + "sslmode".len()..];
    let value = after.trim_start().strip_prefix('=')?;
    let value = if is_url { value } else { value.trim_start().trim_start_matches('\'') };
    let first = url.len() - value.len();
    let ends = |letter: char| match letter {
        '&' | '#' => is_url,
        '\'' => !is_url,
        _ => letter.is_whitespace(),
    };
    let last = value.find(ends).map_or(url.len(), |length| first + length);
    let closing = usize::from(url[last..].starts_with(if is_url { '&' } else { '\'' }));
    Some(ModeSetting { whole: start..last + closing, value: first..last })
}

/// Refuses what asks for encryption, by the connection string or else by the environment.
pub(super) fn check(
    config: &tokio_postgres::Config,
    stated: Option<&str>,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<(), Error> {
    if is_local(config) {
        return Ok(());
    }
    let inherited = if stated.is_none() { variable("PGSSLMODE") } else { None };
    let place = if stated.is_some() { "sslmode in the url" } else { "PGSSLMODE" };
    let mode = stated.map(str::to_owned).or(inherited).unwrap_or_else(|| "prefer".into());
    if ENCRYPTED.contains(&mode.as_str()) {
        return Err(no_tls(&format!("{place} is '{mode}'")));
    }
    if !PLAIN.contains(&mode.as_str()) {
        let known = [PLAIN, ENCRYPTED].concat().join(", ");
        return Err(Problem::new(format!("{place} is not a mode of PostgreSQL"))
            .fix(format!("use one of {known}"))
            .into());
    }
    let demand = DEMANDS.iter().find(|(name, value)| variable(name).as_deref() == Some(*value));
    match demand {
        Some((name, value)) => Err(no_tls(&format!("{name} is '{value}'"))),
        None if config.get_ssl_mode() == SslMode::Require => Err(no_tls("the url demands it")),
        None => Ok(()),
    }
}

/// Whether every host is a socket of this machine, on which libpq never encrypts.
fn is_local(config: &tokio_postgres::Config) -> bool {
    config.get_hosts().iter().all(|host| match host {
        Host::Tcp(_) => false,
        #[cfg(unix)]
        Host::Unix(_) => true,
    })
}

fn no_tls(why: &str) -> Error {
    let fix = "connect through a tunnel or a Unix socket, or, on a network that you trust, set \
               sslmode=prefer";
    Problem::new(format!("an encrypted connection is not supported, and {why}")).fix(fix).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mode_is_taken_out_of_urls_and_of_pairs() {
        for (url, rest, mode) in [
            ("postgres://a@b/c?sslmode=allow", "postgres://a@b/c?", "allow"),
            ("postgres://a@b/c?sslmode=disable&x=1", "postgres://a@b/c?x=1", "disable"),
            ("postgres://a@b/c?x=1&sslmode=require", "postgres://a@b/c?x=1&", "require"),
            ("host=b sslmode=verify-ca user=a", "host=b  user=a", "verify-ca"),
            ("sslmode = 'require' host=b", " host=b", "require"),
            ("host=b sslmode=allow sslmode=require", "host=b  ", "require"),
        ] {
            assert_eq!(without_mode(url), (rest.into(), Some(mode.into())), "{url}");
        }
        for none in ["postgres://sslmode=x@b/c", "host=b dbname=xsslmode", "postgres://b/sslmode"] {
            assert_eq!(without_mode(none), (none.into(), None));
        }
    }

    #[test]
    fn encryption_is_never_left_out_in_silence() {
        let remote: tokio_postgres::Config = "host=db user=a".parse().unwrap();
        let none = |_: &str| None;
        for mode in PLAIN {
            check(&remote, Some(mode), none).unwrap();
            check(&remote, None, |name| (name == "PGSSLMODE").then(|| mode.into())).unwrap();
        }
        for mode in ENCRYPTED.into_iter().chain(["Require", "on"]) {
            assert!(check(&remote, Some(mode), none).is_err(), "{mode}");
            let set = |name: &str| (name == "PGSSLMODE").then(|| mode.into());
            assert!(check(&remote, None, set).is_err(), "{mode}");
            check(&remote, Some("prefer"), set).unwrap();
        }
        for (name, value) in DEMANDS {
            let set = |asked: &str| (asked == name).then(|| value.into());
            assert!(check(&remote, None, set).is_err(), "{name}");
        }
    }
}
