//! Who is signed in: programs by their token, pages by a cookie together with their own secret.

use haggle_server::Settings;

use crate::client::{server, start};

#[test]
fn who_is_not_signed_in_is_served_nothing() {
    let host = format!("Host: {}", server().host);
    let wrong = "0".repeat(server().token.len());
    let (port, token) = (server().host.rsplit(':').next().unwrap(), &server().token);
    let tries = [
        vec![host.clone()],
        vec![host.clone(), format!("Authorization: Bearer {wrong}")],
        vec![host.clone(), format!("Authorization: {token}")],
        vec![
            host.clone(),
            format!("Cookie: haggle-{port}={token}"),
            format!("Haggle-Secret: {token}"),
        ],
        vec![host.clone(), "Cookie: token=".into(), "Haggle-Secret: ".into()],
    ];
    let token = format!("/?token={token}");
    let paths = [
        "/",
        "/index.html",
        "/assets/index.js",
        "/api/project",
        "/api/openapi.json",
        "/nothing",
        "/enter",
        "/enter?code=",
        "/enter?code=0",
        "/enter.js",
        &token,
    ];
    for headers in &tries {
        for path in paths {
            let reply = server().say("GET", path, headers, "");
            assert_eq!(reply.status, 401, "{path} {headers:?}");
            assert!(!reply.headers.contains_key("set-cookie"));
        }
        assert_eq!(server().say("POST", "/api/ask", headers, "{}").status, 401);
        assert_eq!(server().say("POST", "/api/address", headers, "{}").status, 401);
    }
}

#[test]
fn a_code_signs_in_once_and_its_answer_keeps_the_page_to_itself() {
    let host = format!("Host: {}", server().host);
    let address = server().entrance.address().unwrap();
    let path = address.split_once(&server().host).unwrap().1;
    let prefetched = [host.clone(), "Sec-Purpose: prefetch".into()];
    assert_eq!(server().say("GET", path, &prefetched, "").status, 401, "it stays unused");
    // A file that leads here counts as another site.
    let from_file = [host.clone(), "Sec-Fetch-Site: cross-site".into()];
    let page = server().say("GET", path, &from_file, "");
    assert_eq!(page.status, 200);
    let policy = &page.headers["content-security-policy"];
    assert!(policy.starts_with("default-src 'none'; script-src 'self'"), "{policy}");
    assert_eq!(page.headers["x-content-type-options"], "nosniff");
    assert_eq!(page.headers["referrer-policy"], "no-referrer");
    assert_eq!(page.headers["cache-control"], "no-store");
    let cookie = &page.headers["set-cookie"];
    for part in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    let again = server().say("GET", path, &from_file, "");
    assert_eq!(again.status, 401);
    assert!(!again.headers.contains_key("set-cookie"));
}

#[test]
fn the_cookie_alone_gets_the_page_and_no_data() {
    let host = format!("Host: {}", server().host);
    let (cookie, secret) = server().sign_in();
    let (other_cookie, other_secret) = server().sign_in();
    let get = |path: &str, cookie: &str, secret: Option<&str>| {
        let cookie = format!("Cookie: other=1; {cookie}");
        let secret = secret.map(|secret| format!("Haggle-Secret: {secret}"));
        let headers: Vec<String> = [host.clone(), cookie].into_iter().chain(secret).collect();
        server().say("GET", path, &headers, "").status
    };
    assert_eq!(get("/", &cookie, None), 200);
    assert_eq!(get("/enter.js", &cookie, None), 200);
    for path in ["/api/project", "/api/openapi.json", "/api/data", "/api/nothing", "/%61pi/project"]
    {
        assert_eq!(get(path, &cookie, None), 401, "{path}");
        assert_eq!(get(path, &cookie, Some("")), 401, "{path}");
        assert_eq!(get(path, &cookie, Some(&other_secret)), 401, "{path}");
        assert_eq!(get(path, "haggle-1=x", Some(&secret)), 401, "{path}");
    }
    assert_eq!(get("/api/project", &cookie, Some(&secret)), 200);
    assert_eq!(get("/api/project", &other_cookie, Some(&other_secret)), 200);
}

#[test]
fn programs_can_get_an_address_for_a_browser() {
    let reply = server().post("/api/address", &serde_json::json!({}));
    let address = reply.json()["address"].as_str().unwrap().to_owned();
    let path = address.split_once(&server().host).unwrap().1;
    let host = [format!("Host: {}", server().host)];
    assert_eq!(server().say("GET", path, &host, "").status, 200);
    assert_eq!(server().say("GET", path, &host, "").status, 401);
}

#[test]
fn a_session_of_one_server_is_none_of_another() {
    let other = start(Settings::default());
    let (cookie, secret) = server().sign_in();
    let value = cookie.split_once('=').unwrap().1;
    let port = other.host.rsplit(':').next().unwrap();
    let headers = [
        format!("Host: {}", other.host),
        format!("Cookie: haggle-{port}={value}"),
        format!("Haggle-Secret: {secret}"),
    ];
    assert_eq!(other.say("GET", "/api/project", &headers, "").status, 401);
}
