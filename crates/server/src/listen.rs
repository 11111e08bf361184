//! Connections: a limited number, none that idles or stalls while others wait, and all may finish
//! at shutdown.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

use crate::write_timeout::WriteTimeout;

/// Fewer than the open files that systems commonly allow.
const CAPACITY: usize = 512;

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
    /// Whether it waits for its client to read.
    stalled: Arc<AtomicBool>,
    close: Notify,
}

/// The open connections, the oldest first.
#[derive(Default)]
struct Connections(Mutex<VecDeque<Arc<Connection>>>);

impl Connections {
    /// Returns a place for one more connection; if there is none, the oldest that is idle or
    /// stalled is closed.
    fn admit(&self) -> Option<Arc<Connection>> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if open.len() >= CAPACITY && !make_room(&mut open) {
            return None;
        }
        let connection = Arc::new(Connection::default());
        open.push_back(connection.clone());
        Some(connection)
    }

    fn make_room(&self) {
        make_room(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn leave(&self, connection: &Arc<Connection>) {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|other| !Arc::ptr_eq(other, connection));
    }
}

fn make_room(open: &mut VecDeque<Arc<Connection>>) -> bool {
    let idle = open.iter().position(|connection| connection.busy.load(Relaxed) == 0);
    let useless = idle.or_else(|| open.iter().position(|one| one.stalled.load(Relaxed)));
    let useless = useless.and_then(|position| open.remove(position));
    useless.inspect(|connection| connection.close.notify_one()).is_some()
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
    let service = service(router.clone(), connection.clone());
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
    connection: Arc<Connection>,
) -> impl Service<Request<Incoming>, Response = Response, Error = Infallible, Future: Send> {
    service_fn(move |request: Request<Incoming>| {
        let (mut router, busy) = (router.clone(), Busy::new(&connection));
        async move {
            let response =
                tower_service::Service::call(&mut router, request.map(Body::new)).await?;
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
}
