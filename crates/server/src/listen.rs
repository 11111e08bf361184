//! Connections: a limited number, a part of it for each client, none that idles or stalls while others
//! wait, and all may finish at shutdown.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

use crate::queue::Client;
use crate::write_timeout::WriteTimeout;

/// Fewer than the open files that systems commonly allow.
const CAPACITY: usize = 512;

/// How many connections with requests under way a client may have.
const SHARE: usize = CAPACITY / 4;

/// How long receiving the header of a request may take; an idle connection is closed after this
/// time.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);

/// How long a client may read nothing of a response.
const WRITE_TIMEOUT: Duration = Duration::from_secs(20);

/// How long connections may take to finish at shutdown.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(3);

/// A connection as the others see it.
#[derive(Default)]
struct Connection {
    /// Requests under way.
    busy: AtomicUsize,
    /// Whether it waits for its client to read, or to send more of a body.
    stalled: Arc<AtomicBool>,
    /// Who sent the last request that was allowed.
    client: Mutex<Option<Client>>,
    close: Notify,
}

impl Connection {
    fn client(&self) -> MutexGuard<'_, Option<Client>> {
        self.client.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_idle(&self) -> bool {
        self.busy.load(Relaxed) == 0
    }

    fn is_stalled(&self) -> bool {
        self.stalled.load(Relaxed)
    }
}

/// The open connections, the oldest first.
#[derive(Default)]
struct Connections(Mutex<VecDeque<Arc<Connection>>>);

impl Connections {
    fn open(&self) -> MutexGuard<'_, VecDeque<Arc<Connection>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a place for one more connection; if there is none, the oldest that is idle or
    /// stalled is closed.
    fn admit(&self) -> Option<Arc<Connection>> {
        let mut open = self.open();
        if open.len() >= CAPACITY && !make_room(&mut open) {
            return None;
        }
        let connection = Arc::new(Connection::default());
        open.push_back(connection.clone());
        Some(connection)
    }

    fn make_room(&self) {
        make_room(&mut self.open());
    }

    fn leave(&self, connection: &Arc<Connection>) {
        self.open().retain(|other| !Arc::ptr_eq(other, connection));
    }
}

/// Closes the oldest connection that is idle, or else stalled; returns whether there was one.
fn make_room(open: &mut VecDeque<Arc<Connection>>) -> bool {
    let idle = open.iter().position(|one| one.is_idle());
    let useless = idle.or_else(|| open.iter().position(|one| one.is_stalled()));
    close(open, useless)
}

/// Closes the connection at a position, if there is one.
fn close(open: &mut VecDeque<Arc<Connection>>, position: Option<usize>) -> bool {
    let closed = position.and_then(|position| open.remove(position));
    closed.inspect(|connection| connection.close.notify_one()).is_some()
}

/// The connection of a request among the others.
#[derive(Clone)]
pub(crate) struct ConnectionPlace {
    connections: Arc<Connections>,
    connection: Arc<Connection>,
}

impl ConnectionPlace {
    /// Returns whether a client may have this connection as well. Where it has its share already, the
    /// oldest of its own that is stalled is closed.
    pub(crate) fn is_for(&self, client: &Client) -> bool {
        let mut open = self.connections.open();
        *self.connection.client() = Some(client.clone());
        let is_of_client =
            |one: &Arc<Connection>| !one.is_idle() && one.client().as_ref() == Some(client);
        if open.iter().filter(|one| is_of_client(one)).count() <= SHARE {
            return true;
        }
        let is_useless = |one: &Arc<Connection>| {
            !Arc::ptr_eq(one, &self.connection) && one.is_stalled() && is_of_client(one)
        };
        let useless = open.iter().position(is_useless);
        close(&mut open, useless)
    }
}

/// The body of a request, which marks its connection while it waits for the client.
struct AwaitedBody {
    body: Incoming,
    stalled: Arc<AtomicBool>,
}

impl hyper::body::Body for AwaitedBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = hyper::body::Body::poll_frame(Pin::new(&mut self.body), context);
        self.stalled.store(frame.is_pending(), Relaxed);
        frame
    }

    fn is_end_stream(&self) -> bool {
        hyper::body::Body::is_end_stream(&self.body)
    }

    fn size_hint(&self) -> SizeHint {
        hyper::body::Body::size_hint(&self.body)
    }
}

impl Drop for AwaitedBody {
    fn drop(&mut self) {
        self.stalled.store(false, Relaxed);
    }
}

