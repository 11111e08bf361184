//! Sessions of browsers: a cookie and a secret of the page's own, of which only digests are kept.

use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::{Digest, Secret};

/// How long a browser stays signed in.
pub(crate) const LIFETIME: Duration = Duration::from_hours(7 * 24);

/// How many sessions are kept; the oldest go first.
const CAPACITY: usize = 32;

/// What is kept of a session.
///
/// Cookies are sent to every port of a host, so a cookie alone proves nothing to the data: the page
/// also sends a secret from its origin's own storage, which no other port can read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Session {
    cookie: Digest,
    secret: Digest,
    /// Seconds since 1970.
    expires: u64,
}

/// The two secrets of a new session, for the browser only.
pub(crate) struct Credentials {
    pub(crate) cookie: Secret,
    pub(crate) secret: Secret,
}

/// The sessions that browsers may have.
#[derive(Debug)]
pub(crate) struct Sessions(Mutex<Vec<Session>>);

impl Sessions {
    /// The sessions that an earlier server of the same project remembered.
    pub(crate) fn new(earlier: Vec<Session>) -> Self {
        Self(Mutex::new(earlier))
    }

    /// Starts a session.
    pub(crate) fn start(&self) -> io::Result<Credentials> {
        let credentials = Credentials { cookie: Secret::random()?, secret: Secret::random()? };
        let mut sessions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.push(Session {
            cookie: credentials.cookie.digest(),
            secret: credentials.secret.digest(),
            expires: now() + LIFETIME.as_secs(),
        });
        prune(&mut sessions);
        Ok(credentials)
    }

    /// Whether this cookie belongs to a session; with a secret, whether both belong to the same one.
    pub(crate) fn know(&self, cookie: &str, secret: Option<&str>) -> bool {
        let (cookie, secret, now) = (Digest::of(cookie), secret.map(Digest::of), now());
        let sessions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.iter().any(|session| {
            session.expires > now
                && session.cookie == cookie
                && secret.as_ref().is_none_or(|secret| session.secret == *secret)
        })
    }

    /// The sessions to remember.
    pub(crate) fn all(&self) -> Vec<Session> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Removes what has expired, and the oldest of what is too much.
pub(crate) fn prune(sessions: &mut Vec<Session>) {
    let now = now();
    sessions.retain(|session| session.expires > now);
    let excess = sessions.len().saturating_sub(CAPACITY);
    sessions.drain(..excess);
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookie_and_secret_must_be_of_the_same_session() {
        let sessions = Sessions::new(Vec::new());
        let (one, other) = (sessions.start().unwrap(), sessions.start().unwrap());
        let know = |cookie: &Secret, secret: &Secret| {
            sessions.know(cookie.as_str(), Some(secret.as_str()))
        };
        assert!(know(&one.cookie, &one.secret) && know(&other.cookie, &other.secret));
        assert!(!know(&one.cookie, &other.secret) && !know(&one.secret, &one.cookie));
        assert!(sessions.know(one.cookie.as_str(), None) && !sessions.know("", None));
        let remembered = serde_json::to_string(&sessions.all()).unwrap();
        for secret in [&one.cookie, &one.secret] {
            assert!(!remembered.contains(secret.as_str()), "only digests are kept");
        }
    }

    #[test]
    fn old_sessions_end() {
        let sessions = Sessions::new(Vec::new());
        let one = sessions.start().unwrap();
        sessions.0.lock().unwrap()[0].expires = now();
        assert!(!sessions.know(one.cookie.as_str(), Some(one.secret.as_str())));
        for _ in 0..40 {
            sessions.start().unwrap();
        }
        assert_eq!(sessions.all().len(), CAPACITY);
    }
}
