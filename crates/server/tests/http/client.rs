//! A server on the embedded data, and a client that sends exactly what it is given.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::OnceLock;
use std::time::Duration;

use haggle::Project;
use haggle_server::{Entrance, Server, Settings, StopSignal};
use serde_json::Value;

/// Where a server is and what it wants to hear.
pub(crate) struct Place {
    pub(crate) host: String,
    pub(crate) token: String,
    pub(crate) entrance: Entrance,
}

/// What came back.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|e| panic!("{e}: {}", self.text()))
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The lines of a stream.
    pub(crate) fn lines(&self) -> Vec<Value> {
        self.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// The server that all tests share, as all clients of a project do.
pub(crate) fn server() -> &'static Place {
    static SERVER: OnceLock<Place> = OnceLock::new();
    SERVER.get_or_init(|| start(Settings::default()))
}

/// A server of one's own.
pub(crate) fn start(settings: Settings) -> Place {
    start_on(Project::open("demo:adult").unwrap(), settings)
}

/// A server of one's own on another project.
pub(crate) fn start_on(project: Project, settings: Settings) -> Place {
    run(Server::bind(project, settings).unwrap())
}

/// A server of one's own that can be stopped.
pub(crate) fn start_and_stop(settings: Settings) -> (Place, StopSignal) {
    let server = Server::bind(Project::open("demo:adult").unwrap(), settings).unwrap();
    let stop = server.stop();
    (run(server), stop)
}

/// Runs a server.
pub(crate) fn run(server: Server) -> Place {
    let (entrance, token) = (server.entrance().clone(), server.token().to_owned());
    std::thread::spawn(|| server.run());
    let host = entrance.origin().strip_prefix("http://").unwrap().to_owned();
    Place { host, token, entrance }
}

impl Place {
    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
        stream
    }

    /// Sends these bytes and reads until the other side closes.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Reply {
        let mut stream = self.connect();
        stream.write_all(bytes).unwrap();
        read(&mut stream)
    }

    /// A request with these header lines, and no others but the necessary ones.
    pub(crate) fn say(&self, method: &str, path: &str, headers: &[String], body: &str) -> Reply {
        let headers: String = headers.iter().map(|line| format!("{line}\r\n")).collect();
        let length = body.len();
        let head = format!("{method} {path} HTTP/1.1\r\n{headers}Connection: close\r\n");
        self.raw(format!("{head}Content-Length: {length}\r\n\r\n{body}").as_bytes())
    }

    /// Asks for long work and hangs up as soon as the reply holds this word.
    pub(crate) fn hang_up_at(&self, word: &str, path: &str, body: &Value) {
        let (headers, body) = (self.wanting_lines().join("\r\n"), body.to_string());
        let head = format!("POST {path} HTTP/1.1\r\n{headers}\r\nConnection: close\r\n");
        let mut stream = self.connect();
        let request = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
        stream.write_all(request.as_bytes()).unwrap();
        let (mut report, mut some) = (String::new(), [0; 256]);
        while !report.contains(word) {
            let more = stream.read(&mut some).unwrap();
            assert!(more > 0, "it ended before {word} was received: {report}");
            report += &String::from_utf8_lossy(&some[..more]);
        }
    }

    /// Signs a browser in: its cookie and the secret of its page.
    pub(crate) fn sign_in(&self) -> (String, String) {
        let address = self.entrance.address().unwrap();
        let path = address.split_once(&self.host).unwrap().1;
        let page = self.say("GET", path, &[format!("Host: {}", self.host)], "");
        assert_eq!(page.status, 200, "{}", page.text());
        let cookie = page.headers["set-cookie"].split(';').next().unwrap().to_owned();
        let text = page.text();
        let secret = text.split("haggle-secret\" content=\"").nth(1).unwrap();
        (cookie, secret.split('"').next().unwrap().to_owned())
    }

    /// The header lines of an honest client.
    pub(crate) fn honest(&self) -> Vec<String> {
        vec![format!("Host: {}", self.host), format!("Authorization: Bearer {}", self.token)]
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.say("GET", path, &self.honest(), "")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Reply {
        self.say("POST", path, &self.honest(), &body.to_string())
    }

    /// The header lines of a client that wants lines of progress.
    fn wanting_lines(&self) -> Vec<String> {
        let mut headers = self.honest();
        headers.push("Accept: application/x-ndjson".into());
        headers
    }

    /// The lines of progress and the answer last.
    pub(crate) fn post_for_lines(&self, path: &str, body: &Value) -> Vec<Value> {
        let reply = self.say("POST", path, &self.wanting_lines(), &body.to_string());
        assert_eq!(reply.headers["content-type"], "application/x-ndjson", "{}", reply.text());
        reply.lines()
    }
}

/// Reads a whole reply.
pub(crate) fn read(stream: &mut TcpStream) -> Reply {
    let mut bytes = Vec::new();
    // A refused client may be cut off after the answer.
    let _ = stream.read_to_end(&mut bytes);
    let head = bytes.windows(4).position(|four| four == b"\r\n\r\n");
    let Some(head) = head else {
        return Reply { status: 0, headers: BTreeMap::new(), body: bytes };
    };
    let text = String::from_utf8_lossy(&bytes[..head]).into_owned();
    let mut lines = text.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let header = |line: &str| {
        let (name, value) = line.split_once(": ")?;
        Some((name.to_lowercase(), value.to_owned()))
    };
    let headers: BTreeMap<_, _> = lines.filter_map(header).collect();
    let body = bytes[head + 4..].to_vec();
    let chunked = headers.get("transfer-encoding").is_some_and(|how| how == "chunked");
    Reply { status, headers, body: if chunked { joined(&body) } else { body } }
}

/// The chunks of a body in one.
fn joined(mut bytes: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    while let Some(end) = bytes.windows(2).position(|two| two == b"\r\n") {
        let size = usize::from_str_radix(&String::from_utf8_lossy(&bytes[..end]), 16).unwrap();
        if size == 0 {
            break;
        }
        whole.extend_from_slice(&bytes[end + 2..end + 2 + size]);
        bytes = &bytes[end + 4 + size..];
    }
    whole
}