/// A request under way; dropped when its answer was sent.
struct Busy(Arc<Connection>);

impl Busy {
    fn new(connection: &Arc<Connection>) -> Self {
        connection.busy.fetch_add(1, Relaxed);
        Self(connection.clone())
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.busy.fetch_sub(1, Relaxed);
    }
}

/// Answers requests until `stop`; then gives those under way a moment to finish.
pub(crate) async fn listen(listener: TcpListener, router: Router, stop: impl Future<Output = ()>) {
    let connections = Arc::new(Connections::default());
    let graceful = GracefulShutdown::new();
    tokio::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        if let Ok((stream, _)) = accepted {
            serve(stream, &router, &connections, &graceful);
        } else {
            // Usually there are too many open files; a pause lets others end.
            connections.make_room();
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
    drop(listener);
    let _ = tokio::time::timeout(SHUTDOWN_TIMEOUT, graceful.shutdown()).await;
}

fn serve(
    stream: TcpStream,
    router: &Router,
    connections: &Arc<Connections>,
    graceful: &GracefulShutdown,
) {
    let Some(connection) = connections.admit() else { return };
    // Responses are small and awaited, so they are sent without delay.
    let _ = stream.set_nodelay(true);
    let stream = WriteTimeout::new(stream, WRITE_TIMEOUT, connection.stalled.clone());
    let place =
        ConnectionPlace { connections: connections.clone(), connection: connection.clone() };
    let service = service(router.clone(), place);
    let answering = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .max_buf_size(64 << 10)
        .serve_connection(TokioIo::new(stream), service);
    let answering = graceful.watch(answering);
    let connections = connections.clone();
    tokio::spawn(async move {
        tokio::select! {
            // Errors of a connection are the client's.
            _ = answering => {}
            () = connection.close.notified() => {}
        }
        connections.leave(&connection);
    });
}

/// The routes, with the connection marked as busy until an answer's last byte.
fn service(
    router: Router,
    place: ConnectionPlace,
) -> impl Service<Request<Incoming>, Response = Response, Error = Infallible, Future: Send> {
    service_fn(move |request: Request<Incoming>| {
        let (mut router, busy) = (router.clone(), Busy::new(&place.connection));
        let stalled = place.connection.stalled.clone();
        let mut request = request.map(|body| Body::new(AwaitedBody { body, stalled }));
        request.extensions_mut().insert(place.clone());
        async move {
            let response = tower_service::Service::call(&mut router, request).await?;
            Ok(response.map(|body| {
                Body::new(body.map_frame(move |frame| {
                    let _until_sent = &busy;
                    frame
                }))
            }))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idle_connections_are_closed_first_and_then_stalled_ones() {
        let connections = Connections::default();
        let all: Vec<_> = (0..CAPACITY).map(|_| connections.admit().unwrap()).collect();
        for one in &all {
            one.busy.store(1, Relaxed);
        }
        assert!(connections.admit().is_none(), "every connection is busy");
        all[7].stalled.store(true, Relaxed);
        let gone = |i: usize| {
            let open = connections.0.lock().unwrap();
            !open.iter().any(|one| Arc::ptr_eq(one, &all[i]))
        };
        all[9].busy.store(0, Relaxed);
        let next = connections.admit().unwrap();
        assert!(gone(9) && !gone(7));
        next.busy.store(1, Relaxed);
        assert!(connections.admit().is_some());
        assert!(gone(7));
    }

    #[test]
    fn a_client_has_its_share_and_its_stalled_connections_make_room_for_its_own() {
        let connections = Arc::new(Connections::default());
        let (one, other) = (Client::new("one"), Client::new("other"));
        let ask = |client: &Client| {
            let connection = connections.admit().unwrap();
            connection.busy.store(1, Relaxed);
            let place = ConnectionPlace { connections: connections.clone(), connection };
            (place.is_for(client), place.connection)
        };
        let all: Vec<_> = (0..SHARE).map(|_| ask(&one)).collect();
        assert!(all.iter().all(|(allowed, _)| *allowed));
        let (allowed, refused) = ask(&one);
        assert!(!allowed, "all of its connections are at work");
        connections.leave(&refused);
        assert!(ask(&other).0);
        all[5].1.stalled.store(true, Relaxed);
        assert!(ask(&one).0);
        assert!(!connections.open().iter().any(|open| Arc::ptr_eq(open, &all[5].1)));
    }
}
