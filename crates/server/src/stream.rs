//! Long work as lines of JSON: its progress, and at last its result. Closing the connection stops
//! the work.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use serde::Serialize;
use tokio::sync::mpsc;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;
use utoipa::ToSchema;

use crate::queue::Client;
use crate::steps::WorkSteps;

/// The interval of progress lines: short enough to look smooth, long enough to cost little.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(50);

/// A line on the way.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct UnderwayLine {
    progress: WorkStep,
}

/// How far work has come.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct WorkStep {
    /// What is being done.
    what: String,
    /// How much of it is done.
    done: u64,
    /// The total; 0 if it is not known.
    of: u64,
}

/// Reports the progress of work; `last` is the last line.
pub(crate) fn stream<L: Serialize + Send + 'static>(
    steps: Arc<WorkSteps>,
    last: impl Future<Output = L> + Send + 'static,
) -> Response {
    let (sender, receiver) = mpsc::channel::<Bytes>(4);
    let work = async move {
        tokio::select! {
            last = last => drop(sender.send(line(&last)).await),
            () = report(&steps, &sender) => steps.stop(),
        }
    };
    tokio::spawn(Client::current().run(work));
    let body = Body::from_stream(ReceiverStream::new(receiver).map(Ok::<_, Infallible>));
    ([(header::CONTENT_TYPE, "application/x-ndjson")], body).into_response()
}

/// Reports every change, until the receiver is gone.
async fn report(steps: &WorkSteps, sender: &mpsc::Sender<Bytes>) {
    let mut before = None;
    loop {
        let (what, done, of) = steps.now();
        let now = WorkStep { what, done, of };
        if before.as_ref() != Some(&now) && !now.what.is_empty() {
            before = Some(now.clone());
            if sender.send(line(&UnderwayLine { progress: now })).await.is_err() {
                return;
            }
        }
        tokio::select! {
            () = tokio::time::sleep(PROGRESS_INTERVAL) => {}
            () = sender.closed() => return,
        }
    }
}

fn line(value: &impl Serialize) -> Bytes {
    let mut line = serde_json::to_vec(value).unwrap_or_default();
    line.push(b'\n');
    line.into()
}
