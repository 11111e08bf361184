//! Decides which requests are answered: those of programs with the token and of signed-in pages, from
//! our own page or from no page at all.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::Request;
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};

use super::sessions::LIFETIME;
use super::{Codes, Digest, Secret, Sessions};
use crate::failure::Failure;
use crate::page;
use crate::queue::Client;

/// The header with the secret from the page's own storage.
const SECRET: &str = "haggle-secret";

/// Checks every request.
#[derive(Debug)]
pub(crate) struct RequestGuard {
    /// The digest of the token of programs.
    pub(crate) token: Digest,
    pub(crate) codes: Arc<Codes>,
    pub(crate) sessions: Sessions,
    pub(crate) port: u16,
    /// Whether requests from other machines are allowed.
    pub(crate) remote: bool,
}

impl RequestGuard {
    /// Returns the client, if the request may be answered, else why not.
    pub(crate) fn check(&self, request: &Request) -> Result<Client, Failure> {
        let (uri, headers) = (request.uri(), request.headers());
        let foreign = |what| Failure::new(StatusCode::FORBIDDEN, what, "open the printed address");
        let host = only(headers, &header::HOST).ok_or_else(|| foreign("one Host is needed"))?;
        let named = uri.authority().map_or(host, |authority| authority.as_str());
        if !(self.is_ours(host) && self.is_ours(named)) {
            return Err(foreign("this is not a name of this server"));
        }
        if headers.contains_key(header::ORIGIN)
            && only(headers, &header::ORIGIN).and_then(|origin| origin.strip_prefix("http://"))
                != Some(host)
        {
            return Err(foreign("requests from another site's page are not allowed"));
        }
        // The file that redirects a browser here counts as another site; its code is what matters.
        if uri.path() == "/enter" && request.method() == Method::GET {
            return Ok(Client::default());
        }
        let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
        if site.is_some_and(|site| site != b"same-origin" && site != b"none") {
            return Err(foreign("requests from another site are not allowed"));
        }
        self.client(uri.path(), headers).ok_or_else(|| {
            let fix = "open the page from the terminal that haggle runs in, which says how; \
                       programs send the token that `haggle serve --json` prints";
            Failure::new(StatusCode::UNAUTHORIZED, "not signed in", fix)
        })
    }

    /// Whether this is one of our names: names would let another site's name server send its page's
    /// requests to us, addresses cannot.
    fn is_ours(&self, host: &str) -> bool {
        let Some((name, port)) = host.rsplit_once(':') else { return false };
        let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
        let address: Option<IpAddr> = address.unwrap_or(name).parse().ok();
        port.parse() == Ok(self.port)
            && (name.eq_ignore_ascii_case("localhost")
                || address.is_some_and(|address| self.remote || address.is_loopback()))
    }

    /// The program or the session that a request comes from. The page's own files, which hold no data,
    /// are sent for the cookie alone.
    fn client(&self, path: &str, headers: &HeaderMap) -> Option<Client> {
        let bearer = only(headers, &header::AUTHORIZATION);
        let bearer = bearer.and_then(|given| given.strip_prefix("Bearer "));
        if bearer.is_some_and(|given| Digest::of(given) == self.token) {
            return Some(Client::new("program"));
        }
        let secret = only(headers, &HeaderName::from_static(SECRET));
        if secret.is_none() && !page::has(path) {
            return None;
        }
        let cookies = headers.get_all(header::COOKIE).into_iter();
        let cookies = cookies.filter_map(|line| line.to_str().ok()).flat_map(|c| c.split(';'));
        let name = self.cookie();
        let mut cookies = cookies.filter_map(|cookie| cookie.trim().split_once('='));
        let known =
            |(cookie, value): &(&str, &str)| *cookie == name && self.sessions.know(value, secret);
        cookies.find(known).map(|(_, value)| Client::new(value))
    }

    /// Returns the cookie's name; cookies are shared by all ports, and several servers may run.
    fn cookie(&self) -> String {
        format!("haggle-{}", self.port)
    }

    /// The header that gives a browser its cookie.
    pub(crate) fn set_cookie(&self, value: &Secret) -> Option<HeaderValue> {
        let (name, value, age) = (self.cookie(), value.as_str(), LIFETIME.as_secs());
        let cookie = format!("{name}={value}; HttpOnly; SameSite=Strict; Path=/; Max-Age={age}");
        HeaderValue::from_str(&cookie).ok()
    }
}

/// The value of a header that comes once.
fn only<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).into_iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}
