//! Connections: not too many, none that idles while others wait, and all let finish at the end.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
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

/// Fewer than the open files that systems commonly allow.
const MOST: usize = 512;

/// A request's head must have come by then; a connection that asks nothing for so long is closed.
const PATIENCE: Duration = Duration::from_secs(10);

/// After so long nobody waits for connections to finish.
const FAREWELL: Duration = Duration::from_secs(3);

/// A connection as the others see it.
#[derive(Default)]
struct Connection {
    /// Requests under way.
    busy: AtomicUsize,
    close: Notify,
}

/// The open connections, the oldest first.
#[derive(Default)]
struct Connections(Mutex<VecDeque<Arc<Connection>>>);

impl Connections {
    /// A place for one more; if there is none, the oldest that asks nothing gives way.
    fn admit(&self) -> Option<Arc<Connection>> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if open.len() >= MOST && !make_room(&mut open) {
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
    let idle = idle.and_then(|position| open.remove(position));
    idle.inspect(|connection| connection.close.notify_one()).is_some()
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

/// Answers until `stop`; then lets what is under way finish for a moment.
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
            // Commonly there are too many open files; a place and a pause let others end.
            connections.make_room();
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
    drop(listener);
    let _ = tokio::time::timeout(FAREWELL, graceful.shutdown()).await;
}

fn serve(
    stream: TcpStream,
    router: &Router,
    connections: &Arc<Connections>,
    graceful: &GracefulShutdown,
) {
    let Some(connection) = connections.admit() else { return };
    // Answers are small and awaited; a delayed one helps nobody.
    let _ = stream.set_nodelay(true);
    let service = service(router.clone(), connection.clone());
    let answering = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .max_buf_size(64 << 10)
        .serve_connection(TokioIo::new(stream), service);
    let answering = graceful.watch(answering);
    let connections = connections.clone();
    tokio::spawn(async move {
        tokio::select! {
            // What went wrong was on the other side.
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
