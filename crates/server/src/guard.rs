//! Who is let in: whoever knows the token, from our own page or from no page at all; and the headers
//! that keep the page to itself.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State as Extracted};
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::failure::Failure;
use crate::state::State;
use crate::token::Token;

/// An answer, or the first line of a long one, has come by then.
const PATIENCE: Duration = Duration::from_mins(2);

/// Nothing but what we serve is ever loaded, and nobody else may show or read it.
const HEADERS: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
         connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    // What is shown tells of microdata, so it stays on no disk.
    (header::CACHE_CONTROL, "no-store"),
];

/// What is asked of every request.
#[derive(Debug, Clone)]
pub(crate) struct Guard {
    token: Token,
    port: u16,
    /// Whether other machines may ask.
    remote: bool,
}

impl Guard {
    pub(crate) fn new(token: Token, port: u16, remote: bool) -> Self {
        Self { token, port, remote }
    }

    /// Nothing if the request may be answered, else why not.
    fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Failure> {
        let foreign = |what| Failure::new(StatusCode::FORBIDDEN, what, "open the printed address");
        let host = only(headers, &header::HOST).ok_or_else(|| foreign("one Host is needed"))?;
        let named = uri.authority().map_or(host, |authority| authority.as_str());
        if !(self.is_ours(host) && self.is_ours(named)) {
            return Err(foreign("this server does not go by that name"));
        }
        if headers.contains_key(header::ORIGIN)
            && only(headers, &header::ORIGIN).and_then(|origin| origin.strip_prefix("http://"))
                != Some(host)
        {
            return Err(foreign("another site's page may not ask"));
        }
        let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
        if site.is_some_and(|site| site != b"same-origin" && site != b"none") {
            return Err(foreign("another site may not ask"));
        }
        if !self.is_known(uri, headers) {
            let fix = "open the whole printed address, with its token";
            return Err(Failure::new(StatusCode::UNAUTHORIZED, "the token is missing", fix));
        }
        Ok(())
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

    fn is_known(&self, uri: &Uri, headers: &HeaderMap) -> bool {
        let bearer = only(headers, &header::AUTHORIZATION);
        let bearer = bearer.and_then(|given| given.strip_prefix("Bearer "));
        let cookies = headers.get_all(header::COOKIE).into_iter();
        let cookies = cookies.filter_map(|line| line.to_str().ok()).flat_map(|c| c.split(';'));
        let name = self.cookie();
        let mut cookies = cookies.filter_map(|cookie| cookie.trim().split_once('='));
        let is = |given: &str| self.token.is(given);
        self.is_in(uri)
            || bearer.is_some_and(is)
            || cookies.any(|(cookie, value)| cookie == name && is(value))
    }

    /// Whether the address holds the token.
    fn is_in(&self, uri: &Uri) -> bool {
        let pairs = uri.query().unwrap_or_default().split('&');
        let mut tokens = pairs.filter_map(|pair| pair.strip_prefix("token="));
        tokens.any(|given| self.token.is(given))
    }

    /// The cookie's name; cookies know no ports, and several servers may run.
    fn cookie(&self) -> String {
        format!("haggle-{}", self.port)
    }

    fn set_cookie(&self) -> Option<HeaderValue> {
        let (name, token) = (self.cookie(), self.token.as_str());
        let cookie = format!("{name}={token}; HttpOnly; SameSite=Strict; Path=/");
        HeaderValue::from_str(&cookie).ok()
    }
}

/// The value of a header that comes once.
fn only<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).into_iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// Stands before every route, the page included.
pub(crate) async fn stand(
    Extracted(state): Extracted<Arc<State>>,
    request: Request,
    next: Next,
) -> Response {
    let guard = &state.guard;
    let enters = request.method() == Method::GET
        && request.uri().path() == "/"
        && guard.is_in(request.uri());
    let mut response = match guard.check(request.uri(), request.headers()) {
        Err(refused) => refused.into_response(),
        Ok(()) => tokio::time::timeout(PATIENCE, next.run(request)).await.unwrap_or_else(|_| {
            let fix = "build the lattice first, and watch its progress";
            let status = StatusCode::SERVICE_UNAVAILABLE;
            Failure::new(status, "this took too long", fix).into_response()
        }),
    };
    let admitted = enters && response.status() == StatusCode::OK;
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if let Some(cookie) = guard.set_cookie().filter(|_| admitted) {
        headers.insert(header::SET_COOKIE, cookie);
    }
    response
}
